"""Rooms in which the toy of unseen answers is played. Seat 0 is asked in no first round."""

from typing import Any

from app.engine.codec import raw_move
from app.rooms.pace import Pace
from app.rooms.seating import NewRoom
from app.rooms.service import Rooms
from tests.engine.hush import BLOW, NO, YES

SAYS_YES, SAYS_NO, BLOWS = (raw_move(move) for move in (YES, NO, BLOW))

NO_CLOCK = Pace()


def started(
    rooms: Rooms, seats: int = 3, seed: str = "2", pace: Pace = NO_CLOCK, delay: int = 0, **options: Any
) -> str:
    """People p0, p1, … play; the options may say how many coins everybody has."""
    code = rooms.create("p0", NewRoom("hush", seats, options, seed=seed, pace=pace, delay=delay)).code
    for seat in range(seats):
        rooms.join(code, f"p{seat}", f"P{seat}")
    rooms.start(code, "p0")
    return code


def hold(rooms: Rooms, code: str, person: str, *others: str) -> None:
    """A person holds the seats of others too."""
    for other in others:
        rooms.take_along(code, person, rooms.carry(code, other).nonce)
