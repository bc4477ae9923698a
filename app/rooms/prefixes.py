"""The SQL of playing on: what stands in a room's log already when it starts."""

from typing import Final

import msgspec
from sqlalchemy import Connection, select, update

from app.engine.table import Entry
from app.rooms.models import ROOM

_log: Final = msgspec.json.Decoder(list[Entry])


def save(connection: Connection, room_id: int, log: list[Entry]) -> None:
    connection.execute(update(ROOM).where(ROOM.c.id == room_id).values(prefix=msgspec.json.encode(log)))


def take(connection: Connection, room_id: int) -> list[Entry]:
    """Read it and forget it: from now on the log holds it."""
    stored: bytes = connection.execute(select(ROOM.c.prefix).where(ROOM.c.id == room_id)).scalar_one()
    connection.execute(update(ROOM).where(ROOM.c.id == room_id).values(prefix=None))
    return _log.decode(stored)
