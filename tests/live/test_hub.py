"""The hub with sockets that do as the test says: what a slow or barred viewer gets, and when."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from app.config import read_settings
from app.database import Database, connect, migrate
from app.live.faces import JsonFace
from app.live.hub import Hub, Socket
from app.live.presence import Here, Presence
from app.rooms.seating import NewRoom
from app.rooms.service import Rooms
from tests.processes import run_async


class Slow:
    """A connection that takes a message only when it is let."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.sent: list[dict[str, Any]] = []

    async def send(self, message: dict[str, Any]) -> None:
        await self.open.wait()
        self.sent.append(message)

    def read(self) -> list[dict[str, Any]]:
        return [json.loads(message["text"]) for message in self.sent if message["type"] == "websocket.send"]


def with_hub(tmp_path: Path, play: Callable[[Rooms, Hub, str], Coroutine[Any, Any, None]], **wish: Any) -> None:
    async def run() -> None:
        engine = connect(read_settings({"DATABASE_URL": f"sqlite:///{tmp_path / 'hub.sqlite3'}"}).database)
        migrate(engine)
        rooms = Rooms(Database(engine))
        hub = Hub(rooms, Presence())
        hub.open()
        code = rooms.create("p0", NewRoom("valdora", 3, {"start": "first_seat"}, **wish)).code
        for seat in range(3):
            rooms.join(code, f"p{seat}", f"P{seat}")
        await play(rooms, hub, code)
        await hub.close()
        rooms.database.close()

    run_async(run())


def test_who_is_barred_gets_nothing_of_the_game_however_slow_they_read(tmp_path: Path) -> None:
    async def play(rooms: Rooms, hub: Hub, code: str) -> None:
        connection = Slow()
        entering = asyncio.create_task(hub.enter(code, Socket(None, JsonFace("en"), connection.send), 0))
        await asyncio.sleep(0.1)  # the lobby is being sent
        await rooms.database.write(rooms.start, code, "p0")
        await asyncio.sleep(0.1)
        connection.open.set()
        await entering
        await asyncio.sleep(0.1)
        assert all(message.get("view") is None for message in connection.read())
        assert {"type": "websocket.close", "code": 4403} in connection.sent

    with_hub(tmp_path, play, spectators=False)


def test_who_was_behind_gets_the_newest_and_no_queue(tmp_path: Path) -> None:
    async def play(rooms: Rooms, hub: Hub, code: str) -> None:
        await rooms.database.write(rooms.start, code, "p0")
        connection = Slow()
        connection.open.set()
        await hub.enter(code, Socket("p1", JsonFace("en"), connection.send), 0)
        connection.open.clear()
        for number in range(10):
            await rooms.database.write(
                rooms.play, code, "p0", str(2 * number), {"do": "move", "to": "north_mine"}, f"k{number}"
            )
            await rooms.database.write(rooms.undo, code, "p0", f"u{number}")
        connection.open.set()
        await asyncio.sleep(0.1)
        first, *later = connection.read()
        assert first["seq"] == 0
        assert later[0] == {"behind": True}
        assert [message["seq"] for message in later[1:] if "seq" in message] == [20]

    with_hub(tmp_path, play)


def test_a_room_that_is_cleared_away_is_closed_for_its_watchers(tmp_path: Path) -> None:
    async def play(rooms: Rooms, hub: Hub, code: str) -> None:
        connection = Slow()
        connection.open.set()
        await hub.enter(code, Socket(None, JsonFace("en"), connection.send), 0)
        now = rooms.clock()
        rooms.clock = lambda: now.replace(year=now.year + 2)
        assert await rooms.database.write(rooms.clear_away) == [code]
        await asyncio.sleep(0.2)
        assert {"type": "websocket.close", "code": 4404} in connection.sent
        assert hub.codes() == []

    with_hub(tmp_path, play)


def test_somebody_with_two_seats_leaves_nothing_behind(tmp_path: Path) -> None:
    async def play(rooms: Rooms, hub: Hub, code: str) -> None:
        rooms.take_along(code, "p0", rooms.carry(code, "p1").nonce)
        connection = Slow()
        connection.open.set()
        await hub.enter(code, Socket(None, JsonFace("en"), connection.send), 0)
        for _ in range(20):
            socket = Socket("p0", JsonFace("en"), connection.send)
            await hub.enter(code, socket, 0)
            hub.leave(code, socket)
        assert len(hub._watched[code].several) == 0

    with_hub(tmp_path, play)


def test_a_worker_that_has_gone_silent_is_forgotten() -> None:
    now = 0.0
    presence = Presence(lambda: now)
    presence.heard(Here("room", "other", (1,), 3))
    presence.here("room", [0], 1)
    assert presence.of("room") == {"seats": [0, 1], "watching": 4}
    now = 100.0
    assert presence.of("room") == {"seats": [0], "watching": 1}


def test_a_revision_that_the_database_does_not_have_is_asked_for_only_once(tmp_path: Path) -> None:
    """As after a backup was restored."""

    async def play(rooms: Rooms, hub: Hub, code: str) -> None:
        connection = Slow()
        connection.open.set()
        await hub.enter(code, Socket(None, JsonFace("en"), connection.send), 0)
        reads = 0
        sound = rooms.room

        def counting(asked: str) -> Any:
            nonlocal reads
            reads += 1
            return sound(asked)

        vars(rooms)["room"] = counting
        hub.wake(code, 1000)
        await asyncio.sleep(0.3)
        assert 1 <= reads <= 2
        await rooms.database.write(rooms.start, code, "p0")
        await asyncio.sleep(0.2)
        assert [message["room"]["status"] for message in connection.read() if "room" in message][-1] == "playing"

    with_hub(tmp_path, play)
