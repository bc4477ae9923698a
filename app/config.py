"""Settings from the environment."""

import os
from pathlib import Path
from typing import Final

import msgspec
from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

ROOT: Final = Path(__file__).parent.parent


class BadSettings(Exception):
    """A setting is wrong. The text is one sentence for a person."""


class Settings(msgspec.Struct, frozen=True):
    database: URL
    host: str
    port: int


def read_settings(environment: dict[str, str] | None = None) -> Settings:
    env = os.environ if environment is None else environment
    port = env.get("PORT", "8000")
    if not port.isdigit() or int(port) > 65535:
        raise BadSettings(f"PORT is {port!r}; it must be a number from 0 to 65535.")
    return Settings(
        database=_database(env.get("DATABASE_URL", f"sqlite:///{ROOT / 'var' / 'valtavola.sqlite3'}")),
        host=env.get("HOST", "127.0.0.1"),
        port=int(port),
    )


_DRIVERS: Final = {"sqlite": "sqlite", "postgres": "postgresql+psycopg", "postgresql": "postgresql+psycopg"}


def _database(address: str) -> URL:
    try:
        url = make_url(address)
        driver = _DRIVERS[url.drivername.partition("+")[0]]
    except (ArgumentError, KeyError):
        raise BadSettings(
            "DATABASE_URL must look like sqlite:///path/to/file or postgresql://user:password@host/name."
        ) from None
    return url.set(drivername=driver)
