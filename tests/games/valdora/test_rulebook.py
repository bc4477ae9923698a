"""The rules as players read them: nothing of docs/rules/valdora.md is lost, in any language or on the page."""

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from html.parser import HTMLParser

import pytest
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from app.games.valdora.components import FILE
from app.i18n import LANGUAGES, phrasebook
from tests.processes import ROOT

OTHERS = [language for language in LANGUAGES if language != "en"]
MARKS = ("ruling", "reconstructed")
ID = re.compile(r"\bV[A-Z]-\d+\b")
NUMBER = re.compile(r"\d+")


class Document:
    """docs/rules/valdora.md: each rule's own words, and its marks, of which some are given to a whole section."""

    def __init__(self, text: str) -> None:
        self.words: dict[str, str] = {}
        self.marks: dict[str, set[str]] = {}
        of_section: set[str] = set()
        for part in re.split(r"^(?=#|- V[A-Z]-\d+ )", text, flags=re.MULTILINE):
            item = re.match(r"- (V[A-Z]-\d+) (.*)", part, re.DOTALL)
            if item:
                self.words[item[1]] = item[2]
                self.marks[item[1]] = of_section | marks_in(item[2])
            elif part.startswith("## "):
                of_section = marks_in(part.partition("\n")[0])


def marks_in(text: str) -> set[str]:
    brackets = " ".join(re.findall(r"\[[^\]]*\]", text))
    return {mark for mark in MARKS if re.search(rf"\b{mark}\b", brackets)}


DOCUMENT = Document((ROOT / "docs" / "rules" / "valdora.md").read_text(encoding="utf-8"))
RULES = list(DOCUMENT.words)


def text_of(rule: str, language: str) -> str:
    return phrasebook(language).say(f"valdora.rule.{rule}")


def keys(language: str) -> list[str]:
    return [key for key in phrasebook(language).messages if key.startswith(("valdora.rule.", "valdora.rules."))]


class Page(HTMLParser):
    """The drawn rules. `rules` are the items in order; what an item holds is kept by its id."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: Counter[str] = Counter()
        self.sections: dict[str, list[str]] = {}
        self.texts: dict[str, str] = {}
        self.marks: dict[str, set[str]] = {}
        self.figures: dict[str, str] = {}
        self.headings: list[tuple[str, str]] = []
        self._section = self._rule = self._inside = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = {name: value or "" for name, value in attrs}
        self.tags[tag] += 1
        self._inside = tag
        if "id" in has:
            self.ids.append(has["id"])
        if tag == "section":
            self._section = has["id"]
            self.sections[self._section] = []
        elif tag == "li" and has.get("class") == "rule":
            self._rule = has["id"]
            self.sections[self._section].append(self._rule)
            self.marks[self._rule] = set()
        elif tag == "span" and self._rule:
            self.marks[self._rule] |= {name.removeprefix("mark-") for name in has["class"].split()} - {"mark"}
        elif tag == "figure":
            self.figures[self._rule] = has["class"]
        elif tag == "a":
            self.links.append(has["href"])

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""
        if tag == "li":
            self._rule = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "p" and self._rule:
            self.texts[self._rule] = self.texts.get(self._rule, "") + data
        elif self._inside in ("h1", "h2", "h3"):
            self.headings.append((self._inside, data))


@cache
def templates() -> Environment:
    return Environment(loader=FileSystemLoader(ROOT / "templates"), autoescape=True, undefined=StrictUndefined)


def drawn(language: str, **context: Mapping[str, Callable[[], Markup]]) -> Page:
    template = templates().get_template("games/valdora/rules.html")
    return Page(template.render(t=phrasebook(language).say, **context))


def test_the_document_is_read_whole() -> None:
    assert len(RULES) == 12 + 3 + 5 + 6 + 21 + 4 + 4
    assert RULES[0] == "VC-1"
    assert RULES[-1] == "VX-4"
    assert "mine" in DOCUMENT.words["VB-2"]
    assert "always be true" not in DOCUMENT.words["VX-4"]


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


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_has_a_text_and_every_text_a_rule(language: str) -> None:
    texts = [key.removeprefix("valdora.rule.") for key in keys(language) if key.startswith("valdora.rule.")]
    assert texts == RULES
    assert keys(language) == keys("en")


@pytest.mark.parametrize("key", keys("en"))
def test_no_text_was_left_in_another_language(key: str) -> None:
    said = {language: phrasebook(language).say(key) for language in LANGUAGES}
    assert len(set(said.values())) == len(LANGUAGES)
    for language, text in said.items():
        foreign = r"[A-Za-z]+" if language == "ru" else r"[А-Яа-яЁё]+"
        assert re.findall(foreign, ID.sub("", text)) == [], language


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_plain(language: str) -> None:
    for key in keys(language):
        text = phrasebook(language).say(key)
        assert not set("{}<>*`_[]\n") & set(text), key
        assert text == " ".join(text.split()), key


@pytest.mark.parametrize("rule", RULES)
def test_no_number_of_the_document_is_lost(rule: str) -> None:
    """In brackets stand reasons, not rules; `o1` is the name of a space."""
    words = re.sub(r"\[[^\]]*\]|\b[a-z]\d\b", "", ID.sub("", DOCUMENT.words[rule]))
    missing = set(NUMBER.findall(words)) - set(NUMBER.findall(ID.sub("", text_of(rule, "en"))))
    assert missing == set()


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("rule", RULES)
def test_all_languages_give_the_same_numbers(rule: str, language: str) -> None:
    """Each as often as in English, and the rules that are referred to."""
    english, other = text_of(rule, "en"), text_of(rule, language)
    assert Counter(NUMBER.findall(other)) == Counter(NUMBER.findall(english))
    assert ID.findall(other) == ID.findall(english)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_roads_in_words_are_those_of_the_board(language: str) -> None:
    said = re.sub(r" \([^)]*\)", "", text_of("VB-2", language))
    lines = tomllib.loads(FILE.read_text(encoding="utf-8"))["board"]["lines"]
    assert len(lines) == 9
    for line in lines:
        assert " – ".join(phrasebook(language).say(f"valdora.space.{space}") for space in line) in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_has_every_rule_in_the_order_of_the_document(language: str) -> None:
    page = drawn(language)
    assert list(page.texts) == RULES
    assert page.texts == {rule: text_of(rule, language) for rule in RULES}
    sections = {section: rules for section, rules in page.sections.items() if rules}
    assert sections == {
        section: [rule for rule in RULES if rule.startswith(f"{section}-")]
        for section in ("VC", "VB", "VS", "VT", "VA", "VE", "VX")
    }


@pytest.mark.parametrize("rule", RULES)
def test_the_page_marks_what_the_document_marks(rule: str) -> None:
    assert drawn("en").marks[rule] == DOCUMENT.marks[rule]


def test_no_text_is_written_for_nothing() -> None:
    said: list[str] = []

    def overheard(key: str) -> str:
        said.append(key)
        return phrasebook("en").say(key)

    templates().get_template("games/valdora/rules.html").render(t=overheard)
    assert set(said) == set(keys("en"))


def test_every_rule_can_be_linked_to() -> None:
    page = drawn("en")
    assert len(set(page.ids)) == len(page.ids)
    assert {f"#{rule}" for rule in RULES} <= set(page.links)
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
    quoted = {rule for of in RULES for language in LANGUAGES for rule in ID.findall(text_of(of, language))}
    assert quoted
    assert quoted <= set(RULES)


def test_the_page_is_a_fragment_below_somebody_elses_heading() -> None:
    page = drawn("en")
    assert not {"html", "head", "body", "style", "script", "h1"} & set(page.tags)
    assert [text for tag, text in page.headings if tag == "h3"] == [
        phrasebook("en").say(f"valdora.rules.VA.{part}")
        for part in ("choice", "buying", "loading", "completing", "rest")
    ]
    assert page.tags["h2"] == 8


def picture(name: str) -> Callable[[], Markup]:
    return lambda: Markup('<figure class="{}"></figure>').format(name)


def test_pictures_stand_at_their_rules() -> None:
    names = ("gems", "equipment", "patrons", "ring", "board", "book")
    assert drawn("en", figures={name: picture(name) for name in names}).figures == {
        "VC-1": "gems",
        "VC-5": "equipment",
        "VC-8": "patrons",
        "VC-12": "ring",
        "VB-1": "board",
        "VA-3": "book",
    }


def test_a_page_without_some_pictures_is_drawn_all_the_same() -> None:
    assert drawn("en", figures={"board": picture("board")}).figures == {"VB-1": "board"}
    assert drawn("en").figures == {}
