"""Moves: checked by the engine, appended to the log, stored with what they led to. Undo is an entry like any other."""

from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace
from sqlalchemy.exc import IntegrityError

from app.engine.codec import decode_move, decode_state, encode_state
from app.engine.codec import state_hash as hash_of
from app.engine.contract import Event, Malformed, MoveError, Seat, Step
from app.engine.table import Entry, Played, Undone, make_move, taken_back
from app.rooms import policy, repository
from app.rooms.errors import RoomError
from app.rooms.snapshot import Happened, Snapshot
from app.rooms.store import Change, RoomStore, seats_held


class Playing(RoomStore):
    def play(self, code: str, person: str, decision: str, raw: object, key: str) -> int:
        """Make a move; the number of its entry in the log. A repeated key gets the first answer."""
        key = _own_key(person, key)
        try:
            with self.changing(code) as change:
                room = change.room
                seats = seats_held(room, person)
                if decision != room.decision:
                    return _first_answer(change, seats, key)
                self._enter(change, *_step(room, seats, raw), key)
            return change.room.seq
        except IntegrityError:  # the key was used for an earlier decision
            return self._answer_again(code, person, key)

    def foresee(self, code: str, person: str, decision: str, raw: object, key: str) -> "Landing | None":
        """What the move leads to if the room still is as this process remembers it; None unless it is a plain yes."""
        room = self.kept(code)
        if room is None or decision != room.decision:
            return None
        try:
            key = _own_key(person, key)
            row, after = self._entered(room, *_step(room, seats_held(room, person), raw), key)
        except (RoomError, MoveError):  # who is refused is refused by what is stored, not by what is remembered
            return None
        if after.status != room.status:
            return None
        return Landing(row, replace(after, rev=room.rev + 1), encode_state(after.game, after.state))

    def _answer_again(self, code: str, person: str, key: str) -> int:
        with self.changing(code) as change:
            return _first_answer(change, seats_held(change.room, person), key)

    def undo(self, code: str, person: str, key: str) -> int:
        """Take back one's own last step, as an entry of its own."""
        key = _own_key(person, key)
        try:
            with self.changing(code) as change:
                room = change.room
                seats = seats_held(room, person)
                again = repository.seq_of_key(change.connection, room.id, seats, key)
                if again is not None:
                    return again
                policy.must_play(room)
                since = repository.entries(change.connection, room.id, room.anchor_seq)
                anchor = decode_state(room.game, repository.anchor(change.connection, room.id))
                mine = [entry.seat for entry in since if entry.seat in seats]
                seat = mine[-1] if mine else seats[0]
                state = taken_back(room.game, anchor, room.barrier, since, seat)
                events = (Event("seat.takes_back", seat),)
                self._enter(change, Undone(seat), Step(state, events), key)
            return change.room.seq
        except IntegrityError:
            return self._answer_again(code, person, key)

    def _enter(self, change: Change, entry: Entry, step: Step[Any], key: str) -> None:
        """Append an entry and become what it led to."""
        row, change.room = self._entered(change.room, entry, step, key)
        repository.add_move(change.connection, row)

    def _entered(self, room: Snapshot, entry: Entry, step: Step[Any], key: str) -> tuple[dict[str, Any], Snapshot]:
        """The entry as it is stored, and the room after it."""
        seq = room.seq + 1
        happened = Happened(seq, entry.seat, isinstance(entry, Undone), step.events)
        digest = hash_of(room.game, step.state)
        after = replace(
            room,
            seq=seq,
            state=step.state,
            status="ended" if room.game.outcome(step.state) else "playing",
            anchor_seq=seq if step.barrier else room.anchor_seq,
            barrier=step.barrier or room.barrier,
            log=(*room.log[1 - repository.LOG_TAIL :], happened),
        )
        return repository.move_row(room.id, happened, entry, digest, key, self.clock()), after


class Landing(NamedTuple):
    """A move that is ready to be stored."""

    row: dict[str, Any]
    room: Snapshot  # after it
    state: bytes


def _step(room: Snapshot, seats: tuple[Seat, ...], raw: object) -> tuple[Entry, Step[Any]]:
    """The move, checked by the game, and what it leads to."""
    policy.must_play(room)
    move = decode_move(room.game, raw)
    seat = _acting(room, seats)
    return Played(seat, msgspec.to_builtins(move)), make_move(room.game, room.state, seat, move)


def _own_key(person: str, key: str) -> str:
    """A key is its sender's own: whoever takes over a seat may use any."""
    if not key.isprintable():
        raise Malformed("key")
    return f"{person}:{key}"


def _acting(room: Snapshot, seats: tuple[Seat, ...]) -> Seat:
    """For whom a person acts who holds several seats: the one whose turn it is."""
    acting = room.game.to_act(room.state)
    return next((seat for seat in seats if seat in acting), seats[0])


def _first_answer(change: Change, seats: tuple[Seat, ...], key: str) -> int:
    first = repository.seq_of_key(change.connection, change.room.id, seats, key)
    if first is None:
        raise RoomError("stale")
    return first
