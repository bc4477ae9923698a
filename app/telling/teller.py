"""Tells who is away. What it is told to tell it tells at once, and it holds up nobody and fails nobody."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Final, Protocol

from app.config import Settings
from app.engine.contract import Seat
from app.rooms.identity import Signer
from app.rooms.service import Rooms
from app.rooms.snapshot import Snapshot
from app.telling.errors import TellingError
from app.telling.hook import Hook
from app.telling.links import Links
from app.telling.mail import Mail
from app.telling.outgoing import Outgoing
from app.telling.push import Push
from app.telling.repository import Kind, Way
from app.telling.ways import Outcome, Ways, Wish
from app.telling.words import Notice, question, sample_notice, turn_notice

_LOG: Final = logging.getLogger("valtavola.telling")
_MOST: Final = 50  # messages for one turn; a seat may have many holders


class Sender(Protocol):
    async def send(self, way: Way, notice: Notice) -> Outcome: ...


class Teller:
    def __init__(self, rooms: Rooms, settings: Settings, signer: Signer, push_key: Callable[[], str]) -> None:
        self.ways = Ways(rooms.database)
        self.links = Links(signer, settings.public)
        self.outgoing = Outgoing(settings.outgoing)
        self.push = Push(self.outgoing, push_key)
        self.hook = Hook(self.outgoing)
        self._rooms = rooms
        self.senders: dict[Kind, Sender] = {"push": self.push, "hook": self.hook}
        if settings.mail:
            self.senders["mail"] = Mail(settings.mail)

    async def tell(self, code: str, seats: Sequence[Seat]) -> None:
        """Tell the holders of these seats that it is their turn, in all ways that they want."""
        try:
            room = await self._rooms.database.read(self._rooms.room, code)
            if room.status == "playing":
                await asyncio.gather(*(self._tell_of(room, seat, way) for seat, way in await self._whom(room, seats)))
        except Exception as error:
            _LOG.warning("Those whose turn it is cannot be told: %s", type(error).__name__)

    async def _whom(self, room: Snapshot, seats: Sequence[Seat]) -> list[tuple[Seat, Way]]:
        """Who has answered in the meantime is not told, and nobody twice at one place for one seat."""
        awaited = room.game.awaited(room.state)
        holders = {place.number: place.holders for place in room.seats if place.number in seats}
        people = {person for number, held in holders.items() if number in awaited for person in held}
        ways = await self._rooms.database.read(self.ways.of_people, people) if people else []
        whom = {
            (number, way.mark): (number, way)
            for way in ways
            for number, held in holders.items()
            if number in awaited and way.person in held
        }
        return list(whom.values())[:_MOST]

    async def _tell_of(self, room: Snapshot, seat: Seat, way: Way) -> None:
        await self._send(way, turn_notice(room, seat, way, self.links))

    async def begin(self, person: str, wish: Wish) -> Way:
        """Store a new way and ask there whether one may write. A browser has asked itself: it gets a first message."""
        way = await self._rooms.database.write(self.ways.add, person, wish)
        if way.confirmed:
            return way
        try:
            await self._deliver(way, (sample_notice if way.kind == "push" else question)(way, self.links))
        except TellingError:
            await self._rooms.database.write(self.ways.leave, way.nonce)
            raise
        return await self._rooms.database.write(self.ways.confirm, way.nonce) if way.kind == "push" else way

    async def test(self, person: str, way_id: int) -> None:
        way = await self._rooms.database.write(self.ways.to_test, person, way_id)
        await self._deliver(way, sample_notice(way, self.links))

    async def _deliver(self, way: Way, notice: Notice) -> None:
        outcome = await self._send(way, notice)
        if outcome != "sent":
            raise TellingError("private_address" if outcome == "barred" else "not_delivered")

    async def _send(self, way: Way, notice: Notice) -> Outcome:
        sender = self.senders.get(way.kind)
        if sender is None:  # mail, if the site has no mail server any more
            return "later"
        try:
            outcome = await sender.send(way, notice)
            await self._rooms.database.write(self.ways.came_of, way, outcome)
        except Exception as error:  # the others are to be told all the same
            _LOG.warning("A message of the kind %s cannot be sent: %s", way.kind, type(error).__name__)
            return "failed"
        return outcome

    def close(self) -> None:
        self.outgoing.close()
