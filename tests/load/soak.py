"""`make soak`: the long storm on SQLite and on a real Postgres. Takes minutes and tells how it goes."""

import argparse
import tempfile
import time
from functools import partial

from app.config import read_settings
from app.database import connect, migrate
from app.engine import registry
from tests.load.storm import Storm
from tests.postgres import empty_database, running_postgres


def storm_over(database: str, url: str, game: str, rooms: int, kills: int) -> None:
    say = partial(print, flush=True)
    engine = connect(read_settings({"DATABASE_URL": url}).database)
    migrate(engine)
    engine.dispose()
    name = f"{game} on {database}"
    say(f"{name}: {rooms} rooms of 3 random players to the end, {kills} kills")
    began = time.monotonic()
    storm = Storm(url, rooms, kills, most_moves=1_000_000, game=game)
    storm.run(say)
    moves = sum(map(len, storm.acknowledged.values()))
    say(
        f"{name}: {storm.rooms} games over, {moves} moves acknowledged and all there, {storm.killed} kills, "
        f"{storm.repeated} submits sent again, every stored table is what its log leads to "
        f"({time.monotonic() - began:.0f} s)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rooms", type=int, default=200)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--game", choices=registry.games(), help="only this one")
    options = parser.parse_args()
    for game in [options.game] if options.game else registry.games():
        with tempfile.TemporaryDirectory() as folder:
            storm_over("SQLite", f"sqlite:///{folder}/soak.sqlite3", game, options.rooms, options.kills)
        with running_postgres() as server, empty_database(server) as url:
            storm_over("Postgres", url, game, options.rooms, options.kills)


if __name__ == "__main__":
    main()
