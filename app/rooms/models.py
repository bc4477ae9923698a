"""What is stored: rooms, who sits in them, and every move ever made. Migrations follow this page."""

from typing import Final

from sqlalchemy import (
    Column,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    UniqueConstraint,
)

METADATA: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

ROOM: Final = Table(
    "room",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("code", String(16), nullable=False, unique=True),
    Column("game", String(32), nullable=False),
    Column("options", LargeBinary, nullable=False),
    Column("status", String(16), nullable=False),
    Column("seed", String(64), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("state", LargeBinary),
    Column("due_at", DateTime(timezone=True)),
    Column("created_at", DateTime(timezone=True), nullable=False),
    Index(None, "due_at"),
)

SEAT: Final = Table(
    "seat",
    METADATA,
    Column("room_id", ForeignKey("room.id", ondelete="CASCADE"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("name", String(24), nullable=False),
    PrimaryKeyConstraint("room_id", "number"),
    UniqueConstraint("room_id", "name"),
)

MOVE: Final = Table(
    "move",
    METADATA,
    Column("room_id", ForeignKey("room.id", ondelete="CASCADE"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("entry", LargeBinary, nullable=False),
    Column("events", LargeBinary, nullable=False),
    Column("state_hash", String(64), nullable=False),
    Column("key", String(64), nullable=False),
    PrimaryKeyConstraint("room_id", "seq"),
    UniqueConstraint("room_id", "key"),  # a repeated submit is harmless
)
