"""What time does at a table: since when who is asked, what their clocks have left, and when the steward must look.

Pure: it is told what time it is. Clocks go by who is asked as everybody may know it, so no clock tells who has
answered unseen; a question that several are asked at once is paid for by nobody's bank.
"""

from datetime import datetime, timedelta
from typing import Any, Final, TypeAlias

import msgspec
from msgspec.structs import replace

from app.engine.contract import Seat
from app.rooms.pace import Pace

SEEK: Final = timedelta(seconds=15)  # after somebody is asked, or goes: then it is seen who is away
GRACE: Final = 30.0  # seconds that somebody who comes back has at least
SLOW: Final = timedelta(minutes=2)  # who lets others wait so long may be voted off, though they are here

# Something that players agree on, about a seat if it is about one, and the seat that wishes it.
Wish: TypeAlias = tuple[str, Seat | None, Seat]


class Watch(msgspec.Struct, frozen=True):
    asked: tuple[Seat, ...] = ()  # who is asked
    question: int | None = None  # what, if it is several
    since: datetime | None = None  # since when clocks have been running for that
    used: float = 0.0  # seconds that ran before, without the pauses
    left: tuple[float, ...] = ()  # of every seat's bank, when this was asked
    paused: bool = False
    house_at: datetime | None = None  # when the house makes its next move
    seek_at: datetime | None = None  # when the steward looks who is away
    told: bool = False  # whether who is away has been told that they are asked
    wishes: tuple[Wish, ...] = ()

    @property
    def alone(self) -> Seat | None:
        """Who is asked alone, and pays for the time."""
        return self.asked[0] if len(self.asked) == 1 else None


def begin(pace: Pace, seats: int) -> Watch:
    return Watch(left=(float(pace.seconds),) * seats)


def go_on(watch: Watch, pace: Pace, asked: tuple[Seat, ...], question: int | None, now: datetime) -> Watch:
    """After a step: if others are asked now, who was asked has paid."""
    if asked == watch.asked and question == watch.question:
        return watch
    left = list(watch.left)
    if pace.kind == "bank" and watch.alone is not None:
        left[watch.alone] = max(0.0, left[watch.alone] - spent(watch, pace, now)) + pace.more
    return replace(
        watch,
        asked=asked,
        question=question,
        since=now,
        used=0.0,
        left=tuple(left),
        seek_at=now + SEEK if asked else None,
        told=False,
    )


def spent(watch: Watch, pace: Pace, now: datetime) -> float:
    """Seconds for which what is asked now has been asked."""
    if watch.paused or watch.since is None:
        return watch.used
    return watch.used + pace.running(watch.since, now)


def limit(watch: Watch, pace: Pace) -> float | None:
    """Seconds that there are for what is asked now."""
    if pace.kind == "none" or not watch.asked:
        return None
    if watch.alone is None:
        return pace.shared
    return float(pace.seconds) if pace.kind == "move" else watch.left[watch.alone]


def runs_out(watch: Watch, pace: Pace) -> datetime | None:
    """When the time for what is asked now is over, if nothing happens."""
    most = limit(watch, pace)
    if most is None or watch.paused or watch.since is None:
        return None
    return pace.when(watch.since, most - watch.used)


def pause(watch: Watch, pace: Pace, now: datetime) -> Watch:
    return replace(watch, used=spent(watch, pace, now), paused=True, since=now, house_at=None)


def resume(watch: Watch, now: datetime) -> Watch:
    return replace(watch, paused=False, since=now, seek_at=now + SEEK if watch.asked else None)


def come_back(watch: Watch, pace: Pace, seat: Seat, now: datetime) -> Watch:
    """Somebody plays again for themselves: what was asked while they were away is not on their clock."""
    if seat not in watch.asked:
        return watch
    left = list(watch.left)
    if pace.kind == "bank":
        left[seat] = max(left[seat], GRACE)
    return replace(watch, since=now, used=0.0, left=tuple(left), seek_at=now + SEEK, told=False)


def due(watch: Watch, pace: Pace, clocked: bool) -> datetime | None:
    """When the steward must look; `clocked` is whether somebody is asked whose time can run out."""
    if watch.paused:
        return None
    moments = (watch.house_at, watch.seek_at, runs_out(watch, pace) if clocked else None)
    return min((moment for moment in moments if moment), default=None)


def shown(watch: Watch, pace: Pace) -> dict[str, Any] | None:
    """The clocks as everybody may see them. Who counts on from `since` knows the rest."""
    if pace.kind == "none" or watch.since is None:
        return None
    return {
        "left": watch.left if pace.kind == "bank" else None,
        "limit": limit(watch, pace),
        "asked": watch.asked,
        "since": watch.since,
        "used": watch.used,
        "until": runs_out(watch, pace),
        "paused": watch.paused,
    }
