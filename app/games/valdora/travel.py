"""Moving the pawn (VT-1 to VT-6)."""

from collections.abc import Sequence

from msgspec.structs import replace

from app.engine.contract import Event, Refusal, Step
from app.engine.tuples import put
from app.games.valdora.components import Components
from app.games.valdora.moves import STAY, Go, Move, Stay
from app.games.valdora.state import Player, State, Turn


def legal(c: Components, state: State) -> Sequence[Move]:
    go = c.go
    return [go[space] for space in _destinations(c, state)] or [STAY]


def _destinations(c: Components, state: State) -> Sequence[int]:
    me = state.players[state.turn.seat]
    near = c.near[me.at]
    spaces = near + c.far[me.at] if me.provisions else near
    if me.coins >= len(state.players) - 1:
        return spaces
    return [space for space in spaces if len(to_pay(c, state, space)) <= me.coins]


def to_pay(c: Components, state: State, space: int) -> list[int]:
    """Who must be paid by the player whose turn it is for ending here (VT-5)."""
    if c.kinds[space] == "mine":
        return []
    mover = state.turn.seat
    return [seat for seat, player in enumerate(state.players) if player.at == space and seat != mover]


def explain(c: Components, state: State, move: Go | Stay) -> Refusal | None:
    me = state.players[state.turn.seat]
    if isinstance(move, Stay):
        return Refusal("VT-6", "valdora.refuse.can_move") if _destinations(c, state) else None
    if move.to not in c.numbers:
        return Refusal("VB-1", "valdora.refuse.no_such_space", {"name": move.to})
    space = c.numbers[move.to]
    if space == me.at:
        return Refusal("VT-4", "valdora.refuse.same_space", {"space": move.to})
    if space not in c.near[me.at]:
        if space not in c.far[me.at]:
            return Refusal("VT-3", "valdora.refuse.two_cities", {"space": move.to})
        if not me.provisions:
            return Refusal("VT-2", "valdora.refuse.city_in_the_way", {"space": move.to})
    crowd = len(to_pay(c, state, space))
    if crowd > me.coins:
        return Refusal("VT-5", "valdora.refuse.cannot_pay_meeting", {"coins": crowd, "space": move.to})
    return None


def go(c: Components, state: State, move: Go) -> Step[State]:
    mover = state.turn.seat
    me = state.players[mover]
    to = c.numbers[move.to]
    passing = to not in c.near[me.at]
    events = [
        Event(
            "valdora.event.passed" if passing else "valdora.event.moved",
            mover,
            {"space": move.to, "space_from": c.spaces[me.at]},
        )
    ]
    players, bank = state.players, state.bank
    met = to_pay(c, state, to)
    for seat in met:
        other = players[seat]
        if other.coins < c.purse:
            players = put(players, seat, replace(other, coins=other.coins + 1))
        else:
            bank += 1
        events.append(Event("valdora.event.met", mover, {"seat_to": seat, "coins": 1}))
    me = Player(
        to,
        me.coins - len(met),
        me.provisions and not passing,
        me.gear,
        me.commissions,
        me.completed,
        me.craftsmen,
        me.bonus,
    )
    after = replace(state, players=put(players, mover, me), bank=bank, turn=Turn(mover, "act"))
    return Step(after, tuple(events))


def stay(c: Components, state: State) -> Step[State]:
    seat = state.turn.seat
    at = c.spaces[state.players[seat].at]
    return Step(replace(state, turn=Turn(seat, "act")), (Event("valdora.event.stayed", seat, {"space": at}),))
