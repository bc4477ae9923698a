"""Whether every stored table is what its log leads to. A room that fails is frozen; the others go on."""

from collections.abc import Callable, Iterable

import msgspec

from app.engine.codec import encode_state, state_hash
from app.engine.contract import BadGameData
from app.engine.registry import UnknownGame, find
from app.engine.table import Record, replay
from app.rooms import repository
from app.rooms.service import Rooms
from app.rooms.snapshot import Status


class Verdict(msgspec.Struct):
    """How many rooms were looked at, and what is wrong with which."""

    checked: int
    faults: dict[str, str]


def verify(
    rooms: Rooms, statuses: Iterable[Status] = ("playing",), progress: Callable[[int, int], None] | None = None
) -> Verdict:
    with rooms.database.reading() as connection:
        codes = repository.rooms_with(connection, statuses)
    faults: dict[str, str] = {}
    for done, code in enumerate(codes, start=1):
        fault = fault_of(rooms, code)
        if fault:
            faults[code] = fault
            rooms.freeze(code)
        if progress:
            progress(done, len(codes))
    return Verdict(len(codes), faults)


def fault_of(rooms: Rooms, code: str) -> str | None:
    """What is wrong with a room, in a sentence."""
    with rooms.database.reading() as connection:
        try:
            room = repository.load(connection, code)
            if room is None:
                return None  # it was cleared away in the meantime
            game = find(room.game_name)
            log = repository.entries(connection, room.id)
            digest = repository.last_hash(connection, room.id)
            if len(log) != room.seq:
                return f"{room.seq} entries are counted and {len(log)} are stored."
            record = Record(game.name, game.VERSION, len(room.seats), room.seed, room.options, log)
            state = replay(game, record).state
        except (BadGameData, UnknownGame, msgspec.MsgspecError) as error:
            return str(error)
    if encode_state(game, state) != encode_state(game, room.state):
        return "The stored table is not the one that its log leads to."
    if digest is not None and digest != state_hash(game, state):
        return "The stored log was made by other rules: the table it leads to has another hash."
    return None
