"""What never changes at a table of Valda, for whoever draws one: what is printed on cards, dice and board."""

import msgspec

from app.games.valda.components import COLOURS, Components
from app.games.valda.dice import face_name
from app.games.valda.gods import FEW
from app.games.valda.moves import BUILDINGS, DECKS, GODS, RESOURCES
from app.games.valda.phases import WAYS
from app.games.valda.state import PHASES


class CardFace(msgspec.Struct, frozen=True):
    kind: str
    power: int
    amount: int
    does: str
    free: bool
    gods: tuple[str, ...]  # in whose decks it is; for a weapon the one whose it is
    base: bool


class Scene(msgspec.Struct, frozen=True):
    gods: tuple[str, ...]
    decks: tuple[str, ...]
    resources: tuple[str, ...]
    phases: tuple[str, ...]
    buildings: tuple[str, ...]
    prices: dict[str, dict[str, int]]  # by building: what it costs, where that is anything
    sites: int
    temples: int
    most_mines: int
    most_wells: int
    rounds: int
    zones: tuple[int, ...]
    cubes: int
    dice: dict[str, tuple[str, ...]]
    cards: dict[str, CardFace]
    counts: dict[str, dict[str, int]]  # by deck: how often each card is in it
    few: int  # up to so many players Surtur gives something else
    ways: tuple[tuple[str, int, int, int], ...]  # Thor's and Odin's: the price, the followers, how often


def scene(c: Components) -> Scene:
    cards: dict[str, CardFace] = {}
    counts: dict[str, dict[str, int]] = {deck: {} for deck in DECKS}
    for card in c.cards:
        deck = DECKS[card.deck]
        counts[deck][card.name] = card.copies
        before = cards.get(card.name)
        cards[card.name] = CardFace(
            card.kind,
            card.power,
            card.amount,
            card.does,
            card.free,
            (*(before.gods if before else ()), *((deck,) if card.deck else ())),
            card.deck == 0 or (before is not None and before.base),
        )
    return Scene(
        gods=GODS,
        decks=DECKS,
        resources=RESOURCES,
        phases=PHASES,
        buildings=BUILDINGS,
        prices={
            name: {resource: count for resource, count in zip(RESOURCES, price, strict=True) if count}
            for name, price in zip(BUILDINGS, c.prices, strict=True)
        },
        sites=c.sites,
        temples=c.temples,
        most_mines=c.most_mines,
        most_wells=c.most_wells,
        rounds=c.rounds,
        zones=c.zones,
        cubes=c.cubes,
        dice={
            colour: tuple(face_name(c, number, face) for face in range(len(c.dice[number])))
            for number, colour in enumerate(COLOURS)
        },
        cards=cards,
        counts=counts,
        few=FEW,
        ways=tuple((GODS[god], price, followers, times) for god, price, followers, times in WAYS),
    )
