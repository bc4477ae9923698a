"""A room at one moment, as far as anything above the database needs it. Immutable, so that it can be shared."""

import hashlib
from datetime import datetime
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from app.engine import registry
from app.engine.contract import SPECTATOR, Barrier, Event, Game, Seat, Viewer
from app.rooms.pace import Pace
from app.rooms.watch import Watch

Status: TypeAlias = Literal["lobby", "playing", "ended", "frozen"]
Voice: TypeAlias = Literal["players", "spectators"]


class Place(msgspec.Struct, frozen=True):
    """A seat that somebody has taken, or a bot."""

    number: Seat
    name: str
    nonce: str
    holders: frozenset[str]
    bot: str | None = None  # how well the house plays it, if it does
    kept: bool = False  # the house plays it only until somebody comes back, or takes it over
    faced: frozenset[str] = frozenset()  # of its holders, who look through it although they hold others too
    coaches: frozenset[str] = frozenset()  # who look through it and do not play
    former: frozenset[str] = frozenset()  # who once did

    @property
    def vacant(self) -> bool:
        """It waits for somebody to take it over."""
        return not self.holders and (self.bot is None or self.kept)

    @property
    def plays(self) -> bool:
        """Whether a person decides for it."""
        return bool(self.holders) and not self.kept


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
    pace: Pace = Pace()
    watch: Watch = Watch()
    delay: int = 0  # moves that spectators are behind
    past: tuple[Any, ...] = ()  # the tables before the last moves, as many as that
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

    def kept_for(self, person: str | None) -> list[Place]:
        """A person's seats that the house plays until they come back."""
        return [seat for seat in self.seats if seat.kept and person in seat.holders]

    def viewer(self, person: str | None) -> Viewer:
        """Through whose eyes a person looks: their seat's, or that of somebody who lets them."""
        held = self.seats_of(person)
        if len(held) < 2:
            return held[0] if held else self.coached(person)
        faced = self.facing(person)
        if self.status != "playing":
            return held[0] if faced is None else faced
        waits = self._waiting(held)
        return SPECTATOR if faced is None or (waits and faced not in waits) else faced

    def facing(self, person: str | None) -> Seat | None:
        """Of several who play at one device, who has said last that they hold it."""
        return next((seat.number for seat in self.seats if person in seat.faced), None)

    def hand_to(self, person: str | None) -> tuple[Seat, ...]:
        """Several play at one device: who may take it now. While it is another's turn it shows nobody's cards."""
        held = self.seats_of(person)
        if len(held) < 2 or self.status != "playing":
            return ()
        viewer = self.viewer(person)
        return tuple(seat for seat in self._waiting(held) or (held if viewer == SPECTATOR else ()) if seat != viewer)

    def _waiting(self, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
        """Who is asked, as everybody may know it: who has answered already is nobody else's affair at this device."""
        asked = self.game.to_act(self.state)
        return tuple(seat for seat in seats if seat in asked)

    def coached(self, person: str | None) -> Viewer:
        """The seat that somebody who does not play may look through."""
        return next((seat.number for seat in self.seats if person in seat.coaches), SPECTATOR)

    def is_late(self, person: str | None) -> bool:
        """Whether somebody sees the table some moves late."""
        return bool(self.delay) and not self.seats_of(person) and self.coached(person) == SPECTATOR

    def seen(self, late: bool) -> "Snapshot":
        """The room as it is, or as spectators see it who are some moves behind. No clock tells them more."""
        if not late or not self.past or self.status != "playing":
            return self
        behind = len(self.past)
        return replace(
            self,
            state=self.past[0],
            seq=self.seq - behind,
            log=self.log[:-behind],
            past=(),
            watch=Watch(),
            barrier=None,
        )

    @property
    def decision(self) -> str:
        """Names what is to be decided now: a submit for anything else comes too late.

        It is the number of entries in the log, unless the game numbers its decisions: then others may answer first.
        """
        number = None if self.state is None else self.game.decision(self.state)
        return str(self.seq) if number is None else f"d{number}"

    @property
    def question(self) -> int | None:
        """Names what several are asked at once; one who is asked alone is asked until it is another's turn."""
        several = self.state is not None and len(self.game.to_act(self.state)) > 1
        return self.game.decision(self.state) if several else None

    def voice(self, person: str | None) -> Voice:
        return "players" if self.seats_of(person) else "spectators"
