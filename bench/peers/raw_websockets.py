"""The ceiling for fan-out: the websockets library's own broadcast, with uvloop and nothing else. python … PORT"""

import logging
import sys

import uvloop
from websockets.asyncio.server import ServerConnection, broadcast, serve

CLIENTS: set[ServerConnection] = set()


async def handle(connection: ServerConnection) -> None:
    assert connection.request is not None
    if connection.request.path == "/control":
        async for length in connection:
            broadcast(CLIENTS, "x" * int(length))
        return
    CLIENTS.add(connection)
    try:
        async for _ in connection:
            pass
    finally:
        CLIENTS.discard(connection)


async def main() -> None:
    async with serve(handle, "127.0.0.1", int(sys.argv[1]), compression=None, ping_interval=None) as server:
        await server.serve_forever()


logging.disable()  # spectators leave without a word
uvloop.run(main())
