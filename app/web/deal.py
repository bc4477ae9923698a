"""The deal can be checked: what fixes it is shown before anybody plays, and what it was made from after the end."""

import hashlib
import shlex

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse

from app.rooms.errors import RoomError
from app.rooms.policy import may_watch
from app.web.callers import MaybePerson, TheHouse
from app.web.render import page
from app.web.replay import Code

router = APIRouter()


@router.get("/r/{code}/deal")
async def deal(house: TheHouse, request: Request, code: Code, person: MaybePerson) -> HTMLResponse:
    room = await house.database.read(house.rooms.room, code)
    if not may_watch(room, person):
        raise RoomError("spectators_barred")
    seed, agrees = "", False
    if room.status == "ended":
        seed, past = room.seed, await house.database.read(house.pasts.of, code)
        agrees = past.course.states[-1] == room.state and hashlib.sha256(seed.encode()).hexdigest() == room.seed_hash
    return page(request, "deal.html", room=room, seed=seed, agrees=agrees, quoted=shlex.quote(seed))
