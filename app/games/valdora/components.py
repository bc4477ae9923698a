"""Reads components.toml, checks it, and lays out what the rules look up. A fault is named in one sentence."""

from collections import Counter, deque
from collections.abc import Iterable
from itertools import combinations, pairwise
from math import dist
from pathlib import Path
from typing import Final, Literal

import msgspec

from app.engine.sheet import SheetFile
from app.games.valdora.moves import COLOURS, GEAR, GEMS, PAN, Go

FILE: Final = SheetFile(Path(__file__).with_name("components.toml"))

NONE: Final = -1

THREE_GEMS: Final = "three gems"  # the wish of a patron whose commissions name a set

SpaceKind = Literal["equipment", "commissions", "harbour_city", "road", "harbour", "house", "mine"]


class _Coins(msgspec.Struct, forbid_unknown_fields=True):
    total: int
    purse: int


class _Tiles(msgspec.Struct, forbid_unknown_fields=True):
    bonus: int
    bonus_points: int


class _Equipment(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    carries: str | None = None
    price: int = 0


class _Patron(msgspec.Struct, forbid_unknown_fields=True):
    colour: str
    wants: str
    points: int
    craftsmen: int
    workshop_needs: int
    workshop_points: int


class _Books(msgspec.Struct, forbid_unknown_fields=True):
    equipment: list[tuple[str, str]]
    commissions: list[tuple[str, str]]


class Drawing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where things are drawn, on a sheet of this size."""

    size: tuple[int, int]
    discard: tuple[int, int]
    books: dict[str, tuple[int, int]]
    places: dict[str, tuple[int, int]]


class _Board(msgspec.Struct, forbid_unknown_fields=True):
    gems_per_road: int
    start: str
    roads: list[str]
    mines: list[str]
    lines: list[list[str]]
    cities: dict[str, Literal["equipment", "commissions", "harbour"]]
    ships: dict[str, int]
    houses: dict[str, str]
    map: Drawing


class Sheet(msgspec.Struct, forbid_unknown_fields=True):
    """The file as it is written."""

    gems: dict[str, int]
    coins: _Coins
    tiles: _Tiles
    equipment: list[_Equipment]
    patrons: list[_Patron]
    books: _Books
    board: _Board


class Face(msgspec.Struct, frozen=True):
    """One side of a commission: whose it is, what is wanted and what it is worth."""

    patron: int
    gems: tuple[int, ...]
    coins: int
    points: int


class Components(msgspec.Struct, frozen=True):
    """The box, in numbers: gems, equipment, colours and spaces are known by their place in these lists."""

    gem_counts: tuple[int, ...]
    coins: int
    purse: int
    bonus_tiles: int
    bonus_points: int
    carries: tuple[int, ...]  # per equipment: the gem it is for, or NONE for any
    price: tuple[int, ...]  # per equipment: coins each time it is loaded
    craftsmen: tuple[int, ...]
    workshop_needs: tuple[int, ...]
    workshop_points: tuple[int, ...]
    goods: tuple[int, ...]  # per page of an equipment catalogue: the equipment on it. Page p and p^1 are one card
    faces: tuple[Face, ...]  # per page of a commission book
    gems_per_road: int
    start: int
    spaces: tuple[str, ...]
    numbers: dict[str, int]  # per name of a space: its number
    kinds: tuple[SpaceKind, ...]
    beside: tuple[tuple[int, ...], ...]
    book: tuple[int, ...]  # per space: which of the four books is sold there, or NONE
    road: tuple[int, ...]  # per space: which road it is, or NONE
    house: tuple[int, ...]  # per space: whose house it is, or NONE
    ships: tuple[int, ...]
    near: tuple[tuple[int, ...], ...]  # per space: where a pawn can go without passing a city (VT-2)
    far: tuple[tuple[int, ...], ...]  # per space: where it can go only by passing one (VT-3)
    go: tuple[Go, ...]  # per space: the move that ends there
    lines: tuple[tuple[str, ...], ...]  # the roads as they are drawn, from one end to the other
    drawing: Drawing


def load() -> Components:
    """The components of a file that holds what the box is known to hold."""
    sheet = read(FILE.text())
    check_box(sheet)
    return lay_out(sheet)


def read(text: str) -> Sheet:
    """The sheet of a file that has the expected form and names just the things that the rules know."""
    sheet = FILE.read(text, Sheet)
    FILE.same_names(sheet.gems, GEMS, "gem", "[gems]")
    FILE.same_names((e.name for e in sheet.equipment), GEAR, "equipment", "[[equipment]]")
    FILE.same_names((p.colour for p in sheet.patrons), COLOURS, "colour", "[[patrons]]")
    FILE.same_names(sheet.board.houses, COLOURS, "colour", "[board.houses]")
    return sheet


# What is printed for each colour, in the order of COLOURS.
_CRAFTSMEN: Final = (9, 9, 5, 4, 4, 4, 4)
_WISHES: Final = ("coin", "gold", THREE_GEMS, "amethyst", "ruby", "sapphire", "emerald")


def check_box(sheet: Sheet) -> None:
    """What is printed in the rulebooks is certain; a file that says otherwise is wrong."""
    for gem, count in zip(GEMS, (13, 13, 15, 15, 22), strict=True):
        FILE.expect(sheet.gems[gem], count, f"gems of the kind {gem}", "VC-1")
    FILE.expect(sheet.coins.total, 30, "coins", "VC-2")
    FILE.expect(sheet.coins.purse, 6, "coins as a player's limit", "VC-2")
    FILE.expect(len(sheet.books.equipment), 18, "cards in an equipment catalogue", "VC-3")
    FILE.expect(len(sheet.books.commissions), 27, "cards in a commission book", "VC-3")
    patrons = {patron.colour: patron for patron in sheet.patrons}
    for colour, craftsmen, wants in zip(COLOURS, _CRAFTSMEN, _WISHES, strict=True):
        FILE.expect(patrons[colour].craftsmen, craftsmen, f"craftsmen of the colour {colour}", "VC-4")
        FILE.expect(repr(patrons[colour].wants), repr(wants), f"as the wish of the {colour} patron", "VC-7")
    FILE.expect(sheet.tiles.bonus, 13, "bonus tiles", "VC-4")
    board = sheet.board
    FILE.expect(len(board.cities), 5, "cities", "VB-1")
    FILE.expect(len(board.roads), 13, "roads", "VB-1")
    FILE.expect(len(board.mines), 3, "silver mines", "VB-1")
    FILE.expect(len(set(board.ships) - set(board.cities)), 2, "harbours outside the cities", "VB-1")
    FILE.expect(board.gems_per_road, 6, "gems on each road", "VB-3")


def lay_out(sheet: Sheet) -> Components:
    """Check that the parts fit each other, whatever their number, and lay them out for the rules."""
    board = sheet.board
    _check_patrons(sheet)
    _check_gems(sheet)
    _check_ships(board)
    spaces, kinds, beside = _board(board)
    carries, price = zip(*(_equipment(e) for e in sheet.equipment), strict=True)
    books = [name for name, sells in board.cities.items() if sells == "equipment"]
    books += [name for name, sells in board.cities.items() if sells == "commissions"]
    if [board.cities[name] for name in books] != ["equipment"] * 2 + ["commissions"] * 2:
        raise FILE.fault("must have two cities that sell equipment and two that sell commissions (VC-3)")
    houses = {board.houses[colour]: number for number, colour in enumerate(COLOURS)}
    near = tuple(_reach(start, beside, kinds) for start in range(len(spaces)))
    return Components(
        gem_counts=tuple(sheet.gems[gem] for gem in GEMS),
        coins=sheet.coins.total,
        purse=sheet.coins.purse,
        bonus_tiles=sheet.tiles.bonus,
        bonus_points=sheet.tiles.bonus_points,
        carries=carries,
        price=price,
        craftsmen=tuple(p.craftsmen for p in sheet.patrons),
        workshop_needs=tuple(p.workshop_needs for p in sheet.patrons),
        workshop_points=tuple(p.workshop_points for p in sheet.patrons),
        goods=tuple(_goods(sheet.books.equipment)),
        faces=tuple(_faces(sheet)),
        gems_per_road=board.gems_per_road,
        start=spaces.index(board.start),
        spaces=spaces,
        numbers={name: number for number, name in enumerate(spaces)},
        kinds=kinds,
        beside=beside,
        book=tuple(books.index(name) if name in books else NONE for name in spaces),
        road=tuple(board.roads.index(name) if name in board.roads else NONE for name in spaces),
        house=tuple(houses.get(name, NONE) for name in spaces),
        ships=tuple(board.ships.get(name, 0) for name in spaces),
        near=near,
        far=tuple(_beyond(start, near, kinds) for start in range(len(spaces))),
        go=tuple(Go(name) for name in spaces),
        lines=tuple(tuple(line) for line in board.lines),
        drawing=_drawing(board.map, spaces, books),
    )


_APART: Final = 60  # two spaces drawn nearer to each other than this could not be told apart


def _drawing(drawing: Drawing, spaces: tuple[str, ...], books: list[str]) -> Drawing:
    FILE.same_names(drawing.places, spaces, "space", "[board.map.places]")
    FILE.same_names(drawing.books, tuple(books), "city", "[board.map.books]")
    width, height = drawing.size
    for name, (x, y) in [*drawing.places.items(), *drawing.books.items(), ("discard", drawing.discard)]:
        if not (0 <= x <= width and 0 <= y <= height):
            raise FILE.fault(f"draws {name!r} at {x}, {y}, outside its map of {width} by {height}")
    for (one, here), (other, there) in combinations(drawing.places.items(), 2):
        if dist(here, there) < _APART:
            raise FILE.fault(f"draws {one!r} and {other!r} nearer to each other than {_APART}")
    return drawing


def _check_patrons(sheet: Sheet) -> None:
    if [p.colour for p in sheet.patrons] != list(COLOURS):
        raise FILE.fault(f"names the patrons out of the order of the craftsman ring, {', '.join(COLOURS)} (VC-12)")
    for patron in sheet.patrons:
        FILE.at_least(0, patron.points, f"the points of a {patron.colour} commission", "VC-8")
        FILE.at_least(0, patron.craftsmen, f"the number of {patron.colour} craftsmen", "VC-4")
        FILE.at_least(1, patron.workshop_needs, f"the craftsmen needed for the {patron.colour} workshop", "VC-11")
        FILE.at_least(0, patron.workshop_points, f"the points of the {patron.colour} workshop", "VC-11")
    FILE.at_least(0, sheet.tiles.bonus, "the number of bonus tiles", "VC-4")
    FILE.at_least(0, sheet.tiles.bonus_points, "the points of a bonus tile", "VC-4")


def _check_gems(sheet: Sheet) -> None:
    roads, each = len(sheet.board.roads), sheet.board.gems_per_road
    for gem, count in sheet.gems.items():
        FILE.at_least(0, count, f"the number of gems of the kind {gem}", "VC-1")
    total = sum(sheet.gems.values())
    if total != roads * each:
        raise FILE.fault(f"has {total} gems; {roads} roads with {each} gems each need {roads * each} (VB-3)")


def _check_ships(board: _Board) -> None:
    for city, sells in board.cities.items():
        if sells == "harbour" and city not in board.ships:
            raise FILE.fault(f"gives the harbour city {city!r} no ships (VB-1)")
        if sells != "harbour" and city in board.ships:
            raise FILE.fault(f"gives ships to {city!r}, a city that sells {sells} (VB-1)")
    for harbour, ships in board.ships.items():
        FILE.at_least(1, ships, f"the ships of {harbour!r}", "VB-1")


def _equipment(entry: _Equipment) -> tuple[int, int]:
    if entry.carries is None:
        if entry.price < 1:
            raise FILE.fault(f"gives {entry.name} neither a gem that it carries nor a price (VC-5)")
        return NONE, entry.price
    if entry.price:
        raise FILE.fault(f"gives {entry.name} a price although it carries one named gem (VC-5)")
    return FILE.place(entry.carries, GEMS, "gem"), 0


def _goods(cards: list[tuple[str, str]]) -> Iterable[int]:
    for card in cards:
        for name in card:
            gear = FILE.place(name, GEAR, "equipment")
            if gear == PAN:
                raise FILE.fault("sells the pan, which everybody has from the start (VC-5)")
            yield gear


def _faces(sheet: Sheet) -> Iterable[Face]:
    """The faces of a commission book."""
    count: Counter[str] = Counter()
    for face in (face for card in sheet.books.commissions for face in card):
        number = FILE.place(face.partition(":")[0], COLOURS, "colour")
        patron = sheet.patrons[number]
        wish = _wish(face, patron)
        count[patron.colour] += 1
        gems = tuple(FILE.place(name, GEMS, "gem") for name in wish if name != "coin")
        yield Face(number, gems, wish.count("coin"), patron.points)
    for patron in sheet.patrons:
        if 2 * count[patron.colour] <= patron.craftsmen:
            raise FILE.fault(
                f"has {2 * count[patron.colour]} {patron.colour} commissions in its two books; there must be more "
                f"than the {patron.craftsmen} craftsmen of that colour (VC-9)"
            )


def _wish(face: str, patron: _Patron) -> list[str]:
    """What a face asks for; `white: gold ruby emerald` names the gems where the patron wants a set."""
    named = face.partition(":")[2].split()
    if patron.wants == THREE_GEMS:
        if len(named) != 3 or len(set(named)) != 3 or "coin" in named:
            raise FILE.fault(
                f"has a commission {face!r}; {patron.colour} wants a named set of three different gems (VC-7)"
            )
        return named
    if named not in ([], [patron.wants]):
        raise FILE.fault(f"has a commission {face!r}; {patron.colour} wants one {patron.wants} and nothing else (VC-7)")
    return [patron.wants]


def _board(board: _Board) -> tuple[tuple[str, ...], tuple[SpaceKind, ...], tuple[tuple[int, ...], ...]]:
    kind: dict[str, SpaceKind] = {}
    places: list[tuple[str, SpaceKind]] = [
        *((name, "harbour_city" if sells == "harbour" else sells) for name, sells in board.cities.items()),
        *((name, "road") for name in board.roads),
        *((name, "mine") for name in board.mines),
        *((name, "harbour") for name in board.ships if name not in board.cities),
        *((name, "house") for name in board.houses.values()),
    ]
    for name, what in places:
        if name in kind:
            raise FILE.fault(f"has two spaces called {name!r}")
        kind[name] = what
    spaces = tuple(kind)
    beside: dict[str, set[str]] = {name: set() for name in spaces}
    for line in board.lines:
        for one, other in pairwise(line):
            for name in (one, other):
                if name not in kind:
                    raise FILE.fault(f"draws a line to {name!r}, which is not a space of the board (VB-2)")
            beside[one].add(other)
            beside[other].add(one)
    if board.start not in kind:
        raise FILE.fault(f"starts the game on {board.start!r}, which is not a space of the board (VS-1)")
    numbers = tuple(tuple(sorted(spaces.index(other) for other in beside[name])) for name in spaces)
    _connected(spaces, numbers)
    return spaces, tuple(kind.values()), numbers


def _connected(spaces: tuple[str, ...], beside: tuple[tuple[int, ...], ...]) -> None:
    found = {0}
    queue = deque(found)
    while queue:
        for other in beside[queue.popleft()]:
            if other not in found:
                found.add(other)
                queue.append(other)
    if len(found) < len(spaces):
        lost = next(name for number, name in enumerate(spaces) if number not in found)
        raise FILE.fault(f"has no way from {spaces[0]!r} to {lost!r}; the board must hang together (VB-3)")


CITY_KINDS: Final = ("equipment", "commissions", "harbour_city")


def _reach(start: int, beside: tuple[tuple[int, ...], ...], kinds: tuple[SpaceKind, ...]) -> tuple[int, ...]:
    """Everything on the way until a city ends the movement."""
    found = {start}
    queue = deque(found)
    while queue:
        here = queue.popleft()
        if here != start and kinds[here] in CITY_KINDS:
            continue
        for there in beside[here]:
            if there not in found:
                found.add(there)
                queue.append(there)
    return tuple(sorted(found - {start}))


def _beyond(start: int, near: tuple[tuple[int, ...], ...], kinds: tuple[SpaceKind, ...]) -> tuple[int, ...]:
    """What lies behind one passed city and is not near already."""
    found = {there for city in near[start] if kinds[city] in CITY_KINDS for there in near[city]}
    return tuple(sorted(found - {start} - set(near[start])))
