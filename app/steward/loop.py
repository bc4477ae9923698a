"""The one loop that acts when time passes.

It moves for bots and for who has no choice, lets clocks run out, sees who is away, and clears away what nobody uses.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, Final

from app.engine.contract import Seat
from app.live.presence import Presence
from app.rooms.errors import RoomError
from app.rooms.housekeeping import Answer, RunOut, Seek
from app.rooms.service import Rooms
from app.rooms.snapshot import Snapshot
from app.steward.thinking import Thinkers

_LOG: Final = logging.getLogger("valtavola.steward")
CLEAR_EVERY: Final = timedelta(seconds=60)
LOOK_EVERY: Final = timedelta(seconds=3)  # for what other workers have left behind


class Steward:
    """All that is due is stored: after a crash, or in another worker, a steward finds it there."""

    def __init__(
        self,
        rooms: Rooms,
        presence: Presence,
        thinkers: Thinkers,
        tell: Callable[[str, Sequence[Seat]], Awaitable[None]],
    ) -> None:
        self._rooms = rooms
        self._presence = presence
        self._thinkers = thinkers
        self._tell = tell  # those who are away that they are asked
        self._next = rooms.clock()  # when to look again
        self._sooner = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._errands: set[asyncio.Task[None]] = set()

    async def look_after(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._rooms.expected = self._hear
        self._presence.left = self._missed
        clear_at = self._rooms.clock()
        try:
            while True:
                now = self._rooms.clock()
                self._next = now + LOOK_EVERY
                try:
                    await self._claim(now)
                    if clear_at <= now:
                        clear_at = now + CLEAR_EVERY
                        await self._clear_away()
                except Exception as error:  # whatever it is, the steward goes on
                    _LOG.warning("The steward cannot reach the database, trying again: %s", type(error).__name__)
                await self._sleep()
        finally:
            for errand in self._errands:
                errand.cancel()
            await asyncio.gather(*self._errands, return_exceptions=True)

    def _hear(self, due: datetime) -> None:
        """Something is due then. Whoever has stored it may be in a thread of their own."""
        if self._loop:
            self._loop.call_soon_threadsafe(self._expect, due)

    def _expect(self, due: datetime) -> None:
        if due < self._next:
            self._next = due
            self._sooner.set()

    async def _sleep(self) -> None:
        while (rest := (self._next - self._rooms.clock()).total_seconds()) > 0:
            self._sooner.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(rest):  # wait_for can lose a cancellation, and with it the end of a server
                    await self._sooner.wait()

    async def _claim(self, now: datetime) -> None:
        """Take what is due, and see to it that the next thing is not forgotten."""
        database = self._rooms.database
        due = await database.read(self._rooms.next_due)
        while due and due <= now:
            claimed = await database.write(self._rooms.claim)
            for code in claimed:
                self._run(code, self.look(code))
            if not claimed:  # another worker has them in hand
                return
            due = await database.read(self._rooms.next_due)
        if due:
            self._expect(due)

    def _run(self, code: str, work: Coroutine[Any, Any, None]) -> None:
        errand = asyncio.create_task(self._safely(code, work))
        self._errands.add(errand)
        errand.add_done_callback(self._errands.discard)

    async def _safely(self, code: str, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except RoomError:  # it was cleared away in the meantime
            pass
        except Exception as error:  # this room must not hold up the others; its claim ends by itself
            _LOG.warning("The house cannot look after room %s, trying again: %r", code, error)

    async def look(self, code: str) -> None:
        """Do what is due in a claimed game. What is done says itself what is due next."""
        rooms, database = self._rooms, self._rooms.database
        room = await database.read(rooms.room, code)
        match rooms.errand(room):
            case Answer() as answer:
                await self._answer(room, answer)
            case RunOut():
                await database.write(rooms.run_out, code)
            case Seek():
                to_tell = await database.write(rooms.seek, code, self._away(room))
                if to_tell:
                    await self._tell(code, to_tell)
            case None:
                await database.write(rooms.look_later, code)

    async def _answer(self, room: Snapshot, answer: Answer) -> None:
        move = answer.move or await self._thinkers.move(room, answer.seat, answer.level)
        await asyncio.sleep((answer.at - self._rooms.clock()).total_seconds())
        # Not done: somebody has moved in the meantime, which made something else due.
        await self._rooms.database.write(self._rooms.answer, room.code, room.seq, answer.seat, move)

    def _away(self, room: Snapshot) -> dict[Seat, timedelta]:
        away = ((place.number, self._presence.away(room.code, place.number)) for place in room.seats)
        return {seat: timedelta(seconds=seconds) for seat, seconds in away if seconds is not None}

    def _missed(self, code: str) -> None:
        """Somebody has gone."""
        self._run(code, self._rooms.database.write(self._rooms.seek_soon, code))

    async def _clear_away(self) -> None:
        while await self._rooms.database.write(self._rooms.clear_away):
            pass
