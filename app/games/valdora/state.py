"""The table of Valdora: immutable, all in numbers (see Components for what they count)."""

from typing import Final, Literal, TypeAlias

import msgspec

# What lies on an equipment card: a gem's number, nothing, or the player does not own the card.
EMPTY: Final = -1
NOT_OWNED: Final = -2

NOBODY: Final = -1

LEFT: Final = 0
RIGHT: Final = 1

Phase: TypeAlias = Literal["move", "act", "over"]

# The one action of this turn (VA-1), once it has begun; `done` when nothing more can come of it.
Doing: TypeAlias = Literal["nothing", "buying", "loading", "delivering", "done"]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the people at the table agree on."""

    start: Literal["drawn", "first_seat"] = "drawn"  # VS-2
    open_score: bool = False  # show everybody's points during the game, against VA-16
    memory: bool = False  # show the pages that everybody has already seen


class Player(msgspec.Struct, frozen=True, gc=False):
    at: int
    coins: int
    provisions: bool
    gear: tuple[int, ...]
    commissions: tuple[int, ...]  # pages, with the face that counts
    completed: tuple[int, ...]
    craftsmen: tuple[int, ...]
    bonus: int


class Book(msgspec.Struct, frozen=True, gc=False):
    """Two piles of pages, the last one on top. The lowest `unseen` pages on the right have never been turned.

    Of those only the face of the topmost has been seen. Everything else in the book is known to who remembers it.
    """

    left: tuple[int, ...]
    right: tuple[int, ...]
    unseen: int


class Turn(msgspec.Struct, frozen=True, gc=False):
    seat: int
    phase: Phase
    doing: Doing = "nothing"
    pages: int = 0
    loaded: int = 0
    owes: bool = False  # has returned a commission and must still buy one (VA-9)


class State(msgspec.Struct, frozen=True, gc=False):
    options: Options
    players: tuple[Player, ...]
    roads: tuple[tuple[int, ...], ...]  # per road: how many of each gem
    discard: tuple[int, ...]
    bank: int
    books: tuple[Book, ...]
    craftsmen: tuple[int, ...]
    workshops: tuple[int, ...]  # per colour: the owner's seat, or NOBODY
    bonus: int
    turn: Turn
    start: int
    round: int = 1
    idle: int = 0  # whole rounds in a row without a completed commission (VE-4)
    delivered: bool = False  # whether this round has seen one
    last_round: bool = False
