"""The start page, the language switch, and what is shown when something goes wrong."""

from typing import Annotated, Literal

from fastapi import APIRouter, Form
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from app.engine import registry
from app.web import pacing
from app.web.callers import MaybePerson, TheHouse
from app.web.language import COOKIE, words_for
from app.web.render import page, places

router = APIRouter()

_A_YEAR = 365 * 24 * 3600


@router.get("/", response_class=HTMLResponse)
async def start(house: TheHouse, request: Request, person: MaybePerson) -> HTMLResponse:
    playable = registry.games()
    cards = sorted(registry.cards(), key=lambda card: card.name not in playable)
    lists = await house.database.read(house.rooms.lists, person)
    words = words_for(request)
    paces, absences = pacing.paces(words), pacing.absences(words)
    return page(request, "start.html", cards=cards, playable=playable, lists=lists, paces=paces, absences=absences)


@router.post("/language", response_class=RedirectResponse)
def choose_language(
    request: Request,
    language: Annotated[Literal["en", "it", "es", "ru"], Form()],
    back: Annotated[str, Form(max_length=500)] = "/",
) -> RedirectResponse:
    """Remember the choice and go back to the page it was made on."""
    answer = RedirectResponse(_own_path(back), status_code=303)
    answer.set_cookie(
        COOKIE, language, max_age=_A_YEAR, httponly=True, samesite="lax", secure=request.url.scheme == "https"
    )
    return answer


def _own_path(path: str) -> str:
    """Only ever a page of this site: a browser reads `//host` and `/\\host` as another one."""
    inside = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if inside else "/"


@router.get("/games/{game}/places.css")
def places_css(game: str) -> Response:
    if game not in registry.games():
        raise HTTPException(404)
    return Response(places(game)[1], media_type="text/css")


@router.get("/healthz", response_class=PlainTextResponse, include_in_schema=False)
def healthz() -> str:
    return "ok"
