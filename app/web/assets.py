"""The files under static: named by their content, compressed once, kept in memory."""

import hashlib
import re
from functools import cache
from pathlib import PurePosixPath
from typing import Final

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from app.config import ROOT
from app.web.compression import LEAST_BYTES, Coding, coding_for, compress

STATIC: Final = ROOT / "static"

_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
_TEXTS: Final = (".css", ".js", ".svg")
_LINK: Final = re.compile(r'url\("([\w./-]+)"\)')

router = APIRouter()


@cache
def _files() -> frozenset[str]:
    """All that may be asked for."""
    return frozenset(
        path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.suffix in _TYPES and path.is_file()
    )


@cache
def read(name: str) -> bytes:
    """A file. What a style sheet names is named by its content too."""
    content = (STATIC / name).read_bytes()
    if not name.endswith(".css"):
        return content
    folder = PurePosixPath(name).parent
    return _LINK.sub(lambda link: f'url("{link[1]}?{_mark(str(folder / link[1]))}")', content.decode()).encode()


@cache
def _mark(name: str) -> str:
    return hashlib.sha256(read(name)).hexdigest()[:12]


def asset(name: str) -> str:
    """The address of a file, with a mark of its content, so that browsers may keep it for ever."""
    return f"/static/{name}?{_mark(name)}"


@cache
def _compressed(name: str, coding: Coding) -> bytes:
    return compress(read(name), coding, often=False)


@router.api_route("/static/{name:path}", methods=["GET", "HEAD"])
def static(request: Request, name: str) -> Response:
    if name not in _files():
        raise HTTPException(404)
    kind = PurePosixPath(name).suffix
    headers = {"ETag": f'W/"{_mark(name)}"'}
    if kind in _TEXTS:
        headers["Vary"] = "Accept-Encoding"
    if headers["ETag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    coding = coding_for(request.headers) if kind in _TEXTS and len(read(name)) >= LEAST_BYTES else None
    if coding:
        headers["Content-Encoding"] = coding
    body = _compressed(name, coding) if coding else read(name)
    return Response(body, headers=headers, media_type=_TYPES[kind])
