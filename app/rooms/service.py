"""All decisions about rooms. Each is one transaction: what it returns is on disk, what it raises changed nothing."""

from app.rooms.agreeing import Agreeing
from app.rooms.housekeeping import Housekeeping
from app.rooms.listing import Listing
from app.rooms.looking import Looking
from app.rooms.playing import Playing
from app.rooms.seating import Seating
from app.rooms.talking import Talking


class Rooms(Seating, Playing, Agreeing, Looking, Housekeeping, Talking, Listing):
    """Opens rooms, seats people and bots, plays, lets them agree and talk, and lists what there is."""
