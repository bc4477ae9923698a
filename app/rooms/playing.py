"""Moves: checked by the engine, appended to the log, stored with what they led to. Undo is an entry like any other."""

from datetime import datetime
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace
from sqlalchemy.exc import IntegrityError

from app.engine.codec import decode_move, decode_state, encode_state, raw_move
from app.engine.codec import state_hash as hash_of
from app.engine.contract import Event, Malformed, MoveError, Seat, Step
from app.engine.table import Entry, Played, Undone, make_move, taken_back
from app.rooms import policy, repository
from app.rooms.agreeing import take_back
from app.rooms.errors import RoomError
from app.rooms.snapshot import Happened, Snapshot
from app.rooms.store import Change, RoomStore, house_answers, seats_held

_HOUSE: Final = "house"  # in place of a person, of whom none is called so


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
                for place in room.kept_for(person):  # whoever moves has come back
                    take_back(self, change, place)
                self._enter(change, *_step(change.room, seats, raw), key)
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
            if room.kept_for(person):
                return None
            row, after = self._entered(room, *_step(room, seats, raw), key)
        except (RoomError, MoveError):  # who is refused is refused by what is stored, not by what is remembered
            return None
        if after.status != room.status or (_is_numbered(room) and len(seats) > 1):
            return None
        after = replace(after, rev=room.rev + 1, watch=self.timed(after))
        return Landing(row, after, encode_state(after.game, after.state), self.due(after))

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
                for place in room.kept_for(person):  # whoever takes a step back has come back
                    take_back(self, change, place)
                room = change.room
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

    def answer(self, code: str, seq: int, seat: Seat, raw: object) -> bool:
        """The house's move for a seat, if the room is still as it was when the move was thought of."""
        with self.changing(code) as change:
            room = change.room
            if room.seq != seq or room.status != "playing" or room.watch.paused or not self.may_answer(room, seat):
                return False
            move = decode_move(room.game, raw)
            step = make_move(room.game, room.state, seat, move)
            self._enter(change, Played(seat, raw_move(move)), step, _own_key(_HOUSE, str(room.seq)))
        return True

    def may_answer(self, room: Snapshot, seat: Seat) -> bool:
        """Whether the house moves for this seat now: it may have been taken back in the meantime."""
        return any(seat == mover for mover, _ in house_answers(room, self.clock()))

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
            past=(*room.past, room.state)[-room.delay :] if room.delay else (),
        )
        return repository.move_row(room.id, happened, entry, digest, key, self.clock()), after


class Landing(NamedTuple):
    """A move that is ready to be stored."""

    row: dict[str, Any]
    room: Snapshot  # after it
    state: bytes
    due: datetime | None


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
    """For whom a person acts who holds several seats: the first that may do this, else one that the game waits for."""
    if len(seats) == 1:
        return seats[0]
    game, awaited = room.game, room.game.awaited(room.state)
    able = (seat for seat in seats if move in game.legal(room.state, seat))
    return next(able, min(seats, key=lambda seat: seat not in awaited))


def _is_numbered(room: Snapshot) -> bool:
    return room.decision != str(room.seq)


def _first_answer(change: Change, seats: tuple[Seat, ...], key: str) -> int:
    first = repository.seq_of_key(change.connection, change.room.id, seats, key)
    if first is None:
        raise RoomError("stale")
    return first
