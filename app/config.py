"""Settings from the environment."""

import os
from collections.abc import Mapping
from datetime import timedelta
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
    workers: int
    secret: str | None  # signs tokens; without one the database keeps one
    keep_empty: timedelta  # how long a lobby is kept in which nobody sits
    keep_rest: timedelta  # how long a lobby is kept in which somebody sits, and a finished game
    pause: timedelta  # how long the house waits, at most, before it answers for who has no choice
    bot_pause: timedelta  # between the moves of a bot
    bot_processes: int  # in which bots think, for each worker


def read_settings(environment: Mapping[str, str] | None = None) -> Settings:
    env = os.environ if environment is None else environment
    return Settings(
        database=_database(env.get("DATABASE_URL", f"sqlite:///{ROOT / 'var' / 'valtavola.sqlite3'}")),
        host=env.get("HOST", "127.0.0.1"),
        port=_number(env, "PORT", "8000", 0, 65535),
        workers=_number(env, "WORKERS", "1", 1, 64),
        secret=_secret(env.get("SECRET")),
        keep_empty=timedelta(hours=_number(env, "KEEP_EMPTY_HOURS", "24", 1, 100_000)),
        keep_rest=timedelta(days=_number(env, "KEEP_DAYS", "30", 1, 100_000)),
        pause=timedelta(seconds=_number(env, "PAUSE_SECONDS", "4", 1, 3600)),
        bot_pause=timedelta(milliseconds=_number(env, "BOT_PAUSE_MS", "1000", 10, 60_000)),
        bot_processes=_number(env, "BOT_PROCESSES", "1", 1, 64),
    )


def _number(env: Mapping[str, str], name: str, default: str, least: int, most: int) -> int:
    text = env.get(name, default)
    if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
        raise BadSettings(f"{name} is {text!r}; it must be a number from {least} to {most}.")
    return int(text)


def _secret(text: str | None) -> str | None:
    if text is not None and (len(text) < 16 or "change" in text.lower()):
        raise BadSettings("SECRET must be 16 random characters or more; leave it out and one is made for you.")
    return text


_DRIVERS: Final = {"sqlite": "sqlite", "postgres": "postgresql+psycopg", "postgresql": "postgresql+psycopg"}


def _database(address: str) -> URL:
    try:
        url = make_url(address)
        driver = _DRIVERS[url.drivername.partition("+")[0]]
    except (ArgumentError, KeyError):
        raise BadSettings(
            "DATABASE_URL must look like sqlite:///path/to/file or postgresql://user:password@host/name."
        ) from None
    if driver == "sqlite" and url.database in (None, "", ":memory:"):
        raise BadSettings("DATABASE_URL must name a file: a database in memory would forget every move.")
    return url.set(drivername=driver)
