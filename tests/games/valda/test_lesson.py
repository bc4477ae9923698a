"""The first lesson: eight steps that the rules allow, one whole turn and a bit of the next, with words for each."""

import pytest

from app.engine.contract import Lesson
from app.games.valda.moves import Move
from app.i18n import LANGUAGES, phrasebook
from tests.games.valda.sensible import GAME


def lesson() -> Lesson[Move]:
    assert GAME.lesson is not None
    return GAME.lesson


def learner_sees() -> list[set[str]]:
    """What happens through the learner's own hands, step by step."""
    state = GAME.setup(GAME.options_type(**lesson().options), lesson().seats, lesson().seed)
    happened = []
    for step in lesson().steps:
        for seat, move in step.before:
            assert move in GAME.legal(state, seat)
            state = GAME.apply(state, seat, move).state
        events: set[str] = set()
        for task in step.tasks:
            assert task.move in GAME.legal(state, lesson().LEARNER)
            done = GAME.apply(state, lesson().LEARNER, task.move)
            state = done.state
            events |= {event.key.removeprefix("valda.event.") for event in done.events}
        happened.append(events)
    return happened


def test_it_shows_all_five_phases_and_both_sides_of_an_attack() -> None:
    wanted: list[set[str]] = [
        {"rolled", "gained"},
        {"drew_open", "played", "gained"},
        {"rolled", "followers", "gained"},
        {"built", "followers", "kept"},
        {"shields", "fended"},
        {"worshipped", "followers"},
        {"attacks"},
        {"rolled"},
    ]
    seen = learner_sees()
    assert len(seen) == len(wanted)
    assert all(what <= step for what, step in zip(wanted, seen, strict=True)), seen


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_has_words(language: str) -> None:
    words = phrasebook(language)
    for number, step in enumerate(lesson().steps, start=1):
        assert words.say(f"valda.lesson.step.{number}")
        assert all(len(words.say(task.says)) > 20 for task in step.tasks)
    assert all(words.say(f"valda.lesson.seat.{seat}") for seat in range(lesson().seats))
