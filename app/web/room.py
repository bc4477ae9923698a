"""A room as a plain page: who sits there, the table in words, and a form for everything one may do. Needs no script."""

from typing import Annotated, Any, Final

import msgspec
from fastapi import APIRouter, Form, Path
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.engine import registry
from app.engine.codec import raw_move
from app.engine.contract import Malformed, MoveError, Viewer
from app.house import House
from app.i18n import Phrasebook
from app.live.regions import heard, told
from app.rooms.errors import RoomError
from app.rooms.identity import new_nonce
from app.rooms.policy import may_watch
from app.rooms.seating import NewRoom
from app.rooms.snapshot import Snapshot
from app.web.callers import MaybePerson, NewOrKnown, SomePerson, TheHouse, keep_cookie
from app.web.carry import carry_link, qr_code, read_carry
from app.web.language import words_for
from app.web.render import page

router = APIRouter()

Code = Annotated[str, Path(min_length=1, max_length=16)]
Text = Annotated[str, Form(max_length=4000)]
Seat = Annotated[int, Form(ge=0, le=20)]

_LINES: Final = 30  # of the log on a page


@router.post("/rooms")
async def create(
    house: TheHouse,
    request: Request,
    person: NewOrKnown,
    game: Text,
    seats: Annotated[int | None, Form(ge=0, le=20)] = None,
    listed: Annotated[bool, Form()] = False,
) -> Response:
    card = next((card for card in registry.cards() if card.name == game), None)
    wish = NewRoom(game, seats or (card.seats[-1] if card else 0), listed=listed)
    room = await house.database.write(house.rooms.create, person, wish)
    return _to_room(request, house, person, room.code)


def _to_room(request: Request, house: House, person: str, code: str) -> Response:
    return keep_cookie(request, house, person, RedirectResponse(f"/r/{code}", 303))


@router.get("/r/{code}")
async def show(house: TheHouse, request: Request, code: Code, person: MaybePerson) -> HTMLResponse:
    return await _page(house, request, code, person)


async def _page(
    house: House, request: Request, code: str, person: str | None, problem: str = "", status: int = 200
) -> HTMLResponse:
    """The room as this person may see it, and if something was refused, why."""
    room = await house.database.read(house.rooms.room, code)
    words = words_for(request)
    return page(
        request,
        "room.html",
        status,
        room=room,
        problem=problem,
        link=f"{request.base_url}r/{code}",
        hosting=room.is_host(person),
        own=room.seats_of(person),
        undoable=_undoable(room, person),
        present=house.presence.of(code)["seats"],
        barred=not may_watch(room, person),
        key=new_nonce(),
        **_table(room, room.viewer(person), words),
    )


def _undoable(room: Snapshot, person: str | None) -> bool:
    """Whether the last step that stands since the barrier is this person's."""
    steps: list[int] = []
    for happened in room.log:
        if happened.seq <= room.anchor_seq:
            continue
        if not happened.undo:
            steps.append(happened.seat)
        elif steps:
            steps.pop()
    return room.status == "playing" and bool(steps) and steps[-1] in room.seats_of(person)


def _table(room: Snapshot, viewer: Viewer, words: Phrasebook) -> dict[str, Any]:
    """The game as this viewer sees it, in words."""
    chat = heard(room, room.chat, viewer)
    if room.state is None:
        return {"table": "", "moves": [], "lines": [], "chat": chat, "acting": [], "score": None}
    game = room.game
    moves = [
        (msgspec.json.encode(raw_move(move)).decode(), words.say(*game.describe(room.state, viewer, move), room.names))
        for move in (game.legal(room.state, viewer) if viewer >= 0 else ())
    ]
    lines = [event["text"] for entry in told(room, room.log[-_LINES:], viewer, words) for event in entry["events"]]
    view = game.view(room.state, viewer)
    outcome = game.outcome(room.state)
    return {
        "table": game.text(view, lambda key, args: words.say(key, args, room.names)),
        "moves": moves,
        "lines": lines[::-1],
        "chat": chat,
        "acting": [room.names[seat] for seat in game.to_act(room.state)],
        "score": outcome and {"outcome": outcome, "sheet": game.score_sheet(room.state)},
    }


async def _done(house: House, request: Request, code: str, person: str, work: Any, *args: Any) -> Response:
    """Do it and go back to the room; or show the room with the reason why not."""
    try:
        await house.database.write(work, code, person, *args)
    except RoomError as error:
        if error.code == "no_room":
            raise
        reason = words_for(request).say(error.key, error.arguments)
        answer: Response = await _page(house, request, code, person, reason, error.status)
    except MoveError as error:
        room = await house.database.read(house.rooms.room, code)
        reason = words_for(request).say(error.key, error.arguments, room.names)
        answer = await _page(house, request, code, person, reason, 422)
    else:
        answer = RedirectResponse(f"/r/{code}", 303)
    return keep_cookie(request, house, person, answer)


@router.post("/r/{code}/join")
async def join(house: TheHouse, request: Request, code: Code, person: NewOrKnown, name: Text = "") -> Response:
    return await _done(house, request, code, person, house.rooms.join, name)


@router.post("/r/{code}/leave")
async def leave(house: TheHouse, request: Request, code: Code, person: SomePerson) -> Response:
    return await _done(house, request, code, person, house.rooms.leave)


@router.post("/r/{code}/name")
async def rename(house: TheHouse, request: Request, code: Code, person: SomePerson, name: Text = "") -> Response:
    return await _done(house, request, code, person, house.rooms.rename, name)


@router.post("/r/{code}/start")
async def start(house: TheHouse, request: Request, code: Code, person: SomePerson) -> Response:
    return await _done(house, request, code, person, house.rooms.start)


@router.post("/r/{code}/free")
async def free(house: TheHouse, request: Request, code: Code, person: SomePerson, seat: Seat) -> Response:
    return await _done(house, request, code, person, house.rooms.free, seat)


@router.post("/r/{code}/host")
async def hand_over(house: TheHouse, request: Request, code: Code, person: SomePerson, seat: Seat) -> Response:
    return await _done(house, request, code, person, house.rooms.hand_over, seat)


@router.post("/r/{code}/first")
async def seat_first(house: TheHouse, request: Request, code: Code, person: SomePerson, seat: Seat) -> Response:
    """The host moves somebody to the first seat; repeated, this makes any order."""
    room = await house.database.read(house.rooms.room, code)
    numbers = [place.number for place in room.seats]
    return await _done(
        house, request, code, person, house.rooms.order, sorted(numbers, key=lambda number: number != seat)
    )


@router.post("/r/{code}/move")
async def move(
    house: TheHouse, request: Request, code: Code, person: SomePerson, decision: Text, move: Text, key: Text
) -> Response:
    try:
        raw = msgspec.json.decode(move)
    except msgspec.DecodeError as error:
        raise Malformed(str(error)) from error
    return await _done(house, request, code, person, house.rooms.play, decision, raw, key[:64])


@router.post("/r/{code}/undo")
async def undo(house: TheHouse, request: Request, code: Code, person: SomePerson, key: Text) -> Response:
    return await _done(house, request, code, person, house.rooms.undo, key[:64])


@router.post("/r/{code}/chat")
async def chat(
    house: TheHouse, request: Request, code: Code, person: NewOrKnown, text: Text = "", name: Text = ""
) -> Response:
    return await _done(house, request, code, person, house.rooms.say, text, name)


@router.post("/r/{code}/mute")
async def mute(
    house: TheHouse, request: Request, code: Code, person: SomePerson, message: Annotated[int, Form(ge=0, lt=1 << 31)]
) -> Response:
    return await _done(house, request, code, person, house.rooms.mute, message, True)


@router.post("/r/{code}/rematch")
async def rematch(house: TheHouse, code: Code, person: SomePerson) -> Response:
    room = await house.database.write(house.rooms.rematch, code, person)
    return RedirectResponse(f"/r/{room.code}", 303)


@router.get("/r/{code}/carry")
async def carry(house: TheHouse, request: Request, code: Code, person: SomePerson) -> HTMLResponse:
    """The private link to one's own seat, to be opened at another device."""
    seat = await house.database.read(house.rooms.carry, code, person)
    link = carry_link(request, house, code, seat)
    return page(request, "carry.html", code=code, name=seat.name, link=link, qr=Markup(qr_code(link)))  # noqa: S704


@router.get("/carry/{token}")
async def arrive(house: TheHouse, request: Request, token: Annotated[str, Path(max_length=400)]) -> HTMLResponse:
    """The end of a private link. It only asks: whoever merely looks at links sits down nowhere."""
    code, nonce = read_carry(house, token)
    room = await house.database.read(house.rooms.room, code)
    seat = next((seat for seat in room.seats if seat.nonce == nonce), None)
    if seat is None:
        raise RoomError("bad_link")
    return page(request, "arrive.html", code=code, name=seat.name, token=token)


@router.post("/carry/{token}")
async def sit_down(
    house: TheHouse, request: Request, person: NewOrKnown, token: Annotated[str, Path(max_length=400)]
) -> Response:
    code, nonce = read_carry(house, token)
    await house.database.write(house.rooms.take_along, code, person, nonce)
    return _to_room(request, house, person, code)
