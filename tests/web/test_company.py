"""Bots, clocks, agreements and private links, through the API and the pages' forms. On both databases."""

import re

import pytest
from starlette.testclient import TestClient

from tests.people import Person, open_room, sit_down, start_game

PACE = {"kind": "bank", "seconds": 600, "more": 15, "quiet": [22, 8], "zone": "Europe/Rome", "absent": 300}


def test_the_host_has_the_house_play_and_everybody_sees_how_well(client: TestClient) -> None:
    host = open_room(client, 3)
    assert host.post("bots", {"level": "strong", "seat": 2}).status_code == 204
    assert host.post("bots", {"level": "weak"}).json()["code"] == "no_bot"
    guest = sit_down(client, host.code, "Anna")
    assert guest.post("bots", {"level": "easy"}).json()["code"] == "not_host"
    seats = host.look()["room"]["seats"]
    assert [(seat["number"], seat["bot"], seat["vacant"]) for seat in seats] == [(0, None, False), (2, "strong", False)]


def test_a_pace_is_agreed_on_and_the_clock_is_told(client: TestClient) -> None:
    people = start_game(client, pace=PACE)
    seen = people[1].look()
    assert seen["room"]["pace"] == PACE
    assert (seen["clock"]["left"], seen["clock"]["asked"], seen["clock"]["limit"]) == ([600.0] * 3, [0], 600.0)
    for bad in ({"kind": "move"}, {"kind": "sand"}, {"zone": "Mars/Base"}, {"quiet": [25, 3]}, {"much": 1}):
        answer = Person(client).call("POST", "/api/rooms", {"game": "valdora", "seats": 3, "pace": bad})
        assert (answer.status_code, answer.json()["code"]) == (422, "bad_pace")


def test_a_form_says_it_in_words(client: TestClient) -> None:
    form = {"game": "valdora", "pace": "move:86400", "quiet": "22-8", "zone": "Europe/Rome", "absent": "3600"}
    page = client.post("/rooms", data=form)
    for words in (
        "1 day each time",
        "from 22 to 8 o'clock (Europe/Rome).",
        "After 1 hour the house plays",
    ):
        assert words in page.text.replace("&#39;", "'")
    for bad in ("move", "sand:1", "move:much", "move:60:5:9:9"):
        assert client.post("/rooms", data={"game": "valdora", "pace": bad}).status_code == 422


def test_agreements_are_seen_by_all(client: TestClient) -> None:
    people = start_game(client)
    for person in people[:2]:
        assert person.post("wish", {"what": "pause"}).status_code == 204
    assert [wish["seat"] for wish in people[2].look()["room"]["wishes"]] == [0, 1]
    people[2].post("wish", {"what": "pause"})
    room = people[0].look()["room"]
    assert (room["paused"], room["wishes"]) == (True, [])
    assert people[0].move({"do": "move", "to": "north_mine"}).json()["code"] == "paused"
    assert people[1].post("resume").status_code == 204
    assert people[0].move({"do": "move", "to": "north_mine"}).status_code == 200


def test_who_comes_back_plays_again(client: TestClient) -> None:
    people = start_game(client)
    for person in people[1:]:
        person.post("wish", {"what": "keep", "seat": 0})
    assert people[1].look()["room"]["seats"][0] | {"name": ""} == {
        "number": 0, "name": "", "vacant": False, "bot": "normal", "kept": True,
    }  # fmt: skip
    assert people[0].post("back").status_code == 204
    assert people[1].look()["room"]["seats"][0]["bot"] is None


def test_spectators_are_late_everywhere(client: TestClient) -> None:
    people = start_game(client, delay=2)
    people[0].move({"do": "move", "to": "north_mine"})
    spectator = Person(client, people[0].code)
    assert people[1].look()["seq"] == 1
    assert (spectator.look()["seq"], spectator.look()["decision"]) == (0, "0")
    assert spectator.call("GET", "/api/rooms/{code}/log").json()["log"] == []
    assert len(people[1].call("GET", "/api/rooms/{code}/log").json()["log"]) == 1
    client.cookies.clear()
    page = client.get(f"/r/{people[0].code}").text
    assert "north silver mine." not in page
    assert "2 moves late" in page
    told = "goes to: north silver mine"
    ways = [f"/r/{people[0].code}/{way}" for way in ("replay", "replay?at=1", "replay?at=1&from=0", "replay?at=1&as=0")]
    for way in ways:
        assert told not in client.get(way, headers={"hx-request": "true"}).text, way
    client.cookies.set("person", people[1].token)
    assert told in client.get(ways[1]).text


def test_several_at_one_device(client: TestClient) -> None:
    host = open_room(client, 3)
    people = [sit_down(client, host.code, "Anna", host.token)]
    for name in ("Bruno", "Carla"):
        assert people[0].post("join", {"name": name, "beside": True}).json()["seat"] == len(people)
        people.append(people[0])
    host.post("start")
    seen = host.look()
    assert (seen["you"], seen["legal"]) == (None, [])
    (seat,) = seen["to_act"]
    assert host.post(f"seats/{seat}/face").status_code == 204
    assert host.look()["you"] == seat
    assert host.post("seats/7/face").json()["code"] == "not_seated"


@pytest.mark.parametrize("purpose", ["hand", "coach"])
def test_a_private_link_only_asks_first(client: TestClient, purpose: str) -> None:
    people = start_game(client)
    client.cookies.set("person", people[1].token)
    page = client.get(f"/r/{people[0].code}/{purpose}").text
    link = re.search(rf"/{purpose}/[\w.-]+", page)
    assert link
    client.cookies.clear()
    before = people[0].look()
    assert people[1].token not in page
    assert "Бруно" in client.get(link[0]).text
    assert people[0].look() == before
    answer = client.post(link[0], data={"name": "Dora"})
    assert answer.status_code == 200
    names = [seat["name"] for seat in people[0].look()["room"]["seats"]]
    assert names == ["Anna", "Dora" if purpose == "hand" else "Бруно", "Çelik"]
    assert client.get(f"/carry/{link[0].rpartition('/')[2]}").status_code == 403  # a link is good for one thing only
