"""The moves: small typed steps, so that the table can be shown after each."""

from typing import Annotated, Final, Literal, TypeAlias, get_args

import msgspec

Gem: TypeAlias = Literal["ruby", "sapphire", "amethyst", "emerald", "gold"]
Gear: TypeAlias = Literal["pan", "shovel", "pickaxe", "hammer", "chisel", "cart", "horse"]
Colour: TypeAlias = Literal["grey", "yellow", "white", "violet", "red", "blue", "green"]
Pile: TypeAlias = Literal["left", "right"]

GEMS: Final[tuple[Gem, ...]] = get_args(Gem)
GEAR: Final[tuple[Gear, ...]] = get_args(Gear)
COLOURS: Final[tuple[Colour, ...]] = get_args(Colour)
PILES: Final[tuple[Pile, ...]] = get_args(Pile)
GOLD: Final = GEMS.index("gold")
PAN: Final = GEAR.index("pan")

InHand: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=2)]  # the first, second or third commission in hand


class _Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", gc=False):
    """What all moves share."""


class Go(_Move, frozen=True, tag="move"):
    to: str


class Stay(_Move, frozen=True, tag="stay"):
    """Only where no destination is legal (VT-6)."""


class TurnPage(_Move, frozen=True, tag="turn_page"):
    """Turn the top card of this pile over to the other."""

    pile: Pile


class Buy(_Move, frozen=True, tag="buy"):
    """Buy the top card of a pile; equipment is paid with the gold on one of one's own cards."""

    pile: Pile
    pay: Gear | None = None


class Return(_Move, frozen=True, tag="return"):
    commission: InHand
    pile: Pile


class Load(_Move, frozen=True, tag="load"):
    gem: Gem
    on: Gear


class Deliver(_Move, frozen=True, tag="deliver"):
    """Complete a commission; `pay` names the card that each wanted gem is taken from, in the order of the wish."""

    commission: InHand
    pay: tuple[Gear, ...] = ()


class Refill(_Move, frozen=True, tag="refill"):
    """Fill the purse in a silver mine."""


class Provisions(_Move, frozen=True, tag="provisions"):
    """Take provisions in a city."""


class EndTurn(_Move, frozen=True, tag="end_turn"):
    """Say that the turn is over; until then its steps can be taken back."""


Move: TypeAlias = Go | Stay | TurnPage | Buy | Return | Load | Deliver | Refill | Provisions | EndTurn

# Every step but a walk and a delivery, made once: the rules hand out the same ones again and again.
STAY: Final = Stay()
REFILL: Final = Refill()
PROVISIONS: Final = Provisions()
END_TURN: Final = EndTurn()
TURN_PAGE: Final = tuple(TurnPage(pile) for pile in PILES)
BUY: Final = tuple(Buy(pile) for pile in PILES)
BUY_FOR: Final = tuple(tuple(Buy(pile, gear) for gear in GEAR) for pile in PILES)
RETURN: Final = tuple(tuple(Return(place, pile) for pile in PILES) for place in range(3))
LOAD: Final = tuple(tuple(Load(gem, gear) for gear in GEAR) for gem in GEMS)
