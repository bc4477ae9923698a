"""The second phase: draws, three actions, and what yellow cards do at once (DT-3 to DT-7, DK-1 to DK-10)."""

from functools import cache
from typing import Final

from msgspec.structs import replace

from app.games.valda import dice, tasks
from app.games.valda.components import Components
from app.games.valda.draft import Draft
from app.games.valda.gods import levels, owned
from app.games.valda.hands import (
    draw_hidden,
    draw_open,
    has_weapon,
    held,
    play_weapon,
    put_away,
    receive,
    spend,
)
from app.games.valda.moves import (
    DRAW_CARDS,
    END_PHASE,
    FREYA,
    RESOURCES,
    TAKE,
    THOR,
    Move,
    Play,
    Take,
)
from app.games.valda.state import CARDS, Dice, State, Task, TaskKind

ACTIONS: Final = 3

_BASE_LIMIT: Final = 2  # buildings a turn (DT-8)


@cache
def play_of(card: str, hammer: bool) -> Play:
    return Play(card, hammer)


def begin(d: Draft) -> None:
    """Two draws, or three (DT-3); the owner of an area chooses the deck of each."""
    seat = d.turn.seat
    count = 3 if levels(d, seat, FREYA)[1] else 2
    d.turn = replace(d.turn, phase="actions", actions=ACTIONS)
    if any(d.piles[god].cards for god in owned(d, seat)):
        d.task = Task("draw", count)
    elif levels(d, seat, FREYA)[0]:
        draw_hidden(d, seat, 0, count)
    else:
        for _ in range(count):
            draw_open(d, seat, 0)


def end(d: Draft) -> None:
    """The face-up cards join the hand, still known to all; whoever has too many discards (DT-4, DT-7)."""
    seat = d.turn.seat
    face_up = d.players[seat].open
    d.edit(seat, open=())
    for card in face_up:
        receive(d, seat, card, openly=True)
    d.task = Task("discard", 0)


def legal(c: Components, state: State) -> list[Move]:
    """Actions, while no card is being played."""
    turn = state.turn
    me = state.players[turn.seat]
    hammer = has_weapon(c, me, THOR)
    moves: list[Move] = []
    for name in _yellow(c, (*me.open, *me.hand), turn.actions > 0):
        moves.append(play_of(name, False))
        if hammer:
            moves.append(play_of(name, True))
    if turn.actions:
        moves += [TAKE[resource] for resource, left in enumerate(state.supply) if left]
        if levels(state, turn.seat, FREYA)[0]:
            moves.append(DRAW_CARDS[0])
        if turn.actions > 1:
            moves.append(DRAW_CARDS[1])
    moves.append(END_PHASE)
    return moves


def _yellow(c: Components, cards: tuple[int, ...], actions: bool) -> dict[str, None]:
    return {
        c.cards[card].name: None for card in cards if c.cards[card].kind == "yellow" and (actions or c.cards[card].free)
    }


def take(d: Draft, move: Take) -> None:
    seat = d.turn.seat
    if d.task:
        d.task = replace(d.task, left=d.task.left - 1)
    else:
        d.turn = replace(d.turn, actions=d.turn.actions - 1)
    d.gain(seat, RESOURCES.index(move.resource), 1)


def draw_cards(d: Draft, count: int) -> None:
    d.turn = replace(d.turn, actions=d.turn.actions - count)
    draw_hidden(d, d.turn.seat, 0, count)


def play(d: Draft, move: Play) -> None:
    """A yellow card, put before everybody until its effect is done (DT-6)."""
    seat = d.turn.seat
    number = held(d.c, d.players[seat], move.card)
    assert number is not None  # noqa: S101 it is legal
    card = d.c.cards[number]
    if not card.free:
        d.turn = replace(d.turn, actions=d.turn.actions - 1)
    spend(d, seat, number)
    cards = [number]
    d.say("played.hammer" if move.hammer else "played", seat, card=card.name)
    if move.hammer:
        cards.append(play_weapon(d, seat, THOR))
    _take_effect(d, number, tuple(cards), 2 if move.hammer else 1)


_TASKS: Final[dict[str, TaskKind]] = {
    "drakkar": "drakkar",
    "bifrost": "bifrost",
    "leader": "leader",
    "war": "war",
    "embers": "embers",
    "watcher": "watcher",
    "shapeshifter": "shapeshifter",
    "barter": "barter",
    "favour": "favour",
    "shrine": "shrine",
}


def _take_effect(d: Draft, number: int, cards: tuple[int, ...], times: int) -> None:
    seat, card = d.turn.seat, d.c.cards[number]
    amount = card.amount * times
    match card.does:
        case "blood" | "gold" | "diamond":
            d.gain(seat, RESOURCES.index(card.does), amount)
        case "followers":
            d.win(seat, amount, CARDS)
        case "draw":
            draw_hidden(d, seat, 0, amount)
        case "plenty":
            d.turn = replace(d.turn, actions=d.turn.actions + amount)
            d.say("actions", seat, count=amount)
        case "yggdrasil":
            limit = _BASE_LIMIT + (card.amount - _BASE_LIMIT) * times
            d.turn = replace(d.turn, limit=max(d.turn.limit, limit))
            d.say("limit", seat, count=d.turn.limit)
        case "rune":
            dice.roll(d, Dice(seat, "rune", (), cards), (card.die,))
            return
        case "sacrifice":  # up to four cards, for twice as many followers each (DW-6)
            d.task = Task("sacrifice", card.amount, cards, doubled=times > 1)
            return
        case "toll":
            tasks.begin_toll(d, cards, amount)
            return
        case _:
            d.task = Task(_TASKS[card.does], amount, cards, doubled=times > 1)
            if card.does == "bifrost":
                tasks.look_at_all(d, amount)
            return
    put_away(d, *cards)
