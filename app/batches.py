"""SQLite has one writer, and bringing a transaction to disk is the slowest part of a move: what waits goes together.

One thread takes all that is waiting, does it in one transaction, and answers everybody once that is on disk. Each piece
of work is a savepoint: if it fails, it fails alone, unless the disk does.
"""

import asyncio
import logging
import queue
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

_LOG: Final = logging.getLogger("valtavola")
MOST: Final = 100  # pieces of work in one transaction

R = TypeVar("R")


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
        self.acts: list[tuple[Callable[[], None], Callable[[], None]]] = []

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


class _Work:
    def __init__(self, work: Callable[[], Any], answer: "asyncio.Future[Any]") -> None:
        self.work = work
        self.answer = answer
        self.result: Any = None
        self.error: BaseException | None = None

    def do(self) -> None:
        try:
            self.result = self.work()
        except BaseException as error:
            self.error = error

    def tell(self) -> None:
        if self.answer.cancelled():
            return
        if self.error is not None:
            self.answer.set_exception(self.error)
        else:
            self.answer.set_result(self.result)


class Batches:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._waiting: queue.SimpleQueue[_Work | None] = queue.SimpleQueue()
        self._open: Batch | None = None
        self._thread: threading.Thread | None = None

    def open_here(self) -> Batch | None:
        """The batch that this very thread is writing."""
        return self._open if threading.current_thread() is self._thread else None

    async def do(self, work: Callable[[], R]) -> R:
        if self._thread is None:
            self._thread = threading.Thread(target=self._write_for_ever, name="write", daemon=True)
            self._thread.start()
        answer: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        self._waiting.put(_Work(work, answer))
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
            self._write([work for work in works if work])

    def _write(self, works: list[_Work]) -> None:
        acts: list[tuple[Callable[[], None], Callable[[], None]]] = []
        try:
            with self._engine.begin() as connection:
                self._open = Batch(connection)
                acts = self._open.acts
                for work in works:
                    work.do()
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
        if works:
            works[0].answer.get_loop().call_soon_threadsafe(_tell_all, acts, works)


def _tell_all(acts: list[tuple[Callable[[], None], Callable[[], None]]], works: list[_Work]) -> None:
    """On the event loop again, with one call for all: first the news, then the answers."""
    for act, _ in acts:
        try:
            act()
        except Exception:  # it is on disk all the same, and who waits for an answer gets it
            _LOG.exception("News of a change could not be passed on")
    for work in works:
        work.tell()
