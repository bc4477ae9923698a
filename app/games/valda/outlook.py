"""How well a player of Valda stands, for bots: followers, and what resources, cards and gods will still bring.

All numbers here are of judgement, in followers; no rule depends on them.
"""

from functools import lru_cache
from typing import Final

from app.games.valda import raids
from app.games.valda.components import FOLLOWERS, Card, Components
from app.games.valda.draft import safe
from app.games.valda.gods import has_levels
from app.games.valda.moves import FREYA, HEIMDALL, LOKI, ODIN, SURTUR, THOR, TYR
from app.games.valda.state import NOBODY, Player, Raid, State

_REMEMBERED: Final = 1 << 16
_GOOD: Final = 0.3  # a resource, as long as there is something to buy
_FEW: Final = 12  # resources beyond these are worth less
_ACTION: Final = 0.3
# What the first and the second ability of a god bring in a turn.
_ABILITY: Final = {
    HEIMDALL: (0.35, 0.35),
    FREYA: (0.5, 0.45),
    SURTUR: (0.3, 0.25),
    TYR: (0.2, 0.15),
    THOR: (0.5, 0.5),
    ODIN: (0.6, 0.8),
    LOKI: (0.45, 0.45),
}
_OWNER: Final = 0.25
_EFFECT: Final = {
    "blood": 0.3,
    "gold": 0.3,
    "diamond": 0.3,
    "followers": 1.0,
    "draw": 0.33,
    "drakkar": 0.7,
    "bifrost": 0.0,
    "yggdrasil": 0.1,
    "rune": 1.2,
    "sacrifice": 0.35,
    "leader": 0.1,
    "war": 0.4,
    "watcher": 0.3,
    "plenty": 0.3,
    "embers": 0.5,
    "shapeshifter": 0.1,
    "barter": 0.1,
    "favour": 0.6,
    "toll": 0.5,
    "shrine": 0.2,
}
_HARM: Final = {"kill": 0.8, "goods": 0.45, "cards": 0.5, "followers": 1.4}


class Outlook:
    def __init__(self, box: Components) -> None:
        self.c = box
        self.plays = [_in_hand(card) for card in box.cards]
        self._worth = lru_cache(_REMEMBERED)(self._player)

    def outlook(self, state: State, seat: int) -> float:
        """Against the best and the mean of the others alike."""
        worths = [self._worth(player, self._turns_left(state, number)) for number, player in enumerate(state.players)]
        self._under_way(state, worths)
        others = [worth for number, worth in enumerate(worths) if number != seat]
        return worths[seat] - 0.5 * max(others) - 0.5 * sum(others) / len(others)

    def _turns_left(self, state: State, seat: int) -> float:
        """Turns of this seat that are still to come, with what is left of the present one."""
        if state.turn.phase == "over":
            return 0
        seats = len(state.players)
        later = self.c.rounds - state.round
        mine, now = (seat - state.start) % seats, (state.turn.seat - state.start) % seats
        if mine != now:
            return later + (mine > now)
        phase = state.turn.phase
        return later + {"resources": 0.9, "actions": 0.8, "building": 0.5, "attacks": 0.2, "followers": 0.1}[phase]

    def _player(self, me: Player, left: float) -> float:
        whole = int(left)
        goods = sum(me.goods)
        value = me.followers - 0.1 * (me.followers - safe(self.c, me.followers)) * min(left, 1)
        value += 0.02 * goods
        if left >= 0.5:
            value += _GOOD * min(goods, _FEW) + 0.15 * max(0, goods - _FEW)
            value += 0.04 * sum(min(count, 2) for count in me.goods)
        elif left:
            value += self._worship(me)
        value += (1.33 * me.mines + 1.5 * me.wells) * _GOOD * 0.85 * whole
        for god, (first, second) in _ABILITY.items():
            has = has_levels(me.temples, (), god)
            value += (first * has[0] + second * has[1]) * (whole + 0.3 * (left > whole))
            value += _OWNER * (me.temples[god] > 2) * whole
        return value + self._cards(me, left)

    def _worship(self, me: Player) -> float:
        """Followers that the resources become in the last phase (DT-19)."""
        blood, gold, diamond = me.goods
        thor, odin = has_levels(me.temples, (), THOR), has_levels(me.temples, (), ODIN)
        value = 0.0
        if odin[1]:
            times = min(2, blood // 3)
            value += 2 * times
            blood -= 3 * times
        if odin[0]:
            value += min(3, blood // 2)
        if thor[1]:
            value += min(3, gold // 2 + diamond // 2)
        if thor[0]:
            value += min(3, gold // 3 + diamond // 3) * (0.5 if thor[1] else 1)
        return 0.9 * value

    def _cards(self, me: Player, left: float) -> float:
        """What can be played in time counts: three yellow cards a turn."""
        yellow: list[float] = []
        value = 0.0
        for card in (*me.hand, *me.open):
            kind, worth = self.c.cards[card].kind, self.plays[card]
            if kind == "yellow":
                yellow.append(worth)
            elif kind == "attack":
                value += worth * min(1.0, 0.4 + left / 3) if left else worth * 0.3
            elif kind == "defence":
                value += worth * min(1.0, left)
            else:
                value += worth * min(1.0, left)
        room = int(left * 3.2 + 0.5)
        yellow.sort(reverse=True)
        return value + sum(yellow[:room]) * 0.9 + 0.1 * sum(yellow[room:]) * (left > 1)

    def _under_way(self, state: State, worths: list[float]) -> None:
        """What has begun and not yet taken effect."""
        turn = state.turn
        if turn.phase == "actions":
            worths[turn.seat] += _ACTION * turn.actions
            worths[turn.seat] += 0.05 * (turn.limit - 2)
            for god, level in turn.borrowed:
                worths[turn.seat] += _ABILITY[god][level - 1]
        if state.building != NOBODY:
            worths[turn.seat] += 1.0 + sum(self.c.prices[state.building]) * 0.2
        if state.task and state.task.kind == "drakkar":
            worths[turn.seat] += 0.5 * len(state.task.picks)
        if state.task and state.task.kind == "watcher":
            worths[turn.seat] += _GOOD * state.task.left
        dice = state.dice
        if dice and not dice.settled:
            for colour, face in dice.dice:
                what, count = self.c.dice[colour][face]
                worths[dice.seat] += count * (1.0 if what == FOLLOWERS or dice.why == "rune" else _GOOD)
        if state.raid and state.raid.stage in ("defend", "loot"):
            self._under_attack(state, state.raid, worths)

    def _under_attack(self, state: State, raid: Raid, worths: list[float]) -> None:
        """The harm that an attack will do if the shields in hand do not suffice, or those that it will cost."""
        c, card = self.c, self.c.cards[raid.card]
        victim, thief = raid.target, raids.attacker(raid)
        if raid.stage == "defend":
            each = sum(has_levels(state.players[victim].temples, (), TYR))
            hand = [
                c.cards[held].power + each for held in state.players[victim].hand if c.cards[held].kind == "defence"
            ]
            lacks = raids.power(c, state) - raids.defence(c, state)
            if lacks <= 0 and raid.shields:
                return
            if sum(hand) >= lacks and not raid.weapons:
                worths[victim] -= 0.2 + 0.1 * max(0, lacks)
                return
        amount = card.amount * (2 if ODIN in raid.weapons else 1)
        if card.does in ("kill", "followers"):
            me = state.players[victim]
            amount = min(amount, me.followers - safe(c, me.followers))
            worths[victim] -= amount
            worths[thief] += amount * (card.does == "followers")
        else:
            there = sum(state.players[victim].goods) if card.does == "goods" else len(state.players[victim].hand)
            worths[victim] -= _GOOD * min(amount, there)
            worths[thief] += _GOOD * min(amount, there)


def _in_hand(card: Card) -> float:
    """A card's worth while it waits: what it does, less the action that it costs."""
    if card.kind == "weapon":
        return 1.0
    if card.kind == "attack":
        return 0.35 * card.amount * _HARM[card.does] + 0.05 * card.power
    if card.kind == "defence":
        return 0.12 + 0.08 * card.power
    effect = _EFFECT[card.does] * card.amount
    if card.does == "leader":
        effect = 0.3
    return max(0.05, (effect - (0.0 if card.free else _ACTION)) * 0.85)
