"""Who is at which room now, over all workers. Nothing of it is stored: who has gone silent is gone."""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any, Final
from uuid import uuid4

import msgspec

from app.engine.contract import Seat

_REMEMBERED: Final = 10_000  # seats that have gone; who is forgotten has been away since the start
FRESH: Final = 90.0  # seconds after which a worker that has said nothing is no longer believed


class Here(msgspec.Struct, frozen=True):
    """What one worker knows of a room."""

    code: str
    worker: str
    seats: tuple[Seat, ...]
    watching: int


class Presence:
    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.worker = uuid4().hex[:12]
        self.changed: Callable[[str], None] = _nobody_listens  # until the hub puts itself here
        self.tell: Callable[[Here], None] = _nobody_else  # until a bus carries it to other workers
        self.left: Callable[[str], None] = _nobody_listens  # until the steward puts itself here
        self._clock = clock
        self._began = clock()
        self._rooms: dict[str, dict[str, tuple[float, Here]]] = {}
        self._gone: OrderedDict[tuple[str, Seat], float] = OrderedDict()  # since when; the last to go

    def here(self, code: str, seats: Iterable[Seat], watching: int) -> None:
        """What this worker sees."""
        now = Here(code, self.worker, tuple(sorted(seats)), watching)
        known = self._rooms.get(code, {}).get(self.worker)
        if known is None or known[1] != now:
            self._note(now)
            self.tell(now)

    def heard(self, here: Here) -> None:
        """What another worker has said."""
        self._note(here)
        self.changed(here.code)

    def away(self, code: str, seat: Seat) -> float | None:
        """For how many seconds a seat has not been here, as far as this worker knows; None if it is here."""
        if seat in self.of(code)["seats"]:
            return None
        return self._clock() - self._gone.get((code, seat), self._began)

    def _note(self, here: Here) -> None:
        before = set(self.of(here.code)["seats"])
        self._put(here)
        gone = before.difference(self.of(here.code)["seats"])
        for seat in gone:
            self._gone[here.code, seat] = self._clock()
            self._gone.move_to_end((here.code, seat))
        while len(self._gone) > _REMEMBERED:
            self._gone.popitem(last=False)
        if gone:
            self.left(here.code)

    def _put(self, here: Here) -> None:
        workers = self._rooms.setdefault(here.code, {})
        if here.seats or here.watching:
            workers[here.worker] = (self._clock(), here)
        else:
            workers.pop(here.worker, None)
            if not workers:
                self._rooms.pop(here.code, None)

    def own(self) -> list[Here]:
        """What this worker should say again from time to time."""
        return [workers[self.worker][1] for workers in self._rooms.values() if self.worker in workers]

    def of(self, code: str) -> dict[str, Any]:
        limit = self._clock() - FRESH
        workers = self._rooms.get(code, {})
        for silent in [w for w, (said, _) in workers.items() if said <= limit and w != self.worker]:
            del workers[silent]
        fresh = [here for _, here in workers.values()]
        return {
            "seats": sorted({seat for here in fresh for seat in here.seats}),
            "watching": sum(here.watching for here in fresh),
        }


def _nobody_listens(code: str) -> None:
    pass


def _nobody_else(here: Here) -> None:
    pass
