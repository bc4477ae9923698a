"""All decisions about rooms. Each is one transaction: what it returns is on disk, what it raises changed nothing."""

from app.rooms.listing import Listing
from app.rooms.playing import Playing
from app.rooms.seating import Seating
from app.rooms.talking import Talking


class Rooms(Seating, Playing, Talking, Listing):
    """Opens rooms, seats people, plays, lets them talk, and lists what there is."""
