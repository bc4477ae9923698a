"""Normal: plans its turn to the end, on one table as it could be."""

from typing import Final

from app.engine.bots.eyes import Eyes
from app.engine.bots.turns import Hurry, Turns
from app.engine.contract import M, O, S
from app.engine.rng import Rng

_EFFORT: Final = 150
_PATIENCE: Final = 1
_ALIKE: Final = 0.02


def choose(eyes: Eyes[S, M, O], rng: Rng, hurry: Hurry) -> M:
    """Of plans that are equally good any one, so that it does not walk in a circle."""
    plans = Turns(eyes.game, eyes.seat, _EFFORT, _PATIENCE, hurry).plans(eyes.sample(rng))
    best = [plan for plan in plans if plan.value > plans[0].value - _ALIKE]
    move: M = best[rng.below(len(best))[0]].first
    return move
