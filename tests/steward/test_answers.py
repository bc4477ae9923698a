"""The house answers for who has no choice: by itself, one at a time, once, also after a crash. On both databases."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from sqlalchemy import URL

from app.database import Database, connect
from app.engine.codec import raw_move
from app.live.presence import Presence
from app.rooms import repository
from app.rooms.housekeeping import LEASE, Answer
from app.rooms.service import Rooms
from app.rooms.verify import verify
from app.rooms.watch import SEEK
from app.steward import loop
from app.steward.loop import Steward
from app.steward.thinking import Thinkers
from tests.engine.hush import HUSH, Options
from tests.hushed import SAYS_NO, started
from tests.processes import run_async
from tests.steward.thinker import think_by_chance

pytestmark = pytest.mark.usefixtures("hush")

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
PAUSE = timedelta(seconds=2)
LATER = timedelta(seconds=3)


@pytest.fixture
def other(database: URL, rooms: Rooms) -> Iterator[Rooms]:
    """Another worker, or this one after a crash: it knows only what is stored."""
    there = Rooms(Database(connect(database)), pause=rooms.pause)
    yield there
    there.database.close()


def due_at(rooms: Rooms, code: str) -> datetime | None:
    with rooms.database.reading() as connection:
        return repository.due_at(connection, rooms.room(code).id)


def answer(rooms: Rooms, code: str) -> bool:
    """Do what is due, if it is an answer."""
    room = rooms.room(code)
    errand = rooms.errand(room)
    return isinstance(errand, Answer) and rooms.answer(code, room.seq, errand.seat, errand.move)


def stop_the_clock(rooms: Rooms, now: datetime = NOON) -> None:
    rooms.clock = lambda: now
    rooms.pause = lambda: PAUSE


def seed_of(*coins: int) -> str:
    """A deal in which everybody has so many coins."""
    return next(seed for seed in map(str, range(1000)) if HUSH.setup(Options(), len(coins), seed).coins == coins)


def test_an_answer_is_due_a_short_random_while_later(rooms: Rooms) -> None:
    whiles = [rooms.pause().total_seconds() for _ in range(200)]
    assert 1 <= min(whiles) < 1.5
    assert 3.5 < max(whiles) <= 4
    stop_the_clock(rooms)
    assert due_at(rooms, started(rooms, coins=1)) == NOON + SEEK
    assert due_at(rooms, started(rooms, coins=0)) == NOON + PAUSE


def test_answers_are_given_one_at_a_time_when_they_are_due(rooms: Rooms) -> None:
    stop_the_clock(rooms)
    code = started(rooms, coins=0, rounds=1)
    assert not answer(rooms, code)
    assert rooms.claim() == []
    assert rooms.next_due() == NOON + PAUSE
    stop_the_clock(rooms, NOON + LATER)
    assert answer(rooms, code)
    assert not answer(rooms, code)  # the next one is due a while later
    assert (rooms.room(code).seq, due_at(rooms, code)) == (1, NOON + LATER + PAUSE)
    stop_the_clock(rooms, NOON + 2 * LATER)
    assert answer(rooms, code)
    room = rooms.room(code)
    assert (room.status, room.seq) == ("ended", 2)
    assert due_at(rooms, code) == NOON + 2 * LATER + rooms.keeping.rest
    assert rooms.next_due() is None
    assert rooms.clear_away() == []
    assert not verify(rooms, ["ended"]).faults


def test_any_of_those_who_have_no_choice_may_be_answered_for_first(rooms: Rooms) -> None:
    stop_the_clock(rooms)
    codes = [started(rooms, coins=0, rounds=1) for _ in range(20)]
    stop_the_clock(rooms, NOON + LATER)
    assert all(answer(rooms, code) for code in codes)
    assert {rooms.room(code).log[0].seat for code in codes} == {1, 2}


def test_a_move_says_when_an_answer_is_due_and_when_none_is(rooms: Rooms) -> None:
    stop_the_clock(rooms)
    code = started(rooms, seed=seed_of(1, 0, 1))
    assert due_at(rooms, code) == NOON + PAUSE
    stop_the_clock(rooms, NOON + LATER)
    rooms.play(code, "p2", "d0", SAYS_NO, "k")
    assert due_at(rooms, code) == NOON + LATER + PAUSE
    rooms.play(code, "p1", "d0", SAYS_NO, "k")  # by themselves
    assert due_at(rooms, code) == NOON + LATER + SEEK
    rooms.play(code, "p0", "d1", SAYS_NO, "k")
    rooms.play(code, "p2", "d1", SAYS_NO, "k2")  # now the one without a coin is asked again
    assert due_at(rooms, code) == NOON + LATER + PAUSE
    assert not answer(rooms, code)
    rooms.say(code, "p0", "hm")
    assert due_at(rooms, code) == NOON + LATER + PAUSE


def test_what_is_due_without_a_reason_is_put_off(rooms: Rooms) -> None:
    stop_the_clock(rooms)
    code = started(rooms, coins=1)
    before = rooms.room(code)
    rooms.claim_nothing()
    assert due_at(rooms, code) == NOON
    run_async(steward(rooms).look(code))
    assert due_at(rooms, code) == NOON + SEEK
    assert rooms.room(code) == before


def test_what_one_has_claimed_no_other_gets_until_it_seems_dead(rooms: Rooms, other: Rooms) -> None:
    stop_the_clock(rooms)
    codes = [started(rooms, coins=0) for _ in range(3)]
    for worker in (rooms, other):
        stop_the_clock(worker, NOON + LATER)
    assert sorted(rooms.claim()) == sorted(codes)
    assert other.claim() == []
    stop_the_clock(other, NOON + LATER + LEASE)
    assert sorted(other.claim()) == sorted(codes)


def test_nothing_is_due_in_a_frozen_room(rooms: Rooms) -> None:
    stop_the_clock(rooms)
    code = started(rooms, coins=0, rounds=1)
    stop_the_clock(rooms, NOON + LATER)
    assert rooms.freeze(code, lambda connection: True)
    assert due_at(rooms, code) is None
    assert not answer(rooms, code)
    assert verify(rooms, ["frozen"]).thawed == [code]
    assert answer(rooms, code)
    stop_the_clock(rooms, NOON + 2 * LATER)
    assert answer(rooms, code)
    assert rooms.freeze(code, lambda connection: True)
    assert verify(rooms, ["frozen"]).thawed == [code]
    assert rooms.room(code).status == "ended"
    assert rooms.clear_away() == []  # it is kept as long as if it had ended now
    assert [table.code for table in rooms.own_tables("p0")] == [code]


def test_two_workers_at_once_answer_once(rooms: Rooms, other: Rooms) -> None:
    stop_the_clock(rooms)
    codes = [started(rooms, coins=0) for _ in range(10)]
    stop_the_clock(rooms, NOON + LATER)
    stop_the_clock(other, NOON + LATER)
    with ThreadPoolExecutor(2) as threads:
        for code in codes:
            given = [threads.submit(answer, worker, code) for worker in (rooms, other)]
            assert sorted(answer.result() for answer in given) == [False, True]
            assert rooms.room(code).seq == 1


@asynccontextmanager
async def attended(*workers: Rooms) -> AsyncIterator[None]:
    """While a steward looks after each."""
    tasks = [asyncio.create_task(steward(rooms).look_after()) for rooms in workers]
    yield
    for task in tasks:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def steward(rooms: Rooms) -> Steward:
    return Steward(rooms, Presence(), Thinkers(think_by_chance, 1, 0.1), tell_nobody)


async def tell_nobody(code: str, seats: Sequence[int]) -> None:
    """Nobody is away here."""


async def ended(rooms: Rooms, code: str, seconds: float = 20) -> None:
    async with asyncio.timeout(seconds):
        while (await rooms.database.read(rooms.room, code)).status != "ended":
            await asyncio.sleep(0.02)


def test_the_steward_is_woken_in_time(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "LOOK_EVERY", timedelta(hours=1))

    async def play() -> None:
        rooms.pause = lambda: timedelta(seconds=0.1)
        async with attended(rooms):
            await asyncio.sleep(0.2)  # it sleeps
            code = await rooms.database.write(started, rooms, coins=0)
            await ended(rooms, code)
            assert rooms.room(code).seq == 6

    run_async(play())


def test_what_was_due_before_a_crash_is_answered_after_it(
    rooms: Rooms, other: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also while a steward is there already: what others leave behind is looked for."""
    monkeypatch.setattr(loop, "LOOK_EVERY", timedelta(seconds=0.2))

    async def play() -> None:
        rooms.pause = other.pause = lambda: timedelta(seconds=0.1)
        before = started(rooms, coins=0)  # with nobody to look after it
        async with attended(other):
            meanwhile = started(rooms, coins=0)
            for code in (before, meanwhile):
                await ended(other, code)

    run_async(play())


def test_two_stewards_play_one_game(rooms: Rooms, other: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "LOOK_EVERY", timedelta(seconds=0.05))

    async def play() -> None:
        rooms.pause = other.pause = lambda: timedelta(seconds=0.05)
        codes = [started(rooms, coins=0) for _ in range(5)]
        async with attended(rooms, other):
            for code in codes:
                await ended(rooms, code)
        assert [other.room(code).seq for code in codes] == [6] * 5
        assert not verify(other, ["ended"]).faults

    run_async(play())


def test_people_and_the_house_play_to_the_end(rooms: Rooms) -> None:
    """Each says only what they have a choice about."""

    async def play(code: str, chooser: Random) -> None:
        while (room := await rooms.database.read(rooms.room, code)).status == "playing":
            quiet = [seat for seat, _ in HUSH.quiet(room.state)]
            able = [seat for seat in range(4) if HUSH.legal(room.state, seat) and seat not in quiet]
            if able:
                seat = chooser.choice(able)
                move = raw_move(chooser.choice(list(HUSH.legal(room.state, seat))))
                await rooms.database.write(rooms.play, code, f"p{seat}", room.decision, move, f"{room.seq}")
            await asyncio.sleep(0.02)

    async def play_all() -> None:
        rooms.pause = lambda: timedelta(seconds=0.5)  # longer than people need, so that they are never overtaken
        codes = [started(rooms, 4, str(seed)) for seed in range(6)]
        async with attended(rooms), asyncio.timeout(60):
            await asyncio.gather(*(play(code, Random(code)) for code in codes))
        assert not verify(rooms, ["ended"]).faults

    run_async(play_all())


def test_a_room_that_fails_holds_up_no_other(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    rooms.pause = lambda: timedelta(seconds=0.05)
    bad, good = started(rooms, coins=0), started(rooms, coins=0)
    answers = rooms.answer

    def fail(code: str, seq: int, seat: int, raw: object) -> bool:
        if code == bad:
            raise ZeroDivisionError
        return answers(code, seq, seat, raw)

    monkeypatch.setattr(rooms, "answer", fail)

    async def play() -> None:
        async with attended(rooms):
            await ended(rooms, good)
            await asyncio.sleep(0.5)

    run_async(play())
    assert f"cannot look after room {bad}" in caplog.text
    assert len(caplog.records) < 10  # whenever it answers elsewhere, but not without a pause
