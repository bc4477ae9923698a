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
SLOW: Final = 120.0  # seconds; who lets others wait so long may be voted off, though they are here

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
    graced: bool = False  # whether who is asked has been given time again for that
    wishes: tuple[Wish, ...] = ()
    over: bool = False  # the players have agreed to give up, or the game has ended

    @property
    def alone(self) -> Seat | None:
        """Who is asked alone, and pays for the time."""
        return self.asked[0] if len(self.asked) == 1 else None


def begin(pace: Pace, seats: int) -> Watch:
    return Watch(left=(float(pace.seconds),) * seats)


def go_on(
    watch: Watch, pace: Pace, asked: tuple[Seat, ...], question: int | None, now: datetime, by_house: bool = False
) -> Watch:
    """After a step: if others are asked now, who was asked has paid; what the house took for them costs nothing."""
    if asked == watch.asked and question == watch.question:
        return watch
    left = list(watch.left)
    if pace.kind == "bank" and watch.alone is not None:
        cost = watch.used if by_house else spent(watch, pace, now)
        left[watch.alone] = max(0.0, left[watch.alone] - cost) + (0 if by_house else pace.more)
    return replace(
        watch,
        asked=asked,
        question=question,
        since=now,
        used=0.0,
        left=tuple(left),
        seek_at=now + SEEK if asked else None,
        told=False,
        graced=False,
        wishes=tuple(wish for wish in watch.wishes if wish[0] != "keep"),
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


def leave(watch: Watch, pace: Pace, seat: Seat, now: datetime) -> Watch:
    """The house plays for somebody from now on: what it takes is not on their clock."""
    return replace(watch, used=spent(watch, pace, now), since=now) if seat == watch.alone else watch


def come_back(watch: Watch, pace: Pace, seat: Seat, now: datetime) -> Watch:
    """Somebody plays again for themselves, and has time to look around; but once only for what they are asked."""
    left = list(watch.left)
    if pace.kind == "bank":
        left[seat] = max(left[seat], GRACE)
    watch = replace(watch, left=tuple(left))
    most = limit(watch, pace)
    if seat not in watch.asked:
        return watch
    used = watch.used if most is None else min(watch.used, max(0.0, most - GRACE))
    return replace(watch, since=now, used=used, seek_at=now + SEEK, told=False, graced=True)


def may_come_back(watch: Watch, pace: Pace, seat: Seat) -> bool:
    """Not who has had time again for what they are asked, and let it pass: the house is to make this move."""
    most = limit(watch, pace)
    return seat != watch.alone or not watch.graced or most is None or watch.used < most


def due(watch: Watch, pace: Pace, clocked: bool, lead: timedelta) -> datetime | None:
    """When the steward must look. `clocked`: whether the time of who is asked can run out; `lead`: what a bot needs."""
    if watch.paused:
        return None
    house_at = watch.house_at and watch.house_at - lead
    moments = (house_at, watch.seek_at, runs_out(watch, pace) if clocked else None)
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
        "stops": pace.stops(watch.since),
        "paused": watch.paused,
    }
