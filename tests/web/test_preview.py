"""What a link to a room shows where it is pasted."""

import html
import re
import struct
from pathlib import Path

import pytest
from msgspec.structs import replace
from sqlalchemy import URL, make_url
from starlette.testclient import TestClient

from app.engine.contract import SPECTATOR
from app.engine.rng import Rng
from app.i18n import LANGUAGES, phrasebook
from app.rooms.snapshot import Snapshot
from app.web.preview import Pictures, picture, preview_of
from tests.friends import Friends
from tests.games.valdora.tabletop import GAME
from tests.people import Person, open_room, sit_down
from tests.processes import run_async


@pytest.fixture
def database(tmp_path: Path) -> URL:
    """Pages are the same on either database; one is enough."""
    return make_url(f"sqlite:///{tmp_path / 'pages.sqlite3'}")


def tags(client: TestClient, code: str, language: str = "en") -> dict[str, str]:
    page = client.get(f"/r/{code}", headers={"accept-language": language}).text
    found = re.findall(r'<meta (?:property|name)="((?:og|twitter):[\w:]+)" content="([^"]*)">', page)
    return {name: html.unescape(text) for name, text in found}


def room_of(client: TestClient, code: str) -> Snapshot:
    house = client.app.state.house  # type: ignore[attr-defined]
    room: Snapshot = run_async(house.database.read(house.rooms.room, code))
    return room


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_says_who_plays_and_whose_turn_it_is(client: TestClient, language: str) -> None:
    friends = Friends(client, ("Anna", "B\"&'o", "Вера"))
    friends.play(20)
    shown = tags(client, friends.code, language)
    mover = ("Anna", "B\"&'o", "Вера")[friends.table.state.turn.seat]
    say = phrasebook(language).say
    assert shown["og:title"] == shown["twitter:title"] == f"{say('valdora.title')}: Anna, B\"&'o, Вера"
    now = say("preview.round", {"round": friends.table.state.round}), say("preview.to_move", {"names": mover})
    assert shown["og:description"] == " ".join(now)
    assert shown["og:url"] == f"http://testserver/r/{friends.code}"
    assert shown["og:image"].startswith(f"http://testserver/r/{friends.code}/board.png?rev=")
    assert shown["twitter:card"] == "summary_large_image"


def test_the_picture_is_drawn_once_for_what_it_shows(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    friends = Friends(client, ("Anna", "Bruno", "Vera"))
    drawn: list[str] = []

    def draw(svg: str) -> bytes:
        drawn.append(svg)
        return b"png"

    monkeypatch.setattr("app.web.preview.rasterise", draw)
    address = tags(client, friends.code)["og:image"]
    first, again = client.get(address), client.get(address)
    assert (first.content, again.content) == (b"png", b"png")
    friends.people[0].post("chat", {"text": "hello"})
    assert client.get(address).headers["etag"] == first.headers["etag"]
    assert len(drawn) == 1
    assert client.get(address, headers={"if-none-match": first.headers["etag"]}).status_code == 304
    friends.step()
    assert client.get(address).headers["etag"] != first.headers["etag"]
    assert len(drawn) == 2


def test_the_picture_is_a_png_of_the_size_that_was_promised(client: TestClient) -> None:
    friends = Friends(client, ("Anna", "Bruno", "Vera"))
    answer = client.get(f"/r/{friends.code}/board.png")
    assert answer.headers["content-type"] == "image/png"
    assert "max-age" in answer.headers["cache-control"]
    assert size_of(answer.content) == (1200, 630)
    shown = tags(client, friends.code)
    assert (shown["og:image:width"], shown["og:image:height"]) == ("1200", "630")
    assert client.head(f"/r/{friends.code}/board.png").status_code == 200


def test_few_pictures_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.web.preview._KEPT", 3)
    monkeypatch.setattr("app.web.preview.rasterise", str.encode)

    async def draw() -> int:
        pictures = Pictures()
        for number in range(9):
            assert await pictures.png(f"svg {number}", str(number)) == f"svg {number}".encode()
        return len(pictures._kept)

    assert run_async(draw()) == 3


def test_a_lobby_shows_the_lid(client: TestClient) -> None:
    host = open_room(client, 4)
    assert tags(client, host.code)["og:title"] == "Valdora"
    sit_down(client, host.code, "Anna", host.token)
    shown = tags(client, host.code)
    assert shown["og:title"] == "Valdora: Anna"
    assert shown["og:description"] == "Waiting for friends: 1 of 4 seats are taken."
    assert "Anna" not in picture(room_of(client, host.code))
    assert size_of(client.get(f"/r/{host.code}/board.png").content) == (1200, 630)


def test_a_room_that_bars_spectators_shows_the_lid_and_no_name(client: TestClient) -> None:
    friends = Friends(client, ("Anna", "Bruno", "Vera"), spectators=False)
    shown = tags(client, friends.code)
    assert shown["og:title"] == "Valdora"
    assert shown["og:description"] == phrasebook("en").say("room.error.spectators_barred")
    assert "rev" not in shown["og:image"]
    barred = picture(room_of(client, friends.code))
    assert barred == picture(room_of(client, open_room(client).code))


def test_an_unknown_room_has_no_picture(client: TestClient) -> None:
    assert client.get("/r/nowhere/board.png").status_code == 404


def test_the_end_names_who_won_and_all_points(client: TestClient) -> None:
    friends = Friends(client, ("Anna", "Bruno", "Vera"), seed="quick")
    playing = room_of(client, friends.code)
    while not friends.over:
        friends.table.play(*friends.next())
    ended = replace(playing, state=friends.table.state, status="ended")
    outcome = GAME.outcome(ended.state)
    assert outcome
    names = ", ".join(("Anna", "Bruno", "Vera")[seat] for seat in outcome.winners)
    assert preview_of(ended, phrasebook("it"), "/").text == f"La partita è finita. Vince: {names}."
    for total in GAME.score_sheet(ended.state).totals:
        assert f">{total}</text>" in picture(ended)


def test_a_picture_tells_nothing_that_a_spectator_may_not_know(client: TestClient) -> None:
    """Non-interference: tables that a spectator cannot tell apart look alike."""
    friends = Friends(client, ("Anna", "Bruno", "Vera"))
    room = room_of(client, friends.code)
    rng = Rng.seeded("another deal")
    different = 0
    for _ in range(250):
        friends.table.play(*friends.next())
        state = friends.table.state
        other = GAME.resample(state, SPECTATOR, rng)
        different += other != state
        one, two = (replace(room, state=table) for table in (state, other))
        assert picture(one) == picture(two)
        assert preview_of(one, phrasebook("en"), "/") == preview_of(two, phrasebook("en"), "/")
    assert different > 200


def test_whoever_asks_gets_the_same(client: TestClient) -> None:
    friends = Friends(client, ("Anna", "Bruno", "Vera"))
    friends.play(30)
    stranger = Person(client, friends.code).call("GET", "/r/{code}/board.png").content
    for person in friends.people:
        assert person.call("GET", "/r/{code}/board.png").content == stranger


def test_a_game_without_a_picture_of_its_own_shows_its_lid(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    friends = Friends(client, ("Anna", "Bruno", "Vera"))
    room = room_of(client, friends.code)
    lid = picture(replace(room, state=None))
    monkeypatch.setattr("app.web.preview._OWN", "games/{}/no-such-picture.svg")
    assert picture(room) == lid
