"""Strong: plans several turns ahead, on several tables as they could be, and takes what is best on the whole."""

from collections.abc import Sequence
from typing import Final, Generic

from app.engine.bots.eyes import Eyes
from app.engine.bots.turns import Hurry, Plan, Turns
from app.engine.contract import M, O, S
from app.engine.rng import Rng

SAMPLES: Final = 8
_CLEAR: Final = 2  # so many tables that agree are enough
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
        if len(moves) == 1:
            return moves[0]
        losses = dict.fromkeys(moves, 0.0)
        best: list[M] = []
        for number in range(samples):
            if number and self.hurry():
                break
            plans = self._ahead(self.eyes.sample(rng))
            if number and self.hurry():  # cut short, so not to be compared
                break
            best.append(self._count(plans, losses))
            if len(best) == _CLEAR and len(set(best)) == 1:
                break
        return min(moves, key=lambda move: losses[move])

    def _count(self, plans: Sequence[Plan], losses: dict[M, float]) -> M:
        """What each move loses against the best one; what was not followed to the end counts as the worst that was."""
        values: dict[M, float] = {}
        for plan in plans:
            values[plan.first] = max(plan.value, values.get(plan.first, plan.value))
        best, worst = max(values.values()), min(values.values())
        for move in losses:
            losses[move] += best - values.get(move, worst - 1)
        return plans[0].first  # type: ignore[no-any-return]

    def _ahead(self, table: S) -> list[Plan]:
        plans = self._now.plans(table)
        for _ in range(_TURNS - 1):
            kept = plans[:_KEPT]
            nexts = [self.eyes.game.at_next_turn(plan.table, self.eyes.seat) for plan in kept]
            if any(following is None for following in nexts):
                break
            further: list[Plan] = []
            for plan, following in zip(kept, nexts, strict=True):
                if following is not None:
                    paid = _EARLY * plan.value
                    plans_then = self._later.plans(following, plan.first)
                    further += [then._replace(value=then.value + paid) for then in plans_then]
                if self.hurry():
                    return plans
            plans = sorted(further, key=lambda plan: plan.value, reverse=True)
        return plans


def choose(eyes: Eyes[S, M, O], rng: Rng, hurry: Hurry, samples: int = SAMPLES) -> M:
    return Strong(eyes, hurry).choose(rng, samples)
