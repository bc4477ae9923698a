"""The checks themselves: a sound game passes them, and each broken promise is reported."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from app.engine import conformance
from app.engine.contract import Arg, Event, Outcome, Refusal, ScoreSheet, Seat, Step, Viewer
from app.engine.rng import Rng
from app.engine.table import Played, Table
from app.simulation import Failure, play_game
from tests.engine import hush
from tests.engine.hush import BLOW, HUSH, NO, YES, Hush
from tests.engine.toy import COUNT, LAY, PEEK, TOY, Do, Options, State, Toy, View


def test_a_sound_game_passes() -> None:
    for seats in (2, 3):
        for seed in range(30):
            play_game(TOY, seats, seed, check=True)


def test_a_sound_game_of_unseen_answers_passes_and_is_interrupted() -> None:
    blown = 0
    for seats in (2, 3, 4):
        for seed in range(30):
            _, record = play_game(HUSH, seats, seed, check=True)
            blown += sum(isinstance(entry, Played) and entry.move["what"] == "blow" for entry in record.log)
    assert blown > 30


class ForgetsACard(Toy):
    def faults(self, state: State) -> list[str]:
        return ["a card is missing"] if state.counts[0] else []


class ShowsHands(Toy):
    def view(self, state: State, viewer: Viewer) -> msgspec.Struct:
        return View(state.hands, None, state.counts, state.dice, state.laid)


class ShowsTheSpectatorOneHand(Toy):
    def view(self, state: State, viewer: Viewer) -> msgspec.Struct:
        seen = super().view(state, viewer)
        assert isinstance(seen, View)
        return replace(seen, pile=state.hands[0]) if viewer < 0 else seen


class TellsByTheLegalMoves(Toy):
    def legal(self, state: State, seat: Seat) -> Sequence[Do]:
        moves = list(super().legal(state, seat))
        return [move for move in moves if move != COUNT] if state.pile % 2 else moves


class TellsByWhoActs(Toy):
    def to_act(self, state: State) -> tuple[Seat, ...]:
        acting = super().to_act(state)
        return acting[: 1 + state.pile % 2]

    def legal(self, state: State, seat: Seat) -> Sequence[Do]:
        return super().legal(state, seat) if seat in self.to_act(state) else []


class PeeksWithoutABarrier(Toy):
    def apply(self, state: State, seat: Seat, move: Do) -> Step[State]:
        step = super().apply(state, seat, move)
        return Step(step.state, step.events) if move == PEEK else step


class TellsOthersWhatWasPeeked(Toy):
    """The secret is shown to the one who peeks, with a barrier; when laying, everybody is told."""

    def apply(self, state: State, seat: Seat, move: Do) -> Step[State]:
        step = super().apply(state, seat, move)
        if move != LAY:
            return step
        return Step(step.state, (Event("toy.lays", seat, {"card": state.pile}),), "turn")


class PassesTheTurnUnseen(Toy):
    def apply(self, state: State, seat: Seat, move: Do) -> Step[State]:
        step = super().apply(state, seat, move)
        if move == COUNT:
            return Step(replace(step.state, laid=(True,) * len(state.laid)), step.events)
        return step


class HasAMemory(Toy):
    def __init__(self) -> None:
        self.calls = 0

    def apply(self, state: State, seat: Seat, move: Do) -> Step[State]:
        self.calls += 1
        step = super().apply(state, seat, move)
        return Step(step.state, (Event("toy.call", seat, {"number": self.calls}),), step.barrier)


class OffersAMoveTwice(Toy):
    def legal(self, state: State, seat: Seat) -> Sequence[Do]:
        moves = list(super().legal(state, seat))
        return moves + moves[:1]


class OffersWhatItRefuses(Toy):
    def legal(self, state: State, seat: Seat) -> Sequence[Do]:
        return [] if state.laid[seat] else [*super().legal(state, seat), Do("fly")]


class LeavesNothingToDo(Toy):
    def legal(self, state: State, seat: Seat) -> Sequence[Do]:
        return [] if state.counts[seat] else super().legal(state, seat)


class IsOverTooSoon(Toy):
    def outcome(self, state: State) -> Outcome | None:
        return Outcome((0,), "toy.end", "toy.decided") if state.counts[0] else super().outcome(state)


class LosesARow(Toy):
    def score_sheet(self, state: State) -> ScoreSheet:
        sheet = super().score_sheet(state)
        return ScoreSheet(sheet.sources, sheet.points[:-1])


class ImaginesTheImpossible(Toy):
    def resample(self, state: State, viewer: Viewer, rng: Rng) -> State:
        other = super().resample(state, viewer, rng)
        return replace(other, hands=(other.pile,) * len(other.hands)) if viewer < 0 else other


class ImaginesByTheHiddenCard(Toy):
    def resample(self, state: State, viewer: Viewer, rng: Rng) -> State:
        return super().resample(state, viewer, Rng.seeded(f"{rng.below(1 << 60)[0]} {state.pile}"))


class ImaginesTheRealDice(Toy):
    def resample(self, state: State, viewer: Viewer, rng: Rng) -> State:
        return replace(super().resample(state, viewer, rng), rng=state.rng)


class ForgetsWhenStored(Toy):
    class Forgetful(State, frozen=True):
        def __eq__(self, other: object) -> bool:
            return False

    state_type = Forgetful

    def setup(self, options: Options, seats: int, seed: str) -> State:
        return self.Forgetful(**msgspec.structs.asdict(super().setup(options, seats, seed)))


class HidesAfterTheEnd(Toy):
    def view(self, state: State, viewer: Viewer) -> msgspec.Struct:
        seen = super().view(state, viewer)
        assert isinstance(seen, View)
        return replace(seen, pile=None) if viewer == 0 else seen

    def apply(self, state: State, seat: Seat, move: Do) -> Step[State]:
        step = super().apply(state, seat, move)
        return Step(step.state, (), "secret") if move == PEEK else step


class AnswersWithoutBeingAsked(Hush):
    def answered(self, state: hush.State) -> tuple[Seat, ...]:
        return (*super().answered(state), state.round % 3)


class WaitsForNobody(Hush):
    def answered(self, state: hush.State) -> tuple[Seat, ...]:
        return self.to_act(state) if any(state.blown) else super().answered(state)


class AnswersForTheWrongSeat(Hush):
    def quiet(self, state: hush.State) -> Sequence[tuple[Seat, Do]]:
        return [(seat, NO) for seat in self.to_act(state)]


class AnswersWhatIsNotAllowed(Hush):
    def quiet(self, state: hush.State) -> Sequence[tuple[Seat, Do]]:
        return [(seat, YES) for seat, _ in super().quiet(state)]


class IsInterruptedUnawares(Hush):
    interrupts = False


class ForgetsWhoMustAnswer(Hush):
    def legal(self, state: hush.State, seat: Seat) -> Sequence[Do]:
        return [move for move in super().legal(state, seat) if move == BLOW or state.coins[seat]]


class ImaginesTheSameAnswers(Hush):
    """Sound, but whoever else forgets that answers are unseen is not found out by tables that look alike."""

    def resample(self, state: hush.State, viewer: Viewer, rng: Rng) -> hush.State:
        other = super().resample(state, viewer, rng)
        answers = [answer and (answer if seat == viewer else NO) for seat, answer in enumerate(state.answers)]
        return replace(other, answers=tuple(answers))


class ShowsWhoHasAnswered(ImaginesTheSameAnswers):
    def view(self, state: hush.State, viewer: Viewer) -> msgspec.Struct:
        return replace(super().view(state, viewer), round=state.round + 10 * len(self.answered(state)))


class OffersWhatAnAnswerTells(Hush):
    def explain(self, state: hush.State, seat: Seat, move: Do) -> Refusal | None:
        if move == NO and state.coins[seat] and sum(map(bool, state.answers)):
            return Refusal("H-6", "hush.no")
        return super().explain(state, seat, move)


class AsksWhoHasAnswered(ImaginesTheSameAnswers):
    def prompt(self, state: hush.State, seat: Seat) -> tuple[str, dict[str, Arg]]:
        return ("wait" if state.answers[seat] else "pay"), {}


class AsksByTheCoins(Hush):
    def prompt(self, state: hush.State, seat: Seat) -> tuple[str, dict[str, Arg]]:
        return "pay", {"most": state.coins[seat]}


class CountsTheAnswers(ImaginesTheSameAnswers):
    def decision(self, state: hush.State) -> int | None:
        return state.round * 10 + len(self.answered(state))


class CountsNothing(Hush):
    def decision(self, state: hush.State) -> int | None:
        return None


class NumbersByTheCoins(Hush):
    def decision(self, state: hush.State) -> int | None:
        return sum(state.coins)


class TakesAnswersBack(Hush):
    def apply(self, state: hush.State, seat: Seat, move: Do) -> Step[hush.State]:
        step = super().apply(state, seat, move)
        return step if move == BLOW else Step(step.state, step.events)


BROKEN_HUSH = [
    (AnswersWithoutBeingAsked, "a seat has answered that is not asked"),
    (WaitsForNobody, "everybody who is asked has answered"),
    (AnswersForTheWrongSeat, "the house would answer"),
    (AnswersWhatIsNotAllowed, "the house would answer"),
    (IsInterruptedUnawares, "has moves and is not to act"),
    (ForgetsWhoMustAnswer, "must act and has no move"),
    (ShowsWhoHasAnswered, "is not told of Do(what='no'), and sees it"),
    (OffersWhatAnAnswerTells, "and sees it by their legal moves"),
    (AsksWhoHasAnswered, "sees it by what is asked"),
    (AsksByTheCoins, "what is asked tells"),
    (CountsTheAnswers, "becomes another decision"),
    (CountsNothing, "becomes another decision"),
    (NumbersByTheCoins, "the number of the decision tells"),
    (TakesAnswersBack, "but would be if it was taken back"),
]


@pytest.mark.parametrize(("broken", "sentence"), BROKEN_HUSH, ids=[game.__name__ for game, _ in BROKEN_HUSH])
def test_each_broken_promise_about_unseen_answers_is_reported(broken: type[Hush], sentence: str) -> None:
    found = set()
    for seed in range(40):
        try:
            play_game(broken(), 3, seed, check=True)
        except Failure as failure:
            found.add(str(failure))
    assert [fault for fault in found if sentence in fault], found


BROKEN = [
    (ForgetsACard, "a card is missing"),
    (ShowsHands, "tells a secret"),
    (ShowsTheSpectatorOneHand, "the view of viewer -1 tells a secret"),
    (TellsByTheLegalMoves, "the legal moves of seat"),
    (TellsByWhoActs, "who is to act tells"),
    (PeeksWithoutABarrier, "no barrier says so"),
    (TellsOthersWhatWasPeeked, "a secret, and no barrier says so"),
    (PassesTheTurnUnseen, "passes the turn on and could still be taken back"),
    (HasAMemory, "leads to another table when it is played again"),
    (OffersAMoveTwice, "offered the same move twice"),
    (OffersWhatItRefuses, "explains why it is not"),
    (LeavesNothingToDo, "must act and has no move"),
    (IsOverTooSoon, "must either be over or wait for somebody"),
    (LosesARow, "does not have a row for each seat"),
    (ImaginesTheImpossible, "might imagine is impossible"),
    (ImaginesByTheHiddenCard, "imagines tells them a secret"),
    (ImaginesTheRealDice, "imagines foretells chance"),
    (ForgetsWhenStored, "not the same when it is read again"),
    (HidesAfterTheEnd, "after the end something is still hidden"),
]


def failure_of(game: Toy) -> Failure:
    """The first fault that the checks find in a few dozen games."""
    for seed in range(40):
        try:
            play_game(game, 2, seed, check=True)
        except Failure as failure:
            return failure
    raise AssertionError("no check noticed anything")


@pytest.mark.parametrize(("broken", "sentence"), BROKEN, ids=[game.__name__ for game, _ in BROKEN])
def test_each_broken_promise_is_reported(broken: type[Toy], sentence: str) -> None:
    assert sentence in str(failure_of(broken()))


def test_a_failure_keeps_the_log_up_to_it() -> None:
    record = failure_of(ForgetsACard()).record
    log = record.log
    assert log[-1].seat == 0
    table = Table(TOY, Options(), 2, record.seed)
    for entry in log:
        table.enter(entry)
    assert table.state.counts[0] == 1


def test_an_exception_in_a_game_is_a_failure_too() -> None:
    class Explodes(Toy):
        def apply(self, state: State, seat: Seat, move: Do) -> Step[State]:
            raise ZeroDivisionError("bang")

    with pytest.raises(Failure, match="ZeroDivisionError: bang"):
        play_game(Explodes(), 2, 1, check=False)


def test_undo_that_leaves_another_table_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(TOY, Options(), 2, "1")
    for seat, move in ((0, COUNT), (1, LAY), (0, LAY)):
        table.play(seat, move)
    assert list(conformance.check_undo(TOY, table.record())) == []
    sound = Table.undo

    def sloppy(self: Table[Any, Any, Any], seat: Seat) -> Any:
        return replace(sound(self, seat), counts=(9, 9))

    monkeypatch.setattr(Table, "undo", sloppy)
    assert "taken back leaves another table" in next(conformance.check_undo(TOY, table.record()))
