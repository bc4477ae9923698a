"""All decisions about rooms. Each is one transaction: what it returns is on disk, what it raises changed nothing."""

from app.rooms.listing import Listing
from app.rooms.playing import Playing
from app.rooms.playing_on import PlayingOn
from app.rooms.talking import Talking


class Rooms(PlayingOn, Playing, Talking, Listing):
    """Opens rooms, seats people, plays, lets them talk, and lists what there is."""
