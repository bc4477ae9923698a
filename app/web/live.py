"""The live socket of a room. It only carries news: moves travel by HTTP, so that each gets an answer."""

from collections.abc import Callable
from typing import Final

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket

from app.batches import Lost
from app.i18n import LANGUAGES
from app.live.faces import Face, JsonFace
from app.live.hub import BARRED, NO_ROOM, Socket
from app.rooms.errors import RoomError
from app.web.callers import from_here, read_person, the_drawings, the_house
from app.web.drawing import HtmlFace
from app.web.frames import TAKE
from app.web.language import words_for

TRY_AGAIN: Final = 1013
NOT_YOU: Final = 4401  # a close code of our own
_CODES: Final = {"bad_token": NOT_YOU, "spectators_barred": BARRED, "no_room": NO_ROOM}


def json_face(websocket: WebSocket) -> Face:
    return JsonFace(_language(websocket))


def html_face(websocket: WebSocket) -> Face:
    return HtmlFace(the_drawings(websocket), _language(websocket), _site(websocket))


class Live:
    """`…/live?rev=…&token=…&lang=…`: everything on connecting, then what changes, as this face shows it."""

    def __init__(self, face: Callable[[WebSocket], Face]) -> None:
        self.face = face

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        websocket = WebSocket(scope, receive, send)
        hub = the_house(websocket).hub
        code = websocket.path_params["code"]
        await websocket.accept()
        socket = None
        try:
            take = scope.get("extensions", {}).get(TAKE)
            socket = Socket(_person(websocket), self.face(websocket), send, take)
            await hub.enter(code, socket, _seen(websocket))
            await the_house(websocket).welcome(code, socket.person)
            while (await websocket.receive())["type"] != "websocket.disconnect":
                pass  # nothing is expected from this side
        except RoomError as error:
            await websocket.close(_CODES.get(error.code, NO_ROOM), error.code)
        except (DBAPIError, Lost, PoolTimeout):
            await websocket.close(TRY_AGAIN)
        finally:
            if socket:
                hub.leave(code, socket)


def _person(websocket: WebSocket) -> str | None:
    headers = dict(websocket.headers)
    token = websocket.query_params.get("token")
    if token:
        headers["authorization"] = f"Bearer {token}"
    elif not from_here(headers):
        raise RoomError("bad_token")
    return read_person(the_house(websocket).signer, headers, websocket.cookies)


def _language(websocket: WebSocket) -> str:
    asked = websocket.query_params.get("lang", "")
    return asked if asked in LANGUAGES else words_for(websocket).language


def _site(websocket: WebSocket) -> str:
    return str(websocket.base_url).replace("ws", "http", 1)


def _seen(websocket: WebSocket) -> int:
    rev = websocket.query_params.get("rev", "")
    return int(rev) if rev.isascii() and rev.isdigit() and len(rev) < 16 else 0
