"""One room and many spectators: how fast a change reaches all of them, against raw websockets in the same run.

Ours is a whole move: posted, checked, stored, drawn once, and sent to everybody. The peer is the `websockets` library's
own broadcast of a text of the same size: the ceiling. Server on core 0, client on core 1.

    .venv/bin/python -m bench.fanout
"""

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import uvloop

from bench.wire import Http, WebSocket, http, quantile, watch
from tests.postgres import free_port
from tests.processes import Server

ROOT = Path(__file__).resolve().parent
MOVES = 60
MINE = {"do": "move", "to": "north_mine"}


class Crowd:
    """Spectators that note when each change came."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.times: list[float] = []
        self.bytes = 0
        self._all: asyncio.Future[None] | None = None
        self._left = 0

    def got(self, message: bytes) -> None:
        if self._left and not message.startswith(b'{"presence"'):
            self.times.append(time.perf_counter())
            self.bytes += len(message)
            self._left -= 1
            if not self._left and self._all:
                self._all.set_result(None)

    def expect(self) -> "asyncio.Future[None]":
        self._left = self.size
        self._all = asyncio.get_running_loop().create_future()
        return self._all

    async def enter(self, port: int, path: str) -> None:
        for first in range(0, self.size, 50):
            count = min(50, self.size - first)
            await asyncio.gather(*(watch(port, path, self.got) for _ in range(count)))


class Result:
    """What a round of broadcasts took."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.waits: list[float] = []  # ms, of every spectator for every change
        self.last: list[float] = []  # ms until the last one had it
        self.sent = 0
        self.spent = 0.0
        self.bytes = 0

    def note(self, began: float, crowd: Crowd) -> None:
        waits = [(moment - began) * 1000 for moment in crowd.times]
        self.waits += waits
        self.last.append(max(waits))
        self.sent += len(waits)
        self.spent += max(waits) / 1000
        self.bytes += crowd.bytes
        crowd.times.clear()
        crowd.bytes = 0

    @property
    def rate(self) -> float:
        return self.sent / self.spent

    def tell(self) -> None:
        print(
            f"  {self.name:<18}{self.rate:>9,.0f} messages/s   p50 {quantile(self.waits, 0.5):7.2f} ms   "
            f"p99 {quantile(self.waits, 0.99):7.2f} ms   last of all {quantile(self.last, 0.5):7.2f} ms   "
            f"{self.bytes / self.sent:5.0f} bytes",
            flush=True,
        )


async def move_and_back(client: Http, code: str, token: str, number: int) -> None:
    """A change that can be repeated for ever: a move, and taking it back."""
    if number % 2 == 0:
        body = {"decision": str(number), "move": MINE, "key": str(number)}
        status, content = await client.ask("POST", f"/api/rooms/{code}/moves", token, body)
    else:
        status, content = await client.ask("POST", f"/api/rooms/{code}/undo", token, {"key": str(number)})
    assert status == 200, content


async def ours(port: int, size: int) -> Result:
    client = await http(port)
    made = await client.json(
        "POST", "/api/rooms", "", {"game": "valdora", "seats": 3, "options": {"start": "first_seat"}}
    )
    code, token = made["code"], made["token"]
    await client.json("POST", f"/api/rooms/{code}/join", token, {"name": "A"})
    for name in ("B", "C"):
        await client.json("POST", f"/api/rooms/{code}/join", "", {"name": name})
    await client.json("POST", f"/api/rooms/{code}/start", token)
    crowd, result = Crowd(size), Result("Valtavola")
    await crowd.enter(port, f"/api/rooms/{code}/live")
    await asyncio.sleep(1.5)
    for number in range(MOVES):
        everybody = crowd.expect()
        began = time.perf_counter()
        await asyncio.gather(move_and_back(client, code, token, number), everybody)
        result.note(began, crowd)
        await asyncio.sleep(0.02)
    return result


async def theirs(port: int, size: int, length: int) -> Result:
    crowd, result = Crowd(size), Result("raw websockets")
    await crowd.enter(port, "/")
    control: WebSocket = await watch(port, "/control", str)
    await asyncio.sleep(1)
    for _ in range(MOVES):
        everybody = crowd.expect()
        began = time.perf_counter()
        control.send(str(length).encode())
        await everybody
        result.note(began, crowd)
        await asyncio.sleep(0.02)
    return result


def run_ours(size: int) -> Result:
    os.sched_setaffinity(0, {0})
    with tempfile.TemporaryDirectory() as folder:
        server = Server(DATABASE_URL=f"sqlite:///{folder}/fanout.sqlite3")
        os.sched_setaffinity(0, {1})
        try:
            return uvloop.run(ours(int(server.address.rpartition(":")[2]), size))
        finally:
            server.stop()
            server.wait()


def run_theirs(size: int, length: int) -> Result:
    port = free_port()
    program = ["taskset", "-c", "0", sys.executable, str(ROOT / "peers" / "raw_websockets.py"), str(port)]
    server = subprocess.Popen(program)
    time.sleep(1)
    try:
        return uvloop.run(theirs(port, size, length))
    finally:
        server.terminate()
        server.wait()


def main() -> int:
    for size in (500, 2000):
        print(f"One room, {size} spectators, {MOVES} changes:", flush=True)
        mine = run_ours(size)
        peer = run_theirs(size, round(mine.bytes / mine.sent))
        peer.tell()
        mine.tell()
        print(
            f"  Valtavola / raw: {mine.rate / peer.rate:.2f} of the messages/s, "
            f"p99 {quantile(mine.waits, 0.99) / quantile(peer.waits, 0.99):.2f} times",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
