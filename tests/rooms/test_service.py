"""Rooms: who sits where, what is stored, what is refused. On both databases."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import update

from app.engine.codec import encode_state
from app.engine.contract import Illegal, Malformed, NotYourTurn, UndoRefused
from app.rooms import repository
from app.rooms.errors import RoomError
from app.rooms.models import MOVE, ROOM
from app.rooms.seating import NewRoom
from app.rooms.service import Rooms
from app.rooms.snapshot import Snapshot
from app.rooms.verify import verify

HOST, BOB, CAT, DAN = "host", "bob", "cat", "dan"
END = {"do": "end_turn"}


def go(place: str) -> dict[str, str]:
    return {"do": "move", "to": place}


def opened(rooms: Rooms, seats: int = 3, **wish: Any) -> str:
    wish.setdefault("options", {"start": "first_seat"})
    return rooms.create(HOST, NewRoom("valdora", seats, **wish)).code


def started(rooms: Rooms, **wish: Any) -> str:
    code = opened(rooms, **wish)
    for person, name in ((HOST, "Ann"), (BOB, "Bob"), (CAT, "Cat")):
        rooms.join(code, person, name)
    rooms.start(code, HOST)
    return code


def play(rooms: Rooms, code: str, person: str, *moves: dict[str, Any]) -> int:
    seq = 0
    for number, move in enumerate(moves):
        decision = rooms.room(code).decision
        seq = rooms.play(code, person, decision, move, f"{decision}-{number}")
    return seq


def refused(code: str) -> Any:
    return pytest.raises(RoomError, match=f"'{code}'")


def stored(rooms: Rooms, code: str) -> Snapshot:
    """The room as the database has it, whatever this process remembers."""
    with rooms.database.reading() as connection:
        room = repository.load(connection, code)
    assert room is not None
    return room


def test_what_is_remembered_is_what_is_stored(rooms: Rooms) -> None:
    code = started(rooms, listed=True, spectators=False)
    play(rooms, code, HOST, go("north_mine"), {"do": "refill"})
    rooms.say(code, BOB, "well done")
    rooms.undo(code, HOST, "u")
    assert rooms.room(code) == stored(rooms, code)
    assert rooms.room(code).status == "playing"


def test_codes_cannot_be_counted(rooms: Rooms) -> None:
    codes = {opened(rooms) for _ in range(20)}
    assert len(codes) == 20
    assert all(len(code) == 7 and not set(code) & set("ilo01") for code in codes)


@pytest.mark.parametrize(
    ("wish", "error"),
    [
        (NewRoom("chess", 3), "no_game"),
        (NewRoom("valdora", 2), "bad_seats"),
        (NewRoom("valdora", 3, {"open": True}), "bad_options"),
        (NewRoom("valdora", 3, seed=""), "bad_options"),
        (NewRoom("valdora", 3, seed="a\x00b"), "bad_options"),
        (NewRoom("valdora", 3, {"start": "\ud800"}), "bad_options"),
    ],
)
def test_a_room_that_cannot_be(rooms: Rooms, wish: NewRoom, error: str) -> None:
    with refused(error):
        rooms.create(HOST, wish)


def test_seats_fill_and_are_left(rooms: Rooms) -> None:
    code = opened(rooms)
    assert rooms.join(code, HOST, "Ann").seats_of(HOST) == (0,)
    assert rooms.join(code, BOB, "Bob", 2).seats_of(BOB) == (2,)
    with refused("seated_already"):
        rooms.join(code, BOB, "Bobby")
    with refused("seat_taken"):
        rooms.join(code, CAT, "Cat", 2)
    with refused("no_seat"):
        rooms.join(code, CAT, "Cat", 3)
    assert rooms.join(code, CAT, "Cat").seats_of(CAT) == (1,)
    with refused("full"):
        rooms.join(code, DAN, "Dan")
    rooms.leave(code, BOB)
    with refused("not_seated"):
        rooms.leave(code, BOB)
    assert rooms.join(code, DAN, "Bob").seats_of(DAN) == (2,)


@pytest.mark.parametrize("name", ["Ann", "ANN", " ann ", "Ａnn", "An\u200cn", "Ann\ufe0f"])
def test_a_name_is_unlike_the_others(rooms: Rooms, name: str) -> None:
    code = opened(rooms)
    rooms.join(code, HOST, "Ann")
    with refused("name_taken"):
        rooms.join(code, BOB, name)
    rooms.join(code, BOB, "Bob")
    with refused("name_taken"):
        rooms.rename(code, BOB, name)
    assert rooms.rename(code, HOST, "ann").seats[0].name == "ann"  # one's own may change its dress


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("", "name_length"),
        ("   ", "name_length"),
        ("x" * 25, "name_length"),
        ("<b>x</b>", "name_signs"),
        ("a\u202eb", "name_signs"),
        ("a\x00b", "name_signs"),
        ("\u200d", "name_signs"),
        ("\u3164", "name_signs"),
        ("\u2800", "name_signs"),
        ("x\ud800", "name_signs"),
    ],
)
def test_what_is_not_a_name(rooms: Rooms, name: str, error: str) -> None:
    code = opened(rooms)
    with refused(error):
        rooms.join(code, HOST, name)


@pytest.mark.parametrize("name", ["Ж", "Łukasz Ó.", "孫悟空", "ليلى", "می‌خواهم", "👩‍🚀", "O'Neill & Co", "x" * 24])
def test_names_of_any_script(rooms: Rooms, name: str) -> None:
    code = opened(rooms)
    rooms.join(code, HOST, name)
    assert stored(rooms, code).names == (name,)


def test_the_hosts_powers(rooms: Rooms) -> None:
    code = opened(rooms)
    for person in (HOST, BOB, CAT):
        rooms.join(code, person, person)
    powers: list[Callable[[], Snapshot]] = [
        lambda: rooms.order(code, BOB, [2, 1, 0]),
        lambda: rooms.start(code, BOB),
        lambda: rooms.free(code, BOB, 2),
        lambda: rooms.hand_over(code, BOB, 1),
    ]
    for power in powers:
        with refused("not_host"):
            power()
    assert rooms.order(code, HOST, [2, 0, 1]).names == (CAT, HOST, BOB)
    with refused("no_seat"):
        rooms.order(code, HOST, [0, 0, 1])
    assert rooms.free(code, HOST, 0).names == (HOST, BOB)
    assert rooms.hand_over(code, HOST, 2).host == BOB
    with refused("not_host"):
        rooms.start(code, HOST)
    with refused("too_few"):
        rooms.start(code, BOB)


def test_the_host_who_leaves_is_followed_by_who_sits(rooms: Rooms) -> None:
    code = opened(rooms)
    rooms.join(code, HOST, "Ann")
    rooms.join(code, BOB, "Bob")
    assert rooms.leave(code, HOST).host == BOB
    assert rooms.leave(code, BOB).host == BOB  # somebody must be


def test_fewer_than_all_seats_may_start_and_are_counted_from_0(rooms: Rooms) -> None:
    code = opened(rooms, seats=5)
    for seat, person in ((1, HOST), (2, BOB), (4, CAT)):
        rooms.join(code, person, person, seat)
    room = rooms.start(code, HOST)
    assert [seat.number for seat in room.seats] == [0, 1, 2]
    assert len(room.state.players) == 3
    with refused("not_in_lobby"):
        rooms.start(code, HOST)
    with refused("not_in_lobby"):
        rooms.leave(code, HOST)


def test_a_seat_freed_in_a_game_can_be_taken_over(rooms: Rooms) -> None:
    code = started(rooms)
    with refused("full"):
        rooms.join(code, DAN, "Dan")
    rooms.free(code, HOST, 1)
    with refused("not_seated"):
        rooms.play(code, BOB, "0", END, "k")
    room = rooms.join(code, DAN, "Dan")
    assert room.seats_of(DAN) == (1,)
    assert room.names == ("Ann", "Dan", "Cat")


def test_a_move_is_stored_with_what_it_led_to(rooms: Rooms) -> None:
    code = started(rooms)
    assert play(rooms, code, HOST, go("north_mine"), {"do": "refill"}, END) == 3
    room = stored(rooms, code)
    assert room.seq == 3
    assert room.game.to_act(room.state) == (1,)
    assert [happened.seq for happened in rooms.log(code)] == [1, 2, 3]
    assert verify(rooms).faults == {}


def test_what_is_refused_changes_nothing(rooms: Rooms) -> None:
    code = started(rooms)
    before = stored(rooms, code)
    for person, move, error in (
        (HOST, END, Illegal),
        (HOST, {"do": "fly"}, Malformed),
        (BOB, go("A"), NotYourTurn),
        (DAN, go("A"), RoomError),
    ):
        with pytest.raises(error):
            rooms.play(code, person, before.decision, move, "k")
    assert stored(rooms, code) == before
    assert rooms.room(code) == before


def test_a_repeated_key_gets_the_first_answer(rooms: Rooms) -> None:
    code = started(rooms)
    assert rooms.play(code, HOST, "0", go("north_mine"), "once") == 1
    assert rooms.play(code, HOST, "0", go("north_mine"), "once") == 1
    play(rooms, code, HOST, END)
    assert rooms.play(code, HOST, "0", go("north_mine"), "once") == 1
    assert rooms.play(code, BOB, rooms.room(code).decision, go("south_mine"), "once") == 3  # another's key
    play(rooms, code, BOB, END)
    play(rooms, code, CAT, go("west_mine"), END)
    # a key used again for a new decision does not make a second move
    assert rooms.play(code, HOST, rooms.room(code).decision, go("A"), "once") == 1
    assert rooms.room(code).seq == 6


def test_a_stale_decision_is_refused(rooms: Rooms) -> None:
    code = started(rooms)
    play(rooms, code, HOST, go("north_mine"))
    with refused("stale"):
        rooms.play(code, HOST, "0", {"do": "refill"}, "late")
    with refused("stale"):
        rooms.play(code, HOST, "99", {"do": "refill"}, "early")


def test_fifty_submits_for_one_decision(rooms: Rooms) -> None:
    """Exactly one lands."""
    code = started(rooms)
    places = [move.to for move in rooms.room(code).game.legal(rooms.room(code).state, 0)]

    def submit(number: int) -> str:
        try:
            rooms.play(code, HOST, "0", go(places[number % len(places)]), f"key {number}")
        except RoomError as error:
            return error.code
        return "landed"

    with ThreadPoolExecutor(16) as threads:
        answers = list(threads.map(submit, range(50)))
    assert sorted(answers) == ["landed"] + ["stale"] * 49
    assert stored(rooms, code).seq == 1
    assert verify(rooms).faults == {}


def test_undo_is_an_entry_and_stops_at_the_barrier(rooms: Rooms) -> None:
    code = started(rooms)
    start = stored(rooms, code).state
    play(rooms, code, HOST, go("north_mine"), {"do": "refill"})
    assert rooms.undo(code, HOST, "u1") == 3
    assert rooms.undo(code, HOST, "u1") == 3  # repeated
    assert rooms.undo(code, HOST, "u2") == 4
    assert stored(rooms, code).state == start
    with pytest.raises(UndoRefused) as nothing:
        rooms.undo(code, HOST, "u3")
    assert nothing.value.barrier is None
    play(rooms, code, HOST, go("south_mine"), END)
    with pytest.raises(UndoRefused) as passed_on:
        rooms.undo(code, HOST, "u4")
    assert passed_on.value.barrier == "turn"
    play(rooms, code, BOB, go("C"))
    with pytest.raises(UndoRefused):
        rooms.undo(code, HOST, "u5")  # not another's step
    play(rooms, code, BOB, {"do": "turn_page", "pile": "right"})
    with pytest.raises(UndoRefused) as seen:
        rooms.undo(code, BOB, "u6")
    assert seen.value.barrier == "secret"
    assert verify(rooms).faults == {}


def finish(rooms: Rooms, code: str) -> None:
    """As if the game had come to its last turn: everybody has idled for long."""
    room = rooms.room(code)
    state = replace(room.state, idle=49, turn=replace(room.state.turn, seat=2, phase="act"))
    with rooms.database.writing() as connection:
        connection.execute(
            update(ROOM).where(ROOM.c.code == code).values(state=encode_state(room.game, state), rev=room.rev + 1)
        )
    play(rooms, code, CAT, END)


def test_the_end_and_the_rematch(rooms: Rooms) -> None:
    code = started(rooms)
    with refused("not_ended"):
        rooms.rematch(code, HOST)
    finish(rooms, code)
    assert stored(rooms, code).status == "ended"
    with refused("not_playing"):
        rooms.play(code, HOST, rooms.room(code).decision, go("A"), "late")
    with refused("not_seated"):
        rooms.rematch(code, DAN)
    again = rooms.rematch(code, BOB)
    assert again.names == ("Ann", "Bob", "Cat")
    assert again.status == "lobby"
    assert again.seed != stored(rooms, code).seed
    assert rooms.rematch(code, CAT).code == again.code
    assert stored(rooms, code).rematch == again.code
    assert rooms.start(again.code, again.host).status == "playing"


def test_a_seat_is_carried_to_another_device(rooms: Rooms) -> None:
    code = started(rooms)
    place = rooms.carry(code, HOST)
    room = rooms.take_along(code, "phone", place.nonce)
    assert room.seats_of("phone") == room.seats_of(HOST) == (0,)
    play(rooms, code, "phone", go("north_mine"))
    play(rooms, code, HOST, {"do": "refill"})
    with refused("bad_link"):
        rooms.take_along(code, "thief", "guess")
    rooms.free(code, HOST, 0)
    with refused("bad_link"):  # an old link is worthless once the seat was freed
        rooms.take_along(code, "phone", place.nonce)


def test_chat_has_two_voices_limits_and_a_host(rooms: Rooms) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    rooms.clock = lambda: now
    code = started(rooms)
    assert rooms.say(code, BOB, " hello\x07 ").text == "hello"
    assert rooms.say(code, DAN, "from afar", "Dan").voice == "spectators"
    for text in ("", "x" * 501, "\x07 \x07", "\u200d"):
        with refused("chat_length"):
            rooms.say(code, BOB, text)
    with refused("name_taken"):
        rooms.say(code, "eve", "I am Bob", "bob")
    with refused("name_length"):
        rooms.say(code, "eve", "I am nobody")
    for _ in range(4):
        rooms.say(code, BOB, "again")
    with refused("chat_fast"):
        rooms.say(code, BOB, "and again")
    now += timedelta(seconds=11)
    line = rooms.say(code, BOB, "later")
    with refused("not_host"):
        rooms.mute(code, CAT, line.id, True)
    rooms.mute(code, HOST, line.id, True)
    with refused("muted"):
        rooms.say(code, BOB, "but")
    assert stored(rooms, code).muted == {BOB}
    rooms.mute(code, HOST, line.id, False)
    rooms.say(code, BOB, "thanks")
    with refused("no_person"):
        rooms.mute(code, HOST, 999_999, True)
    assert stored(rooms, code).chat == rooms.room(code).chat


def test_old_rooms_are_cleared_away(rooms: Rooms) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    rooms.clock = lambda: now
    empty, seated, playing, ended = opened(rooms), opened(rooms), started(rooms), started(rooms)
    rooms.join(seated, BOB, "Bob")
    finish(rooms, ended)
    assert rooms.clear_away() == []
    now += timedelta(hours=25)
    assert rooms.clear_away() == [empty]
    with refused("no_room"):
        rooms.room(empty)
    now += timedelta(days=31)
    assert sorted(rooms.clear_away()) == sorted([seated, ended])
    now += timedelta(days=1000)
    assert rooms.clear_away() == []
    assert rooms.room(playing).status == "playing"


@pytest.mark.parametrize("harm", ["state", "lost entry", "changed entry", "gibberish"])
def test_a_room_whose_table_does_not_fit_its_log_is_frozen(rooms: Rooms, harm: str) -> None:
    sound, harmed = started(rooms), started(rooms)
    for code in (sound, harmed):
        play(rooms, code, HOST, go("north_mine"), {"do": "refill"}, END)
    room = rooms.room(harmed)
    state = replace(room.state, bank=room.state.bank + 1)
    with rooms.database.writing() as connection:
        here = MOVE.c.room_id == room.id
        match harm:
            case "state":
                connection.execute(
                    update(ROOM).where(ROOM.c.id == room.id).values(state=encode_state(room.game, state))
                )
            case "lost entry":
                connection.execute(MOVE.delete().where(here, MOVE.c.seq == 2))
            case "changed entry":
                other = b'{"entry":"play","seat":0,"move":{"do":"move","to":"south_mine"}}'
                connection.execute(update(MOVE).where(here, MOVE.c.seq == 1).values(entry=other))
            case "gibberish":
                connection.execute(update(ROOM).where(ROOM.c.id == room.id).values(state=b"{"))
    seen: list[tuple[int, int]] = []
    verdict = verify(rooms, progress=lambda done, total: seen.append((done, total)))
    assert verdict.checked == 2
    assert list(verdict.faults) == [harmed]
    assert verdict.faults[harmed].endswith(".")
    assert seen == [(1, 2), (2, 2)]
    assert rooms.room(harmed).status == "frozen"
    with refused("frozen"):
        rooms.play(harmed, BOB, rooms.room(harmed).decision, go("A"), "k")
    play(rooms, sound, BOB, go("A"))
    assert verify(rooms).faults == {}


def test_all_workers_sign_with_the_same_secret(rooms: Rooms) -> None:
    with ThreadPoolExecutor(8) as threads:
        secrets = set(threads.map(rooms.secret, [f"proposal {number}" for number in range(8)]))
    assert len(secrets) == 1


@pytest.mark.parametrize("code", ["nowhere", "a\x00b", "ключ", "", "a b"])
def test_what_cannot_be_a_code_is_no_room(rooms: Rooms, code: str) -> None:
    with refused("no_room"):
        rooms.room(code)
    with refused("no_room"):
        rooms.join(code, HOST, "Ann")


def test_a_key_has_only_signs_that_every_database_takes(rooms: Rooms) -> None:
    code = started(rooms)
    with pytest.raises(Malformed):
        rooms.play(code, HOST, "0", go("A"), "a\x00b")
    with pytest.raises(Malformed):
        rooms.undo(code, HOST, "\n")


def test_whoever_takes_over_a_seat_may_use_the_same_keys(rooms: Rooms) -> None:
    code = started(rooms)
    rooms.play(code, HOST, "0", go("north_mine"), "1")
    rooms.hand_over(code, HOST, 1)
    rooms.free(code, BOB, 0)
    rooms.join(code, DAN, "Dan")
    assert rooms.play(code, DAN, "1", {"do": "refill"}, "1") == 2


def test_a_private_link_leads_to_its_seat_wherever_that_is(rooms: Rooms) -> None:
    code = opened(rooms)
    for person in (HOST, BOB, CAT):
        rooms.join(code, person, person)
    link = rooms.carry(code, CAT).nonce
    rooms.order(code, HOST, [2, 0, 1])
    assert rooms.take_along(code, "phone", link).seats_of("phone") == (0,)


def test_the_host_is_host_at_every_device(rooms: Rooms) -> None:
    code = opened(rooms)
    for person in (HOST, BOB, CAT):
        rooms.join(code, person, person)
    rooms.take_along(code, "tablet", rooms.carry(code, BOB).nonce)
    rooms.hand_over(code, HOST, 1)
    with refused("not_host"):
        rooms.start(code, HOST)
    assert rooms.room(code).is_host(BOB)
    assert rooms.room(code).is_host("tablet")
    rooms.start(code, BOB)


def test_neither_voice_drowns_the_other_and_strangers_cannot_flood(rooms: Rooms) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    rooms.clock = lambda: now
    code = started(rooms)
    rooms.say(code, BOB, "to all")
    spoken = 0
    for number in range(100):  # each time somebody new
        try:
            rooms.say(code, f"stranger {number}", "spam", "Spam")
            spoken += 1
        except RoomError as error:
            assert error.code == "chat_fast"
            now += timedelta(seconds=4)
    assert 20 < spoken < 100
    assert [line.text for line in rooms.room(code).chat if line.voice == "players"] == ["to all"]
    assert stored(rooms, code).chat == rooms.room(code).chat


def test_who_is_silenced_is_so_at_every_device_and_can_be_let_speak_later(rooms: Rooms) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    rooms.clock = lambda: now
    code = started(rooms)
    line = rooms.say(code, BOB, "rude")
    link = rooms.carry(code, BOB).nonce
    rooms.take_along(code, "phone", link)
    rooms.mute(code, HOST, line.id, True)
    rooms.take_along(code, "tablet", link)
    for device in (BOB, "phone", "tablet"):
        with refused("muted"):
            rooms.say(code, device, "still rude")
    for _ in range(60):
        now += timedelta(seconds=10)
        rooms.say(code, CAT, "much later")
    rooms.mute(code, HOST, line.id, False)
    rooms.say(code, BOB, "sorry")


def test_a_frozen_room_can_be_looked_at_and_goes_on_when_it_is_mended(rooms: Rooms) -> None:
    code = started(rooms)
    play(rooms, code, HOST, go("north_mine"), END)
    room = rooms.room(code)
    good = encode_state(room.game, room.state)
    bad = encode_state(room.game, replace(room.state, bank=0))

    def store(state: bytes) -> None:
        with rooms.database.writing() as connection:
            connection.execute(update(ROOM).where(ROOM.c.code == code).values(state=state))

    store(bad)
    assert list(verify(rooms, change=False).faults) == [code]  # only looked at
    assert rooms.room(code).status == "playing"
    verify(rooms)
    assert rooms.room(code).status == "frozen"
    assert list(verify(rooms, ["frozen"]).faults) == [code]
    store(good)
    assert verify(rooms, ["frozen"]).thawed == [code]
    play(rooms, code, BOB, go("A"))
    assert verify(rooms).faults == {}


def test_a_broken_anchor_is_noticed_before_somebody_takes_back(rooms: Rooms) -> None:
    code = started(rooms)
    play(rooms, code, HOST, go("north_mine"))
    with rooms.database.writing() as connection:
        connection.execute(update(ROOM).where(ROOM.c.code == code).values(anchor=b"{}"))
    assert list(verify(rooms).faults) == [code]


def test_a_new_version_of_the_rules_that_leads_to_the_same_table_freezes_nothing(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = started(rooms)
    play(rooms, code, HOST, go("north_mine"))
    game = rooms.room(code).game
    monkeypatch.setattr(type(game), "VERSION", 2)
    monkeypatch.setattr(type(game), "migrate", lambda self, raw, version: raw)
    assert verify(rooms).faults == {}


@pytest.mark.parametrize("database", ["postgres"], indirect=True)
def test_verifying_beside_a_live_site_freezes_no_healthy_room(rooms: Rooms) -> None:
    code = started(rooms)
    over = threading.Event()

    def play_on() -> None:
        number = 0
        while not over.is_set():
            rooms.play(code, HOST, rooms.room(code).decision, go("north_mine"), f"k{number}")
            rooms.undo(code, HOST, f"u{number}")
            number += 1

    with ThreadPoolExecutor(1) as thread:
        playing = thread.submit(play_on)
        beside = Rooms(rooms.database)
        for _ in range(60):
            assert verify(beside).faults == {}
        over.set()
        playing.result()
    assert rooms.room(code).status == "playing"
