"""Sockets and moves against a real server, from outside."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import httpx2
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed


class Seat:
    """Somebody with a token, over the network."""

    def __init__(self, http: httpx2.AsyncClient, code: str, token: str) -> None:
        self.http = http
        self.code = code
        self.token = token

    async def post(self, what: str, body: object = None) -> httpx2.Response:
        return await self.http.post(
            f"/api/rooms/{self.code}/{what}", json=body, headers={"Authorization": f"Bearer {self.token}"}
        )

    async def look(self) -> dict[str, Any]:
        answer = await self.http.get(
            f"/api/rooms/{self.code}", headers={"Authorization": f"Bearer {self.token}"} if self.token else {}
        )
        seen: dict[str, Any] = answer.json()
        return seen

    async def move(self, move: dict[str, Any]) -> int:
        decision = (await self.look())["decision"]
        answer = await self.post("moves", {"decision": decision, "move": move, "key": uuid4().hex})
        assert answer.status_code == 200, answer.text
        seq: int = answer.json()["seq"]
        return seq


@asynccontextmanager
async def http_client(site: str) -> AsyncIterator[httpx2.AsyncClient]:
    limits = httpx2.Limits(max_connections=100, max_keepalive_connections=100)
    async with httpx2.AsyncClient(base_url=site, timeout=30, limits=limits) as http:
        yield http


async def as_stranger(http: httpx2.AsyncClient, path: str, body: object) -> dict[str, Any]:
    """The answer to somebody who was never here: the cookie of an earlier answer must not speak for them."""
    http.cookies.clear()
    answer = await http.post(path, json=body)
    assert answer.is_success, answer.text
    content: dict[str, Any] = answer.json()
    return content


async def start_game(http: httpx2.AsyncClient, seats: int = 3, **wish: Any) -> list[Seat]:
    wish.setdefault("options", {"start": "first_seat"})
    created = await as_stranger(http, "/api/rooms", {"game": "valdora", "seats": seats, **wish})
    host = Seat(http, created["code"], created["token"])
    await host.post("join", {"name": "P0"})
    people = [host]
    for number in range(1, seats):
        joined = await as_stranger(http, f"/api/rooms/{host.code}/join", {"name": f"P{number}"})
        people.append(Seat(http, host.code, joined["token"]))
    started = await host.post("start")
    assert started.status_code == 204, started.text
    return people


class Watcher:
    """A socket that puts together what it is sent, as a browser would."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.messages: list[str] = []
        self.seen: dict[str, Any] = {}
        self.presence: dict[str, Any] = {}
        self.events: list[dict[str, Any]] = []
        self.chat: list[dict[str, Any]] = []
        self.gaps = 0

    async def read(self, seconds: float = 10) -> dict[str, Any]:
        """The next message, put together with what was there."""
        text = await asyncio.wait_for(self.socket.recv(), seconds)
        assert isinstance(text, str)
        self.messages.append(text)
        message: dict[str, Any] = json.loads(text)
        self.presence = message.pop("presence", self.presence)
        if "rev" not in message:
            return message
        if message["base"] is None:
            self.seen, self.events, self.chat = {"view": {}}, [], []
        elif self.seen:
            assert message["base"] == self.seen["rev"], "a change that does not follow what was seen"
        self.events += message.pop("events", [])
        self.chat += message.pop("chat", [])
        view = message.pop("view", None) or {}
        self.seen = {**self.seen, **message, "view": {**self.seen.get("view", {}), **view}}
        return message

    async def until(self, **wanted: Any) -> None:
        """Read until these are so."""
        while any(self.seen.get(name) != value for name, value in wanted.items()):
            await self.read()

    async def until_present(self, seats: list[int], watching: int) -> None:
        while self.presence != {"seats": seats, "watching": watching}:
            await self.read()


@asynccontextmanager
async def watching(site: str, code: str, token: str = "", **query: Any) -> AsyncIterator[Watcher]:
    words = "&".join(f"{name}={value}" for name, value in {"token": token, **query}.items() if value != "")
    address = f"{site.replace('http', 'ws', 1)}/api/rooms/{code}/live?{words}"
    async with connect(address, compression=None, max_size=None, ping_interval=None) as socket:
        watcher = Watcher(socket)
        await watcher.read()
        yield watcher


async def closing_code(watcher: Watcher) -> int | None:
    """With which code the server ends the connection."""
    try:
        while True:
            await watcher.read()
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None
