"""Three whole games one can read, golden/*.txt: whatever changes in rules or words shows there.

After a wanted change:  .venv/bin/python -m tests.games.valdora.sensible  writes them anew.
"""

import msgspec
import pytest

from app.engine.contract import SPECTATOR
from app.engine.table import Played, replay
from app.i18n import LANGUAGES, phrasebook
from app.replaying import Replay, read_record
from tests.games.valdora.sensible import GAMES, GOLDEN, play_sensibly, told
from tests.games.valdora.tabletop import GAME


@pytest.mark.parametrize("seats", GAMES)
def test_a_golden_game_is_told_as_it_was(seats: int) -> None:
    record = read_record(GOLDEN / f"{seats}-players.json")
    assert told(record) == (GOLDEN / f"{seats}-players.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("seats", GAMES)
def test_the_golden_games_are_those_the_sensible_player_plays(seats: int) -> None:
    record = read_record(GOLDEN / f"{seats}-players.json")
    assert msgspec.json.encode(play_sensibly(seats, GAMES[seats])) == msgspec.json.encode(record)


def test_the_golden_games_show_nearly_everything() -> None:
    moves = {
        entry.move["do"]
        for seats in GAMES
        for entry in read_record(GOLDEN / f"{seats}-players.json").log
        if isinstance(entry, Played)
    }
    assert moves >= {"move", "turn_page", "buy", "load", "deliver", "refill", "provisions", "end_turn"}
    for seats in GAMES:
        outcome = GAME.outcome(replay(GAME, read_record(GOLDEN / f"{seats}-players.json")).state)
        assert outcome is not None
        assert outcome.reason == "valdora.end.craftsmen"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_whole_game_has_words_in_every_language(language: str) -> None:
    text = Replay(read_record(GOLDEN / "5-players.json"), phrasebook(language), SPECTATOR).text()
    assert "{" not in text
    assert "valdora." not in text
