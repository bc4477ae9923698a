"""A table at which several are asked at once and anybody may interrupt: what is offered, and what nobody is told."""

import re
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from jinja2 import ChoiceLoader, DictLoader
from msgspec.structs import replace
from starlette.testclient import TestClient

from app.engine.contract import SPECTATOR, Seat, Viewer
from app.engine.rng import Rng
from app.house import House
from app.i18n import Message, phrasebook
from app.rooms.service import Rooms
from app.rooms.snapshot import Snapshot
from app.simulation import play_game
from app.web import render
from app.web.drawing import Drawings, look_of
from tests.engine.hush import HUSH, Options
from tests.hushed import BLOWS, SAYS_NO, SAYS_YES, hold, started
from tests.people import open_room, sit_down

WORDS = {
    **{f"hush.{key}": f"{{seat}} {key}" for key in ("answers", "blows", "pays", "round", "ask.pay", "busy.pay")},
    **{f"hush.{key}": key for key in ("title", "yes", "no", "blow")},
}


pytestmark = pytest.mark.usefixtures("hush")


@pytest.fixture(autouse=True)
def drawn_somehow(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The toy has words, and templates without a piece of their own."""
    for key, words in WORDS.items():
        monkeypatch.setitem(phrasebook("en").messages, key, Message((words,)))
    loaders = [render._TEMPLATES.loader, DictLoader({f"games/hush/{name}.html": "" for name in ("own", "public")})]
    monkeypatch.setattr(render._TEMPLATES, "loader", ChoiceLoader([one for one in loaders if one]))
    yield
    assert render._TEMPLATES.cache is not None
    render._TEMPLATES.cache.clear()


def pieces(room: Snapshot, viewer: Viewer) -> dict[str, str]:
    person = f"p{viewer}" if viewer >= 0 else None
    return dict(Drawings().draw(room, look_of(room, person, "en", "http://testserver/")).pieces)


def offered(html: str) -> set[str]:
    return set(re.findall(r'<button form="act"[^>]*>(\w+)</button>', html))


def asked_discs(prompt: str) -> list[str]:
    return re.findall(r'class="disc p(\d)"', prompt)


def test_everybody_who_is_asked_is_told_so_by_their_own_seat(rooms: Rooms) -> None:
    room = rooms.room(started(rooms, coins=1, whistle=-1))
    for seat in (1, 2):
        prompt = pieces(room, seat)["prompt"]
        assert f'data-turn="{seat}"' in prompt
        assert f"P{seat} ask.pay" in prompt
        assert offered(prompt) == {"yes", "no"}
    for viewer in (SPECTATOR, 0):
        shown = pieces(room, viewer)
        assert "data-turn" not in shown["prompt"]
        assert "P1 busy.pay" in shown["prompt"]
        assert asked_discs(shown["prompt"]) == ["1", "2"]
        assert offered(shown["prompt"]) == offered(shown["actions"]) == set()
        assert re.match(r"<details [^>]*hidden", shown["actions"])


def test_who_has_answered_waits_for_the_others(rooms: Rooms) -> None:
    code = started(rooms, coins=1, whistle=-1)
    rooms.play(code, "p1", "d0", SAYS_YES, "k")
    prompt = pieces(rooms.room(code), 1)["prompt"]
    assert "data-turn" not in prompt
    assert "P2 busy.pay" in prompt
    assert asked_discs(prompt) == ["1", "2"]


@pytest.mark.parametrize("seat", [0, 1])
def test_who_may_interrupt_is_offered_it(rooms: Rooms, seat: Seat) -> None:
    code = started(rooms, coins=1, whistle=seat)
    rooms.play(code, "p1", "d0", SAYS_YES, "k")  # neither is waited for any more
    shown = pieces(rooms.room(code), seat)
    assert offered(shown["prompt"]) == offered(shown["actions"]) == {"blow"}
    assert not re.match(r"<details [^>]*hidden", shown["actions"])
    assert "data-turn" not in shown["prompt"]


def test_of_several_seats_the_one_that_holds_the_device_is_called_and_the_others_may_take_it(rooms: Rooms) -> None:
    code = started(rooms, coins=1, whistle=-1)
    hold(rooms, code, "p1", "p2")
    shown = pieces(rooms.room(code), 1)["prompt"]
    assert "data-turn" not in shown
    assert [seat in shown for seat in ('value="1"', 'value="2"')] == [True, True]
    assert 'data-turn="1"' in pieces(rooms.face(code, "p1", 1), 1)["prompt"]
    rooms.play(code, "p1", "d0", SAYS_YES, "k")
    shown = pieces(rooms.room(code), 1)["prompt"]
    assert "data-turn" not in shown
    assert [seat in shown for seat in ('value="1"', 'value="2"')] == [False, True]


@pytest.mark.parametrize("viewer", [SPECTATOR, 0, 2])
def test_an_unseen_answer_changes_nothing_that_others_see(rooms: Rooms, viewer: Viewer) -> None:
    code = started(rooms, coins=1)
    before = pieces(rooms.room(code), viewer)
    rooms.play(code, "p1", "d0", SAYS_NO, "k")
    after = pieces(rooms.room(code), viewer)
    assert {name for name in after if after[name] != before[name]} <= {"rev", "forms"}
    assert viewer == SPECTATOR or 'name="decision" value="d0"' in after["forms"]


def test_the_log_has_no_colour_of_who_answered_last(rooms: Rooms) -> None:
    code = started(rooms, coins=1, whistle=0)
    rooms.play(code, "p0", "d0", BLOWS, "k")
    rooms.play(code, "p1", "d0", SAYS_NO, "k")
    rooms.play(code, "p2", "d0", SAYS_YES, "k")
    log = pieces(rooms.room(code), SPECTATOR)["log"]
    assert re.findall(r"<li([^>]*)>", log) == ["", ' class="p0"']
    assert "P2 pays" in log


@pytest.mark.parametrize("viewer", [SPECTATOR, 0, 1, 2])
def test_no_piece_tells_a_secret(rooms: Rooms, viewer: Viewer) -> None:
    room, rng, differing = rooms.room(started(rooms)), Rng.seeded("pieces"), 0
    for seed in range(15):
        state = HUSH.setup(Options(), 3, str(seed))
        for entry in play_game(HUSH, 3, seed, check=False)[1].log:
            other = HUSH.resample(state, viewer, rng)
            differing += other != state
            assert pieces(replace(room, state=state), viewer) == pieces(replace(room, state=other), viewer)
            move: dict[str, Any] = getattr(entry, "move", {})
            state = HUSH.apply(state, entry.seat, HUSH.move_type(move["what"])).state
    assert differing > 20


def test_at_a_running_site_the_house_answers_by_itself(client: TestClient) -> None:
    host = open_room(client, 3, game="hush", options={"coins": 0, "rounds": 1, "whistle": -1})
    people = [sit_down(client, host.code, "Ann", host.token), *(sit_down(client, host.code, name) for name in "BC")]
    house: House = client.app.state.house  # type: ignore[attr-defined]
    house.rooms.pause = lambda: timedelta(seconds=0.5)
    assert people[0].post("start").status_code == 204
    assert people[1].move(SAYS_NO).status_code == 200
    log = people[0].call("GET", "/api/rooms/{code}/log").json()["log"]
    assert log == [{"seq": 1, "seat": None, "undo": False, "events": []}]
    assert people[1].move(SAYS_NO).status_code == 403
    for _ in range(200):
        seen = people[2].look()
        if seen["room"]["status"] == "ended":
            break
        time.sleep(0.05)
    assert seen["seq"] == 2
