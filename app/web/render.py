"""Draws templates: words in the reader's language, assets by their content, icons from the sprite."""

import hashlib
from functools import cache, partial
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse

from app.config import ROOT
from app.i18n import LANGUAGES, phrasebook
from app.web.language import words_for

STATIC: Final = ROOT / "static"

_TEMPLATES: Final = Environment(
    loader=FileSystemLoader(ROOT / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


@cache
def asset(name: str) -> str:
    """The address of a file, with a mark of its content, so that browsers may keep it for ever."""
    digest = hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]
    return f"/static/{name}?{digest}"


def icon(name: str) -> Markup:
    return Markup('<svg class="icon" aria-hidden="true"><use href="{}#{}"/></svg>').format(
        asset("vendor/icons.svg"), name
    )


_TEMPLATES.globals.update(asset=asset, icon=icon)


def page(request: Request, template: str, status: int = 200, **context: Any) -> HTMLResponse:
    words = words_for(request)
    here = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    html = _TEMPLATES.get_template(template).render(
        t=partial(_say, words.say),
        language=words.language,
        languages=[(code, phrasebook(code).say("language.name")) for code in LANGUAGES],
        here=here,
        **context,
    )
    return HTMLResponse(html, status, headers={"Vary": "Accept-Language, Cookie", "Content-Language": words.language})


def _say(say: Any, key: str, **args: Any) -> str:
    sentence: str = say(key, args)
    return sentence
