"""The rules of a game in their three shapes: docs/rules, the texts in each language, and the page."""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache, cached_property
from html.parser import HTMLParser
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from app.i18n import phrasebook
from tests.processes import ROOT

MARKS: Final = ("ruling", "reconstructed")
ID: Final = re.compile(r"\b[DV][A-Z]-\d+\b")


class Document:
    """A file of docs/rules: each rule's own words, and its marks, of which some are given to a whole section."""

    def __init__(self, text: str) -> None:
        self.words: dict[str, str] = {}
        self.marks: dict[str, set[str]] = {}
        of_section: set[str] = set()
        for part in re.split(r"^(?=#|- [DV][A-Z]-\d+ )", text, flags=re.MULTILINE):
            item = re.match(r"- ([DV][A-Z]-\d+) (.*)", part, re.DOTALL)
            if item:
                self.words[item[1]] = item[2]
                self.marks[item[1]] = of_section | marks_in(item[2])
            elif part.startswith("## "):
                of_section = marks_in(part.partition("\n")[0])


def marks_in(text: str) -> set[str]:
    brackets = " ".join(re.findall(r"\[[^\]]*\]", text))
    return {mark for mark in MARKS if re.search(rf"\b{mark}\b", brackets)}


class Page(HTMLParser):
    """The drawn rules. What an item holds is kept by its id, in the order of the page."""

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


class Rulebook:
    """All of it for one game."""

    def __init__(self, game: str) -> None:
        self.game = game

    def __repr__(self) -> str:
        return self.game

    @cached_property
    def document(self) -> Document:
        return Document((ROOT / "docs" / "rules" / f"{self.game}.md").read_text(encoding="utf-8"))

    @property
    def rules(self) -> list[str]:
        return list(self.document.words)

    def text(self, rule: str, language: str) -> str:
        return phrasebook(language).say(f"{self.game}.rule.{rule}")

    def keys(self, language: str) -> list[str]:
        families = (f"{self.game}.rule.", f"{self.game}.rules.")
        return [key for key in phrasebook(language).messages if key.startswith(families)]

    def html(self, say: Callable[[str], str], **context: Mapping[str, Callable[[], Markup]]) -> str:
        return templates().get_template(f"games/{self.game}/rules.html").render(t=say, **context)

    def page(self, language: str, **context: Mapping[str, Callable[[], Markup]]) -> Page:
        return Page(self.html(phrasebook(language).say, **context))

    def pictures(self, language: str = "en", **context: Any) -> dict[str, Callable[[], Markup]]:
        """Those that the game has. Drawing one may need more of the page's context."""
        template = templates().get_template(f"games/{self.game}/figures.html")
        module: Any = template.make_module({"t": phrasebook(language).say, "icon": icon, **context})
        figures: dict[str, Callable[[], Markup]] = module.figures
        return figures

    def places(self, *pictures: str) -> dict[str, str]:
        """Which of these pictures stands below which rule."""
        return self.page("en", figures={name: _stand_in(name) for name in pictures}).figures


def icon(name: str) -> Markup:
    return Markup('<svg class="icon"><use href="#{}"/></svg>').format(name)


def _stand_in(name: str) -> Callable[[], Markup]:
    return lambda: Markup('<figure class="{}"></figure>').format(name)


BOOKS: Final = [Rulebook(path.parent.name) for path in sorted((ROOT / "templates" / "games").glob("*/rules.html"))]
