"""What a button says that makes a move, with its price; where it lies; and what is asked of whose turn it is."""

from typing import Final

from app.engine.contract import Arg, Seat
from app.games.valdora.books import commission_args, face_args, here, page_price
from app.games.valdora.components import Components
from app.games.valdora.moves import (
    GEAR,
    GEMS,
    PILES,
    STAY,
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
from app.games.valdora.rules import legal
from app.games.valdora.state import LEFT, Player, State
from app.games.valdora.travel import to_pay

Wording = tuple[str, dict[str, Arg]]

_PLAIN: Final[dict[type[Move], str]] = {
    Stay: "stay",
    Refill: "refill",
    Provisions: "provisions",
    EndTurn: "end_turn",
}


def move(c: Components, state: State, seat: Seat, step: Move) -> Wording:
    me = state.players[seat]
    match step:
        case Go(to=to):
            way = "go" if c.numbers[to] in c.near[me.at] else "pass"
            met = tuple(to_pay(c, state, c.numbers[to]))
            return _priced(way, {"space": to, "seat_to": met} if met else {"space": to}, len(met))
        case TurnPage(pile=pile):
            return _priced("turn_page", {"pile": pile}, page_price(state.turn))
        case Buy():
            return _buy(c, state, step)
        case Return(commission=place, pile=pile):
            return _worded("return", {"pile": pile, **commission_args(c.faces[me.commissions[place]])})
        case Load():
            return _load(c, me, step)
        case Deliver(commission=place, pay=pay):
            wish = commission_args(c.faces[me.commissions[place]])
            return _worded("deliver.gems", {**wish, "gear": pay}) if pay else _worded("deliver", wish)
    return _worded(_PLAIN[type(step)], {})


def place_of(step: Move) -> str:
    """A space, a page of the book that lies open, a kind of gem, or a commission to give away; the rest is in words."""
    match step:
        case Go(to=to):
            return f"space-{to}"
        case Buy(pile=pile) | TurnPage(pile=pile):
            return f"page-{pile}"
        case Load(gem=gem):
            return f"gem-{gem}"
        case Return(commission=place):
            return f"commission-{place}"
    return ""


def prompt(c: Components, state: State, seat: Seat) -> Wording:
    """What is to be done, or what the space offers before anything is begun."""
    turn = state.turn
    at = state.players[seat].at
    args: dict[str, Arg] = {"space": c.spaces[at]}
    if turn.phase == "move":
        return ("stay" if legal(c, state, seat) == [STAY] else "move"), args
    if turn.owes:
        return "owes", args
    only_end = len(legal(c, state, seat)) == 1
    if turn.doing != "nothing":
        return "done" if only_end else turn.doing, args
    return "nothing" if only_end else c.kinds[at], args


def _buy(c: Components, state: State, step: Buy) -> Wording:
    book = state.books[here(c, state)]
    page = (book.left if step.pile == PILES[LEFT] else book.right)[-1]
    args: dict[str, Arg] = {"pile": step.pile, **face_args(c, step.pay is not None, page)}
    if step.pay is None:
        return _worded("buy_commission", args)
    return _worded("buy_equipment", {**args, "gear_from": step.pay})


def _load(c: Components, me: Player, step: Load) -> Wording:
    gear = GEAR.index(step.on)
    args: dict[str, Arg] = {"gem": step.gem, "gear": step.on}
    if me.gear[gear] >= 0:
        return _priced("exchange", {**args, "gem_thrown": GEMS[me.gear[gear]]}, c.price[gear])
    return _priced("load", args, c.price[gear])


def _worded(what: str, args: dict[str, Arg]) -> Wording:
    return f"valdora.move.{what}", args


def _priced(what: str, args: dict[str, Arg], coins: int) -> Wording:
    return _worded(f"{what}.paid", {**args, "coins": coins}) if coins else _worded(what, args)
