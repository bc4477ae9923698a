"""A bot uses nothing that its seat may not know: of tables that differ only in such things it makes the same move."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from app.engine import registry
from app.engine.bots import strong
from app.engine.bots.eyes import Eyes
from app.engine.bots.turns import Hurry
from app.engine.contract import Game, Seat
from app.engine.rng import Rng
from app.thinking import choose

GAMES = [(name, players) for name, game in registry.games().items() for players in game.card.seats]
POSITIONS = {"easy": 120, "normal": 30, "strong": 6}  # for each game and number of players
SAMPLES = 2


def no_hurry() -> bool:
    return False


def bot_move(level: str, eyes: Eyes[Any, Any, Any], seed: str, hurry: Hurry = no_hurry) -> Any:
    """Bounded by tables, not by time."""
    if level == "strong":
        return strong.choose(eyes, Rng.seeded(seed), hurry, SAMPLES)
    return choose(eyes, level, Rng.seeded(seed), hurry)


def tables(game: Game[Any, Any, Any], players: int) -> Iterator[tuple[Any, Seat]]:
    """Tables of games in which somebody has a choice, and whose it is. Half of the moves are random, half sensible."""
    for number in range(100):
        chooser = Random(number)
        state = game.setup(game.options_type(), players, f"secrets {number}")
        for _ in range(400):
            asked = game.awaited(state)
            if not asked:
                break
            seat = chooser.choice(asked)
            moves = game.legal(state, seat)
            if len(moves) > 1 and chooser.random() < 0.2:
                yield state, seat
            sensible = len(moves) > 1 and chooser.random() < 0.5
            eyes = Eyes(game, state, seat)
            move = bot_move("easy", eyes, str(number)) if sensible else chooser.choice(moves)
            state = game.apply(state, seat, move).state


@pytest.mark.parametrize("level", POSITIONS)
@pytest.mark.parametrize(("name", "players"), GAMES)
def test_hidden_things_change_no_bots_move(name: str, players: int, level: str) -> None:
    game = registry.find(name)
    differing = 0
    for number, (state, seat) in enumerate(tables(game, players)):
        other = game.resample(state, seat, Rng.seeded(f"other {number}"))
        if other == state:
            continue
        differing += 1
        first, second = (bot_move(level, Eyes(game, table, seat), f"bot {number}") for table in (state, other))
        assert first == second
        if differing == POSITIONS[level]:
            break
    assert differing == POSITIONS[level]


def test_the_test_finds_out_who_looks_at_the_table() -> None:
    game = registry.find(GAMES[-1][0])

    class Peeping(Eyes[Any, Any, Any]):
        def sample(self, rng: Rng) -> Any:
            return self.__dict__["_Eyes__state"]

    found = 0
    for number, (state, seat) in zip(range(60), tables(game, 3), strict=False):
        other = game.resample(state, seat, Rng.seeded(f"other {number}"))
        first, second = (bot_move("normal", Peeping(game, table, seat), str(number)) for table in (state, other))
        found += first != second
    assert found
