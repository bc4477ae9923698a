"""The turn and the pawn's move: VT."""

import pytest
from msgspec.structs import replace

from app.games.valdora.moves import END_TURN, PROVISIONS, REFILL, STAY, Go
from tests.games.valdora.tabletop import (
    BOX,
    GAME,
    keys,
    legal,
    legal_spaces,
    new_table,
    play,
    play_and_tell,
    player,
    why_not,
    with_player,
)


@pytest.mark.rule("VT-1")
def test_first_the_move_then_one_action_then_the_next_player() -> None:
    state = new_table()
    assert why_not(state, END_TURN).rule == "VT-1"
    assert why_not(state, REFILL).rule == "VT-1"
    state = play(state, Go("west_mine"))
    assert why_not(state, Go("w3")).rule == "VT-1"
    state = play(state, REFILL)
    assert legal(state) == [END_TURN]
    state = play(state, END_TURN)
    assert state.turn.seat == 1
    assert state.turn.phase == "move"


@pytest.mark.rule("VT-1")
def test_the_action_may_be_declined() -> None:
    state = play(new_table(), Go("west_mine"), END_TURN)
    assert player(state).coins == 1


@pytest.mark.rule("VT-1")
def test_only_the_player_whose_turn_it_is_may_move() -> None:
    state = new_table()
    assert GAME.to_act(state) == (0,)
    assert GAME.legal(state, 1) == ()
    refusal = GAME.explain(state, 1, Go("w3"))
    assert refusal is not None
    assert refusal.rule == "VT-1"


@pytest.mark.rule("VT-2")
def test_a_city_stops_the_pawn() -> None:
    state = with_player(new_table(), at="o1")
    assert legal_spaces(state) == {"A", "white_house", "o2", "high_harbour", "o3", "C"}
    assert why_not(state, Go("n1")).rule == "VT-2"


@pytest.mark.rule("VT-2")
def test_from_a_city_every_road_that_begins_there_is_open() -> None:
    everything = {name for name in BOX.spaces if name != "H"}
    high_road = {"o1", "white_house", "o2", "high_harbour", "o3"}
    assert legal_spaces(new_table()) == everything - high_road


@pytest.mark.rule("VT-2")
def test_occupied_spaces_may_be_passed() -> None:
    state = with_player(with_player(new_table(), coins=0, at="o1"), 1, at="white_house")
    assert "white_house" not in legal_spaces(state)
    assert "o2" in legal_spaces(state)


@pytest.mark.rule("VT-3")
def test_provisions_pass_one_city_and_are_spent() -> None:
    state = with_player(new_table(), at="o1", provisions=True)
    assert "n1" in legal_spaces(state)
    after, events = play_and_tell(state, Go("n1"))
    assert not player(after).provisions
    assert keys(events) == ["passed"]


@pytest.mark.rule("VT-3")
def test_beyond_the_passed_city_the_next_one_stops_again() -> None:
    state = with_player(new_table(), at="o1", provisions=True, coins=2)
    assert "H" in legal_spaces(state)
    assert why_not(state, Go("s2")).rule == "VT-3"


@pytest.mark.rule("VT-3")
def test_a_move_that_passes_no_city_keeps_the_provisions() -> None:
    state = with_player(new_table(), at="o1", provisions=True)
    assert player(play(state, Go("C"))).provisions
    # o3 could also be reached around, through A and C; the way that spends nothing is taken
    assert player(play(state, Go("o3"))).provisions


@pytest.mark.rule("VT-3")
def test_the_city_of_departure_is_not_passed() -> None:
    state = with_player(new_table(), at="A", provisions=True)
    assert player(play(state, Go("o3"))).provisions
    assert player(play(state, Go("w2"))).provisions


@pytest.mark.rule("VT-4")
def test_the_pawn_may_not_end_where_it_began() -> None:
    state = with_player(new_table(), at="n1", provisions=True)
    assert why_not(state, Go("n1")).rule == "VT-4"


@pytest.mark.rule("VB-1")
def test_a_pawn_goes_only_to_spaces_of_the_board() -> None:
    refusal = why_not(new_table(), Go("nowhere"))
    assert (refusal.rule, refusal.key) == ("VB-1", "valdora.refuse.no_such_space")


@pytest.mark.rule("VT-5")
def test_a_meeting_costs_a_coin_to_each() -> None:
    state = with_player(with_player(new_table(), 1, at="w3"), 2, at="w3")
    state = with_player(state, 0, coins=2)
    after, events = play_and_tell(state, Go("w3"))
    assert [p.coins for p in after.players] == [0, 3, 4]
    assert keys(events) == ["moved", "met", "met"]


@pytest.mark.rule("VT-5")
def test_who_cannot_pay_all_may_not_end_there() -> None:
    state = with_player(with_player(new_table(), 1, at="w3"), 2, at="w3")
    refusal = why_not(state, Go("w3"))
    assert refusal.rule == "VT-5"
    assert refusal.args["coins"] == 2


@pytest.mark.rule("VT-5")
def test_a_coin_for_a_full_purse_goes_to_the_bank() -> None:
    state = with_player(with_player(new_table(), 1, at="w3", coins=6), 0, coins=1)
    after = play(state, Go("w3"))
    assert player(after, 0).coins == 0
    assert player(after, 1).coins == 6
    assert after.bank == state.bank + 1


@pytest.mark.rule("VT-5")
def test_in_a_silver_mine_nobody_pays() -> None:
    state = with_player(with_player(new_table(), 1, at="west_mine"), 0, coins=0)
    after = play(state, Go("west_mine"))
    assert [p.coins for p in after.players] == [0, 2, 3]


@pytest.mark.rule("VT-6")
def test_without_a_legal_destination_the_pawn_stays_and_acts() -> None:
    # On this board somebody can always go somewhere, so a smaller one is needed: two cities and nothing between.
    h, a = BOX.numbers["H"], BOX.numbers["A"]
    near = tuple((a,) if n == h else (h,) if n == a else () for n in range(30))
    tiny = type(GAME)(replace(BOX, near=near, far=((),) * 30))
    state = with_player(with_player(new_table(), 1, at="A"), 0, at="H", coins=0)
    assert list(tiny.legal(state, 0)) == [STAY]
    assert tiny.explain(state, 0, STAY) is None
    step = tiny.apply(state, 0, STAY)
    assert step.state.players == state.players
    assert step.state.bank == state.bank
    assert PROVISIONS in tiny.legal(step.state, 0)


@pytest.mark.rule("VT-6")
def test_who_can_move_may_not_stay() -> None:
    assert why_not(new_table(), STAY).rule == "VT-6"
