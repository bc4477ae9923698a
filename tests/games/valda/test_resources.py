"""The first phase: DT-1, DT-2, and the limited supply DC-3."""

from itertools import product

import pytest
from msgspec.structs import replace

from app.games.valda.moves import END_PHASE, RESOURCES, ROLL, Goods, Resource, Trade
from app.games.valda.state import State
from tests.games.valda.tabletop import (
    GAME,
    at,
    bare_table,
    edit,
    goods,
    legal,
    offered,
    play,
    refused,
    rigged,
    with_goods,
    with_temples,
)


def trading(heimdall: int = 0, **has: int) -> State:
    """The dice have been rolled."""
    return at("resources", with_temples(with_goods(bare_table(), 0, **has), 0, heimdall=heimdall), rolled=True)


@pytest.mark.rule("DT-1")
@pytest.mark.parametrize(
    ("mines", "wells", "shown", "gained"),
    [
        (2, 0, ("gold 2", "diamond 1"), (0, 2, 1)),
        (2, 1, ("gold 1", "gold 1", "blood 2"), (2, 2, 0)),
        (3, 0, ("diamond 2", "diamond 2", "diamond 1"), (0, 0, 5)),
        (2, 2, ("gold 1", "diamond 1", "blood 1", "blood 2"), (3, 1, 1)),
    ],
)
def test_a_yellow_die_per_mine_and_a_blue_one_per_well(
    mines: int, wells: int, shown: tuple[str, ...], gained: tuple[int, ...]
) -> None:
    state = rigged(edit(bare_table(), 0, mines=mines, wells=wells), *shown)
    assert legal(state) == [ROLL]
    assert goods(play(state, 0, ROLL)) == gained


@pytest.mark.rule("DT-1", "DC-4")
def test_at_most_all_the_dice_are_rolled() -> None:
    state = play(edit(bare_table(), 0, mines=4, wells=3), 0, ROLL)
    assert state.dice is not None
    assert [colour for colour, _ in state.dice.dice] == [0] * 4 + [1] * 3
    assert 4 + 3 <= sum(goods(state)) <= 2 * (4 + 3)


@pytest.mark.rule("DT-1")
def test_the_dice_are_rolled_once() -> None:
    state = play(bare_table(), 0, ROLL)
    assert refused(state, 0, ROLL).rule == "DT-1"


@pytest.mark.rule("DC-2")
def test_every_face_comes_up() -> None:
    faces = set()
    for number in range(120):
        state = edit(bare_table(), 0, wells=1)
        state = replace(state, rng=GAME.setup(state.options, 3, f"seed {number}").rng)
        dice = play(state, 0, ROLL).dice
        assert dice is not None
        faces |= set(dice.dice)
    assert faces == {(colour, face) for colour in (0, 1) for face in range(6)}


@pytest.mark.rule("DC-3")
def test_a_gain_takes_what_is_left() -> None:
    state = with_goods(bare_table(), 1, gold=29, diamond=30)
    state = play(rigged(state, "gold 2", "diamond 1"), 0, ROLL)
    assert goods(state) == (0, 1, 0)
    assert state.supply == (30, 0, 0)


def rate(heimdall: int, pay: Goods) -> bool:
    """Any four; two of one kind with one temple; one with two."""
    kinds = sum(1 for count in pay if count)
    return sum(pay) == 4 or (sum(pay) == 2 and kinds == 1 and heimdall >= 1) or (sum(pay) == 1 and heimdall >= 2)


@pytest.mark.rule("DT-2")
@pytest.mark.parametrize("heimdall", [0, 1, 2, 3])
def test_all_trades_that_there_are(heimdall: int) -> None:
    state = trading(heimdall, blood=6, gold=6, diamond=6)
    wanted = {
        Trade(pay, take)
        for pay in product(range(6), range(6), range(6))
        for number, take in enumerate(RESOURCES)
        if rate(heimdall, pay) and not pay[number]
    }
    assert set(offered(state, 0, Trade)) == wanted


@pytest.mark.rule("DT-2")
@pytest.mark.parametrize(
    ("heimdall", "pay", "take", "left"),
    [
        (0, (0, 2, 2), "blood", (5, 2, 2)),
        (0, (4, 0, 0), "gold", (0, 5, 4)),
        (1, (0, 2, 0), "diamond", (4, 2, 5)),
        (2, (0, 0, 1), "blood", (5, 4, 3)),
    ],
)
def test_a_trade_goes_through_the_supply(heimdall: int, pay: Goods, take: Resource, left: tuple[int, int, int]) -> None:
    state = play(trading(heimdall, blood=4, gold=4, diamond=4), 0, Trade(pay, take))
    assert goods(state) == left
    assert state.supply == tuple(30 - count for count in left)


@pytest.mark.rule("DT-2")
@pytest.mark.parametrize(
    ("heimdall", "pay", "take"),
    [
        (0, (0, 3, 1), "gold"),
        (0, (0, 0, 3), "gold"),
        (0, (0, 0, 2), "gold"),
        (1, (0, 0, 1), "gold"),
        (1, (1, 0, 1), "gold"),
        (2, (0, 1, 0), "gold"),
        (0, (5, 0, 0), "gold"),
    ],
)
def test_other_trades_are_refused(heimdall: int, pay: Goods, take: Resource) -> None:
    assert refused(trading(heimdall, blood=4, gold=4, diamond=4), 0, Trade(pay, take)).rule == "DT-2"


@pytest.mark.rule("DT-2", "DC-3")
def test_what_is_taken_must_be_there() -> None:
    state = with_goods(trading(gold=4), 1, blood=30)
    assert refused(state, 0, Trade((0, 4, 0), "blood")).rule == "DC-3"
    assert Trade((0, 4, 0), "diamond") in legal(state)


@pytest.mark.rule("DT-2")
def test_thirty_trades_a_turn() -> None:
    state = trading(2, gold=1)
    for _ in range(15):
        state = play(state, 0, Trade((0, 1, 0), "blood"), Trade((1, 0, 0), "gold"))
    assert refused(state, 0, Trade((0, 1, 0), "blood")).rule == "DT-2"
    assert legal(state) == [END_PHASE]
    assert offered(replace(state, turn=replace(state.turn, trades=29)), 0, Trade) != []


@pytest.mark.rule("DT-2")
@pytest.mark.parametrize("phase", ["actions", "building", "followers"])
def test_trades_only_in_this_phase(phase: str) -> None:
    state = at(phase, trading(2, blood=9, gold=9, diamond=9))  # type: ignore[arg-type]
    assert offered(state, 0, Trade) == []
    assert refused(state, 0, Trade((4, 0, 0), "gold")).rule == "DT-2"


@pytest.mark.rule("DT-2", "DT-7")
def test_only_whose_turn_it_is_trades_and_the_phase_ends_when_they_say_so() -> None:
    state = with_goods(trading(gold=8), 1, gold=8)
    assert legal(state, 1) == []
    state = play(state, 0, Trade((0, 4, 0), "blood"), Trade((0, 4, 0), "blood"))
    assert state.turn.phase == "resources"
    assert play(state, 0, END_PHASE).turn.phase == "actions"
