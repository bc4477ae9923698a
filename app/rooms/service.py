"""All decisions about rooms. Each is one transaction: what it returns is on disk, what it raises changed nothing."""

from app.rooms.agreeing import Agreeing
from app.rooms.housekeeping import Housekeeping
from app.rooms.listing import Listing
from app.rooms.looking import Looking
from app.rooms.playing import Playing
from app.rooms.playing_on import PlayingOn
from app.rooms.talking import Talking


class Rooms(PlayingOn, Playing, Agreeing, Looking, Housekeeping, Talking, Listing):
    """All that can happen in a room, and the list of rooms."""
