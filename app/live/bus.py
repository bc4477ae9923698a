"""News between the workers that share a Postgres: which room has come to which revision, and who is where.

A worker alone with SQLite needs no bus. After a break the listener compares revisions of all rooms somebody looks at.
"""

import asyncio
import logging
from contextlib import suppress
from typing import Any, Final

import msgspec
import psycopg

from app.database import CHANNEL, Database
from app.live.hub import Hub
from app.live.presence import Here, Presence
from app.rooms import repository
from app.rooms.landing import Landings
from app.rooms.store import GONE

_LOG: Final = logging.getLogger("valtavola.live")
_AGAIN: Final = 30.0  # seconds after which a worker repeats who is with it
# A connection that is dead without a word is noticed within a minute.
_CONNECTING: Final[dict[str, Any]] = {
    "autocommit": True,
    "connect_timeout": 10,
    "keepalives_idle": 20,
    "keepalives_interval": 10,
    "keepalives_count": 3,
}
_PRESENCE: Final = "presence:"


class PostgresBus:
    def __init__(self, database: Database, landings: Landings, hub: Hub, presence: Presence) -> None:
        self.database = database
        self.landings = landings
        self.hub = hub
        self.presence = presence
        self._tasks: list[asyncio.Task[None]] = []
        self._outbox: asyncio.Queue[Here] = asyncio.Queue()
        url = database.engine.url.set(drivername="postgresql")
        self._address = url.render_as_string(hide_password=False)

    def open(self) -> None:
        self.presence.tell = self._outbox.put_nowait
        self._tasks = [asyncio.create_task(work) for work in (self._listen(), self._speak(), self._repeat())]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _listen(self) -> None:
        """Listen for ever, and after a break ask what was missed."""
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(self._address, **_CONNECTING) as connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    await self._compare()
                    async for notice in connection.notifies():
                        self._hear(notice.payload)
            except Exception as error:  # whatever it is, a worker that hears nothing is worse
                _LOG.warning("The database does not answer, listening again: %s", type(error).__name__)
            await asyncio.sleep(0.5)

    async def _compare(self) -> None:
        codes = self.hub.codes()
        if codes:
            found = await self.database.read(self.hub.rooms.revisions, codes)
            for code in codes:
                self.hub.wake(code, found.get(code, GONE))

    def _hear(self, payload: str) -> None:
        if payload.startswith(_PRESENCE):
            here = msgspec.json.decode(payload.removeprefix(_PRESENCE), type=Here)
            if here.worker != self.presence.worker:
                self.presence.heard(here)
        else:
            for news in payload.split():
                code, _, rev = news.partition(":")
                if not self.landings.awaits(code, int(rev)):
                    self.hub.wake(code, int(rev))

    async def _speak(self) -> None:
        while True:
            here = await self._outbox.get()
            with suppress(Exception):  # it is repeated soon
                await self.database.write(self._say, here)

    def _say(self, here: Here) -> None:
        with self.database.writing() as connection:
            repository.notify(connection, _PRESENCE + msgspec.json.encode(here).decode())

    async def _repeat(self) -> None:
        while True:
            await asyncio.sleep(_AGAIN)
            for here in self.presence.own():
                self._outbox.put_nowait(here)
