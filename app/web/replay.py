"""Looking back at a game: every moment has a link of its own, and from one to another only what differs travels."""

import asyncio
from collections import OrderedDict
from functools import partial
from typing import Annotated, Final

import msgspec
from fastapi import APIRouter, Form, Path, Query
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.engine.contract import Viewer
from app.i18n import phrasebook
from app.rooms.errors import RoomError
from app.rooms.past import Past
from app.rooms.policy import may_watch
from app.web.callers import MaybePerson, NewOrKnown, TheHouse, keep_cookie
from app.web.changes import put
from app.web.drawing import Pieces, changes
from app.web.gaze import Gaze, context, eyes_for, name_of
from app.web.language import words_for
from app.web.render import page, render
from app.web.replay_file import whole_game

_KEPT: Final = 200  # moments as somebody saw them, some 50 KB each
_FILES: Final = 8  # whole games as one page, some 300 KB each

router = APIRouter()

Code = Annotated[str, Path(min_length=1, max_length=16)]
At = Annotated[int | None, Query(ge=0, lt=1 << 31)]
Eyes = Annotated[str, Query(alias="as", max_length=16)]


def gaze(request: Request, past: Past, person: str | None, at: int | None, eyes: str) -> Gaze:
    """A link that shows more than its reader may see shows what they may."""
    choice = eyes_for(past.room, person)
    viewer = next((viewer for viewer in choice if name_of(viewer) == eyes), choice[0])
    past = past.seen(past.room.is_late(person))
    start = 0 if past.room.status == "ended" else past.last
    return Gaze(past, start if at is None else at, viewer, choice, words_for(request), str(request.base_url))


class Sketches:
    """Draws moments, and keeps the newest drawings and files."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[object, ...], Pieces] = OrderedDict()
        self._files: OrderedDict[tuple[object, ...], bytes] = OrderedDict()
        self._writing = asyncio.Lock()

    def draw(self, seen: Gaze) -> Pieces:
        key = (seen.room.code, seen.at, seen.room.names, seen.past.last, seen.past.room.status, seen.look, seen.site)
        pieces = self._kept.get(key)
        if pieces is None:
            pieces = self._kept[key] = seen.draw() | seen.draw_bar() | seen.draw_ways_out()
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return pieces

    async def file(self, past: Past, viewer: Viewer, language: str) -> bytes:
        """One at a time, beside everything else: it takes as long as hundreds of pages."""
        key = (past.room.code, past.room.names, viewer, language)
        async with self._writing:
            if key not in self._files:
                self._files[key] = await asyncio.to_thread(whole_game, past, viewer, phrasebook(language))
                while len(self._files) > _FILES:
                    self._files.popitem(last=False)
            self._files.move_to_end(key)
            return self._files[key]


def the_sketches(request: Request) -> Sketches:
    sketches: Sketches = request.app.state.sketches
    return sketches


@router.get("/r/{code}/replay")
async def show(
    house: TheHouse,
    request: Request,
    code: Code,
    person: MaybePerson,
    at: At = None,
    turn: Annotated[int | None, Query(ge=1, lt=1 << 31)] = None,
    eyes: Eyes = "",
    before: Annotated[int | None, Query(alias="from", ge=0, lt=1 << 31)] = None,
) -> HTMLResponse:
    """The moment `at`, or the beginning of a turn. A script says which moment it shows, and gets what is to change."""
    past = await house.database.read(house.pasts.of, code)
    if turn is not None:
        at = past.course.turns[min(turn, len(past.course.turns)) - 1]
    seen = gaze(request, past, person, at, eyes)
    pieces = the_sketches(request).draw(seen)
    if before is not None and request.headers.get("hx-request") == "true":
        shown = gaze(request, past, person, before, eyes)
        return HTMLResponse(_steps(shown, the_sketches(request).draw(shown), seen, pieces))
    return page(request, "replay/page.html", **context(seen, pieces))


def _steps(shown: Gaze, before: Pieces, seen: Gaze, now: Pieces) -> str:
    if shown.room.status == seen.room.status and before.keys() == now.keys():
        return changes(before, now)
    table = render(seen.words, "replay/table.html", **context(seen, now))
    bar = "".join(put(name, now[name]) for name in ("steps", "step", "eyes", "more"))
    return put("room", table) + bar


@router.get("/r/{code}/replay.json")
async def record(house: TheHouse, code: Code, person: MaybePerson) -> Response:
    """The game as a file that `valtavola replay` reads. Only after the end: it tells everything."""
    room = await house.database.read(house.rooms.room, code)
    if not may_watch(room, person):
        raise RoomError("spectators_barred")
    stored = await house.database.read(house.rooms.record, code)
    return _attached(msgspec.json.encode(stored), "application/json", f"{room.game_name}-{code}.json")


@router.get("/r/{code}/replay.html")
async def whole(house: TheHouse, request: Request, code: Code, person: MaybePerson, eyes: Eyes = "") -> Response:
    """The game as one page that needs no server."""
    past = await house.database.read(house.pasts.of, code)
    seen = gaze(request, past, person, 0, eyes)
    if past.room.status != "ended":
        raise RoomError("not_ended")
    content = await the_sketches(request).file(past, seen.viewer, seen.words.language)
    return _attached(content, "text/html; charset=utf-8", f"{past.room.game_name}-{code}.html")


def _attached(content: bytes, kind: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "private, no-cache"}
    return Response(content, headers=headers, media_type=kind)


@router.post("/r/{code}/replay/on")
async def play_on(
    house: TheHouse, request: Request, code: Code, person: NewOrKnown, at: Annotated[int, Form(ge=0, lt=1 << 31)]
) -> Response:
    """A new room in which all that was played so far stands."""
    room = await house.database.write(partial(house.rooms.play_on, code, person, at))
    return keep_cookie(request, house, person, RedirectResponse(f"/r/{room.code}", 303))
