"""Who may do what, and what may be called a name or be said."""

import unicodedata
from typing import Final

from app.rooms.errors import RoomError
from app.rooms.snapshot import Snapshot

LONGEST_NAME: Final = 24
LONGEST_MESSAGE: Final = 500
MESSAGES: Final = 5  # so many in so many seconds, and no more
MESSAGE_SECONDS: Final = 10

# Joiners that some scripts and many pictures need; every other invisible sign is refused.
_JOINERS: Final = "\u200c\u200d"


def clean_name(text: str) -> str:
    """A name as it is shown: any script, no markup, nothing invisible."""
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not 1 <= len(name) <= LONGEST_NAME:
        raise RoomError("name_length", most=LONGEST_NAME)
    if any(_odd(sign) for sign in name) or not any(unicodedata.category(sign)[0] in "LNSP" for sign in name):
        raise RoomError("name_signs")
    return name


def _odd(sign: str) -> bool:
    return sign in "<>" or (unicodedata.category(sign)[0] == "C" and sign not in _JOINERS)


def same_name(one: str, other: str) -> bool:
    """Whether people would take one for the other."""
    return _folded(one) == _folded(other)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def clean_message(text: str) -> str:
    message = "".join(sign for sign in text.strip() if sign in "\n" + _JOINERS or unicodedata.category(sign)[0] != "C")
    if not 1 <= len(message) <= LONGEST_MESSAGE:
        raise RoomError("chat_length", most=LONGEST_MESSAGE)
    return message


def must_host(room: Snapshot, person: str) -> None:
    if room.host != person:
        raise RoomError("not_host")


def must_be_lobby(room: Snapshot) -> None:
    if room.status != "lobby":
        raise RoomError("not_in_lobby")


def must_play(room: Snapshot) -> None:
    if room.status == "frozen":
        raise RoomError("frozen")
    if room.status != "playing":
        raise RoomError("not_playing")


def may_watch(room: Snapshot, person: str | None) -> bool:
    """A lobby shows who sits there to whoever has the link; a game may bar those who do not play."""
    return room.spectators or room.status == "lobby" or bool(room.seats_of(person))
