"""Playing on from a moment of a finished game: the same deal, and what was before it stands and cannot be undone."""

from typing import Any

import pytest

from app.engine.codec import raw_move
from app.engine.contract import UndoRefused
from app.engine.table import Record, replay
from app.rooms import repository
from app.rooms.errors import RoomError
from app.rooms.past import Pasts
from app.rooms.seating import NewRoom
from app.rooms.service import Rooms
from app.rooms.snapshot import Snapshot
from app.rooms.verify import verify
from tests.games.valda.sensible import next_move
from tests.games.valdora.sensible import choose

NEXT: dict[str, Any] = {"valdora": lambda state: (state.turn.seat, choose(state)), "valda": next_move}
PEOPLE = ("anna", "bruno", "chiara")


def seated(rooms: Rooms, code: str, people: tuple[str, ...] = PEOPLE) -> None:
    for person in people:
        rooms.join(code, person, person.title())


def go_on(rooms: Rooms, code: str, steps: int) -> Snapshot:
    room = rooms.room(code)
    for _ in range(steps):
        if room.status == "ended":
            break
        seat, move = NEXT[room.game_name](room.state)
        person = min(room.seats[seat].holders)
        rooms.play(code, person, room.decision, raw_move(move), f"{room.seq}")
        room = rooms.room(code)
    return room


@pytest.fixture(params=NEXT)
def ended(request: pytest.FixtureRequest, rooms: Rooms) -> Snapshot:
    """A finished game, in which a step was taken back early on."""
    room = rooms.create("anna", NewRoom(request.param, 3, seed="once more"))
    seated(rooms, room.code)
    rooms.start(room.code, "anna")
    taken_back = False
    while room.status != "ended":
        room = go_on(rooms, room.code, 1)
        if not taken_back and room.seq > room.anchor_seq and room.status == "playing":
            rooms.undo(room.code, min(room.seats[room.log[-1].seat].holders), "back")
            taken_back = True
    assert taken_back
    return room


def played_on(rooms: Rooms, ended: Snapshot, at: int) -> Snapshot:
    room = rooms.play_on(ended.code, "dora", at)
    seated(rooms, room.code, ("dora", "eva", "fritz"))
    return rooms.start(room.code, "dora")


def test_the_table_is_the_one_of_any_moment_but_the_last(rooms: Rooms, ended: Snapshot) -> None:
    past = Pasts(rooms).of(ended.code)
    for at in (0, 1, past.course.turns[3], past.last // 2, past.last - 1):
        room = played_on(rooms, ended, at)
        assert room.status == "playing"
        assert (room.seq, room.state) == (at, past.course.states[at])
        assert (room.from_code, room.from_seq) == (ended.code, at)
        assert rooms.room(room.code) == room
        assert [(one.seq, one.seat, one.events) for one in rooms.log(room.code)] == [
            (one.seq, one.seat, one.events) for one in past.course.log[:at]
        ]
    assert verify(rooms).faults == {}
    assert Rooms(rooms.database).room(room.code) == room
    for at in (ended.seq, ended.seq + 1):
        with pytest.raises(RoomError, match="no_moment"):
            rooms.play_on(ended.code, "dora", at)
    with pytest.raises(RoomError, match="not_ended"):
        rooms.play_on(room.code, "dora", 5)


def test_it_is_played_to_its_end_and_can_be_replayed(rooms: Rooms, ended: Snapshot) -> None:
    room = go_on(rooms, played_on(rooms, ended, 60).code, 10_000)
    assert room.status == "ended"
    record: Record = rooms.record(room.code)
    assert replay(room.game, record).state == room.state
    assert verify(rooms, ("ended",)).faults == {}
    assert Pasts(rooms).of(room.code).course.states[-1] == room.state
    again = rooms.rematch(room.code, "dora")
    assert (again.from_code, again.from_seq) == (None, None)
    assert again.seed != room.seed


def test_nothing_that_was_before_can_be_taken_back_and_ones_own_step_can(rooms: Rooms, ended: Snapshot) -> None:
    past = Pasts(rooms).of(ended.code)
    at = next(one.seq for one in past.course.log if one.undo) - 1  # here somebody did take back
    room = played_on(rooms, ended, at)
    for person in ("dora", "eva", "fritz"):
        with pytest.raises(UndoRefused):
            rooms.undo(room.code, person, "back")
    after = go_on(rooms, room.code, 1)
    if after.anchor_seq == at:
        rooms.undo(room.code, min(after.seats[after.log[-1].seat].holders), "back")
        assert rooms.room(room.code).state == room.state
    assert verify(rooms).faults == {}


def test_it_needs_as_many_as_played_then_and_nothing_of_the_first_room(rooms: Rooms, ended: Snapshot) -> None:
    room = rooms.play_on(ended.code, "dora", 20)
    assert room.status == "lobby"
    assert (room.places, room.host, room.seats) == (3, "dora", ())
    seated(rooms, room.code, ("dora", "eva"))
    with pytest.raises(RoomError, match="too_few"):
        rooms.start(room.code, "dora")
    with rooms.database.writing() as connection:
        repository.remove_room(connection, ended.id)
    seated(rooms, room.code, ("fritz",))
    assert rooms.start(room.code, "dora").seq == 20
