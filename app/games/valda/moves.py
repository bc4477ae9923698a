"""The moves: small typed steps, so that the table can be shown after each."""

from typing import Annotated, Final, Literal, TypeAlias, get_args

import msgspec

Resource: TypeAlias = Literal["blood", "gold", "diamond"]
God: TypeAlias = Literal["heimdall", "freya", "surtur", "tyr", "thor", "odin", "loki"]
Deck: TypeAlias = Literal["base", "heimdall", "freya", "surtur", "tyr", "thor", "odin", "loki"]
Building: TypeAlias = Literal["mine", "well", "heimdall", "freya", "surtur", "tyr", "thor", "odin", "loki"]
Addition: TypeAlias = Literal["soulspear", "warhorn", "wrath"]  # a weapon that goes with one's own attack (DW-10)
Level: TypeAlias = Literal[1, 2]

RESOURCES: Final[tuple[Resource, ...]] = get_args(Resource)
GODS: Final[tuple[God, ...]] = get_args(God)
DECKS: Final[tuple[Deck, ...]] = get_args(Deck)
BUILDINGS: Final[tuple[Building, ...]] = get_args(Building)
ADDITIONS: Final[tuple[Addition, ...]] = get_args(Addition)
BLOOD, GOLD, DIAMOND = range(3)
HEIMDALL, FREYA, SURTUR, TYR, THOR, ODIN, LOKI = range(7)

Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=30)]
SeatNumber: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=4)]
Goods: TypeAlias = tuple[Count, Count, Count]  # blood, gold, diamonds


class _Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", gc=False):
    """What all moves share."""


class Roll(_Move, frozen=True, tag="roll"):
    """The dice of one's mines and wells (DT-1), or Loki's white ones (DT-19)."""


class Trade(_Move, frozen=True, tag="trade"):
    pay: Goods
    take: Resource


class EndPhase(_Move, frozen=True, tag="end_phase"):
    """Say that the phase is over (DT-7)."""


class Draw(_Move, frozen=True, tag="draw"):
    """One of the draws at the start of the actions (DT-3), for who may choose the deck."""

    deck: Deck


class Play(_Move, frozen=True, tag="play"):
    """A yellow card, perhaps with Hammertime."""

    card: str
    hammer: bool = False


class Take(_Move, frozen=True, tag="take"):
    """A resource of choice: an action (DT-5), or by a card."""

    resource: Resource


class DrawCards(_Move, frozen=True, tag="draw_cards"):
    """Base cards for actions (DT-5)."""

    count: Literal[1, 2]


class Name(_Move, frozen=True, tag="name"):
    """A god's deck, for Drakkar or Bifrost Bridge."""

    god: God


class Discard(_Move, frozen=True, tag="discard"):
    card: str


class Convert(_Move, frozen=True, tag="convert"):
    """One gold or diamond into blood (DK-8)."""

    resource: Literal["gold", "diamond"]


class Fetch(_Move, frozen=True, tag="fetch"):
    """A card from the discard (DK-9, DK-10)."""

    card: str


class Swap(_Move, frozen=True, tag="swap"):
    """Random cards with a player (Shapeshifter)."""

    seat: SeatNumber
    count: Annotated[int, msgspec.Meta(ge=1, le=4)]


class Exchange(_Move, frozen=True, tag="exchange"):
    """One resource for another with a player (Barter)."""

    seat: SeatNumber
    give: Resource
    take: Resource


class Borrow(_Move, frozen=True, tag="borrow"):
    """An ability of another player's (Borrowed Favour)."""

    god: God
    level: Level


class Give(_Move, frozen=True, tag="give"):
    """A resource, for somebody's Toll."""

    resource: Resource


class Wander(_Move, frozen=True, tag="wander"):
    """One's temple to another area (Wandering Shrine)."""

    god_from: God
    god: God


class Done(_Move, frozen=True, tag="done"):
    """No more of the card that is being played."""


class Build(_Move, frozen=True, tag="build"):
    what: Building


class Keep(_Move, frozen=True, tag="keep"):
    """Of the two cards that a new temple shows (DT-11)."""

    card: str


class Attack(_Move, frozen=True, tag="attack"):
    card: str
    weapons: tuple[Addition, ...] = ()


class Pass(_Move, frozen=True, tag="pass"):
    """No attack, or no reaction."""


class Shield(_Move, frozen=True, tag="shield"):
    """One more defence card."""

    card: str


class Stand(_Move, frozen=True, tag="stand"):
    """The defence is complete, with or without Resisted."""

    resisted: bool = False


class Vanish(_Move, frozen=True, tag="vanish"):
    """The attack goes to another player; with two players it fizzles."""

    seat: SeatNumber | None = None


class Revenge(_Move, frozen=True, tag="revenge"):
    """The attack is cancelled, and its card is mine."""


class Loot(_Move, frozen=True, tag="loot"):
    """Which resources are stolen (DT-17)."""

    goods: Goods


class Claim(_Move, frozen=True, tag="claim"):
    """The fended-off attack card attacks again."""

    weapons: tuple[Addition, ...] = ()


class Crown(_Move, frozen=True, tag="crown"):
    """A die just rolled is turned to another face."""

    die: Annotated[int, msgspec.Meta(ge=0, le=6)]
    face: Annotated[int, msgspec.Meta(ge=0, le=5)]


class Backstab(_Move, frozen=True, tag="backstab"):
    """The second building is undone."""


class Worship(_Move, frozen=True, tag="worship"):
    """Resources for followers (DT-19); Thor takes gold or diamonds, Odin blood."""

    god: Literal["thor", "odin"]
    level: Level
    pay: Resource


class Bullseye(_Move, frozen=True, tag="bullseye"):
    card: str


class Thief(_Move, frozen=True, tag="thief"):
    """A face-up card, or without a name a random one of the hand."""

    seat: SeatNumber
    card: str | None = None


class Gjallarhorn(_Move, frozen=True, tag="gjallarhorn"):
    """The two strongest defence cards of the discard."""


class Dagger(_Move, frozen=True, tag="dagger"):
    """Two attack cards of the discard; one if there is only one."""

    cards: tuple[str, ...]


Move: TypeAlias = (
    Roll
    | Trade
    | EndPhase
    | Draw
    | Play
    | Take
    | DrawCards
    | Name
    | Discard
    | Convert
    | Fetch
    | Swap
    | Exchange
    | Borrow
    | Give
    | Wander
    | Done
    | Build
    | Keep
    | Attack
    | Pass
    | Shield
    | Stand
    | Vanish
    | Revenge
    | Loot
    | Claim
    | Crown
    | Backstab
    | Worship
    | Bullseye
    | Thief
    | Gjallarhorn
    | Dagger
)

# Those without a choice, made once: the rules hand out the same ones again and again.
ROLL: Final = Roll()
END_PHASE: Final = EndPhase()
DONE: Final = Done()
PASS: Final = Pass()
STAND: Final = Stand()
RESISTED: Final = Stand(resisted=True)
REVENGE: Final = Revenge()
BACKSTAB: Final = Backstab()
GJALLARHORN: Final = Gjallarhorn()
TAKE: Final = tuple(Take(resource) for resource in RESOURCES)
GIVE: Final = tuple(Give(resource) for resource in RESOURCES)
BUILD: Final = tuple(Build(building) for building in BUILDINGS)
NAME: Final = tuple(Name(god) for god in GODS)
DRAW: Final = tuple(Draw(deck) for deck in DECKS)
DRAW_CARDS: Final = (DrawCards(1), DrawCards(2))
