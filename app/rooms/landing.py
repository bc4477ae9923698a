"""Moves on Postgres: those that wait are stored together, in one transaction with the news of them.

A move is foreseen by what this process remembers of the room, and lands only if the room still is like that. What is
not a plain yes (a refusal, a room that is locked or has changed, the end of a game, a fault) is done alone and under
the room's lock, as everything else is.
"""

import logging
from datetime import datetime
from functools import partial
from typing import Final

from app.batches import Acts, Gathering, Work
from app.rooms import repository
from app.rooms.playing import Landing
from app.rooms.service import Rooms
from app.rooms.snapshot import Snapshot

_LOG: Final = logging.getLogger("valtavola")


class Landings(Gathering[Landing]):
    def __init__(self, rooms: Rooms) -> None:
        super().__init__()
        self._rooms = rooms
        self._under_way: dict[str, int] = {}

    def awaits(self, code: str, rev: int) -> bool:
        """Whether this is news of a move that is being stored here, of which the hub will be told in a moment."""
        return self._under_way.get(code) == rev

    async def play(self, code: str, person: str, decision: str, raw: object, key: str) -> int:
        """As `Rooms.play`."""
        landing = self._rooms.foresee(code, person, decision, raw, key)
        if landing and code not in self._under_way:
            self._under_way[code] = landing.room.rev
            try:
                if await self.do(landing):
                    return landing.room.seq
            finally:
                del self._under_way[code]
            await self._catch_up(code)
        return await self._rooms.database.write(self._rooms.play, code, person, decision, raw, key)

    async def _catch_up(self, code: str) -> None:
        """Another worker was first, or it was stored and the answer lost: news of that have not been heard."""
        room = await self._rooms.database.read(self._rooms.room, code)
        self._rooms.changed(code, room.rev)

    def _write(self, works: list[Work[Landing]]) -> Acts:
        try:
            landed = self._store([work.work for work in works])
        except Exception as error:  # one by one it may go better, and each is told what is wrong
            _LOG.warning("%d moves could not be stored together: %s", len(works), type(error).__name__)
            landed = [False] * len(works)
        acts: Acts = []
        for work, yes in zip(works, landed, strict=True):
            work.result, room = yes, work.work.room
            if yes:
                self._rooms.keep(room)
                acts.append((partial(self._tell, room, work.work.due), _nothing))
        return acts

    def _tell(self, room: Snapshot, due: datetime | None) -> None:
        self._rooms.changed(room.code, room.rev)
        if due:
            self._rooms.expected(due)

    def _store(self, landings: list[Landing]) -> list[bool]:
        with self._rooms.database.engine.begin() as connection:
            landed = repository.land(connection, landings)
            rooms = [landing.room for landing, yes in zip(landings, landed, strict=True) if yes]
            if rooms:
                repository.notify(connection, " ".join(f"{room.code}:{room.rev}" for room in rooms))
        return landed


def _nothing() -> None:
    pass
