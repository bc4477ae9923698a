"""Requests to addresses that people have given: to where was checked, once, within a time, and no further."""

import asyncio
import socket
import ssl
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from app.telling.addresses import Address, Exceptions, is_public, read_address
from app.telling.errors import TellingError
from app.telling.pace import Pace

PATIENCE: Final = 10.0  # seconds for all of it: a name's address, the connection, the answer
_LONGEST_HEAD: Final = 1 << 14
_TO_ONE_HOST: Final = 120  # requests a minute
_TO_ALL: Final = 600  # so that never more than a hundred are under way


class Busy(Exception):
    """There have been enough requests for now. Nobody there is to blame."""


class Unreachable(Exception):
    """Nobody answered, or nothing that can be understood."""


def places_of(host: str, port: int) -> list[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(place[0]) for *_, place in found]


class Outgoing:
    def __init__(
        self,
        exceptions: Exceptions = frozenset(),
        look_up: Callable[[str, int], list[str]] = places_of,
        trusted: ssl.SSLContext | None = None,
    ) -> None:
        self._exceptions = exceptions
        self._look_up = look_up
        self._trusted = trusted or ssl.create_default_context()
        self._threads = ThreadPoolExecutor(4, "names")  # a name that is never found must not hold up other work
        self._to_one = Pace(_TO_ONE_HOST, 60)
        self._to_all = Pace(_TO_ALL, 60)

    def read(self, text: str) -> Address:
        return read_address(text, self._exceptions)

    async def post(self, text: str, body: bytes, headers: Mapping[str, str]) -> int:
        """The answer's status. Nothing else of it is read, and no redirection is followed."""
        address = self.read(text)
        if not (self._to_one.allows(address.host) and self._to_all.allows("")):
            raise Busy
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._exchange(address, body, headers)
        except (OSError, EOFError, ValueError, asyncio.LimitOverrunError) as error:
            raise Unreachable(type(error).__name__) from error

    async def _exchange(self, address: Address, body: bytes, headers: Mapping[str, str]) -> int:
        reader, writer = await self._connect(address)
        try:
            lines = {"Host": address.site, **headers, "Content-Length": str(len(body)), "Connection": "close"}
            head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
            writer.write(f"POST {address.target} HTTP/1.1\r\n{head}\r\n".encode("ascii") + body)
            await writer.drain()
            status = 100
            while status < 200:  # before the answer there may be hints of it
                answer = await reader.readuntil(b"\r\n\r\n")
                version, _, rest = answer.partition(b" ")
                status = int(rest[:3]) if version.startswith(b"HTTP/1.") else 0
                if not 100 <= status < 600:
                    raise ValueError("no answer of HTTP")
            return status
        finally:
            writer.transport.abort()

    async def _connect(self, address: Address) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """To a place that was checked. The name is not asked again, for it may lead elsewhere by then."""
        secure = {"ssl": self._trusted, "server_hostname": address.host} if address.secure else {}
        fault: OSError = OSError("no place")
        for place in await self._places(address):
            try:
                return await asyncio.open_connection(place, address.port, limit=_LONGEST_HEAD, **secure)  # type: ignore[arg-type]
            except OSError as error:
                fault = error
        raise fault

    async def _places(self, address: Address) -> list[str]:
        """Where the host is. If one of its places is not public, none is believed."""
        loop = asyncio.get_running_loop()
        places = await loop.run_in_executor(self._threads, self._look_up, address.host, address.port)
        if not address.allowed and not all(map(is_public, places)):
            raise TellingError("private_address")
        return places

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
