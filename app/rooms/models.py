"""What is stored: rooms, who sits in them, every move ever made, what was said. Migrations follow this page."""

from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
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
    Text,
    TypeDecorator,
    UniqueConstraint,
    false,
    text,
)


class Moment(TypeDecorator[datetime]):
    """A point in time. SQLite forgets the time zone; it is always UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_result_value(self, value: datetime | None, dialect: Any) -> datetime | None:  # noqa: ARG002
        return value.replace(tzinfo=UTC) if value and value.tzinfo is None else value


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
    Column("places", Integer, nullable=False),  # seats at most; fewer may start
    Column("options", LargeBinary, nullable=False),  # the game's own, as JSON
    Column("listed", Boolean, nullable=False),
    Column("spectators", Boolean, nullable=False),
    Column("status", String(16), nullable=False),  # lobby, playing, ended or frozen
    Column("host", String(32), nullable=False),  # a person
    Column("seed", String(64), nullable=False),
    Column("seed_chosen", Boolean, nullable=False),  # by the creator, who can then foretell the deal
    Column("rev", BigInteger, nullable=False),  # grows with every change that anybody could see
    Column("seq", Integer, nullable=False),  # entries in the game's log
    Column("state", LargeBinary),
    Column("anchor", LargeBinary),  # the table at the last barrier, which undo never crosses
    Column("anchor_seq", Integer, nullable=False),
    Column("barrier", String(16)),
    Column("rematch", String(16)),  # the code of the room in which these people play again
    Column("delay", Integer, nullable=False, server_default=text("0")),  # moves that spectators are behind
    Column("pace", LargeBinary),  # how long people may think, as JSON
    Column("watch", LargeBinary),  # since when who is asked, as JSON
    Column("from_code", String(16)),  # the code of the game that is played on here
    Column("from_seq", Integer),  # from which of its entries on
    Column("prefix", LargeBinary),  # those entries, until they are laid out again when this game starts
    Column("due_at", Moment),  # when the steward is to look after the room
    Column("created_at", Moment, nullable=False),
    Index(None, "due_at"),
    Index(None, "listed", "status"),
    Index(None, "host"),
)

SEAT: Final = Table(
    "seat",
    METADATA,
    Column("room_id", ForeignKey("room.id", ondelete="CASCADE"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("name", String(24), nullable=False),
    Column("nonce", String(16), nullable=False),  # in private links to this seat: a new one makes old links worthless
    Column("bot", String(16)),  # how well the house plays this seat, if it does
    Column("kept", Boolean, nullable=False, server_default=false()),  # the house only keeps it for somebody
    PrimaryKeyConstraint("room_id", "number"),
    UniqueConstraint("room_id", "name"),
)

# A person may sit at several devices, and at one device several people may sit.
HOLDER: Final = Table(
    "holder",
    METADATA,
    Column("room_id", ForeignKey("room.id", ondelete="CASCADE"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("person", String(32), nullable=False),
    Column("faces", Boolean, nullable=False, server_default=false()),  # of several seats, the one whose cards are shown
    PrimaryKeyConstraint("room_id", "number", "person"),
    Index(None, "person"),
)

# Who may look through the eyes of a seat, because whoever sits there has allowed it.
COACH: Final = Table(
    "coach",
    METADATA,
    Column("room_id", ForeignKey("room.id", ondelete="CASCADE"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("person", String(32), nullable=False),
    Column("former", Boolean, nullable=False),  # they may no longer, but have
    PrimaryKeyConstraint("room_id", "number", "person"),
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
    Column("key", String(128), nullable=False),
    Column("at", Moment, nullable=False),
    PrimaryKeyConstraint("room_id", "seq"),
    UniqueConstraint("room_id", "seat", "key"),  # a repeated submit is harmless
)

CHAT: Final = Table(
    "chat",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("room_id", ForeignKey("room.id", ondelete="CASCADE"), nullable=False),
    Column("voice", String(16), nullable=False),  # players or spectators
    Column("person", String(32), nullable=False),
    Column("name", String(24), nullable=False),
    Column("text", Text, nullable=False),
    Column("at", Moment, nullable=False),
    Index(None, "room_id", "id"),
)

MUTED: Final = Table(
    "muted",
    METADATA,
    Column("room_id", ForeignKey("room.id", ondelete="CASCADE"), nullable=False),
    Column("person", String(32), nullable=False),
    PrimaryKeyConstraint("room_id", "person"),
)

# What all workers share: the secret that signs tokens, and the key that signs pushes.
SETTING: Final = Table(
    "setting",
    METADATA,
    Column("name", String(32), primary_key=True),
    Column("value", String(128), nullable=False),
)
