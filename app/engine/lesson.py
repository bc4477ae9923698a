"""Reads a game's lesson file and plays it through: what the rules do not allow is refused in one sentence."""

from pathlib import Path
from typing import Any, Final, Generic

import msgspec

from app.engine.codec import decode_options, raw_move
from app.engine.contract import BadGameData, Game, Illegal, Lesson, LessonStep, LessonTask, M, MoveError, O, S, Seat
from app.engine.sheet import SheetFile
from app.engine.table import Table

FILE: Final = "lesson.toml"  # in the game's own folder


class _Task(msgspec.Struct, Generic[M], forbid_unknown_fields=True):
    says: str
    move: M


class _Step(msgspec.Struct, Generic[M], forbid_unknown_fields=True):
    tasks: list[_Task[M]]
    before: list[tuple[Seat, M]] = []


class _Sheet(msgspec.Struct, Generic[M, O], forbid_unknown_fields=True):
    """The file as it is written."""

    seed: str
    seats: int
    options: O
    steps: list[_Step[M]]


def load(game: Game[S, M, O], folder: Path) -> Lesson[M] | None:
    """The lesson in the game's folder; none where the file has been removed."""
    path = folder / FILE
    if not path.exists():
        return None
    lesson = read(game, SheetFile(path).text())
    check(game, lesson)
    return lesson


def read(game: Game[S, M, O], text: str) -> Lesson[M]:
    kind: Any = _Sheet
    sheet: _Sheet[M, O] = _file(game).read(text, kind[game.move_type, game.options_type])
    steps = tuple(
        LessonStep(tuple(step.before), tuple(LessonTask(task.says, task.move) for task in step.tasks))
        for step in sheet.steps
    )
    return Lesson(sheet.seed, sheet.seats, msgspec.to_builtins(sheet.options), steps)


def check(game: Game[S, M, O], lesson: Lesson[M]) -> None:
    """Play the whole lesson, so that nobody who learns is the first to find a fault."""
    if not lesson.steps:
        raise _fault(game, "has no steps")
    try:
        table = Table(game, decode_options(game, lesson.options), lesson.seats, lesson.seed)
    except MoveError as error:
        raise _fault(game, f"cannot be set up: {error}") from error
    for number, step in enumerate(lesson.steps, start=1):
        if not step.tasks:
            raise _fault(game, f"asks for nothing in step {number}")
        for seat, move in step.before:
            _play(table, number, seat, move)
        for task in step.tasks:
            _play(table, number, lesson.LEARNER, task.move)


def _play(table: Table[S, M, O], number: int, seat: Seat, move: M) -> None:
    try:
        table.play(seat, move)
    except MoveError as error:
        written = msgspec.json.encode(raw_move(move)).decode()
        why = f"rule {error.refusal.rule} forbids it" if isinstance(error, Illegal) else "it is not their turn"
        raise _fault(
            table.game,
            f"has seat {seat} play {written} in step {number}, but {why}; "
            "correct that step, or remove the file to do without a lesson",
        ) from error


def _file(game: Game[S, M, O]) -> SheetFile:
    return SheetFile(Path(game.name) / FILE)


def _fault(game: Game[S, M, O], sentence: str) -> BadGameData:
    return _file(game).fault(sentence)
