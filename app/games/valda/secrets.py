"""A table that a viewer cannot tell from the real one: hidden cards are dealt anew where they could be."""

from msgspec.structs import replace

from app.engine.contract import EVERYONE, Viewer
from app.engine.rng import Rng
from app.games.valda.components import Components
from app.games.valda.hands import could_hold
from app.games.valda.state import Pile, State, Window

# Where a hidden card lies: in a player's hand, or at a place of its deck.
_Slot = tuple[int, int]
_DECK = -1


def resample(c: Components, state: State, viewer: Viewer, rng: Rng) -> State:
    """Each hidden card stays in a hand or deck that it could have come to, for it is known who drew from which deck."""
    if viewer == EVERYONE or state.turn.phase == "over":
        return state
    fixed = [_known(state, seat, viewer) for seat in range(len(state.players))]
    hidden = [_rest(player.hand, known) for player, known in zip(state.players, fixed, strict=True)]
    base = _deal(c, state, rng, 0, list(state.base), [True] * len(state.base), hidden)
    piles = []
    for god, pile in enumerate(state.piles):
        free = [not (viewer >= 0 and bits >> viewer & 1) for bits in pile.seen]
        cards = _deal(c, state, rng, god + 1, list(pile.cards), free, hidden)
        piles.append(Pile(tuple(cards), pile.seen))
    players = tuple(
        replace(player, hand=tuple(sorted([*known, *cards])), known=_certain(player.known, seat, viewer))
        for seat, (player, known, cards) in enumerate(zip(state.players, fixed, hidden, strict=True))
    )
    fresh = Rng(b"".join(word.to_bytes(8, "big") for word in rng.below(*[1 << 64] * 4)))
    window = _answers(state.window, viewer)
    return replace(state, players=players, base=tuple(base), piles=tuple(piles), rng=fresh, window=window)


def _known(state: State, seat: int, viewer: Viewer) -> tuple[int, ...]:
    player = state.players[seat]
    return player.hand if seat == viewer else player.known[viewer]


def _rest(hand: tuple[int, ...], known: tuple[int, ...]) -> list[int]:
    rest = list(hand)
    for card in known:
        rest.remove(card)
    return rest


def _certain(rows: tuple[tuple[int, ...], ...], seat: int, viewer: Viewer) -> tuple[tuple[int, ...], ...]:
    """What others know of a hand: where the viewer cannot know what they do, only what everybody knows."""
    if seat == viewer:
        return rows  # whoever stole from it or put something into it did so before its owner's eyes
    sure = (seat, viewer % len(rows), len(rows) - 1)
    return tuple(row if number in sure else rows[-1] for number, row in enumerate(rows))


def _answers(window: Window | None, viewer: Viewer) -> Window | None:
    """Of those who answer unseen, the viewer knows only of themselves."""
    return window and replace(window, answered=window.answered & (1 << viewer if viewer >= 0 else 0))


def _deal(
    c: Components, state: State, rng: Rng, deck: int, cards: list[int], free: list[bool], hidden: list[list[int]]
) -> list[int]:
    """Mix the hidden cards of one deck, wherever they are; changes the hands, returns the deck."""
    slots: list[_Slot] = [(_DECK, place) for place, is_free in enumerate(free) if is_free]
    slots += [
        (seat, place)
        for seat, hand in enumerate(hidden)
        for place, card in enumerate(hand)
        if c.cards[card].deck == deck
    ]
    pool = sorted(cards[place] if where == _DECK else hidden[where][place] for where, place in slots)
    mixed = rng.shuffled(pool)
    weapon = c.weapons[deck - 1] if deck else None
    if weapon is not None and weapon in pool:
        mixed.remove(weapon)
        there = [number for number, (where, _) in enumerate(slots) if _may_lie(c, state, where, deck - 1)]
        mixed.insert(there[rng.below(len(there))[0]], weapon)
    for (where, place), card in zip(slots, mixed, strict=True):
        if where == _DECK:
            cards[place] = card
        else:
            hidden[where][place] = card
    return cards


def _may_lie(c: Components, state: State, where: int, god: int) -> bool:
    """Whether a weapon can be there: in the deck as long as it was never seen, in a hand that could hold it (DW-12)."""
    if where == _DECK:
        return not state.revealed >> god & 1
    return could_hold(c, state, where, god)
