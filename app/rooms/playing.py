"""Moves: checked by the engine, appended to the log, stored with what they led to. Undo is an entry like any other."""

from secrets import SystemRandom
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace
from sqlalchemy.exc import IntegrityError

from app.engine.codec import decode_move, decode_state, encode_state, raw_move
from app.engine.codec import state_hash as hash_of
from app.engine.contract import Event, Malformed, MoveError, Seat, Step
from app.engine.table import Entry, Played, Undone, make_move, taken_back
from app.rooms import policy, repository
from app.rooms.errors import RoomError
from app.rooms.snapshot import Happened, Snapshot
from app.rooms.store import Change, RoomStore, seats_held

_HOUSE: Final = "house"  # in place of a person, of whom none is called so
_CHANCE: Final = SystemRandom()


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
                if _is_numbered(room):  # the decision may be as it was although this very submit has landed
                    again = repository.seq_of_key(change.connection, room.id, seats, key)
                    if again is not None:
                        return again
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
            key, seats = _own_key(person, key), seats_held(room, person)
            row, after = self._entered(room, *_step(room, seats, raw), key)
        except (RoomError, MoveError):  # who is refused is refused by what is stored, not by what is remembered
            return None
        if after.status != room.status or self.is_due_again(room, after) or (_is_numbered(room) and len(seats) > 1):
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

    def answer(self, code: str) -> bool:
        """Give one of the answers that the house gives in this room, if one is due still."""
        with self.changing(code) as change:
            room = change.room
            due_at = repository.due_at(change.connection, room.id)
            if room.status != "playing" or due_at is None or due_at > self.clock():
                return False
            answers = room.game.quiet(room.state)
            if not answers:
                repository.save_due(change.connection, room.id, None)
                return False
            seat, move = _CHANCE.choice(answers)
            step = make_move(room.game, room.state, seat, move)
            self._enter(change, Played(seat, raw_move(move)), step, _own_key(_HOUSE, str(room.seq)))
        return True

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
    seat = acting_seat(room, seats, move)
    return Played(seat, msgspec.to_builtins(move)), make_move(room.game, room.state, seat, move)


def _own_key(person: str, key: str) -> str:
    """A key is its sender's own: whoever takes over a seat may use any."""
    if not key.isprintable():
        raise Malformed("key")
    return f"{person}:{key}"


def acting_seat(room: Snapshot, seats: tuple[Seat, ...], move: Any) -> Seat:
    """For whom a person acts who holds several seats: one that the game waits for, or that may interrupt like this."""
    if len(seats) == 1:
        return seats[0]
    game, awaited = room.game, room.game.awaited(room.state)
    seats = tuple(sorted(seats, key=lambda seat: seat not in awaited))
    if not game.interrupts:
        return seats[0]
    return next((seat for seat in seats if move in game.legal(room.state, seat)), seats[0])


def _is_numbered(room: Snapshot) -> bool:
    return room.decision != str(room.seq)


def _first_answer(change: Change, seats: tuple[Seat, ...], key: str) -> int:
    first = repository.seq_of_key(change.connection, change.room.id, seats, key)
    if first is None:
        raise RoomError("stale")
    return first
