"""Settings from the environment."""

import os
import re
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Final
from urllib.parse import SplitResult, unquote, urlsplit

import msgspec
from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

ROOT: Final = Path(__file__).parent.parent


class BadSettings(Exception):
    """A setting is wrong. The text is one sentence for a person."""


class MailServer(msgspec.Struct, frozen=True):
    """Takes our mail."""

    host: str
    port: int
    secure: bool  # from the first byte; otherwise STARTTLS where it is offered
    user: str
    password: str
    sender: str  # what mails come from


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
    public: str | None  # the site's address in messages, with a slash at its end
    mail: MailServer | None
    outgoing: frozenset[tuple[str, int]]  # hosts and ports that may be spoken to though they are not public


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
        public=_public(env.get("PUBLIC_URL")),
        mail=_mail_server(env),
        outgoing=_hosts(env.get("OUTGOING_ALLOW", "")),
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


def _split(text: str) -> SplitResult:
    """An address, in parts that can be read without a fault; of what is none, parts that are empty."""
    try:
        parts = urlsplit(text)
        _ = parts.port, parts.hostname
    except ValueError:
        return urlsplit("")
    return parts


def _public(text: str | None) -> str | None:
    if not text:
        return None
    parts = _split(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
        raise BadSettings("PUBLIC_URL must look like https://table.example.org, without a path.")
    return f"{parts.scheme}://{parts.netloc}/"


def _mail_server(env: Mapping[str, str]) -> MailServer | None:
    text = env.get("SMTP_URL")
    if not text:
        return None
    parts = _split(text)
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
        raise BadSettings("SMTP_URL must look like smtp://user:password@host:587 or smtps://user:password@host.")
    sender = env.get("MAIL_FROM", "")
    if not re.fullmatch(r"[!-~]+@[!-~]+", sender):
        raise BadSettings("SMTP_URL needs MAIL_FROM, the address that mails come from.")
    if not env.get("PUBLIC_URL"):  # a mail's links must not lead where whoever asks for it says
        raise BadSettings("SMTP_URL needs PUBLIC_URL, the address of this site that mails lead to.")
    secure = parts.scheme == "smtps"
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return MailServer(parts.hostname, parts.port or (465 if secure else 587), secure, user, password, sender)


def _hosts(text: str) -> frozenset[tuple[str, int]]:
    """Hosts with their ports, separated by commas."""
    places = [_split(f"//{one.strip()}") for one in text.split(",") if one.strip()]
    if any(not place.hostname or not place.port for place in places):
        raise BadSettings("OUTGOING_ALLOW must look like chat.home.arpa:8065,10.0.0.7:443.")
    return frozenset((place.hostname or "", place.port or 0) for place in places)
