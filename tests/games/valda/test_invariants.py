"""What must always be true is seen to fail: each table is broken on purpose, and the fault is reported."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from app.engine.tuples import put
from app.games.valda.moves import ODIN, THOR
from app.games.valda.state import Dice, Pile, Raid, State, Task, Window
from tests.games.valda.tabletop import GAME, at, bare_table, card, edit, give, give_known, lay_open, new_table

VEIN = card("vein_2")
SKIRMISH = card("skirmish")


def more(numbers: tuple[int, ...], place: int, change: int) -> tuple[int, ...]:
    return put(numbers, place, numbers[place] + change)


def pile(state: State, **changes: object) -> State:
    return replace(state, piles=put(state.piles, ODIN, replace(state.piles[ODIN], **changes)))


def with_hand(state: State, *cards: int) -> State:
    """Cards from nowhere."""
    return edit(state, 0, hand=tuple(sorted((*state.players[0].hand, *cards))))


def six_temples(state: State) -> State:
    return edit(edit(state, 0, temples=(0, 0, 0, 0, 3, 0, 0)), 1, temples=(0, 0, 0, 0, 3, 0, 0))


def known_to(state: State, viewer: int, *cards: int) -> State:
    return edit(state, 0, known=put(state.players[0].known, viewer, cards))


def raided(state: State, **changes: object) -> State:
    return replace(at("attacks", state), raid=replace(Raid((1, 2)), **changes))


@pytest.mark.rule("DC-1", "DC-3", "DC-4", "DT-13", "DT-18", "DW-12")
@pytest.mark.parametrize(
    ("damage", "fault"),
    [
        (lambda s: replace(s, base=s.base[1:]), " of deck 0 instead of "),
        (lambda s: replace(s, discard=(VEIN,)), "6 cards vein_2 of deck 0 instead of 5 (DC-1)"),
        (lambda s: with_hand(s, VEIN), "6 cards vein_2 of deck 0 instead of 5 (DC-1)"),
        (lambda s: edit(at("actions", s), 0, open=(VEIN,)), "6 cards vein_2 of deck 0 instead of 5 (DC-1)"),
        (lambda s: replace(s, task=Task("leader", 1, (VEIN,))), "6 cards vein_2 of deck 0 instead of 5 (DC-1)"),
        (lambda s: replace(s, dice=Dice(0, "rune", (), (VEIN,))), "6 cards vein_2 of deck 0 instead of 5 (DC-1)"),
        (lambda s: raided(s, card=SKIRMISH), "5 cards skirmish of deck 0 instead of 4 (DC-1)"),
        (lambda s: raided(s, shields=(VEIN,)), "6 cards vein_2 of deck 0 instead of 5 (DC-1)"),
        (lambda s: raided(s, weapons=(THOR,)), "2 cards weapon_thor of deck 5 instead of 1 (DC-1)"),
        (
            lambda s: replace(s, piles=put(s.piles, ODIN, Pile((), ()))),
            "0 cards weapon_odin of deck 6 instead of 1 (DC-1)",
        ),
        (lambda s: pile(s, seen=(0,) * 9), "a deck has forgotten who knows its cards (DK-4)"),
        (lambda s: replace(s, supply=more(s.supply, 1, 1)), "31 cubes of gold instead of 30 (DC-3)"),
        (lambda s: edit(s, 2, goods=more(s.players[2].goods, 0, -1)), "29 cubes of blood instead of 30 (DC-3)"),
        (
            lambda s: edit(replace(s, supply=more(s.supply, 2, 9)), 0, goods=more(s.players[0].goods, 2, -9)),
            "a negative number of diamond (DC-3)",
        ),
        (
            lambda s: edit(replace(s, supply=put(s.supply, 0, -1)), 0, goods=put(s.players[0].goods, 0, 27)),
            "a negative number of blood (DC-3)",
        ),
        (six_temples, "more than 5 temples in the area of thor (DT-13)"),
        (lambda s: edit(s, 0, temples=(2, 2, 2, 2, 2, 0, 0)), "a player with an impossible number of temples (DC-4)"),
        (lambda s: edit(s, 0, temples=(-1, 2, 0, 0, 0, 0, 0)), "a player with an impossible number of temples (DC-4)"),
        (lambda s: edit(s, 0, mines=5), "a player with too many mines or wells (DC-4)"),
        (lambda s: edit(s, 0, wells=4), "a player with too many mines or wells (DC-4)"),
        (lambda s: edit(s, 0, followers=1), "followers from nowhere (DE-1)"),
        (lambda s: edit(s, 0, sources=(1, 0, 0, 0, 0)), "followers from nowhere (DE-1)"),
        (
            lambda s: edit(s, 0, followers=-1, sources=(0, 0, 0, 0, -1)),
            "a negative number of followers (DT-18)",
        ),
        (lambda s: known_to(s, -1, VEIN), "a card is known to be where it is not (DW-12)"),
        (lambda s: known_to(s, 1, VEIN), "a card is known to be where it is not (DW-12)"),
        (
            lambda s: known_to(give_known(s, 0, "vein_2"), 2, VEIN, VEIN),
            "a card is known to be where it is not (DW-12)",
        ),
        (
            lambda s: replace(give(s, 0, "weapon_odin"), suspects=(0,) * 7),
            "nobody would think that seat 0 holds the weapon of odin (DW-12)",
        ),
        (lambda s: lay_open(at("building", s), 0, "vein_2"), "cards lie face up outside the actions (DT-4)"),
        (lambda s: lay_open(at("actions", s), 1, "vein_2"), "cards lie face up outside the actions (DT-4)"),
        (
            lambda s: edit(give(s, 0, "vein_2", "skirmish"), 0, hand=(max(VEIN, SKIRMISH), min(VEIN, SKIRMISH))),
            "a hand is out of order",
        ),
        (
            lambda s: replace(s, window=Window("crown", 0b001, 0b011)),
            "somebody has answered who was not asked (DW-11)",
        ),
    ],
)
def test_a_broken_table_is_reported(damage: Callable[[State], State], fault: str) -> None:
    sound = bare_table()
    assert GAME.faults(sound) == []
    assert any(fault in found for found in GAME.faults(damage(sound)))


@pytest.mark.parametrize(
    "table",
    [
        new_table(),
        give(bare_table(), 0, "weapon_odin"),
        give_known(bare_table(), 0, "weapon_odin", "vein_2", "vein_2"),
        lay_open(at("actions", bare_table()), 0, "vein_2", "weapon_thor"),
        edit(bare_table(), 0, mines=4, wells=3, temples=(5, 4, 0, 0, 0, 0, 0)),
        replace(bare_table(), window=Window("crown", 0b011, 0b001)),
    ],
)
def test_sound_tables_are_not_reported(table: State) -> None:
    assert GAME.faults(table) == []
