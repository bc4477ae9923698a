"""A toy game for the engine's own tests: hidden cards, two seats that may act at once, chance, and steps to take back.

Everybody holds a hidden card. Whoever has not laid theirs may peek (once, at the hidden pile: a secret), count up
as often as they like up to three (can be taken back), roll a die (chance), or lay the card openly (the turn passes on).
"""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from app.engine.contract import EVERYONE, Arg, Card, Event, Game, Outcome, Refusal, Say, ScoreSheet, Seat, Step, Viewer
from app.engine.rng import Rng


class Do(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="do"):
    what: str


COUNT, PEEK, ROLL, LAY = (Do(what) for what in ("count", "peek", "roll", "lay"))


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    most: int = 3


class State(msgspec.Struct, frozen=True):
    hands: tuple[int, ...]
    pile: int
    counts: tuple[int, ...]
    dice: tuple[int, ...]
    peeked: tuple[bool, ...]
    laid: tuple[bool, ...]
    rng: Rng
    most: int = 3


class View(msgspec.Struct, frozen=True):
    hands: tuple[int | None, ...]
    pile: int | None
    counts: tuple[int, ...]
    dice: tuple[int, ...]
    laid: tuple[bool, ...]


DECK: Final = 10


def put(things: tuple[Any, ...], place: int, thing: Any) -> tuple[Any, ...]:
    return (*things[:place], thing, *things[place + 1 :])


class Toy(Game[State, Do, Options]):
    card = Card(name="toy", seats=(2, 3), minutes=1, author="us")
    state_type = State
    move_type = Do
    options_type = Options

    def setup(self, options: Options, seats: int, seed: str) -> State:
        rng = Rng.seeded(seed)
        deck = rng.shuffled(range(DECK))
        no, zero = (False,) * seats, (0,) * seats
        return State(tuple(deck[1 : seats + 1]), deck[0], zero, zero, no, no, rng, options.most)

    def to_act(self, state: State) -> tuple[Seat, ...]:
        return tuple(seat for seat, laid in enumerate(state.laid) if not laid)

    def legal(self, state: State, seat: Seat) -> Sequence[Do]:
        return [move for move in (COUNT, PEEK, ROLL, LAY) if self.explain(state, seat, move) is None]

    def explain(self, state: State, seat: Seat, move: Do) -> Refusal | None:
        if state.laid[seat]:
            return Refusal("T-1", "toy.laid")
        if move == COUNT and state.counts[seat] >= state.most:
            return Refusal("T-2", "toy.counted", {"count": state.most})
        if move == PEEK and state.peeked[seat]:
            return Refusal("T-3", "toy.peeked")
        if move == ROLL and state.dice[seat]:
            return Refusal("T-4", "toy.rolled")
        return None if move in (COUNT, PEEK, ROLL, LAY) else Refusal("T-5", "toy.unknown")

    def apply(self, state: State, seat: Seat, move: Do) -> Step[State]:
        if move == COUNT:
            counts = put(state.counts, seat, state.counts[seat] + 1)
            return Step(replace(state, counts=counts), (Event("toy.counts", seat),))
        if move == PEEK:
            after = replace(state, peeked=put(state.peeked, seat, True))
            return Step(after, (Event("toy.peeks", seat, {"card": state.pile}),), "secret")
        if move == ROLL:
            rng = state.rng.copy()
            die = rng.below(6)[0] + 1
            after = replace(state, dice=put(state.dice, seat, die), rng=rng)
            return Step(after, (Event("toy.rolls", seat, {"die": die}),), "chance")
        after = replace(state, laid=put(state.laid, seat, True))
        return Step(after, (Event("toy.lays", seat),), "turn")

    def view(self, state: State, viewer: Viewer) -> msgspec.Struct:
        over = all(state.laid) or viewer == EVERYONE
        return View(
            tuple(card if over or seat == viewer else None for seat, card in enumerate(state.hands)),
            state.pile if over or (viewer >= 0 and state.peeked[viewer]) else None,
            state.counts,
            state.dice,
            state.laid,
        )

    def redact(self, event: Event, viewer: Viewer) -> Event | None:
        if event.key == "toy.peeks" and viewer not in (event.seat, EVERYONE):
            return Event(event.key, event.seat)
        return event

    def resample(self, state: State, viewer: Viewer, rng: Rng) -> State:
        if viewer == EVERYONE or all(state.laid):
            return state
        own = {viewer: state.hands[viewer]} if viewer >= 0 else {}
        knows_pile = viewer >= 0 and state.peeked[viewer]
        known = {*own.values(), *([state.pile] if knows_pile else [])}
        deck = rng.shuffled(card for card in range(DECK) if card not in known)
        hands = tuple(own[seat] if seat in own else deck.pop() for seat in range(len(state.hands)))
        chance = Rng.seeded(str(rng.below(1 << 60)[0]))
        return replace(state, hands=hands, pile=state.pile if knows_pile else deck.pop(), rng=chance)

    def outcome(self, state: State) -> Outcome | None:
        if not all(state.laid):
            return None
        best = max(self.score_sheet(state).totals)
        winners = tuple(seat for seat, total in enumerate(self.score_sheet(state).totals) if total == best)
        return Outcome(winners, "toy.end", "toy.decided")

    def score_sheet(self, state: State) -> ScoreSheet:
        points = zip(state.counts, state.dice, state.hands, strict=True)
        return ScoreSheet(("toy.count", "toy.die", "toy.hand"), tuple(points))

    def faults(self, state: State) -> list[str]:
        cards = {*state.hands, state.pile}
        return [] if len(cards) == len(state.hands) + 1 else ["a card is there twice"]

    def describe(self, state: State, seat: Seat, move: Do) -> tuple[str, dict[str, Arg]]:
        return f"toy.{move.what}", {}

    def prompt(self, state: State, seat: Seat) -> tuple[str, dict[str, Arg]]:
        return "do", {}

    def text(self, view: Any, say: Say) -> str:
        return str(view)


TOY: Final = Toy()
