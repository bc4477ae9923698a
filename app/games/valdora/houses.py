"""Completing commissions in a patron's house: payment, craftsman, workshop, bonus (VA-15 to VA-19)."""

from collections.abc import Iterator
from itertools import product

from msgspec.structs import replace

from app.engine.contract import Event, Refusal, Step
from app.engine.tuples import put
from app.games.valdora.books import commission_args
from app.games.valdora.components import Components, Face
from app.games.valdora.moves import COLOURS, GEAR, Deliver, Move
from app.games.valdora.state import EMPTY, NOBODY, Player, State


def legal(c: Components, state: State) -> list[Move]:
    me = state.players[state.turn.seat]
    patron = c.house[me.at]
    return [
        Deliver(place, tuple(GEAR[gear] for gear in pay))
        for place, page in enumerate(me.commissions)
        if c.faces[page].patron == patron and me.coins >= c.faces[page].coins
        for pay in _payments(me, c.faces[page])
    ]


def _payments(me: Player, face: Face) -> Iterator[tuple[int, ...]]:
    """All ways to take the wanted gems from one's cards. A patron never wants two of a kind, so no card pays twice."""
    return product(*([gear for gear, on in enumerate(me.gear) if on == gem] for gem in face.gems))


def explain(c: Components, state: State, move: Deliver) -> Refusal | None:
    me = state.players[state.turn.seat]
    if move.commission >= len(me.commissions):
        return Refusal("VA-15", "valdora.refuse.no_such_commission")
    face = c.faces[me.commissions[move.commission]]
    if face.patron != c.house[me.at]:
        return Refusal("VA-15", "valdora.refuse.other_patron", {"patron": COLOURS[face.patron]})
    if me.coins < face.coins:
        return Refusal("VA-15", "valdora.refuse.no_coin_for_patron", {"patron": COLOURS[face.patron]})
    if tuple(GEAR.index(gear) for gear in move.pay) not in _payments(me, face):
        return Refusal("VA-15", "valdora.refuse.wish_not_met", commission_args(face))
    return None


def deliver(c: Components, state: State, move: Deliver) -> Step[State]:
    seat = state.turn.seat
    me = state.players[seat]
    page = me.commissions[move.commission]
    face = c.faces[page]
    gear, discard = me.gear, state.discard
    for card, gem in zip(move.pay, face.gems, strict=True):
        gear = put(gear, GEAR.index(card), EMPTY)
        discard = put(discard, gem, discard[gem] + 1)
    me = replace(
        me,
        coins=me.coins - face.coins,
        gear=gear,
        commissions=me.commissions[: move.commission] + me.commissions[move.commission + 1 :],
        completed=(*me.completed, page),
    )
    paid = replace(
        state,
        players=put(state.players, seat, me),
        discard=discard,
        bank=state.bank + face.coins,
        delivered=True,
        turn=replace(state.turn, doing="delivering"),
    )
    events = [Event("valdora.event.delivered", seat, {**commission_args(face), "space": c.spaces[me.at]})]
    after = _reward(c, paid, face.patron, events)
    if not after.last_round and sum(1 for left in after.craftsmen if left) <= 1:  # VE-1
        after = replace(after, last_round=True)
        events.append(Event("valdora.event.last_round", seat))
    return Step(after, tuple(events))


def _reward(c: Components, state: State, patron: int, events: list[Event]) -> State:
    """The bonus tile for the owner of the patron's workshop, the craftsman, and the workshop it may open."""
    seat = state.turn.seat
    me = state.players[seat]
    bonus, craftsmen, workshops = state.bonus, state.craftsmen, state.workshops
    if workshops[patron] == seat and bonus:
        bonus -= 1
        me = replace(me, bonus=me.bonus + 1)
        events.append(Event("valdora.event.bonus", seat, {"patron": COLOURS[patron]}))
    ring = (*range(patron, len(COLOURS)), *range(patron))
    colour = next((colour for colour in ring if craftsmen[colour]), None)
    if colour is not None:
        craftsmen = put(craftsmen, colour, craftsmen[colour] - 1)
        me = replace(me, craftsmen=put(me.craftsmen, colour, me.craftsmen[colour] + 1))
        events.append(Event("valdora.event.craftsman", seat, {"patron": COLOURS[colour]}))
        if workshops[colour] == NOBODY and me.craftsmen[colour] >= c.workshop_needs[colour]:
            workshops = put(workshops, colour, seat)
            events.append(Event("valdora.event.workshop", seat, {"patron": COLOURS[colour]}))
    return replace(state, players=put(state.players, seat, me), bonus=bonus, craftsmen=craftsmen, workshops=workshops)
