"""Rules of the house that a linter does not know."""

import re

import pytest

from app.engine import registry
from tests.processes import ROOT

GAMES = [card.name for card in registry.cards()]


@pytest.mark.parametrize("game", GAMES)
def test_no_game_is_named_outside_its_own_folder(game: str) -> None:
    named = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "app").rglob("*.py")
        if re.search(rf"\b{game}\b", path.read_text(encoding="utf-8"), re.IGNORECASE)
        and game not in path.relative_to(ROOT).parts
    ]
    assert named == []


@pytest.mark.parametrize("game", GAMES)
def test_a_shared_template_or_script_names_no_game(game: str) -> None:
    pages = [*(ROOT / "templates").glob("*.html"), *(ROOT / "static").glob("*.*")]
    assert len(pages) > 3
    assert [page.name for page in pages if re.search(rf"\b{game}\b", page.read_text("utf-8"), re.IGNORECASE)] == []


def test_every_game_on_the_shelf_has_its_rules_and_its_lid() -> None:
    assert GAMES == ["valda", "valdora"]
    for game in GAMES:
        assert (ROOT / "docs" / "rules" / f"{game}.md").exists()
        assert (ROOT / "templates" / "games" / game / "lid.html").exists()
