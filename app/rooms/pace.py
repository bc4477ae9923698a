"""How long people may think, and what happens when somebody is away: agreed on when a room is opened."""

from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from typing import Annotated, Final, Literal
from zoneinfo import ZoneInfo

import msgspec

_LONGEST: Final = 30 * 24 * 3600
_SHARED: Final = 60  # seconds at least for a question that several are asked at once
Hour = Annotated[int, msgspec.Meta(ge=0, le=23)]


class Pace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kind: Literal["none", "move", "bank"] = "none"
    seconds: Annotated[int, msgspec.Meta(ge=0, le=_LONGEST)] = 0  # for each decision, or in the bank at the start
    more: Annotated[int, msgspec.Meta(ge=0, le=24 * 3600)] = 0  # put into the bank after each decision
    quiet: tuple[Hour, Hour] | None = None  # from this hour to that one no clock runs
    zone: Annotated[str, msgspec.Meta(max_length=64)] = "UTC"  # whose hours they are
    absent: Annotated[int, msgspec.Meta(ge=60, le=_LONGEST)] | None = None  # then the house plays for who is away

    @property
    def shared(self) -> float:
        """How long a question may stay open that several are asked at once; nobody's bank pays for it."""
        return self.seconds if self.kind == "move" else max(_SHARED, self.seconds / 10)

    def running(self, start: datetime, end: datetime) -> float:
        """The seconds between two moments in which clocks run.

        >>> evening = datetime(2026, 1, 1, 21, 59, tzinfo=UTC)
        >>> Pace(quiet=(22, 8)).running(evening, evening + timedelta(hours=12))
        7200.0
        """
        passed = 0.0
        for opens, closes in self._open(start):
            if opens >= end:
                break
            passed += (min(closes, end) - opens).total_seconds()
        return passed

    def when(self, start: datetime, seconds: float) -> datetime:
        """When so many seconds of running clocks will have passed.

        >>> str(Pace(quiet=(22, 8)).when(datetime(2026, 1, 1, 21, 59, tzinfo=UTC), 120))
        '2026-01-02 08:01:00+00:00'
        """
        rest = max(seconds, 0.0)
        for opens, closes in self._open(start):
            here = (closes - opens).total_seconds()
            if rest < here:
                return opens + timedelta(seconds=rest)
            rest -= here
        raise AssertionError("time does not end")

    def stops(self, start: datetime) -> datetime | None:
        """When quiet hours begin that clocks which run then come to; if they run."""
        opens, closes = next(self._open(start))
        return closes if self.quiet and opens == start else None

    def _open(self, start: datetime) -> Iterator[tuple[datetime, datetime]]:
        """The spans in which clocks run, from this moment on."""
        if self.quiet is None or self.quiet[0] == self.quiet[1]:
            yield start, start + timedelta(days=100 * 365)
            return
        falls, wakes = self.quiet
        zone = ZoneInfo(self.zone)
        day = start.astimezone(zone).date() - timedelta(days=1)
        while True:
            opens = datetime.combine(day, time(wakes), zone).astimezone(UTC)
            night = day if falls > wakes else day + timedelta(days=1)
            closes = datetime.combine(night, time(falls), zone).astimezone(UTC)
            if closes > start:
                yield max(opens, start), closes
            day += timedelta(days=1)


def fault_in(pace: Pace) -> str | None:
    """What does not go together, by the name of the field."""
    if (pace.kind == "none") != (pace.seconds == 0) or (pace.kind != "none" and pace.seconds < 5):
        return "seconds"
    if pace.more and pace.kind != "bank":
        return "more"
    try:
        ZoneInfo(pace.zone)
    except (ValueError, OSError, KeyError):  # there is none of this name, or it cannot be one
        return "zone"
    return None
