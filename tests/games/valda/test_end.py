"""Rounds and the end: DC-5, DT, DE-1, and what must always be true in whole games."""

import pytest
from msgspec.structs import replace

from app.engine.rng import Rng
from app.games.valda.components import Components
from app.games.valda.moves import END_PHASE, GODS, PASS, ROLL, Take
from app.games.valda.state import State
from tests.games.valda.tabletop import (
    BOX,
    GAME,
    at,
    bare_table,
    edit,
    legal,
    new_table,
    play,
    refused,
    with_followers,
    with_goods,
    with_temples,
)


def idle_turn(state: State) -> State:
    """A turn in which nothing is done that need not be."""
    seat = state.turn.seat
    state = play(state, seat, ROLL, END_PHASE, END_PHASE)
    for name in BOX.names(state.players[seat].hand) if state.task else ():
        state = play(state, seat, next(move for move in legal(state, seat) if name in str(move)))
        if not state.task:
            break
    state = play(state, seat, END_PHASE)
    while state.turn.phase == "attacks":
        state = play(state, GAME.to_act(state)[0], PASS)
    return play(state, seat, END_PHASE)


@pytest.mark.rule("DC-5", "DE-1")
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_a_game_is_six_rounds_of_a_turn_each(seats: int) -> None:
    state = replace(new_table(seats), start=1, turn=replace(new_table(seats).turn, seat=1))
    turns = []
    while GAME.to_act(state):
        turns.append((state.round, state.turn.seat))
        state = idle_turn(state)
    clockwise = [(1 + place) % seats for place in range(seats)]
    assert turns == [(number, seat) for number in range(1, 7) for seat in clockwise]
    assert GAME.outcome(state) is not None


@pytest.mark.rule("DE-1")
def test_the_game_is_over_after_the_last_turn_of_round_six() -> None:
    last = replace(at("followers", bare_table(3), 2), round=6)
    assert GAME.outcome(last) is None
    before = replace(at("followers", bare_table(3), 1), round=6)
    assert GAME.to_act(play(before, 1, END_PHASE)) == (2,)
    over = play(last, 2, END_PHASE)
    assert GAME.to_act(over) == ()
    assert [legal(over, seat) for seat in range(3)] == [[], [], []]
    assert refused(over, 0, ROLL).rule == "DE-1"


def ended(*players: tuple[int, tuple[int, int, int], int]) -> State:
    """Followers, resources and temples of the seats in a finished game."""
    state = with_followers(bare_table(len(players)), *(count for count, _, _ in players))
    for seat, (_, has, temples) in enumerate(players):
        state = with_temples(with_goods(state, seat, *has), seat, **{GODS[seat]: temples})
    last = len(players) - 1
    return play(replace(at("followers", state, last), round=6), last, END_PHASE)


@pytest.mark.rule("DE-1")
@pytest.mark.parametrize(
    ("players", "winners", "decided"),
    [
        ([(7, (0, 0, 0), 0), (9, (0, 0, 0), 0), (8, (9, 9, 9), 5)], (1,), "followers"),
        ([(9, (1, 1, 1), 0), (9, (0, 2, 0), 5), (8, (9, 9, 9), 5)], (0,), "resources"),
        ([(9, (3, 0, 0), 1), (9, (1, 1, 1), 2), (9, (0, 0, 2), 5)], (1,), "temples"),
        ([(9, (3, 0, 0), 2), (9, (1, 1, 1), 2), (9, (0, 3, 0), 1)], (0, 1), "shared"),
        ([(0, (0, 0, 0), 0), (0, (0, 0, 0), 0)], (0, 1), "shared"),
        ([(23, (0, 0, 0), 0), (3, (0, 0, 0), 0)], (0,), "followers"),
    ],
)
def test_followers_then_resources_then_temples_then_shared(
    players: list[tuple[int, tuple[int, int, int], int]], winners: tuple[int, ...], decided: str
) -> None:
    outcome = GAME.outcome(ended(*players))
    assert outcome is not None
    assert (outcome.winners, outcome.decided_by) == (winners, f"valda.decided.{decided}")


@pytest.mark.rule("DE-1")
def test_points_are_followers_whatever_they_came_from() -> None:
    state = ended((9, (0, 0, 0), 0), (4, (5, 5, 5), 3))
    assert GAME.score_sheet(state).totals == (9, 4)


@pytest.mark.rule("DE-1")
def test_after_the_end_nothing_is_hidden() -> None:
    over = play(replace(at("followers", new_table(2), 1), round=6), 1, END_PHASE)
    for viewer in (-1, 0, 1):
        assert [seen.hand for seen in GAME.view(over, viewer).players] == [BOX.names(me.hand) for me in over.players]


@pytest.mark.rule("DT-1", "DT-7")
def test_the_five_phases_come_in_order() -> None:
    state, phases = bare_table(2), []
    for seat, move in ((0, ROLL), (0, END_PHASE), (0, END_PHASE), (0, END_PHASE), (1, PASS), (0, END_PHASE)):
        phases.append(state.turn.phase)
        state = play(state, seat, move)
    assert phases == ["resources", "resources", "actions", "building", "attacks", "followers"]
    assert (state.turn.seat, state.turn.phase) == (1, "resources")


# Whole games of random players


def floor(c: Components, count: int) -> int:
    return max(zone for zone in c.zones if zone <= count)


@pytest.mark.rule("DC-1", "DC-3", "DC-4", "DT-18", "DE-1")
@pytest.mark.parametrize(("seats", "seed"), [(2, "a"), (3, "b"), (4, "c"), (5, "d")])
def test_what_must_always_be_true(seats: int, seed: str) -> None:
    """Counted here anew, without the engine's own check; and every game ends after six rounds."""
    state, chance, steps = new_table(seats, seed), Rng.seeded(seed), 0
    while waiting := GAME.awaited(state):
        moves = {seat: legal(state, seat) for seat in waiting}
        assert all(moves.values())
        seat = waiting[chance.below(len(waiting))[0]]
        before = [me.followers for me in state.players]
        state = GAME.apply(state, seat, moves[seat][chance.below(len(moves[seat]))[0]]).state
        steps += 1
        for resource in range(3):
            assert state.supply[resource] + sum(me.goods[resource] for me in state.players) == 30
        assert count_cards(state) == 141
        assert all(sum(me.temples) <= 9 for me in state.players)
        assert all(sum(me.temples[god] for me in state.players) <= 5 for god in range(7))
        assert all(me.followers >= floor(BOX, had) for me, had in zip(state.players, before, strict=True))
        assert state.round <= 6
    assert state.round == 6
    assert GAME.outcome(state) is not None
    assert steps > 6 * seats * 5


def count_cards(state: State) -> int:
    lying = len(state.base) + len(state.discard) + sum(len(pile.cards) for pile in state.piles)
    held = sum(len(me.hand) + len(me.open) for me in state.players)
    played = len(state.task.cards) if state.task else 0
    played += len(state.dice.cards) if state.dice else 0
    if state.raid:
        played += len(state.raid.weapons) + len(state.raid.shields) + (state.raid.card >= 0)
    return lying + held + played


@pytest.mark.rule("DT-5", "DT-8")
def test_a_new_turn_begins_afresh() -> None:
    state = play(at("actions", edit(bare_table(2), 0, mines=4), built=2, limit=4), 0, Take("gold"))
    state = play(at("followers", state, built=2, limit=4, trades=7), 0, END_PHASE)
    turn = state.turn
    assert (turn.seat, turn.phase, turn.rolled, turn.trades, turn.built, turn.limit) == (1, "resources", False, 0, 0, 2)
    state = play(state, 1, ROLL, END_PHASE)
    assert state.turn.actions == 3
