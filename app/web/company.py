"""Forms for who plays and when: bots, coming back, agreements, and several people at one device."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from app.web.callers import SomePerson, TheHouse
from app.web.room import Code, MaybeSeat, Seat, Text, done

router = APIRouter()


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


@router.post("/r/{code}/beside")
async def sit_beside(house: TheHouse, request: Request, code: Code, person: SomePerson, name: Text = "") -> Response:
    """A seat for somebody else at the same device."""
    return await done(house, request, code, person, house.rooms.join, name, None, True)


@router.post("/r/{code}/face")
async def face(house: TheHouse, request: Request, code: Code, person: SomePerson, seat: Seat) -> Response:
    return await done(house, request, code, person, house.rooms.face, seat)


@router.post("/r/{code}/dismiss")
async def dismiss(house: TheHouse, request: Request, code: Code, person: SomePerson) -> Response:
    return await done(house, request, code, person, house.rooms.dismiss)
