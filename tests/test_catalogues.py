"""The texts: complete in all four languages, with the same arguments, in as many forms as a language counts."""

import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po

from app.i18n import LANGUAGES, catalogue_files, phrasebook
from tests.processes import ROOT

FOLDERS = [path.parent for path in catalogue_files("en")]
OTHERS = [language for language in LANGUAGES if language != "en"]


def entries(folder: Path, language: str) -> dict[str, Message]:
    with (folder / f"{language}.po").open("rb") as file:
        catalogue = read_po(file, locale=language)
    return {(entry.id if isinstance(entry.id, str) else entry.id[0]): entry for entry in catalogue if entry.id}


def forms(entry: Message) -> list[str]:
    return [entry.string] if isinstance(entry.string, str) else list(entry.string or ())


def arguments(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.parent.name)
@pytest.mark.parametrize("language", OTHERS)
def test_no_text_is_missing(folder: Path, language: str) -> None:
    english, other = entries(folder, "en"), entries(folder, language)
    assert english.keys() == other.keys()
    for key, entry in other.items():
        assert all(form.strip() for form in forms(entry)), key
        assert {name for form in forms(entry) for name in arguments(form)} == {
            name for form in forms(english[key]) for name in arguments(form)
        }, key


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.parent.name)
@pytest.mark.parametrize(("language", "count"), [("en", 2), ("it", 2), ("es", 2), ("ru", 3)])
def test_a_counted_text_has_all_forms_of_its_language(folder: Path, language: str, count: int) -> None:
    for key, entry in entries(folder, language).items():
        if not isinstance(entry.id, str):
            assert len(forms(entry)) == count, key


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.parent.name)
def test_a_key_stands_once_in_a_catalogue(folder: Path) -> None:
    for language in LANGUAGES:
        keys = re.findall(r'^msgid "(.+)"$', (folder / f"{language}.po").read_text(encoding="utf-8"), re.MULTILINE)
        assert len(set(keys)) == len(keys)


def keys_in_sources() -> Iterator[tuple[str, str]]:
    """Every text that looks like a message key, in code and templates. A key put together at run time is not seen."""
    families = {key.partition(".")[0] for key in phrasebook("en").messages}
    words = "|".join(sorted(families))
    key = re.compile(rf'(?<!ForeignKey\()"((?:{words})\.[a-z_]+(?:\.[a-z_]+)*)"')  # that one names a column
    for path in (*(ROOT / "app").rglob("*.py"), *(ROOT / "templates").rglob("*.html")):
        for found in key.findall(path.read_text(encoding="utf-8")):
            if not found.endswith((".html", ".css", ".js")):
                yield found, path.name


def test_every_key_in_the_sources_has_a_text() -> None:
    found = dict(keys_in_sources())
    assert len(found) > 60
    assert {key: where for key, where in found.items() if key not in phrasebook("en").messages} == {}


def test_russian_counts_in_three_forms() -> None:
    say = phrasebook("ru").say
    told = [say("valdora.event.refilled", {"seat": 0, "coins": coins}) for coins in (1, 2, 5, 11, 21)]
    endings = [re.findall(r"монет\w*", text)[0] for text in told]
    assert len(set(endings)) == 3
    assert endings[0] == endings[4]
    assert endings[2] == endings[3]


def test_names_of_people_and_things_are_put_in() -> None:
    args = {"seat": 1, "seat_to": 0, "coins": 1}
    assert phrasebook("en").say("valdora.event.met", args, ["Ann", "Bob"]) == "Bob meets Ann and pays a coin."
    assert phrasebook("en").say("valdora.event.met", args) == "Player 2 meets Player 1 and pays a coin."
    assert "Aldamonte" in phrasebook("it").say("valdora.event.moved", {"seat": 0, "space": "A", "space_from": "H"})


def test_a_name_with_braces_is_only_a_name() -> None:
    names = ["{seat}", "{0.__class__}"]
    said = phrasebook("en").say("valdora.event.met", {"seat": 0, "seat_to": 1, "coins": 1}, names)
    assert said == "{seat} meets {0.__class__} and pays a coin."


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_wish_stands_after_a_colon(language: str) -> None:
    """A list of gems has no article, so a sentence cannot simply run on into it."""
    wishes = [form for message in phrasebook(language).messages.values() for form in message.forms if "_wanted" in form]
    assert len(wishes) >= 6
    assert all(": {gem_wanted}" in form for form in wishes)


def test_an_italian_sentence_has_no_preposition_before_a_place() -> None:
    """`a Aldamonte` would have to be `ad Aldamonte`."""
    for key, message in phrasebook("it").messages.items():
        assert not any(" a {space" in form for form in message.forms), key


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("valdora.event.met", ("pays", "paga", "paga", "платит")),  # a coin for a full purse goes to the bank
        ("valdora.refuse.cannot_pay_meeting", ("must pay", "devi pagare", "debes pagar", "нужно заплатить")),
        ("valdora.refuse.page_costs", ("each further one", "ogni altra", "cada página adicional", "каждая следующая")),
        ("valdora.refuse.loading_costs", ("Loading", "Caricare", "Cargar", "добыть")),
        ("valdora.text.discard", ("Discard", "Casella degli scarti", "Zona de descarte", "Сброс")),
        ("valdora.card.line", ("gems", "gemme", "gemas", "драгоценностей")),
        ("valdora.event.workshop", ("workshop", "laboratorio", "taller", "мастерскую (цвет: {patron})")),
        ("valdora.event.bonus", ("workshop", "laboratorio", "taller", "мастерскую (цвет: {patron})")),
    ],
)
def test_the_words_of_the_glossary_are_used(key: str, words: tuple[str, ...]) -> None:
    for language, word in zip(LANGUAGES, words, strict=True):
        assert all(word in form for form in phrasebook(language).messages[key].forms), language
