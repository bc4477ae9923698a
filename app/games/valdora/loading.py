"""Loading gems on a road, at a harbour and in the harbour city (VA-11 to VA-14)."""

from msgspec.structs import replace

from app.engine.contract import Arg, Event, Refusal, Step
from app.engine.tuples import put
from app.games.valdora.books import paid
from app.games.valdora.components import NONE, Components
from app.games.valdora.moves import GEAR, GEMS, LOAD, Load, Move
from app.games.valdora.state import EMPTY, NOT_OWNED, Player, State


def _gems_here(c: Components, state: State, at: int) -> tuple[int, ...]:
    road = c.road[at]
    return state.discard if road == NONE else state.roads[road]


def _ships_full(c: Components, state: State, at: int) -> bool:
    return c.road[at] == NONE and state.turn.loaded >= c.ships[at]


def legal(c: Components, state: State) -> list[Move]:
    me = state.players[state.turn.seat]
    if _ships_full(c, state, me.at):
        return []
    gems = [gem for gem, count in enumerate(_gems_here(c, state, me.at)) if count]
    moves: list[Move] = []
    if gems:
        for gear, on in enumerate(me.gear):
            if on == NOT_OWNED or c.price[gear] > me.coins:
                continue
            carries = c.carries[gear]
            if carries == NONE:
                moves += [LOAD[gem][gear] for gem in gems if gem != on]
            elif on == EMPTY and carries in gems:
                moves.append(LOAD[carries][gear])
    return moves


def explain(c: Components, state: State, move: Load) -> Refusal | None:
    me = state.players[state.turn.seat]
    gem, gear = GEMS.index(move.gem), GEAR.index(move.on)
    if _ships_full(c, state, me.at):
        return Refusal("VA-12", "valdora.refuse.ships_full", {"ships": c.ships[me.at]})
    if not _gems_here(c, state, me.at)[gem]:
        rule = "VA-12" if c.road[me.at] == NONE else "VA-11"
        return Refusal(rule, "valdora.refuse.gem_not_here", {"gem": move.gem})
    return _explain_card(c, me, gem, gear)


def _explain_card(c: Components, me: Player, gem: int, gear: int) -> Refusal | None:
    on = me.gear[gear]
    names: dict[str, Arg] = {"gem": GEMS[gem], "gear": GEAR[gear]}
    if on == NOT_OWNED:
        return Refusal("VA-11", "valdora.refuse.not_owned", names)
    if c.carries[gear] not in (NONE, gem):
        return Refusal("VA-11", "valdora.refuse.does_not_carry", names)
    if on != EMPTY and c.carries[gear] != NONE:
        return Refusal("VA-11", "valdora.refuse.card_full", names)
    if on == gem:
        return Refusal("VA-13", "valdora.refuse.same_gem", names)
    if me.coins < c.price[gear]:
        return Refusal("VA-11", "valdora.refuse.loading_costs", names | {"coins": c.price[gear]})
    return None


def load(c: Components, state: State, move: Load) -> Step[State]:
    turn = state.turn
    me = state.players[turn.seat]
    gem, gear = GEMS.index(move.gem), GEAR.index(move.on)
    road, price, thrown = c.road[me.at], c.price[gear], me.gear[gear]
    roads, discard = state.roads, state.discard
    if road == NONE:
        discard = put(discard, gem, discard[gem] - 1)
    else:
        roads = put(roads, road, put(roads[road], gem, roads[road][gem] - 1))
    args: dict[str, Arg] = {"gem": move.gem, "gear": move.on, "space": c.spaces[me.at]}
    if thrown != EMPTY:
        discard = put(discard, thrown, discard[thrown] + 1)
        args["gem_thrown"] = GEMS[thrown]
    me = replace(me, coins=me.coins - price, gear=put(me.gear, gear, gem))
    after = replace(
        state,
        players=put(state.players, turn.seat, me),
        roads=roads,
        discard=discard,
        bank=state.bank + price,
        turn=replace(turn, doing="loading", loaded=turn.loaded + 1),
    )
    key = "valdora.event.loaded" if thrown == EMPTY else "valdora.event.exchanged"
    return Step(after, (Event(key, turn.seat, args), *paid(turn.seat, price)))
