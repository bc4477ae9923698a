"""Normal: plans its turn to the end, on one table as it could be."""

from typing import Final

from app.engine.bots.eyes import Eyes
from app.engine.bots.turns import Hurry, Turns
from app.engine.contract import M, O, S
from app.engine.rng import Rng

_EFFORT: Final = 400
_PATIENCE: Final = 4


def choose(eyes: Eyes[S, M, O], rng: Rng, hurry: Hurry) -> M:
    plans = Turns(eyes.game, eyes.seat, _EFFORT, _PATIENCE, hurry).plans(eyes.sample(rng))
    move: M = plans[0].first
    return move
