"""What the house does by itself when time passes. The steward asks what is due, and each looks again under the lock."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from secrets import SystemRandom
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from app.engine.codec import raw_move
from app.engine.contract import Seat
from app.rooms import repository
from app.rooms import watch as watches
from app.rooms.policy import KEEPER
from app.rooms.snapshot import Snapshot
from app.rooms.store import Change, RoomStore, house_answers

_CHANCE: Final = SystemRandom()
_MOST: Final = 50  # games claimed at once
LEASE: Final = timedelta(seconds=30)  # a worker that has claimed a game and is not done by then has died


class Answer(NamedTuple):
    """The house makes a move for a seat, not before this moment; without a move it must think of one first."""

    seat: Seat
    move: dict[str, Any] | None
    level: str
    at: datetime


class RunOut(msgspec.Struct, frozen=True):
    """The clock of who is asked has run out."""


class Seek(msgspec.Struct, frozen=True):
    """It is to be seen who of those who are asked is away."""


class Housekeeping(RoomStore):
    def next_due(self) -> datetime | None:
        with self.database.reading() as connection:
            return repository.next_due(connection)

    def claim(self) -> list[str]:
        """Games that are due. For a while nobody else looks after them."""
        now = self.clock()
        with self.database.writing() as connection:
            return repository.claim_games(connection, now, now + LEASE, _MOST)

    def claim_nothing(self) -> None:
        """After a start: whatever had been claimed is due."""
        with self.database.writing() as connection:
            repository.all_due(connection, self.clock())

    def errand(self, room: Snapshot) -> Answer | RunOut | Seek | None:
        """What is to be done first, if anything."""
        now, watch = self.clock(), room.watch
        if room.status != "playing" or watch.paused:
            return None
        over = watches.runs_out(watch, room.pace)
        is_over = over is not None and over <= now
        if is_over and watch.alone is not None and room.seats[watch.alone].bot is None:
            return RunOut()
        if watch.seek_at and watch.seek_at <= now:
            return Seek()
        return self._answer_in(room, now)

    def _answer_in(self, room: Snapshot, now: datetime) -> Answer | None:
        at = room.watch.house_at or now
        thinking = at - self.bot_pause
        moves = [(seat, move) for seat, move in house_answers(room, now) if now >= (at if move else thinking)]
        if not moves:
            return None
        seat, move = _CHANCE.choice(moves)
        return Answer(seat, raw_move(move) if move else None, room.seats[seat].bot or KEEPER, at)

    def run_out(self, code: str) -> None:
        """The house plays on for whose clock has run out; nobody forfeits."""
        with self.changing(code) as change:
            room, payer = change.room, change.room.watch.alone
            if payer is not None and isinstance(self.errand(room), RunOut):
                keep_seats(self, change, {payer})

    def seek(self, code: str, away: Mapping[Seat, timedelta]) -> tuple[Seat, ...]:
        """Who of those who are asked is away, and for how long: they are told once, and kept after a while.

        Returns whom to tell.
        """
        now = self.clock()
        with self.changing(code) as change:
            room, watch = change.room, change.room.watch
            if not isinstance(self.errand(room), Seek):
                return ()
            people = [seat for seat in watch.asked if room.seats[seat].bot is None]
            waits = {seat: self._until_absent(room, away.get(seat, timedelta())) for seat in people}
            kept = {seat for seat, wait in waits.items() if wait is not None and wait <= timedelta()}
            again = [now + wait for seat, wait in waits.items() if wait is not None and seat not in kept]
            missing = [seat for seat in people if seat in away]
            told = watch.told or bool(missing)
            change.become(watch=replace(watch, told=told, seek_at=min(again, default=None)))
            if kept:
                keep_seats(self, change, kept)
        awaited = room.game.awaited(room.state)
        return () if watch.told else tuple(seat for seat in missing if seat in awaited and seat not in kept)

    def _until_absent(self, room: Snapshot, away: timedelta) -> timedelta | None:
        """After what while somebody counts as absent, if they stay away."""
        return None if room.pace.absent is None else timedelta(seconds=room.pace.absent) - away

    def seek_soon(self, code: str) -> None:
        """Somebody went: if they are asked it will be seen soon."""
        with self.changing(code) as change:
            room = change.room
            soon = self.clock() + watches.SEEK
            if room.status == "playing" and (room.watch.seek_at is None or soon < room.watch.seek_at):
                change.become(watch=replace(room.watch, seek_at=soon))

    def look_later(self, code: str) -> None:
        """Nothing was to be done: the claim is given up."""
        with self.database.writing() as connection:
            found = repository.lock(connection, code)
            room = found and repository.load(connection, code)
            if room and room.status == "playing":
                repository.save_due(connection, room.id, self.due(room))


def keep_seats(store: RoomStore, change: Change, seats: set[Seat]) -> None:
    """The house plays these until somebody comes back."""
    room, watch = change.room, change.room.watch
    for seat in seats:
        watch = watches.leave(watch, room.pace, seat, store.clock())
    places = (replace(place, bot=KEEPER, kept=True) if place.number in seats else place for place in room.seats)
    change.become(seats=tuple(places), watch=watch)
