"""A turn: first the move, then at most one action, then the next player (VT-1, VA-1, VA-20, VA-21, VE-1, VE-4)."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from app.engine.contract import Barrier, Event, Refusal, Seat, Step
from app.engine.tuples import put
from app.games.valdora import books, houses, loading, travel
from app.games.valdora.components import CITY_KINDS, Components
from app.games.valdora.moves import (
    END_TURN,
    PROVISIONS,
    REFILL,
    Buy,
    Deliver,
    EndTurn,
    Go,
    Load,
    Move,
    Provisions,
    Refill,
    Return,
    Stay,
    TurnPage,
)
from app.games.valdora.state import Doing, State, Turn

MOST_IDLE_ROUNDS: Final = 50  # VE-4


def to_act(state: State) -> tuple[Seat, ...]:
    return () if state.turn.phase == "over" else (state.turn.seat,)


def legal(c: Components, state: State, seat: Seat) -> Sequence[Move]:
    turn = state.turn
    if seat != turn.seat or turn.phase == "over":
        return ()
    if turn.phase == "move":
        return travel.legal(c, state)
    if turn.doing == "done":
        return (END_TURN,)
    moves = _actions(c, state)
    if not turn.owes:
        moves.append(END_TURN)
    return moves


def _actions(c: Components, state: State) -> list[Move]:
    """What the space offers (VA-1), or what is left of the action that has begun."""
    kind = c.kinds[state.players[state.turn.seat].at]
    if kind in ("road", "harbour"):
        return loading.legal(c, state)
    if kind == "house":
        return houses.legal(c, state)
    if kind == "mine":
        return [REFILL]
    moves = loading.legal(c, state) if kind == "harbour_city" else books.legal(c, state)
    if state.turn.doing == "nothing":
        moves.append(PROVISIONS)
    return moves


# Where each kind of action can be done.
_PLACES: Final[dict[type[Move], tuple[str, ...]]] = {
    TurnPage: ("equipment", "commissions"),
    Buy: ("equipment", "commissions"),
    Return: ("equipment", "commissions"),
    Load: ("road", "harbour", "harbour_city"),
    Deliver: ("house",),
    Refill: ("mine",),
    Provisions: CITY_KINDS,
}


def explain(c: Components, state: State, seat: Seat, move: Move) -> Refusal | None:
    turn = state.turn
    if seat != turn.seat or turn.phase == "over":
        return Refusal("VT-1", "valdora.refuse.not_your_turn")
    if isinstance(move, Go | Stay):
        if turn.phase != "move":
            return Refusal("VT-1", "valdora.refuse.moved_already")
        return travel.explain(c, state, move)
    if turn.phase == "move":
        return Refusal("VT-1", "valdora.refuse.move_first")
    if isinstance(move, EndTurn):
        return Refusal("VA-9", "valdora.refuse.must_buy") if turn.owes else None
    return _explain_place(c, state, move) or _explain_action(c, state, move)


def _explain_place(c: Components, state: State, move: Move) -> Refusal | None:
    turn = state.turn
    at = state.players[turn.seat].at
    if c.kinds[at] not in _PLACES[type(move)]:
        return Refusal("VA-1", "valdora.refuse.not_here", {"space": c.spaces[at]})
    if turn.doing == "done":
        return Refusal("VA-1", "valdora.refuse.one_action")
    if isinstance(move, Provisions) and turn.doing != "nothing":
        return Refusal("VA-4" if turn.doing == "buying" else "VA-1", "valdora.refuse.one_action")
    return None


def _explain_action(c: Components, state: State, move: Move) -> Refusal | None:
    match move:
        case TurnPage():
            return books.explain_turn(c, state, move)
        case Buy():
            return books.explain_buy(c, state, move)
        case Return():
            return books.explain_return(c, state)
        case Load():
            return loading.explain(c, state, move)
        case Deliver():
            return houses.explain(c, state, move)
    return None


def apply(c: Components, state: State, move: Move) -> Step[State]:
    match move:
        case Go():
            return travel.go(c, state, move)
        case EndTurn():
            return end_turn(state)
        case TurnPage():
            return books.turn_page(c, state, move)
        case Buy():
            return books.buy(c, state, move)
        case Load():
            return loading.load(c, state, move)
        case Deliver():
            return houses.deliver(c, state, move)
        case Refill():
            return refill(c, state)
        case Provisions():
            return provisions(c, state)
        case Return():
            return books.give_back(c, state, move)
        case Stay():
            return travel.stay(c, state)


_DONE: Final[Doing] = "done"


def refill(c: Components, state: State) -> Step[State]:
    seat = state.turn.seat
    me = state.players[seat]
    gained = c.purse - me.coins
    after = replace(
        state,
        players=put(state.players, seat, replace(me, coins=c.purse)),
        bank=state.bank - gained,
        turn=replace(state.turn, doing=_DONE),
    )
    return Step(after, (Event("valdora.event.refilled", seat, {"coins": gained, "space": c.spaces[me.at]}),))


def provisions(c: Components, state: State) -> Step[State]:
    seat = state.turn.seat
    me = state.players[seat]
    after = replace(
        state,
        players=put(state.players, seat, replace(me, provisions=True)),
        turn=replace(state.turn, doing=_DONE),
    )
    return Step(after, (Event("valdora.event.provisions", seat, {"space": c.spaces[me.at]}),))


def end_turn(state: State) -> Step[State]:
    seat = state.turn.seat
    barrier: Barrier = "turn"
    following = (seat + 1) % len(state.players)
    if following != state.start:
        return Step(replace(state, turn=Turn(following, "move")), (Event("valdora.event.ended", seat),), barrier)
    idle = 0 if state.delivered else state.idle + 1
    if state.last_round or idle >= MOST_IDLE_ROUNDS:
        over = replace(state, idle=idle, turn=Turn(seat, "over"))
        return Step(over, (Event("valdora.event.ended", seat), Event("valdora.event.over", seat)), barrier)
    after = replace(state, idle=idle, delivered=False, round=state.round + 1, turn=Turn(following, "move"))
    return Step(after, (Event("valdora.event.ended", seat),), barrier)
