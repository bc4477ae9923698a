"""What never changes at a table of Valdora, for whoever draws one: where things lie and what is printed on them."""

from collections.abc import Sequence

import msgspec

from app.games.valdora.components import NONE, Components
from app.games.valdora.moves import COLOURS, GEAR, GEMS

Point = tuple[int, int]


class Place(msgspec.Struct, frozen=True):
    name: str
    kind: str
    x: int
    y: int
    house: str | None  # the patron's colour
    ships: int


class Tool(msgspec.Struct, frozen=True):
    carries: str | None  # the one gem it is for; None for any
    price: int


class Patron(msgspec.Struct, frozen=True):
    craftsmen: int
    workshop_needs: int
    workshop_points: int


class Scene(msgspec.Struct, frozen=True):
    width: int
    height: int
    places: tuple[Place, ...]
    roads: tuple[str, ...]  # as paths of SVG
    books: dict[str, Point]
    discard: Point
    gems: tuple[str, ...]
    tools: dict[str, Tool]
    patrons: dict[str, Patron]
    purse: int
    bonus_tiles: int


def scene(c: Components) -> Scene:
    drawing = c.drawing
    width, height = drawing.size
    return Scene(
        width=width,
        height=height,
        places=tuple(_place(c, number) for number in range(len(c.spaces))),
        roads=tuple(smooth([drawing.places[name] for name in line]) for line in c.lines),
        books=drawing.books,
        discard=drawing.discard,
        gems=GEMS,
        tools={
            name: Tool(None if gem == NONE else GEMS[gem], price)
            for name, gem, price in zip(GEAR, c.carries, c.price, strict=True)
        },
        patrons={
            colour: Patron(*numbers)
            for colour, *numbers in zip(COLOURS, c.craftsmen, c.workshop_needs, c.workshop_points, strict=True)
        },
        purse=c.purse,
        bonus_tiles=c.bonus_tiles,
    )


def _place(c: Components, number: int) -> Place:
    name, house = c.spaces[number], c.house[number]
    x, y = c.drawing.places[name]
    return Place(name, c.kinds[number], x, y, None if house == NONE else COLOURS[house], c.ships[number])


def smooth(points: Sequence[Point]) -> str:
    """A curve through all the points (Catmull and Rom), as a path of SVG.

    >>> smooth([(0, 0), (30, 0)])
    'M0 0C5 0 25 0 30 0'
    """
    path = [f"M{points[0][0]} {points[0][1]}"]
    for i in range(len(points) - 1):
        before, here, there = points[max(i - 1, 0)], points[i], points[i + 1]
        after = points[min(i + 2, len(points) - 1)]
        leaving = [round(h + (t - b) / 6) for b, h, t in zip(before, here, there, strict=True)]
        arriving = [round(t - (a - h) / 6) for h, t, a in zip(here, there, after, strict=True)]
        path.append(f"C{leaving[0]} {leaving[1]} {arriving[0]} {arriving[1]} {there[0]} {there[1]}")
    return "".join(path)
