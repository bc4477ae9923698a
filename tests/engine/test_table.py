"""Seed + log → state: playing, taking back, replaying; and the three ways in which a move can be wrong."""

import msgspec
import pytest

from app.engine.codec import decode_move, decode_options, decode_state, encode_state, raw_move, state_hash
from app.engine.contract import BadGameData, Illegal, Malformed, NotYourTurn, UndoRefused
from app.engine.table import Played, Record, Table, Undone, course, open_record, replay
from tests.engine import hush
from tests.engine.hush import BLOW, HUSH, NO, YES
from tests.engine.toy import COUNT, LAY, PEEK, ROLL, TOY, Do, Options, State


def new_table(seats: int = 2) -> Table[State, Do, Options]:
    return Table(TOY, Options(), seats, "seed")


def test_several_seats_may_act_at_once() -> None:
    table = new_table()
    assert TOY.to_act(table.state) == (0, 1)
    table.play(1, COUNT)
    table.play(0, COUNT)
    assert table.state.counts == (1, 1)


def test_malformed_illegal_and_not_your_turn_are_different_errors() -> None:
    table = new_table()
    table.play(0, LAY)
    before, entries = table.state, list(table.log)
    with pytest.raises(NotYourTurn):
        table.play(0, COUNT)
    with pytest.raises(NotYourTurn):
        table.play(7, COUNT)
    for _ in range(3):
        table.play(1, COUNT)
    with pytest.raises(Illegal) as refused:
        table.play(1, COUNT)
    assert (refused.value.refusal.rule, refused.value.key) == ("T-2", "toy.counted")
    assert refused.value.arguments == {"count": 3}
    with pytest.raises(Malformed):
        decode_move(TOY, {"do": "do", "what": 3})
    for _ in range(3):
        table.undo(1)
    assert table.state == before
    assert table.log[: len(entries)] == entries


def hushed(seed: str = "2", seats: int = 3) -> Table[hush.State, Do, hush.Options]:
    """Seats 1 and 2 are asked."""
    return Table(HUSH, hush.Options(coins=1), seats, seed)


def test_who_has_answered_unseen_has_no_answer_left() -> None:
    table = hushed()
    table.state = msgspec.structs.replace(table.state, whistles=(False, False, False))
    table.play(1, YES)
    assert (HUSH.to_act(table.state), HUSH.awaited(table.state)) == ((1, 2), (2,))
    for again in (YES, NO, BLOW):
        with pytest.raises(NotYourTurn):
            table.play(1, again)
    with pytest.raises(Illegal):
        table.play(2, BLOW)
    table.play(2, NO)
    assert table.state.paid == (0, 1, 0)


def test_who_is_not_asked_may_interrupt_and_is_told_why_if_not() -> None:
    table = hushed()
    table.state = msgspec.structs.replace(table.state, whistles=(True, True, False))
    with pytest.raises(Illegal) as refused:
        table.play(0, NO)  # they could do something else
    assert refused.value.refusal.rule == "H-3"
    table.play(0, BLOW)
    with pytest.raises(NotYourTurn):
        table.play(0, BLOW)
    table.play(1, NO)
    table.play(1, BLOW)
    for nobody in (3, -1):
        with pytest.raises(NotYourTurn):
            table.play(nobody, BLOW)
    assert table.state.blown == (True, True, False)


def test_a_refused_move_leaves_everything_as_it_is() -> None:
    table = new_table()
    before = table.state
    for wrong in (Do("fly"), Do("")):
        with pytest.raises(Illegal):
            table.play(0, wrong)
    assert table.state is before
    assert table.log == []


def test_taking_back_is_an_entry_of_the_log() -> None:
    table = new_table()
    start = table.state
    table.play(0, COUNT)
    assert table.undo(0) == start
    assert table.log == [Played(0, raw_move(COUNT)), Undone(0)]


def test_nobody_takes_back_anothers_step() -> None:
    table = new_table()
    table.play(0, COUNT)
    with pytest.raises(UndoRefused) as refused:
        table.undo(1)
    assert refused.value.barrier is None
    assert refused.value.key == "error.undo.nothing"


@pytest.mark.parametrize(("move", "barrier"), [(PEEK, "secret"), (ROLL, "chance"), (LAY, "turn")])
def test_undo_never_crosses_a_barrier_and_names_it(move: Do, barrier: str) -> None:
    table = new_table()
    table.play(0, COUNT)
    table.play(0, move)
    with pytest.raises(UndoRefused) as refused:
        table.undo(0)
    assert refused.value.barrier == barrier
    assert refused.value.key == f"error.undo.{barrier}"


def test_a_game_is_its_seed_and_its_log() -> None:
    table = new_table(3)
    for seat, move in ((0, COUNT), (2, ROLL), (1, PEEK), (1, LAY), (0, COUNT)):
        table.play(seat, move)
    table.undo(0)
    record = msgspec.json.decode(msgspec.json.encode(table.record()), type=Record)
    again = replay(TOY, record)
    assert again.state == table.state
    assert again.log == table.log
    assert state_hash(TOY, again.state) == state_hash(TOY, table.state)


def test_a_record_that_cannot_be_played_says_at_which_step() -> None:
    table = new_table()
    table.play(0, LAY)
    record = table.record()
    record.log.append(Played(0, raw_move(COUNT)))
    with pytest.raises(BadGameData, match="Step 2 of the stored game cannot be played"):
        replay(TOY, record)
    record.log[1] = Played(1, {"do": "dance"})
    with pytest.raises(BadGameData, match="Step 2"):
        replay(TOY, record)
    record.log[1] = Undone(0)
    with pytest.raises(BadGameData, match="Step 2"):
        replay(TOY, record)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"version": 2}, "stored by version 2 of toy"),
        ({"seats": 9}, "toy is not for 9 players"),
        ({"options": {"most": "many"}}, "cannot be set up"),
    ],
)
def test_a_record_of_another_table_is_refused(change: dict[str, object], sentence: str) -> None:
    record = msgspec.structs.replace(new_table().record(), **change)
    with pytest.raises(BadGameData, match=sentence):
        open_record(TOY, record)


def test_a_stored_table_names_its_game_and_version() -> None:
    state = new_table().state
    stored = encode_state(TOY, state)
    assert decode_state(TOY, stored) == state
    for wrong, sentence in (
        (stored.replace(b'"toy"', b'"other"'), "a stored table of other, not of toy"),
        (stored.replace(b'"version":1', b'"version":7'), "stored by version 7 cannot be read by version 1"),
        (stored.replace(b'"pile":', b'"pole":'), "cannot be read"),
        (stored[:-2], "cannot be read"),
    ):
        with pytest.raises(BadGameData, match=sentence):
            decode_state(TOY, wrong)


def test_an_older_version_is_migrated() -> None:
    class Toy2(type(TOY)):  # type: ignore[misc]
        VERSION = 2

        def migrate(self, raw: dict[str, object], version: int) -> dict[str, object]:
            assert version == 1
            return {**raw, "most": 5}

    old = new_table().state
    assert decode_state(Toy2(), encode_state(TOY, old)) == msgspec.structs.replace(old, most=5)


def test_options_are_decoded_strictly() -> None:
    assert decode_options(TOY, {"most": 4}) == Options(4)
    wrongs: list[object] = [{"least": 1}, {"most": "4"}, None, []]
    for wrong in wrongs:
        with pytest.raises(Malformed):
            decode_options(TOY, wrong)


def test_the_course_of_a_game_has_everybodys_points_after_each_turn() -> None:
    table = new_table()
    expected = [TOY.score_sheet(table.state).totals]
    for seat, moves in ((0, (COUNT, COUNT, LAY)), (1, (COUNT, LAY))):
        for move in moves:
            table.play(seat, move)
        expected.append(TOY.score_sheet(table.state).totals)
    assert course(TOY, table.record()) == expected


def test_the_course_of_a_game_goes_by_its_own_turns() -> None:
    table = hushed(seats=2)
    for round_number in range(3):
        table.play(1 - round_number % 2, YES if round_number == 1 else NO)
    assert course(HUSH, table.record()) == [(0, 0), (0, 0), (1, 0), (1, 0)]
