"""Which rooms somebody is shown: their own in a useful order, public ones, and nobody else's. On both databases."""

from datetime import UTC, datetime, timedelta

from sqlalchemy import update

from app.rooms.models import ROOM
from app.rooms.service import Rooms
from tests.rooms.test_service import BOB, CAT, DAN, END, HOST, finish, go, opened, play, started


def codes_of(rooms: Rooms, person: str) -> list[str]:
    return [table.code for table in rooms.own_tables(person)]


def test_what_waits_for_somebody_stands_first(rooms: Rooms) -> None:
    ended = started(rooms)
    finish(rooms, ended)
    mine, theirs = started(rooms), started(rooms)
    play(rooms, theirs, HOST, go("north_mine"), END)
    lobby = opened(rooms)
    rooms.join(lobby, BOB, "Bob")
    newest = started(rooms)
    play(rooms, newest, HOST, go("north_mine"), END)
    assert codes_of(rooms, HOST) == [mine, newest, theirs, lobby, ended]
    assert codes_of(rooms, BOB) == [newest, theirs, mine, lobby, ended]
    first, _, third, fourth, last = rooms.own_tables(BOB)
    assert (first.your_turn, first.waiting_for, first.names) == (True, ("Bob",), ("Ann", "Bob", "Cat"))
    assert (third.your_turn, third.waiting_for, third.status) == (False, ("Ann",), "playing")
    assert (fourth.status, fourth.names, fourth.places) == ("lobby", ("Bob",), 3)
    assert (last.status, last.your_turn) == ("ended", False)


def test_nobody_is_shown_a_private_room_of_others(rooms: Rooms) -> None:
    code = started(rooms)
    empty = opened(rooms)
    assert codes_of(rooms, DAN) == []
    assert codes_of(rooms, BOB) == [code]
    assert codes_of(rooms, HOST) == [code, empty]  # who opened a room has it, seated or not
    for somebody in (None, DAN):
        assert rooms.lists(somebody) == rooms.lists(None)
        assert not rooms.lists(somebody).own
        assert not rooms.lists(somebody).to_join
        assert not rooms.lists(somebody).to_watch


def test_who_has_left_is_shown_it_no_longer(rooms: Rooms) -> None:
    lobby, game = opened(rooms), started(rooms)
    rooms.join(lobby, BOB, "Bob")
    assert codes_of(rooms, BOB) == [game, lobby]
    rooms.leave(lobby, BOB)
    rooms.free(game, HOST, 1)
    assert codes_of(rooms, BOB) == []


def test_whoever_holds_two_seats_has_one_room(rooms: Rooms) -> None:
    code = started(rooms)
    for person in (BOB, CAT):
        rooms.take_along(code, "tablet", rooms.carry(code, person).nonce)
    play(rooms, code, HOST, go("north_mine"), END)
    (table,) = rooms.own_tables("tablet")
    assert table.your_turn


def test_finished_games_are_shown_for_some_days(rooms: Rooms) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    rooms.clock = lambda: now
    ended = []
    for _ in range(14):
        ended.append(started(rooms))
        finish(rooms, ended[-1])
        now += timedelta(minutes=1)
    assert codes_of(rooms, BOB) == ended[:1:-1]  # the last to end first, twelve of them
    now += timedelta(days=6)
    assert len(codes_of(rooms, BOB)) == 12
    now += timedelta(days=2)
    assert codes_of(rooms, BOB) == []


def test_public_rooms_are_shown_where_there_is_something_to_do(rooms: Rooms) -> None:
    opened(rooms, listed=True)  # nobody waits there
    waiting, full = opened(rooms, listed=True), opened(rooms, listed=True)
    rooms.join(waiting, BOB, "Bob")
    for person in (HOST, BOB, CAT):
        rooms.join(full, person, person)
    game = started(rooms, listed=True)
    started(rooms, listed=True, spectators=False)
    lists = rooms.lists(DAN)
    assert [(table.code, table.names) for table in lists.to_join] == [(waiting, ("Bob",))]
    assert [(table.code, table.names) for table in lists.to_watch] == [(game, ("Ann", "Bob", "Cat"))]
    own = rooms.lists(BOB)
    assert not own.to_join  # one's own are listed once
    assert not own.to_watch
    assert len(own.own) == 4


def test_a_room_that_cannot_be_read_hides_no_other(rooms: Rooms) -> None:
    sound, broken = started(rooms), started(rooms)
    with rooms.database.writing() as connection:
        connection.execute(update(ROOM).where(ROOM.c.code == broken).values(state=b"{"))
    shown = {table.code: (table.status, table.your_turn) for table in rooms.own_tables(HOST)}
    assert shown == {sound: ("playing", True), broken: ("frozen", False)}


def test_somebody_is_called_as_they_were_last(rooms: Rooms) -> None:
    assert rooms.last_name(BOB) == ""
    first, second = opened(rooms), opened(rooms)
    rooms.join(second, BOB, "Bobby")
    assert rooms.last_name(BOB) == "Bobby"
    rooms.join(first, BOB, "Bob")
    assert rooms.last_name(BOB) == "Bobby"  # the newer table's name
    rooms.leave(second, BOB)
    assert rooms.last_name(BOB) == "Bob"
    assert rooms.last_name(DAN) == ""
