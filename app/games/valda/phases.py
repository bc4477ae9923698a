"""The first and the fifth phase, and how a turn goes on (DT-1, DT-2, DT-19, DE-1)."""

from functools import cache

from msgspec.structs import replace

from app.engine.tuples import put
from app.games.valda import actions, dice, raids
from app.games.valda.components import BLUE, WHITE, YELLOW
from app.games.valda.draft import Draft
from app.games.valda.gods import count_levels, levels
from app.games.valda.moves import (
    BLOOD,
    DIAMOND,
    END_PHASE,
    GODS,
    GOLD,
    HEIMDALL,
    LOKI,
    ODIN,
    RESOURCES,
    ROLL,
    THOR,
    Level,
    Move,
    Resource,
    Trade,
    Worship,
)
from app.games.valda.state import WORSHIP, Dice, State, Turn

MOST_TRADES = 30
_FOUR = 4

# Thor's two ways and Odin's two: the god, how much is paid for how many followers, how often (DT-19).
WAYS = ((THOR, 3, 1, 3), (THOR, 2, 1, 3), (ODIN, 2, 1, 3), (ODIN, 3, 2, 2))


def way_of(god: int, level: int) -> int:
    return (0 if god == THOR else 2) + level - 1


# Resources


def legal_resources(state: State) -> list[Move]:
    if not state.turn.rolled:
        return [ROLL]
    moves: list[Move] = []
    if state.turn.trades < MOST_TRADES:
        moves += [trade for trade in rates(*levels(state, state.turn.seat, HEIMDALL)) if can_trade(state, trade)]
    moves.append(END_PHASE)
    return moves


@cache
def rates(first: bool, second: bool) -> tuple[Trade, ...]:
    """Everything that can be traded with these abilities, whatever one has (DT-2)."""
    sizes = {(paid, rest) for paid in range(_FOUR + 1) for rest in [_FOUR - paid]}
    if first:
        sizes |= {(2, 0), (0, 2)}
    if second:
        sizes |= {(1, 0), (0, 1)}
    found: list[Trade] = []
    for take, name in enumerate(RESOURCES):
        one, other = (resource for resource in range(3) if resource != take)
        for amounts in sorted(sizes, key=lambda size: (sum(size), size), reverse=True):
            pay = [0, 0, 0]
            pay[one], pay[other] = amounts
            found.append(Trade((pay[0], pay[1], pay[2]), name))
    return tuple(found)


def can_trade(state: State, trade: Trade) -> bool:
    goods = state.players[state.turn.seat].goods
    take = RESOURCES.index(trade.take)
    return bool(state.supply[take]) and all(has >= paid for has, paid in zip(goods, trade.pay, strict=True))


def roll_for_resources(d: Draft) -> None:
    me = d.players[d.turn.seat]
    d.turn = replace(d.turn, rolled=True)
    dice.roll(d, Dice(d.turn.seat, "resources", ()), (YELLOW,) * me.mines + (BLUE,) * me.wells)


def trade(d: Draft, move: Trade) -> None:
    seat = d.turn.seat
    d.pay(seat, move.pay)
    d.turn = replace(d.turn, trades=d.turn.trades + 1)
    paid = tuple(name for name, count in zip(RESOURCES, move.pay, strict=True) for _ in range(count))
    d.say("traded", seat, resource_paid=paid)
    d.gain(seat, RESOURCES.index(move.take), 1)


# Followers


@cache
def worship_of(god: int, level: Level, pay: Resource) -> Worship:
    return Worship("thor" if god == THOR else "odin", level, pay)


_LEVELS: tuple[Level, ...] = (1, 2)


def legal_followers(state: State) -> list[Move]:
    turn = state.turn
    goods = state.players[turn.seat].goods
    moves: list[Move] = []
    for god, paid in ((THOR, (GOLD, DIAMOND)), (ODIN, (BLOOD,))):
        has = levels(state, turn.seat, god)
        for level in _LEVELS:
            way = way_of(god, level)
            _, price, _, times = WAYS[way]
            if has[level - 1] and turn.worship[way] < times:
                moves += [worship_of(god, level, RESOURCES[kind]) for kind in paid if goods[kind] >= price]
    if not turn.rolled and count_levels(state, turn.seat, LOKI):
        moves.append(ROLL)
    moves.append(END_PHASE)
    return moves


def worship(d: Draft, move: Worship) -> None:
    seat, way = d.turn.seat, way_of(GODS.index(move.god), move.level)
    _, price, followers, _ = WAYS[way]
    kind = RESOURCES.index(move.pay)
    d.pay(seat, tuple(price if resource == kind else 0 for resource in range(3)))
    d.turn = replace(d.turn, worship=put(d.turn.worship, way, d.turn.worship[way] + 1))
    d.say("worshipped", seat, god=move.god, resource=move.pay, count=price)
    d.win(seat, followers, WORSHIP)


def roll_for_loki(d: Draft) -> None:
    seat = d.turn.seat
    d.turn = replace(d.turn, rolled=True)
    dice.roll(d, Dice(seat, "loki", ()), (WHITE,) * count_levels(d, seat, LOKI))


# One phase after the other


def end_phase(d: Draft) -> None:
    if d.turn.phase != "followers":
        d.say("phase_over", d.turn.seat, phase=d.turn.phase)
    match d.turn.phase:
        case "resources":
            actions.begin(d)
        case "actions":
            actions.end(d)
        case "building":
            raids.begin(d)
        case _:
            end_turn(d)


def end_turn(d: Draft) -> None:
    """The next player clockwise; after the last one the drakkar moves on, and after the last round the game is over."""
    seat = d.turn.seat
    d.bar("turn")
    d.say("ended", seat)
    d.dice = None
    following = (seat + 1) % len(d.players)
    if following == d.before.start:
        if d.round == d.c.rounds:
            d.turn = Turn(seat, "over")
            d.say("over", seat)
            return
        d.round += 1
    d.turn = Turn(following)
