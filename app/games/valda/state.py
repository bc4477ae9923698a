"""The table of Valda: immutable, all in numbers (see Components for what they count).

A card is known by its number in `Components.cards`; equal cards of one deck have the same number.
"""

from typing import Final, Literal, TypeAlias

import msgspec

from app.engine.rng import Rng

NOBODY: Final = -1
NO_CARD: Final = -1

Phase: TypeAlias = Literal["resources", "actions", "building", "attacks", "followers", "over"]
PHASES: Final = ("resources", "actions", "building", "attacks", "followers")

# What the player whose turn it is does before anything else: draw (DT-3), discard (DT-7), keep one of two (DT-11), or
# what a yellow card says.
TaskKind: TypeAlias = Literal[
    "draw",
    "discard",
    "keep",
    "drakkar",
    "bifrost",
    "sacrifice",
    "leader",
    "war",
    "embers",
    "watcher",
    "shapeshifter",
    "barter",
    "favour",
    "toll",
    "shrine",
]

# Where followers come from and go to.
SOURCES: Final = ("temples", "gods", "cards", "attacks", "lost")
TEMPLES, WORSHIP, CARDS, ATTACKS, LOST = range(5)


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the people at the table agree on."""

    start: Literal["drawn", "first_seat"] = "drawn"  # DS-2


class Player(msgspec.Struct, frozen=True, gc=False):
    goods: tuple[int, ...]  # blood, gold, diamonds
    mines: int
    wells: int
    temples: tuple[int, ...]  # per god
    followers: int
    sources: tuple[int, ...]  # where they came from, in the order of SOURCES
    hand: tuple[int, ...]  # in the order of the cards' numbers
    open: tuple[int, ...]  # face up before the player, during their actions (DT-3)
    known: tuple[tuple[int, ...], ...]  # what each seat, and last whoever watches, knows to be in this hand


class Pile(msgspec.Struct, frozen=True, gc=False):
    """A god's deck, the last card on top; for each card the seats that know it, as bits."""

    cards: tuple[int, ...]
    seen: tuple[int, ...]


class Turn(msgspec.Struct, frozen=True, gc=False):
    seat: int
    phase: Phase = "resources"
    rolled: bool = False  # the dice of this phase
    trades: int = 0
    actions: int = 0
    built: int = 0
    limit: int = 2  # of buildings (DT-8)
    worship: tuple[int, ...] = (0, 0, 0, 0)  # how often: Thor's two ways and Odin's two (DT-19)
    borrowed: tuple[tuple[int, int], ...] = ()  # gods and levels (Borrowed Favour)


class Task(msgspec.Struct, frozen=True, gc=False):
    kind: TaskKind
    left: int
    cards: tuple[int, ...] = ()  # being played: the yellow card and with it Thor's weapon (DT-6, DW-10)
    picks: tuple[int, ...] = ()  # what has been chosen so far; for Toll how much each seat still owes
    doubled: bool = False


class Dice(msgspec.Struct, frozen=True, gc=False):
    """The last roll: for each die its colour and the face that lies up."""

    seat: int
    why: Literal["resources", "rune", "loki"]
    dice: tuple[tuple[int, int], ...]
    cards: tuple[int, ...] = ()  # being played: a rune and with it Thor's weapon
    settled: bool = False


class Window(msgspec.Struct, frozen=True, gc=False):
    """A moment in which others may react (DW-8); as bits who is asked, and who has answered unseen."""

    weapon: Literal["crown", "backstab", "claim"]
    asked: int
    answered: int = 0


class Raid(msgspec.Struct, frozen=True, gc=False):
    """The attacks of a turn: who attacks in which order, and the attack that is going on."""

    order: tuple[int, ...]
    place: int = 0
    left: int = 1  # attacks in this slot (DT-16)
    stage: Literal["declare", "defend", "claim", "loot"] = "declare"
    target: int = NOBODY
    card: int = NO_CARD
    weapons: tuple[int, ...] = ()  # the gods whose weapons were added
    shields: tuple[int, ...] = ()


class State(msgspec.Struct, frozen=True, gc=False):
    options: Options
    players: tuple[Player, ...]
    supply: tuple[int, ...]
    base: tuple[int, ...]  # the last card on top
    piles: tuple[Pile, ...]  # per god
    discard: tuple[int, ...]
    suspects: tuple[int, ...]  # per god: who could have its weapon hidden in the hand, as bits (DW-12)
    revealed: int  # the gods whose weapon has ever been seen, as bits
    turn: Turn
    start: int
    rng: Rng
    round: int = 1
    moment: int = 0  # counts the decisions; who answers unseen does not make a new one
    task: Task | None = None
    dice: Dice | None = None
    window: Window | None = None
    building: int = NOBODY  # the second building, paid for and not yet built (Backstab)
    raid: Raid | None = None


def seats_in(bits: int) -> tuple[int, ...]:
    """The numbers of the bits that are set.

    >>> seats_in(0b10010)
    (1, 4)
    """
    return tuple(seat for seat in range(bits.bit_length()) if bits >> seat & 1)
