"""A room in pieces: none tells a secret, only what has changed is sent, and nothing that somebody typed is markup."""

import re
from typing import Any

import pytest
from msgspec.structs import replace

from app.engine.contract import SPECTATOR, Viewer
from app.engine.rng import Rng
from app.engine.table import Table
from app.games.valdora.moves import TURN_PAGE, Go
from app.games.valdora.state import Options, State
from app.live.regions import Encoded
from app.rooms.seating import NewRoom
from app.rooms.service import Rooms
from app.rooms.snapshot import Snapshot
from app.web.drawing import Drawings, Drawn, HtmlFace, Look, content, look_of
from tests.games.valdora.tabletop import GAME
from tests.games.valdora.test_random_play import random_tables

SITE = "http://testserver/"


@pytest.fixture
def room(rooms: Rooms) -> Snapshot:
    """Of three people, seat 0 to move."""
    code = rooms.create("p0", NewRoom("valdora", 3, {"start": "first_seat"})).code
    for number, name in enumerate(("Anna", "Bruno", "Vera")):
        rooms.join(code, f"p{number}", name)
    return rooms.start(code, "p0")


def drawn(room: Snapshot, viewer: Viewer, **changes: Any) -> Drawn:
    person = f"p{viewer}" if viewer >= 0 else None
    return Drawings().draw(replace(room, **changes), look_of(room, person, "en", SITE))


@pytest.mark.parametrize("viewer", [SPECTATOR, 0, 1, 2])
def test_no_piece_tells_a_secret(room: Snapshot, viewer: Viewer) -> None:
    """Tables that differ only in what a viewer may not know are drawn alike, to the letter."""
    rng, differing = Rng.seeded("pieces"), 0
    for state in list(random_tables(3, "pieces", 240))[::6]:
        if GAME.outcome(state):
            continue
        other = GAME.resample(state, viewer, rng)
        differing += other != state
        assert drawn(room, viewer, state=state) == drawn(room, viewer, state=other)
    assert differing > 20


def test_what_all_may_see_is_the_same_for_all_but_ones_own(room: Snapshot) -> None:
    watched = drawn(room, SPECTATOR).pieces
    for seat in range(3):
        own = drawn(room, seat).pieces
        different = {name for name in own if own[name] != watched.get(name)}
        assert different <= {f"mat-{seat}", "targets", "prompt", "actions", "forms", "recap", "chat", "people"}


def after(room: Snapshot, *moves: Any) -> Snapshot:
    state: State = room.state
    for move in moves:
        state = GAME.apply(state, 0, move).state
    return replace(room, state=state, rev=room.rev + 1, seq=room.seq + len(moves))


def sent(before: Snapshot, now: Snapshot, person: str | None) -> list[str]:
    """The names of the pieces that travel."""
    face = HtmlFace(Drawings(), "en", SITE)
    look = face.look(before, person)
    old, new = face.draw(Encoded(before), look), face.draw(Encoded(now), face.look(now, person))
    text = face.difference(Encoded(now), old, new, look, {"seats": [], "watching": 0})
    return re.findall(r'<hx-partial hx-target="#([\w-]+)"', text)


def test_only_what_has_changed_travels(room: Snapshot) -> None:
    moved = after(room, Go("C"))
    told = sent(room, moved, None)
    assert {"rev", "pawns"} <= set(told)
    assert not [name for name in told if name.startswith(("s-", "book-"))]
    turned = after(moved, TURN_PAGE[1])
    assert [name for name in sent(moved, turned, None) if name.startswith("book-")] == ["book-C"]
    assert "mat-1" not in sent(moved, turned, "p0")


def test_a_room_that_begins_is_sent_whole(room: Snapshot) -> None:
    lobby = replace(room, status="lobby", state=None, rev=room.rev - 1)
    assert sent(lobby, room, "p1") == ["room"]


def test_what_somebody_typed_is_no_markup(room: Snapshot) -> None:
    named = replace(room, seats=tuple(replace(seat, name="<!--piece rev--><i>") for seat in room.seats))
    look = look_of(named, "p0", "en", SITE)
    pieces = Drawings().draw(named, look)
    assert pieces.pieces.keys() == drawn(room, 0).pieces.keys()
    page = content(named, pieces, look, {"seats": [0], "watching": 0})
    assert "<i>" not in page
    assert "&lt;!--piece rev--&gt;" in page


def test_every_piece_is_one_element_with_its_name(room: Snapshot) -> None:
    for viewer in (SPECTATOR, 0):
        for name, html in drawn(room, viewer).pieces.items():
            assert re.match(rf'<\w+ id="{name}"', html), name


def test_a_frozen_and_a_barred_room_show_nothing_of_the_table(room: Snapshot) -> None:
    frozen = replace(room, status="frozen", state=None)
    barred = replace(room, spectators=False)
    for one, words in ((frozen, "frozen"), (barred, "only for those who play")):
        look = look_of(one, None, "en", SITE)
        page = content(one, Drawings().draw(one, look), look, {"seats": [], "watching": 0})
        assert words in page
        assert "board" not in page


def test_looks_differ_by_all_that_one_may_do(room: Snapshot) -> None:
    assert look_of(room, "p0", "en", SITE) == Look(0, "en", (0,), True, False, SITE)
    assert look_of(room, "nobody", "ru", SITE) == Look(SPECTATOR, "ru", (), False, False, SITE)
    assert Table(GAME, Options(start="first_seat"), 3, room.seed).state == room.state
