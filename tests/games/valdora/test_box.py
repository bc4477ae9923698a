"""The components and the board: VC, VB."""

from collections import Counter, deque
from collections.abc import Callable
from itertools import combinations, pairwise

import pytest

from app.engine.contract import SPECTATOR, BadGameData
from app.games.valdora import components
from app.games.valdora.components import FILE, Components
from app.games.valdora.moves import COLOURS, GEAR, GEMS
from app.i18n import phrasebook
from tests.games.valdora.tabletop import BOX, FACE_NAMES, GAME, face_name, new_table

TEXT = FILE.text()


def load_text(text: str) -> Components:
    sheet = components.read(text)
    components.check_box(sheet)
    return components.lay_out(sheet)


def per_colour(values: tuple[int, ...]) -> dict[str, int]:
    return dict(zip(COLOURS, values, strict=True))


@pytest.mark.rule("VC-1")
def test_seventy_eight_gems() -> None:
    assert dict(zip(GEMS, BOX.gem_counts, strict=True)) == {
        "ruby": 13,
        "sapphire": 13,
        "amethyst": 15,
        "emerald": 15,
        "gold": 22,
    }
    assert sum(BOX.gem_counts) == 78


@pytest.mark.rule("VC-2")
def test_thirty_coins_are_enough_for_five_full_purses() -> None:
    assert (BOX.coins, BOX.purse) == (30, 6)


@pytest.mark.rule("VC-3")
def test_the_books_have_18_and_27_cards() -> None:
    assert len(BOX.goods) == 2 * 18
    assert len(BOX.faces) == 2 * 27
    cities = {name: (BOX.kinds[n], BOX.book[n]) for name, n in BOX.numbers.items() if BOX.book[n] >= 0}
    assert cities == {"A": ("equipment", 0), "B": ("equipment", 1), "C": ("commissions", 2), "D": ("commissions", 3)}


@pytest.mark.rule("VC-4")
def test_craftsmen_workshops_and_bonus_tiles() -> None:
    assert per_colour(BOX.craftsmen) == {
        "grey": 9,
        "yellow": 9,
        "white": 5,
        "violet": 4,
        "red": 4,
        "blue": 4,
        "green": 4,
    }
    assert sum(BOX.craftsmen) == 39
    assert (BOX.bonus_tiles, BOX.bonus_points) == (13, 10)


@pytest.mark.rule("VC-5")
def test_what_each_equipment_carries_and_costs() -> None:
    carries = {
        name: (GEMS[BOX.carries[n]] if BOX.carries[n] >= 0 else "any", BOX.price[n]) for n, name in enumerate(GEAR)
    }
    assert carries == {
        "pan": ("gold", 0),
        "shovel": ("ruby", 0),
        "pickaxe": ("sapphire", 0),
        "hammer": ("amethyst", 0),
        "chisel": ("emerald", 0),
        "cart": ("any", 2),
        "horse": ("any", 3),
    }


@pytest.mark.rule("VC-6")
def test_the_catalogue_has_every_pair_and_three_twice() -> None:
    names = [GEAR[gear] for gear in BOX.goods]
    assert Counter(names) == dict.fromkeys(("shovel", "pickaxe", "hammer", "chisel", "cart", "horse"), 6)
    pairs = Counter(frozenset(names[n : n + 2]) for n in range(0, len(names), 2))
    doubled = [frozenset(p) for p in (("shovel", "pickaxe"), ("hammer", "chisel"), ("horse", "cart"))]
    assert pairs == {frozenset(p): 1 + (frozenset(p) in doubled) for p in combinations(GEAR[1:], 2)}


@pytest.mark.rule("VC-7", "VC-8")
def test_what_patrons_want_and_pay() -> None:
    found = {
        (COLOURS[f.patron], tuple(GEMS[g] for g in f.gems), f.coins, f.points) for f in BOX.faces if len(f.gems) < 3
    }
    assert found == {
        ("grey", (), 1, 2),
        ("yellow", ("gold",), 0, 3),
        ("violet", ("amethyst",), 0, 4),
        ("green", ("emerald",), 0, 4),
        ("red", ("ruby",), 0, 5),
        ("blue", ("sapphire",), 0, 5),
    }
    assert {(COLOURS[f.patron], f.coins, f.points) for f in BOX.faces if len(f.gems) == 3} == {("white", 0, 10)}


@pytest.mark.rule("VC-9")
def test_the_faces_of_a_commission_book() -> None:
    colours: list[str] = [COLOURS[face.patron] for face in BOX.faces]
    assert Counter(colours) == {"grey": 12, "yellow": 12, "white": 6, "violet": 6, "red": 6, "blue": 6, "green": 6}
    cards = Counter(frozenset(colours[n : n + 2]) for n in range(0, len(colours), 2))
    rare = ("white", "violet", "red", "blue", "green")
    assert cards == {
        frozenset({"grey", "yellow"}): 2,
        **{frozenset({common, colour}): 2 for common in ("grey", "yellow") for colour in rare},
        **{frozenset(pair): 1 for pair in pairwise(("violet", "red", "blue", "green", "white", "violet"))},
    }
    for colour, craftsmen in per_colour(BOX.craftsmen).items():
        assert 2 * colours.count(colour) > craftsmen


@pytest.mark.rule("VC-10")
def test_the_white_sets_in_the_order_of_the_cards() -> None:
    assert [name.removeprefix("white: ") for name in FACE_NAMES if name.startswith("white")] == [
        "gold ruby sapphire",
        "gold ruby amethyst",
        "gold ruby emerald",
        "gold sapphire amethyst",
        "gold sapphire emerald",
        "gold amethyst emerald",
    ]
    assert face_name(BOX.faces[-2]) == "white: gold amethyst emerald"


@pytest.mark.rule("VC-11")
def test_what_workshops_need_and_give() -> None:
    found = dict(zip(COLOURS, zip(BOX.workshop_needs, BOX.workshop_points, strict=True), strict=True))
    assert found == {
        "grey": (3, 0),
        "yellow": (3, 0),
        "white": (2, 10),
        "violet": (2, 5),
        "red": (2, 5),
        "blue": (2, 5),
        "green": (2, 5),
    }


@pytest.mark.rule("VC-12")
def test_the_craftsman_ring() -> None:
    assert COLOURS == ("grey", "yellow", "white", "violet", "red", "blue", "green")


def neighbours(name: str) -> set[str]:
    return {BOX.spaces[n] for n in BOX.beside[BOX.numbers[name]]}


@pytest.mark.rule("VB-1")
def test_thirty_spaces() -> None:
    assert Counter(BOX.kinds) == {
        "equipment": 2,
        "commissions": 2,
        "harbour_city": 1,
        "road": 13,
        "mine": 3,
        "harbour": 2,
        "house": 7,
    }
    assert len(BOX.spaces) == 30
    assert {BOX.spaces[n]: s for n, s in enumerate(BOX.ships) if s} == {"H": 1, "high_harbour": 1, "east_harbour": 2}
    assert [COLOURS[BOX.house[BOX.numbers[f"{colour}_house"]]] for colour in COLOURS] == list(COLOURS)


@pytest.mark.rule("VB-2")
def test_the_roads_between_the_cities() -> None:
    assert neighbours("A") == {"o1", "violet_house", "w1"}
    assert neighbours("B") == {"e2", "green_house"}
    assert neighbours("C") == {"o3", "red_house", "e1"}
    assert neighbours("D") == {"blue_house", "w2"}
    assert neighbours("H") == {"n2", "e3", "s2", "w3"}
    assert neighbours("n1") == {"violet_house", "red_house", "north_mine"}
    assert neighbours("yellow_house") == {"e1", "e2", "east_harbour"}
    assert neighbours("s1") == {"blue_house", "green_house", "south_mine"}
    assert neighbours("grey_house") == {"w1", "w2", "west_mine"}
    assert neighbours("o2") == {"white_house", "high_harbour"}


@pytest.mark.rule("VB-2")
def test_the_cities_cut_the_roads_into_five_sections() -> None:
    cities = {BOX.numbers[name] for name in "ABCDH"}
    left = set(range(30)) - cities
    sections = []
    while left:
        section = {left.pop()}
        queue = deque(section)
        while queue:
            for n in set(BOX.beside[queue.popleft()]) - cities - section:
                section.add(n)
                queue.append(n)
        left -= section
        sections.append(section)
    assert sorted(len(section) for section in sections) == [5, 5, 5, 5, 5]


def change(old: str, new: str) -> Callable[[], str]:
    def changed() -> str:
        assert old in TEXT
        return TEXT.replace(old, new, 1)

    return changed


@pytest.mark.rule("VB-3")
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (change("ruby = 13", "ruby = 14"), "has 14 gems of the kind ruby; there must be 13 (VC-1)"),
        (change('"o1", "o2", ', '"o1", '), "has 12 roads; there must be 13 (VB-1)"),
        (change('"o1", "o2", "o3"', '"o1", "o9", "o3"'), "draws a line to 'o2', which is not a space"),
        (change('"green_house", "B"]', '"green_house"]'), None),
        (change('["n1", "north_mine", "n2", "H"]', '["n1", "north_mine"]'), "has no way from 'A' to 'n2'"),
        (change('carries = "ruby"', 'carries = "diamond"'), "names an unknown gem, 'diamond'"),
        (change('gold ruby sapphire"', 'gold ruby opal"'), "names an unknown gem, 'opal'"),
        (change('gold ruby sapphire"', 'gold ruby"'), "white wants a named set of three different gems (VC-7)"),
        (change('gold ruby sapphire"', 'gold ruby gold"'), "white wants a named set of three different gems (VC-7)"),
        (change('gold ruby sapphire"', 'gold ruby sapphire gold"'), "wants a named set of three different gems (VC-7)"),
        (change('gold ruby sapphire"', 'gold ruby coin"'), "white wants a named set of three different gems (VC-7)"),
        (
            change('["grey", "yellow"]', '["grey", "yellow: gold gold"]'),
            "yellow wants one gold and nothing else (VC-7)",
        ),
        (change('["grey", "yellow"]', '["grey", "yellow: ruby"]'), "yellow wants one gold and nothing else (VC-7)"),
        (change('["grey", "yellow"]', '["grey: coin coin", "yellow"]'), "grey wants one coin and nothing else (VC-7)"),
        (
            change('wants = "ruby"', 'wants = "gold"'),
            "has 'gold' as the wish of the red patron; there must be 'ruby'",
        ),
        (change("[gems]", "[gems"), "is not valid TOML"),
        (change("ruby = 13", 'ruby = "many"'), "does not have the expected form: Expected `int`, got `str`"),
        (change("ruby = 13", "ruby = 13\nopal = 0"), "names an unknown gem, 'opal'"),
        (change("[coins]", "[coins]\nsilver = 1"), "unknown field `silver`"),
        (change('["shovel", "cart"]', '["shovel", "pan"]'), "sells the pan, which everybody has from the start (VC-5)"),
        (change('    ["shovel", "cart"],\n', ""), "has 17 cards in an equipment catalogue; there must be 18 (VC-3)"),
        (change("craftsmen = 5", "craftsmen = 6"), "has 6 craftsmen of the colour white; there must be 5 (VC-4)"),
        (change('mines = ["north_mine", ', "mines = ["), "has 2 silver mines; there must be 3 (VB-1)"),
        (
            change('name = "horse"\nprice = 3', 'name = "horse"'),
            "gives horse neither a gem that it carries nor a price",
        ),
        (
            change('carries = "gold"', 'carries = "gold"\nprice = -1'),
            "gives pan a price although it carries one named gem",
        ),
        (
            change('carries = "gold"', 'carries = "gold"\nprice = 1'),
            "gives pan a price although it carries one named gem",
        ),
        (change('name = "cart"\nprice = 2', 'name = "cart"\nprice = -2'), "gives cart neither a gem"),
        (change('name = "cart"', 'name = "horse"'), "names the equipment 'horse' 2 times"),
        (change("workshop_needs = 3", "workshop_needs = 0"), "gives 0 as the craftsmen needed for the grey workshop"),
        (change("workshop_points = 10", "workshop_points = -1"), "gives -1 as the points of the white workshop"),
        (change("points = 2\n", "points = -2\n"), "gives -2 as the points of a grey commission; it must be at least 0"),
        (change("bonus_points = 10", "bonus_points = -10"), "gives -10 as the points of a bonus tile"),
        (change("ruby = 13", "ruby = -13"), "has -13 gems of the kind ruby"),
        (change('colour = "grey"', 'colour = "gray"'), "names an unknown colour, 'gray'; known are grey, yellow"),
        (
            change('grey = "grey_house"', 'gray = "grey_house"'),
            "names an unknown colour, 'gray'; known are grey, yellow",
        ),
        (change('["grey", "yellow"]', '["gray", "yellow"]'), "names an unknown colour, 'gray'; known are grey, yellow"),
        (change('grey = "grey_house"\n', ""), "lacks the colour 'grey' in [board.houses]"),
        (change("H = 1\n", "H = 0\n"), "gives 0 as the ships of 'H'; it must be at least 1 (VB-1)"),
        (change("high_harbour = 1", "high_harbour = -1"), "gives -1 as the ships of 'high_harbour'"),
        (change("H = 1\n", ""), "gives the harbour city 'H' no ships (VB-1)"),
        (change("H = 1\n", "H = 1\nA = 1\n"), "gives ships to 'A', a city that sells equipment (VB-1)"),
        (change('red = "red_house"', 'red = "blue_house"'), "has two spaces called 'blue_house'"),
        (change("gems_per_road = 6", "gems_per_road = 5"), "has 5 gems on each road; there must be 6 (VB-3)"),
        (change("bonus = 13", "bonus = 12"), "has 12 bonus tiles; there must be 13 (VC-4)"),
        (change('start = "H"', 'start = "Z"'), "starts the game on 'Z', which is not a space of the board (VS-1)"),
    ],
)
def test_a_bad_file_is_refused_with_a_sentence(text: Callable[[], str], sentence: str | None) -> None:
    if sentence is None:  # a road less between two spaces is a correction like any other
        load_text(text())
        return
    with pytest.raises(BadGameData) as refused:
        load_text(text())
    assert sentence in str(refused.value)
    assert str(refused.value).startswith("valdora/components.toml ")
    assert str(refused.value).endswith(".")


def test_an_owner_of_the_box_can_correct_a_reconstructed_value() -> None:
    box = load_text(change("points = 2\n", "points = 1\n")())
    assert {face.points for face in box.faces if COLOURS[face.patron] == "grey"} == {1}


@pytest.mark.rule("VC-6", "VC-9")
def test_an_owner_of_the_box_can_correct_what_is_on_the_cards() -> None:
    box = load_text(change('["shovel", "cart"]', '["horse", "horse"]')())
    assert Counter(GEAR[gear] for gear in box.goods)["horse"] == 8
    box = load_text(change('["violet", "red"]', '["violet", "violet"]')())
    assert Counter(COLOURS[face.patron] for face in box.faces)["violet"] == 7


@pytest.mark.rule("VC-9")
def test_more_commissions_than_craftsmen_is_printed() -> None:
    with pytest.raises(BadGameData, match="has 8 grey commissions in its two books; there must be more than the 9 "):
        load_text(TEXT.replace('["grey", "', '["yellow", "', 8))


@pytest.mark.rule("VC-9")
def test_everybody_always_sees_how_often_each_face_occurs() -> None:
    state = new_table()
    for viewer in (0, SPECTATOR):
        summary = GAME.view(state, viewer).summary
        assert [(entry.face.gear, entry.count) for entry in summary["equipment"]] == [(gear, 6) for gear in GEAR[1:]]
        assert [(entry.face.patron, entry.face.wish, entry.count) for entry in summary["commissions"]] == [
            ("grey", ("coin",), 12),
            ("yellow", ("gold",), 12),
            ("white", ("gold", "ruby", "sapphire"), 1),
            ("white", ("gold", "ruby", "amethyst"), 1),
            ("white", ("gold", "ruby", "emerald"), 1),
            ("white", ("gold", "sapphire", "amethyst"), 1),
            ("white", ("gold", "sapphire", "emerald"), 1),
            ("white", ("gold", "amethyst", "emerald"), 1),
            ("violet", ("amethyst",), 6),
            ("red", ("ruby",), 6),
            ("blue", ("sapphire",), 6),
            ("green", ("emerald",), 6),
        ]


@pytest.mark.rule("VC-9")
@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "white wants: gold + ruby + sapphire ×1"),
        ("it", "bianco vuole: oro + rubino + zaffiro ×1"),
        ("es", "blanco quiere: oro + rubí + zafiro ×1"),
        ("ru", "белый хочет: золото + рубин + сапфир ×1"),
    ],
)
def test_the_summary_stands_in_the_table_in_words(language: str, words: str) -> None:
    assert words in GAME.text(GAME.view(new_table(), SPECTATOR), phrasebook(language).say)
