"""SQLite has one writer, and bringing a transaction to disk is the slowest part of a move: what waits goes together.

One thread takes all that is waiting, does it in one transaction, and answers everybody once that is on disk. Each piece
of work is a savepoint: if it fails, it fails alone, unless the disk does.
"""

import asyncio
import logging
import queue
import sqlite3
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, Generic, TypeAlias, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

_LOG: Final = logging.getLogger("valtavola")
MOST: Final = 100  # pieces of work in one transaction

W = TypeVar("W")
Acts: TypeAlias = list[tuple[Callable[[], None], Callable[[], None]]]  # for when it is on disk, and if it never will be


def straight(raw: Any, statement: str, values: Sequence[Any] = ()) -> Any:
    """Past SQLAlchemy, which takes ten times as long as SQLite; errors are still the ones that it would raise."""
    try:
        return raw.execute(statement, values)
    except sqlite3.Error as error:
        raise DBAPIError.instance(statement, None, error, sqlite3.Error) from error


class Lost(Exception):
    """The transaction is gone, and all that was written in it."""


class Batch:
    """A transaction that several pieces of work share."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._raw: Any = connection.connection.dbapi_connection
        self.acts: Acts = []

    @contextmanager
    def part(self) -> Iterator[Connection]:
        straight(self._raw, "SAVEPOINT part")
        try:
            yield self.connection
        except BaseException:
            if self.stands():
                straight(self._raw, "ROLLBACK TO part")
                straight(self._raw, "RELEASE part")
            raise
        straight(self._raw, "RELEASE part")

    def stands(self) -> bool:
        """A full or broken disk makes SQLite give up the whole transaction, whatever savepoints there are."""
        return bool(self._raw.in_transaction)


class Work(Generic[W]):
    """Something to be written, and who waits for it."""

    def __init__(self, work: W, answer: "asyncio.Future[Any]") -> None:
        self.work = work
        self.answer = answer
        self.result: Any = None
        self.error: BaseException | None = None

    def tell(self) -> None:
        if self.answer.cancelled():
            return
        if self.error is not None:
            self.answer.set_exception(self.error)
        else:
            self.answer.set_result(self.result)


class Gathering(ABC, Generic[W]):
    """A thread that takes all that is waiting at once."""

    def __init__(self) -> None:
        self._waiting: queue.SimpleQueue[Work[W] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    async def do(self, work: W) -> Any:
        if self._thread is None:
            self._thread = threading.Thread(target=self._write_for_ever, name="write", daemon=True)
            self._thread.start()
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.put(Work(work, answer))
        return await answer

    def close(self) -> None:
        if self._thread:
            self._waiting.put(None)
            self._thread.join()

    def _write_for_ever(self) -> None:
        going_on = True
        while going_on:
            works = [self._waiting.get()]
            while len(works) < MOST and not self._waiting.empty():
                works.append(self._waiting.get())
            going_on = None not in works
            wanted = [work for work in works if work]
            if wanted:
                acts = self._write(wanted)
                wanted[0].answer.get_loop().call_soon_threadsafe(_tell_all, acts, wanted)

    @abstractmethod
    def _write(self, works: list[Work[W]]) -> Acts:
        """Bring it to disk, note the results, and say what is to be done once they are told. Raises nothing."""


class Batches(Gathering[Callable[[], Any]]):
    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self._engine = engine
        self._open: Batch | None = None

    def open_here(self) -> Batch | None:
        """The batch that this very thread is writing."""
        return self._open if threading.current_thread() is self._thread else None

    def _write(self, works: list[Work[Callable[[], Any]]]) -> Acts:
        acts: Acts = []
        try:
            with self._engine.begin() as connection:
                self._open = Batch(connection)
                acts = self._open.acts
                for work in works:
                    _do(work)
                    if not self._open.stands():
                        raise work.error or Lost("SQLite has given up the transaction.")
        except Exception as error:  # nothing of it is on disk
            for _, on_failure in acts:
                on_failure()
            for work in works:
                work.error = work.error or error
            acts = []
        finally:
            self._open = None
        return acts


def _do(work: Work[Callable[[], Any]]) -> None:
    try:
        work.result = work.work()
    except BaseException as error:
        work.error = error


def _tell_all(acts: Acts, works: list[Work[Any]]) -> None:
    """On the event loop again, with one call for all: first the news, then the answers."""
    for act, _ in acts:
        try:
            act()
        except Exception:  # it is on disk all the same, and who waits for an answer gets it
            _LOG.exception("News of a change could not be passed on")
    for work in works:
        work.tell()
