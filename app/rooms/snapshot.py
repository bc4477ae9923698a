"""A room at one moment, as far as anything above the database needs it. Immutable, so that it can be shared."""

import hashlib
from datetime import datetime
from typing import Any, Literal, TypeAlias

import msgspec

from app.engine import registry
from app.engine.contract import SPECTATOR, Barrier, Event, Game, Seat, Viewer

Status: TypeAlias = Literal["lobby", "playing", "ended", "frozen"]
Voice: TypeAlias = Literal["players", "spectators"]


class Place(msgspec.Struct, frozen=True):
    """A seat that somebody has taken. Without holders it waits for somebody to take it over."""

    number: Seat
    name: str
    nonce: str
    holders: frozenset[str]


class Happened(msgspec.Struct, frozen=True):
    """An entry of the log: a step, or taking one back."""

    seq: int
    seat: Seat
    undo: bool
    events: tuple[Event, ...]


class Said(msgspec.Struct, frozen=True):
    """A line of the chat."""

    id: int
    voice: Voice
    person: str
    name: str
    text: str
    at: datetime


class Snapshot(msgspec.Struct, frozen=True):
    id: int
    code: str
    game_name: str
    places: int
    options: dict[str, Any]
    listed: bool
    spectators: bool
    status: Status
    host: str
    seed: str
    seed_chosen: bool
    rev: int
    seq: int
    state: Any  # of the game, or None in a lobby
    anchor_seq: int
    barrier: Barrier | None
    rematch: str | None
    created_at: datetime
    seats: tuple[Place, ...]
    muted: frozenset[str]
    log: tuple[Happened, ...]  # its end
    chat: tuple[Said, ...]  # its end
    from_code: str | None = None  # the game that is played on here, and from which of its entries on
    from_seq: int | None = None

    @property
    def game(self) -> Game[Any, Any, Any]:
        return registry.find(self.game_name)

    @property
    def least(self) -> int:
        """How many must sit here before it can start."""
        return self.game.card.seats[0] if self.from_seq is None else self.places

    @property
    def seed_hash(self) -> str:
        """Fixes the deal before anybody plays, and does not tell it."""
        return hashlib.sha256(self.seed.encode()).hexdigest()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(seat.name for seat in self.seats)

    def seat(self, number: Seat) -> Place | None:
        return next((seat for seat in self.seats if seat.number == number), None)

    def is_host(self, person: str | None) -> bool:
        """The host, at whichever of their devices."""
        return person == self.host or any({person, self.host} <= seat.holders for seat in self.seats)

    def seats_of(self, person: str | None) -> tuple[Seat, ...]:
        return tuple(seat.number for seat in self.seats if person in seat.holders)

    def viewer(self, person: str | None) -> Viewer:
        """Through whose eyes a person looks: their seat's, preferring one that the game waits for."""
        held = self.seats_of(person)
        if not held:
            return SPECTATOR
        if self.state is not None and len(held) > 1:
            awaited = self.game.awaited(self.state)
            return next((seat for seat in held if seat in awaited), held[0])
        return held[0]

    @property
    def decision(self) -> str:
        """Names what is to be decided now: a submit for anything else comes too late.

        It is the number of entries in the log, unless the game numbers its decisions: then others may answer first.
        """
        number = None if self.state is None else self.game.decision(self.state)
        return str(self.seq) if number is None else f"d{number}"

    def voice(self, person: str | None) -> Voice:
        return "players" if self.seats_of(person) else "spectators"
