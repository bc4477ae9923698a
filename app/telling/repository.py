"""All SQL of the ways in which people are told. Nothing here decides anything."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Literal, TypeAlias

import msgspec
from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from app.telling.models import LETTER, WAY

Kind: TypeAlias = Literal["push", "mail", "hook"]
LetterKind: TypeAlias = Kind | Literal["test"]  # a question by this way, or a test by any


class Way(msgspec.Struct, frozen=True):
    """One way in which one person is told, as it is stored."""

    id: int
    person: str
    kind: Kind
    address: str
    mark: str
    language: str
    site: str
    nonce: str
    confirmed: bool
    failures: int
    created_at: datetime


def _found(connection: Connection, *conditions: ColumnElement[bool]) -> list[Way]:
    rows = connection.execute(select(WAY).where(*conditions).order_by(WAY.c.id))
    return [Way(**row) for row in rows.mappings()]


def ways_of(connection: Connection, person: str) -> list[Way]:
    return _found(connection, WAY.c.person == person)


def confirmed_ways(connection: Connection, people: Iterable[str]) -> list[Way]:
    return _found(connection, WAY.c.person.in_(list(people)), WAY.c.confirmed)


def way_of_nonce(connection: Connection, nonce: str) -> Way | None:
    return next(iter(_found(connection, WAY.c.nonce == nonce)), None)


def add_way(connection: Connection, way: Way) -> Way:
    fields = msgspec.structs.asdict(way)
    del fields["id"]
    key = connection.execute(insert(WAY).values(**fields)).inserted_primary_key
    assert key is not None  # noqa: S101 every database tells the key of a single new row
    return msgspec.structs.replace(way, id=int(key[0]))


def change_way(connection: Connection, way_id: int, **columns: Any) -> None:
    connection.execute(update(WAY).where(WAY.c.id == way_id).values(**columns))


def remove_way(connection: Connection, way_id: int) -> None:
    connection.execute(delete(WAY).where(WAY.c.id == way_id))


def remove_ways_of(connection: Connection, person: str) -> None:
    connection.execute(delete(WAY).where(WAY.c.person == person))


def remove_from_others(connection: Connection, mark: str, person: str) -> None:
    connection.execute(delete(WAY).where(WAY.c.mark == mark, WAY.c.person != person))


def remove_unconfirmed(connection: Connection, before: datetime) -> None:
    connection.execute(delete(WAY).where(~WAY.c.confirmed, WAY.c.created_at < before))


def add_letter(connection: Connection, kind: LetterKind, mark: str, person: str, at: datetime) -> None:
    connection.execute(insert(LETTER).values(kind=kind, mark=mark, person=person, at=at))


def letters(
    connection: Connection, kind: LetterKind, since: datetime, *, mark: str | None = None, person: str | None = None
) -> int:
    """How many there were since then: to this address, by this person, or altogether."""
    conditions: list[ColumnElement[bool]] = [LETTER.c.kind == kind, LETTER.c.at > since]
    if mark is not None:
        conditions.append(LETTER.c.mark == mark)
    if person is not None:
        conditions.append(LETTER.c.person == person)
    return int(connection.execute(select(func.count()).select_from(LETTER).where(*conditions)).scalar_one())


def remove_letters(connection: Connection, before: datetime) -> None:
    connection.execute(delete(LETTER).where(LETTER.c.at < before))
