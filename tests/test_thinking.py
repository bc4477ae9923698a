"""What the server asks a process for: a bot's move from a stored table."""

import pickle
from typing import Any

import pytest

from app import thinking
from app.engine import registry
from app.engine.bots import LEVELS
from app.engine.codec import decode_move, encode_state
from app.thinking import think

GAMES = list(registry.games())


def stored(name: str) -> tuple[Any, Any, bytes]:
    game = registry.find(name)
    state = game.setup(game.options_type(), game.card.seats[0], "thinking")
    return game, state, encode_state(game, state)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", GAMES)
def test_a_legal_move_comes_back_that_can_be_sent_between_processes(name: str, level: str) -> None:
    game, state, data = stored(name)
    (seat,) = game.awaited(state)
    move = pickle.loads(pickle.dumps(think(name, data, seat, level, "a seed", 0.05)))
    assert decode_move(game, move) in game.legal(state, seat)


@pytest.mark.parametrize("name", GAMES)
def test_without_time_there_is_a_legal_move_too(name: str) -> None:
    game, state, data = stored(name)
    (seat,) = game.awaited(state)
    for level in LEVELS:
        assert decode_move(game, think(name, data, seat, level, "a seed", 0.0)) in game.legal(state, seat)


@pytest.mark.parametrize("name", GAMES)
def test_equal_seeds_give_equal_moves(name: str) -> None:
    game, state, data = stored(name)
    (seat,) = game.awaited(state)
    assert think(name, data, seat, "normal", "a", 60) == think(name, data, seat, "normal", "a", 60)


def test_a_bot_that_fails_still_moves(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(thinking, "choose", fail)
    game, state, data = stored(GAMES[0])
    (seat,) = game.awaited(state)
    assert decode_move(game, think(GAMES[0], data, seat, "strong", "a seed", 1)) in game.legal(state, seat)
    assert "failed" in caplog.text


def test_a_bot_that_cheats_still_moves_legally(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(thinking, "choose", lambda *_: "all my own")
    game, state, data = stored(GAMES[0])
    (seat,) = game.awaited(state)
    assert decode_move(game, think(GAMES[0], data, seat, "easy", "a seed", 1)) in game.legal(state, seat)
    assert "not legal" in caplog.text
