"""Strong: makes plans on some tables as they could be, tries them on others, and takes what is best on the whole.

A plan that is good only where it was made rests on what the seat cannot know, and fails on the other tables.
"""

from math import sqrt
from statistics import mean, stdev
from typing import Any, Final, Generic, TypeAlias

from app.engine.bots.eyes import Eyes
from app.engine.bots.turns import Hurry, Plan, Turns
from app.engine.contract import M, O, S
from app.engine.rng import Rng

SAMPLES: Final = 12
_MADE_ON: Final = 2  # tables
_KEPT: Final = 6  # plans of each of these
_CLEAR: Final = 2.0  # by so many standard errors the best must lead to end the thinking early
_LEAST: Final = 4  # tables before that
_EFFORT: Final = 300
_LATER: Final = 70  # the effort for the turn after
_EARLY: Final = 0.15  # what the end of this turn counts beside the next one's, so that nothing is put off
_PATIENCE: Final = 8

Steps: TypeAlias = tuple[Any, ...]


class Strong(Generic[S, M, O]):
    def __init__(self, eyes: Eyes[S, M, O], hurry: Hurry) -> None:
        self.eyes = eyes
        self.hurry = hurry
        self._now = Turns(eyes.game, eyes.seat, _EFFORT, _PATIENCE, hurry)
        self._later = Turns(eyes.game, eyes.seat, _LATER, 0, hurry)

    def choose(self, rng: Rng, samples: int) -> M:
        plans = self._plans(rng)
        values: dict[Steps, list[float]] = {steps: [] for steps in plans}
        for _ in range(samples if len({steps[0] for steps in plans}) > 1 else 0):
            table = self.eyes.sample(rng)
            found: list[float] = []
            for steps in plans:
                if self.hurry():
                    return self._best(values)  # cut short, this table does not count
                found.append(self._value(self._now.follow(steps, table)))
            for steps, value in zip(plans, found, strict=True):
                values[steps].append(value)
            if _is_clear(values):
                break
        return self._best(values)

    def _best(self, values: dict[Steps, list[float]]) -> M:
        """The first step of the best plan; without any trial, of the one that was made first."""
        move: M = max(values, key=lambda steps: sum(values[steps]))[0]
        return move

    def _plans(self, rng: Rng) -> list[Steps]:
        """The best plans of some tables, each once."""
        plans: dict[Steps, None] = {}
        for _ in range(_MADE_ON):
            made = self._now.plans(self.eyes.sample(rng))
            if plans and self.hurry():
                break
            plans |= dict.fromkeys(plan.steps for plan in made[:_KEPT])
        return list(plans)

    def _value(self, plan: Plan) -> float:
        """How well the seat stands after its next turn too, where the game lets one look so far."""
        following = self.eyes.game.at_next_turn(plan.table, self.eyes.seat)
        if following is None:
            return plan.value
        return self._later.plans(following)[0].value + _EARLY * plan.value


def _is_clear(values: dict[Steps, list[float]]) -> bool:
    """Whether more tables would hardly show that another first step is better."""
    best, *others = sorted(values, key=lambda steps: sum(values[steps]), reverse=True)
    if len(values[best]) < _LEAST:
        return False
    for other in others:
        if other[0] != best[0]:
            leads = [ours - theirs for ours, theirs in zip(values[best], values[other], strict=True)]
            if mean(leads) < _CLEAR * stdev(leads) / sqrt(len(leads)):
                return False
    return True


def choose(eyes: Eyes[S, M, O], rng: Rng, hurry: Hurry, samples: int = SAMPLES) -> M:
    return Strong(eyes, hurry).choose(rng, samples)
