"""Many rooms played at once through the API by random players, while the server is killed again and again.

Every move that was acknowledged must be there afterwards, once, at its place; and every stored table must be what its
log leads to. `make soak` runs the long form on both databases, tests/load/test_storm.py a short one.
"""

import asyncio
import time
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
from sqlalchemy import select

from app.config import read_settings
from app.database import Database, connect
from app.rooms import repository
from app.rooms.models import MOVE
from app.rooms.service import Rooms
from app.rooms.verify import verify
from tests.load.http import Http, NoAnswer
from tests.postgres import free_port
from tests.processes import Server, run_async

CONNECTIONS = 64


class Storm:
    """One storm over one database."""

    def __init__(self, url: str, rooms: int, kills: int, most_moves: int, seed: int = 1, game: str = "valdora") -> None:
        self.url = url
        self.game = game
        self.rooms = rooms
        self.kills = kills
        self.most_moves = most_moves
        self.chance = Random(seed)
        self.port = free_port()
        self.server: Server | None = None
        self.idle: asyncio.Queue[Http] = asyncio.Queue()
        self.acknowledged: dict[str, dict[int, dict[str, Any]]] = {}  # per room, by their number in the log
        self.finished = 0
        self.repeated = 0  # submits whose first answer was lost, and which were sent again
        self.killed = 0

    def start_server(self) -> None:
        self.server = Server("--port", str(self.port), DATABASE_URL=self.url)

    async def call(self, method: str, path: str, token: str = "", body: object = None) -> tuple[int, Any]:
        """Ask until there is an answer: the same question, however often the server dies."""
        while True:
            http = await self.idle.get()
            try:
                status, content = await http.call(method, path, token, body)
                if status != 503:
                    return status, content
            except NoAnswer:
                self.repeated += method == "POST"
            finally:
                self.idle.put_nowait(http)
            await asyncio.sleep(0.05)

    async def open_room(self) -> tuple[str, list[str]]:
        status, made = await self.call("POST", "/api/rooms", body={"game": self.game, "seats": 3})
        assert status == 201, made
        code, tokens = made["code"], []
        for number in range(3):
            token = made["token"] if number == 0 else ""
            status, joined = await self.call("POST", f"/api/rooms/{code}/join", token, {"name": f"P{number}"})
            assert status == 200, joined
            tokens.append(joined["token"])
        status, answer = await self.call("POST", f"/api/rooms/{code}/start", tokens[0])
        assert status == 204, answer
        return code, tokens

    async def play_room(self, code: str, tokens: list[str]) -> None:
        moves = self.acknowledged.setdefault(code, {})
        seat, submits = 0, 0
        while len(moves) < self.most_moves:
            status, seen = await self.call("GET", f"/api/rooms/{code}", tokens[seat])
            assert status == 200, seen
            if not seen["to_act"]:
                break
            if seat not in seen["to_act"] or not seen["legal"]:
                seat = self.chance.choice(seen["to_act"])
                continue
            move = self.chance.choice(seen["legal"])
            submits += 1
            body = {"decision": seen["decision"], "move": move, "key": f"{code}-{submits}"}
            status, answer = await self.call("POST", f"/api/rooms/{code}/moves", tokens[seat], body)
            if status != 200 and await self._house_answered(code, seen["seq"]):
                continue
            assert status == 200, answer
            assert answer["seq"] not in moves, "two submits have landed in one place"
            moves[answer["seq"]] = {"seat": seat, "move": move}
        self.finished += 1

    async def _house_answered(self, code: str, seq: int) -> bool:
        """Whether the house has answered for somebody since then: nobody else plays in this room."""
        status, seen = await self.call("GET", f"/api/rooms/{code}")
        assert status == 200, seen
        return bool(seen["seq"] > seq)

    async def kill_now_and_then(self, playing: asyncio.Event) -> None:
        while self.killed < self.kills and not playing.is_set():
            await asyncio.sleep(self.chance.uniform(0.3, 2.0))
            assert self.server is not None
            await asyncio.to_thread(self.server.kill)
            self.killed += 1
            await asyncio.to_thread(self.start_server)

    async def rage(self, say: Callable[[str], object]) -> None:
        for _ in range(CONNECTIONS):
            self.idle.put_nowait(Http(self.port))
        rooms = await asyncio.gather(*(self.open_room() for _ in range(self.rooms)))
        over = asyncio.Event()
        killer = asyncio.create_task(self.kill_now_and_then(over))
        began = time.monotonic()
        watch = asyncio.create_task(self._tell(say, began))
        await asyncio.gather(*(self.play_room(*room) for room in rooms))
        over.set()
        await killer
        watch.cancel()
        while not self.idle.empty():
            self.idle.get_nowait().close()

    async def _tell(self, say: Callable[[str], object], began: float) -> None:
        while True:
            await asyncio.sleep(10)
            moves = sum(map(len, self.acknowledged.values()))
            rate = moves / (time.monotonic() - began)
            say(f"  {moves} moves, {rate:.0f}/s, {self.finished}/{self.rooms} rooms done, {self.killed} kills")

    def check(self) -> None:
        """What is stored is what was acknowledged, and what it leads to."""
        service = Rooms(Database(connect(read_settings({"DATABASE_URL": self.url}).database)))
        try:
            for code, moves in self.acknowledged.items():
                room = service.room(code)
                with service.database.reading() as connection:
                    stored = repository.entries(connection, room.id)
                    house = select(MOVE.c.seq).where(MOVE.c.room_id == room.id, MOVE.c.key.like("house:%"))
                    own = set(connection.execute(house).scalars())
                kept = {
                    seq: {"seat": entry.seat, "move": msgspec.to_builtins(entry)["move"]}
                    for seq, entry in enumerate(stored, start=1)
                    if seq not in own
                }
                assert kept == moves, f"room {code} does not hold what was acknowledged"
            verdict = verify(service, ("playing", "ended"))
            assert verdict.faults == {}
            assert verdict.checked == self.rooms
        finally:
            service.database.close()

    def run(self, say: Callable[[str], object] = str) -> None:
        self.start_server()
        try:
            run_async(self.rage(say))
        finally:
            assert self.server is not None
            self.server.stop()
            self.server.wait()
        self.check()
