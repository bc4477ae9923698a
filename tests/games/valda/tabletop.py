"""Sets up the table a test needs, in the words of the game; no card and no cube is lost on the way."""

from collections.abc import Iterable
from functools import cache
from typing import Any

from msgspec.structs import replace

from app.engine.contract import Event, Refusal
from app.engine.rng import Rng
from app.engine.tuples import put
from app.games.valda import Valda, load
from app.games.valda.hands import without
from app.games.valda.moves import DECKS, END_PHASE, GODS, PASS, RESOURCES, STAND, Addition, Attack, Deck, Move, Shield
from app.games.valda.state import CARDS, SOURCES, Options, Phase, Pile, Player, State, Turn

GAME: Valda = load()
BOX = GAME.box
WEAPONS = tuple(f"weapon_{god}" for god in GODS)


# Tables


def new_table(seats: int = 3, seed: str = "tabletop", **options: Any) -> State:
    """Seat 0 begins."""
    return GAME.setup(Options(start="first_seat", **options), seats, seed)


def bare_table(seats: int = 3) -> State:
    """Nobody has cards or resources yet; seat 0 begins."""
    state = new_table(seats)
    for seat in range(seats):
        state = replace(state, base=(*state.players[seat].hand, *state.base))
        state = with_goods(edit(state, seat, hand=()), seat)
    return state


def at(phase: Phase, state: State, seat: int = 0, **turn: Any) -> State:
    """The seat is in this phase of its turn; in the second one with three actions, after the dice and the draws."""
    begun = {"rolled": phase != "followers", "actions": 3} if phase != "resources" else {}
    return replace(state, turn=Turn(seat, phase, **{**begun, **turn}))


def edit(state: State, seat: int, **changes: Any) -> State:
    return replace(state, players=put(state.players, seat, replace(state.players[seat], **changes)))


def with_goods(state: State, seat: int, blood: int = 0, gold: int = 0, diamond: int = 0) -> State:
    """The seat has just these; the rest is in the supply."""
    goods = (blood, gold, diamond)
    supply = tuple(
        left + had - has for left, had, has in zip(state.supply, state.players[seat].goods, goods, strict=True)
    )
    return replace(edit(state, seat, goods=goods), supply=supply)


def with_temples(state: State, seat: int, **temples: int) -> State:
    assert set(temples) <= set(GODS)
    return edit(state, seat, temples=tuple(temples.get(god, 0) for god in GODS))


def with_followers(state: State, *followers: int) -> State:
    """So many for the first seats, all of them from cards."""
    for seat, count in enumerate(followers):
        sources = tuple(count if source == CARDS else 0 for source in range(len(SOURCES)))
        state = edit(state, seat, followers=count, sources=sources)
    return state


# Cards


def card(name: str, deck: Deck | None = None) -> int:
    """The number of the card, in this deck or in the first that has it."""
    return next(found for found in BOX.named[name] if deck in (None, DECKS[BOX.cards[found].deck]))


def _find(state: State, name: str, deck: Deck | None) -> int:
    """A copy that lies in a deck or in the discard, if there is one."""
    lying = {*state.base, *state.discard, *(found for pile in state.piles for found in pile.cards)}
    numbers = [found for found in BOX.named[name] if deck in (None, DECKS[BOX.cards[found].deck])]
    return next((found for found in numbers if found in lying), numbers[0])


def _take_out(state: State, name: str, deck: Deck | None = None) -> tuple[State, int]:
    """One copy from where it lies, the lowest of a deck."""
    found = _find(state, name, deck)
    if found in state.base:
        return replace(state, base=without(state.base, found)), found
    for god, pile in enumerate(state.piles):
        if found in pile.cards:
            place = pile.cards.index(found)
            seen = pile.seen[:place] + pile.seen[place + 1 :]
            return replace(state, piles=put(state.piles, god, Pile(without(pile.cards, found), seen))), found
    if found in state.discard:
        return replace(state, discard=without(state.discard, found)), found
    for seat, player in enumerate(state.players):
        if found in player.hand:
            known = tuple(without(row, found) if found in row else row for row in player.known)
            return edit(state, seat, hand=without(player.hand, found), known=known), found
    raise AssertionError(f"all cards {name} are in use")


def _seen(state: State, found: int) -> State:
    """Everybody has seen the card: of a weapon they know now where it is."""
    god = BOX.is_weapon[found]
    if god < 0:
        return state
    return replace(state, suspects=put(state.suspects, god, 0), revealed=state.revealed | 1 << god)


def suspected(state: State, seat: int, *gods: str) -> State:
    """The seat has drawn hidden from these decks."""
    for god in gods:
        number = [*GODS].index(god)  # type: ignore[arg-type]
        state = replace(state, suspects=put(state.suspects, number, state.suspects[number] | 1 << seat))
    return state


def give(state: State, seat: int, *names: str, deck: Deck | None = None) -> State:
    """Hidden cards; who has one of a god's deck has drawn hidden from it, as everybody knows."""
    for name in names:
        state, found = _take_out(state, name, deck)
        god = BOX.is_weapon[found]
        assert god < 0 or not state.revealed >> god & 1, "a weapon that was seen cannot be hidden again"
        state = edit(state, seat, hand=tuple(sorted((*state.players[seat].hand, found))))
        if BOX.cards[found].deck:
            state = suspected(state, seat, DECKS[BOX.cards[found].deck])
    return state


def give_known(state: State, seat: int, *names: str, deck: Deck | None = None) -> State:
    """Cards that everybody has seen go into the hand."""
    for name in names:
        state, found = _take_out(state, name, deck)
        me = state.players[seat]
        known = tuple(row if viewer == seat else tuple(sorted((*row, found))) for viewer, row in enumerate(me.known))
        state = _seen(edit(state, seat, hand=tuple(sorted((*me.hand, found))), known=known), found)
    return state


def lay_open(state: State, seat: int, *names: str) -> State:
    """Face-up cards before the seat."""
    for name in names:
        state, found = _take_out(state, name)
        state = _seen(edit(state, seat, open=(*state.players[seat].open, found)), found)
    return state


def with_discard(state: State, *names: str) -> State:
    """These lie in the discard, the last on top."""
    for name in names:
        state, found = _take_out(state, name)
        state = _seen(replace(state, discard=(*state.discard, found)), found)
    return state


def on_top(state: State, deck: Deck, *names: str) -> State:
    """These are the next cards of the deck, the first the topmost."""
    for name in reversed(names):
        state, found = _take_out(state, name, deck)
        if deck == "base":
            state = replace(state, base=(*state.base, found))
        else:
            god = DECKS.index(deck) - 1
            pile = state.piles[god]
            state = replace(state, piles=put(state.piles, god, Pile((*pile.cards, found), (*pile.seen, 0))))
    return state


def exhausted(state: State, deck: Deck, left: int = 0) -> State:
    """Of the deck only the top cards are left, the others are in the discard."""
    if deck == "base":
        cut = len(state.base) - left
        return replace(state, base=state.base[cut:], discard=(*state.discard, *state.base[:cut]))
    god = DECKS.index(deck) - 1
    pile = state.piles[god]
    cut = len(pile.cards) - left
    for found in pile.cards[:cut]:
        state = _seen(state, found)
    kept = Pile(pile.cards[cut:], pile.seen[cut:])
    return replace(state, piles=put(state.piles, god, kept), discard=(*state.discard, *pile.cards[:cut]))


def hoarded(state: State, seat: int) -> State:
    """The seat holds the whole base deck: there is no base card to draw or to shuffle."""
    return edit(replace(state, base=()), seat, hand=tuple(sorted((*state.players[seat].hand, *state.base))))


def deck_of(state: State, deck: Deck) -> list[str]:
    """The names from the top."""
    cards = state.base if deck == "base" else state.piles[DECKS.index(deck) - 1].cards
    return list(BOX.names(cards))[::-1]


def hand(state: State, seat: int = 0) -> list[str]:
    return sorted(BOX.names(state.players[seat].hand))


def known(state: State, seat: int, viewer: int = -1) -> list[str]:
    """What a seat, or else everybody, knows to be in this hand."""
    return sorted(BOX.names(state.players[seat].known[viewer]))


def face_up(state: State, seat: int = 0) -> list[str]:
    return list(BOX.names(state.players[seat].open))


def discard(state: State) -> list[str]:
    return list(BOX.names(state.discard))


def goods(state: State, seat: int = 0) -> tuple[int, ...]:
    """Blood, gold, diamonds."""
    return state.players[seat].goods


def followers(state: State, seat: int = 0) -> int:
    return state.players[seat].followers


def temples(state: State, seat: int = 0) -> dict[str, int]:
    return {god: count for god, count in zip(GODS, state.players[seat].temples, strict=True) if count}


def player(state: State, seat: int = 0) -> Player:
    return state.players[seat]


# Dice


@cache
def _stream(*shown: str) -> Rng:
    """Chance whose next roll of dice shows this; what the dice are follows from it."""
    colours = [0 if what.startswith(("gold", "diamond")) else 1 if what.startswith("blood") else 2 for what in shown]
    things = (*RESOURCES, "followers")
    for seed in range(200_000):
        faces = Rng.seeded(f"dice {seed}").below(*(6 for _ in shown))
        up = [BOX.dice[colour][face] for colour, face in zip(colours, faces, strict=True)]
        if [f"{things[what]} {count}" for what, count in up] == [*shown]:
            return Rng.seeded(f"dice {seed}")
    raise AssertionError(f"dice cannot show {shown}")


def rigged(state: State, *shown: str) -> State:
    """The next roll shows this, one for each die: "gold 2", "blood 1", "followers -2"."""
    return replace(state, rng=_stream(*shown).copy())


# Moves


def legal(state: State, seat: int = 0) -> list[Move]:
    return list(GAME.legal(state, seat))


def offered(state: State, seat: int, kind: type[Any]) -> list[Any]:
    """The seat's legal moves of this kind."""
    return [move for move in legal(state, seat) if isinstance(move, kind)]


def play(state: State, seat: int, *moves: Move) -> State:
    return play_and_tell(state, seat, *moves)[0]


def play_and_tell(state: State, seat: int, *moves: Move) -> tuple[State, list[Event]]:
    """The table after these moves, each of which must be legal and leave a sound table, and what happened."""
    assert GAME.faults(state) == []
    events: list[Event] = []
    for move in moves:
        assert move in GAME.legal(state, seat), GAME.explain(state, seat, move)
        step = GAME.apply(state, seat, move)
        assert GAME.faults(step.state) == []
        state = step.state
        events += step.events
    return state, events


def keys(events: Iterable[Event]) -> list[str]:
    return [event.key.removeprefix("valda.event.") for event in events]


def refused(state: State, seat: int, move: Move) -> Refusal:
    """Why the move, which must not be offered, is not allowed."""
    assert GAME.faults(state) == []
    assert move not in GAME.legal(state, seat)
    refusal = GAME.explain(state, seat, move)
    assert refusal is not None
    return refusal


def pass_window(state: State) -> State:
    """Everybody who is asked lets the moment go by."""
    for seat in GAME.awaited(state):
        state = play(state, seat, PASS)
    return state


# Attacks


def until(state: State, seat: int) -> State:
    """The attackers before this one pass."""
    if state.raid is None:
        state = play(state, state.turn.seat, END_PHASE)
    while GAME.to_act(state) != (seat,):
        state = play(state, GAME.to_act(state)[0], PASS)
    return state


def attacked(state: State, seat: int, name: str, *weapons: Addition) -> State:
    """The seat attacks whose turn it is; the answer is to come."""
    return play(until(state, seat), seat, Attack(name, weapons))


def defended(state: State, *shields: str) -> State:
    """Whoever is attacked answers with these."""
    assert state.raid is not None
    return play(state, state.raid.target, *(Shield(name) for name in shields), STAND)
