"""Whether every stored table is what its log leads to. A room that fails is frozen; the others go on."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import msgspec
from sqlalchemy import Connection

from app.engine.codec import decode_state, encode_state, state_hash
from app.engine.contract import BadGameData, Game
from app.engine.registry import UnknownGame, find
from app.engine.table import Record, open_record
from app.rooms import repository
from app.rooms.service import Rooms
from app.rooms.snapshot import Status
from app.rooms.watch import Watch


class Verdict(msgspec.Struct):
    """How many rooms were looked at, what is wrong with which, and which were frozen and are sound again."""

    checked: int
    faults: dict[str, str]
    thawed: list[str] = []


def verify(
    rooms: Rooms,
    statuses: Iterable[Status] = ("playing",),
    progress: Callable[[int, int], None] | None = None,
    change: bool = True,
) -> Verdict:
    """Look at all rooms of these kinds; freeze what fails and let go on what was mended, unless told to only look."""
    with rooms.database.reading() as connection:
        codes = repository.rooms_with(connection, statuses)
    verdict = Verdict(len(codes), {})
    for done, code in enumerate(codes, start=1):
        _judge(rooms, code, verdict, change)
        if progress:
            progress(done, len(codes))
    return verdict


def _judge(rooms: Rooms, code: str, verdict: Verdict, change: bool) -> None:
    with rooms.database.reading() as connection:
        stored = repository.stored(connection, code)
        fault = fault_in(connection, code)
    if stored is None:
        return  # it was cleared away in the meantime
    frozen = stored["status"] == "frozen"
    is_bad = partial(_is_bad, code)
    if fault and (frozen or not change or rooms.freeze(code, is_bad)):
        verdict.faults[code] = fault
    elif not fault and frozen and change and rooms.thaw(code, is_bad, partial(_is_over, code)):
        verdict.thawed.append(code)


def _is_bad(code: str, connection: Connection) -> bool:
    return fault_in(connection, code) is not None


def _is_over(code: str, connection: Connection) -> bool:
    stored = repository.stored(connection, code)
    assert stored is not None  # noqa: S101 it is locked
    game = find(stored["game"])
    watch = msgspec.json.decode(stored["watch"] or b"{}", type=Watch)
    return watch.over or game.outcome(decode_state(game, stored["state"])) is not None


def fault_in(connection: Connection, code: str) -> str | None:
    """What is wrong with a room, in a sentence."""
    try:
        stored = repository.stored(connection, code)
        return None if stored is None else _fault(connection, find(stored["game"]), stored)
    except (BadGameData, UnknownGame, msgspec.MsgspecError) as error:
        return str(error)


def _fault(connection: Connection, game: Game[Any, Any, Any], stored: dict[str, Any]) -> str | None:
    log = repository.entries(connection, stored["id"])
    if len(log) != stored["seq"]:
        return f"{stored['seq']} entries are counted and {len(log)} are stored."
    options = msgspec.json.decode(stored["options"])
    record = Record(game.name, game.VERSION, stored["taken"], stored["seed"], options, log)
    at_barrier, state = _replayed(game, record, stored["anchor_seq"])
    for kept, led_to in ((stored["state"], state), (stored["anchor"], at_barrier)):
        if encode_state(game, decode_state(game, kept)) != encode_state(game, led_to):
            return "The stored table is not the one that its log leads to."
    repository.log(connection, stored["id"])  # what was told can be read too
    digest = repository.last_hash(connection, stored["id"]) or ""
    own = state_hash(game, state)
    if digest.partition(":")[0] == own.partition(":")[0] and digest != own:
        return "The stored log was made by other rules: the table it leads to has another hash."
    return None


def _replayed(game: Game[Any, Any, Any], record: Record, anchor_seq: int) -> tuple[Any, Any]:
    """The table at the last barrier, and at the end."""
    table = open_record(game, record)
    at_barrier = table.state
    for number, entry in enumerate(record.log, start=1):
        table.follow(number, entry)
        if number == anchor_seq:
            at_barrier = table.state
    return at_barrier, table.state
