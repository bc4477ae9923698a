"""Bots, who is away, clocks that run out, and what people agree on. On both databases."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import URL

from app.database import Database, connect
from app.live.regions import Encoded
from app.rooms.errors import RoomError
from app.rooms.housekeeping import Answer, RunOut, Seek
from app.rooms.pace import Pace
from app.rooms.seating import NewRoom
from app.rooms.service import Rooms
from app.rooms.snapshot import Snapshot
from app.rooms.verify import verify
from app.rooms.watch import SEEK, SLOW
from tests.hushed import SAYS_NO, hold
from tests.hushed import started as hushed
from tests.rooms.test_service import BOB, CAT, HOST, go, play, refused, stored

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
FIRST: dict[str, Any] = {"options": {"start": "first_seat"}, "seed": "a"}
ALL = frozenset(range(3))
NOBODY: frozenset[int] = frozenset()


@pytest.fixture
def other(database: URL, rooms: Rooms) -> Iterator[Rooms]:
    """Another worker."""
    there = Rooms(Database(connect(database)), pause=rooms.pause)
    yield there
    there.database.close()


def at(rooms: Rooms, seconds: float) -> datetime:
    now = NOON + timedelta(seconds=seconds)
    rooms.clock = lambda: now
    return now


def started(rooms: Rooms, *bots: str, **wish: Any) -> str:
    """Ann, Bob and Cat sit down, the last of them as bots."""
    at(rooms, 0)
    code = rooms.create(HOST, NewRoom("valdora", 3, **(FIRST | wish))).code
    for person, name in ((HOST, "Ann"), (BOB, "Bob"), (CAT, "Cat"))[: 3 - len(bots)]:
        rooms.join(code, person, name)
    for level in bots:
        rooms.add_bot(code, HOST, level)
    rooms.start(code, HOST)
    return code


def end_turn(rooms: Rooms, code: str, person: str) -> None:
    play(rooms, code, person, go("north_mine"), {"do": "end_turn"})


def bots(room: Snapshot) -> list[tuple[str | None, bool]]:
    return [(seat.bot, seat.kept) for seat in room.seats]


# Bots


def test_the_host_puts_bots_on_free_seats(rooms: Rooms) -> None:
    code = rooms.create(HOST, NewRoom("valdora", 4)).code
    rooms.join(code, BOB, "Ottilie")
    rooms.add_bot(code, HOST, "normal", 2)
    room = rooms.add_bot(code, HOST, "strong")
    assert [(seat.number, seat.bot, seat.vacant) for seat in room.seats] == [
        (0, None, False), (1, "strong", False), (2, "normal", False),
    ]  # fmt: skip
    assert len(set(room.names)) == 3  # no bot is called like a person
    with refused("seat_taken"):
        rooms.add_bot(code, HOST, "easy", 2)
    with refused("no_bot"):
        rooms.add_bot(code, HOST, "godlike")
    with refused("not_host"):
        rooms.add_bot(code, BOB, "easy")
    with refused("seat_taken"):
        rooms.join(code, CAT, "Cat", 1)
    rooms.add_bot(code, HOST, "easy")
    with refused("full"):
        rooms.add_bot(code, HOST, "easy")
    assert len(rooms.free(code, HOST, 1).seats) == 3
    assert rooms.room(code) == stored(rooms, code)


def test_a_bot_moves_a_moment_after_it_is_asked(rooms: Rooms) -> None:
    code = started(rooms, "easy", "strong")
    assert rooms.errand(rooms.room(code)) is None
    end_turn(rooms, code, HOST)
    room = rooms.room(code)
    errand = rooms.errand(room)  # it begins to think at once
    assert errand == Answer(1, None, "easy", NOON + rooms.bot_pause)
    assert rooms.answer(code, room.seq, 1, go("west_mine"))
    assert not rooms.answer(code, room.seq, 1, go("west_mine"))  # another worker has thought of it too
    assert rooms.room(code).seq == room.seq + 1
    assert not verify(rooms).faults


def test_the_house_moves_for_nobody_else(rooms: Rooms) -> None:
    code = started(rooms, "easy", "easy")
    assert not rooms.answer(code, 0, 0, go("north_mine"))
    assert rooms.room(code).seq == 0


def test_bots_play_again_in_the_next_game_and_who_was_kept_may_come(rooms: Rooms) -> None:
    code = started(rooms, "easy")
    rooms.wish(code, HOST, "keep", 1, NOBODY)
    rooms.wish(code, HOST, "abandon", None, ALL)
    following = rooms.rematch(code, HOST)
    assert bots(following) == [(None, False), (None, False), ("easy", False)]
    assert following.pace == rooms.room(code).pace


# Who is away


def test_who_is_away_is_told_once_and_after_a_while_kept(rooms: Rooms) -> None:
    code = started(rooms, pace=Pace(absent=300))
    assert rooms.errand(rooms.room(code)) is None
    at(rooms, 15)
    assert rooms.errand(rooms.room(code)) == Seek()
    assert rooms.seek(code, {0: timedelta(seconds=20), 1: timedelta(hours=1)}) == (0,)
    assert rooms.room(code).watch.seek_at == NOON + timedelta(seconds=15 + 280)
    assert rooms.errand(rooms.room(code)) is None
    at(rooms, 295)
    assert rooms.seek(code, {0: timedelta(seconds=300)}) == ()
    room = rooms.room(code)
    assert bots(room) == [("normal", True), (None, False), (None, False)]
    assert rooms.errand(room) == Answer(0, None, "normal", at(rooms, 295) + rooms.bot_pause)
    assert rooms.room(code) == stored(rooms, code)


def test_who_is_here_is_neither_told_nor_kept(rooms: Rooms) -> None:
    code = started(rooms, pace=Pace(absent=300))
    at(rooms, 15)
    assert rooms.seek(code, {1: timedelta(hours=1)}) == ()
    assert rooms.next_due() == NOON + timedelta(seconds=315)  # whatever happens to the server meanwhile
    rooms.seek_soon(code)  # somebody has gone
    assert rooms.next_due() == NOON + timedelta(seconds=15) + SEEK
    at(rooms, 25)
    rooms.seek_soon(code)  # and once more: that puts nothing off
    assert rooms.next_due() == NOON + timedelta(seconds=15) + SEEK
    at(rooms, 30)
    assert rooms.seek(code, {0: timedelta(seconds=10)}) == (0,)
    at(rooms, 320)
    rooms.seek(code, {})
    rooms.seek_soon(code)
    at(rooms, 335)
    assert rooms.seek(code, {0: timedelta(seconds=10)}) == ()  # who was told, and came and went, is not told again


def test_two_workers_tell_who_is_away_once(rooms: Rooms, other: Rooms) -> None:
    code = started(rooms)
    for worker in (rooms, other):
        at(worker, 15)
        assert worker.room(code).status == "playing"
    assert rooms.seek(code, {0: timedelta(hours=1)}) == (0,)
    assert other.seek(code, {0: timedelta(hours=1)}) == ()


def test_without_a_time_for_it_nobody_is_kept_but_still_told(rooms: Rooms) -> None:
    code = started(rooms)
    at(rooms, 15)
    assert rooms.seek(code, {0: timedelta(days=9)}) == (0,)
    assert bots(rooms.room(code)) == [(None, False)] * 3


def test_whoever_returns_has_their_seat_back_at_once(rooms: Rooms) -> None:
    code = started(rooms)
    rooms.wish(code, BOB, "keep", 0, NOBODY)
    rooms.wish(code, CAT, "keep", 0, NOBODY)
    assert bots(rooms.room(code))[0] == ("normal", True)
    room = rooms.come_back(code, HOST)
    assert bots(room)[0] == (None, False)
    assert rooms.errand(room) is None
    assert not rooms.answer(code, room.seq, 0, go("north_mine"))  # what the house has thought of comes too late
    assert rooms.come_back(code, HOST).rev == room.rev


def test_whoever_moves_has_returned(rooms: Rooms) -> None:
    code = started(rooms)
    for person in (BOB, CAT):
        rooms.wish(code, person, "keep", 0, NOBODY)
    play(rooms, code, HOST, go("north_mine"))
    assert bots(rooms.room(code))[0] == (None, False)
    assert rooms.room(code) == stored(rooms, code)


def test_a_seat_is_handed_to_somebody_else(rooms: Rooms) -> None:
    code = started(rooms)
    nonce = rooms.carry(code, BOB).nonce
    with refused("name_taken"):
        rooms.receive(code, "dan", nonce, "Cat")
    with refused("seated_already"):
        rooms.receive(code, CAT, nonce, "Dan")
    room = rooms.receive(code, "dan", nonce, "Dan")
    assert (room.names, room.seats_of("dan"), room.seats_of(BOB)) == (("Ann", "Dan", "Cat"), (1,), ())
    with refused("bad_link"):
        rooms.receive(code, "eve", nonce, "Eve")


def test_a_kept_seat_that_was_freed_can_be_taken_over(rooms: Rooms) -> None:
    code = started(rooms, pace=Pace(absent=60))
    rooms.free(code, HOST, 1)
    end_turn(rooms, code, HOST)
    at(rooms, 15)
    assert rooms.seek(code, {1: timedelta(seconds=61)}) == ()
    assert bots(rooms.room(code))[1] == ("normal", True)
    room = rooms.join(code, "dan", "Dan", 1)
    assert (bots(room)[1], room.seats_of("dan")) == ((None, False), (1,))


# Agreements


def test_a_pause_needs_all_and_its_end_anybody(rooms: Rooms) -> None:
    code = started(rooms, "easy", pace=Pace("move", 60))
    rooms.wish(code, HOST, "pause", None, ALL)
    assert not rooms.room(code).watch.paused
    rooms.wish(code, HOST, "pause", None, ALL)  # said again, it is taken back
    assert not rooms.room(code).watch.wishes
    for person in (HOST, BOB):
        rooms.wish(code, person, "pause", None, ALL)
    room = rooms.room(code)
    assert room.watch.paused
    assert not room.watch.wishes
    with refused("paused"):
        play(rooms, code, HOST, go("north_mine"))
    with refused("not_seated"):
        rooms.resume(code, "eve")
    at(rooms, 1000)
    assert rooms.errand(rooms.resume(code, BOB)) is None
    play(rooms, code, HOST, go("north_mine"))
    assert rooms.room(code) == stored(rooms, code)


def test_bots_pause_too(rooms: Rooms) -> None:
    code = started(rooms, "easy", "easy")
    end_turn(rooms, code, HOST)
    room = rooms.wish(code, HOST, "pause", None, ALL)
    assert rooms.errand(room) is None
    assert not rooms.answer(code, room.seq, 1, go("west_mine"))
    room = rooms.resume(code, HOST)
    assert isinstance(rooms.errand(room), Answer)


def test_all_may_agree_to_give_up(rooms: Rooms) -> None:
    code = started(rooms)
    for person in (HOST, BOB, CAT):
        rooms.wish(code, person, "abandon", None, ALL)
    room = rooms.room(code)
    assert room.status == "ended"
    assert room.game.outcome(room.state) is None
    assert rooms.next_due() is None
    with refused("not_playing"):
        rooms.wish(code, HOST, "abandon", None, ALL)
    assert not verify(rooms, ["ended"]).faults


def test_a_wish_goes_with_its_reason(rooms: Rooms) -> None:
    code = started(rooms)
    rooms.wish(code, BOB, "keep", 0, NOBODY)
    assert not rooms.wish(code, BOB, "keep", 0, ALL).watch.wishes  # she is here again: it can be taken back
    rooms.wish(code, BOB, "keep", 0, NOBODY)
    end_turn(rooms, code, HOST)
    assert not rooms.room(code).watch.wishes
    rooms.wish(code, BOB, "abandon", None, ALL)
    room = rooms.receive(code, "zoe", rooms.carry(code, BOB).nonce, "Zoe")
    assert not room.watch.wishes


def test_during_a_pause_one_may_agree_to_end(rooms: Rooms) -> None:
    code = started(rooms)
    for what in ("pause", "abandon"):
        for person in (HOST, BOB, CAT):
            rooms.wish(code, person, what, None, ALL)
    assert rooms.room(code).status == "ended"


def test_whoever_wishes_has_come_back(rooms: Rooms) -> None:
    code = started(rooms)
    for person in (BOB, CAT):
        rooms.wish(code, person, "keep", 0, NOBODY)
    room = rooms.wish(code, HOST, "abandon", None, ALL)
    assert (room.status, bots(room)[0]) == ("playing", (None, False))


def test_where_a_clock_was_agreed_on_one_may_be_away(rooms: Rooms) -> None:
    code = started(rooms, pace=Pace("move", 3600))
    with refused("here"):
        rooms.wish(code, BOB, "keep", 0, NOBODY)
    at(rooms, 1800)
    for person in (BOB, CAT):
        rooms.wish(code, person, "keep", 0, NOBODY)
    assert bots(rooms.room(code))[0] == ("normal", True)


def test_who_is_kept_is_not_asked_whether_they_agree(rooms: Rooms) -> None:
    code = started(rooms)
    for person in (HOST, BOB):
        rooms.wish(code, person, "keep", 2, NOBODY)
    for person in (HOST, BOB):
        rooms.wish(code, person, "abandon", None, ALL)
    assert rooms.room(code).status == "ended"


def test_only_who_is_away_or_slow_can_be_voted_off(rooms: Rooms) -> None:
    code = started(rooms)
    with refused("here"):
        rooms.wish(code, BOB, "keep", 0, ALL)
    with refused("no_seat"):
        rooms.wish(code, BOB, "keep", 1, NOBODY)
    at(rooms, SLOW)
    for person in (BOB, CAT):
        rooms.wish(code, person, "keep", 0, ALL)
    assert bots(rooms.room(code))[0] == ("normal", True)
    with refused("no_wish"):
        rooms.wish(code, BOB, "revolt", None, ALL)


# Clocks


def test_when_a_clock_runs_out_the_house_plays_on(rooms: Rooms) -> None:
    code = started(rooms, pace=Pace("move", 60))
    at(rooms, 15)
    rooms.seek(code, {})
    assert rooms.next_due() == NOON + timedelta(seconds=60)
    at(rooms, 59)
    rooms.run_out(code)
    assert bots(rooms.room(code))[0] == (None, False)
    at(rooms, 60)
    assert rooms.errand(rooms.room(code)) == RunOut()
    rooms.run_out(code)
    room = rooms.room(code)
    assert bots(room)[0] == ("normal", True)
    assert isinstance(rooms.errand(room), Answer)
    at(rooms, 100)
    room = rooms.come_back(code, HOST)
    assert rooms.errand(room) is None
    at(rooms, 131)
    assert rooms.errand(rooms.room(code)) == RunOut()
    rooms.run_out(code)
    assert bots(rooms.come_back(code, HOST))[0] == ("normal", True)  # now the house is to make this move
    play(rooms, code, HOST, go("north_mine"))  # unless they do
    assert bots(rooms.room(code))[0] == (None, False)


def test_a_frozen_room_keeps_its_clocks(rooms: Rooms) -> None:
    code = started(rooms, pace=Pace("bank", 600, 15))
    assert rooms.freeze(code, lambda _: True)
    rooms.rename(code, BOB, "Bobby")
    at(rooms, 5000)
    assert verify(rooms, ["frozen"]).thawed == [code]
    assert not isinstance(rooms.errand(rooms.room(code)), RunOut)
    end_turn(rooms, code, HOST)
    assert rooms.room(code).watch.left == (615, 600, 600)


def test_a_game_that_was_given_up_stays_so_when_it_thaws(rooms: Rooms) -> None:
    code = started(rooms)
    for person in (HOST, BOB, CAT):
        rooms.wish(code, person, "abandon", None, ALL)
    assert rooms.freeze(code, lambda _: True)
    assert verify(rooms, ["frozen"]).thawed == [code]
    assert rooms.room(code).status == "ended"


def test_a_bots_clock_never_runs_out(rooms: Rooms) -> None:
    code = started(rooms, "easy", "easy", pace=Pace("move", 60))
    end_turn(rooms, code, HOST)
    at(rooms, 1000)
    assert rooms.errand(rooms.room(code)) == Seek()
    rooms.seek(code, {})
    assert isinstance(rooms.errand(rooms.room(code)), Answer)


def test_a_pace_that_cannot_be_is_refused(rooms: Rooms) -> None:
    with pytest.raises(RoomError, match="bad_pace"):
        rooms.create(HOST, NewRoom("valdora", 3, pace=Pace("move", 2)))


@pytest.mark.usefixtures("hush")
def test_no_clock_tells_who_has_answered_unseen(rooms: Rooms) -> None:
    at(rooms, 0)
    code = hushed(rooms, 3, coins=1, pace=Pace("bank", 600, 15))
    before = rooms.room(code)
    at(rooms, 5)
    rooms.play(code, "p1", "d0", SAYS_NO, "k")
    after = rooms.room(code)
    assert after.watch == before.watch
    assert Encoded(after).parts["clock"] == Encoded(before).parts["clock"]


@pytest.mark.usefixtures("hush")
def test_a_question_that_stays_open_too_long_is_answered_unseen(rooms: Rooms) -> None:
    """To keep the seat of who has not answered would tell that they have something to say."""
    at(rooms, 0)
    code = hushed(rooms, 4, coins=1, pace=Pace("move", 60))
    rooms.play(code, "p1", "d0", SAYS_NO, "k")
    at(rooms, 15)
    rooms.seek(code, {})
    at(rooms, 60)
    asked = set()
    for _ in range(2):
        room = rooms.room(code)
        errand = rooms.errand(room)
        assert isinstance(errand, Answer)
        assert errand.level == "normal"
        assert rooms.answer(code, room.seq, errand.seat, SAYS_NO)
        asked.add(errand.seat)
    assert asked == {2, 3}
    assert rooms.room(code).decision == "d1"
    assert not any(seat.bot for seat in rooms.room(code).seats)


@pytest.mark.usefixtures("hush")
def test_a_bots_answer_in_a_shared_question_comes_no_sooner_than_the_houses(rooms: Rooms) -> None:
    """Whether a bot has a choice is its secret: both come after the same random while."""
    at(rooms, 0)
    rooms.pause = lambda: timedelta(seconds=3)
    for coins in (0, 1):
        code = rooms.create("p0", NewRoom("hush", 3, {"coins": coins}, seed="2")).code
        rooms.join(code, "p0", "P0")
        for _ in range(2):
            rooms.add_bot(code, "p0", "strong")
        assert rooms.start(code, "p0").watch.house_at == NOON + timedelta(seconds=3)


def test_a_person_with_several_seats_wishes_for_all(rooms: Rooms) -> None:
    code = started(rooms)
    hold(rooms, code, HOST, BOB)
    rooms.wish(code, HOST, "pause", None, ALL)
    assert not rooms.room(code).watch.paused
    assert rooms.wish(code, CAT, "pause", None, ALL).watch.paused


def test_a_room_from_before_there_were_clocks_goes_on(rooms: Rooms) -> None:
    code = started(rooms)
    room = stored(rooms, code)
    assert replace(room, watch=rooms.timed(room)) == room
