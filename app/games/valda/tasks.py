"""What a card being played still asks for, and what comes before all else (DT-3, DT-7, DT-11, DK-3 to DK-10)."""

from functools import cache
from typing import Final

from msgspec.structs import replace

from app.engine.tuples import put
from app.games.valda.components import Components
from app.games.valda.draft import Draft
from app.games.valda.gods import LOCK, levels, owned, owner, temples_at
from app.games.valda.hands import (
    discarded,
    draw_hidden,
    draw_open,
    fetch,
    held,
    in_discard,
    look,
    lose_hidden,
    put_away,
    random_cards,
    receive,
    spend,
    suspect,
)
from app.games.valda.moves import (
    BLOOD,
    DIAMOND,
    DONE,
    DRAW,
    FREYA,
    GIVE,
    GODS,
    GOLD,
    NAME,
    RESOURCES,
    TAKE,
    Borrow,
    Convert,
    Discard,
    Draw,
    Exchange,
    Fetch,
    Give,
    Keep,
    Move,
    Name,
    Swap,
    Wander,
)
from app.games.valda.state import CARDS, Pile, State, Task

HAND: Final = 10  # cards at most at the end of the phase (DT-7)


@cache
def discard_of(card: str) -> Discard:
    return Discard(card)


_CONVERT: Final = ((GOLD, Convert("gold")), (DIAMOND, Convert("diamond")))


def task_moves(c: Components, state: State | Draft) -> list[Move]:
    """What the player whose turn it is may do next with the card that is being played, or must do."""
    task = state.task
    assert task is not None  # noqa: S101 nobody asks otherwise
    seat = state.turn.seat
    me = state.players[seat]
    moves: list[Move] = []
    match task.kind:
        case "draw":
            moves = [DRAW[0], *(DRAW[god + 1] for god in owned(state, seat) if state.piles[god].cards)]
        case "discard":
            moves = [discard_of(name) for name in dict.fromkeys(c.names(me.hand))]
        case "keep":
            pile = state.piles[task.picks[0]]
            moves = [Keep(name) for name in dict.fromkeys(c.names(pile.cards[-2:]))]
        case "drakkar":
            moves = [NAME[god] for god, pile in enumerate(state.piles) if len(pile.cards) > task.picks.count(god)]
        case "bifrost":
            moves = [NAME[god] for god, pile in enumerate(state.piles) if pile.cards and god not in task.picks]
        case "sacrifice":
            moves = [discard_of(name) for name in dict.fromkeys(c.names((*me.open, *me.hand)))]
        case "leader":
            if state.supply[BLOOD]:
                moves = [convert for number, convert in _CONVERT if me.goods[number]]
        case "war":
            moves = [Fetch(name) for name in discarded(c, state, "defence")]
        case "embers":
            moves = [Fetch(name) for name in discarded(c, state, "attack")]
        case "watcher":
            moves = [TAKE[resource] for resource, left in enumerate(state.supply) if left]
        case "shapeshifter":
            moves = [*_swaps(state, task)]
        case "barter":
            moves = [*_exchanges(state, task)]
        case "favour":
            moves = [*_loans(state)]
        case "shrine":
            moves = [*_ways(c, state)]
    if task.cards:
        moves.append(DONE)
    return moves


def _others(state: State | Draft) -> list[int]:
    return [seat for seat in range(len(state.players)) if seat != state.turn.seat]


def _swaps(state: State | Draft, task: Task) -> list[Swap]:
    mine = len(state.players[state.turn.seat].hand)
    return [
        Swap(other, count)
        for other in _others(state)
        for count in range(1, min(task.left, mine, len(state.players[other].hand)) + 1)
    ]


def _exchanges(state: State | Draft, task: Task) -> list[Exchange]:
    """One for one, with one player, no kind both ways; picks are the player, then what was given and taken as bits."""
    partner, gave, took = task.picks or (-1, 0, 0)
    mine = state.players[state.turn.seat].goods
    return [
        Exchange(other, RESOURCES[give], RESOURCES[take])
        for other in _others(state)
        if partner in (-1, other)
        for give in range(3)
        if mine[give] and not took >> give & 1
        for take in range(3)
        if take != give and state.players[other].goods[take] and not gave >> take & 1
    ]


def _loans(state: State | Draft) -> list[Borrow]:
    seat = state.turn.seat
    most = [max(state.players[other].temples[god] for other in _others(state)) for god in range(len(GODS))]
    return [
        Borrow(name, level)
        for god, name in enumerate(GODS)
        for level in (1, 2)
        if most[god] >= level and not levels(state, seat, god)[level - 1]
    ]


def _ways(c: Components, state: State | Draft) -> list[Wander]:
    seat = state.turn.seat
    free = [god for god in range(len(GODS)) if temples_at(state, god) < c.sites and owner(state, god) in (None, seat)]
    return [
        Wander(GODS[here], GODS[there])
        for here, count in enumerate(state.players[seat].temples)
        if count
        for there in free
        if there != here
    ]


def toll_moves(state: State, seat: int) -> list[Give]:
    return [GIVE[resource] for resource, count in enumerate(state.players[seat].goods) if count]


def finish_card(d: Draft) -> None:
    """The effect is done."""
    task = d.task
    assert task is not None  # noqa: S101
    if task.kind == "drakkar":
        for god in task.picks:
            draw_hidden(d, d.turn.seat, god + 1, 1)
    d.task = None
    put_away(d, *task.cards)


def settle(d: Draft) -> bool:
    """Whether the task that nothing can be added to has ended by itself."""
    task = d.task
    if task is None:
        return False
    if task.kind == "toll":
        if any(task.picks):
            return False
    elif task.cards:
        if task.left and len(task_moves(d.c, d)) > 1:
            return False
    elif task.kind == "draw":
        if task.left:
            return False
    elif task.kind == "discard":
        if len(d.players[d.turn.seat].hand) > HAND:
            return False
    else:
        return False
    if task.cards:
        finish_card(d)
    d.task = None
    return True


def draw(d: Draft, move: Draw) -> None:
    seat, task = d.turn.seat, d.task
    assert task is not None  # noqa: S101
    deck = DRAW.index(move)
    if levels(d, seat, FREYA)[0]:
        draw_hidden(d, seat, deck, 1)
    else:
        draw_open(d, seat, deck)
    d.task = replace(task, left=task.left - 1)


def discard(d: Draft, move: Discard) -> None:
    seat, task = d.turn.seat, d.task
    assert task is not None  # noqa: S101
    card = held(d.c, d.players[seat], move.card)
    assert card is not None  # noqa: S101
    spend(d, seat, card)
    put_away(d, card)
    d.say("discarded", seat, card=move.card)
    if task.kind == "sacrifice":
        d.task = replace(task, left=task.left - 1)
        d.win(seat, 2 if task.doubled else 1, CARDS)


def name(d: Draft, move: Name) -> None:
    task = d.task
    assert task is not None  # noqa: S101
    god = GODS.index(move.god)
    d.task = replace(task, left=task.left - 1, picks=(*task.picks, god))
    if task.kind == "bifrost":
        _look(d, god)
    else:
        d.say("named", d.turn.seat, deck=move.god)


def _look(d: Draft, god: int) -> None:
    look(d, d.turn.seat, god)
    d.say("looked", d.turn.seat, deck=GODS[god], card_secret=d.c.names(d.piles[god].cards[-1:]))


def look_at_all(d: Draft, most: int) -> None:
    """Where there are no more decks than may be looked at there is nothing to choose (DK-4)."""
    there = [god for god, pile in enumerate(d.piles) if pile.cards]
    if len(there) <= most:
        for god in there:
            _look(d, god)
        d.task = replace(d.task, left=0) if d.task else None


def convert(d: Draft, move: Convert) -> None:
    seat, task = d.turn.seat, d.task
    assert task is not None  # noqa: S101
    paid = RESOURCES.index(move.resource)
    d.pay(seat, tuple(int(resource == paid) for resource in range(3)))
    d.say("converted", seat, resource=move.resource)
    d.gain(seat, BLOOD, 1)
    d.task = replace(task, left=task.left - 1)


def fetch_card(d: Draft, move: Fetch) -> None:
    task = d.task
    assert task is not None  # noqa: S101
    card = in_discard(d.c, d, move.card)
    assert card is not None  # noqa: S101
    fetch(d, d.turn.seat, card)
    d.task = replace(task, left=task.left - 1)


def swap(d: Draft, move: Swap) -> None:
    """Both draws before the exchange (DK-10)."""
    seat, task = d.turn.seat, d.task
    assert task is not None  # noqa: S101
    mine = random_cards(d, seat, move.count)
    theirs = random_cards(d, move.seat, move.count)
    for card in mine:
        lose_hidden(d, seat, move.seat, card)
    for card in theirs:
        lose_hidden(d, move.seat, seat, card)
    for card in mine:
        receive(d, move.seat, card, also=seat)
    for card in theirs:
        receive(d, seat, card, also=move.seat)
    d.say(
        "swapped",
        seat,
        seat_from=move.seat,
        count=move.count,
        card_secret=d.c.names(tuple(mine)),
        card_secret_back=d.c.names(tuple(theirs)),
    )
    d.task = replace(task, left=0)


def exchange(d: Draft, move: Exchange) -> None:
    seat, task = d.turn.seat, d.task
    assert task is not None  # noqa: S101
    give, take = RESOURCES.index(move.give), RESOURCES.index(move.take)
    _, gave, took = task.picks or (0, 0, 0)
    d.hand_over(seat, move.seat, give, 1)
    d.hand_over(move.seat, seat, take, 1)
    d.say("bartered", seat, seat_from=move.seat, resource_given=move.give, resource=move.take)
    d.task = replace(task, left=task.left - 1, picks=(move.seat, gave | 1 << give, took | 1 << take))


def borrow(d: Draft, move: Borrow) -> None:
    task = d.task
    assert task is not None  # noqa: S101
    d.turn = replace(d.turn, borrowed=(*d.turn.borrowed, (GODS.index(move.god), move.level)))
    d.say("borrowed", d.turn.seat, god=move.god, level=move.level)
    d.task = replace(task, left=task.left - 1)


def wander(d: Draft, move: Wander) -> None:
    seat, task = d.turn.seat, d.task
    assert task is not None  # noqa: S101
    here, there = GODS.index(move.god_from), GODS.index(move.god)
    temples = d.players[seat].temples
    temples = put(temples, here, temples[here] - 1)
    d.edit(seat, temples=put(temples, there, temples[there] + 1))
    d.say("wandered", seat, god_from=move.god_from, god=move.god)
    if temples[there] + 1 == LOCK:
        d.say("locked", seat, god=move.god)
    d.task = replace(task, left=task.left - 1)


def begin_toll(d: Draft, cards: tuple[int, ...], amount: int) -> None:
    """Each other player owes; who has no choice gives at once."""
    owes = [0] * len(d.players)
    for seat in _others(d):
        goods = d.players[seat].goods
        owes[seat] = min(amount, sum(goods))
        kinds = [resource for resource, count in enumerate(goods) if count]
        if owes[seat] == sum(goods) or len(kinds) == 1:
            for resource in kinds:
                _give(d, seat, resource, min(goods[resource], owes[seat]))
            owes[seat] = 0
    d.task = Task("toll", 0, cards, tuple(owes))
    if any(owes):
        d.bar("turn")


def _give(d: Draft, seat: int, resource: int, count: int) -> None:
    d.hand_over(seat, d.turn.seat, resource, count)
    d.say("gave", seat, seat_to=d.turn.seat, resource=RESOURCES[resource], count=count)


def give(d: Draft, seat: int, move: Give) -> None:
    task = d.task
    assert task is not None  # noqa: S101
    _give(d, seat, RESOURCES.index(move.resource), 1)
    d.task = replace(task, picks=put(task.picks, seat, task.picks[seat] - 1))
    d.bar("turn")
    if any(d.task.picks):
        d.moment -= 1  # what the others are asked stays the same


def keep(d: Draft, seat: int, move: Keep) -> None:
    """One of the two into the hand, the other under the deck (DT-11)."""
    task = d.task
    assert task is not None  # noqa: S101
    god = task.picks[0]
    pile = d.piles[god]
    two = pile.cards[-2:]
    kept = next(card for card in two if d.c.cards[card].name == move.card)
    other = two[0] if kept == two[1] else two[1]
    d.piles = put(d.piles, god, Pile((other, *pile.cards[:-2]), (1 << seat, *pile.seen[:-2])))
    receive(d, seat, kept)
    suspect(d, seat, god)
    d.bar("secret")
    d.say("kept", seat, deck=GODS[god], card_secret=d.c.names((kept,)))
    d.task = None
