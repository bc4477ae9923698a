"""A table that is being changed: what a move does is written down here step by step, then becomes a state again."""

from typing import Any, Final

from msgspec.structs import replace

from app.engine.contract import Arg, Barrier, Event, Step
from app.engine.tuples import put
from app.games.valda.components import Components
from app.games.valda.moves import RESOURCES
from app.games.valda.state import LOST, Dice, Player, Raid, State, Task, Turn, Window

_WEIGHT: Final[dict[Barrier | None, int]] = {None: 0, "turn": 1, "secret": 2, "chance": 3}


class Draft:
    def __init__(self, c: Components, state: State) -> None:
        self.c = c
        self.before = state
        self.players: list[Player] = list(state.players)
        self.supply: list[int] = list(state.supply)
        self.base = state.base
        self.piles = state.piles
        self.discard = state.discard
        self.suspects: list[int] = list(state.suspects)
        self.revealed = state.revealed
        self.turn: Turn = state.turn
        self.round = state.round
        self.moment = state.moment + 1
        self.rng = state.rng.copy()
        self.task: Task | None = state.task
        self.dice: Dice | None = state.dice
        self.window: Window | None = state.window
        self.building = state.building
        self.raid: Raid | None = state.raid
        self.events: list[Event] = []
        self.barrier: Barrier | None = None

    def state(self) -> State:
        return State(
            self.before.options,
            tuple(self.players),
            tuple(self.supply),
            self.base,
            self.piles,
            self.discard,
            tuple(self.suspects),
            self.revealed,
            self.turn,
            self.before.start,
            self.rng,
            self.round,
            self.moment,
            self.task,
            self.dice,
            self.window,
            self.building,
            self.raid,
        )

    def step(self) -> Step[State]:
        return Step(self.state(), tuple(self.events), self.barrier)

    # What is told, and what cannot be taken back

    def say(self, what: str, seat: int, **args: Arg) -> None:
        self.events.append(Event(f"valda.event.{what}", seat, args))

    def bar(self, barrier: Barrier) -> None:
        """Undo does not cross this step; the gravest reason is the one that is named."""
        if _WEIGHT[barrier] > _WEIGHT[self.barrier]:
            self.barrier = barrier

    # Players

    def edit(self, seat: int, **fields: Any) -> None:
        self.players[seat] = replace(self.players[seat], **fields)

    def gain(self, seat: int, resource: int, count: int) -> int:
        """From the supply, as much as is left (DC-3); how much that was."""
        got = min(count, self.supply[resource])
        self._move_goods(seat, resource, got)
        if got:
            self.say("gained", seat, resource=RESOURCES[resource], count=got)
        return got

    def pay(self, seat: int, goods: tuple[int, ...], back: bool = False) -> None:
        """To the supply, or from it what was paid before."""
        for resource, count in enumerate(goods):
            if count:
                self._move_goods(seat, resource, count if back else -count)

    def _move_goods(self, seat: int, resource: int, count: int) -> None:
        goods = self.players[seat].goods
        self.edit(seat, goods=put(goods, resource, goods[resource] + count))
        self.supply[resource] -= count

    def hand_over(self, giver: int, taker: int, resource: int, count: int) -> None:
        for seat, change in ((giver, -count), (taker, count)):
            goods = self.players[seat].goods
            self.edit(seat, goods=put(goods, resource, goods[resource] + change))

    def win(self, seat: int, count: int, source: int) -> None:
        me = self.players[seat]
        self.edit(seat, followers=me.followers + count, sources=put(me.sources, source, me.sources[source] + count))
        self.say("followers", seat, count=count)

    def lose(self, seat: int, count: int) -> int:
        """Never below a safe zone that was reached (DT-18); how many were really lost."""
        me = self.players[seat]
        lost = min(count, me.followers - safe(self.c, me.followers))
        if lost:
            self.edit(seat, followers=me.followers - lost, sources=put(me.sources, LOST, me.sources[LOST] - lost))
            self.say("lost", seat, count=lost)
        else:
            self.say("safe", seat)
        return lost

    def swing(self, seat: int, count: int, source: int) -> None:
        """What a white die or a rune says, either way."""
        if count > 0:
            self.win(seat, count, source)
        elif count < 0:
            self.lose(seat, -count)
        else:
            self.say("neither", seat)


def safe(c: Components, followers: int) -> int:
    """The highest safe zone that was reached."""
    return max(zone for zone in c.zones if zone <= followers)
