"""Moves that are stored together on Postgres: whoever cannot land with the others is answered alone, and as ever."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from sqlalchemy import Engine, event

from app.config import read_settings
from app.database import Database, connect, migrate
from app.engine.contract import Illegal
from app.rooms import repository
from app.rooms.errors import RoomError
from app.rooms.landing import Landings
from app.rooms.seating import NewRoom
from app.rooms.service import Rooms
from tests.processes import run_async

MINE = {"do": "move", "to": "north_mine"}


def worker(url: str) -> Rooms:
    """A process of its own, as far as memory goes."""
    return Rooms(Database(connect(read_settings({"DATABASE_URL": url}).database)))


def started(rooms: Rooms) -> str:
    code = rooms.create("p0", NewRoom("valdora", 3, {"start": "first_seat"})).code
    for seat in range(3):
        rooms.join(code, f"p{seat}", f"P{seat}")
    rooms.start(code, "p0")
    return code


def with_landings(url: str, play: Callable[[Rooms, Landings], Coroutine[Any, Any, None]]) -> None:
    rooms = worker(url)
    migrate(rooms.database.engine)
    landings = Landings(rooms)
    run_async(play(rooms, landings))
    landings.close()
    rooms.database.close()


def transactions(engine: Engine) -> list[None]:
    begun: list[None] = []
    event.listen(engine, "begin", lambda _: begun.append(None))
    return begun


def test_moves_of_many_rooms_are_stored_together(postgres: str) -> None:
    async def play(rooms: Rooms, landings: Landings) -> None:
        codes = [started(rooms) for _ in range(20)]
        told: list[tuple[str, int]] = []
        rooms.changed = lambda code, rev: told.append((code, rev))
        begun = transactions(rooms.database.engine)
        assert await asyncio.gather(*(landings.play(code, "p0", "0", MINE, "k") for code in codes)) == [1] * 20
        assert len(begun) < 10
        there = worker(postgres)
        assert [there.room(code) for code in codes] == [rooms.kept(code) for code in codes]
        assert told == [(code, there.room(code).rev) for code in codes]
        there.database.close()

    with_landings(postgres, play)


def test_who_is_refused_is_refused_alone(postgres: str) -> None:
    async def play(rooms: Rooms, landings: Landings) -> None:
        codes = [started(rooms) for _ in range(5)]
        wishes = [
            ("p0", "0", MINE),
            ("p1", "0", MINE),
            ("p0", "0", {"do": "refill"}),
            ("p0", "7", MINE),
            ("x", "0", MINE),
        ]
        work = (landings.play(code, *wish, "k") for code, wish in zip(codes, wishes, strict=True))
        one, other, illegal, stale, stranger = await asyncio.gather(*work, return_exceptions=True)
        assert one == 1
        assert type(other).__name__ == "NotYourTurn"
        assert isinstance(illegal, Illegal)
        assert isinstance(stale, RoomError)
        assert stale.code == "stale"
        assert isinstance(stranger, RoomError)
        assert stranger.code == "not_seated"
        assert [rooms.room(code).seq for code in codes] == [1, 0, 0, 0, 0]

    with_landings(postgres, play)


def test_a_repeated_key_gets_the_first_answer(postgres: str) -> None:
    async def play(rooms: Rooms, landings: Landings) -> None:
        code = started(rooms)
        twice = [landings.play(code, "p0", "0", MINE, "once") for _ in range(2)]
        assert await asyncio.gather(*twice) == [1, 1]
        assert await landings.play(code, "p0", "1", {"do": "refill"}, "once") == 1  # used for an earlier decision
        assert rooms.room(code).seq == 1

    with_landings(postgres, play)


def test_another_worker_was_first(postgres: str) -> None:
    async def play(rooms: Rooms, landings: Landings) -> None:
        code = started(rooms)
        there = worker(postgres)
        told: list[int] = []
        rooms.changed = lambda _, rev: told.append(rev)
        assert there.play(code, "p0", "0", MINE, "there") == 1
        with pytest.raises(RoomError, match="stale"):
            await landings.play(code, "p0", "0", MINE, "here")
        assert told == [there.room(code).rev]  # news of that move may have been taken for our own
        there.say(code, "p1", "hm")  # a change that makes no decision stale
        assert await landings.play(code, "p0", "1", {"do": "refill"}, "now") == 2
        there.database.close()

    with_landings(postgres, play)


def test_a_locked_room_holds_up_nobody_else(postgres: str) -> None:
    async def play(rooms: Rooms, landings: Landings) -> None:
        locked, free = started(rooms), started(rooms)
        with rooms.database.writing() as connection:
            repository.lock(connection, locked)
            waiting = asyncio.create_task(landings.play(locked, "p0", "0", MINE, "k"))
            assert await asyncio.wait_for(landings.play(free, "p0", "0", MINE, "k"), 5) == 1
            assert not waiting.done()
        assert await waiting == 1

    with_landings(postgres, play)


def test_a_fault_of_all_is_nobodys_loss(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What could not be stored together is stored one by one."""

    async def play(rooms: Rooms, landings: Landings) -> None:
        codes = [started(rooms) for _ in range(3)]
        monkeypatch.setattr(repository, "_LAND", repository._LAND + " nonsense")
        assert await asyncio.gather(*(landings.play(code, "p0", "0", MINE, "k") for code in codes)) == [1] * 3
        assert [rooms.room(code).seq for code in codes] == [1] * 3

    with_landings(postgres, play)
