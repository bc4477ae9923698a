"""A second toy: several are asked at once and answer unseen, some can answer only one thing, and one may interrupt.

In each round everybody but one is asked whether they pay. Who has no coin can only say no. When the last has answered,
whoever said yes pays openly. Coins are hidden, and so is who was dealt a whistle, to be blown once at any moment.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, Final

import msgspec
from msgspec.structs import replace

from app.engine.contract import EVERYONE, Arg, Card, Event, Game, Outcome, Refusal, Say, ScoreSheet, Seat, Step, Viewer
from app.engine.rng import Rng
from tests.engine.toy import Do, put

YES, NO, BLOW = (Do(what) for what in ("yes", "no", "blow"))
MOST: Final = 2  # coins


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rounds: int = 3
    coins: int | None = None  # everybody's, instead of what chance deals
    whistle: Seat | None = None  # the only seat that has one, instead


class State(msgspec.Struct, frozen=True):
    coins: tuple[int, ...]
    whistles: tuple[bool, ...]
    answers: tuple[Do | None, ...]
    paid: tuple[int, ...]
    blown: tuple[bool, ...]
    round: int
    rounds: int


class View(msgspec.Struct, frozen=True):
    coins: tuple[int | None, ...]
    whistles: tuple[bool | None, ...]
    answers: tuple[Do | None, ...]
    paid: tuple[int, ...]
    blown: tuple[bool, ...]
    round: int


def asked(state: State) -> list[Seat]:
    seats = len(state.coins)
    return [seat for seat in range(seats) if seat != state.round % seats] if state.round < state.rounds else []


class Hush(Game[State, Do, Options]):
    card = Card(name="hush", seats=(2, 3, 4), minutes=1, author="us")
    state_type = State
    move_type = Do
    options_type = Options
    interrupts: ClassVar[bool] = True

    def setup(self, options: Options, seats: int, seed: str) -> State:
        rng = Rng.seeded(seed)
        coins = tuple(rng.below(*[MOST + 1] * seats)) if options.coins is None else (options.coins,) * seats
        dealt = rng.below(*[2] * seats)
        whistles = tuple(one == 1 if options.whistle is None else n == options.whistle for n, one in enumerate(dealt))
        return State(coins, whistles, (None,) * seats, (0,) * seats, (False,) * seats, 0, options.rounds)

    def to_act(self, state: State) -> tuple[Seat, ...]:
        return tuple(asked(state))

    def answered(self, state: State) -> tuple[Seat, ...]:
        return tuple(seat for seat, answer in enumerate(state.answers) if answer)

    def quiet(self, state: State) -> Sequence[tuple[Seat, Do]]:
        return [(seat, NO) for seat in self.awaited(state) if not state.coins[seat]]

    def decision(self, state: State) -> int | None:
        return state.round

    def turn_of(self, state: State) -> object:
        return state.round

    def legal(self, state: State, seat: Seat) -> Sequence[Do]:
        return [move for move in (YES, NO, BLOW) if self.explain(state, seat, move) is None]

    def explain(self, state: State, seat: Seat, move: Do) -> Refusal | None:
        if state.round == state.rounds:
            return Refusal("H-1", "hush.over")
        if move == BLOW:
            return None if state.whistles[seat] else Refusal("H-2", "hush.no_whistle")
        if seat not in asked(state) or state.answers[seat]:
            return Refusal("H-3", "hush.not_asked")
        if move == YES and not state.coins[seat]:
            return Refusal("H-4", "hush.no_coin")
        return None if move in (YES, NO) else Refusal("H-5", "hush.unknown")

    def apply(self, state: State, seat: Seat, move: Do) -> Step[State]:
        if move == BLOW:
            blown = replace(state, whistles=put(state.whistles, seat, False), blown=put(state.blown, seat, True))
            return Step(blown, (Event("hush.blows", seat),), "secret")
        after = replace(state, answers=put(state.answers, seat, move))
        event = Event("hush.answers", seat, {"what": move.what})
        if self.awaited(after):
            return Step(after, (event,), "secret")
        pay = [answer == YES for answer in after.answers]
        events = [event, *(Event("hush.pays", payer) for payer, pays in enumerate(pay) if pays)]
        after = replace(
            after,
            coins=tuple(coins - pays for coins, pays in zip(after.coins, pay, strict=True)),
            paid=tuple(paid + pays for paid, pays in zip(after.paid, pay, strict=True)),
            answers=(None,) * len(pay),
            round=after.round + 1,
        )
        return Step(after, (*events, Event("hush.round", after.round % len(pay))), "secret")

    def view(self, state: State, viewer: Viewer) -> msgspec.Struct:
        open_to = [state.round == state.rounds or viewer in (seat, EVERYONE) for seat in range(len(state.coins))]
        return View(
            tuple(coins if shown else None for coins, shown in zip(state.coins, open_to, strict=True)),
            tuple(whistle if shown else None for whistle, shown in zip(state.whistles, open_to, strict=True)),
            tuple(answer if shown else None for answer, shown in zip(state.answers, open_to, strict=True)),
            state.paid,
            state.blown,
            state.round,
        )

    def redact(self, event: Event, viewer: Viewer) -> Event | None:
        return None if event.key == "hush.answers" and viewer not in (event.seat, EVERYONE) else event

    def resample(self, state: State, viewer: Viewer, rng: Rng) -> State:
        if viewer == EVERYONE or state.round == state.rounds:
            return state
        others = [seat for seat in range(len(state.coins)) if seat != viewer]
        for seat in others:
            coins, whistle = rng.below(MOST + 1 - state.paid[seat], 1 if state.blown[seat] else 2)
            answer = rng.shuffled([None, NO, YES] if coins else [None, NO])[0] if seat in asked(state) else None
            state = replace(
                state,
                coins=put(state.coins, seat, coins),
                whistles=put(state.whistles, seat, whistle == 1),
                answers=put(state.answers, seat, answer),
            )
        if not self.awaited(state):
            open_seat = rng.shuffled(seat for seat in others if state.answers[seat])[0]
            state = replace(state, answers=put(state.answers, open_seat, None))
        return state

    def outcome(self, state: State) -> Outcome | None:
        if state.round < state.rounds:
            return None
        totals = self.score_sheet(state).totals
        winners = tuple(seat for seat, total in enumerate(totals) if total == max(totals))
        return Outcome(winners, "hush.end", "hush.decided")

    def score_sheet(self, state: State) -> ScoreSheet:
        points = zip(state.paid, map(int, state.blown), strict=True)
        return ScoreSheet(("hush.paid", "hush.blown"), tuple(points))

    def faults(self, state: State) -> list[str]:
        rich = [seat for seat, answer in enumerate(state.answers) if answer == YES and not state.coins[seat]]
        return [f"seat {seat} pays without a coin" for seat in rich]

    def describe(self, state: State, seat: Seat, move: Do) -> tuple[str, dict[str, Arg]]:
        return f"hush.{move.what}", {}

    def prompt(self, state: State, seat: Seat) -> tuple[str, dict[str, Arg]]:
        return "pay", {}

    def text(self, view: Any, say: Say) -> str:
        return str(view)


HUSH: Final = Hush()
