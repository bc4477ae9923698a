"""End and scoring: VE."""

import pytest
from msgspec.structs import replace

from app.engine.tuples import put
from app.games.valdora.moves import COLOURS, END_TURN, Deliver
from app.games.valdora.state import State
from tests.games.valdora.tabletop import (
    GAME,
    acting,
    commission,
    legal,
    new_table,
    play,
    with_craftsmen,
    with_player,
)


def about_to_deliver(left: dict[str, int], seat: int = 0, start: int = 0) -> State:
    """The seat stands in the red house with a ruby; these craftsmen are left."""
    state = with_player(new_table(), seat, commissions=("red",), gear={"shovel": "ruby"})
    return replace(with_craftsmen(acting(state, "red_house", seat), left), start=start)


def end_turns(state: State, seats: list[int]) -> State:
    """Each of these seats moves to the first space it may and does nothing."""
    for seat in seats:
        assert state.turn.seat == seat
        state = play(state, legal(state)[0], END_TURN)
    return state


@pytest.mark.rule("VE-1")
def test_the_last_round_begins_when_one_colour_is_left() -> None:
    assert not play(about_to_deliver({"red": 2, "grey": 5}), Deliver(0, ("shovel",))).last_round
    assert play(about_to_deliver({"red": 1, "grey": 5}), Deliver(0, ("shovel",))).last_round
    assert play(about_to_deliver({"red": 1}), Deliver(0, ("shovel",))).last_round


@pytest.mark.rule("VE-1")
def test_the_round_is_played_to_its_end() -> None:
    state = play(about_to_deliver({"red": 1, "grey": 5}), Deliver(0, ("shovel",)), END_TURN)
    assert GAME.outcome(state) is None
    state = end_turns(state, [1, 2])
    assert GAME.to_act(state) == ()
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.reason == "valdora.end.craftsmen"


@pytest.mark.rule("VE-1")
def test_rounds_count_from_the_start_player() -> None:
    state = about_to_deliver({"red": 1, "grey": 5}, seat=0, start=1)
    over = play(state, Deliver(0, ("shovel",)), END_TURN)  # seat 0 is the last of the round that seat 1 began
    assert GAME.outcome(over) is not None
    state = about_to_deliver({"red": 1, "grey": 5}, seat=2, start=1)
    going_on = play(state, Deliver(0, ("shovel",)), END_TURN)
    assert GAME.to_act(going_on) == (0,)


@pytest.mark.rule("VE-2")
def test_points_by_source() -> None:
    state = with_player(
        new_table(),
        completed=("grey", "yellow", "violet", "green", "red", "blue", commission("white: gold ruby emerald")),
        commissions=("red", "blue"),
        craftsmen={"grey": 3, "red": 1, "white": 2},
        bonus=2,
        gear={"pan": "gold", "cart": "ruby", "horse": None},
    )
    workshops = put(put(state.workshops, [*COLOURS].index("grey"), 0), [*COLOURS].index("white"), 0)
    state = replace(state, workshops=workshops)
    assert GAME.score_sheet(state).points[0] == (2 + 3 + 4 + 4 + 5 + 5 + 10, 30, 10, 20, 2)
    assert GAME.score_sheet(state).totals == (95, 0, 0)


def finished(points: list[int], coins: list[int]) -> State:
    """A finished game in which the seats have so many bonus tiles and coins."""
    state = new_table()
    for seat, (bonus, purse) in enumerate(zip(points, coins, strict=True)):
        state = with_player(state, seat, bonus=bonus, coins=purse)
    return replace(state, last_round=True, turn=replace(state.turn, phase="over"))


@pytest.mark.rule("VE-3")
@pytest.mark.parametrize(
    ("points", "coins", "winners", "decided_by"),
    [
        ([3, 2, 1], [0, 6, 6], (0,), "points"),
        ([3, 3, 1], [2, 5, 6], (1,), "coins"),
        ([3, 3, 3], [4, 2, 4], (0, 2), "shared"),
    ],
)
def test_most_points_then_most_coins_then_shared(
    points: list[int], coins: list[int], winners: tuple[int, ...], decided_by: str
) -> None:
    outcome = GAME.outcome(finished(points, coins))
    assert outcome is not None
    assert outcome.winners == winners
    assert outcome.decided_by == f"valdora.decided.{decided_by}"


@pytest.mark.rule("VE-4")
def test_fifty_idle_rounds_end_the_game() -> None:
    state = new_table()
    for _ in range(49):
        state = end_turns(state, [0, 1, 2])
    state = end_turns(state, [0, 1])
    assert (state.round, state.idle) == (50, 49)
    assert GAME.outcome(state) is None
    state = end_turns(state, [2])
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.reason == "valdora.end.idle"


@pytest.mark.rule("VE-4")
def test_a_completed_commission_starts_the_count_again() -> None:
    state = replace(about_to_deliver({"red": 3, "grey": 5}), idle=49)
    state = end_turns(play(state, Deliver(0, ("shovel",)), END_TURN), [1, 2])
    assert GAME.outcome(state) is None
    assert state.idle == 0
    assert end_turns(state, [0, 1, 2]).idle == 1
