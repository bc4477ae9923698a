"""A WebSocket to which a message for many is written as the very same bytes, past all that stands between.

uvicorn's own `send` frames each message anew for every socket, inside three coroutines; bench/fanout.py measures it.
"""

from functools import lru_cache
from typing import Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State

TAKE: Final = "valtavola.take"  # the name under which a connection's scope offers it


class SharedFrames(WebSocketsSansIOProtocol):
    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if hasattr(self, "scope"):  # otherwise the handshake was refused
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[TAKE] = self.take

    def take(self, text: str) -> bool:
        """Write this now, or not at all if the connection has no room for it or is closing."""
        if not self.writable.is_set() or self.conn.state is not State.OPEN or self.conn.extensions:
            return False
        if self.disconnected or self.close_sent or self.transport.is_closing():
            return False
        self.transport.write(_framed(text))
        return True


@lru_cache(64)
def _framed(text: str) -> bytes:
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=False)
