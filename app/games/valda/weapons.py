"""Weapons without a moment: anyone may play them whenever the game waits for a decision (DW-9)."""

from itertools import combinations_with_replacement

from app.games.valda.components import Components
from app.games.valda.draft import Draft
from app.games.valda.hands import (
    discarded,
    fetch,
    has_weapon,
    in_discard,
    play_weapon,
    put_away,
    receive,
    steal_random,
    without,
)
from app.games.valda.moves import GJALLARHORN, HEIMDALL, LOKI, ODIN, TYR, Bullseye, Dagger, Move, Thief
from app.games.valda.state import State

_TWO = 2


def legal(c: Components, state: State, seat: int) -> list[Move]:
    me = state.players[seat]
    if not any(c.is_weapon[card] >= 0 for card in (*me.open, *me.hand)):
        return []
    moves: list[Move] = []
    if has_weapon(c, me, ODIN):
        moves += [Bullseye(name) for name in discarded(c, state)]
    if has_weapon(c, me, TYR):
        moves += [*_thefts(c, state, seat)]
    if has_weapon(c, me, HEIMDALL) and discarded(c, state, "defence"):
        moves.append(GJALLARHORN)
    if has_weapon(c, me, LOKI):
        moves += [*_pairs(c, state)]
    return moves


def _thefts(c: Components, state: State, seat: int) -> list[Thief]:
    found: list[Thief] = []
    for other, player in enumerate(state.players):
        if other != seat:
            found += [Thief(other, name) for name in dict.fromkeys(c.names(player.open))]
            if player.hand:
                found.append(Thief(other))
    return found


def _pairs(c: Components, state: State) -> list[Dagger]:
    """Two attack cards; the only one where there are no more."""
    there = [card for card in state.discard if c.cards[card].kind == "attack"]
    names = discarded(c, state, "attack")
    if len(there) == 1:
        return [Dagger((names[0],))]
    counts = {name: sum(1 for card in there if c.cards[card].name == name) for name in names}
    pairs = combinations_with_replacement(names, _TWO)
    return [Dagger(pair) for pair in pairs if pair[0] != pair[1] or counts[pair[0]] > 1]


def bullseye(d: Draft, seat: int, move: Bullseye) -> None:
    weapon = play_weapon(d, seat, ODIN)
    d.say("weapon", seat, weapon="bullseye")
    card = in_discard(d.c, d, move.card)
    assert card is not None  # noqa: S101 it is legal
    fetch(d, seat, card)
    put_away(d, weapon)  # after the choice: it cannot fetch itself (DW-10)


def thief(d: Draft, seat: int, move: Thief) -> None:
    put_away(d, play_weapon(d, seat, TYR))
    d.say("weapon", seat, weapon="thief")
    if move.card is None:
        steal_random(d, seat, move.seat, 1)
        return
    victim = d.players[move.seat]
    card = next(card for card in victim.open if d.c.cards[card].name == move.card)
    d.edit(move.seat, open=without(victim.open, card))
    receive(d, seat, card, openly=True)
    d.say("stole_open", seat, seat_from=move.seat, card=move.card)


def gjallarhorn(d: Draft, seat: int) -> None:
    """The two strongest defence cards; what is there if it is fewer."""
    put_away(d, play_weapon(d, seat, HEIMDALL))
    d.say("weapon", seat, weapon="gjallarhorn")
    shields = sorted(
        (card for card in d.discard if d.c.cards[card].kind == "defence"),
        key=lambda card: (-d.c.cards[card].power, card),
    )
    for card in shields[:_TWO]:
        fetch(d, seat, card)


def dagger(d: Draft, seat: int, move: Dagger) -> None:
    put_away(d, play_weapon(d, seat, LOKI))
    d.say("weapon", seat, weapon="dagger")
    for name in move.cards:
        card = in_discard(d.c, d, name)
        assert card is not None  # noqa: S101
        fetch(d, seat, card)
