"""Rooms in the database and in memory: read, changed one transaction at a time, cleared away."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from secrets import SystemRandom
from typing import Any, Final

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from app.database import Database
from app.engine.codec import encode_state
from app.engine.contract import Seat
from app.engine.table import Record
from app.rooms import repository
from app.rooms import watch as watches
from app.rooms.errors import RoomError
from app.rooms.snapshot import Happened, Place, Snapshot, Status
from app.rooms.watch import Watch

_KEPT: Final = 5000  # snapshots at hand; whoever is not among them is read again
_LISTED: Final = 50
_PAUSE: Final = timedelta(seconds=4)
_BOT_PAUSE: Final = timedelta(seconds=1)
_CHANCE: Final = SystemRandom()
GONE: Final = 1 << 62  # the revision of a room that was cleared away: newer than any


class Keeping(msgspec.Struct, frozen=True):
    """How long a room is kept when nothing happens in it."""

    empty_lobby: timedelta = timedelta(hours=24)
    rest: timedelta = timedelta(days=30)  # lobbies in which somebody sits, and finished games


def random_while(longest: timedelta = _PAUSE) -> timedelta:
    """How long the house waits before it answers for somebody: at least a quarter of this."""
    return longest * _CHANCE.uniform(0.25, 1)


class Change:
    """A room that is being changed: locked until the transaction ends."""

    def __init__(self, connection: Connection, room: Snapshot) -> None:
        self.connection = connection
        self.room = room
        self.due: datetime | None = None  # when the steward is to look after it, if that is new

    def become(self, **fields: Any) -> None:
        self.room = replace(self.room, **fields)


class RoomStore:
    """What all that is decided about rooms stands on."""

    def __init__(
        self,
        database: Database,
        keeping: Keeping | None = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        pause: Callable[[], timedelta] = random_while,
        bot_pause: timedelta = _BOT_PAUSE,
    ) -> None:
        self.database = database
        self.keeping = keeping or Keeping()
        self.clock = clock
        self.pause = pause  # before the house answers for somebody who is asked along with others
        self.bot_pause = bot_pause  # before a bot that is asked alone makes a move
        self.changed: Callable[[str, int], None] = _nobody_listens  # until the hub puts itself here
        self.expected: Callable[[datetime], None] = _nobody_waits  # the same for the steward
        self._kept: OrderedDict[str, Snapshot] = OrderedDict()
        self._guard = threading.Lock()
        self._pending: dict[str, Snapshot] = {}  # written, not yet on disk; only whoever writes may look

    # Reading

    def room(self, code: str) -> Snapshot:
        """The room as it is now."""
        _check_code(code)
        with self.database.reading() as connection:
            kept = self.kept(code)
            if kept and repository.revision(connection, code) == kept.rev:
                return kept
            room = repository.load(connection, code)
        if room is None:
            self._forget(code)
            raise RoomError("no_room")
        self.keep(room)
        return room

    def kept(self, code: str) -> Snapshot | None:
        """The room as this process knows it, without asking the database."""
        return self._kept.get(code)

    def log(self, code: str) -> tuple[Happened, ...]:
        room = self.room(code)
        with self.database.reading() as connection:
            return repository.log(connection, room.id)

    def record(self, code: str) -> Record:
        """A finished game as it was played; before its end it would tell what is hidden."""
        room = self.room(code)
        if room.status != "ended":
            raise RoomError("not_ended")
        with self.database.reading() as connection:
            log = repository.entries(connection, room.id)
        names = list(room.names)
        return Record(room.game_name, room.game.VERSION, len(room.seats), room.seed, room.options, log, names)

    def listed(self) -> list[dict[str, Any]]:
        with self.database.reading() as connection:
            return repository.listed(connection, _LISTED)

    def revisions(self, codes: list[str]) -> dict[str, int]:
        with self.database.reading() as connection:
            return repository.revisions(connection, codes)

    def keep(self, room: Snapshot) -> None:
        """Remember what is stored."""
        with self._guard:
            kept = self._kept.get(room.code)
            if kept is None or kept.rev <= room.rev:
                self._kept[room.code] = room
            self._kept.move_to_end(room.code)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)

    def _forget(self, code: str) -> None:
        with self._guard:
            self._kept.pop(code, None)

    # Changing

    @contextmanager
    def changing(self, code: str) -> Iterator[Change]:
        """Lock, change, store, notify: one transaction. What has not changed is not stored."""
        _check_code(code)
        with self.database.writing() as connection:
            found = repository.lock(connection, code)
            if found is None:
                raise RoomError("no_room")
            kept = self._pending.get(code) or self.kept(code)
            room = kept if kept and kept.rev == found[1] else repository.load(connection, code)
            assert room is not None  # noqa: S101 it is locked
            change = Change(connection, room)
            yield change
            if change.room is not room:
                change.become(rev=room.rev + 1)
                if change.room.seats is not room.seats:  # who wished for what may be another now, or no longer decide
                    change.become(watch=replace(change.room.watch, wishes=()))
                if _moves_time(room, change.room):
                    change.become(watch=self.timed(change.room))
                self._store(change, room)
        if change.room is not room:
            self._pending[code] = change.room
            publish = partial(self._publish, change.room, change.due)
            self.database.after_commit(publish, on_failure=partial(self._unwrite, code))

    def _unwrite(self, code: str) -> None:
        self._pending.pop(code, None)

    def _publish(self, room: Snapshot, due: datetime | None) -> None:
        """It is on disk: from now on others may see it."""
        with self._guard:
            if self._pending.get(room.code) is room:
                del self._pending[room.code]
        self.keep(room)
        self.changed(room.code, room.rev)
        if due:
            self.expected(due)

    def _store(self, change: Change, before: Snapshot) -> None:
        after = change.room
        if after.seq != before.seq and after.status == before.status:
            change.due = self.due(after)
            repository.save_move(change.connection, after, encode_state(after.game, after.state), change.due)
            if after.seats is not before.seats:
                repository.save_seats(change.connection, after.id, after.seats)
            self.notify(change.connection, after.code, after.rev)
            return
        columns: dict[str, Any] = {}
        if after.state is not before.state:
            columns["state"] = encode_state(after.game, after.state)
            if after.anchor_seq != before.anchor_seq or before.state is None:
                columns["anchor"] = columns["state"]
        if after.watch != before.watch:
            columns["watch"] = msgspec.json.encode(after.watch)
        if after.status != before.status or after.seats != before.seats or after.watch != before.watch:
            change.due = columns["due_at"] = self.due(after)
        if after.seats != before.seats:
            repository.save_seats(change.connection, after.id, after.seats)
        repository.save(change.connection, before, after, **columns)
        self.notify(change.connection, after.code, after.rev)

    def notify(self, connection: Connection, code: str, rev: int) -> None:
        if self.database.is_postgres:
            repository.notify(connection, f"{code}:{rev}")

    def due(self, room: Snapshot) -> datetime | None:
        if room.status == "lobby" and not room.seats:
            return self.clock() + self.keeping.empty_lobby
        if room.status in ("lobby", "ended"):
            return self.clock() + self.keeping.rest
        if room.status != "playing":
            return None
        payer = room.watch.alone
        seat = None if payer is None else room.seat(payer)
        thinks = any(move is None for _, move in house_moves(room))
        lead = self.bot_pause if thinks else timedelta()
        return watches.due(room.watch, room.pace, seat is None or seat.bot is None, lead)

    def timed(self, room: Snapshot) -> Watch:
        """What time does at the table from now on."""
        if room.status != "playing":
            return room.watch if room.status == "frozen" else Watch(over=room.status == "ended")
        watch, payer = room.watch, room.watch.alone
        by_house = payer is not None and room.seats[payer].bot is not None
        asked = room.game.to_act(room.state)
        watch = watches.go_on(watch, room.pace, asked, room.question, self.clock(), by_house)
        moves = () if watch.paused else house_moves(room)
        return replace(watch, house_at=self.clock() + self._house_pause(room, watch.asked) if moves else None)

    def _house_pause(self, room: Snapshot, asked: tuple[Seat, ...]) -> timedelta:
        """Always as long for a bot that is asked alone; else a random while, as the answer must not tell who gave it.

        It goes by what everybody knows, so that it does not tell who had a choice.
        """
        if not any(room.seats[seat].bot for seat in asked):
            return self.pause()
        return self.bot_pause if len(asked) == 1 else max(self.pause(), self.bot_pause)

    # Order in the house

    def freeze(self, code: str, is_bad: Callable[[Connection], bool]) -> bool:
        """A room whose stored table cannot be trusted: nobody plays on until somebody has looked at it.

        It is looked at once more under the lock, for it may have been read while somebody moved.
        """
        with self.database.writing() as connection:
            found = repository.lock(connection, code)
            if found is None or not is_bad(connection):
                return False
            self._set_status(connection, code, found, "frozen")
        return True

    def thaw(self, code: str, is_bad: Callable[[Connection], bool], is_over: Callable[[Connection], bool]) -> bool:
        """A frozen room that has been mended goes on."""
        with self.database.writing() as connection:
            found = repository.lock(connection, code)
            if found is None or is_bad(connection):
                return False
            self._set_status(connection, code, found, "ended" if is_over(connection) else "playing")
        return True

    def _set_status(self, connection: Connection, code: str, found: tuple[int, int], status: Status) -> None:
        due = {
            "ended": self.clock() + self.keeping.rest,
            "playing": self.clock(),
        }  # the steward sees what is to be done
        repository.set_status(connection, *found, status, due.get(status))
        if status == "playing":  # while the room was frozen no clock ran
            room = repository.load(connection, code)
            assert room is not None  # noqa: S101 it is locked
            repository.save_watch(connection, replace(room, watch=replace(room.watch, since=self.clock())))
        self.notify(connection, code, found[1] + 1)
        self._forget(code)

    def clear_away(self, most: int = 100) -> list[str]:
        """Remove rooms that have been empty or finished for long, and tell whoever still looks."""
        with self.database.writing() as connection:
            due = repository.claim_due(connection, self.clock(), most)
            for room_id, code in due:
                repository.remove_room(connection, room_id)
                self.notify(connection, code, GONE)
        for _, code in due:
            self._forget(code)
            self.database.after_commit(partial(self.changed, code, GONE), on_failure=_nothing)
        return [code for _, code in due]

    def secret(self, proposal: str, name: str = "secret") -> str:
        """A secret that all share who use this database; the one of this name signs tokens."""
        for _ in range(2):
            try:
                with self.database.writing() as connection:
                    return repository.shared_setting(connection, name, proposal)
            except IntegrityError:  # another worker was first
                continue
        raise AssertionError("a setting can be neither written nor read")


def _check_code(code: str) -> None:
    """What cannot be a code is not looked up: databases do not take every sign."""
    if not (code.isascii() and code.isalnum()):
        raise RoomError("no_room")


def _nobody_listens(code: str, rev: int) -> None:
    pass


def _nobody_waits(due: datetime) -> None:
    pass


def _nothing() -> None:
    pass


def _moves_time(before: Snapshot, after: Snapshot) -> bool:
    return after.state is not before.state or after.seats is not before.seats or after.watch is not before.watch


def house_answers(room: Snapshot, now: datetime) -> list[tuple[Seat, Any]]:
    """As `house_moves`; when a question that several are asked has been open too long, for all who are awaited."""
    moves = house_moves(room)
    over = watches.runs_out(room.watch, room.pace)
    if room.watch.alone is not None or over is None or over > now:
        return moves
    sure = {seat for seat, _ in moves}
    return moves + [(seat, None) for seat in room.game.awaited(room.state) if seat not in sure]


def house_moves(room: Snapshot) -> list[tuple[Seat, Any]]:
    """For whom the house moves now: who has no choice, with the only move, and bots, who must think first."""
    quiet = list(room.game.quiet(room.state))
    sure = {seat for seat, _ in quiet}
    bots = {seat.number for seat in room.seats if seat.bot} - sure
    return quiet + [(seat, None) for seat in room.game.awaited(room.state) if seat in bots]


def seats_held(room: Snapshot, person: str) -> tuple[Seat, ...]:
    """First that of whoever holds the device, if there are several."""
    seats, facing = room.seats_of(person), room.facing(person)
    if not seats:
        raise RoomError("not_seated")
    return tuple(sorted(seats, key=lambda seat: seat != facing))


def own_seat(room: Snapshot, person: str) -> Place:
    own = room.seat(seats_held(room, person)[0])
    assert own is not None  # noqa: S101 the number comes from the seats
    return own
