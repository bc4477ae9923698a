"""Whole turns: what a seat can reach by its own steps on an imagined table, while the others answer greedily."""

from collections.abc import Callable
from typing import Any, Final, Generic, NamedTuple, TypeAlias

import msgspec

from app.engine.bots.easy import greedy
from app.engine.contract import Game, M, O, S, Seat

Hurry: TypeAlias = Callable[[], bool]

_STEPS: Final = 40  # of one turn that are looked at
_SHARE: Final = 4  # a step gets this part of the effort that is left
_LEAST: Final = 2  # tables that are followed up at each step
_encode: Final = msgspec.msgpack.Encoder().encode


class Plan(NamedTuple):
    """What a turn leads to, how well the seat then stands, and the seat's own steps."""

    value: float
    steps: tuple[Any, ...]
    table: Any


class Turns(Generic[S, M, O]):
    """`effort` is how many tables are looked at, `patience` how often others may answer before the turn goes on."""

    def __init__(self, game: Game[S, M, O], seat: Seat, effort: int, patience: int, hurry: Hurry) -> None:
        self.game = game
        self.seat = seat
        self.effort = effort
        self.patience = patience
        self.hurry = hurry

    def plans(self, table: S) -> list[Plan]:
        """Ends of the turn, the best first. Where time is short, also tables on the way there."""
        turn = self.game.turn_of(table)
        frontier, ends = [Plan(0.0, (), table)], list[Plan]()
        seen: set[bytes] = set()
        for _ in range(_STEPS):
            grown: list[Plan] = []
            before = len(seen)
            share = (self.effort - before) // _SHARE
            for number, plan in enumerate(frontier):
                if number >= _LEAST and len(seen) - before >= share:
                    break
                if self.hurry() and (ends or grown):
                    return _sorted([*ends, *grown])
                self._grow(plan, turn, seen, grown, ends)
            if not grown:
                break
            frontier = _sorted(grown)
        return _sorted(ends or frontier)

    def _grow(self, plan: Plan, turn: object, seen: set[bytes], grown: list[Plan], ends: list[Plan]) -> None:
        """All next steps; those that lead where another order of steps has led are left out."""
        game, seat = self.game, self.seat
        for move in game.legal(plan.table, seat):
            after = self._answered(game.apply(plan.table, seat, move).state, turn)
            key = _encode(after)
            if key in seen:
                continue
            seen.add(key)
            goes_on = game.turn_of(after) == turn and seat in game.awaited(after)
            value = game.outlook(after, seat)
            (grown if goes_on else ends).append(Plan(value, (*plan.steps, move), after))

    def follow(self, steps: tuple[M, ...], table: S) -> Plan:
        """The same steps at another table; those that cannot be made there are left out."""
        turn = self.game.turn_of(table)
        for step in steps:
            if self.game.turn_of(table) == turn and step in self.game.legal(table, self.seat):
                table = self._answered(self.game.apply(table, self.seat, step).state, turn)
        return Plan(self.game.outlook(table, self.seat), steps, table)

    def _answered(self, table: S, turn: object) -> S:
        """The table when the seat is asked again in this turn, if that is soon; otherwise the table as it is.

        Tables at which the others had answered, some more often than others, could not be compared.
        """
        game, after = self.game, table
        for _ in range(self.patience + 1):
            awaited = game.awaited(after)
            if not awaited or game.turn_of(after) != turn:
                break
            if self.seat in awaited:
                return after
            after = game.apply(after, awaited[0], greedy(game, after, awaited[0])).state
        return table


def _sorted(plans: list[Plan]) -> list[Plan]:
    return sorted(plans, key=lambda plan: plan.value, reverse=True)
