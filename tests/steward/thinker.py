"""How the tests' bots think: at once, and as chance has it. In a module of its own, as it runs in another process."""

from random import Random
from typing import Any

from app.engine import registry
from app.engine.codec import decode_state, raw_move
from tests.engine.hush import HUSH


def think_by_chance(game: str, state: bytes, seat: int, level: str, seed: str, seconds: float) -> dict[str, Any]:  # noqa: ARG001
    registry.games().setdefault(HUSH.name, HUSH)
    found = registry.find(game)
    return raw_move(Random(seed).choice(list(found.legal(decode_state(found, state), seat))))
