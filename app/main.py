"""create_app(): the one place where the parts are joined."""

import gc
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from app.batches import Lost
from app.config import Settings, read_settings
from app.database import is_outage
from app.engine import registry
from app.engine.contract import MoveError
from app.house import House
from app.rooms.errors import RoomError
from app.telling.errors import TellingError
from app.web import api, assets, company, deal, learn, links, notices, pages, preview, replay, room, rules
from app.web.compression import Compression
from app.web.drawing import Drawings
from app.web.headers import SAFE, Headers
from app.web.language import words_for
from app.web.live import Live, html_face, json_face
from app.web.problems import bad_request, not_moved, problem, refused
from app.web.render import page

_LOG: Final = logging.getLogger("valtavola")
_A_MOVE: Final = re.compile(r"/api/rooms/(?P<code>[^/]+)/moves")


class Site(FastAPI):
    """FastAPI with a short way for moves, past the router and most of the layers around it."""

    def build_middleware_stack(self) -> ASGIApp:
        long_way, short_way = super().build_middleware_stack(), Headers(self._move)

        async def choose(scope: Scope, receive: Receive, send: Send) -> None:
            to_move = _A_MOVE.fullmatch(scope["path"]) if scope.get("method") == "POST" else None
            if to_move:
                scope["path_params"] = to_move.groupdict()
            await (short_way if to_move else long_way)(scope, receive, send)

        return choose

    async def _move(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            response = await api.move(request)
        except Exception as error:
            response = await next(_ANSWERS[kind] for kind in type(error).__mro__ if kind in _ANSWERS)(request, error)
        await response(scope, receive, send)


def create_app(settings: Settings | None = None) -> FastAPI:
    registry.games()  # a wrong data file stops the start, not the first game
    house = House(settings or read_settings())
    app = Site(
        title="Valtavola", version="1", docs_url=None, redoc_url=None, openapi_url="/api/openapi.json", lifespan=_open
    )
    app.state.house = house
    app.state.drawings = Drawings()
    app.state.pictures = preview.Pictures()
    app.state.sketches = replay.Sketches()
    app.include_router(pages.router, include_in_schema=False)
    app.include_router(rules.router, include_in_schema=False)
    app.include_router(learn.router, include_in_schema=False)
    app.include_router(room.router, include_in_schema=False)
    app.include_router(company.router, include_in_schema=False)
    app.include_router(links.router, include_in_schema=False)
    app.include_router(replay.router, include_in_schema=False)
    app.include_router(deal.router, include_in_schema=False)
    app.include_router(preview.router, include_in_schema=False)
    app.include_router(notices.router, include_in_schema=False)
    app.include_router(api.router)
    app.router.routes.append(WebSocketRoute("/api/rooms/{code}/live", Live(json_face)))
    app.router.routes.append(WebSocketRoute("/r/{code}/live", Live(html_face)))
    app.include_router(assets.router, include_in_schema=False)
    app.add_middleware(Compression)
    app.add_middleware(Headers)
    for kind, answer in _ANSWERS.items():
        app.add_exception_handler(kind, answer)
    app.add_exception_handler(Exception, _broken_outside)
    return app


@asynccontextmanager
async def _open(app: FastAPI) -> AsyncIterator[None]:
    house: House = app.state.house
    _collect_seldom()
    house.open()
    yield
    await house.close()


def _collect_seldom() -> None:
    """What is there now stays for ever, and what a move makes is freed without the collector: it would only cost time.

    With Python's defaults the slowest moves of a busy site waited 70 ms for it (bench/moves.py, p99).
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


_WORDED: Final = (404, 405, 422, 500, 503)


async def _room_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, RoomError)  # noqa: S101 as it was registered
    if _is_api(request):
        return refused(request, error)
    return _error_page(request, error.status, words_for(request).say(error.key, error.arguments))


async def _move_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, MoveError)  # noqa: S101
    if _is_api(request):
        return not_moved(request, error)
    return _error_page(request, 422, words_for(request).say(error.key, error.arguments))


async def _telling_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, TellingError)  # noqa: S101
    return _error_page(request, error.status, words_for(request).say(error.key))


async def _http_error(request: Request, error: Exception) -> Response:
    return _error(request, error.status_code if isinstance(error, HTTPException) else 500)


async def _bad_request(request: Request, error: Exception) -> Response:
    where = ""
    if isinstance(error, RequestValidationError) and error.errors():
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) + f": {first['msg']}"
    return bad_request(request, where) if _is_api(request) else _error(request, 422)


async def _database_error(request: Request, error: Exception) -> Response:
    """The database went away: nothing has been stored, or it has and the same key will say so."""
    if is_outage(error):
        _LOG.warning("%s %s: the database does not answer", request.method, request.url.path)
        return _error(request, 503)
    return await _broken(request, error)


async def _broken(request: Request, error: Exception) -> Response:
    _LOG.error("%s %s failed", request.scope.get("method", "WS"), request.url.path, exc_info=error)
    return _error(request, 500)


_ANSWERS: Final[dict[type, Callable[[Request, Exception], Awaitable[Response]]]] = {
    RoomError: _room_error,
    MoveError: _move_error,
    TellingError: _telling_error,
    HTTPException: _http_error,
    RequestValidationError: _bad_request,
    DBAPIError: _database_error,
    PoolTimeout: _database_error,
    Lost: _database_error,
    Exception: _broken,
}


async def _broken_outside(request: Request, error: Exception) -> Response:
    """Starlette answers this past all other layers, so past the one that makes answers safe too."""
    answer = await _broken(request, error)
    answer.raw_headers.extend(SAFE)
    return answer


def _is_api(request: Request) -> bool:
    return request.url.path.startswith("/api/")


def _error(request: Request, status: int) -> Response:
    worded = status if status in _WORDED else 422 if status < 500 else 500
    text = words_for(request).say(f"error.page.{worded}")
    return problem(request, status, f"http_{status}", text) if _is_api(request) else _error_page(request, status, text)


def _error_page(request: Request, status: int, text: str) -> Response:
    return page(request, "error.html", status, number=status, text=text)
