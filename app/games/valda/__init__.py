"""Valda (Nathan Vermeulen): the rules are docs/rules/valda.md, and their numbers stand beside the code."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Final

from msgspec.structs import replace

from app.engine import lesson as lessons
from app.engine.contract import (
    EVERYONE,
    Arg,
    Card,
    Event,
    Game,
    Lesson,
    Outcome,
    Refusal,
    Say,
    ScoreSheet,
    Seat,
    Step,
    Viewer,
)
from app.engine.rng import Rng
from app.games.valda import components, invariants, outlook, rules, scoring, secrets, text, why, wording
from app.games.valda import scene as scenes
from app.games.valda import setup as table_setup
from app.games.valda import view as views
from app.games.valda.components import Components
from app.games.valda.moves import Move
from app.games.valda.state import Options, State

CARD: Final = Card(name="valda", seats=(2, 3, 4, 5), minutes=30, minutes_each=True, author="Nathan Vermeulen")
_UNSEEN: Final = "valda.event.let_pass"
_HIDDEN: Final = "card_secret"  # the arguments of an event that begin like this


class Valda(Game[State, Move, Options]):
    card = CARD
    state_type = State
    move_type = Move
    options_type = Options
    interrupts: ClassVar[bool] = True  # DW-9

    def __init__(self, box: Components) -> None:
        self.box = box
        self.painter = views.Painter(box)
        self._scene = scenes.scene(box)
        self._outlook = outlook.Outlook(box)
        self._lesson: Lesson[Move] | None = None

    def setup(self, options: Options, seats: int, seed: str) -> State:
        return table_setup.setup(self.box, options, seats, seed)

    def to_act(self, state: State) -> tuple[Seat, ...]:
        return rules.to_act(state)

    def answered(self, state: State) -> tuple[Seat, ...]:
        return rules.answered(state)

    def quiet(self, state: State) -> Sequence[tuple[Seat, Move]]:
        return rules.quiet(self.box, state)

    def decision(self, state: State) -> int:
        return state.moment

    def turn_of(self, state: State) -> object:
        return state.round, state.turn.seat, state.turn.phase == "over"

    def legal(self, state: State, seat: Seat) -> Sequence[Move]:
        return rules.legal(self.box, state, seat)

    def apply(self, state: State, seat: Seat, move: Move) -> Step[State]:
        return rules.apply(self.box, state, seat, move)

    def explain(self, state: State, seat: Seat, move: Move) -> Refusal | None:
        return why.explain(self.box, state, seat, move)

    def view(self, state: State, viewer: Viewer) -> views.View:
        return self.painter.view(state, viewer)

    def redact(self, event: Event, viewer: Viewer) -> Event | None:
        """Who lets a moment pass is their own affair; which cards were drawn or stolen, that of those who saw them."""
        if event.key == _UNSEEN and viewer not in (EVERYONE, event.seat):
            return None
        if _HIDDEN not in event.args or viewer in (EVERYONE, event.seat, event.args.get("seat_from")):
            return event
        args = {name: value for name, value in event.args.items() if not name.startswith(_HIDDEN)}
        return replace(event, key=f"{event.key}.hidden", args=args)

    def resample(self, state: State, viewer: Viewer, rng: Rng) -> State:
        return secrets.resample(self.box, state, viewer, rng)

    def outcome(self, state: State) -> Outcome | None:
        return scoring.outcome(state)

    def score_sheet(self, state: State) -> ScoreSheet:
        return scoring.score_sheet(state)

    def faults(self, state: State) -> list[str]:
        return invariants.faults(self.box, state)

    def describe(self, state: State, seat: Seat, move: Move) -> tuple[str, dict[str, Arg]]:
        return wording.move(self.box, state, seat, move)

    def prompt(self, state: State, seat: Seat) -> tuple[str, dict[str, Arg]]:
        return wording.prompt(self.box, state, seat)

    def place_of(self, move: Move) -> str:
        return wording.place_of(move)

    @property
    def scene(self) -> scenes.Scene:
        return self._scene

    @property
    def lesson(self) -> Lesson[Move] | None:
        return self._lesson

    def outlook(self, state: State, seat: Seat) -> float:
        return self._outlook.outlook(state, seat)

    def text(self, view: views.View, say: Say) -> str:
        return text.table(view, say)


def load() -> Valda:
    game = Valda(components.load())
    game._lesson = lessons.load(game, Path(__file__).parent)
    return game
