"""How long people may think, counted without a database: quiet hours, pauses, who pays."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.rooms import watch as watches
from app.rooms.pace import Pace, fault_in
from app.rooms.watch import GRACE, Watch

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
MOVE = Pace("move", 60)
BANK = Pace("bank", 600, 15)


def after(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def asked(
    pace: Pace, *seats: int, seconds: float = 0, watch: Watch | None = None, question: int | None = None
) -> Watch:
    return watches.go_on(watch or watches.begin(pace, 3), pace, seats, question, after(seconds))


@given(
    st.integers(0, 23), st.integers(0, 23), st.sampled_from(["UTC", "Europe/Rome", "Pacific/Auckland"]),
    st.integers(0, 400 * 24 * 60), st.integers(0, 40 * 24 * 3600),
)  # fmt: skip
def test_the_two_ways_to_count_agree(falls: int, wakes: int, zone: str, begin: int, seconds: int) -> None:
    """Also over changes of the hour."""
    pace = Pace(quiet=(falls, wakes), zone=zone)
    start = NOON + timedelta(minutes=begin)
    end = pace.when(start, seconds)
    assert pace.running(start, end) == pytest.approx(seconds)
    assert pace.running(start, start) == 0


def test_in_quiet_hours_no_clock_runs() -> None:
    night = Pace("move", 3600, quiet=(22, 8), zone="Europe/Rome")
    late = datetime(2026, 6, 1, 21, 30, tzinfo=UTC)  # half past eleven in Rome
    watch = watches.go_on(watches.begin(night, 3), night, (0,), None, late)
    assert watches.runs_out(watch, night) == datetime(2026, 6, 2, 7, tzinfo=UTC)


@pytest.mark.parametrize(
    ("pace", "field"),
    [
        (Pace("none", 60), "seconds"), (Pace("move"), "seconds"), (Pace("bank", 4), "seconds"),
        (Pace("move", 60, 5), "more"), (Pace(zone="Rome"), "zone"), (Pace(zone="../etc/passwd"), "zone"),
    ],
)  # fmt: skip
def test_what_does_not_go_together_is_named(pace: Pace, field: str) -> None:
    assert fault_in(pace) == field
    assert [fault_in(good) for good in (Pace(), MOVE, BANK)] == [None] * 3


def test_without_a_clock_nothing_runs_out() -> None:
    watch = asked(Pace(), 0)
    assert watches.runs_out(watch, Pace()) is None
    assert watches.shown(watch, Pace()) is None


def test_each_turn_has_its_time_however_many_steps_it_takes() -> None:
    watch = asked(MOVE, 0)
    watch = asked(MOVE, 0, seconds=50, watch=watch)
    assert watches.runs_out(watch, MOVE) == after(60)
    watch = asked(MOVE, 1, seconds=55, watch=watch)
    assert watches.runs_out(watch, MOVE) == after(115)


def test_who_is_asked_pays_from_their_bank_and_gets_some_back() -> None:
    watch = asked(BANK, 0)
    watch = asked(BANK, 1, seconds=100, watch=watch)
    assert watch.left == (515, 600, 600)
    assert watches.runs_out(watch, BANK) == after(700)
    watch = asked(BANK, 2, seconds=100 + 900, watch=watch)
    assert watch.left == (515, 15, 600)


def test_nobodys_bank_pays_for_what_several_are_asked() -> None:
    watch = asked(BANK, 0)
    watch = asked(BANK, 0, 1, seconds=10, watch=watch, question=1)
    assert watches.runs_out(watch, BANK) == after(10 + 60)
    watch = asked(BANK, 0, 1, seconds=60, watch=watch, question=2)  # the same people, another question
    assert watches.runs_out(watch, BANK) == after(60 + 60)
    watch = asked(BANK, 1, seconds=80, watch=watch)
    assert watch.left == (605, 600, 600)


def test_a_pause_costs_nobody_anything() -> None:
    watch = asked(BANK, 0)
    watch = watches.pause(watch, BANK, after(20))
    assert watches.runs_out(watch, BANK) is None
    assert watches.due(watch, BANK, True, timedelta()) is None
    watch = watches.resume(watch, after(5000))
    assert watches.runs_out(watch, BANK) == after(5000 + 580)
    assert asked(BANK, 1, seconds=5010, watch=watch).left[0] == 600 - 30 + 15


def test_who_comes_back_has_time_to_look() -> None:
    for pace, had in ((BANK, 600), (MOVE, 60)):
        watch = watches.leave(asked(pace, 0), pace, 0, after(had))  # it has run out
        assert not watches.come_back(watch, pace, 1, after(5000)).graced
        watch = watches.come_back(watch, pace, 0, after(5000))  # what the house took since is not on their clock
        assert watches.runs_out(watch, pace) == after(5000 + GRACE)
        assert watches.may_come_back(watch, pace, 0)
        watch = watches.leave(watch, pace, 0, after(5000 + GRACE))
        assert not watches.may_come_back(watch, pace, 0)  # once for each time they are asked


def test_who_comes_back_early_has_what_they_had() -> None:
    watch = watches.leave(asked(BANK, 0), BANK, 0, after(100))
    watch = watches.come_back(watch, BANK, 0, after(300))
    assert watches.runs_out(watch, BANK) == after(300 + 500)


def test_who_comes_back_when_another_is_asked_has_time_in_the_bank() -> None:
    empty = Pace("bank", 600)
    watch = asked(empty, 1, seconds=700, watch=watches.leave(asked(empty, 0), empty, 0, after(600)))
    assert watch.left[0] == 0
    assert watches.come_back(watch, empty, 0, after(800)).left[0] == GRACE


def test_what_the_house_takes_for_somebody_is_nobodys_time() -> None:
    watch = watches.leave(asked(BANK, 0), BANK, 0, after(100))
    watch = watches.go_on(watch, BANK, (1,), None, after(300), by_house=True)
    assert watch.left == (500, 600, 600)
