"""`valtavola serve`: everything is checked and the database brought up to date before the first request."""

import errno
import fcntl
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from sqlalchemy import URL
from uvicorn.supervisors import Multiprocess

from app.config import BadSettings, Settings, read_settings
from app.database import Database, NoDatabase, connect, migrate
from app.engine import registry
from app.main import create_app
from app.rooms.service import Rooms
from app.rooms.verify import Verdict, verify
from app.web.frames import SharedFrames


class CannotListen(Exception):
    """The address cannot be used. The text is one sentence for a person."""


def serve(host: str | None, port: int | None, workers: int | None) -> int:
    try:
        settings = read_settings()
        count = workers or settings.workers
        registry.games()  # a wrong data file stops everything, before anything is touched
        _check_workers(settings.database, count)
        listener = _listen(host or settings.host, settings.port if port is None else port)
        with alone_with(settings.database):
            prepare(settings)
            _run(listener, count)
    except (BadSettings, NoDatabase, CannotListen) as error:
        print(error, file=sys.stderr)  # noqa: T201
        return 2
    return 0


def _run(listener: socket.socket, workers: int) -> None:
    address, number = listener.getsockname()[:2]
    shown = f"[{address}]" if ":" in address else address
    print(f"Valtavola is at http://{shown}:{number}/ (Ctrl+C stops it)", flush=True)  # noqa: T201
    options = {
        "log_level": "warning",
        "access_log": False,
        "server_header": False,
        "ws": SharedFrames,
        "ws_per_message_deflate": False,
        "timeout_graceful_shutdown": 20,
    }
    if workers == 1:
        uvicorn.Server(uvicorn.Config(create_app(), **options)).run(sockets=[listener])  # type: ignore[arg-type]
        return
    config = uvicorn.Config("app.main:create_app", factory=True, workers=workers, **options)  # type: ignore[arg-type]
    Multiprocess(config, sockets=[listener]).run()


def prepare(settings: Settings) -> None:
    """Bring the schema up to date, and look at every open room before anybody sits down."""
    engine = connect(settings.database)
    migrate(engine)
    rooms = Rooms(Database(engine))
    tell_verdict(verify(rooms, progress=verify_progress))
    rooms.claim_nothing()
    rooms.database.close()


def verify_progress(done: int, total: int) -> None:
    if sys.stderr.isatty() and (done % 10 == 0 or done == total):
        end = "\n" if done == total else ""
        print(f"\rLooking at the open rooms: {done}/{total}", end=end, file=sys.stderr, flush=True)  # noqa: T201


def tell_verdict(verdict: Verdict) -> None:
    for code, fault in verdict.faults.items():
        print(f"Room {code} does not fit its log: {fault}", file=sys.stderr)  # noqa: T201
    for code in verdict.thawed:
        print(f"Room {code} was frozen, is sound again and goes on.", file=sys.stderr)  # noqa: T201


def _check_workers(url: URL, workers: int) -> None:
    if workers > 1 and url.get_backend_name() == "sqlite":
        raise BadSettings(
            f"{workers} workers need Postgres: SQLite has one writer. Set DATABASE_URL, or serve with one worker."
        )


@contextmanager
def alone_with(url: URL) -> Iterator[None]:
    """One process at a time serves an SQLite file: two would not hear of each other's moves."""
    if url.get_backend_name() != "sqlite" or not url.database:
        yield
        return
    path = Path(f"{url.database}.lock")
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise NoDatabase(f"Another server is using {url.database}; several need Postgres.") from error
        file.write(str(os.getpid()))
        file.flush()
        yield


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # Inherited by every connection: otherwise the kernel keeps up to 4 MB for each reader who is stuck.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 18)
        listener.bind(address)
        listener.listen(2048)  # from now on nobody is turned away, even before the server runs
    except socket.gaierror as error:
        raise CannotListen(f"There is no address called {host!r} on this machine.") from error
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise CannotListen(
                f"Port {port} is already in use: stop what uses it, or choose another with PORT={port + 1} make run."
            ) from error
        raise CannotListen(f"Valtavola cannot listen on {host}, port {port}: {error.strerror}.") from error
    return listener
