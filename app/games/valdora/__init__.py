"""Valdora (Michael Schacht, 2009): the rules are docs/rules/valdora.md, and their numbers stand beside the code."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from app.engine import lesson as lessons
from app.engine.contract import (
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
from app.games.valdora import components, invariants, outlook, rules, scoring, text, wording
from app.games.valdora import scene as scenes
from app.games.valdora import setup as table_setup
from app.games.valdora import view as views
from app.games.valdora.components import Components
from app.games.valdora.moves import Move
from app.games.valdora.state import Options, State

CARD: Final = Card(name="valdora", seats=(3, 4, 5), minutes=60, author="Michael Schacht")


class Valdora(Game[State, Move, Options]):
    card = CARD
    state_type = State
    move_type = Move
    options_type = Options

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

    def legal(self, state: State, seat: Seat) -> Sequence[Move]:
        return rules.legal(self.box, state, seat)

    def apply(self, state: State, seat: Seat, move: Move) -> Step[State]:  # noqa: ARG002 only one seat ever acts
        return rules.apply(self.box, state, move)

    def explain(self, state: State, seat: Seat, move: Move) -> Refusal | None:
        return rules.explain(self.box, state, seat, move)

    def view(self, state: State, viewer: Viewer) -> views.View:
        return self.painter.view(state, viewer)

    def redact(self, event: Event, viewer: Viewer) -> Event | None:  # noqa: ARG002
        return event  # everything happens in the open; only what lies face down afterwards is hidden

    def resample(self, state: State, viewer: Viewer, rng: Rng) -> State:
        return views.resample(self.box, state, viewer, rng)

    def outcome(self, state: State) -> Outcome | None:
        return scoring.outcome(self.box, state)

    def score_sheet(self, state: State) -> ScoreSheet:
        return scoring.score_sheet(self.box, state)

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

    def at_next_turn(self, state: State, seat: Seat) -> State | None:
        return outlook.at_next_turn(state, seat)

    def text(self, view: views.View, say: Say) -> str:
        return text.table(view, say)


def load() -> Valdora:
    game = Valdora(components.load())
    game._lesson = lessons.load(game, Path(__file__).parent)
    return game
