"""How well a player of Valdora stands, for bots: points, and what the commissions in hand will bring.

All numbers here are of judgement; no rule depends on them.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from app.engine.tuples import put
from app.games.valdora.components import NONE, Components, Face
from app.games.valdora.moves import GOLD
from app.games.valdora.scoring import COLOUR_POINTS, points
from app.games.valdora.state import EMPTY, NOBODY, NOT_OWNED, State, Turn

_LATER: Final = 0.9  # what points are worth that come a turn later
_SURE: Final = 0.9  # how much of what is planned comes to be
_GEAR: Final = 3.0
_COINS: Final = (0.0, 1.2, 2.2, 3.0, 3.6, 4.1, 4.5)
_COIN: Final = 0.8
_ROOM: Final = 2.0  # for a commission that is still to be bought
_PROVISIONS: Final = 0.3
_WORKSHOP: Final = 8.0  # for the bonus tiles that it will bring
_PACE: Final = 2.2  # rounds in which each player delivers once
_SOON: Final = 3.0  # rounds that there will be at least, unless it is the last one
_LONG: Final = 8.0
_TOO_LATE: Final = 0.3  # of what would come after the end, as the end may come later
_URGE: Final = 0.9  # what one has is worth less the longer nobody has delivered: so it is spent
_FAR: Final = 9
_REMEMBERED: Final = 4096

_FoundAt: TypeAlias = Sequence[Sequence[int]]


class _Way(NamedTuple):
    """A player on the way from house to house: how many turns have gone, how far all is, what is in hand."""

    turns: float
    away: Sequence[int]
    coins: int
    gear: tuple[int, ...]
    craftsmen: tuple[int, ...]
    worth: float


class Outlook:
    def __init__(self, box: Components) -> None:
        self.c = box
        self.turns = [_turns_from(box, start) for start in range(len(box.spaces))]
        self.standing = [put(away, space, 0) for space, away in enumerate(self.turns)]
        self.mines = _places(box, "mine")
        self.sellers = _places(box, "commissions")
        self.smiths = _places(box, "equipment")
        self.harbours = _places(box, "harbour") + _places(box, "harbour_city")
        self.houses = [box.house.index(colour) for colour in range(len(box.craftsmen))]
        self.on_road = [box.road.index(road) for road in range(max(box.road) + 1)]
        self._found_at = lru_cache(_REMEMBERED)(self._look_for)

    def outlook(self, state: State, seat: int) -> float:
        c, me, turn = self.c, state.players[seat], state.turn
        value = float(sum(points(c, state.workshops, seat, me)))
        if turn.phase == "over":
            return value
        left = self._rounds_left(state)
        soon = _lasting(left) * _URGE**state.idle
        value += _COINS[min(me.coins, len(_COINS) - 1)] * soon
        value += _GEAR * (len(me.gear) - me.gear.count(NOT_OWNED)) * soon
        value += soon * self._workshops(state, seat)
        value += _PROVISIONS * me.provisions
        acts = turn.seat == seat and turn.phase == "act" and turn.doing != "done"
        away = self.standing[me.at] if acts else self.turns[me.at]
        value += self._deliveries(state, seat, away, left)
        room = 3 - len(me.commissions)
        if room and left:
            wait = min(away[space] for space in self.sellers) + (0 if me.coins else 2)
            value += _ROOM * room * _LATER**wait
        return value

    def _rounds_left(self, state: State) -> float:
        """By the pace of players who know what they do, not by the craftsmen left: else a delivery would cost time."""
        if state.last_round:
            return 0.0
        return max(_SOON, _PACE * sum(self.c.craftsmen) / len(state.players) - state.round)

    def _workshops(self, state: State, seat: int) -> float:
        """Bonus tiles to come, and craftsmen on the way to a workshop that is still free."""
        c, value = self.c, 0.0
        for colour, owner in enumerate(state.workshops):
            if owner == seat:
                value += _WORKSHOP
            elif owner == NOBODY:
                value += self._step(colour) * min(state.players[seat].craftsmen[colour], c.workshop_needs[colour])
        return value

    def _step(self, colour: int) -> float:
        """What one more craftsman of a workshop is worth."""
        return (self.c.workshop_points[colour] + _WORKSHOP) / self.c.workshop_needs[colour]

    def _deliveries(self, state: State, seat: int, away: Sequence[int], left: float) -> float:
        """One commission after the other, always the one that is best next."""
        me = state.players[seat]
        way = _Way(0.0, away, me.coins, me.gear, me.craftsmen, 0.0)
        waiting = [self.c.faces[page] for page in me.commissions]
        found_at = self._found_at(state.roads, state.discard) if waiting else ()
        total, soon = 0.0, _lasting(left)
        while waiting:
            ways = [self._deliver(state, seat, way, face, found_at, soon) for face in waiting]
            best = max(range(len(waiting)), key=lambda place: ways[place].worth)
            way = ways[best]
            total += way.worth * (1.0 if way.turns <= left else _TOO_LATE)
            del waiting[best]
        return _SURE * total

    def _deliver(self, state: State, seat: int, way: _Way, face: Face, found_at: _FoundAt, soon: float) -> _Way:
        """The way on to a patron with all that is wanted, and what that is worth now."""
        turns, away, coins, gear, craftsmen, _ = self._gather(way, face, found_at) if face.gems else way
        house = self.houses[face.patron]
        if face.coins > coins:
            mine = min(self.mines, key=lambda space: away[space] + self.turns[space][house])
            turns += away[mine]
            away, coins = self.standing[mine], self.c.purse
        turns += away[house]
        colour = self._craftsman(state, face.patron)
        spent = _COIN * max(0, way.coins - coins)
        worth = (self._brings(state, seat, craftsmen, face, colour, soon) - spent) * _LATER**turns
        if colour is not None:
            craftsmen = put(craftsmen, colour, craftsmen[colour] + 1)
        for gem in face.gems:
            if gem in gear:
                gear = put(gear, gear.index(gem), EMPTY)
        return _Way(turns, self.standing[house], coins - face.coins, gear, craftsmen, worth)

    def _craftsman(self, state: State, patron: int) -> int | None:
        """Of which colour it will be (VA-17)."""
        if state.craftsmen[patron]:
            return patron
        ring = (*range(patron, len(state.craftsmen)), *range(patron))
        return next((colour for colour in ring if state.craftsmen[colour]), None)

    def _brings(
        self, state: State, seat: int, craftsmen: Sequence[int], face: Face, colour: int | None, soon: float
    ) -> float:
        c = self.c
        brings = face.points - len(face.gems) - _COIN * face.coins
        if state.bonus and (
            state.workshops[face.patron] == seat
            or (state.workshops[face.patron] == NOBODY and craftsmen[face.patron] >= c.workshop_needs[face.patron])
        ):
            brings += c.bonus_points
        if colour is None:
            return brings
        if not craftsmen[colour]:
            brings += COLOUR_POINTS
        if state.workshops[colour] == NOBODY and craftsmen[colour] < c.workshop_needs[colour]:
            brings += soon * self._step(colour)
        return brings

    def _gather(self, way: _Way, face: Face, found_at: _FoundAt) -> _Way:
        """All wanted gems onto cards."""
        turns, away, coins, gear, craftsmen, _ = way
        for gem in sorted(face.gems):  # gold last, as tools are bought with it
            if gem in gear:
                continue
            card = self._card_for(gear, gem)
            if card is None:
                turns, away, gear = self._to_smith(turns, away, gear, found_at)
            elif self.c.price[card] > coins:
                mine = min(self.mines, key=away.__getitem__)
                turns += away[mine]
                away, coins = self.standing[mine], self.c.purse
            found = min(found_at[gem], key=away.__getitem__, default=None)
            if found is None:
                turns += _FAR
                continue
            turns += away[found]
            away = self.standing[found]
            if card is not None:
                coins -= self.c.price[card]
                gear = put(gear, card, gem)
        return _Way(turns, away, coins, gear, craftsmen, 0.0)

    def _card_for(self, gear: tuple[int, ...], gem: int) -> int | None:
        """The cheapest card that can take a gem."""
        carries = self.c.carries
        found = [
            card
            for card, on in enumerate(gear)
            if (on == EMPTY and carries[card] in (NONE, gem)) or (on >= 0 and carries[card] == NONE)
        ]
        return min(found, key=self.c.price.__getitem__, default=None)

    def _to_smith(
        self, turns: float, away: Sequence[int], gear: tuple[int, ...], found_at: _FoundAt
    ) -> tuple[float, Sequence[int], tuple[int, ...]]:
        """By way of gold to a city that sells equipment; the right page may not lie open."""
        turns += 1.0
        if GOLD in gear:
            gear = put(gear, gear.index(GOLD), EMPTY)
        else:
            gold = min(found_at[GOLD], key=away.__getitem__, default=None)
            if gold is None:
                return turns + _FAR, away, gear
            turns += away[gold]
            away = self.standing[gold]
        smith = min(self.smiths, key=away.__getitem__)
        return turns + away[smith], self.standing[smith], gear

    def _look_for(self, roads: tuple[tuple[int, ...], ...], discard: tuple[int, ...]) -> _FoundAt:
        """For each gem the spaces where it can be loaded."""
        return [
            [self.on_road[road] for road, gems in enumerate(roads) if gems[gem]] + (self.harbours if there else [])
            for gem, there in enumerate(discard)
        ]


def _lasting(left: float) -> float:
    """How much things are still worth that pay off over time."""
    return min(1.0, left / _LONG)


def at_next_turn(state: State, seat: int) -> State | None:
    """As if the others stood still."""
    if state.turn.phase != "move" or state.last_round:
        return None
    return replace(state, turn=Turn(seat, "move"), round=state.round + 1)


def _places(c: Components, kind: str) -> list[int]:
    return [space for space, is_kind in enumerate(c.kinds) if is_kind == kind]


def _turns_from(c: Components, start: int) -> tuple[int, ...]:
    """How many turns it takes to end on each space; to come back to where one is takes two (VT-4)."""
    away = [_FAR] * len(c.spaces)
    edge, turns = [start], 0
    while edge:
        turns += 1
        edge = [there for there in sorted({there for here in edge for there in c.near[here]}) if away[there] > turns]
        for there in edge:
            away[there] = turns
    return tuple(away)
