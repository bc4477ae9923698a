"""Cards that move, and what everybody knows of them (DK-15, DW-12)."""

from app.engine.tuples import put
from app.games.valda.components import Components
from app.games.valda.draft import Draft
from app.games.valda.moves import DECKS, GODS
from app.games.valda.state import Pile, Player, State


def without(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    """The same cards with one fewer of this kind."""
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


def _less(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    return without(cards, card) if card in cards else cards


def _more(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    return tuple(sorted((*cards, card)))


# Looking


def held(c: Components, me: Player, name: str) -> int | None:
    """The card of this name that would be used: a face-up one goes first (DT-4), then one that everybody knows of.

    Equal cards of other decks may lie hidden beside it; which one is used must not tell of them.
    """
    for cards in (me.open, me.known[-1], me.hand):
        for card in c.named.get(name, ()):
            if card in cards:
                return card
    return None


def has_weapon(c: Components, me: Player, god: int) -> bool:
    weapon = c.weapons[god]
    return weapon in me.hand or weapon in me.open


def could_hold(c: Components, state: State | Draft, seat: int, god: int) -> bool:
    """By what everybody knows (DW-12)."""
    me = state.players[seat]
    weapon = c.weapons[god]
    if weapon in me.open or weapon in me.known[-1]:
        return True
    return bool(state.suspects[god] >> seat & 1) and len(me.hand) > len(me.known[-1])


def who_could(c: Components, state: State | Draft, god: int) -> int:
    """All who could hold a god's weapon, as bits."""
    return sum(1 << seat for seat in range(len(state.players)) if could_hold(c, state, seat, god))


# Moving


def receive(d: Draft, seat: int, card: int, openly: bool = False, also: int = -1) -> None:
    """A card comes into a hand, seen by all or by one more seat, or hidden."""
    me = d.players[seat]
    known = me.known
    if openly:
        known = tuple(row if viewer == seat else _more(row, card) for viewer, row in enumerate(known))
    elif also >= 0:
        known = put(known, also, _more(known[also], card))
    d.edit(seat, hand=_more(me.hand, card), known=known)


def spend(d: Draft, seat: int, card: int) -> None:
    """A card leaves the player's cards before everybody's eyes."""
    me = d.players[seat]
    if card in me.open:
        d.edit(seat, open=without(me.open, card))
    else:
        if card not in me.known[-1]:
            d.bar("secret")
        d.edit(seat, hand=without(me.hand, card), known=tuple(_less(row, card) for row in me.known))
    show(d, card)


def show(d: Draft, card: int) -> None:
    """Everybody sees a card; of a weapon they then know where it is."""
    god = d.c.is_weapon[card]
    if god >= 0:
        d.suspects[god] = 0
        d.revealed |= 1 << god


def put_away(d: Draft, *cards: int) -> None:
    d.discard = (*d.discard, *cards)


def play_weapon(d: Draft, seat: int, god: int) -> int:
    """A weapon is shown; the card, which is still to be put somewhere."""
    weapon = d.c.weapons[god]
    spend(d, seat, weapon)
    return weapon


def draw_base(d: Draft) -> int | None:
    """The top card; an empty deck is made anew of the base cards in the discard (DK-15)."""
    if not d.base:
        again = [card for card in d.discard if d.c.cards[card].deck == 0]
        if not again:
            return None
        d.base = tuple(d.rng.shuffled(again))
        d.discard = tuple(card for card in d.discard if d.c.cards[card].deck)
        d.bar("chance")
        d.say("reshuffled", d.turn.seat)
    card, d.base = d.base[-1], d.base[:-1]
    return card


def draw_god(d: Draft, god: int) -> int | None:
    pile = d.piles[god]
    if not pile.cards:
        return None
    d.piles = put(d.piles, god, Pile(pile.cards[:-1], pile.seen[:-1]))
    return pile.cards[-1]


def suspect(d: Draft, seat: int, god: int) -> None:
    """The seat has drawn hidden from a god's deck, in which the weapon may have been."""
    if not d.revealed >> god & 1:
        d.suspects[god] |= 1 << seat


def draw_hidden(d: Draft, seat: int, deck: int, count: int) -> None:
    """Cards into the hand; deck 0 is the base deck, then come the gods'."""
    got: list[int] = []
    for _ in range(count):
        card = draw_base(d) if deck == 0 else draw_god(d, deck - 1)
        if card is None:
            break
        receive(d, seat, card)
        got.append(card)
    if not got:
        d.say("no_card", seat, deck=DECKS[deck])
        return
    d.bar("secret")
    if deck:
        suspect(d, seat, deck - 1)
    d.say("drew", seat, deck=DECKS[deck], count=len(got), card_secret=d.c.names(tuple(got)))


def draw_open(d: Draft, seat: int, deck: int) -> None:
    card = draw_base(d) if deck == 0 else draw_god(d, deck - 1)
    if card is None:
        d.say("no_card", seat, deck=DECKS[deck])
        return
    d.bar("secret")
    show(d, card)
    d.edit(seat, open=(*d.players[seat].open, card))
    d.say("drew_open", seat, deck=DECKS[deck], card=d.c.cards[card].name)


def look(d: Draft, seat: int, god: int, depth: int = 1) -> None:
    """The seat has seen the top cards of a god's deck."""
    pile = d.piles[god]
    first = max(len(pile.cards) - depth, 0)
    seen = (*pile.seen[:first], *(bits | 1 << seat for bits in pile.seen[first:]))
    d.piles = put(d.piles, god, Pile(pile.cards, seen))
    d.bar("secret")


def random_cards(d: Draft, seat: int, count: int) -> list[int]:
    hand = d.players[seat].hand
    if not hand or not count:
        return []
    d.bar("chance")
    return d.rng.shuffled(hand)[:count]


def lose_hidden(d: Draft, victim: int, taker: int, card: int) -> None:
    """A card leaves a hand, seen by the two; for all others one of each kind they knew there is no longer certain."""
    me = d.players[victim]
    public = me.known[-1]
    rows = []
    for viewer, row in enumerate(me.known):
        if viewer == taker:
            rows.append(_less(row, card))
        else:
            rows.append(tuple(_less_each(row)))
    for god in range(len(GODS)):
        if could_hold(d.c, d, victim, god) and d.c.weapons[god] not in me.open:
            d.suspects[god] |= 1 << taker
            if d.c.weapons[god] in public:
                d.suspects[god] |= 1 << victim
    d.edit(victim, hand=without(me.hand, card), known=tuple(rows))


def _less_each(cards: tuple[int, ...]) -> tuple[int, ...]:
    """One fewer of each kind."""
    return tuple(card for place, card in enumerate(cards) if place and cards[place - 1] == card)


def steal_random(d: Draft, thief: int, victim: int, count: int) -> None:
    got = random_cards(d, victim, count)
    if not got:
        d.say("nothing_to_steal", thief, seat_from=victim)
        return
    for card in got:
        lose_hidden(d, victim, thief, card)
        receive(d, thief, card, also=victim)
    d.say("stole_cards", thief, seat_from=victim, count=len(got), card_secret=d.c.names(tuple(got)))


def fetch(d: Draft, seat: int, card: int) -> None:
    """From the discard into the hand, before everybody's eyes."""
    d.discard = without(d.discard, card)
    receive(d, seat, card, openly=True)
    d.say("fetched", seat, card=d.c.cards[card].name)


def in_discard(c: Components, state: State | Draft, name: str) -> int | None:
    """The card of this name in the discard that would be taken."""
    for card in c.named.get(name, ()):
        if card in state.discard:
            return card
    return None


def discarded(c: Components, state: State | Draft, kind: str | None = None) -> list[str]:
    """The names of the cards in the discard, of one kind or all, each once."""
    there = sorted(set(state.discard))
    return list(dict.fromkeys(c.cards[card].name for card in there if kind in (None, c.cards[card].kind)))
