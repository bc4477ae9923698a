"""The golden games of every game: told as they were, played as the sensible player plays.

After a wanted change:  .venv/bin/python -m tests.games.<game>.sensible  writes them anew.
"""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from app.engine.contract import SPECTATOR
from app.engine.registry import find
from app.engine.table import Record, replay
from app.i18n import LANGUAGES, phrasebook
from app.replaying import Replay
from tests.games import golden
from tests.games.valda import sensible as valda
from tests.games.valdora import sensible as valdora

SENSIBLE: dict[str, Any] = {"valda": valda, "valdora": valdora}
EACH = [(name, seats) for name, sensible in SENSIBLE.items() for seats in sensible.GAMES]


@pytest.mark.parametrize(("name", "seats"), EACH)
def test_a_golden_game_is_told_as_it_was(name: str, seats: int) -> None:
    record, text = golden.read(SENSIBLE[name].GOLDEN, seats)
    assert golden.told(record) == text


@pytest.mark.parametrize(("name", "seats"), EACH)
def test_the_golden_games_are_those_the_sensible_player_plays(name: str, seats: int) -> None:
    play: Callable[[int, str], Record] = SENSIBLE[name].play_sensibly
    record, _ = golden.read(SENSIBLE[name].GOLDEN, seats)
    assert msgspec.json.encode(play(seats, SENSIBLE[name].GAMES[seats])) == msgspec.json.encode(record)


@pytest.mark.parametrize(
    ("name", "end", "moves"),
    [
        (
            "valdora",
            "valdora.end.craftsmen",
            {"move", "turn_page", "buy", "load", "deliver", "refill", "provisions", "end_turn"},
        ),
        (
            "valda",
            "valda.end.rounds",
            {"roll", "play", "take", "build", "keep", "attack", "shield", "stand", "worship", "crown", "vanish"},
        ),
    ],
)
def test_the_golden_games_show_nearly_everything(name: str, end: str, moves: set[str]) -> None:
    records = [golden.read(SENSIBLE[name].GOLDEN, seats)[0] for seats in SENSIBLE[name].GAMES]
    assert golden.kinds_of_moves(records) >= moves
    for record in records:
        outcome = find(name).outcome(replay(find(name), record).state)
        assert outcome is not None
        assert outcome.reason == end


@pytest.mark.parametrize("name", SENSIBLE)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_whole_game_has_words_in_every_language(name: str, language: str) -> None:
    record, _ = golden.read(SENSIBLE[name].GOLDEN, 5)
    text = Replay(record, phrasebook(language), SPECTATOR).text()
    assert "{" not in text
    assert f"{name}." not in text
