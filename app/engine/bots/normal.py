"""Normal: plans its turn to the end, on one table as it could be. Now and then it sees only the next step."""

from typing import Final

from app.engine.bots import easy
from app.engine.bots.eyes import Eyes
from app.engine.bots.turns import Hurry, Turns
from app.engine.contract import M, O, S
from app.engine.rng import Rng

_EFFORT: Final = 150
_PATIENCE: Final = 1
_HASTY: Final = 4  # one move of so many is made without a plan
_ALIKE: Final = 0.02


def choose(eyes: Eyes[S, M, O], rng: Rng, hurry: Hurry) -> M:
    """Of plans that are equally good any one, so that it does not walk in a circle."""
    if not rng.below(_HASTY)[0]:
        return easy.choose(eyes, rng)
    plans = Turns(eyes.game, eyes.seat, _EFFORT, _PATIENCE, hurry).plans(eyes.sample(rng))
    best = [plan for plan in plans if plan.value > plans[0].value - _ALIKE]
    move: M = best[rng.below(len(best))[0]].steps[0]
    return move
