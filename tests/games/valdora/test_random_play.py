"""Random play: what is legal and why not, storing, taking back, and counts that pin the move generator."""

from collections.abc import Iterator

import pytest
from hypothesis import strategies as st

from app.engine import conformance
from app.engine.codec import decode_move, decode_state, encode_state
from app.engine.contract import Malformed
from app.engine.rng import Rng
from app.engine.table import Table
from app.games.valdora.state import Options, State
from app.simulation import play_game
from tests.games.machine import perft, playing
from tests.games.valdora.sensible import choose
from tests.games.valdora.tabletop import GAME, all_moves

EVERY_MOVE = all_moves()


def random_tables(seats: int, seed: str, steps: int) -> Iterator[State]:
    """The tables of a game in which nobody ends a turn while there is something else to do, so that much happens."""
    chooser = Rng.seeded(f"chooser {seed}")
    state = GAME.setup(Options(), seats, seed)
    for _ in range(steps):
        yield state
        if not GAME.to_act(state):
            return
        moves = GAME.legal(state, state.turn.seat)
        choice = chooser.below(max(1, len(moves) - 1))[0]  # ending the turn comes last
        state = GAME.apply(state, state.turn.seat, moves[choice]).state


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_move_is_legal_exactly_when_nothing_explains_why_not(seats: int) -> None:
    """Two ways to the same answer: what `legal` lists and what `explain` refuses, for every move there is."""
    seen = set()
    for state in random_tables(seats, "explain", 600):
        legal = set(GAME.legal(state, state.turn.seat))
        assert legal <= set(EVERY_MOVE)
        for move in EVERY_MOVE:
            refusal = GAME.explain(state, state.turn.seat, move)
            assert (refusal is None) == (move in legal), (move, refusal)
            if refusal:
                seen.add(refusal.rule)
    assert {"VT-1", "VT-2", "VT-4", "VA-1", "VA-5", "VA-7", "VA-11", "VA-15"} <= seen


TestPlaying = playing(GAME, st.builds(Options, memory=st.booleans()), st.sampled_from(EVERY_MOVE))


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_whole_games_under_every_check(seats: int) -> None:
    for seed in range(2):
        play_game(GAME, seats, seed, check=True)


def test_a_table_that_hides_less_keeps_its_other_secrets() -> None:
    """Open points and known pages, in a game of people who want something, so that both come about soon."""
    table = Table(GAME, Options(open_score=True, memory=True), 3, "agreed")
    rng = Rng.seeded("agreed")
    for _ in range(250):
        before, seat = table.state, table.state.turn.seat
        move = choose(before)
        step = table.play(seat, move)
        assert not list(conformance.check_step(GAME, before, seat, move, step, table.seats, rng))
        assert not list(conformance.check_state(GAME, step.state, table.seats, rng))
    assert all(player.completed for player in table.state.players)
    assert any(pile.known for book in GAME.view(table.state, 0).books for pile in (book.left, book.right))


def test_a_stored_table_is_the_same_when_read_again() -> None:
    for state in random_tables(5, "codec", 500):
        assert decode_state(GAME, encode_state(GAME, state)) == state


@pytest.mark.parametrize(
    "raw",
    [
        None,
        [],
        {},
        {"do": "fly"},
        {"do": "move"},
        {"do": "move", "to": 3},
        {"do": "move", "to": "A", "by": "balloon"},
        {"do": "load", "gem": "opal", "on": "pan"},
        {"do": "load", "gem": "gold", "on": "basket"},
        {"do": "return", "commission": 3, "pile": "left"},
        {"do": "return", "commission": -1, "pile": "left"},
        {"do": "turn_page", "pile": "middle"},
        {"do": "deliver", "commission": 0, "pay": "pan"},
    ],
)
def test_what_is_not_a_move_of_the_game_is_malformed(raw: object) -> None:
    with pytest.raises(Malformed):
        decode_move(GAME, raw)


@pytest.mark.parametrize(
    ("seats", "seed", "steps", "counts"),
    [
        (3, "perft", 0, [24, 46, 612, 1646]),
        (4, "perft", 125, [5, 34, 161, 482]),
        (4, "perft", 302, [27, 41, 211, 700]),
        (5, "perft", 403, [24, 54, 254, 995]),
        (5, "perft", 802, [7, 16, 51, 138]),
    ],
)
def test_the_number_of_ways_to_go_on(seats: int, seed: str, steps: int, counts: list[int]) -> None:
    *_, state = random_tables(seats, seed, steps + 1)
    assert [perft(GAME, state, depth) for depth in range(1, 5)] == counts
