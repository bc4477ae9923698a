"""Who may do what, and what may be called a name or be said."""

import unicodedata
from collections.abc import Sequence
from typing import Final

from app.engine.contract import SPECTATOR
from app.rooms.errors import RoomError
from app.rooms.snapshot import Snapshot

LONGEST_NAME: Final = 24
LONGEST_MESSAGE: Final = 500
KEEPER: Final = "normal"  # how well the house plays for who is away
LONGEST_DELAY: Final = 20  # moves; fewer than a room's log remembers
MESSAGES: Final = 5  # so many in so many seconds, and no more
MESSAGE_SECONDS: Final = 10
SPECTATORS_MESSAGES: Final = 20  # of all spectators of a room together, as anybody can be a new one

# What the house calls its bots.
_BOTS: Final = {
    "easy": ("Pippo", "Tilla", "Ronja", "Bosco", "Mimi"),
    "normal": ("Ottilie", "Ruggero", "Varja", "Leandro", "Sunniva"),
    "strong": ("Magnus", "Ildegarda", "Rurik", "Zenobia", "Aurelio"),
}
# Joiners that some scripts and many pictures need; every other invisible sign is refused.
_JOINERS: Final = "\u200c\u200d"
# Signs that Unicode calls letters or marks and that show nothing.
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u2800\u3164\uffa0")


def clean_name(text: str) -> str:
    """A name as it is shown: any script, no markup, nothing invisible."""
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not 1 <= len(name) <= LONGEST_NAME:
        raise RoomError("name_length", most=LONGEST_NAME)
    if any(_odd(sign) for sign in name) or not any(map(_shows, name)):
        raise RoomError("name_signs")
    return name


def _odd(sign: str) -> bool:
    return sign in "<>" or sign in _BLANK or (unicodedata.category(sign)[0] == "C" and sign not in _JOINERS)


def _shows(sign: str) -> bool:
    return sign not in _BLANK and unicodedata.category(sign)[0] in "LNSP"


def same_name(one: str, other: str) -> bool:
    """Whether people would take one for the other."""
    return _folded(one) == _folded(other)


def _folded(name: str) -> str:
    folded = unicodedata.normalize("NFKC", name).casefold()
    return "".join(sign for sign in folded if sign not in _JOINERS and not "\ufe00" <= sign <= "\ufe0f")


def bot_name(level: str, taken: Sequence[str]) -> str:
    """A bot is called like a person, and shown as a bot."""
    names = _BOTS[level]
    free = [name for name in names if not any(same_name(name, other) for other in taken)]
    return free[0] if free else next(f"{names[0]} {n}" for n in range(2, 99) if f"{names[0]} {n}" not in taken)


def clean_message(text: str) -> str:
    kept = (sign for sign in text if sign in "\n" + _JOINERS or unicodedata.category(sign)[0] != "C")
    message = "".join(kept).strip()
    if not 1 <= len(message) <= LONGEST_MESSAGE or not any(map(_shows, message)):
        raise RoomError("chat_length", most=LONGEST_MESSAGE)
    return message


def must_host(room: Snapshot, person: str) -> None:
    if not room.is_host(person):
        raise RoomError("not_host")


def must_be_lobby(room: Snapshot) -> None:
    if room.status != "lobby":
        raise RoomError("not_in_lobby")


def must_play(room: Snapshot) -> None:
    if room.status == "frozen":
        raise RoomError("frozen")
    if room.status != "playing":
        raise RoomError("not_playing")
    if room.watch.paused:
        raise RoomError("paused")


def may_watch(room: Snapshot, person: str | None) -> bool:
    """A lobby shows who sits there to whoever has the link; a game may bar those who do not play."""
    return room.spectators or room.status == "lobby" or bool(room.seats_of(person)) or room.coached(person) != SPECTATOR
