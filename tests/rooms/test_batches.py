"""Writing together: one transaction for all that waits, and nobody is told anything that is not on disk."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, event, text
from sqlalchemy.exc import OperationalError

from app.config import read_settings
from app.database import Database, connect, is_outage, migrate
from app.rooms.errors import RoomError
from app.rooms.seating import NewRoom
from app.rooms.service import Rooms
from app.rooms.snapshot import Snapshot
from tests.processes import run_async


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    engine = connect(read_settings({"DATABASE_URL": f"sqlite:///{tmp_path / 'b.sqlite3'}"}).database)
    migrate(engine)
    return engine


@pytest.fixture
def rooms(engine: Engine) -> Iterator[Rooms]:
    service = Rooms(Database(engine))
    yield service
    service.database.close()


def room_on_disk(engine: Engine, code: str) -> Snapshot:
    return Rooms(Database(engine)).room(code)


def opened(rooms: Rooms) -> str:
    return rooms.create("host", NewRoom("valdora", 5)).code


def test_work_that_fails_fails_alone(engine: Engine, rooms: Rooms) -> None:
    code = opened(rooms)

    async def all_at_once() -> list[Snapshot | BaseException]:
        names = ["Ann", "Bob", "Ann", "", "Cat", "Dan", "Eve", "Fay"]
        work = (rooms.database.write(rooms.join, code, f"person {n}", name) for n, name in enumerate(names))
        return await asyncio.gather(*work, return_exceptions=True)

    answers = run_async(all_at_once())
    errors = [answer.code for answer in answers if isinstance(answer, RoomError)]
    assert errors == ["name_taken", "name_length", "full"]
    assert room_on_disk(engine, code).names == ("Ann", "Bob", "Cat", "Dan", "Eve")
    assert rooms.room(code) == room_on_disk(engine, code)


def test_nothing_is_told_before_it_is_on_disk(engine: Engine, rooms: Rooms) -> None:
    code = opened(rooms)
    told: list[tuple[int, int]] = []
    rooms.changed = lambda code, rev: told.append((rev, room_on_disk(engine, code).rev))

    async def many() -> None:
        await asyncio.gather(*(rooms.database.write(rooms.say, code, f"p{n}", "hi", f"N{n}") for n in range(15)))

    run_async(many())
    assert [rev for rev, _ in told] == list(range(2, 17))
    assert all(on_disk >= rev for rev, on_disk in told)


def fill_the_disk(engine: Engine) -> None:
    """From now on the database cannot grow."""
    with engine.connect() as connection:
        pages = connection.execute(text("PRAGMA page_count")).scalar()
    engine.dispose()
    event.listen(engine, "connect", lambda raw, _: raw.execute(f"PRAGMA max_page_count={pages}"))


def test_a_full_disk_loses_nothing_that_was_acknowledged(engine: Engine, rooms: Rooms) -> None:
    """SQLite gives up a whole transaction when there is no room left; so nobody in it may be answered with yes."""
    code = opened(rooms)
    fill_the_disk(engine)
    told: list[int] = []
    rooms.changed = lambda code, rev: told.append(rev)

    async def many() -> list[object]:
        work = [rooms.database.write(rooms.create, "host", NewRoom("valdora", 3)) for _ in range(60)]
        talk = [rooms.database.write(rooms.say, code, f"p{n}", "x" * 400, f"N{n}") for n in range(15)]
        return await asyncio.gather(*work[:30], *talk, *work[30:], return_exceptions=True)

    answers = run_async(many())
    failed = [answer for answer in answers if isinstance(answer, BaseException)]
    assert any(isinstance(error, OperationalError) for error in failed)
    assert all(is_outage(error) for error in failed if isinstance(error, Exception))
    created = [answer.code for answer in answers if isinstance(answer, Snapshot)]
    with engine.connect() as connection:
        on_disk = set(connection.execute(text("SELECT code FROM room")).scalars())
    assert set(created) <= on_disk
    assert all(rev <= room_on_disk(engine, code).rev for rev in told)
    assert rooms.room(code) == room_on_disk(engine, code)


def test_who_stops_waiting_disturbs_nobody(engine: Engine, rooms: Rooms) -> None:
    code = opened(rooms)

    async def impatient() -> None:
        tasks = [asyncio.create_task(rooms.database.write(rooms.say, code, f"p{n}", "hi", f"N{n}")) for n in range(12)]
        await asyncio.sleep(0)
        for task in tasks[::2]:
            task.cancel()
        done = await asyncio.gather(*tasks, return_exceptions=True)
        assert sum(isinstance(answer, asyncio.CancelledError) for answer in done) == 6

    run_async(impatient())
    rooms.database.close()  # what has begun is finished
    assert len(room_on_disk(engine, code).chat) == 12
