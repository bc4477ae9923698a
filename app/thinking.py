"""A bot's move: what a process of its own is asked for. The clock stands here, as the engine knows none."""

import logging
import time
from typing import Any, Final

from app.engine import registry
from app.engine.bots import easy, normal, strong
from app.engine.bots.eyes import Eyes
from app.engine.bots.turns import Hurry
from app.engine.codec import decode_state, raw_move
from app.engine.rng import Rng

_LOG: Final = logging.getLogger("valtavola")


def think(game_name: str, state: bytes, seat: int, level: str, seed: str, seconds: float) -> dict[str, Any]:
    """A legal move of the seat, which must be asked, after so many seconds at most.

    It never fails: a fault is logged, and costs the bot a poor move.
    """
    hurry = hurry_after(seconds)
    game = registry.find(game_name)
    eyes = Eyes(game, decode_state(game, state), seat)
    rng = Rng.seeded(seed)
    moves = eyes.legal()
    try:
        move = choose(eyes, level, rng, hurry)
        if move in moves:
            return raw_move(move)
        _LOG.error("A %s bot wanted to play %s, which is not legal", level, move)
    except Exception:
        _LOG.exception("A %s bot of %s failed", level, game_name)
    return raw_move(moves[rng.below(len(moves))[0]])


def hurry_after(seconds: float) -> Hurry:
    """Begins now."""
    deadline = time.monotonic() + seconds
    return lambda: time.monotonic() >= deadline


def choose(eyes: Eyes[Any, Any, Any], level: str, rng: Rng, hurry: Hurry) -> Any:
    """The move of a bot of this level; the same for equal arguments unless there is hurry."""
    moves = eyes.legal()
    if len(moves) == 1:
        return moves[0]
    if level == "easy":
        return easy.choose(eyes, rng)
    if level == "normal":
        return normal.choose(eyes, rng, hurry)
    return strong.choose(eyes, rng, hurry)
