"""Makes answers smaller for whoever can read them so: brotli, else gzip. See docs/decisions.md for what is left out."""

import gzip
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

import brotli
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

Coding: TypeAlias = Literal["br", "gzip"]

LEAST_BYTES: Final = 500  # what is smaller fits a packet anyway
_TEXTS: Final = ("text/", "application/json", "application/problem+json", "image/svg+xml")
_PRIVATE: Final = ("/carry/", "/leave/", "/confirm/")  # who has such a link may do what it says


def coding_for(headers: Mapping[str, str]) -> Coding | None:
    """The best that the client can read.

    >>> coding_for({"accept-encoding": "gzip, deflate, br"}), coding_for({"accept-encoding": "br;q=0, gzip;q=0.5"})
    ('br', 'gzip')
    >>> coding_for({}), coding_for({"accept-encoding": "identity, gzip; q=0.0"})
    (None, None)
    """
    wishes = (wish.partition(";") for wish in headers.get("accept-encoding", "").lower().split(","))
    accepted = {name.strip() for name, _, quality in wishes if quality.replace(" ", "").rstrip(".0") != "q="}
    return "br" if "br" in accepted else "gzip" if "gzip" in accepted else None


def compress(body: bytes, coding: Coding, often: bool) -> bytes:
    """As small as it gets for what is kept, quickly for what is made anew each time."""
    if coding == "br":
        return bytes(brotli.compress(body, mode=brotli.MODE_TEXT, quality=4 if often else 11))
    return gzip.compress(body, 5 if often else 9, mtime=0)


class Compression:
    """Compresses what is read. A move's answer passes untouched, and so does what a page of another site asks for with
    somebody's cookie: from the lengths of such answers it could guess what they say (BREACH)."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET" or _is_private(scope["path"]):
            await self.app(scope, receive, send)
            return
        asked = Headers(scope=scope)
        guess = asked.get("sec-fetch-site") == "cross-site" and "cookie" in asked
        coding = None if guess else coding_for(asked)
        start: Message = {}

        async def smaller(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message
                return
            if start:
                _shrink(start, message, coding)
                await send(start)
                start = {}
            await send(message)

        await self.app(scope, receive, smaller)


def _is_private(path: str) -> bool:
    return path.endswith("/carry") or path.startswith(_PRIVATE)


def _shrink(start: Message, body: Message, coding: Coding | None) -> None:
    headers = MutableHeaders(raw=start["headers"])
    if not headers.get("content-type", "").startswith(_TEXTS) or "content-encoding" in headers:
        return
    headers.add_vary_header("Accept-Encoding")
    content = body.get("body", b"")
    if coding and len(content) >= LEAST_BYTES and not body.get("more_body"):
        body["body"] = compress(content, coding, often=True)
        headers["content-encoding"] = coding
        headers["content-length"] = str(len(body["body"]))
    start["headers"] = headers.raw
