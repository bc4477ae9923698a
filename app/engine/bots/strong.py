"""Strong: plans several turns ahead, on several tables as they could be, and takes what is best on the whole."""

from collections.abc import Sequence
from math import sqrt
from statistics import mean, stdev
from typing import Final, Generic

from app.engine.bots.eyes import Eyes
from app.engine.bots.turns import Hurry, Plan, Turns
from app.engine.contract import M, O, S
from app.engine.rng import Rng

SAMPLES: Final = 16
_CLEAR: Final = 1.5  # by so many standard errors the best must lead to end the thinking early
_EFFORT: Final = 400
_LATER: Final = 80  # the effort for a turn after the first
_TURNS: Final = 3
_KEPT: Final = 6  # plans that are followed into the next turn
_EARLY: Final = 0.15  # what a turn's end counts besides the last one's, so that nothing is put off
_PATIENCE: Final = 8


class Strong(Generic[S, M, O]):
    def __init__(self, eyes: Eyes[S, M, O], hurry: Hurry) -> None:
        self.eyes = eyes
        self.hurry = hurry
        self._now = Turns(eyes.game, eyes.seat, _EFFORT, _PATIENCE, hurry)
        self._later = Turns(eyes.game, eyes.seat, _LATER, 0, hurry)

    def choose(self, rng: Rng, samples: int) -> M:
        moves = self.eyes.legal()
        losses: dict[M, list[float]] = {move: [] for move in moves}
        for number in range(samples if len(moves) > 1 else 0):
            plans = self._ahead(self.eyes.sample(rng))
            if number and self.hurry():  # cut short, so not to be compared
                break
            _count(plans, losses)
            if self.hurry() or (number and _is_clear(losses)):
                break
        return min(moves, key=lambda move: sum(losses[move]))

    def _ahead(self, table: S) -> list[Plan]:
        """Plans for this turn, by how the seat stands some turns later where the game lets one look so far."""
        plans = self._now.plans(table)
        for _ in range(_TURNS - 1):
            further: list[Plan] = []
            for plan in plans[:_KEPT]:
                following = self.eyes.game.at_next_turn(plan.table, self.eyes.seat)
                if following is None or self.hurry():
                    return plans
                paid = _EARLY * plan.value
                then = self._later.plans(following, plan.first)
                further += [after._replace(value=after.value + paid) for after in then]
            plans = sorted(further, key=lambda plan: plan.value, reverse=True)
        return plans


def _count(plans: Sequence[Plan], losses: dict[M, list[float]]) -> None:
    """What each move loses against the best; one that was not followed to the end loses more than all that were."""
    values: dict[M, float] = {}
    for plan in plans:
        values[plan.first] = max(plan.value, values.get(plan.first, plan.value))
    best, worst = max(values.values()), min(values.values())
    for move, lost in losses.items():
        lost.append(best - values.get(move, 2 * worst - best))


def _is_clear(losses: dict[M, list[float]]) -> bool:
    """Whether more tables would hardly show another move to be better."""
    best, *others = sorted(losses.values(), key=sum)
    for other in others:
        leads = [theirs - ours for theirs, ours in zip(other, best, strict=True)]
        if mean(leads) < _CLEAR * stdev(leads) / sqrt(len(leads)):
            return False
    return True


def choose(eyes: Eyes[S, M, O], rng: Rng, hurry: Hurry, samples: int = SAMPLES) -> M:
    return Strong(eyes, hurry).choose(rng, samples)
