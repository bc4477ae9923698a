"""Opening a room with options, finding it again, and sitting down in it: through pages alone, on both databases."""

import html
import re

import pytest
from starlette.testclient import TestClient

from app.house import House
from app.i18n import LANGUAGES, phrasebook
from app.rooms.verify import verify
from tests.people import Person, open_room, sit_down, start_game

SAY = phrasebook("en").say


def page(client: TestClient, path: str, person: Person | None = None, language: str = "en") -> str:
    """A page as plain text in which sentences can be looked for."""
    client.cookies.clear()
    if person:
        client.cookies.set("person", person.token)
    answer = client.get(path, headers={"accept-language": language})
    assert answer.status_code == 200
    return html.unescape(answer.text)


def opened(client: TestClient, **fields: str) -> str:
    answer = client.post("/rooms", data={"game": "valdora", "seats": "4", **fields}, follow_redirects=False)
    assert answer.status_code == 303
    return answer.headers["location"]


def test_a_form_without_options_opens_what_most_want(client: TestClient) -> None:
    text = html.unescape(client.get(opened(client)).text)
    for key in ("lobby.private", "lobby.spectators", "valdora.option.agreed.drawn"):
        assert SAY(key) in text
    assert text.count('class="place free"') == 4


def test_the_options_are_kept_and_everybody_reads_them(client: TestClient) -> None:
    path = opened(
        client,
        listed="true",
        spectators="false",
        **{"option.start": "first_seat", "option.open_score": "true", "option.memory": "false"},
    )
    house: House = client.app.state.house  # type: ignore[attr-defined]
    room = house.rooms.room(path.rpartition("/")[2])
    assert room.options == {"start": "first_seat", "open_score": True, "memory": False}
    assert (room.listed, room.spectators) == (True, False)
    for language in LANGUAGES:
        text = page(client, path, language=language)
        for key in ("lobby.listed", "lobby.no_spectators", "join.no_watch"):
            assert phrasebook(language).say(key) in text
        for word in ("first_seat", "open_score", "no_memory"):
            assert phrasebook(language).say(f"valdora.option.agreed.{word}") in text


@pytest.mark.parametrize(
    "field",
    [
        {"option.start": "last_seat"},
        {"option.start": "true"},
        {"option.memory": "perhaps"},
        {"option.": "x"},
        {"option.magic": "true"},
        {"option.start": "x" * 4000},
    ],
)
def test_an_option_that_there_is_not_is_refused_with_a_sentence(client: TestClient, field: dict[str, str]) -> None:
    answer = client.post("/rooms", data={"game": "valdora", **field}, headers={"accept-language": "it"})
    assert answer.status_code == 422
    sentence = phrasebook("it").say("room.error.bad_options", {"detail": "@"}).partition("@")[0]
    assert sentence in html.unescape(answer.text)
    assert len(answer.text) < 6000


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_there_is_nothing_a_sentence_says_so(client: TestClient, language: str) -> None:
    text = page(client, "/", language=language)
    for name in ("own", "to_join", "to_watch"):
        assert phrasebook(language).say(f"start.{name}.none") in text


def test_the_start_page_leads_back_to_ones_games(client: TestClient) -> None:
    people = start_game(client)
    lobby = open_room(client)
    sit_down(client, lobby.code, "Dora", people[0].token)
    text = page(client, "/", people[0])
    links = re.findall(r'<a class="table( turn)?" href="/r/(\w+)"', text)
    assert links == [(" turn", people[0].code), ("", lobby.code)]
    assert SAY("room.your_turn") in text
    assert SAY("start.own.none") not in text
    waiting = page(client, "/", people[1])
    assert SAY("room.waiting_for", {"names": "Anna"}) in waiting
    assert lobby.code not in waiting
    stranger = page(client, "/")
    assert people[0].code not in stranger
    assert lobby.code not in stranger


def test_public_tables_are_there_for_strangers(client: TestClient) -> None:
    lobby = open_room(client, listed=True)
    sit_down(client, lobby.code, "Zoë")
    game = start_game(client, listed=True)[0]
    text = page(client, "/")
    assert re.findall(r'href="/r/(\w+)"', text) == [lobby.code, game.code]
    assert "Zoë" in text
    assert SAY("start.taken", {"taken": 1, "places": 3}) in text


def test_the_name_used_last_is_suggested(client: TestClient) -> None:
    people = start_game(client)
    path = f"/r/{open_room(client).code}"
    assert 'name="name" value="Бруно"' in page(client, path, people[1])
    assert 'name="name" value=""' in page(client, path)


def test_a_seat_is_chosen_or_any_is_taken(client: TestClient) -> None:
    path = opened(client)
    client.cookies.clear()
    assert client.post(f"{path}/join", data={"name": "Two", "seat": "1"}).status_code == 200
    client.cookies.clear()
    assert client.post(f"{path}/join", data={"name": "Any", "seat": ""}).status_code == 200
    client.cookies.clear()
    late = client.post(f"{path}/join", data={"name": "Late", "seat": "1"})
    assert late.status_code == 409
    assert SAY("room.error.seat_taken") in late.text
    house: House = client.app.state.house  # type: ignore[attr-defined]
    room = house.rooms.room(path.rpartition("/")[2])
    assert [(seat.number, seat.name) for seat in room.seats] == [(0, "Any"), (1, "Two")]


def test_a_full_room_offers_to_watch_or_says_that_one_cannot(client: TestClient) -> None:
    for spectators, key in ((True, "join.full_watch"), (False, "join.no_watch")):
        host = open_room(client, spectators=spectators)
        for name in "ABC":
            sit_down(client, host.code, name)
        text = page(client, f"/r/{host.code}")
        assert SAY("room.error.full") in text
        assert SAY(key) in text
        assert "/join" not in text


@pytest.mark.parametrize("spectators", [True, False])
def test_a_freed_seat_in_a_game_can_be_taken_over(client: TestClient, spectators: bool) -> None:
    people = start_game(client, spectators=spectators)
    path = f"/r/{people[0].code}"
    assert "/join" not in page(client, path)
    assert people[0].post("seats/1/free").status_code == 204
    text = page(client, path)
    assert SAY("join.take_over") in text
    client.cookies.clear()
    answer = client.post(f"{path}/join", data={"name": "Dora"})
    assert answer.status_code == 200
    assert "Dora (you)" in answer.text


def test_who_may_not_watch_gets_no_socket_that_would_be_closed(client: TestClient) -> None:
    people = start_game(client, spectators=False)
    path = f"/r/{people[0].code}"
    assert "hx-ws:connect" not in page(client, path)
    assert "hx-ws:connect" in page(client, path, people[0])


def test_a_frozen_room_says_so(client: TestClient) -> None:
    people = start_game(client)
    house: House = client.app.state.house  # type: ignore[attr-defined]
    house.rooms.freeze(people[0].code, lambda connection: True)
    for somebody in (people[0], None):
        assert SAY("room.error.frozen") in page(client, f"/r/{people[0].code}", somebody)
    assert SAY("room.status.frozen") in page(client, "/", people[0])
    assert verify(house.rooms, ["frozen"]).thawed == [people[0].code]


def test_a_chosen_deal_is_told_to_everybody(client: TestClient) -> None:
    room = open_room(client, seed="known to the host")
    assert SAY("lobby.seed_chosen") in page(client, f"/r/{room.code}")
