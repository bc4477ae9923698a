"""Coaches, several people at one device, and spectators who are some moves behind. On both databases."""

from datetime import timedelta

import pytest

from app.engine.contract import SPECTATOR
from app.live.regions import Encoded, regions
from app.rooms.pace import Pace
from app.rooms.policy import may_watch
from app.rooms.seating import NewRoom
from app.rooms.service import Rooms
from app.rooms.snapshot import Snapshot
from app.rooms.verify import verify
from tests.hushed import SAYS_NO, hold
from tests.hushed import started as hushed
from tests.rooms.test_company import at, started
from tests.rooms.test_service import BOB, CAT, END, HOST, go, play, refused, stored

# A coach


def test_a_coach_sees_what_the_player_sees_and_can_do_nothing(rooms: Rooms) -> None:
    code = started(rooms, spectators=False)
    room = rooms.coach(code, "grandma", rooms.carry(code, BOB).nonce)
    assert room.viewer("grandma") == 1
    assert room.seats_of("grandma") == ()
    assert may_watch(room, "grandma")
    assert not may_watch(room, "stranger")
    with refused("not_seated"):
        play(rooms, code, "grandma", go("north_mine"))
    assert rooms.coach(code, "grandma", rooms.carry(code, BOB).nonce).rev == room.rev
    assert room == stored(rooms, code)


def test_who_plays_cannot_coach_and_who_coaches_cannot_play(rooms: Rooms) -> None:
    code = started(rooms)
    with refused("seated_already"):
        rooms.coach(code, CAT, rooms.carry(code, BOB).nonce)
    rooms.coach(code, "grandma", rooms.carry(code, BOB).nonce)
    with refused("seated_already"):
        rooms.coach(code, "grandma", rooms.carry(code, CAT).nonce)
    cannot_sit_down(rooms, code)


def cannot_sit_down(rooms: Rooms, code: str) -> None:
    """At another seat than Bob's, through which she has looked."""
    with refused("coaching"):
        rooms.receive(code, "grandma", rooms.carry(code, HOST).nonce, "Grandma")
    with refused("coaching"):
        rooms.take_along(code, "grandma", rooms.carry(code, HOST).nonce)
    rooms.free(code, HOST, 2)
    with refused("coaching"):
        rooms.join(code, "grandma", "Grandma", 2)


def test_a_coach_is_dismissed_and_the_link_is_worthless(rooms: Rooms) -> None:
    code = started(rooms)
    nonce = rooms.carry(code, BOB).nonce
    rooms.coach(code, "grandma", nonce)
    assert rooms.dismiss(code, BOB).viewer("grandma") == SPECTATOR
    with refused("bad_link"):
        rooms.coach(code, "grandma", nonce)
    assert rooms.room(code) == stored(rooms, code)
    cannot_sit_down(rooms, code)


def test_a_coach_may_take_over_the_seat_that_they_know(rooms: Rooms) -> None:
    code = started(rooms)
    rooms.coach(code, "grandma", rooms.carry(code, BOB).nonce)
    assert rooms.receive(code, "grandma", rooms.carry(code, BOB).nonce, "Grandma").seats_of("grandma") == (1,)


def test_a_coach_does_not_stay_when_somebody_else_takes_the_seat(rooms: Rooms) -> None:
    code = started(rooms)
    rooms.coach(code, "grandma", rooms.carry(code, BOB).nonce)
    rooms.receive(code, "dan", rooms.carry(code, BOB).nonce, "Dan")
    assert rooms.room(code).viewer("grandma") == SPECTATOR


# Several people at one device


def test_a_device_takes_several_seats(rooms: Rooms) -> None:
    code = rooms.create(HOST, NewRoom("valdora", 3)).code
    rooms.join(code, HOST, "Ann")
    with refused("seated_already"):
        rooms.join(code, HOST, "Bob")
    rooms.join(code, HOST, "Bob", beside=True)
    assert rooms.join(code, HOST, "Cat", beside=True).seats_of(HOST) == (0, 1, 2)
    assert rooms.leave(code, HOST).seats == ()


def test_nobodys_cards_are_shown_before_they_hold_the_device(rooms: Rooms) -> None:
    code = started(rooms)
    hold(rooms, code, HOST, BOB)
    room = rooms.room(code)
    assert (room.viewer(HOST), room.hand_to(HOST)) == (SPECTATOR, (0,))
    room = rooms.face(code, HOST, 0)
    assert (room.viewer(HOST), room.hand_to(HOST)) == (0, ())
    play(rooms, code, HOST, go("north_mine"), END)
    room = rooms.room(code)
    assert (room.viewer(HOST), room.hand_to(HOST)) == (SPECTATOR, (1,))
    rooms.face(code, HOST, 1)
    play(rooms, code, HOST, go("west_mine"), END)
    room = rooms.room(code)
    assert room.viewer(HOST) == 1  # nobody at the device is asked: whoever holds it looks on
    assert (room.viewer(BOB), room.hand_to(BOB)) == (1, ())  # who sits at a device of their own sees their cards
    with refused("not_seated"):
        rooms.face(code, HOST, 2)
    assert room == stored(rooms, code)


def test_nobody_takes_a_second_seat_during_the_game(rooms: Rooms) -> None:
    code = started(rooms)
    rooms.free(code, HOST, 1)
    with refused("seated_already"):
        rooms.join(code, HOST, "Ann too", beside=True)


def test_what_is_done_at_a_device_is_done_for_who_holds_it(rooms: Rooms) -> None:
    code = started(rooms)
    hold(rooms, code, HOST, BOB)
    rooms.face(code, HOST, 1)
    assert rooms.carry(code, HOST).number == 1
    rooms.coach(code, "grandma", rooms.carry(code, HOST).nonce)
    assert rooms.dismiss(code, HOST).viewer("grandma") == SPECTATOR


@pytest.mark.usefixtures("hush")
def test_of_two_who_are_asked_at_a_device_who_holds_it_answers(rooms: Rooms) -> None:
    code = hushed(rooms, coins=1)
    hold(rooms, code, "p1", "p2")
    rooms.face(code, "p1", 2)
    rooms.play(code, "p1", "d0", SAYS_NO, "k")
    assert rooms.room(code).log[0].seat == 2


@pytest.mark.usefixtures("hush")
def test_a_device_does_not_tell_for_whom_the_house_has_answered(rooms: Rooms) -> None:
    code = hushed(rooms, coins=1)
    hold(rooms, code, "p1", "p2")
    before = rooms.room(code)
    rooms.play(code, "p2", "d0", SAYS_NO, "k")
    after = rooms.room(code)
    for person in ("p1", "p2"):
        assert (after.viewer(person), after.hand_to(person)) == (before.viewer(person), before.hand_to(person))


# Spectators who are behind


def delayed(rooms: Rooms, delay: int) -> str:
    return started(rooms, delay=delay)


def states(room: Snapshot, person: str) -> tuple[object, int, int]:
    seen = room.seen(room.is_late(person))
    return seen.state, seen.seq, len(seen.log)


def test_spectators_are_some_moves_behind_and_players_are_not(rooms: Rooms) -> None:
    code = delayed(rooms, 2)
    before = [rooms.room(code).state]
    for person, place in ((HOST, "north_mine"), (BOB, "west_mine"), (CAT, "south_mine")):
        for move in (go(place), END):
            play(rooms, code, person, move)
            before.append(rooms.room(code).state)
    room = rooms.room(code)
    assert states(room, "anybody") == (before[4], 4, 4)
    assert states(room, BOB) == (before[6], 6, 6)
    assert not room.is_late(HOST)
    assert stored(rooms, code).past == room.past  # also after a restart
    first = rooms.room(delayed(rooms, 5))
    assert first.seen(late=True) == first  # nothing has happened yet


def test_a_shared_device_is_not_late_between_its_turns(rooms: Rooms) -> None:
    code = delayed(rooms, 2)
    hold(rooms, code, HOST, BOB)
    play(rooms, code, HOST, go("north_mine"), END)
    room = rooms.room(code)
    assert room.viewer(HOST) == SPECTATOR
    assert states(room, HOST) == states(room, CAT)


def test_the_late_table_tells_no_clock(rooms: Rooms) -> None:
    code = started(rooms, delay=1, pace=Pace("move", 60))
    play(rooms, code, HOST, go("north_mine"))
    moment = Encoded(rooms.room(code))
    assert regions(moment.seen(late=True), SPECTATOR).seq == 0
    assert bytes(moment.seen(late=True).parts["clock"]) == b"null"
    assert moment.seen(late=False) is moment
    assert bytes(moment.parts["clock"]) != b"null"


@pytest.mark.usefixtures("hush")
def test_at_the_end_everybody_sees_everything(rooms: Rooms) -> None:
    at(rooms, 0)
    rooms.pause = lambda: timedelta(seconds=1)
    code = hushed(rooms, 2, delay=3, coins=1, rounds=2)
    for number, person in enumerate(("p1", "p0")):
        rooms.play(code, person, f"d{number}", SAYS_NO, "k")
        room = rooms.room(code)
        assert room.seen(late=True).seq == (0 if room.status == "playing" else 2)
    assert not verify(rooms, ["ended"]).faults


def test_a_delay_that_no_log_remembers_is_refused(rooms: Rooms) -> None:
    for delay in (-1, 21):
        with refused("bad_options"):
            rooms.create(HOST, NewRoom("valdora", 3, delay=delay))
