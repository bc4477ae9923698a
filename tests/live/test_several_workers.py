"""Several processes on one Postgres are one site: what happens through one is seen through all."""

import asyncio
from contextlib import AsyncExitStack

import psycopg

from tests.live.clients import http_client, start_game, watching
from tests.processes import run_async, serving, valtavola

MINE = {"do": "move", "to": "north_mine"}


def cut_all_connections(url: str) -> int:
    """As if the network between the servers and the database had gone."""
    with psycopg.connect(url, autocommit=True) as connection:
        cut = connection.execute(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        ).fetchone()
    assert cut is not None
    number: int = cut[0]
    return number


def test_a_move_through_one_reaches_a_socket_at_the_other_even_after_a_cut(postgres: str) -> None:
    async def play(one: str, other: str) -> None:
        async with http_client(one) as http, http_client(other) as http_there:
            people = await start_game(http)
            code = people[0].code
            there = people[1]
            there.http = http_there
            async with watching(other, code, there.token) as far, watching(one, code) as near:
                await near.until_present([1], 1)  # presence crosses too
                await people[0].move(MINE)
                await far.until(seq=1)
                await near.until(seq=1)
                assert cut_all_connections(postgres) >= 2
                await asyncio.sleep(0)
                seq = 1
                for move in ({"do": "refill"}, {"do": "end_turn"}):
                    seq += 1
                    body = {"decision": str(seq - 1), "move": move, "key": f"k{seq}"}
                    answer = await people[0].post("moves", body)
                    while answer.status_code == 503:
                        answer = await people[0].post("moves", body)
                    assert answer.json() == {"seq": seq}
                await far.until(seq=3)
                await near.until(seq=3)
                assert far.seen["legal"] == (await there.look())["legal"] != []
                assert [entry["seq"] for entry in far.events] == [1, 2, 3]
                await there.move(MINE)  # and back through the other
                await near.until(seq=4)
                await far.until(seq=4)

    with serving(DATABASE_URL=postgres) as one, serving(DATABASE_URL=postgres) as other:
        one.may_complain = other.may_complain = True  # of the cut
        run_async(play(one.address, other.address))


def test_two_workers_behind_one_address(postgres: str) -> None:
    async def play(address: str) -> None:
        async with http_client(address) as http:
            people = await start_game(http)
            async with AsyncExitStack() as stack:
                watchers = [await stack.enter_async_context(watching(address, people[0].code)) for _ in range(8)]
                await watchers[0].until_present([], 8)
                await people[0].move(MINE)
                for watcher in watchers:
                    await watcher.until(seq=1)

    with serving("--workers", "2", DATABASE_URL=postgres) as server:
        run_async(play(server.address))


def test_sqlite_has_one_worker(tmp_path: object) -> None:
    done = valtavola("serve", "--port", "0", "--workers", "2", DATABASE_URL=f"sqlite:///{tmp_path}/x.sqlite3")
    assert done.returncode == 2
    assert done.stderr.strip() == (
        "2 workers need Postgres: SQLite has one writer. Set DATABASE_URL, or serve with one worker."
    )


def test_a_second_server_on_the_same_sqlite_file_is_refused(tmp_path: object) -> None:
    url = f"sqlite:///{tmp_path}/x.sqlite3"
    with serving(DATABASE_URL=url):
        done = valtavola("serve", "--port", "0", DATABASE_URL=url)
    assert done.returncode == 2
    assert "Another server is using" in done.stderr
    with serving(DATABASE_URL=url):  # and once that one has gone it may
        pass
