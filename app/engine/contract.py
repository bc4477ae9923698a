"""What a game must offer. Everything above the engine knows a game by this page alone."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final, Generic, Literal, TypeAlias, TypeVar

import msgspec

from app.engine.rng import Rng

Seat: TypeAlias = int

# Who looks: a seat's number, or one of these two.
Viewer: TypeAlias = int
SPECTATOR: Final[Viewer] = -1
EVERYONE: Final[Viewer] = -2  # after the end nothing is hidden

# Why a step cannot be taken back: chance was used, a secret was shown, or the turn passed on.
Barrier: TypeAlias = Literal["chance", "secret", "turn"]

# Numbers, names of the game ("ruby", "n1") and lists of either. A name's language is chosen when it is drawn.
Arg: TypeAlias = int | str | tuple[int | str, ...]

# Puts a message key and its arguments into words.
Say: TypeAlias = Callable[[str, Mapping[str, Arg]], str]


class Event(msgspec.Struct, frozen=True, gc=False):
    """Something that happened, as a message key and arguments.

    The first word of an argument's name says what it is: `space` and `space_from` are spaces, `seat_to` is a seat.
    """

    key: str
    seat: Seat
    args: dict[str, Arg] = {}


class Refusal(msgspec.Struct, frozen=True):
    """Why a move is not allowed: the rule that forbids it, and the words for it."""

    rule: str
    key: str
    args: dict[str, Arg] = {}


class MoveError(Exception):
    """A move that was not made. The table is as before."""

    key: str

    def __init__(self, args: Mapping[str, Arg] | None = None) -> None:
        self.arguments: dict[str, Arg] = dict(args or {})
        super().__init__(f"{self.key} {self.arguments}")


class Malformed(MoveError):
    """Not a move of this game at all."""

    key = "error.malformed"

    def __init__(self, detail: str) -> None:
        self.detail = detail
        super().__init__({"detail": detail})


class NotYourTurn(MoveError):
    """A seat that has nothing to decide now."""

    key = "error.not_your_turn"


class Illegal(MoveError):
    """A move of this game that the rules forbid now."""

    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal
        self.key = refusal.key
        super().__init__(refusal.args)


class UndoRefused(MoveError):
    """There is no step of this seat's to take back; `barrier` says what stands in the way, if anything does."""

    def __init__(self, barrier: Barrier | None) -> None:
        self.barrier = barrier
        self.key = f"error.undo.{barrier or 'nothing'}"
        super().__init__()


class BadGameData(Exception):
    """A game's data file is wrong. The text is one sentence for a person."""


class Outcome(msgspec.Struct, frozen=True):
    """How the game ended: who won, what brought the end, and what decided between the best."""

    winners: tuple[Seat, ...]
    reason: str
    decided_by: str


class ScoreSheet(msgspec.Struct, frozen=True):
    """Points of every seat, by source."""

    sources: tuple[str, ...]
    points: tuple[tuple[int, ...], ...]

    @property
    def totals(self) -> tuple[int, ...]:
        return tuple(sum(row) for row in self.points)


class Card(msgspec.Struct, frozen=True):
    """What is printed on the lid of the box."""

    name: str
    seats: tuple[int, ...]
    minutes: int
    author: str
    minutes_each: bool = False  # whether that is for each player


S = TypeVar("S", bound=msgspec.Struct)
M = TypeVar("M", bound=msgspec.Struct)
O = TypeVar("O", bound=msgspec.Struct)  # noqa: E741


class Step(msgspec.Struct, Generic[S], frozen=True, gc=False):
    """What a move led to. The first event is what its seat did; who may not see that is not told whose move it was."""

    state: S
    events: tuple[Event, ...]
    barrier: Barrier | None = None


class LessonTask(msgspec.Struct, Generic[M], frozen=True):
    """One thing that the learner does, and the message key of what the coach says before it."""

    says: str
    move: M


class LessonStep(msgspec.Struct, Generic[M], frozen=True):
    """What is played by itself, and what the learner then does."""

    before: tuple[tuple[Seat, M], ...]
    tasks: tuple[LessonTask[M], ...]


class Lesson(msgspec.Struct, Generic[M], frozen=True):
    """A game of which the deal and every move are fixed, to be learned from by doing.

    The seats are called `<game>.lesson.seat.<number>`.
    """

    LEARNER: ClassVar[Seat] = 0

    seed: str
    seats: int
    options: dict[str, Any]
    steps: tuple[LessonStep[M], ...]

    def script(self, steps: int, tasks: int) -> list[tuple[Seat, M]]:
        """All that has been played when so many steps are done, and of the next one so many tasks."""
        played: list[tuple[Seat, M]] = []
        for number, step in enumerate(self.steps[: steps + 1]):
            done = step.tasks if number < steps else step.tasks[:tasks]
            played += [*step.before, *((self.LEARNER, task.move) for task in done)]
        return played


class Game(ABC, Generic[S, M, O]):
    """A game. All its functions are pure: equal arguments give equal results, and no argument is changed."""

    VERSION: ClassVar[int] = 1
    card: Card
    state_type: type[S]
    move_type: Any  # a union of the game's moves, told apart by their tag
    options_type: type[O]
    interrupts: ClassVar[bool] = False  # whether seats that are not asked may have moves; such moves are their secret

    @property
    def name(self) -> str:
        return self.card.name

    @abstractmethod
    def setup(self, options: O, seats: int, seed: str) -> S: ...

    @abstractmethod
    def to_act(self, state: S) -> tuple[Seat, ...]:
        """The seats that are asked now, as everybody may know it; none when the game is over."""

    def answered(self, state: S) -> tuple[Seat, ...]:  # noqa: ARG002
        """Who of those has answered already, unseen: nobody else may know it.

        Taking such an answer back would tell, so it needs a barrier.
        """
        return ()

    def awaited(self, state: S) -> tuple[Seat, ...]:
        """The seats that are asked and have not answered. Not for everybody's eyes."""
        acting, answered = self.to_act(state), self.answered(state)
        return tuple(seat for seat in acting if seat not in answered) if answered else acting

    def quiet(self, state: S) -> Sequence[tuple[Seat, M]]:  # noqa: ARG002
        """Answers of awaited seats that have no other one.

        The house gives them after a short random while, so that an open question does not tell who had a choice.
        """
        return ()

    def decision(self, state: S) -> int | None:  # noqa: ARG002
        """A number that stays as long as the same is to be decided, although others answer unseen.

        None: every entry of the log makes it another decision.
        """
        return None

    def turn_of(self, state: S) -> object:
        """Something that changes when a turn is over."""
        return self.to_act(state)

    @abstractmethod
    def legal(self, state: S, seat: Seat) -> Sequence[M]:
        """All that the seat may do now. What is not in it is refused."""

    @abstractmethod
    def apply(self, state: S, seat: Seat, move: M) -> Step[S]:
        """The table after a legal move. Ask `legal` or `explain` first: here nothing is checked again."""

    @abstractmethod
    def explain(self, state: S, seat: Seat, move: M) -> Refusal | None:
        """Why the move is not in `legal`; None if it is."""

    @abstractmethod
    def view(self, state: S, viewer: Viewer) -> msgspec.Struct:
        """What this viewer may see. With `redact` the only way in which anything reaches a browser."""

    @abstractmethod
    def redact(self, event: Event, viewer: Viewer) -> Event | None:
        """The event as this viewer may know it; None where even that it happened is a secret."""

    @abstractmethod
    def resample(self, state: S, viewer: Viewer, rng: Rng) -> S:
        """A table that the viewer cannot tell from this one, drawn at random.

        It depends on nothing that the viewer may not know: of two tables that they cannot tell apart, the same comes
        of equal chance. What happens there later is no more foretold than who may know what: its chance is its own.
        """

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None: ...

    @abstractmethod
    def score_sheet(self, state: S) -> ScoreSheet: ...

    @abstractmethod
    def faults(self, state: S) -> list[str]:
        """What must always be true and is not. Empty in a sound game."""

    @abstractmethod
    def describe(self, state: S, seat: Seat, move: M) -> tuple[str, dict[str, Arg]]:
        """A legal move as a message key and arguments: what a button says that makes it."""

    @abstractmethod
    def prompt(self, state: S, seat: Seat) -> tuple[str, dict[str, Arg]]:
        """What this seat, which is asked, does now, as one word and arguments. It tells nobody a secret.

        `<game>.ask.<word>` says it to whoever is to do it, `<game>.busy.<word>` to the others.
        """

    def place_of(self, move: M) -> str:  # noqa: ARG002
        """The thing on the table that one touches to make this move, by the name its template gives it; or none."""
        return ""

    @property
    def scene(self) -> Any:
        """What never changes at a table of this game, for its templates."""
        return None

    @property
    def lesson(self) -> Lesson[M] | None:
        """A first lesson, if the game has one."""
        return None

    @abstractmethod
    def text(self, view: Any, say: Say) -> str:
        """A view in words, for a terminal or a screen reader."""

    def outlook(self, state: S, seat: Seat) -> float:
        """How well the seat stands: of two tables a bot prefers the one with the higher number.

        Bots ask this of tables that they imagine, thousands of times for a move.
        """
        totals = self.score_sheet(state).totals
        return float(totals[seat] - max((total for other, total in enumerate(totals) if other != seat), default=0))

    def at_next_turn(self, state: S, seat: Seat) -> S | None:  # noqa: ARG002
        """The table when this seat's next turn begins, as if nobody did anything until then.

        Bots plan ahead with it. None where they cannot: there is no next turn, or the one before has not ended.
        """
        return None

    def migrate(self, raw: dict[str, Any], version: int) -> dict[str, Any]:  # noqa: ARG002
        """A state stored by an older version, as this version would have stored it."""
        raise BadGameData(f"{self.name}: a game stored by version {version} cannot be read by version {self.VERSION}.")
