"""The components: DC, the numbers of DT-9, DT-10, DS-3 and DK, and the file that holds them."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from app.engine.contract import BadGameData
from app.games.valda import components
from app.games.valda.components import COLOURS, FILE, Components, Sheet
from app.games.valda.moves import BUILDINGS, DECKS, GODS, Deck
from tests.games.valda.tabletop import BOX

TEXT = FILE.text()

BASE = {
    "treasure_2": 7,
    "spoils_2": 7,
    "vein_2": 5,
    "seduction_1": 5,
    "backup_2": 5,
    "drakkar": 3,
    "yggdrasil_3": 3,
    "bifrost": 2,
    "sacrifice": 2,
    "rune_yellow": 2,
    "skirmish": 4,
    "plunder": 4,
    "pickpocket": 3,
    "abduction": 2,
    "double_kill": 2,
    "shield_1": 5,
    "shield_2": 6,
    "shield_3": 4,
}
GOD_DECKS: dict[Deck, str] = {
    "heimdall": "watcher treasure_3 treasure_3 spoils_3 spoils_3 vein_3 vein_3 bifrost ransack",
    "freya": "plenty backup_3 backup_3 backup_3 drakkar yggdrasil_4 rune_yellow seduction_2 shield_3",
    "surtur": "fire_storm fire_storm burning_raid burning_raid enslave world_burn ashen_hands embers spoils_3",
    "tyr": "war war shield_3 shield_3 shield_4 shield_4 shield_5 treasure_3 judgement",
    "thor": "thunder_3 rune_yellow rune_yellow seduction_2 seduction_2 sacrifice treasure_3 lightning shield_3",
    "odin": "leader leader rune_blue rune_blue seduction_2 seduction_2 vein_3 yggdrasil_4 shield_4",
    "loki": "shapeshifter rune_white rune_white sacrifice sleight barter favour toll shrine",
}


def load_text(text: str) -> Components:
    sheet = FILE.read(text, Sheet)
    components.check_box(sheet)
    return components.lay_out(sheet)


def deck(name: Deck) -> dict[str, int]:
    return {card.name: card.copies for card in BOX.cards if DECKS[card.deck] == name}


def printed(kind: str) -> dict[str, tuple[int, str, int]]:
    """Power, effect and number of all cards of a kind."""
    return {card.name: (card.power, card.does, card.amount) for card in BOX.cards if card.kind == kind}


# What is in the box


@pytest.mark.rule("DC-1")
def test_141_cards_in_a_base_deck_and_seven_god_decks() -> None:
    assert sum(card.copies for card in BOX.cards) == 141
    assert DECKS == ("base", "heimdall", "freya", "surtur", "tyr", "thor", "odin", "loki")
    assert {card.kind for card in BOX.cards} == {"yellow", "attack", "defence", "weapon"}


@pytest.mark.rule("DC-1")
def test_one_weapon_in_each_god_deck() -> None:
    weapons = [(DECKS[card.deck], card.name, card.copies) for card in BOX.cards if card.kind == "weapon"]
    assert weapons == [(god, f"weapon_{god}", 1) for god in GODS]


@pytest.mark.rule("DK-13")
def test_the_base_deck() -> None:
    assert deck("base") == BASE
    assert sum(BASE.values()) == 71


@pytest.mark.rule("DK-14")
@pytest.mark.parametrize("god", GODS)
def test_the_god_decks(god: Deck) -> None:
    assert deck(god) == {**Counter(GOD_DECKS[god].split()), f"weapon_{god}": 1}
    assert sum(deck(god).values()) == 10


@pytest.mark.rule("DK-14")
def test_cards_of_each_kind_in_all() -> None:
    kinds = Counter[str]()
    for card in BOX.cards:
        kinds[card.kind] += card.copies
    assert kinds == {"yellow": 85, "attack": 26, "defence": 23, "weapon": 7}


@pytest.mark.rule("DC-2")
def test_the_faces_of_the_dice() -> None:
    blood, gold, diamond, followers = range(4)
    assert dict(zip(COLOURS, BOX.dice, strict=True)) == {
        "yellow": ((gold, 1), (gold, 1), (gold, 2), (diamond, 1), (diamond, 1), (diamond, 2)),
        "blue": ((blood, 1),) * 3 + ((blood, 2),) * 3,
        "white": tuple((followers, count) for count in (-2, -1, 1, 1, 2, 2)),
    }


@pytest.mark.rule("DC-3", "DC-4", "DC-5")
def test_cubes_sites_temples_markers_and_rounds() -> None:
    assert BOX.cubes == 30
    assert (BOX.sites, BOX.temples, BOX.most_mines, BOX.most_wells) == (5, 9, 4, 3)
    assert BOX.rounds == 6


@pytest.mark.rule("DT-18")
def test_the_safe_zones() -> None:
    assert BOX.zones == (0, 5, 12, 20)


@pytest.mark.rule("DT-9", "DT-10")
def test_prices() -> None:
    """Here in the order of the rules: diamonds, gold, blood."""
    assert {name: price[::-1] for name, price in zip(BUILDINGS, BOX.prices, strict=True)} == {
        "mine": (1, 1, 1),
        "well": (2, 2, 0),
        "heimdall": (2, 2, 2),
        "freya": (3, 3, 0),
        "surtur": (2, 0, 2),
        "tyr": (0, 2, 2),
        "thor": (2, 2, 2),
        "odin": (3, 3, 3),
        "loki": (1, 1, 4),
    }


@pytest.mark.rule("DS-3")
def test_start_resources() -> None:
    first, second, third, last = (2, 1, 1), (2, 2, 1), (2, 2, 2), (2, 3, 2)
    assert BOX.start == {
        2: (first, third),
        3: (first, second, third),
        4: (first, second, third, last),
        5: (first, second, third, third, last),
    }


@pytest.mark.rule("DK-11")
def test_attacks() -> None:
    assert printed("attack") == {
        "skirmish": (2, "kill", 1),
        "plunder": (2, "goods", 2),
        "pickpocket": (1, "cards", 1),
        "abduction": (3, "followers", 1),
        "double_kill": (3, "kill", 2),
        "ransack": (3, "goods", 3),
        "fire_storm": (4, "kill", 2),
        "burning_raid": (4, "goods", 3),
        "enslave": (4, "followers", 2),
        "world_burn": (5, "kill", 3),
        "ashen_hands": (3, "cards", 2),
        "judgement": (3, "kill", 1),
        "lightning": (4, "kill", 2),
        "sleight": (3, "cards", 2),
    }


@pytest.mark.rule("DK-12")
def test_shields() -> None:
    assert printed("defence") == {f"shield_{power}": (power, "defend", 0) for power in range(1, 6)}


@pytest.mark.rule("DT-6")
def test_free_cards() -> None:
    free = {card.name for card in BOX.cards if card.free}
    assert free == {"thunder_3", "bifrost", "yggdrasil_3", "yggdrasil_4", "plenty"}


# The file


def change(old: str, new: str) -> Callable[[], str]:
    def changed() -> str:
        assert old in TEXT
        return TEXT.replace(old, new, 1)

    return changed


@pytest.mark.rule("DC-1")
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (change("treasure_2 = 7", "treasure_2 = 8"), "has 142 cards; there must be 141 (DC-1)"),
        (change("skirmish = 4\n", ""), "has 137 cards; there must be 141 (DC-1)"),
        (
            lambda: change("treasure_2 = 7", "treasure_2 = 8")().replace("watcher = 1\n", ""),
            "has 72 cards in the base deck; there must be 71 (DK-13)",
        ),
        (
            lambda: change("treasure_3 = 2", "treasure_3 = 3")().replace("backup_3 = 3", "backup_3 = 2"),
            "has 11 cards in the deck of heimdall; there must be 10 (DK-14)",
        ),
        (
            lambda: change("skirmish = 4", "skirmish = 3")().replace("treasure_2 = 7", "treasure_2 = 8"),
            "has 86 cards of the kind yellow; there must be 85 (DK-14)",
        ),
        (
            lambda: change("skirmish = 4", "skirmish = 3")().replace("shield_1 = 5", "shield_1 = 6", 1),
            "has 25 cards of the kind attack; there must be 26 (DK-14)",
        ),
        (change("cubes = 30", "cubes = 29"), "has 29 cubes of each resource; there must be 30 (DC-3)"),
        (change("sites = 5", "sites = 6"), "has 6 temple sites in each area; there must be 5 (DC-4)"),
        (change("temples = 9", "temples = 8"), "has 8 temples for each player; there must be 9 (DC-4)"),
        (change("mines = 4", "mines = 5"), "has 5 mines at most; there must be 4 (DC-4)"),
        (change("wells = 3", "wells = 4"), "has 4 blood wells at most; there must be 3 (DC-4)"),
        (change("rounds = 6", "rounds = 7"), "has 7 rounds; there must be 6 (DC-5)"),
        (
            change("zones = [0, 5, 12, 20]", "zones = [0, 5, 11, 20]"),
            "has [0, 5, 11, 20] as the safe zones; there must be [0, 5, 12, 20] (DT-18)",
        ),
        (change("blue = [{ blood = 1 }, ", "blue = ["), "has 5 faces on the blue die; there must be 6 (DC-2)"),
        (
            change("blue = [{ blood = 1 }, ", "blue = [{ gold = 1 }, "),
            "has a face on the blue die that such a die cannot show (DC-2)",
        ),
        (
            change("yellow = [{ gold = 1 }, ", "yellow = [{ gold = 1, diamond = 1 }, "),
            "has a face on the yellow die that such a die cannot show (DC-2)",
        ),
        (
            change("yellow = [{ gold = 1 }, ", "yellow = [{ gold = -1 }, "),
            "has a face on the yellow die that such a die cannot show (DC-2)",
        ),
        (
            change("{ followers = -2 }", "{ followers = 0 }"),
            "has a face on the white die that such a die cannot show (DC-2)",
        ),
        (change("freya = { gold = 3", "freya = { gold = -3"), "gives -3 as a part of the price of 'freya'; it must be"),
        (change("2 = [[2, 1, 1], [2, 2, 2]]", "2 = [[2, 1, 1]]"), "has 1 rows of resources for 2 players; there must"),
        (change("2 = [[2, 1, 1]", "2 = [[-2, 1, 1]"), "gives -2 as the blood that a player begins with"),
        (change("2 = [[2, 1, 1]", "2 = [[29, 1, 1]"), "gives 2 players more blood than there are cubes (DS-3)"),
        (change("2 = [[2, 1, 1]", "6 = [[2, 1, 1]"), "names an unknown number of players, '6'; known are 2, 3, 4, 5"),
        (
            change("power = 2, does", "power = 0, does"),
            "gives 0 as a number of 'skirmish'; it must be at least 1 (DK-11)",
        ),
        (change("shield_5 = 5", "shield_5 = 0"), "gives 0 as the power of 'shield_5'; it must be at least 1 (DK-12)"),
        (change('"gold", amount = 2', '"gold", amount = 0'), "gives 0 as the number of 'treasure_2'; it must be at"),
        (change(', die = "white"', ""), "must give a die to 'rune_white' just if it is a rune (DK-6)"),
        (change('"leader", amount = 5', '"leader", amount = 5, die = "blue"'), "must give a die to 'leader' just if"),
        (change("treasure_2 = 7", "coffer = 7"), "has a card 'coffer' in a deck, but does not say what it does"),
        (
            change("shield_5 = 5", "shield_5 = 5\nshield_6 = 6"),
            "says what 'shield_6' does, but no deck holds it",
        ),
        (
            change("weapon_odin = 1", "weapon_loki = 1"),
            "must have just its own god's weapon in the deck 'odin', once; the base deck has none (DC-1)",
        ),
        (change("[decks.loki]", "[decks.baldur]"), "names an unknown deck, 'baldur'; known are base, heimdall, freya"),
        (change("mine = { blood", "castle = { blood"), "names an unknown building, 'castle'; known are mine, well"),
        (change("loki = { blood = 4, gold = 1, diamond = 1 }\n", ""), "lacks the building 'loki' in [prices]"),
        (change('does = "goods"', 'does = "goats"'), "does not have the expected form: Invalid enum value 'goats'"),
        (change("cubes = 30", "cubes = 30\nmeeples = 5"), "unknown field `meeples`"),
        (change("cubes = 30", "cubes ="), "is not valid TOML"),
    ],
)
def test_a_bad_file_is_refused_with_a_sentence(text: Callable[[], str], sentence: str) -> None:
    with pytest.raises(BadGameData) as refusal:
        load_text(text())
    assert sentence in str(refusal.value)
    assert str(refusal.value).startswith("valda/components.toml ")
    assert str(refusal.value).endswith(".")


def test_a_file_that_cannot_be_read_is_refused_with_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FILE, "path", tmp_path / "valda" / "components.toml")
    with pytest.raises(BadGameData) as refusal:
        components.load()
    assert str(refusal.value) == "valda/components.toml cannot be read: No such file or directory."


@pytest.mark.rule("DC-2", "DK-11", "DK-13")
def test_an_owner_of_the_box_can_correct_a_reconstructed_value() -> None:
    assert load_text(change("{ followers = -2 }", "{ followers = -3 }")()).dice[2][0] == (3, -3)
    skirmish = load_text(change("power = 2, does", "power = 3, does")())
    assert next(card.power for card in skirmish.cards if card.name == "skirmish") == 3
    other = load_text(change("treasure_2 = 7", "treasure_2 = 6")().replace("spoils_2 = 7", "spoils_2 = 8"))
    assert [card.copies for card in other.cards if card.name in ("treasure_2", "spoils_2")] == [6, 8]
