"""The parts that serve a site, joined: made once for each process, opened with its event loop."""

import asyncio
import secrets
from contextlib import suppress
from functools import partial

from app.config import Settings
from app.database import Database, connect
from app.engine.contract import Seat
from app.live.bus import PostgresBus
from app.live.hub import Hub
from app.live.presence import Presence
from app.rooms.identity import Signer
from app.rooms.landing import Landings
from app.rooms.past import Pasts
from app.rooms.service import Rooms
from app.rooms.store import Keeping, random_while
from app.steward.loop import Steward
from app.steward.thinking import Thinkers
from app.telling.push import new_key
from app.telling.teller import Teller
from app.thinking import think


class House:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.database = Database(connect(settings.database))
        self.rooms = Rooms(
            self.database,
            Keeping(settings.keep_empty, settings.keep_rest),
            pause=partial(random_while, settings.pause),
            bot_pause=settings.bot_pause,
        )
        self.pasts = Pasts(self.rooms)
        self.presence = Presence()
        self.hub = Hub(self.rooms, self.presence)
        self.signer = Signer(settings.secret or self.rooms.secret(secrets.token_hex(32)))
        push_key = partial(self.rooms.secret, new_key(), "push_key")
        self.teller = Teller(self.rooms, settings, self.signer, push_key)
        self._landings: Landings | None = None
        self._bus: PostgresBus | None = None
        if self.database.is_postgres:
            self._landings = Landings(self.rooms)
            self._bus = PostgresBus(self.database, self._landings, self.hub, self.presence)
        self.thinkers = Thinkers(think, settings.bot_processes, 0.8 * settings.bot_pause.total_seconds())
        self._steward: asyncio.Task[None] | None = None

    def open(self) -> None:
        self.hub.open()
        if self._bus:
            self._bus.open()
        steward = Steward(self.rooms, self.presence, self.thinkers, self.teller.tell)
        self._steward = asyncio.create_task(steward.look_after())

    async def play(self, code: str, person: str, decision: str, raw: object, key: str) -> int:
        """As `Rooms.play`, in the way that is fastest with this database."""
        if self._landings:
            return await self._landings.play(code, person, decision, raw, key)
        return await self.database.write(self.rooms.play, code, person, decision, raw, key)

    def seats_here(self, code: str) -> frozenset[Seat]:
        return frozenset(self.presence.of(code)["seats"])

    async def welcome(self, code: str, person: str | None) -> None:
        """Somebody looks at a table: if the house has kept their seat, they have it back."""
        room = self.rooms.kept(code)
        if room and person and room.kept_for(person):
            await self.database.write(self.rooms.come_back, code, person)

    async def close(self) -> None:
        """Finish what has begun: moves that are under way are stored and answered before this is called."""
        if self._steward:
            self._steward.cancel()
            with suppress(asyncio.CancelledError):
                await self._steward
        await asyncio.to_thread(self.thinkers.close)
        if self._bus:
            await self._bus.close()
        await self.hub.close()
        if self._landings:
            await asyncio.to_thread(self._landings.close)
        self.teller.close()
        await asyncio.to_thread(self.database.close)
