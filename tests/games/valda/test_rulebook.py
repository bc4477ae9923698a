"""What is Valda's own about its rules; tests/web/test_rulebook.py has what every game's must be."""

import re
from types import SimpleNamespace

import pytest

from app.i18n import LANGUAGES, phrasebook
from tests.rulebook import Rulebook

BOOK = Rulebook("valda")
GODS = ("heimdall", "freya", "surtur", "tyr", "thor", "odin", "loki")
CARDS = [key.removeprefix("valda.effect.") for key in phrasebook("en").messages if key.startswith("valda.effect.")]
WEAPONS = [key.removeprefix("valda.weapon.") for key in phrasebook("en").messages if key.startswith("valda.weapon.")]


def test_the_document_is_read_whole() -> None:
    assert len(BOOK.rules) == 5 + 3 + 19 + 15 + 12 + 1
    assert BOOK.rules[0] == "DC-1"
    assert BOOK.rules[-1] == "DE-1"
    assert "Bifrost" in BOOK.document.words["DK-4"]
    assert "hidden" not in BOOK.document.words["DE-1"]


def test_pictures_stand_at_their_rules() -> None:
    assert BOOK.places(*BOOK.pictures()) == {
        "DC-1": "kinds",
        "DT-1": "phases",
        "DT-10": "prices",
        "DT-17": "attack",
        "DT-18": "zones",
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_pictures_show_what_the_scene_counts(language: str) -> None:
    prices = {"mine": (11, 12, 13), **{god: (number, 14, 15) for number, god in enumerate(GODS)}}
    pictures = BOOK.pictures(language, scene=SimpleNamespace(gods=GODS, prices=prices, zones=(0, 2, 4), rounds=6))
    drawn = {name: str(picture()) for name, picture in pictures.items()}
    for name, html in drawn.items():
        assert html.count(f'<figure class="figure figure-{name}">') == 1
        assert phrasebook(language).say(f"valda.figure.{name}") in html
        assert " style=" not in html
    assert re.findall(r"<td>(\d+)</td>", drawn["prices"]) == [
        str(count) for price in prices.values() for count in price
    ]
    assert re.findall(r'class="zone">(\d+)', drawn["zones"]) == ["0", "2", "4"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_card_is_called_in_the_rules_what_is_printed_on_it(language: str) -> None:
    """Runes are called by colour there and the cards with a number have it beside the name; weapons go by effect."""
    said = " ".join(BOOK.text(rule, language) for rule in BOOK.rules)
    named = [card for card in CARDS if not card.startswith(("rune_", "shield_", "weapon_"))]
    assert len(named) == 29 - 3 + 14
    for card in named:
        assert re.sub(r" \d$", "", phrasebook(language).say(f"valda.card.{card}")) in said, card
    for effect in WEAPONS:
        assert phrasebook(language).say(f"valda.weapon.{effect}") in said, effect


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_printed_on_a_card_fits_on_it(language: str) -> None:
    say = phrasebook(language).say
    titles = [say(f"valda.card.{card}") for card in CARDS]
    assert len(set(titles)) == len(titles) == 29 + 14 + 5 + 7
    assert {card for card in CARDS if len(say(f"valda.effect.{card}")) > 90} == set()
    for god in GODS:
        effects = [effect for effect in WEAPONS if say(f"valda.weapon.{effect}") in say(f"valda.effect.weapon_{god}")]
        assert len(effects) == 2, god


@pytest.mark.parametrize("language", LANGUAGES)
def test_letters_tell_resources_apart(language: str) -> None:
    letters = {phrasebook(language).say(f"valda.letter.{name}") for name in ("blood", "gold", "diamond")}
    assert len(letters) == 3
    assert all(len(letter) == 1 for letter in letters)
