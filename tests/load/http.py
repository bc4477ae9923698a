"""A small, fast HTTP client for load: one kept connection, JSON both ways. For a server of our own on loopback only."""

import asyncio
from typing import Any

import msgspec


class NoAnswer(Exception):
    """The server is not there, or went away before it answered."""


class Http:
    def __init__(self, port: int) -> None:
        self.port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def call(self, method: str, path: str, token: str = "", body: object = None) -> tuple[int, Any]:
        """Status and content; raises NoAnswer, and then nothing is known of what the server did."""
        data = b"" if body is None else msgspec.json.encode(body)
        allowed = f"Authorization: Bearer {token}\r\n" if token else ""
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n{allowed}"
            f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
        )
        try:
            return await asyncio.wait_for(self._exchange(head.encode() + data), 60)
        except (TimeoutError, OSError, asyncio.IncompleteReadError) as error:
            self.close()
            raise NoAnswer(str(error)) from error

    async def _exchange(self, request: bytes) -> tuple[int, Any]:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self._streams
        writer.write(request)
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        status = int(head[9:12])
        length = 0
        if b"content-length:" in head:
            length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
        content = await reader.readexactly(length)
        if b"connection: close" in head:
            self.close()
        return status, msgspec.json.decode(content) if content else None

    def close(self) -> None:
        if self._streams:
            self._streams[1].close()
            self._streams = None
