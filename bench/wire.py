"""Raw clients for loopback: as little work as possible on this side, so that the server is what is measured."""

import asyncio
import base64
import os
import struct
from collections import deque
from collections.abc import Callable
from typing import Any

import msgspec


class WebSocket(asyncio.Protocol):
    """Counts nothing and decodes nothing: hands every text frame to a function as it comes."""

    def __init__(self, port: int, path: str, got: Callable[[bytes], object]) -> None:
        self.request = (
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\nSec-WebSocket-Version: 13\r\n\r\n"
        ).encode()
        self.got = got
        self.open = asyncio.get_running_loop().create_future()
        self._buffer = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: asyncio.Transport = transport  # type: ignore[assignment] # uvloop's is its own kind
        self.transport.write(self.request)

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer
        buffer += data
        if not self.open.done():
            end = buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            assert buffer.startswith(b"HTTP/1.1 101"), bytes(buffer[:200])
            del buffer[: end + 4]
            self.open.set_result(None)
        place = 0
        while len(buffer) - place >= 2:
            length, head = buffer[place + 1] & 127, 2
            if length == 126:
                if len(buffer) - place < 4:
                    break
                length, head = (buffer[place + 2] << 8) | buffer[place + 3], 4
            elif length == 127:
                if len(buffer) - place < 10:
                    break
                length, head = struct.unpack_from(">Q", buffer, place + 2)[0], 10
            if len(buffer) - place < head + length:
                break
            if buffer[place] & 15 == 1:
                self.got(bytes(buffer[place + head : place + head + length]))
            place += head + length
        del buffer[:place]

    def connection_lost(self, error: Exception | None) -> None:
        if not self.open.done():
            self.open.set_exception(ConnectionError(str(error)))

    def send(self, text: bytes) -> None:
        """A short text; the mask of zeros is legal and free."""
        assert len(text) < 126
        self.transport.write(bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text)


async def watch(port: int, path: str, got: Callable[[bytes], object]) -> WebSocket:
    loop = asyncio.get_running_loop()
    _, socket = await loop.create_connection(lambda: WebSocket(port, path, got), "127.0.0.1", port)
    await socket.open
    return socket


class Http(asyncio.Protocol):
    """One kept connection; answers come in the order of the questions."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._waiting: deque[asyncio.Future[tuple[int, bytes]]] = deque()
        self._buffer = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: asyncio.Transport = transport  # type: ignore[assignment] # uvloop's is its own kind

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            head = bytes(self._buffer[:end]).lower()
            found = head.find(b"content-length: ")
            length = int(head[found + 16 :].partition(b"\r\n")[0]) if found >= 0 else 0
            if len(self._buffer) < end + 4 + length:
                return
            content = bytes(self._buffer[end + 4 : end + 4 + length])
            del self._buffer[: end + 4 + length]
            self._waiting.popleft().set_result((int(head[9:12]), content))

    def ask(self, method: str, path: str, token: str = "", body: object = None) -> asyncio.Future[tuple[int, bytes]]:
        data = b"" if body is None else msgspec.json.encode(body)
        allowed = f"Authorization: Bearer {token}\r\n" if token else ""
        self.transport.write(
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n{allowed}Content-Type: application/json\r\n"
            f"Content-Length: {len(data)}\r\n\r\n".encode()
            + data
        )
        answer: asyncio.Future[tuple[int, bytes]] = asyncio.get_running_loop().create_future()
        self._waiting.append(answer)
        return answer

    async def json(self, method: str, path: str, token: str = "", body: object = None) -> Any:
        status, content = await self.ask(method, path, token, body)
        assert status < 300, content
        return msgspec.json.decode(content) if content else None


async def http(port: int) -> Http:
    _, client = await asyncio.get_running_loop().create_connection(lambda: Http(port), "127.0.0.1", port)
    return client


async def open_room(client: Http, seats: int) -> tuple[str, list[str]]:
    """A room of Valdora in which a game has begun: its code and the players' tokens."""
    made = await client.json("POST", "/api/rooms", "", {"game": "valdora", "seats": seats})
    code, tokens = made["code"], []
    for number in range(seats):
        token = made["token"] if number == 0 else ""
        joined = await client.json("POST", f"/api/rooms/{code}/join", token, {"name": f"P{number}"})
        tokens.append(joined["token"])
    await client.json("POST", f"/api/rooms/{code}/start", tokens[0])
    return code, tokens


def quantile(values: list[float], part: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]
