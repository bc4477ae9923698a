"""Answers that nobody else may see: they make no decision stale, land once, and nothing tells whose they were."""

import asyncio

import pytest

from app.engine.contract import SPECTATOR, Illegal, NotYourTurn
from app.i18n import phrasebook
from app.live.regions import Encoded, difference, regions, told
from app.rooms.errors import RoomError
from app.rooms.landing import Landings
from app.rooms.service import Rooms
from app.rooms.verify import verify
from tests.hushed import BLOWS, SAYS_NO, SAYS_YES, hold, started
from tests.rooms.test_landing import transactions, with_landings, worker

pytestmark = pytest.mark.usefixtures("hush")


def test_both_who_are_asked_land_with_the_same_decision(rooms: Rooms) -> None:
    code = started(rooms, coins=1)
    decision = rooms.room(code).decision
    assert decision == "d0"
    assert rooms.play(code, "p2", decision, SAYS_YES, "k") == 1
    assert rooms.room(code).decision == decision
    assert rooms.play(code, "p1", decision, SAYS_NO, "k") == 2
    assert rooms.room(code).state.paid == (0, 0, 1)
    with pytest.raises(RoomError, match="stale"):
        rooms.play(code, "p1", decision, SAYS_NO, "later")
    assert not verify(rooms).faults


def test_a_game_without_numbers_decides_by_its_log(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    code = started(rooms, coins=1)
    monkeypatch.setattr("tests.engine.hush.Hush.decision", lambda self, state: None)
    assert rooms.room(code).decision == "0"
    rooms.play(code, "p1", "0", SAYS_YES, "k")
    with pytest.raises(RoomError, match="stale"):
        rooms.play(code, "p2", "0", SAYS_YES, "k")


def test_a_repeated_key_gets_the_first_answer_while_the_decision_stands(rooms: Rooms) -> None:
    code = started(rooms, 4, coins=1, whistle=0)
    assert rooms.play(code, "p1", "d0", SAYS_YES, "k") == 1
    assert rooms.play(code, "p2", "d0", SAYS_YES, "k") == 2
    assert rooms.play(code, "p1", "d0", SAYS_YES, "k") == 1
    with pytest.raises(NotYourTurn):
        rooms.play(code, "p1", "d0", SAYS_NO, "another")
    assert rooms.room(code).seq == 2


def test_a_repeated_key_does_not_answer_for_ones_other_seat(rooms: Rooms) -> None:
    code = started(rooms, coins=1)
    hold(rooms, code, "p1", "p2")
    assert rooms.face(code, "p1", 1).viewer("p1") == 1
    assert rooms.play(code, "p1", "d0", SAYS_YES, "k") == 1
    assert rooms.room(code).hand_to("p1") == (2,)
    rooms.face(code, "p1", 2)
    assert rooms.play(code, "p1", "d0", SAYS_YES, "k") == 1
    assert rooms.room(code).state.answers[2] is None
    assert rooms.play(code, "p1", "d0", SAYS_NO, "k2") == 2
    assert rooms.room(code).state.paid == (0, 1, 0)


def test_an_interruption_is_made_for_the_seat_that_can(rooms: Rooms) -> None:
    code = started(rooms, coins=1, whistle=2)
    hold(rooms, code, "tablet", "p0", "p1", "p2")
    rooms.play(code, "tablet", "d0", BLOWS, "k")
    assert rooms.room(code).state.blown == (False, False, True)
    with pytest.raises(Illegal):
        rooms.play(code, "tablet", "d0", BLOWS, "k2")


def test_who_has_answered_is_not_waited_for(rooms: Rooms) -> None:
    code = started(rooms, coins=1)
    rooms.play(code, "p1", "d0", SAYS_YES, "k")
    turns = [rooms.own_tables(f"p{seat}")[0].your_turn for seat in range(3)]
    assert turns == [False, False, True]
    for seat in range(3):
        assert rooms.own_tables(f"p{seat}")[0].waiting_for == ("P1", "P2")  # as everybody may know


@pytest.fixture
def in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.i18n.Phrasebook.tell", lambda self, event, names: event.key)


@pytest.mark.usefixtures("in_words")
def test_the_log_does_not_tell_whose_an_answer_was(rooms: Rooms) -> None:
    code, words = started(rooms, coins=1, rounds=1), phrasebook("en")
    before = rooms.room(code)
    rooms.play(code, "p1", "d0", SAYS_NO, "k")
    after = rooms.room(code)
    for viewer in (SPECTATOR, 0, 2):
        assert told(after, after.log, viewer, words) == [{"seq": 1, "seat": None, "undo": False, "events": []}]
        moment = Encoded(after)
        change = difference(moment, regions(Encoded(before), viewer), regions(moment, viewer), viewer, words, True)
        assert set(change) == {"rev", "base", "seq", "events"}  # nothing else has changed
        assert b'"seat":null' in bytes(change["events"][0])
    assert told(after, after.log, 1, words)[0]["seat"] == 1


@pytest.mark.usefixtures("in_words")
def test_the_log_does_not_tell_who_was_the_last_until_the_end(rooms: Rooms) -> None:
    code, words = started(rooms, coins=1, rounds=2), phrasebook("en")
    rooms.play(code, "p1", "d0", SAYS_NO, "k")
    rooms.play(code, "p2", "d0", SAYS_YES, "k")
    room = rooms.room(code)
    last = told(room, room.log, 0, words)[-1]
    assert (last["seat"], [event["key"] for event in last["events"]]) == (None, ["hush.pays", "hush.round"])
    rooms.play(code, "p0", "d1", SAYS_NO, "k")
    rooms.play(code, "p2", "d1", SAYS_NO, "k2")
    room = rooms.room(code)
    assert room.status == "ended"
    assert [entry["seat"] for entry in told(room, room.log, SPECTATOR, words)] == [1, 2, 0, 2]


def test_answers_land_together_on_postgres(postgres: str) -> None:
    async def play(rooms: Rooms, landings: Landings) -> None:
        code = started(rooms, 4, coins=1)
        begun = transactions(rooms.database.engine)
        assert await landings.play(code, "p1", "d0", SAYS_YES, "k") == 1
        assert len(begun) == 1  # the fast way
        there = worker(postgres)
        assert there.play(code, "p2", "d0", SAYS_YES, "k") == 2
        there.database.close()
        assert await landings.play(code, "p3", "d0", SAYS_YES, "k") == 3  # remembered otherwise, and lands all the same
        assert rooms.room(code).decision == "d1"
        twice = (landings.play(code, person, "d1", SAYS_NO, "k1") for person in ("p0", "p2", "p0", "p3"))
        first, second, again, third = await asyncio.gather(*twice)
        assert first == again
        assert {first, second, third} == {4, 5, 6}
        assert not verify(rooms).faults

    with_landings(postgres, play)


def test_a_repeated_key_lands_once_on_postgres_for_who_holds_two_seats(postgres: str) -> None:
    async def play(rooms: Rooms, landings: Landings) -> None:
        code = started(rooms, 4, coins=1)
        hold(rooms, code, "p1", "p2")
        for _ in range(2):
            assert await landings.play(code, "p1", "d0", SAYS_YES, "k") == 1
        assert rooms.room(code).seq == 1

    with_landings(postgres, play)
