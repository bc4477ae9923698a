"""The JSON API: for bots, tests and other clients. The pages use the same rooms."""

from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Path, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request

from app.house import House
from app.live.regions import Encoded, regions, told, whole
from app.rooms.errors import RoomError
from app.rooms.pace import Pace
from app.rooms.policy import may_watch
from app.rooms.seating import NewRoom
from app.rooms.snapshot import Snapshot
from app.web.callers import (
    MaybePerson,
    NewOrKnown,
    SomePerson,
    TheHouse,
    read_person,
    some_person,
    the_house,
    token_of,
)
from app.web.carry import CARRY, qr_code, read_seat_link, seat_link
from app.web.language import words_for
from app.web.problems import bad_request, refused

router = APIRouter(prefix="/api")

Code = Annotated[str, Path(min_length=1, max_length=16)]
Number = Annotated[int, Path(ge=0, le=20)]
Line = Annotated[int, Path(ge=0, lt=1 << 31)]
Name = Annotated[str, Field(max_length=200, description="1 to 24 characters of any script, unlike the others' names")]
Key = Annotated[str, Field(min_length=1, max_length=64, description="chosen by the caller; repeated, it is harmless")]


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Create(Body):
    game: Annotated[str, Field(max_length=32)]
    seats: int
    options: dict[str, Any] = {}
    listed: bool = False
    spectators: bool = True
    seed: Annotated[str | None, Field(max_length=64)] = None
    pace: Annotated[dict[str, Any], Field(description="kind, seconds, more, quiet, zone, absent: docs/api.md")] = {}
    delay: Annotated[int, Field(description="moves that spectators are behind")] = 0


class Created(BaseModel):
    code: str
    url: str
    token: str


class Join(Body):
    name: Name
    seat: Annotated[int | None, Field(ge=0, le=20)] = None
    beside: Annotated[bool, Field(description="another seat for somebody at the same device")] = False


class Joined(BaseModel):
    code: str
    seat: int
    token: str


class Rename(Body):
    name: Name


class Order(Body):
    seats: Annotated[list[int], Field(max_length=20)]


class Bot(Body):
    level: Annotated[str, Field(max_length=16, description="easy, normal or strong")]
    seat: Annotated[int | None, Field(ge=0, le=20)] = None


class Wish(Body):
    what: Annotated[str, Field(max_length=16, description="pause, abandon or keep; said again, it is taken back")]
    seat: Annotated[int | None, Field(ge=0, le=20, description="whom the house is to play for, with keep")] = None


class Submit(msgspec.Struct, forbid_unknown_fields=True):
    decision: Annotated[str, msgspec.Meta(max_length=64)]
    move: dict[str, Any]
    key: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


_read_submit = msgspec.json.Decoder(Submit).decode


_SUBMIT = {
    **msgspec.json.schema_components([Submit])[1]["Submit"],
    "description": "`decision` is the one you were shown; `key` is chosen by you: repeated, it is harmless",
}


class TakeBack(Body):
    key: Key


class Landed(BaseModel):
    seq: int


class Say(Body):
    text: Annotated[str, Field(max_length=4000)]
    name: Annotated[str | None, Field(max_length=200, description="a spectator's; players have their seat's")] = None


class Mute(Body):
    muted: bool = True


class Carried(BaseModel):
    url: str
    qr: str


class Carry(Body):
    carry: Annotated[str, Field(max_length=400)]


def as_json(content: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(content), status, {"Cache-Control": "no-store"}, "application/json")


def shown(request: Request, house: House, room: Snapshot, person: str | None) -> dict[str, Any]:
    """The room as the caller may see it."""
    if not may_watch(room, person):
        raise RoomError("spectators_barred")
    viewer = room.viewer(person)
    seen, plays = room.seen(room.is_late(person)), bool(room.seats_of(person))
    content = whole(seen, regions(Encoded(seen), viewer), viewer, words_for(request), plays)
    return {**content, "presence": house.presence.of(room.code)}


@router.post("/rooms", status_code=201, summary="Open a room; you are its host")
async def create(house: TheHouse, request: Request, person: NewOrKnown, wish: Create) -> Created:
    try:
        pace = msgspec.convert(wish.pace, Pace)
    except msgspec.ValidationError as error:
        raise RoomError("bad_pace", detail=str(error)) from error
    new = NewRoom(**{**wish.model_dump(), "pace": pace})
    room = await house.database.write(house.rooms.create, person, new)
    return Created(code=room.code, url=f"{request.base_url}r/{room.code}", token=token_of(house.signer, person))


@router.get("/rooms", summary="Public rooms that one can join or watch")
async def listed(house: TheHouse) -> Response:
    return as_json({"rooms": await house.database.read(house.rooms.listed)})


@router.get("/rooms/{code}", summary="A room as you may see it; without a token, as a spectator")
async def look(house: TheHouse, request: Request, code: Code, person: MaybePerson) -> Response:
    room = await house.database.read(house.rooms.room, code)
    return as_json(shown(request, house, room, person))


@router.post("/rooms/{code}/join", summary="Take a seat")
async def join(house: TheHouse, code: Code, person: NewOrKnown, wish: Join) -> Joined:
    before = (await house.database.read(house.rooms.room, code)).seats_of(person)
    room = await house.database.write(house.rooms.join, code, person, wish.name, wish.seat, wish.beside)
    seat = next(seat for seat in room.seats_of(person) if seat not in before)
    return Joined(code=code, seat=seat, token=token_of(house.signer, person))


@router.post("/rooms/{code}/leave", status_code=204, summary="Leave your seat, before the game")
async def leave(house: TheHouse, code: Code, person: SomePerson) -> None:
    await house.database.write(house.rooms.leave, code, person)


@router.post("/rooms/{code}/name", status_code=204, summary="Change your name")
async def rename(house: TheHouse, code: Code, person: SomePerson, wish: Rename) -> None:
    await house.database.write(house.rooms.rename, code, person, wish.name)


@router.post("/rooms/{code}/order", status_code=204, summary="Host: the seats' numbers in their new order")
async def order(house: TheHouse, code: Code, person: SomePerson, wish: Order) -> None:
    await house.database.write(house.rooms.order, code, person, wish.seats)


@router.post(
    "/rooms/{code}/seats/{number}/free",
    status_code=204,
    summary="Host: take somebody off a seat; during a game another may take it over",
)
async def free(house: TheHouse, code: Code, number: Number, person: SomePerson) -> None:
    await house.database.write(house.rooms.free, code, person, number)


@router.post("/rooms/{code}/seats/{number}/host", status_code=204, summary="Host: hand over hosting")
async def hand_over(house: TheHouse, code: Code, number: Number, person: SomePerson) -> None:
    await house.database.write(house.rooms.hand_over, code, person, number)


@router.post("/rooms/{code}/start", status_code=204, summary="Host: begin the game")
async def start(house: TheHouse, code: Code, person: SomePerson) -> None:
    await house.database.write(house.rooms.start, code, person)


@router.post("/rooms/{code}/bots", status_code=204, summary="Host: let the house play a free seat")
async def add_bot(house: TheHouse, code: Code, person: SomePerson, wish: Bot) -> None:
    await house.database.write(house.rooms.add_bot, code, person, wish.level, wish.seat)


@router.post("/rooms/{code}/wish", status_code=204, summary="What you would agree to; it happens when all do")
async def agree(house: TheHouse, code: Code, person: SomePerson, wish: Wish) -> None:
    await house.database.write(house.rooms.wish, code, person, wish.what, wish.seat, house.seats_here(code))


@router.post("/rooms/{code}/resume", status_code=204, summary="End a pause")
async def resume(house: TheHouse, code: Code, person: SomePerson) -> None:
    await house.database.write(house.rooms.resume, code, person)


@router.post("/rooms/{code}/seats/{number}/face", status_code=204, summary="Several at one device: who holds it now")
async def face(house: TheHouse, code: Code, number: Number, person: SomePerson) -> None:
    await house.database.write(house.rooms.face, code, person, number)


@router.post("/rooms/{code}/back", status_code=204, summary="Play for yourself again, after the house has")
async def come_back(house: TheHouse, code: Code, person: SomePerson) -> None:
    await house.database.write(house.rooms.come_back, code, person)


@router.post("/rooms/{code}/rematch", summary="After the end: a new room with the same people")
async def rematch(house: TheHouse, request: Request, code: Code, person: SomePerson) -> Created:
    room = await house.database.write(house.rooms.rematch, code, person)
    return Created(code=room.code, url=f"{request.base_url}r/{room.code}", token=token_of(house.signer, person))


@router.post(
    "/rooms/{code}/moves",
    summary="Make a move",
    openapi_extra={
        "parameters": [{"name": "code", "in": "path", "required": True, "schema": {"type": "string"}}],
        "requestBody": {"required": True, "content": {"application/json": {"schema": _SUBMIT}}},
    },
    responses={
        200: {"model": Landed, "description": "It is stored. A repeated key gets the first answer."},
        403: {"description": "Not your seat, or not your turn."},
        409: {"description": "The decision is stale; `fresh` is the table as it is now."},
        422: {"description": "Malformed, or illegal: then `rule` names the rule."},
    },
)
async def move(request: Request) -> Response:
    """The one call that must be fast: it reads its request itself, without FastAPI's dependencies and models."""
    house, code = the_house(request), request.path_params["code"]
    person = await some_person(read_person(house.signer, request.headers, request.cookies))
    try:
        wish = _read_submit(await request.body())
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        return bad_request(request, f"body: {error}")
    try:
        seq = await house.play(code, person, wish.decision, wish.move, wish.key)
    except RoomError as error:
        if error.code != "stale":
            raise
        room = await house.database.read(house.rooms.room, code)
        return refused(request, error, fresh=shown(request, house, room, person))
    return as_json({"seq": seq})


@router.post(
    "/rooms/{code}/undo",
    summary="Take back your own last step",
    responses={422: {"description": "There is a barrier in the way; `barrier` says which."}},
)
async def undo(house: TheHouse, code: Code, person: SomePerson, wish: TakeBack) -> Landed:
    return Landed(seq=await house.database.write(house.rooms.undo, code, person, wish.key))


@router.get("/rooms/{code}/log", summary="All that happened, as you may know it; everything after the end")
async def log(house: TheHouse, request: Request, code: Code, person: MaybePerson) -> Response:
    room = await house.database.read(house.rooms.room, code)
    if not may_watch(room, person):
        raise RoomError("spectators_barred")
    happened = await house.database.read(house.rooms.log, code)
    viewer = room.viewer(person)
    happened = happened[: room.seen(room.is_late(person)).seq]
    return as_json({"code": code, "log": told(room, happened, viewer, words_for(request))})


@router.post("/rooms/{code}/chat", status_code=201, summary="Say something at the table")
async def say(house: TheHouse, code: Code, person: NewOrKnown, wish: Say) -> dict[str, int]:
    said = await house.database.write(house.rooms.say, code, person, wish.text, wish.name)
    return {"id": said.id}


@router.post("/rooms/{code}/chat/{message}/mute", status_code=204, summary="Host: silence who wrote this line")
async def mute(house: TheHouse, code: Code, message: Line, person: SomePerson, wish: Mute) -> None:
    await house.database.write(house.rooms.mute, code, person, message, wish.muted)


@router.post("/rooms/{code}/carry", summary="A private link that carries your seat to another device")
async def carry(house: TheHouse, request: Request, code: Code, person: SomePerson) -> Carried:
    seat = await house.database.read(house.rooms.carry, code, person)
    url = seat_link(request, house, CARRY, code, seat)
    return Carried(url=url, qr=qr_code(url))


@router.post("/carry", summary="Sit on your seat at this device")
async def take_along(house: TheHouse, person: NewOrKnown, wish: Carry) -> Joined:
    code, nonce = read_seat_link(house, CARRY, wish.carry)
    room = await house.database.write(house.rooms.take_along, code, person, nonce)
    return Joined(code=code, seat=room.seats_of(person)[-1], token=token_of(house.signer, person))
