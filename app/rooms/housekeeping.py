"""What the house does by itself when time passes. The steward asks what is due, and each looks again under the lock."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from secrets import SystemRandom
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from app.engine.codec import raw_move
from app.engine.contract import Seat
from app.rooms import repository
from app.rooms import watch as watches
from app.rooms.policy import KEEPER
from app.rooms.snapshot import Place, Snapshot
from app.rooms.store import RoomStore, house_answers
from app.rooms.watch import Watch

_CHANCE: Final = SystemRandom()
_MOST: Final = 50  # games claimed at once
LEASE: Final = timedelta(seconds=30)  # a worker that has claimed a game and is not done by then has died


class Answer(NamedTuple):
    """The house makes a move for a seat, not before this moment; without a move it must think of one first."""

    seat: Seat
    move: dict[str, Any] | None
    level: str
    at: datetime


class RunOut(NamedTuple):
    """The clock of who is asked has run out."""


class Seek(NamedTuple):
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
        moves = house_answers(room, now)
        if not moves:
            return None
        seat, move = _CHANCE.choice(moves)
        at = room.watch.house_at or now
        if now < at - (timedelta() if move else self.bot_pause):
            return None
        return Answer(seat, raw_move(move) if move else None, room.seats[seat].bot or KEEPER, at)

    def run_out(self, code: str) -> None:
        """The house plays on for whose clock has run out; nobody forfeits."""
        with self.changing(code) as change:
            room, payer = change.room, change.room.watch.alone
            if payer is not None and self.errand(room) == RunOut():
                change.become(seats=keeping(room, {payer}))

    def seek(self, code: str, away: Mapping[Seat, timedelta]) -> tuple[Seat, ...]:
        """Who of those who are asked is away, and for how long: they are told once, and kept after a while.

        Returns whom to tell.
        """
        now = self.clock()
        with self.changing(code) as change:
            room = change.room
            if self.errand(room) != Seek():
                return ()
            asked = [seat for seat in room.watch.asked if room.seats[seat].bot is None and seat in away]
            most = room.pace.absent
            waits = {seat: timedelta(seconds=most) - away[seat] for seat in asked} if most else {}
            kept = {seat for seat, wait in waits.items() if wait <= timedelta()}
            again = [now + wait for seat, wait in waits.items() if seat not in kept]
            watch = replace(room.watch, told=bool(asked), seek_at=min(again, default=None))
            if kept:
                change.become(seats=keeping(room, kept), watch=watch)
        if not kept:
            self.note(code, lambda room: _sought(room, watch))
        awaited = room.game.awaited(room.state)
        return () if room.watch.told else tuple(seat for seat in asked if seat in awaited and seat not in kept)

    def seek_soon(self, code: str) -> None:
        """Somebody went: if they are asked it will be seen soon."""
        if self.room(code).status == "playing":
            self.note(code, lambda room: replace(room.watch, seek_at=self.clock() + watches.SEEK))

    def look_later(self, code: str) -> None:
        """Nothing was to be done: the claim is given up."""
        self.note(code, lambda room: room.watch)


def keeping(room: Snapshot, seats: set[Seat]) -> tuple[Place, ...]:
    """The seats, with these kept by the house until somebody comes back."""
    return tuple(replace(place, bot=KEEPER, kept=True) if place.number in seats else place for place in room.seats)


def _sought(room: Snapshot, found: Watch) -> Watch:
    """What was found, unless something else is asked by now."""
    same = (room.watch.asked, room.watch.since) == (found.asked, found.since)
    return replace(room.watch, told=found.told, seek_at=found.seek_at) if same else room.watch
