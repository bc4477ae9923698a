"""Moves a second and the time until everybody sees a move, against boardgame.io in the same run.

50 rooms with 4 viewers each. Ours are checked by all rules of Valdora, stored on disk before they are acknowledged, and
drawn for each viewer; boardgame.io's are moves of a tic-tac-toe kept in memory. Server on core 0, client on core 1.

    .venv/bin/python -m bench.moves
"""

import argparse
import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import uvloop

from bench.wire import Http, http, open_room, quantile, watch
from tests.postgres import free_port, running_postgres
from tests.processes import Server

ROOT = Path(__file__).resolve().parent
SEATS = 4


class Room:
    """A room, its four viewers, and the move that is under way."""

    def __init__(self, client: Http, code: str, tokens: list[str]) -> None:
        self.client = client
        self.code = code
        self.tokens = tokens
        self.seen: list[dict[str, Any]] = [{} for _ in range(SEATS)]
        self.seq = 0
        self.left = 0
        self.all_have_it = asyncio.get_running_loop().create_future()

    def got(self, seat: int, message: bytes) -> None:
        if message.startswith(b'{"rev"'):
            self.seen[seat].update(msgspec.json.decode(message))
            self.left -= 1
            if not self.left:
                self.all_have_it.set_result(None)

    async def look(self, port: int) -> None:
        self.left = SEATS
        for seat, token in enumerate(self.tokens):
            await watch(port, f"/api/rooms/{self.code}/live?token={token}", partial(self.got, seat))
        await self.all_have_it

    async def move(self, chance: Random) -> float | None:
        """Seconds until all have seen it; None when the game is over."""
        acting = self.seen[0]["to_act"]
        if not acting:
            return None
        seat = acting[0]
        legal = self.seen[seat]["legal"]
        self.left = SEATS
        self.all_have_it = asyncio.get_running_loop().create_future()
        body = {"decision": str(self.seq), "move": legal[int(chance.random() * len(legal))], "key": str(self.seq)}
        began = time.perf_counter()
        answer = self.client.ask("POST", f"/api/rooms/{self.code}/moves", self.tokens[seat], body)
        await self.all_have_it
        spent = time.perf_counter() - began
        status, content = await answer
        assert status == 200, content
        self.seq += 1
        return spent


async def load(port: int, rooms: int, seconds: float, pace: float) -> dict[str, float]:
    chance = Random(1)
    times: list[float] = []
    opened = []
    for _ in range(rooms):
        client = await http(port)
        room = Room(client, *await open_room(client, SEATS))
        await room.look(port)
        opened.append(room)
    began = time.perf_counter()

    async def play(room: Room) -> None:
        if pace:
            await asyncio.sleep(pace * chance.random())
        while time.perf_counter() - began < seconds:
            spent = await room.move(chance)
            if spent is None:
                return
            times.append(spent * 1000)
            if pace:
                await asyncio.sleep(pace * (0.5 + chance.random()))

    await asyncio.gather(*(play(room) for room in opened))
    spent = time.perf_counter() - began
    return {"moves_per_second": len(times) / spent, "p50": quantile(times, 0.5), "p99": quantile(times, 0.99)}


def ours(url: str, rooms: int, seconds: float, pace: float) -> dict[str, float]:
    os.sched_setaffinity(0, {0})
    server = Server(DATABASE_URL=url)
    os.sched_setaffinity(0, {1})
    try:
        return uvloop.run(load(int(server.address.rpartition(":")[2]), rooms, seconds, pace))
    finally:
        server.stop()
        server.wait()


@contextmanager
def boardgameio() -> Iterator[int]:
    port = free_port()
    program = ["taskset", "-c", "0", "node", str(ROOT / "peers" / "boardgameio_server.cjs"), str(port)]
    server = subprocess.Popen(program, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(2)
    try:
        yield port
    finally:
        server.terminate()
        server.wait()


def theirs(rooms: int, seconds: float, pace: float) -> dict[str, float]:
    with boardgameio() as port:
        load = ["taskset", "-c", "1", "node", str(ROOT / "peers" / "boardgameio_load.cjs")]
        words = [str(port), str(rooms), str(seconds), str(pace * 1000)]
        done = subprocess.run([*load, *words], cwd=ROOT, capture_output=True, text=True, check=True)
    result: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return result


def tell(name: str, result: dict[str, float], peer: dict[str, float] | None = None) -> None:
    ratio = f"   {result['moves_per_second'] / peer['moves_per_second']:.2f} × boardgame.io's moves/s" if peer else ""
    print(
        f"  {name:<22}{result['moves_per_second']:>8,.0f} moves/s   p50 {result['p50']:>7.2f} ms   "
        f"p99 {result['p99']:>7.2f} ms{ratio}",
        flush=True,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rooms", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=8)
    options = parser.parse_args()
    if shutil.which("node") is None:
        print("boardgame.io needs Node.js, and there is none.", file=sys.stderr)
        return 1
    install = ["npm", "ci", "--ignore-scripts", "--loglevel=error"]
    subprocess.run(install, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    for pace, how in ((0.0, "as fast as it goes"), (1.0, "a move a second in each room")):
        print(f"{options.rooms} rooms × {SEATS} viewers, {how}:", flush=True)
        peer = theirs(options.rooms, options.seconds, pace)
        tell("boardgame.io", peer)
        with tempfile.TemporaryDirectory() as folder:
            tell("Valtavola, SQLite", ours(f"sqlite:///{folder}/b.sqlite3", options.rooms, options.seconds, pace), peer)
        with running_postgres() as url:
            tell("Valtavola, Postgres", ours(url, options.rooms, options.seconds, pace), peer)
    return 0


if __name__ == "__main__":
    sys.exit(main())
