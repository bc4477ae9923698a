"""Forms for who plays and when: bots, coming back, agreements, and handing one's seat to somebody else."""

from typing import Annotated

from fastapi import APIRouter, Form, Path
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.rooms.errors import RoomError
from app.web.callers import NewOrKnown, SomePerson, TheHouse, keep_cookie
from app.web.carry import HAND, qr_code, read_seat_link, seat_link
from app.web.render import page
from app.web.room import Code, MaybeSeat, Text, done

router = APIRouter()

Token = Annotated[str, Path(max_length=400)]


@router.post("/r/{code}/bot")
async def add_bot(
    house: TheHouse, request: Request, code: Code, person: SomePerson, level: Text, seat: MaybeSeat = None
) -> Response:
    return await done(house, request, code, person, house.rooms.add_bot, level, seat)


@router.post("/r/{code}/back")
async def come_back(house: TheHouse, request: Request, code: Code, person: SomePerson) -> Response:
    return await done(house, request, code, person, house.rooms.come_back)


@router.post("/r/{code}/wish")
async def wish(
    house: TheHouse, request: Request, code: Code, person: SomePerson, what: Text, seat: MaybeSeat = None
) -> Response:
    return await done(house, request, code, person, house.rooms.wish, what, seat, house.seats_here(code))


@router.post("/r/{code}/resume")
async def resume(house: TheHouse, request: Request, code: Code, person: SomePerson) -> Response:
    return await done(house, request, code, person, house.rooms.resume)


@router.get("/r/{code}/hand")
async def hand(house: TheHouse, request: Request, code: Code, person: SomePerson) -> HTMLResponse:
    """The link by which somebody else gets one's seat."""
    seat = await house.database.read(house.rooms.carry, code, person)
    link = seat_link(request, house, HAND, code, seat)
    return page(request, "hand.html", code=code, link=link, qr=Markup(qr_code(link)))  # noqa: S704


@router.get("/hand/{token}")
async def receive(house: TheHouse, request: Request, token: Token) -> HTMLResponse:
    code, nonce = read_seat_link(house, HAND, token)
    room = await house.database.read(house.rooms.room, code)
    seat = next((seat for seat in room.seats if seat.nonce == nonce), None)
    if seat is None:
        raise RoomError("bad_link")
    return page(request, "receive.html", room=room, seat=seat, token=token)


@router.post("/hand/{token}")
async def sit_down(
    house: TheHouse, request: Request, person: NewOrKnown, token: Token, name: Annotated[str, Form(max_length=200)] = ""
) -> Response:
    code, nonce = read_seat_link(house, HAND, token)
    await house.database.write(house.rooms.receive, code, person, nonce, name)
    return keep_cookie(request, house, person, RedirectResponse(f"/r/{code}", 303))
