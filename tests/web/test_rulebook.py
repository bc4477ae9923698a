"""The rules as players read them: nothing of docs/rules is lost, in any language or on the page."""

import re
from collections import Counter

import pytest

from app.engine import registry
from app.i18n import LANGUAGES, phrasebook
from tests.rulebook import BOOKS, ID, Document, Rulebook, marks_in

OTHERS = [language for language in LANGUAGES if language != "en"]
NUMBER = re.compile(r"\d+")
of_every_book = pytest.mark.parametrize("book", BOOKS, ids=repr)
of_every_rule = pytest.mark.parametrize(
    ("book", "rule"), [pytest.param(book, rule, id=rule) for book in BOOKS for rule in book.rules]
)


def test_every_game_on_the_shelf_has_its_rules() -> None:
    assert [book.game for book in BOOKS] == [card.name for card in registry.cards()]
    for book in BOOKS:
        assert len(book.rules) > 40


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("Ours. [ruling]", {"ruling"}),
        ("Half of it. [last: ruling]", {"ruling"}),
        ("Fits. [reconstructed; fits\nthe scores]", {"reconstructed"}),
        ("One [ruling: so that it ends] and [reconstructed].", {"ruling", "reconstructed"}),
        ('A ruling in words only [the Spanish rules say "may"].', set()),
    ],
)
def test_marks_stand_in_brackets(text: str, marks: set[str]) -> None:
    assert marks_in(text) == marks


def test_a_mark_of_a_section_is_one_of_each_of_its_rules() -> None:
    document = Document("## A (VA) [reconstructed]\n- VA-1 x\n- VA-2 y [ruling]\n## B (VB)\n- VB-1 z\n")
    assert document.marks == {"VA-1": {"reconstructed"}, "VA-2": {"reconstructed", "ruling"}, "VB-1": set()}


@of_every_book
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_has_a_text_and_every_text_a_rule(book: Rulebook, language: str) -> None:
    family = f"{book.game}.rule."
    assert [key.removeprefix(family) for key in book.keys(language) if key.startswith(family)] == book.rules
    assert book.keys(language) == book.keys("en")


@pytest.mark.parametrize("key", [key for book in BOOKS for key in book.keys("en")])
def test_no_text_was_left_in_another_language(key: str) -> None:
    said = {language: phrasebook(language).say(key) for language in LANGUAGES}
    assert len(set(said.values())) == len(LANGUAGES)
    for language, text in said.items():
        foreign = r"[A-Za-z]+" if language == "ru" else r"[А-Яа-яЁё]+"
        assert re.findall(foreign, ID.sub("", text)) == [], language


@of_every_book
@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_plain(book: Rulebook, language: str) -> None:
    for key in book.keys(language):
        text = phrasebook(language).say(key)
        assert not set("{}<>*`_[]\n") & set(text), key
        assert text == " ".join(text.split()), key


@of_every_rule
def test_no_number_of_the_document_is_lost(book: Rulebook, rule: str) -> None:
    """In brackets stand reasons, not rules; `o1` is the name of a space."""
    words = re.sub(r"\[[^\]]*\]|\b[a-z]\d\b", "", ID.sub("", book.document.words[rule]))
    missing = set(NUMBER.findall(words)) - set(NUMBER.findall(ID.sub("", book.text(rule, "en"))))
    assert missing == set()


@pytest.mark.parametrize("language", OTHERS)
@of_every_rule
def test_all_languages_give_the_same_numbers(book: Rulebook, rule: str, language: str) -> None:
    """Each as often as in English, and the rules that are referred to."""
    english, other = book.text(rule, "en"), book.text(rule, language)
    assert Counter(NUMBER.findall(other)) == Counter(NUMBER.findall(english))
    assert ID.findall(other) == ID.findall(english)


@of_every_book
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_has_every_rule_in_the_order_of_the_document(book: Rulebook, language: str) -> None:
    page = book.page(language)
    assert list(page.texts) == book.rules
    assert page.texts == {rule: book.text(rule, language) for rule in book.rules}
    sections: dict[str, list[str]] = {}
    for rule in book.rules:
        sections.setdefault(rule.partition("-")[0], []).append(rule)
    assert {section: rules for section, rules in page.sections.items() if rules} == sections


@of_every_book
def test_the_page_marks_what_the_document_marks(book: Rulebook) -> None:
    assert book.page("en").marks == book.document.marks


@of_every_book
def test_no_text_is_written_for_nothing(book: Rulebook) -> None:
    said: list[str] = []

    def overheard(key: str) -> str:
        said.append(key)
        return phrasebook("en").say(key)

    book.html(overheard)
    assert set(said) == set(book.keys("en"))


@of_every_book
def test_every_rule_can_be_linked_to(book: Rulebook) -> None:
    page = book.page("en")
    assert len(set(page.ids)) == len(page.ids)
    assert {f"#{rule}" for rule in book.rules} <= set(page.links)
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
    quoted = {rule for of in book.rules for language in LANGUAGES for rule in ID.findall(book.text(of, language))}
    assert quoted
    assert quoted <= set(book.rules)


@of_every_book
def test_the_page_is_a_fragment_below_somebody_elses_heading(book: Rulebook) -> None:
    page = book.page("en")
    assert not {"html", "head", "body", "style", "script", "h1"} & set(page.tags)
    headings = re.compile(rf"{book.game}\.rules\.[A-Z]+\.(?!title$|intro$)\w+")
    assert [text for tag, text in page.headings if tag == "h3"] == [
        phrasebook("en").say(key) for key in book.keys("en") if headings.fullmatch(key)
    ]
    assert page.tags["h2"] == 1 + len({rule.partition("-")[0] for rule in book.rules})


@of_every_book
def test_every_picture_has_its_place(book: Rulebook) -> None:
    pictures = book.pictures()
    assert pictures
    assert sorted(book.places(*pictures).values()) == sorted(pictures)


@of_every_book
def test_a_page_without_some_pictures_is_drawn_all_the_same(book: Rulebook) -> None:
    name = next(iter(book.pictures()))
    assert list(book.places(name).values()) == [name]
    assert book.page("en").figures == {}
