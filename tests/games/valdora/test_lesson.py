"""The first lesson: eight steps that the rules allow, about the things one must know, with words for each."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from app.engine.contract import BadGameData, Event, Lesson
from app.engine.lesson import FILE, check, load, read
from app.games import valdora
from app.games.valdora.moves import Go, Load, Move
from app.i18n import LANGUAGES, phrasebook
from tests.games.valdora.tabletop import GAME, play

TEXT = Path(valdora.__file__).with_name(FILE).read_text(encoding="utf-8")


def lesson() -> Lesson[Move]:
    assert GAME.lesson is not None
    return GAME.lesson


def dealt() -> Any:
    return GAME.setup(GAME.options_type(**lesson().options), lesson().seats, lesson().seed)


def learner_does() -> list[list[Event]]:
    """What happens through the learner's own hands, step by step."""
    state, happened = dealt(), []
    for step in lesson().steps:
        for seat, move in step.before:
            assert GAME.to_act(state) == (seat,)
            state = play(state, move)
        events: list[Event] = []
        for task in step.tasks:
            assert task.move in GAME.legal(state, lesson().LEARNER)
            done = GAME.apply(state, lesson().LEARNER, task.move)
            state, events = done.state, [*events, *done.events]
        happened.append(events)
    return happened


def test_it_has_eight_steps_and_each_can_be_played() -> None:
    assert len(learner_does()) == 8


@pytest.mark.parametrize(
    ("step", "what"),
    [
        (1, {"moved"}),
        (2, {"loaded"}),
        (3, {"moved"}),
        (4, {"turned_equipment", "bought_equipment"}),
        (5, {"moved", "refilled"}),
        (6, {"moved", "bought_commission"}),
        (7, {"moved", "met", "loaded"}),
        (8, {"moved", "delivered", "craftsman"}),
    ],
)
def test_what_is_met_in_each_step(step: int, what: set[str]) -> None:
    assert {event.key.removeprefix("valdora.event.") for event in learner_does()[step - 1]} == what


def test_the_things_hang_together() -> None:
    steps = lesson().steps
    assert steps[1].tasks[0].move == Load("gold", "pan")
    city = steps[2].tasks[0].move
    assert isinstance(city, Go)
    assert GAME.box.kinds[GAME.box.numbers[city.to]] == "equipment"
    happened = learner_does()
    bought, wanted = happened[3][1].args, happened[5][1].args
    assert bought["gear_from"] == "pan"
    assert happened[6][-1].args["gear"] == bought["gear"]
    assert (happened[6][-1].args["gem"],) == wanted["gem_wanted"]
    assert happened[7][-1].args["patron"] == wanted["patron"]


def test_a_script_is_all_that_was_played() -> None:
    steps = lesson().steps
    assert lesson().script(0, 0) == []
    assert lesson().script(1, 0) == [(0, steps[0].tasks[0].move)]
    assert lesson().script(3, 1)[-1] == (0, steps[3].tasks[0].move)
    assert lesson().script(4, 0)[-1] == steps[4].before[-1]
    whole = sum(len(step.before) + len(step.tasks) for step in steps)
    assert len(lesson().script(8, 0)) == whole


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_of_it_is_there(language: str) -> None:
    messages = phrasebook(language).messages
    keys = [task.says for step in lesson().steps for task in step.tasks]
    keys += [f"valdora.lesson.step.{number}" for number in range(1, 9)]
    keys += [f"valdora.lesson.seat.{seat}" for seat in range(lesson().seats)]
    assert len(set(keys)) == len(keys)
    assert [key for key in [*keys, "valdora.lesson.end"] if key not in messages] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_is_left_over(language: str) -> None:
    said = {task.says for step in lesson().steps for task in step.tasks} | {"valdora.lesson.end"}
    found = {key for key in phrasebook(language).messages if key.startswith("valdora.lesson.")}
    assert {key for key in found if key.count(".") == 2} == said


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('to = "w3"', 'to = "o2"', "rule VT-2 forbids it"),
        ('to = "w3"', 'to = "nowhere"', "rule VB-1 forbids it"),
        ('pile = "left", pay = "pan"', 'pile = "left", pay = "cart"', "in step 4, but rule VA-5 forbids it"),
        ('    [2, { do = "end_turn" }],\n', "", "it is not their turn"),
        ('do = "refill"', 'do = "rest"', "does not have the expected form"),
        ("seats = 3", "seats = 2", "cannot be set up"),
        ("seats = 3", "seats = 3\nteacher = 1", "does not have the expected form"),
        ('seed = "morning 70"', 'seed = "morning 70', "is not valid TOML"),
        ('tasks = [{ says = "valdora.lesson.go", move = { do = "move", to = "w3" } }]', "tasks = []", "step 1"),
    ],
)
def test_a_lesson_that_cannot_be_played_is_refused_in_a_sentence(old: str, new: str, sentence: str) -> None:
    assert old in TEXT
    with pytest.raises(BadGameData, match=r"^valdora/lesson\.toml .*\.$") as refused:
        check(GAME, read(GAME, TEXT.replace(old, new, 1)))
    assert sentence in str(refused.value)


def test_a_lesson_without_steps_is_none() -> None:
    with pytest.raises(BadGameData, match="has no steps"):
        check(GAME, Lesson("seed", 3, {}, ()))


def test_without_the_file_there_is_no_lesson(tmp_path: Path) -> None:
    assert load(GAME, tmp_path) is None
    assert tomllib.loads(TEXT)["seats"] == lesson().seats
