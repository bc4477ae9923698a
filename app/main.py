"""create_app(): the one place where the parts are joined."""

import logging

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.base import RequestResponseEndpoint
from starlette.requests import Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles

from app.engine import registry
from app.web import pages
from app.web.render import STATIC, page

_LOG = logging.getLogger("valtavola")

_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; script-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}


def create_app() -> FastAPI:
    registry.games()  # a wrong data file stops the start, not the first game
    app = FastAPI(title="Valtavola", docs_url=None, redoc_url=None)
    app.include_router(pages.router)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    app.middleware("http")(_add_headers)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(RequestValidationError, _bad_request)
    app.add_exception_handler(Exception, _broken)
    return app


async def _add_headers(request: Request, call_next: RequestResponseEndpoint) -> Response:
    response = await call_next(request)
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
    if request.url.path.startswith("/static/") and request.url.query:  # the address changes with the content
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    return response


_WORDED = (404, 405, 422, 500)


async def _http_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return _error_page(request, status)


async def _bad_request(request: Request, error: Exception) -> Response:  # noqa: ARG001
    return _error_page(request, 422)


async def _broken(request: Request, error: Exception) -> Response:
    _LOG.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return _error_page(request, 500)


def _error_page(request: Request, status: int) -> Response:
    return page(request, "error.html", status, number=status, message=status if status in _WORDED else 500)
