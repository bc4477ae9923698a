"""What goes for every answer: headers that keep it safe, assets that may be kept, and a limit to what is sent here."""

from typing import Final

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SAFE: Final = [
    (name.encode(), value.encode())
    for name, value in {
        "content-security-policy": (
            "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; script-src 'self'; "
            "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        ),
        "x-content-type-options": "nosniff",
        "referrer-policy": "same-origin",
    }.items()
]
_FOR_EVER: Final = (b"cache-control", b"public, max-age=31536000, immutable")


MOST_BYTES: Final = 1 << 16  # nobody has more to say


def _too_much(scope: Scope) -> bool:
    """Whether a body is larger than anything we expect, or does not say how large it is."""
    headers = dict(scope["headers"])
    length = headers.get(b"content-length", b"0")
    return b"transfer-encoding" in headers or not length.isdigit() or int(length) > MOST_BYTES


class Headers:
    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if _too_much(scope):
            await PlainTextResponse("too much", 413)(scope, receive, send)
            return
        # The address of an asset changes with its content.
        kept = scope["path"].startswith(("/static/", "/games/")) and scope["query_string"]

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *SAFE]
                if kept and message["status"] in (200, 304):
                    message["headers"].append(_FOR_EVER)
            await send(message)

        await self.app(scope, receive, with_headers)
