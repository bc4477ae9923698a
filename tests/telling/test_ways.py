"""What may be asked for, how often, and what is given up. On both databases."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import func, select

from app.rooms.service import Rooms
from app.telling.errors import TellingError
from app.telling.mail import read_mail, same_mail
from app.telling.models import LETTER
from app.telling.repository import Kind
from app.telling.ways import GIVEN_UP, MOST_WAYS, Outcome, Ways, Wish

ANN, BOB = "ann", "bob"
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
SITE = "http://testserver/"


@pytest.fixture
def ways(rooms: Rooms) -> Ways:
    made = Ways(rooms.database)
    made.clock = lambda: NOON
    return made


def wish(kind: Kind = "mail", address: str = "ann@example.org", **others: Any) -> Wish:
    same = same_mail(address) if kind == "mail" else address
    return Wish(**{"kind": kind, "address": address, "same": same, "language": "en", "site": SITE, **others})


def wait(ways: Ways, time: timedelta) -> None:
    now = ways.clock() + time
    ways.clock = lambda: now


def refused(code: str) -> Any:
    return pytest.raises(TellingError, match=code)


def test_nobody_is_told_before_somebody_has_said_yes_there(ways: Ways) -> None:
    way = ways.add(ANN, wish())
    assert not way.confirmed
    assert ways.of_people([ANN]) == []
    assert ways.confirm(way.nonce).confirmed
    assert ways.of_people([ANN, BOB]) == ways.of(ANN) == [ways.by_nonce(way.nonce)]
    assert ways.of(BOB) == ways.of(None) == []


def test_the_same_place_is_stored_once_for_a_person(ways: Ways) -> None:
    first = ways.add(ANN, wish())
    ways.confirm(first.nonce)
    again = ways.add(ANN, wish(address="Ann+games@example.org", language="it"))
    assert again.confirmed  # so it is not asked once more
    (stored,) = ways.of(ANN)
    assert (stored.id, stored.address, stored.language) == (first.id, "Ann+games@example.org", "it")
    assert ways.add(BOB, wish()).id != first.id  # friends may share a place


def test_a_browser_belongs_to_who_uses_it_now(ways: Ways) -> None:
    ways.add(ANN, wish("push", "endpoint"))
    other = ways.add(ANN, wish("push", "another"))
    mine = ways.add(BOB, wish("push", "endpoint"))
    assert ways.of(ANN) == [other]
    assert ways.of(BOB) == [mine]


def test_there_are_only_so_many_ways(ways: Ways) -> None:
    for number in range(MOST_WAYS):
        ways.add(ANN, wish("hook", f"https://{number}.example.org/"))
    with refused("many_ways"):
        ways.add(ANN, wish("hook", "https://one.too.many/"))
    ways.add(ANN, wish("hook", "https://0.example.org/"))  # one that there is
    assert len(ways.of(ANN)) == MOST_WAYS
    ways.add(BOB, wish("hook", "https://one.too.many/"))


def test_an_address_is_asked_three_times_in_a_month_whoever_wants_it(ways: Ways) -> None:
    """Also when it is written in another way, removed in between, or wanted by somebody new each time."""
    for number, address in enumerate(("victim@example.org", "Vic.tim@Example.ORG", "victim+1@example.org")):
        way = ways.add(f"stranger {number}", wish(address=read_mail(address)))
        ways.leave(way.nonce)
        wait(ways, timedelta(days=1))
    with refused("too_often"):
        ways.add("somebody else", wish(address="victim@example.org"))
    assert ways.of("somebody else") == []
    wait(ways, timedelta(days=28))
    assert ways.add("somebody else", wish(address="victim@example.org"))


def test_nobody_asks_many_addresses(ways: Ways) -> None:
    for number in range(10):
        way = ways.add(ANN, wish(address=f"{number}@example.org"))
        ways.remove(ANN, way.id)
    with refused("too_often"):
        ways.add(ANN, wish(address="11@example.org"))
    ways.add(BOB, wish(address="11@example.org"))
    wait(ways, timedelta(days=1, seconds=1))
    ways.add(ANN, wish(address="12@example.org"))


def test_all_together_ask_only_so_many(ways: Ways) -> None:
    for number in range(200):
        ways.add(f"stranger {number}", wish(address=f"{number}@example.org"))
    with refused("too_often"):
        ways.add(ANN, wish())
    ways.add(ANN, wish("hook", "https://example.org/"))  # mail and chat are counted apart


def test_browsers_of_all_together_ask_only_so_often(ways: Ways) -> None:
    for number in range(60):
        ways.add(f"stranger {number}", wish("push", f"endpoint {number}"))
    with refused("too_often"):
        ways.add(ANN, wish("push", "endpoint"))
    wait(ways, timedelta(minutes=1, seconds=1))
    ways.add(ANN, wish("push", "endpoint"))


def test_tests_are_counted(ways: Ways) -> None:
    way = ways.add(ANN, wish())
    with refused("no_way"):
        ways.to_test(ANN, way.id)  # nobody has said yes yet
    ways.confirm(way.nonce)
    for _ in range(3):
        ways.to_test(ANN, way.id)
    with refused("too_often"):
        ways.to_test(ANN, way.id)
    wait(ways, timedelta(minutes=11))
    ways.to_test(ANN, way.id)
    with refused("no_way"):
        ways.to_test(BOB, way.id)


def test_what_nobody_confirms_is_forgotten(ways: Ways) -> None:
    way = ways.add(ANN, wish())
    wait(ways, timedelta(days=3))
    ways.add(BOB, wish(address="bob@example.org"))
    with refused("no_way"):
        ways.confirm(way.nonce)
    wait(ways, timedelta(days=40))
    ways.add(BOB, wish(address="bob@example.org"))
    with ways.database.reading() as connection:
        assert connection.execute(select(func.count()).select_from(LETTER)).scalar() == 1


def test_leaving_needs_the_link_or_to_be_the_owner(ways: Ways) -> None:
    first, second = ways.add(ANN, wish()), ways.add(ANN, wish("hook", "https://example.org/"))
    with refused("no_way"):
        ways.remove(BOB, first.id)
    ways.leave("no such nonce")
    assert ways.of(ANN) == [first, second]
    ways.leave(first.nonce)
    ways.leave(first.nonce)
    assert ways.of(ANN) == [second]
    ways.add(BOB, wish())
    ways.remove_all(ANN)
    assert ways.of(ANN) == []
    assert len(ways.of(BOB)) == 1


@pytest.mark.parametrize("outcome", ["failed", "barred"])
def test_a_way_that_fails_again_and_again_is_given_up(ways: Ways, outcome: Outcome) -> None:
    way = ways.add(ANN, wish())
    for _ in range(GIVEN_UP - 1):
        ways.came_of(ways.by_nonce(way.nonce), outcome)
    ways.came_of(ways.by_nonce(way.nonce), "later")  # not its fault
    assert ways.by_nonce(way.nonce).failures == GIVEN_UP - 1
    ways.came_of(ways.by_nonce(way.nonce), "sent")  # it begins anew
    assert ways.by_nonce(way.nonce).failures == 0
    for _ in range(GIVEN_UP):
        ways.came_of(ways.by_nonce(way.nonce), outcome)
    assert ways.of(ANN) == []


def test_who_is_gone_is_given_up_at_once(ways: Ways) -> None:
    ways.came_of(ways.add(ANN, wish()), "gone")
    assert ways.of(ANN) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "anna",
        "anna@localhost",
        "@example.org",
        "anna@",
        "anna@exa mple.org",
        "anna@example.org, bruno@example.org",
        "anna@example.org\nBcc: bruno@example.org",
        "Anna <anna@example.org>",
        "anna@[127.0.0.1]",
        "anna@127.0.0.1",
        "a" * 65 + "@example.org",
        "анна@example.org",
    ],
)
def test_what_is_no_mail_address_is_refused(text: str) -> None:
    with refused("bad_mail"):
        read_mail(text)
