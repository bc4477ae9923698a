"""The database: SQLite embedded, or Postgres by its address. Everything that touches it runs in threads of its own."""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar

from alembic import command
from alembic.config import Config
from sqlalchemy import URL, Connection, Engine, Insert, Select, Update, create_engine, event, text
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.pool import ConnectionPoolEntry

from app.batches import Batches, Lost, straight
from app.config import ROOT

MIGRATIONS: Final = ROOT / "migrations"
_SQLITE: Final = SQLiteDialect_pysqlite(paramstyle="qmark")
CHANNEL: Final = "valtavola"  # on which Postgres tells all workers what has changed

P = ParamSpec("P")
R = TypeVar("R")


class NoDatabase(Exception):
    """The database cannot be reached. The text is one sentence for a person."""


def connect(url: URL) -> Engine:
    if url.get_backend_name() != "sqlite":
        options = "-c synchronous_commit=on -c lock_timeout=10000 -c idle_in_transaction_session_timeout=60000"
        connecting = {"connect_timeout": 10, "options": options}
        return create_engine(url, pool_pre_ping=True, pool_size=8, max_overflow=8, connect_args=connecting)
    if url.database and url.database != ":memory:":
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(url)
    event.listen(engine, "connect", _never_lose_a_write)
    event.listen(engine, "begin", _begin)
    return engine


def _never_lose_a_write(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # transactions begin where we say, below
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Connection) -> None:
    """Who writes locks at once: two who have both read could not both write."""
    reads = connection.get_execution_options().get("reads")
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")


class Swift:
    """A statement on the path of a move. On SQLite it goes past SQLAlchemy, which takes ten times as long as SQLite."""

    def __init__(self, statement: Select[Any] | Insert | Update) -> None:
        self._statement = statement
        compiled = statement.compile(dialect=_SQLITE)
        self._text = str(compiled)
        kinds = {name: bind.type.dialect_impl(_SQLITE) for name, bind in compiled.binds.items()}
        self._values = [(name, kinds[name].bind_processor(_SQLITE) or _as_it_is) for name in compiled.positiontup or ()]

    def run(self, connection: Connection, values: dict[str, Any]) -> Any:
        """A cursor, or what is as good as one."""
        if connection.dialect.name != "sqlite":
            return connection.execute(self._statement, values)
        row = [stored(values[name]) for name, stored in self._values]
        return straight(connection.connection.dbapi_connection, self._text, row)


def _as_it_is(value: Any) -> Any:
    return value


class Database:
    """Transactions, and the threads that they run in."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.is_postgres = engine.dialect.name == "postgresql"
        self._batches = None if self.is_postgres else Batches(engine)
        self._writers = ThreadPoolExecutor(8, "write")
        self._readers = ThreadPoolExecutor(4, "read")

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction; inside a batch a part of it that can fail alone."""
        batch = self._batches.open_here() if self._batches else None
        with batch.part() if batch else self.engine.begin() as connection:
            yield connection

    def after_commit(self, act: Callable[[], None], on_failure: Callable[[], None]) -> None:
        """Do this when what has just been written is on disk: now, or at the end of the batch."""
        batch = self._batches.open_here() if self._batches else None
        if batch:
            batch.acts.append((act, on_failure))
        else:
            act()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """All that is read is of one moment, whatever others write in between."""
        with self.engine.connect() as connection:
            if self.is_postgres:
                yield connection.execution_options(isolation_level="REPEATABLE READ")
            else:
                yield connection.execution_options(reads=True)

    async def write(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        if self._batches:
            result: R = await self._batches.do(lambda: work(*args, **kwargs))
            return result
        return await self._run(self._writers, work, *args, **kwargs)

    async def read(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        return await self._run(self._readers, work, *args, **kwargs)

    async def _run(self, threads: ThreadPoolExecutor, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        return await asyncio.get_running_loop().run_in_executor(threads, lambda: work(*args, **kwargs))

    def close(self) -> None:
        """Finish what has begun, then let go."""
        if self._batches:
            self._batches.close()
        self._writers.shutdown()
        self._readers.shutdown()
        self.engine.dispose()


def is_outage(error: Exception) -> bool:
    """Whether the database went away or has no room, rather than refused."""
    gone = isinstance(error, DBAPIError) and error.connection_invalidated
    return gone or isinstance(error, OperationalError | PoolTimeout | Lost)


def migrate(engine: Engine, revision: str = "head") -> None:
    config = alembic_config()
    try:
        with engine.begin() as connection:
            if engine.dialect.name == "postgresql":  # several machines may start at once
                connection.execute(text("SELECT pg_advisory_xact_lock(7283645)"))
            config.attributes["connection"] = connection
            if revision == "base":
                command.downgrade(config, revision)
            else:
                command.upgrade(config, revision)
    except DBAPIError as error:
        reason = str(error.orig).strip().splitlines()[0]
        raise NoDatabase(f"The database {engine.url.render_as_string()} cannot be used: {reason}.") from error


def alembic_config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return config
