"""What has been: every moment of a game again, to be looked back at, and to be laid out for playing on from it."""

import threading
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from app.engine.codec import decode_move, state_hash
from app.engine.contract import BadGameData, Event, Game, MoveError
from app.engine.table import Entry, Played, Record, Table, open_record
from app.rooms import prefixes, repository
from app.rooms.errors import RoomError
from app.rooms.snapshot import Happened, Snapshot
from app.rooms.store import Change, RoomStore
from app.rooms.watch import Watch

_KEPT: Final = 12  # games, those looked at last; some megabytes each


class Course(msgspec.Struct, frozen=True):
    """A game played again: the table before its first entry and after each, and with which entries turns began."""

    states: tuple[Any, ...]
    log: tuple[Happened, ...]
    turns: tuple[int, ...]


class Past(msgspec.Struct, frozen=True):
    room: Snapshot  # as it is now
    course: Course

    @property
    def last(self) -> int:
        return len(self.course.log)

    def seen(self, late: bool) -> "Past":
        """As much of it as can be seen yet by who is some moves behind, or all."""
        last = self.room.seen(late).seq
        if last >= self.last:
            return self
        course = self.course
        turns = tuple(turn for turn in course.turns if turn <= last)
        return Past(self.room, Course(course.states[: last + 1], course.log[:last], turns))

    def turn(self, at: int) -> int:
        """Which turn it is after so many entries; the first is 0."""
        return bisect_right(self.course.turns, at) - 1

    def moment(self, at: int) -> Snapshot:
        """The room after so many entries. What was said, and what can be taken back, is not part of it."""
        state = self.course.states[at]
        return replace(
            self.room,
            status=self.room.status if at == self.last else "ended" if self.room.game.outcome(state) else "playing",
            rev=at,
            seq=at,
            state=state,
            anchor_seq=at,
            barrier=None,
            rematch=None,
            log=self.course.log[max(0, at - repository.LOG_TAIL) : at],
            chat=(),
            watch=Watch(),
            delay=0,
            past=(),
        )


class Pasts:
    """Plays games again, and keeps those that were looked at last."""

    def __init__(self, rooms: RoomStore) -> None:
        self._rooms = rooms
        self._kept: OrderedDict[str, Course] = OrderedDict()
        self._guard = threading.Lock()

    def of(self, code: str) -> Past:
        """All of a game so far. Whoever shows it decides what of it somebody may see."""
        room = self._rooms.room(code)
        if room.status not in ("playing", "ended"):
            raise RoomError("frozen" if room.status == "frozen" else "not_playing")
        with self._guard:
            course = self._kept.get(code)
        if course is None or len(course.log) != room.seq:
            course = self._play_again(room)
        with self._guard:
            self._kept[code] = course
            self._kept.move_to_end(code)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return Past(room, course)

    def _play_again(self, room: Snapshot) -> Course:
        with self._rooms.database.reading() as connection:
            log = repository.entries(connection, room.id)[: room.seq]
        table = _open(room, log)
        states, told, turns, turn = [table.state], [], [0], room.game.turn_of(table.state)
        for happened, state in _play(table, log):
            states.append(state)
            told.append(happened)
            if room.game.turn_of(state) != turn and room.game.to_act(state):
                turn = room.game.turn_of(state)
                turns.append(happened.seq)
        return Course(tuple(states), tuple(told), tuple(turns))


def lay_out(change: Change, now: datetime) -> None:
    """Enter what was played elsewhere as if it had been played here. None of it can be taken back."""
    room = change.room
    log = prefixes.take(change.connection, room.id)
    told = []
    for happened, state in _play(_open(room, log), log):
        digest, key = state_hash(room.game, state), f"before:{happened.seq}"  # nobody is called so
        row = repository.move_row(room.id, happened, log[happened.seq - 1], digest, key, now)
        repository.add_move(change.connection, row)
        told.append(happened)
        change.become(state=state)
    change.become(seq=len(log), anchor_seq=len(log), log=tuple(told[-repository.LOG_TAIL :]))


def is_over(room: Snapshot, log: list[Entry]) -> bool:
    """Whether the game of this room is over when so much of it has been played."""
    table = _open(room, log)
    for _ in _play(table, log):
        pass
    return room.game.outcome(table.state) is not None


def _open(room: Snapshot, log: list[Entry]) -> Table[Any, Any, Any]:
    game: Game[Any, Any, Any] = room.game
    try:
        return open_record(game, Record(game.name, game.VERSION, len(room.seats), room.seed, room.options, log))
    except BadGameData:
        raise RoomError("no_replay") from None


def _play(table: Table[Any, Any, Any], log: list[Entry]) -> Iterator[tuple[Happened, Any]]:
    """What happened at each entry, and the table after it."""
    for seq, entry in enumerate(log, start=1):
        try:
            if isinstance(entry, Played):
                events = table.play(entry.seat, decode_move(table.game, entry.move)).events
            else:
                table.undo(entry.seat)
                events = (Event("seat.takes_back", entry.seat),)
        except MoveError:  # it was played by other rules
            raise RoomError("no_replay") from None
        yield Happened(seq, entry.seat, not isinstance(entry, Played), events), table.state
