"""Random play: what is legal and why not, storing, and counts that pin the move generator."""

from collections.abc import Iterator

import pytest
from hypothesis import strategies as st

from app.engine.codec import decode_move, decode_state, encode_state
from app.engine.contract import Malformed
from app.engine.rng import Rng
from app.games.valda.moves import BACKSTAB, END_PHASE, GIVE, Borrow, Exchange, Move, Swap, Wander
from app.games.valda.state import Options, State
from app.simulation import play_game
from tests.games.machine import perft, playing
from tests.games.valda.sensible import GAME, next_move


def random_tables(seats: int, seed: str, steps: int) -> Iterator[State]:
    """The tables of a game in which half of the steps are sensible, so that much happens, and half are not."""
    chooser = Rng.seeded(f"chooser {seed}")
    state = GAME.setup(Options(), seats, seed)
    for _ in range(steps):
        yield state
        asked = GAME.awaited(state)
        if not asked:
            return
        seat = asked[chooser.below(len(asked))[0]]
        moves = [move for move in GAME.legal(state, seat) if move != END_PHASE] or [END_PHASE]
        choice, sense = chooser.below(len(moves), 2)
        seat, move = next_move(state) if sense else (seat, moves[choice])
        state = GAME.apply(state, seat, move).state


def some_moves() -> list[Move]:
    """Moves of every kind, as they came up in some games."""
    found: dict[Move, None] = {}
    for number, seats in enumerate((2, 3, 4, 5) * 4):
        for state in random_tables(seats, f"x{number}", 700):
            for seat in range(seats):
                found.update(dict.fromkeys(GAME.legal(state, seat)))
    others = (BACKSTAB, GIVE[0], Wander("thor", "odin"), Borrow("tyr", 2), Swap(1, 2), Exchange(1, "gold", "blood"))
    return list(found | dict.fromkeys(others))  # and those that come up too seldom


MOVES = some_moves()
TestPlaying = playing(GAME, st.just(Options()), st.sampled_from(MOVES))


def test_moves_of_every_kind_came_up() -> None:
    kinds = {type(move).__name__ for move in MOVES}
    assert len(kinds) >= 30, kinds


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_a_move_is_legal_exactly_when_nothing_explains_why_not(seats: int) -> None:
    """`legal` lists what `explain` does not refuse; and whoever is refused is told by which rule."""
    rules = set()
    for state in list(random_tables(seats, "explain", 400))[::4]:
        for seat in range(seats):
            legal = set(GAME.legal(state, seat))
            for move in MOVES:
                refusal = GAME.explain(state, seat, move)
                assert (refusal is None) == (move in legal), (move, refusal)
                if refusal:
                    rules.add(refusal.rule)
    assert {"DT-1", "DT-2", "DT-4", "DT-5", "DT-6", "DT-8", "DT-15", "DW-2", "DW-9"} <= rules


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_whole_games_under_every_check(seats: int) -> None:
    play_game(GAME, seats, seats, check=True)


def test_a_stored_table_is_the_same_when_read_again() -> None:
    for state in random_tables(5, "codec", 700):
        assert decode_state(GAME, encode_state(GAME, state)) == state


@pytest.mark.parametrize(
    "raw",
    [
        None,
        [],
        {},
        {"do": "fly"},
        {"do": "play"},
        {"do": "play", "card": 3},
        {"do": "play", "card": "toll", "hammer": "yes"},
        {"do": "trade", "pay": [1, 2], "take": "gold"},
        {"do": "trade", "pay": [-1, 0, 0], "take": "gold"},
        {"do": "trade", "pay": [0, 4, 0], "take": "silver"},
        {"do": "build", "what": "balder"},
        {"do": "crown", "die": 7, "face": 0},
        {"do": "crown", "die": 0, "face": 6},
        {"do": "swap", "seat": 1, "count": 0},
        {"do": "borrow", "god": "thor", "level": 3},
        {"do": "attack", "card": "skirmish", "weapons": ["backstab"]},
        {"do": "pass", "why": "peace"},
    ],
)
def test_what_is_not_a_move_of_the_game_is_malformed(raw: object) -> None:
    with pytest.raises(Malformed):
        decode_move(GAME, raw)


@pytest.mark.parametrize(
    ("seats", "seed", "steps", "counts"),
    [
        (2, "perft", 0, [1, 6, 20]),
        (2, "ice", 136, [20, 75, 168]),
        (3, "perft", 264, [25, 104, 254]),
        (3, "fire", 181, [5, 21, 64]),
        (4, "perft", 269, [15, 120, 878]),
        (4, "fire", 203, [5, 11, 18]),
        (5, "ice", 419, [18, 193, 1373]),
    ],
)
def test_the_number_of_ways_to_go_on(seats: int, seed: str, steps: int, counts: list[int]) -> None:
    *_, state = random_tables(seats, seed, steps + 1)
    assert [perft(GAME, state, depth) for depth in range(1, 4)] == counts
