"""A game's rules as a page, with pictures drawn from its data file."""

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse

from app.engine import registry
from app.engine.contract import SPECTATOR
from app.web.callers import the_drawings
from app.web.drawing import Look
from app.web.language import words_for
from app.web.render import TEMPLATES, page
from app.web.staged import stage

router = APIRouter()


@router.get("/rules/{name}")
async def rules(request: Request, name: str) -> HTMLResponse:
    game = registry.games().get(name)
    if game is None or not (TEMPLATES / "games" / name / "rules.html").exists():
        raise HTTPException(404)
    words = words_for(request)
    names = [words.say("seat.name", {"number": number + 1}) for number in range(game.card.seats[0])]
    example = stage(game, "rules", {}, names, ())
    look = Look(SPECTATOR, words.language, (), False, False, "")
    pieces = the_drawings(request).draw(example, look).pieces
    return page(request, "rules.html", game=game, scene=game.scene, r=pieces)
