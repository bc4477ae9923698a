"""The live socket, against a real server: what changes reaches whoever looks, in order, and no more than that."""

import asyncio
import json
import socket as sockets
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from websockets.exceptions import ConnectionClosed

from app.config import read_settings
from app.database import Database, connect
from app.rooms.service import Rooms
from app.rooms.verify import verify
from tests.live.clients import Seat, as_stranger, closing_code, http_client, start_game, watching
from tests.processes import Server, run_async, serving

MINE = {"do": "move", "to": "north_mine"}


@pytest.fixture(params=["sqlite", "postgres"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    url = (
        request.getfixturevalue("postgres") if request.param == "postgres" else f"sqlite:///{tmp_path / 'live.sqlite3'}"
    )
    with serving(DATABASE_URL=url) as running:
        yield running


@pytest.fixture
def address(server: Server) -> str:
    return server.address


def test_everything_on_connecting_then_only_what_changes(address: str) -> None:
    async def play() -> None:
        async with http_client(address) as http:
            people = await start_game(http)
            async with watching(address, people[0].code, people[1].token) as watcher:
                assert watcher.seen["you"] == 1
                assert watcher.seen["base"] is None
                assert watcher.seen["decision"] == "0"
                await people[0].move(MINE)
                message = await watcher.read()
                while "rev" not in message:  # somebody's coming was announced in between
                    message = await watcher.read()
                assert "room" not in message
                assert set(json.loads(watcher.messages[-1])["view"]) == {"turn", "players"}
                assert watcher.seen["view"]["players"][0]["space"] == "north_mine"
                fresh = await people[1].look()
                assert watcher.seen["view"] == fresh["view"]
                assert watcher.seen["legal"] == fresh["legal"] == []
                assert watcher.events == fresh["events"]

    run_async(play())


def test_one_socket_a_language(address: str) -> None:
    async def play() -> None:
        async with http_client(address) as http:
            people = await start_game(http)
            code = people[0].code
            async with watching(address, code, lang="it") as italian, watching(address, code, lang="ru") as russian:
                await people[0].move(MINE)
                await italian.until(seq=1)
                await russian.until(seq=1)
                texts = [watcher.events[0]["events"][0]["text"] for watcher in (italian, russian)]
                assert "miniera" in texts[0]
                assert "шахта" in texts[1]

    run_async(play())


def test_who_comes_back_gets_what_was_missed_or_nothing(address: str) -> None:
    async def play() -> None:
        async with http_client(address) as http:
            people = await start_game(http)
            code = people[0].code
            async with watching(address, code) as watcher:
                seen = watcher.seen["rev"]
            async with watching(address, code, rev=seen) as nothing_new:
                assert "view" not in json.loads(nothing_new.messages[0])
            await people[0].move(MINE)
            async with watching(address, code, rev=seen) as behind:
                assert behind.seen["seq"] == 1
                assert behind.seen["view"]["players"][0]["space"] == "north_mine"
                assert [entry["seq"] for entry in behind.events] == [1]

    run_async(play())


def test_presence_is_told_to_everybody_and_gathered(address: str) -> None:
    async def play() -> None:
        async with http_client(address) as http:
            people = await start_game(http)
            code = people[0].code
            async with watching(address, code, people[0].token) as first:
                await first.until_present([0], 0)
                async with (
                    watching(address, code, people[2].token),
                    watching(address, code, people[2].token),  # two tabs of one person
                    watching(address, code),
                ):
                    before = len(first.messages)
                    await first.until_present([0, 2], 1)
                    assert len(first.messages) - before <= 3
                await first.until_present([0], 0)

    run_async(play())


def test_a_lobby_is_live_too_and_a_new_seat_opens_new_eyes(address: str) -> None:
    async def play() -> None:
        async with http_client(address) as http:
            created = await as_stranger(http, "/api/rooms", {"game": "valdora", "seats": 3})
            host = Seat(http, created["code"], created["token"])
            async with watching(address, host.code, host.token) as watcher:
                assert watcher.seen["you"] is None
                await host.post("join", {"name": "Ann"})
                await watcher.until(you=0)
                assert watcher.seen["room"]["seats"] == [
                    {"number": 0, "name": "Ann", "vacant": False, "bot": None, "kept": False}
                ]
                await host.post("leave")
                await watcher.until(you=None)

    run_async(play())


def test_chat_reaches_those_who_may_hear_it(address: str) -> None:
    async def play() -> None:
        async with http_client(address) as http:
            people = await start_game(http)
            code = people[0].code
            async with watching(address, code, people[1].token) as player, watching(address, code) as watcher:
                await as_stranger(http, f"/api/rooms/{code}/chat", {"text": "psst", "name": "Wat"})
                await people[0].post("chat", {"text": "hello"})
                while len(watcher.chat) < 2:
                    await watcher.read()
                while not player.chat:
                    await player.read()
                assert [line["text"] for line in watcher.chat] == ["psst", "hello"]
                assert [line["text"] for line in player.chat] == ["hello"]
                assert "psst" not in "".join(player.messages)

    run_async(play())


@pytest.mark.parametrize(
    ("code", "query", "closed"), [("nowhere", {}, 4404), ("", {"token": "forged"}, 4401), ("", {}, 4403)]
)
def test_who_may_not_look_is_told_why(address: str, code: str, query: dict[str, str], closed: int) -> None:
    async def play() -> None:
        async with http_client(address) as http:
            room = code or (await start_game(http, spectators=False))[0].code
            with pytest.raises(ConnectionClosed) as refused:
                async with watching(address, room, **query):
                    pass
            assert refused.value.rcvd is not None
            assert refused.value.rcvd.code == closed

    run_async(play())


def test_spectators_leave_when_the_game_that_bars_them_begins(address: str) -> None:
    async def play() -> None:
        async with http_client(address) as http:
            created = await as_stranger(http, "/api/rooms", {"game": "valdora", "seats": 3, "spectators": False})
            host = Seat(http, created["code"], created["token"])
            async with watching(address, host.code) as watcher:
                await host.post("join", {"name": "Ann"})
                for name in ("Bob", "Cat"):
                    await as_stranger(http, f"/api/rooms/{host.code}/join", {"name": name})
                await host.post("start")
                assert await closing_code(watcher) == 4403
                assert '"view":{' not in "".join(watcher.messages)

    run_async(play())


def test_a_reader_who_is_stuck_holds_up_nobody_and_catches_up(server: Server) -> None:
    """A client that reads nothing while thousands of changes go by."""

    async def play(stuck: sockets.socket) -> None:
        async with http_client(server.address) as http:
            people = await start_game(http)
            code = people[0].code
            host, port = server.address.removeprefix("http://").split(":")
            stuck.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
            stuck.connect((host, int(port)))
            stuck.sendall(
                f"GET /api/rooms/{code}/live HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
                "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                "Sec-WebSocket-Version: 13\r\n\r\n".encode()
            )
            async with watching(server.address, code) as watcher:
                memory = server.memory()
                for number in range(700):
                    await people[0].post("moves", {"decision": str(2 * number), "move": MINE, "key": f"k{number}"})
                    answer = await people[0].post("undo", {"key": f"v{number}"})
                    assert answer.status_code == 200
                    await watcher.until(seq=2 * number + 2)
                assert server.memory() - memory < 30_000_000
            stuck.setblocking(False)
            received = b""
            loop = asyncio.get_running_loop()
            while b'"seq":1400' not in received:
                received = received[-200_000:] + await asyncio.wait_for(loop.sock_recv(stuck, 65536), 20)
            assert b'"behind":true' in received

    with sockets.socket() as stuck:
        run_async(play(stuck))


def test_a_stopping_server_says_so_and_answers_what_it_stored(server: Server) -> None:
    async def play() -> tuple[str, list[int]]:
        async with http_client(server.address) as http:
            people = await start_game(http)
            code = people[0].code
            async with watching(server.address, code, people[0].token) as watcher:
                await people[0].move(MINE)
                body = {"decision": "1", "move": {"do": "refill"}}
                submits = [asyncio.create_task(people[0].post("moves", {**body, "key": f"k{n}"})) for n in range(20)]
                await asyncio.sleep(0.01)
                server.stop()
                assert await closing_code(watcher) == 1012
                done = await asyncio.gather(*submits, return_exceptions=True)
                return code, [answer.status_code for answer in done if isinstance(answer, httpx2.Response)]

    code, answers = run_async(play())
    server.process.wait(timeout=30)
    rooms = Rooms(Database(connect(read_settings({"DATABASE_URL": server.url}).database)))
    stored = rooms.room(code).seq - 1
    assert verify(rooms).faults == {}
    rooms.database.close()
    assert answers.count(200) == stored <= 1
