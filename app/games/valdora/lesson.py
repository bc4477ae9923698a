"""Reads lesson.toml and plays it through: a lesson that the rules do not allow is refused in one sentence."""

import tomllib
from pathlib import Path
from typing import Final

import msgspec

from app.engine.codec import decode_options, raw_move
from app.engine.contract import BadGameData, Game, Illegal, Lesson, LessonStep, LessonTask, MoveError, Seat
from app.engine.table import Table
from app.games.valdora.moves import Move
from app.games.valdora.state import Options, State

FILE: Final = Path(__file__).with_name("lesson.toml")


class _Task(msgspec.Struct, forbid_unknown_fields=True):
    says: str
    move: Move


class _Step(msgspec.Struct, forbid_unknown_fields=True):
    tasks: list[_Task]
    before: list[tuple[Seat, Move]] = []


class _Sheet(msgspec.Struct, forbid_unknown_fields=True):
    """The file as it is written."""

    seed: str
    seats: int
    options: Options
    steps: list[_Step]


def load(game: Game[State, Move, Options], path: Path = FILE) -> Lesson[Move] | None:
    """The lesson; none where the file has been removed."""
    if not path.exists():
        return None
    lesson = read(path.read_text(encoding="utf-8"))
    check(game, lesson)
    return lesson


def read(text: str) -> Lesson[Move]:
    try:
        sheet = msgspec.convert(tomllib.loads(text), _Sheet)
    except tomllib.TOMLDecodeError as error:
        raise _fault(f"is not valid TOML: {error}") from error
    except msgspec.ValidationError as error:
        raise _fault(f"does not have the expected form: {error}") from error
    steps = tuple(
        LessonStep(tuple(step.before), tuple(LessonTask(task.says, task.move) for task in step.tasks))
        for step in sheet.steps
    )
    return Lesson(sheet.seed, sheet.seats, msgspec.to_builtins(sheet.options), steps)


def check(game: Game[State, Move, Options], lesson: Lesson[Move]) -> None:
    """Play the whole lesson, so that nobody who learns is the first to find a fault."""
    if not lesson.steps:
        raise _fault("has no steps")
    try:
        table = Table(game, decode_options(game, lesson.options), lesson.seats, lesson.seed)
    except MoveError as error:
        raise _fault(f"cannot be set up: {error}") from error
    for number, step in enumerate(lesson.steps, start=1):
        if not step.tasks:
            raise _fault(f"asks for nothing in step {number}")
        for seat, move in step.before:
            _play(table, number, seat, move)
        for task in step.tasks:
            _play(table, number, lesson.LEARNER, task.move)


def _play(table: Table[State, Move, Options], number: int, seat: Seat, move: Move) -> None:
    try:
        table.play(seat, move)
    except MoveError as error:
        written = msgspec.json.encode(raw_move(move)).decode()
        why = f"rule {error.refusal.rule} forbids it" if isinstance(error, Illegal) else "it is not their turn"
        raise _fault(
            f"has seat {seat} play {written} in step {number}, but {why}; "
            "correct that step, or remove the file to do without a lesson"
        ) from error


def _fault(sentence: str) -> BadGameData:
    return BadGameData(f"valdora/lesson.toml {sentence.rstrip('.')}.")
