"""A room's page and its forms, which work without a script. What a script adds is told at each."""

from collections.abc import Mapping
from typing import Annotated, Any, Final

import msgspec
from fastapi import APIRouter, Form, Path
from markupsafe import Markup
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.engine import registry
from app.engine.codec import decode_move
from app.engine.contract import Illegal, Malformed, MoveError, Refusal
from app.engine.table import course
from app.house import House
from app.i18n import Phrasebook
from app.rooms.errors import RoomError
from app.rooms.playing import acting_seat
from app.rooms.policy import may_watch, must_play
from app.rooms.seating import NewRoom
from app.rooms.service import Rooms
from app.rooms.snapshot import Snapshot
from app.rooms.store import seats_held
from app.web.callers import MaybePerson, NewOrKnown, SomePerson, TheHouse, keep_cookie, the_drawings
from app.web.drawing import Problem, content, look_of
from app.web.language import words_for
from app.web.pacing import read_pace
from app.web.preview import preview_of
from app.web.render import page, render

router = APIRouter()

Code = Annotated[str, Path(min_length=1, max_length=16)]
Text = Annotated[str, Form(max_length=4000)]
Seat = Annotated[int, Form(ge=0, le=20)]
MaybeSeat = Annotated[int | None, Form(ge=0, le=20)]

_OPTION: Final = "option."
_LONGEST_OPTION: Final = 40  # more is no option of any game, and a refusal repeats it


@router.post("/rooms")
async def create(
    house: TheHouse,
    request: Request,
    person: NewOrKnown,
    game: Text,
    seats: MaybeSeat = None,
    listed: Annotated[bool, Form()] = False,
    spectators: Annotated[bool, Form()] = True,
    pace: Text = "none",
    quiet: Text = "",
    zone: Text = "UTC",
    absent: Text = "",
    delay: Annotated[int, Form(ge=0, le=99)] = 0,
) -> Response:
    card = next((card for card in registry.cards() if card.name == game), None)
    options = read_options(await request.form())
    agreed = read_pace(pace, quiet, zone, absent)
    wish = NewRoom(
        game, seats or (card.seats[-1] if card else 0), options, listed, spectators, pace=agreed, delay=delay
    )
    room = await house.database.write(house.rooms.create, person, wish)
    return _to_room(request, house, person, room.code)


def read_options(form: Mapping[str, object]) -> dict[str, Any]:
    """A game's own options among a form's fields. Which there are is its business; yes and no are alike in all games.

    >>> read_options({"seats": "3", "option.start": "drawn", "option.memory": "true"})
    {'start': 'drawn', 'memory': True}
    """
    said = {"true": True, "false": False}
    given = {field.removeprefix(_OPTION): str(value) for field, value in form.items() if field.startswith(_OPTION)}
    return {name[:_LONGEST_OPTION]: said.get(value, value[:_LONGEST_OPTION]) for name, value in given.items()}


def _to_room(request: Request, house: House, person: str, code: str) -> Response:
    return keep_cookie(request, house, person, RedirectResponse(f"/r/{code}", 303))


@router.get("/r/{code}")
async def show(house: TheHouse, request: Request, code: Code, person: MaybePerson) -> HTMLResponse:
    return await _page(house, request, code, person)


@router.get("/r/{code}/why")
async def why(house: TheHouse, request: Request, code: Code, person: SomePerson, move: str) -> HTMLResponse:
    """Why something cannot be done now: the rule in words, and its number."""
    room = await house.database.read(house.rooms.room, code)
    refusal = _refusal(room, seats_held(room, person), _read_move(move))
    words = words_for(request)
    text = words.say(refusal.key, refusal.args, room.names) if refusal else words.say("room.why.allowed")
    return await _refuse(house, request, code, person, Problem(text, refusal.rule if refusal else ""), 200)


def _refusal(room: Snapshot, seats: tuple[int, ...], raw: object) -> Refusal | None:
    must_play(room)
    game = room.game
    move = decode_move(game, raw)
    return game.explain(room.state, acting_seat(room, seats, move), move)


async def _page(
    house: House, request: Request, code: str, person: str | None, problem: Problem | None = None, status: int = 200
) -> HTMLResponse:
    """The room as this person may see it, and if something was refused, why."""
    room = await house.database.read(house.rooms.room, code)
    look = look_of(room, person, words_for(request).language, str(request.base_url))
    if person and not look.seats:
        look = replace(look, name=await house.database.read(house.rooms.last_name, person))
    drawn = the_drawings(request).draw(room, look)
    shown = content(room, drawn, look, house.presence.of(code), problem)
    preview = preview_of(room, words_for(request), look.site)
    now = int(house.rooms.clock().timestamp() * 1000)
    return page(request, "room.html", status, room=room, content=shown, preview=preview, barred=look.barred, now=now)


async def _refuse(
    house: House, request: Request, code: str, person: str, problem: Problem, status: int
) -> HTMLResponse:
    """To a script only the reason, to a browser without one the whole room with it."""
    if not _by_script(request):
        return await _page(house, request, code, person, problem, status)
    room = await house.database.read(house.rooms.room, code)
    reason = render(words_for(request), "room/refusal.html", problem=problem, room=room)
    return HTMLResponse(reason, status)


def _by_script(request: Request) -> bool:
    return request.headers.get("hx-request") == "true"


async def done(house: House, request: Request, code: str, person: str, work: Any, *args: Any) -> Response:
    """Do it and go back to the room, where a script hears of it by itself; or say the reason why not."""
    try:
        await house.database.write(work, code, person, *args)
    except RoomError as error:
        if error.code == "no_room":
            raise
        reason = Problem(words_for(request).say(error.key, error.arguments))
        answer: Response = await _refuse(house, request, code, person, reason, error.status)
    except MoveError as error:
        room = await house.database.read(house.rooms.room, code)
        rule = error.refusal.rule if isinstance(error, Illegal) else ""
        reason = Problem(words_for(request).say(error.key, error.arguments, room.names), rule)
        answer = await _refuse(house, request, code, person, reason, 422)
    else:
        answer = Response(status_code=204) if _by_script(request) else RedirectResponse(f"/r/{code}", 303)
    return keep_cookie(request, house, person, answer)


@router.get("/r/{code}/plot.svg")
async def plot(house: TheHouse, request: Request, code: Code, person: MaybePerson) -> Response:
    """How the points grew over the turns of a finished game, as a picture."""
    room = await house.database.read(house.rooms.room, code)
    if not may_watch(room, person):
        raise RoomError("spectators_barred")
    picture = await house.database.read(_plot, house.rooms, room, words_for(request))
    return Response(picture, media_type="image/svg+xml")


def _plot(rooms: Rooms, room: Snapshot, words: Phrasebook) -> Markup:
    totals = course(room.game, rooms.record(room.code))
    return render(words, "room/plot.svg", totals=totals, names=room.names, labels=_labels(totals[-1]))


def _labels(points: tuple[int, ...]) -> list[tuple[int, int]]:
    """How high each line's name stands in the picture: at the line's end, but none upon another."""
    labels: list[tuple[int, int]] = []
    for seat in sorted(range(len(points)), key=points.__getitem__):
        height = 294 - round(260 * points[seat] / max(*points, 10))
        labels.append((min(height, labels[-1][0] - 16) if labels else height, seat))
    return labels


@router.post("/r/{code}/join")
async def join(
    house: TheHouse, request: Request, code: Code, person: NewOrKnown, name: Text = "", seat: MaybeSeat = None
) -> Response:
    return await done(house, request, code, person, house.rooms.join, name, seat)


@router.post("/r/{code}/leave")
async def leave(house: TheHouse, request: Request, code: Code, person: SomePerson) -> Response:
    return await done(house, request, code, person, house.rooms.leave)


@router.post("/r/{code}/name")
async def rename(house: TheHouse, request: Request, code: Code, person: SomePerson, name: Text = "") -> Response:
    return await done(house, request, code, person, house.rooms.rename, name)


@router.post("/r/{code}/start")
async def start(house: TheHouse, request: Request, code: Code, person: SomePerson) -> Response:
    return await done(house, request, code, person, house.rooms.start)


@router.post("/r/{code}/free")
async def free(house: TheHouse, request: Request, code: Code, person: SomePerson, seat: Seat) -> Response:
    return await done(house, request, code, person, house.rooms.free, seat)


@router.post("/r/{code}/host")
async def hand_over(house: TheHouse, request: Request, code: Code, person: SomePerson, seat: Seat) -> Response:
    return await done(house, request, code, person, house.rooms.hand_over, seat)


@router.post("/r/{code}/first")
async def seat_first(house: TheHouse, request: Request, code: Code, person: SomePerson, seat: Seat) -> Response:
    """The host moves somebody to the first seat; repeated, this makes any order."""
    room = await house.database.read(house.rooms.room, code)
    numbers = [place.number for place in room.seats]
    return await done(
        house, request, code, person, house.rooms.order, sorted(numbers, key=lambda number: number != seat)
    )


@router.post("/r/{code}/move")
async def move(
    house: TheHouse, request: Request, code: Code, person: SomePerson, decision: Text, move: Text, key: Text
) -> Response:
    return await done(house, request, code, person, house.rooms.play, decision, _read_move(move), key[:64])


def _read_move(text: str) -> object:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Malformed(str(error)) from error


@router.post("/r/{code}/undo")
async def undo(house: TheHouse, request: Request, code: Code, person: SomePerson, key: Text) -> Response:
    return await done(house, request, code, person, house.rooms.undo, key[:64])


@router.post("/r/{code}/chat")
async def chat(
    house: TheHouse, request: Request, code: Code, person: NewOrKnown, text: Text = "", name: Text = ""
) -> Response:
    return await done(house, request, code, person, house.rooms.say, text, name)


@router.post("/r/{code}/mute")
async def mute(
    house: TheHouse, request: Request, code: Code, person: SomePerson, message: Annotated[int, Form(ge=0, lt=1 << 31)]
) -> Response:
    return await done(house, request, code, person, house.rooms.mute, message, True)


@router.post("/r/{code}/rematch")
async def rematch(house: TheHouse, request: Request, code: Code, person: SomePerson) -> Response:
    room = await house.database.write(house.rooms.rematch, code, person)
    if _by_script(request):
        return Response(status_code=204, headers={"HX-Redirect": f"/r/{room.code}"})
    return RedirectResponse(f"/r/{room.code}", 303)
