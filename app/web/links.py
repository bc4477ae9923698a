"""Private links of a seat: to another device, to somebody else who takes it over, to somebody who may look."""

from typing import Annotated

from fastapi import APIRouter, Form, Path
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.rooms.errors import RoomError
from app.rooms.snapshot import Place
from app.web.callers import NewOrKnown, SomePerson, TheHouse, keep_cookie
from app.web.carry import qr_code, read_seat_link, seat_link
from app.web.render import page
from app.web.room import Code

router = APIRouter()

Token = Annotated[str, Path(max_length=400)]
Name = Annotated[str, Form(max_length=200)]


@router.get("/r/{code}/carry")
@router.get("/r/{code}/hand")
@router.get("/r/{code}/coach")
async def make(house: TheHouse, request: Request, code: Code, person: SomePerson) -> HTMLResponse:
    purpose = request.url.path.rpartition("/")[2]
    seat = await house.database.read(house.rooms.carry, code, person)
    link = seat_link(request, house, purpose, code, seat)
    qr = Markup(qr_code(link))  # noqa: S704
    return page(request, "link.html", purpose=purpose, code=code, seat=seat, link=link, qr=qr)


@router.get("/carry/{token}")
@router.get("/hand/{token}")
@router.get("/coach/{token}")
async def arrive(house: TheHouse, request: Request, token: Token) -> HTMLResponse:
    """It only asks: whoever merely looks at links sits down nowhere."""
    purpose = _purpose(request)
    code, nonce = read_seat_link(house, purpose, token)
    room = await house.database.read(house.rooms.room, code)
    seat: Place | None = next((seat for seat in room.seats if seat.nonce == nonce), None)
    if seat is None:
        raise RoomError("bad_link")
    return page(request, "arrive.html", purpose=purpose, name=seat.name, token=token)


@router.post("/carry/{token}")
@router.post("/hand/{token}")
@router.post("/coach/{token}")
async def follow(house: TheHouse, request: Request, token: Token, person: NewOrKnown, name: Name = "") -> Response:
    purpose = _purpose(request)
    code, nonce = read_seat_link(house, purpose, token)
    rooms = house.rooms
    if purpose == "hand":
        await house.database.write(rooms.receive, code, person, nonce, name)
    else:
        await house.database.write(rooms.coach if purpose == "coach" else rooms.take_along, code, person, nonce)
    return keep_cookie(request, house, person, RedirectResponse(f"/r/{code}", 303))


def _purpose(request: Request) -> str:
    return request.url.path.split("/")[1]
