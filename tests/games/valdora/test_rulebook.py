"""What is Valdora's own about its rules; tests/web/test_rulebook.py has what every game's must be."""

import re
import tomllib

import pytest

from app.games.valdora.components import FILE
from app.i18n import LANGUAGES, phrasebook
from tests.rulebook import Rulebook

BOOK = Rulebook("valdora")


def test_the_document_is_read_whole() -> None:
    assert len(BOOK.rules) == 12 + 3 + 5 + 6 + 21 + 4 + 4
    assert BOOK.rules[0] == "VC-1"
    assert BOOK.rules[-1] == "VX-4"
    assert "mine" in BOOK.document.words["VB-2"]
    assert "always be true" not in BOOK.document.words["VX-4"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_roads_in_words_are_those_of_the_board(language: str) -> None:
    said = re.sub(r" \([^)]*\)", "", BOOK.text("VB-2", language))
    lines = tomllib.loads(FILE.text())["board"]["lines"]
    assert len(lines) == 9
    for line in lines:
        assert " – ".join(phrasebook(language).say(f"valdora.space.{space}") for space in line) in said


def test_pictures_stand_at_their_rules() -> None:
    assert BOOK.places(*BOOK.pictures()) == {
        "VC-1": "gems",
        "VC-5": "equipment",
        "VC-8": "patrons",
        "VC-12": "ring",
        "VB-1": "board",
        "VA-3": "book",
    }
