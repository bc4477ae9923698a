"""Draws templates: words in the reader's language, assets by their content, icons from the sprite."""

import hashlib
from functools import cache, partial
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse

from app.config import ROOT
from app.engine import registry
from app.i18n import LANGUAGES, Phrasebook, phrasebook
from app.web.assets import asset
from app.web.language import words_for

TEMPLATES: Final = ROOT / "templates"

_TEMPLATES: Final = Environment(
    loader=FileSystemLoader(TEMPLATES),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    auto_reload=False,  # a template that changes under a running server would not fit its words
)


def icon(name: str) -> Markup:
    return Markup('<svg class="icon" aria-hidden="true"><use href="{}#{}"/></svg>').format(
        asset("vendor/icons.svg"), name
    )


@cache
def places(game: str) -> tuple[str, str]:
    """A game's style sheet that is drawn from its data file: its address, and what it says."""
    text = _TEMPLATES.get_template(f"games/{game}/places.css").render(scene=registry.find(game).scene)
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    return f"/games/{game}/places.css?{digest}", text


_TEMPLATES.globals.update(asset=asset, icon=icon, places=lambda game: places(game)[0])


def render(words: Phrasebook, *templates: str, **context: Any) -> Markup:
    """The first template that there is, in these words. It is as safe as written: all that is put in is escaped."""
    found = _TEMPLATES.select_template(templates)
    html = found.render(t=partial(_say, words.say), language=words.language, **context)
    return Markup(html)  # noqa: S704


def page(request: Request, template: str, status: int = 200, **context: Any) -> HTMLResponse:
    words = words_for(request)
    here = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    languages = [(code, phrasebook(code).say("language.name")) for code in LANGUAGES]
    html = render(words, template, languages=languages, here=here, guides=registry.games().values(), **context)
    return HTMLResponse(html, status, headers={"Vary": "Accept-Language, Cookie", "Content-Language": words.language})


def _say(say: Any, key: str, **args: Any) -> str:
    sentence: str = say(key, args)
    return sentence
