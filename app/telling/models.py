"""What is stored so that people can be told. It names persons, not seats: whose turn it is is known when it is told."""

from typing import Final

from sqlalchemy import Boolean, Column, Index, Integer, String, Table, Text, UniqueConstraint

from app.rooms.models import METADATA, Moment

# A way in which somebody wants to be told.
WAY: Final = Table(
    "way",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("person", String(32), nullable=False),
    Column("kind", String(8), nullable=False),  # push, mail or hook
    Column("address", Text, nullable=False),  # of a push, the whole subscription as JSON
    Column("mark", String(64), nullable=False),  # of the address: what is alike is stored once
    Column("language", String(2), nullable=False),
    Column("site", Text, nullable=False),  # our address as this person knows it
    Column("nonce", String(16), nullable=False, unique=True),  # in the links that confirm it and leave it
    Column("confirmed", Boolean, nullable=False),
    Column("failures", Integer, nullable=False),  # in a row
    Column("created_at", Moment, nullable=False),
    UniqueConstraint("person", "mark"),
    Index(None, "mark"),
)

# What was sent because somebody pressed a button: counted, so that nobody is flooded.
LETTER: Final = Table(
    "letter",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("kind", String(8), nullable=False),  # a question by push, mail or hook, or a test
    Column("mark", String(64), nullable=False),
    Column("person", String(32), nullable=False),
    Column("at", Moment, nullable=False),
    Index(None, "mark"),
    Index(None, "person"),
    Index(None, "at"),
)
