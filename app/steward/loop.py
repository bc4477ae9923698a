"""The one loop that acts when time passes: it answers for who has no choice, and clears away rooms that nobody uses."""

import asyncio
import logging
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

from app.rooms.errors import RoomError
from app.rooms.service import Rooms

_LOG: Final = logging.getLogger("valtavola.steward")
CLEAR_EVERY: Final = timedelta(seconds=60)
LOOK_EVERY: Final = timedelta(seconds=3)  # for what other workers have left behind


class Steward:
    """All that is due is stored: after a crash, or in another worker, a steward finds it there."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._next = rooms.clock()  # when to look again
        self._sooner = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    async def look_after(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._rooms.expected = self._hear
        clear_at = self._rooms.clock()
        while True:
            now = self._rooms.clock()
            self._next = now + LOOK_EVERY
            try:
                await self._answer(now)
                if clear_at <= now:
                    clear_at = now + CLEAR_EVERY
                    await self._clear_away()
            except Exception as error:  # whatever it is, the steward goes on
                _LOG.warning("The steward cannot reach the database, trying again: %s", type(error).__name__)
            await self._sleep()

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
                await asyncio.wait_for(self._sooner.wait(), rest)

    async def _answer(self, now: datetime) -> None:
        """One answer in each room where one is due; it says itself when the next one is."""
        found = await self._rooms.database.read(self._rooms.due_to_answer, self._next)
        await asyncio.gather(*(self._answer_in(code) for due, code in found if due <= now))
        for due, _ in found:
            if due > now:
                self._expect(due)

    async def _answer_in(self, code: str) -> None:
        try:
            await self._rooms.database.write(self._rooms.answer, code)
        except RoomError:  # it was cleared away in the meantime
            pass
        except Exception as error:  # this room must not hold up the others
            _LOG.warning("The house cannot answer in room %s, trying again: %r", code, error)

    async def _clear_away(self) -> None:
        while await self._rooms.database.write(self._rooms.clear_away):
            pass
