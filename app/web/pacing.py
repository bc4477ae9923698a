"""Paces as a form offers them and as people read them."""

from typing import Any, Final

import msgspec

from app.i18n import Phrasebook
from app.rooms.errors import RoomError
from app.rooms.pace import Pace

# What the start page offers, as kind:seconds:more.
PACES: Final = (
    "none",
    "move:60",
    "move:180",
    "bank:600:15",
    "bank:1800:30",
    "move:28800",
    "move:86400",
    "move:259200",
)
ABSENCES: Final = (120, 300, 900, 3600, 86400)
_UNITS: Final = ((86400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))


def paces(words: Phrasebook) -> list[tuple[str, str]]:
    """What may be chosen, and what each is called."""
    return [(pace, _clock(words, read_pace(pace, "", "", ""))) for pace in PACES]


def absences(words: Phrasebook) -> list[tuple[int, str]]:
    return [(seconds, span(words, seconds)) for seconds in ABSENCES]


def read_pace(pace: str, quiet: str, zone: str, absent: str) -> Pace:
    """
    >>> read_pace("bank:600:15", "22-8", "Europe/Rome", "300")
    Pace(kind='bank', seconds=600, more=15, quiet=(22, 8), zone='Europe/Rome', absent=300)
    """
    kind, *numbers = pace.split(":")
    raw: dict[str, Any] = {"kind": kind, "zone": zone or "UTC"}
    raw |= dict(zip(("seconds", "more"), numbers, strict=False))
    if quiet:
        raw["quiet"] = quiet.split("-")
    if absent:
        raw["absent"] = absent
    try:
        return msgspec.convert(raw, Pace, strict=False)
    except msgspec.ValidationError as error:
        raise RoomError("bad_pace", detail=str(error)) from error


def span(words: Phrasebook, seconds: int) -> str:
    """A length of time in the largest unit that fits.

    >>> from app.i18n import phrasebook
    >>> span(phrasebook("en"), 90), span(phrasebook("en"), 7200)
    ('90 seconds', '2 hours')
    """
    size, unit = next((size, unit) for size, unit in _UNITS if seconds % size == 0 and (seconds or size == 1))
    return words.say(f"pace.{unit}s", {"count": seconds // size})


def told(words: Phrasebook, pace: Pace) -> list[str]:
    """What was agreed on, in sentences."""
    lines = [_clock(words, pace)]
    if pace.kind != "none" and pace.quiet:
        falls, wakes = pace.quiet
        lines.append(words.say("pace.quiet.is", {"falls": falls, "wakes": wakes, "zone": pace.zone}))
    if pace.absent:
        lines.append(words.say("pace.absent.is", {"time": span(words, pace.absent)}))
    return lines


def _clock(words: Phrasebook, pace: Pace) -> str:
    if pace.kind == "none":
        return words.say("pace.none")
    time = {"time": span(words, pace.seconds)}
    if pace.kind == "bank":
        time["more"] = span(words, pace.more)
    return words.say(f"pace.{pace.kind}.is", time)
