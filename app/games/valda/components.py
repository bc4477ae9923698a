"""Reads components.toml, checks it, and lays out what the rules look up. A fault is named in one sentence."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal, TypeAlias

import msgspec

from app.engine.sheet import SheetFile
from app.games.valda.moves import BUILDINGS, DECKS, GODS, RESOURCES

FILE: Final = SheetFile(Path(__file__).with_name("components.toml"))

Colour: TypeAlias = Literal["yellow", "blue", "white"]
COLOURS: Final[tuple[Colour, ...]] = ("yellow", "blue", "white")
YELLOW, BLUE, WHITE = range(3)
FOLLOWERS: Final = 3  # on a white die, where other dice show a resource

Kind: TypeAlias = Literal["yellow", "attack", "defence", "weapon"]
KINDS: Final[tuple[Kind, ...]] = ("yellow", "attack", "defence", "weapon")

Does: TypeAlias = Literal[
    "blood",
    "gold",
    "diamond",
    "followers",
    "draw",
    "drakkar",
    "bifrost",
    "yggdrasil",
    "rune",
    "sacrifice",
    "leader",
    "war",
    "watcher",
    "plenty",
    "embers",
    "shapeshifter",
    "barter",
    "favour",
    "toll",
    "shrine",
]
Harm: TypeAlias = Literal["kill", "goods", "cards", "followers"]


class _Face(msgspec.Struct, forbid_unknown_fields=True):
    blood: int = 0
    gold: int = 0
    diamond: int = 0
    followers: int = 0


class _Price(msgspec.Struct, forbid_unknown_fields=True):
    blood: int = 0
    gold: int = 0
    diamond: int = 0


class Yellow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    does: Does
    amount: int
    free: bool = False
    die: Colour | None = None


class AttackCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    power: int
    does: Harm
    amount: int


class Sheet(msgspec.Struct, forbid_unknown_fields=True):
    """The file as it is written."""

    cubes: int
    sites: int
    temples: int
    mines: int
    wells: int
    rounds: int
    zones: list[int]
    dice: dict[str, list[_Face]]
    prices: dict[str, _Price]
    start: dict[str, list[tuple[int, int, int]]]
    decks: dict[str, dict[str, int]]
    yellow: dict[str, Yellow]
    attacks: dict[str, AttackCard]
    shields: dict[str, int]


class Card(msgspec.Struct, frozen=True):
    """A card of one deck. `amount` is what it gives, kills or steals; `power` is an attack's or a shield's."""

    deck: int
    name: str
    kind: Kind
    copies: int
    does: Does | Harm | Literal["defend", "weapon"]
    amount: int = 0
    power: int = 0
    free: bool = False
    die: int = 0


class Components(msgspec.Struct, frozen=True):
    """The box, in numbers: cards, gods and resources are known by their place in these lists."""

    cubes: int
    sites: int
    temples: int
    most_mines: int
    most_wells: int
    rounds: int
    zones: tuple[int, ...]
    dice: tuple[tuple[tuple[int, int], ...], ...]  # per colour and face: what it shows, and how many
    prices: tuple[tuple[int, ...], ...]  # per building: blood, gold, diamonds
    start: dict[int, tuple[tuple[int, ...], ...]]
    cards: tuple[Card, ...]
    every_card: list[int]  # each as often as it is in the box, in order
    named: dict[str, tuple[int, ...]]  # the cards of a name, of whichever deck
    weapons: tuple[int, ...]  # per god: the card
    is_weapon: tuple[int, ...]  # per card: the god whose weapon it is, or -1

    def names(self, cards: tuple[int, ...]) -> tuple[str, ...]:
        return tuple(self.cards[card].name for card in cards)


def load() -> Components:
    """The components of a file that holds what the box is known to hold."""
    sheet = FILE.read(FILE.text(), Sheet)
    check_box(sheet)
    return lay_out(sheet)


# In all: 85 yellow, 26 attacks, 23 shields, 7 weapons (DK-14).
_IN_ALL: Final = {"yellow": 85, "attack": 26, "defence": 23, "weapon": 7}


def check_box(sheet: Sheet) -> None:
    """What is printed in the rulebook is certain; a file that says otherwise is wrong."""
    FILE.same_names(sheet.decks, DECKS, "deck", "[decks]")
    total = sum(sum(deck.values()) for deck in sheet.decks.values())
    FILE.expect(total, 141, "cards", "DC-1")
    FILE.expect(sum(sheet.decks["base"].values()), 71, "cards in the base deck", "DK-13")
    for god in GODS:
        FILE.expect(sum(sheet.decks[god].values()), 10, f"cards in the deck of {god}", "DK-14")
    kinds = Counter[str]()
    for deck in sheet.decks.values():
        for name, count in deck.items():
            kinds[_kind(sheet, name)] += count
    for kind, count in _IN_ALL.items():
        FILE.expect(kinds[kind], count, f"cards of the kind {kind}", "DK-14")
    FILE.expect(sheet.cubes, 30, "cubes of each resource", "DC-3")
    FILE.expect(sheet.sites, 5, "temple sites in each area", "DC-4")
    FILE.expect(sheet.temples, 9, "temples for each player", "DC-4")
    FILE.expect(sheet.mines, 4, "mines at most", "DC-4")
    FILE.expect(sheet.wells, 3, "blood wells at most", "DC-4")
    FILE.expect(sheet.rounds, 6, "rounds", "DC-5")
    FILE.expect(sheet.zones, [0, 5, 12, 20], "as the safe zones", "DT-18")


def _kind(sheet: Sheet, name: str) -> Kind:
    if name.startswith("weapon_"):
        return "weapon"
    lists: tuple[tuple[Kind, dict[str, object]], ...] = (
        ("yellow", dict(sheet.yellow)),
        ("attack", dict(sheet.attacks)),
        ("defence", dict(sheet.shields)),
    )
    for kind, names in lists:
        if name in names:
            return kind
    raise FILE.fault(f"has a card {name!r} in a deck, but does not say what it does")


def lay_out(sheet: Sheet) -> Components:
    """Check that the parts fit each other, whatever their number, and lay them out for the rules."""
    FILE.same_names(sheet.decks, DECKS, "deck", "[decks]")
    FILE.same_names(sheet.dice, COLOURS, "colour", "[dice]")
    FILE.same_names(sheet.prices, BUILDINGS, "building", "[prices]")
    FILE.same_names(sheet.start, ("2", "3", "4", "5"), "number of players", "[start]")
    _check_numbers(sheet)
    cards = tuple(_cards(sheet))
    used = {card.name for card in cards}
    for name in (*sheet.yellow, *sheet.attacks, *sheet.shields):
        if name not in used:
            raise FILE.fault(f"says what {name!r} does, but no deck holds it")
    weapons = [number for number, card in enumerate(cards) if card.kind == "weapon"]
    named: dict[str, list[int]] = {}
    for number, card in enumerate(cards):
        named.setdefault(card.name, []).append(number)
    return Components(
        cubes=sheet.cubes,
        sites=sheet.sites,
        temples=sheet.temples,
        most_mines=sheet.mines,
        most_wells=sheet.wells,
        rounds=sheet.rounds,
        zones=tuple(sheet.zones),
        dice=tuple(tuple(_faces(sheet, colour)) for colour in COLOURS),
        prices=tuple((p.blood, p.gold, p.diamond) for p in (sheet.prices[name] for name in BUILDINGS)),
        start={int(players): tuple(rows) for players, rows in sheet.start.items()},
        cards=cards,
        every_card=[number for number, card in enumerate(cards) for _ in range(card.copies)],
        named={name: tuple(numbers) for name, numbers in named.items()},
        weapons=tuple(weapons),
        is_weapon=tuple(weapons.index(number) if number in weapons else -1 for number in range(len(cards))),
    )


def _check_numbers(sheet: Sheet) -> None:
    FILE.at_least(1, sheet.cubes, "the cubes of each resource", "DC-3")
    FILE.at_least(1, sheet.sites, "the sites of an area", "DC-4")
    FILE.at_least(1, sheet.rounds, "the number of rounds", "DC-5")
    FILE.at_least(2, sheet.mines, "the most mines", "DS-1")
    FILE.at_least(0, sheet.wells, "the most wells", "DC-4")
    if sheet.zones != sorted(set(sheet.zones)) or sheet.zones[:1] != [0]:
        raise FILE.fault("must name the safe zones upwards, beginning with 0 (DT-18)")
    for building, price in sheet.prices.items():
        FILE.at_least(0, min(price.blood, price.gold, price.diamond), f"a part of the price of {building!r}", "DT-10")
    for players, rows in sheet.start.items():
        FILE.expect(len(rows), int(players), f"rows of resources for {players} players", "DS-3")
        for column, resource in enumerate(RESOURCES):
            given = [row[column] for row in rows]
            FILE.at_least(0, min(given), f"the {resource} that a player begins with", "DS-3")
            if sum(given) > sheet.cubes:
                raise FILE.fault(f"gives {players} players more {resource} than there are cubes (DS-3)")
    for name, attack in sheet.attacks.items():
        FILE.at_least(1, min(attack.power, attack.amount), f"a number of {name!r}", "DK-11")
    for name, power in sheet.shields.items():
        FILE.at_least(1, power, f"the power of {name!r}", "DK-12")
    for name, yellow in sheet.yellow.items():
        FILE.at_least(1, yellow.amount, f"the number of {name!r}", "DK-1")
        if (yellow.does == "rune") != (yellow.die is not None):
            raise FILE.fault(f"must give a die to {name!r} just if it is a rune (DK-6)")


def _faces(sheet: Sheet, colour: Colour) -> Iterator[tuple[int, int]]:
    faces = sheet.dice[colour]
    FILE.expect(len(faces), 6, f"faces on the {colour} die", "DC-2")
    allowed = {"yellow": (1, 2), "blue": (0,), "white": (FOLLOWERS,)}[colour]
    for face in faces:
        shown = [
            (what, count) for what, count in enumerate((face.blood, face.gold, face.diamond, face.followers)) if count
        ]
        if len(shown) != 1 or shown[0][0] not in allowed or (colour != "white" and shown[0][1] < 1):
            raise FILE.fault(f"has a face on the {colour} die that such a die cannot show (DC-2)")
        yield shown[0]


def _cards(sheet: Sheet) -> Iterator[Card]:
    for deck, deck_name in enumerate(DECKS):
        weapons = [name for name in sheet.decks[deck_name] if name.startswith("weapon_")]
        wanted = [] if deck == 0 else [f"weapon_{deck_name}"]
        if weapons != wanted or any(sheet.decks[deck_name][name] != 1 for name in wanted):
            raise FILE.fault(
                f"must have just its own god's weapon in the deck {deck_name!r}, once; the base deck has none (DC-1)"
            )
        for name, copies in sheet.decks[deck_name].items():
            FILE.at_least(1, copies, f"the number of {name!r} in the deck {deck_name!r}", "DK-13")
            yield _card(sheet, deck, name, copies)


def _card(sheet: Sheet, deck: int, name: str, copies: int) -> Card:
    kind = _kind(sheet, name)
    if kind == "weapon":
        return Card(deck, name, kind, copies, "weapon")
    if kind == "attack":
        attack = sheet.attacks[name]
        return Card(deck, name, kind, copies, attack.does, attack.amount, attack.power)
    if kind == "defence":
        return Card(deck, name, kind, copies, "defend", power=sheet.shields[name])
    yellow = sheet.yellow[name]
    die = COLOURS.index(yellow.die) if yellow.die else 0
    return Card(deck, name, kind, copies, yellow.does, yellow.amount, free=yellow.free, die=die)
