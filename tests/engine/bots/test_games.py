"""Bots play whole games: every move is legal, and every game ends."""

import pytest

from app.engine import registry
from app.tournament import play_match

MOST_MOVES = 6000
GAMES = [(name, players) for name, game in registry.games().items() for players in game.card.seats]


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_a_game_of_easy_and_normal_bots_ends(name: str, players: int) -> None:
    bots = tuple(("easy", "normal")[seat % 2] for seat in range(players))
    match = play_match(name, 1.0, ("a whole game", bots))
    assert sum(match.won.values()) == pytest.approx(1.0)
    assert match.moves < MOST_MOVES


@pytest.mark.parametrize(("name", "players"), [GAMES[0], GAMES[-1]])
def test_a_game_with_a_strong_bot_in_a_hurry_ends(name: str, players: int) -> None:
    bots = ("strong", *["easy"] * (players - 1))
    match = play_match(name, 0.01, ("in a hurry", bots))
    assert sum(match.won.values()) == pytest.approx(1.0)
