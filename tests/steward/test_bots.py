"""Bots at the table: they play whole games through the steward, and a crash loses nothing. On both databases."""

import asyncio
import os
import signal
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import pytest
from sqlalchemy import URL

from app.live.presence import Here, Presence
from app.rooms.pace import Pace
from app.rooms.seating import NewRoom
from app.rooms.service import Rooms
from app.rooms.verify import verify
from app.steward.loop import Steward
from app.steward.thinking import Thinkers
from app.thinking import think
from tests.people import open_room, sit_down
from tests.processes import Server, run_async, serving, valtavola
from tests.rooms.test_company import bots as playing
from tests.steward.test_answers import ended, tell_nobody
from tests.steward.thinker import think_by_chance


def bots_at(rooms: Rooms, game: str, *levels: str) -> str:
    code = rooms.create("host", NewRoom(game, len(levels), seed="bots")).code
    for level in levels:
        rooms.add_bot(code, "host", level)
    rooms.start(code, "host")
    return code


def test_bots_play_a_whole_game(rooms: Rooms) -> None:
    rooms.bot_pause = timedelta(milliseconds=10)
    rooms.pause = lambda: timedelta(milliseconds=10)

    async def play() -> None:
        thinkers = Thinkers(think, 1, 0.02)
        task = asyncio.create_task(Steward(rooms, Presence(), thinkers, tell_nobody).look_after())
        try:
            code = await rooms.database.write(bots_at, rooms, "valda", "easy", "normal", "easy")
            await ended(rooms, code, 150)
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            thinkers.close()
        assert rooms.room(code).game.outcome(rooms.room(code).state)
        assert not verify(rooms, ["ended"]).faults

    run_async(play())


def test_a_thinker_whose_process_dies_thinks_again(rooms: Rooms) -> None:
    room = rooms.room(bots_at(rooms, "valdora", "easy", "easy", "easy"))
    (seat,) = room.watch.asked

    async def play() -> None:
        thinkers = Thinkers(think_by_chance, 1, 0.1)
        try:
            await thinkers.move(room, seat, "easy")
            pool: Any = thinkers._pool
            (process,) = pool._processes
            os.kill(process, signal.SIGKILL)
            await asyncio.sleep(0.5)
            assert (await thinkers.move(room, seat, "easy"))["do"]
        finally:
            thinkers.close()

    run_async(play())


def fail(*_: Any) -> dict[str, Any]:
    raise ZeroDivisionError


def test_a_bot_that_cannot_think_moves_all_the_same(rooms: Rooms, caplog: pytest.LogCaptureFixture) -> None:
    room = rooms.room(bots_at(rooms, "valdora", "easy", "easy", "easy"))

    async def play() -> dict[str, Any]:
        thinkers = Thinkers(fail, 1, 0.1)
        try:
            return await thinkers.move(room, room.watch.asked[0], "easy")
        finally:
            thinkers.close()

    assert run_async(play())["do"]
    assert "could not think" in caplog.text


def test_the_house_plays_for_who_is_away_until_they_are_back(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.rooms.watch.SEEK", timedelta(milliseconds=50))
    rooms.bot_pause = timedelta(milliseconds=10)
    told: list[tuple[int, ...]] = []

    async def tell(_: str, seats: Any) -> None:
        told.append(tuple(seats))

    def started() -> str:
        code = rooms.create("a", NewRoom("valdora", 3, {"start": "first_seat"}, pace=Pace(absent=60))).code
        for person in "abc":
            rooms.join(code, person, person * 3)
        rooms.start(code, "a")
        return code

    async def play() -> None:
        now = [0.0]
        presence = Presence(clock=lambda: now[0])
        thinkers = Thinkers(think_by_chance, 1, 0.1)
        steward = Steward(rooms, presence, thinkers, tell)
        task = asyncio.create_task(steward.look_after())
        try:
            code = await rooms.database.write(started)
            presence.here(code, [0, 1, 2], 0)
            await asyncio.sleep(0.3)
            assert told == []
            presence.heard(Here(code, presence.worker, (1, 2), 0))  # the first player goes
            await asyncio.sleep(1)
            assert told == [(0,)]
            now[0] = 61.0
            await asyncio.to_thread(rooms.seek_soon, code)
            async with asyncio.timeout(20):
                while (await rooms.database.read(rooms.room, code)).state.turn.seat == 0:
                    await asyncio.sleep(0.05)
            assert playing(rooms.room(code))[0] == ("normal", True)
            await rooms.database.write(rooms.come_back, code, "a")
            assert playing(rooms.room(code))[0] == (None, False)
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            thinkers.close()

    run_async(play())


def test_a_stopped_server_leaves_no_thinkers_behind(tmp_path: Path) -> None:
    with serving(DATABASE_URL=f"sqlite:///{tmp_path}/a.sqlite3", BOT_PAUSE_MS="50") as server:
        game_of_bots(server.address)
        wait_until(lambda: len(children(server.process.pid)) > 0)
        inside = children(server.process.pid)
    wait_until(partial(all_gone, inside))


def test_killed_while_bots_think_and_clocks_run(database: URL) -> None:
    """After restart every room goes on, and no move is made twice."""
    env = {
        "DATABASE_URL": database.render_as_string(hide_password=False),
        "BOT_PAUSE_MS": "100",
        "PAUSE_SECONDS": "1",
    }
    server = Server(**env)
    codes = [game_of_bots(server.address, pace={"kind": "move", "seconds": 5}) for _ in range(3)]
    waiting = game_with_a_person(server.address)
    for _ in range(3):
        for code in codes:
            wait_until(partial(has_grown, server.address, code, seq_of(server.address, code) + 2))
        inside = children(server.process.pid)
        server.kill()
        wait_until(partial(all_gone, inside))
        server = Server(**env)
    # The person whose clock ran out meanwhile is played for.
    wait_until(partial(has_grown, server.address, waiting, 3))
    server.stop()
    server.wait()
    assert not [line for line in server.errors if "Traceback" in line]
    verdict = valtavola("verify-games", "--all", DATABASE_URL=env["DATABASE_URL"])
    assert verdict.returncode == 0, verdict.stderr
    assert "4 games were replayed; 0 did not" in verdict.stdout


def test_bots_think_with_several_workers(postgres: str) -> None:
    with serving("--workers", "2", DATABASE_URL=postgres, BOT_PAUSE_MS="100", PAUSE_SECONDS="1") as server:
        codes = [game_of_bots(server.address) for _ in range(4)]
        for code in codes:
            wait_until(partial(has_grown, server.address, code, 6))


def game_of_bots(address: str, **wish: Any) -> str:
    with httpx2.Client(base_url=address) as http:
        host = open_room(http, 3, **wish)
        for _ in range(3):
            assert host.post("bots", {"level": "easy"}).status_code == 204
        assert host.post("start").status_code == 204
        return host.code


def game_with_a_person(address: str) -> str:
    with httpx2.Client(base_url=address) as http:
        host = open_room(http, 3, pace={"kind": "move", "seconds": 5}, options={"start": "first_seat"})
        sit_down(http, host.code, "Ann", host.token)
        for _ in range(2):
            assert host.post("bots", {"level": "easy"}).status_code == 204
        assert host.post("start").status_code == 204
        return host.code


def seq_of(address: str, code: str) -> int:
    seq: int = httpx2.get(f"{address}/api/rooms/{code}").json()["seq"]
    return seq


def has_grown(address: str, code: str, seq: int) -> bool:
    return seq_of(address, code) > seq


def all_gone(processes: list[int]) -> bool:
    return not any(is_alive(pid) for pid in processes)


def is_alive(pid: int) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()  # dead and not yet buried
    except FileNotFoundError:
        return False


def children(pid: int) -> list[int]:
    """The processes in which its bots think, and the like."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def wait_until(happens: Any, seconds: float = 60) -> None:
    async def wait() -> None:
        async with asyncio.timeout(seconds):
            while not happens():
                await asyncio.sleep(0.1)

    run_async(wait())
