"""The JSON API: what it answers, to whom, and how it says no. On both databases."""

import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.house import House
from app.i18n import LANGUAGES, phrasebook
from app.rooms.errors import STATUS
from tests.people import Person, open_room, sit_down, start_game
from tests.processes import ROOT

MINE = {"do": "move", "to": "north_mine"}


def test_a_room_from_the_link_to_the_first_turn(client: TestClient) -> None:
    people = start_game(client)
    seen = people[0].look()
    assert seen["room"]["status"] == "playing"
    assert [seat["name"] for seat in seen["room"]["seats"]] == ["Anna", "Бруно", "Çelik"]
    assert (seen["you"], seen["to_act"], seen["decision"], seen["seq"]) == (0, [0], "0", 0)
    assert MINE in seen["legal"]
    assert people[0].move(MINE).json() == {"seq": 1}
    assert people[1].look()["legal"] == []
    assert people[1].look()["events"][0]["events"][0]["text"] == "Anna goes to: north silver mine."


def test_a_spectator_needs_no_token_and_sees_no_choice(client: TestClient) -> None:
    code = start_game(client)[0].code
    seen = Person(client, code).look()
    assert seen["you"] is None
    assert seen["legal"] == []
    assert all(player["points"] is None for player in seen["view"]["players"])


def test_a_table_only_for_those_who_play(client: TestClient) -> None:
    people = start_game(client, spectators=False)
    stranger = Person(client, people[0].code)
    for path in ("/api/rooms/{code}", "/api/rooms/{code}/log"):
        answer = stranger.call("GET", path)
        assert (answer.status_code, answer.json()["code"]) == (403, "spectators_barred")
    assert people[2].look()["you"] == 2


def problem(answer: Any) -> dict[str, Any]:
    assert answer.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = answer.json()
    assert body["status"] == answer.status_code
    assert body["detail"]
    return body


def test_an_illegal_move_names_the_rule_in_the_callers_language(client: TestClient) -> None:
    people = start_game(client)
    for language in LANGUAGES:
        answer = people[0].move({"do": "refill"}, **{"Accept-Language": language})
        body = problem(answer)
        assert (answer.status_code, body["code"], body["rule"]) == (422, "illegal", "VT-1")
        assert body["detail"] == phrasebook(language).say("valdora.refuse.move_first")
        assert answer.headers["content-language"] == language


def test_malformed_illegal_stale_and_not_yours_are_different(client: TestClient) -> None:
    people = start_game(client)
    assert problem(people[0].move({"do": "fly"}))["code"] == "malformed"
    assert problem(people[0].move({"do": "end_turn"}))["code"] == "illegal"
    answer = people[1].move(MINE)
    assert (answer.status_code, problem(answer)["code"]) == (403, "not_your_turn")
    stranger = sit_down(client, open_room(client).code, "Elsewhere")
    stranger.code = people[0].code
    answer = stranger.move(MINE)
    assert (answer.status_code, problem(answer)["code"]) == (403, "not_seated")
    people[0].move(MINE)
    answer = people[0].move({"do": "refill"}, decision="0")
    assert answer.status_code == 409
    fresh = problem(answer)["fresh"]
    assert (fresh["seq"], fresh["decision"], fresh["you"]) == (1, "1", 0)
    assert {"do": "refill"} in fresh["legal"]


def test_a_repeated_key_gets_the_first_answer(client: TestClient) -> None:
    people = start_game(client)
    first = people[0].move(MINE, key="same", decision="0")
    again = people[0].move(MINE, key="same", decision="0")
    assert first.json() == again.json() == {"seq": 1}
    assert people[0].look()["seq"] == 1


def test_undo_answers_with_what_the_barrier_was(client: TestClient) -> None:
    people = start_game(client)
    people[0].move(MINE)
    assert people[0].post("undo", {"key": "u1"}).json() == {"seq": 2}
    people[0].move(MINE, key="k2")
    people[0].move({"do": "end_turn"}, key="k3")
    body = problem(people[0].post("undo", {"key": "u2"}))
    assert (body["status"], body["code"], body["barrier"]) == (422, "no_undo", "turn")
    assert people[0].look()["events"][1]["undo"] is True


@pytest.mark.parametrize(
    ("what", "body"),
    [
        ("moves", {"decision": "0", "move": MINE}),
        ("moves", {"decision": 0, "move": MINE, "key": "k"}),
        ("moves", {"decision": "0", "move": [], "key": "k"}),
        ("moves", {"decision": "0", "move": MINE, "key": ""}),
        ("moves", {"decision": "0", "move": MINE, "key": "k", "more": 1}),
        ("moves", None),
        ("join", {"name": 7}),
        ("join", {"name": "x", "seat": -1}),
        ("join", {}),
        ("order", {"seats": ["a"]}),
        ("undo", {}),
        ("chat", {"text": None}),
    ],
)
def test_a_bad_body_is_answered_with_where_it_is_bad(client: TestClient, what: str, body: object) -> None:
    people = start_game(client)
    before = people[0].look()["rev"]
    answer = people[0].post(what, body)
    assert answer.status_code == 422
    assert problem(answer)["where"].startswith("body")
    assert people[0].look()["rev"] == before


def test_what_is_not_there(client: TestClient) -> None:
    nobody = Person(client, "nowhere")
    assert problem(nobody.call("GET", "/api/rooms/{code}"))["code"] == "no_room"
    assert problem(nobody.call("GET", "/api/nothing"))["code"] == "http_404"
    assert problem(nobody.call("DELETE", "/api/rooms"))["code"] == "http_405"
    assert problem(nobody.post("start"))["code"] == "who_are_you"
    nobody.token = "forged.token"
    assert problem(nobody.call("GET", "/api/rooms/{code}"))["code"] == "bad_token"


def test_the_cookie_is_signed_and_scripts_cannot_read_it(client: TestClient) -> None:
    answer = client.post("/api/rooms", json={"game": "valdora", "seats": 3})
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    code = answer.json()["code"]
    assert client.post(f"/api/rooms/{code}/join", json={"name": "Ann"}).json()["seat"] == 0
    assert client.get(f"/api/rooms/{code}").json()["you"] == 0
    value = client.cookies["person"]
    client.cookies.clear()
    client.cookies.set("person", value[:-2] + ("aa" if value[-2:] != "aa" else "bb"))
    assert client.get(f"/api/rooms/{code}").json()["you"] is None


def test_a_cookie_counts_only_for_pages_of_this_site(client: TestClient) -> None:
    code = client.post("/api/rooms", json={"game": "valdora", "seats": 3}).json()["code"]
    client.post(f"/api/rooms/{code}/join", json={"name": "Ann"})
    for origin, status in (("http://evil.example", 401), ("null", 401), ("http://testserver", 204)):
        answer = client.post(f"/api/rooms/{code}/leave", headers={"Origin": origin})
        assert answer.status_code == status, origin


def test_a_private_link_carries_a_seat(client: TestClient) -> None:
    people = start_game(client)
    carried = people[1].post("carry").json()
    link = carried["url"].rpartition("/carry/")[2]
    assert carried["qr"].startswith("<svg")
    phone = Person(client)
    answer = phone.call("POST", "/api/carry", {"carry": link})
    assert answer.json()["seat"] == 1
    phone = Person(client, answer.json()["code"], answer.json()["token"])
    assert phone.token != people[1].token
    assert phone.look()["you"] == people[1].look()["you"] == 1
    for wrong in ("", "x.y", link[:-1], people[1].token):
        assert problem(Person(client).call("POST", "/api/carry", {"carry": wrong}))["code"] == "bad_link"
    assert problem(Person(client, people[0].code).post("carry"))["code"] == "who_are_you"


def test_only_public_rooms_are_listed_and_tell_nothing_secret(client: TestClient) -> None:
    private = open_room(client)
    public = open_room(client, listed=True)
    sit_down(client, public.code, "Ann")
    listed = client.get("/api/rooms").json()["rooms"]
    assert [room["code"] for room in listed] == [public.code]
    assert private.code not in str(listed)
    assert listed[0] == {
        "code": public.code,
        "game": "valdora",
        "status": "lobby",
        "places": 3,
        "spectators": True,
        "taken": 1,
    }


def test_nobodys_identity_or_seed_is_ever_shown(client: TestClient) -> None:
    people = start_game(client, seed="known to the host")
    people[0].post("chat", {"text": "hi"})
    house: House = client.app.state.house  # type: ignore[attr-defined]
    room = house.rooms.room(people[0].code)
    shown = str([person.look() for person in (*people, Person(client, people[0].code))])
    secrets = [room.seed, *(holder for seat in room.seats for holder in seat.holders)]
    secrets += [seat.nonce for seat in room.seats]
    assert all(secret not in shown for secret in secrets)
    assert people[0].look()["room"]["seed_chosen"] is True


def test_players_do_not_hear_the_spectators_while_they_play(client: TestClient) -> None:
    people = start_game(client)
    people[0].post("chat", {"text": "to all"})
    watcher = Person(client, people[0].code)
    assert watcher.post("chat", {"text": "among us", "name": "Wat"}).status_code == 201
    assert [line["text"] for line in people[1].look()["chat"]] == ["to all"]
    assert [line["text"] for line in watcher.look()["chat"]] == ["to all", "among us"]


def test_the_log_is_whole(client: TestClient) -> None:
    people = start_game(client)
    people[0].move(MINE)
    for number in range(80):  # more than any answer carries along
        people[0].post("undo", {"key": f"u{number}"})
        people[0].move(MINE, key=f"k{number}")
    log = people[2].call("GET", "/api/rooms/{code}/log").json()["log"]
    assert [entry["seq"] for entry in log] == list(range(1, 162))
    assert len(people[2].look()["events"]) == 64


def test_the_service_is_documented(client: TestClient) -> None:
    paths = client.get("/api/openapi.json").json()["paths"]
    for path in ("/api/rooms", "/api/rooms/{code}", "/api/rooms/{code}/moves", "/api/rooms/{code}/undo"):
        assert path in paths
    assert all("summary" in call for calls in paths.values() for call in calls.values())
    assert not any(path.startswith("/language") for path in paths)


def test_every_refusal_has_its_words() -> None:
    for language in LANGUAGES:
        for code in STATUS:
            assert f"room.error.{code}" in phrasebook(language).messages


def test_every_refusal_is_raised_somewhere() -> None:
    sources = "".join(path.read_text() for path in (ROOT / "app").rglob("*.py"))
    raised = set(re.findall(r'RoomError\(\s*"(\w+)"', sources)) | {"seat_taken", "no_seat"}
    assert raised == set(STATUS)


@pytest.mark.parametrize("database", ["postgres"], indirect=True)
def test_after_a_cut_the_same_key_lands_once(client: TestClient) -> None:
    people = start_game(client)
    house: House = client.app.state.house  # type: ignore[attr-defined]
    people[0].move(MINE)
    with house.database.writing() as connection:
        connection.exec_driver_sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    answer = people[0].move({"do": "refill"}, key="after the cut")
    if answer.status_code == 503:
        assert problem(answer)["code"] == "http_503"
        answer = people[0].move({"do": "refill"}, key="after the cut", decision="1")
    assert answer.json() == {"seq": 2}


@pytest.mark.parametrize(
    ("method", "path", "content"),
    [
        ("GET", "/api/rooms/a%00b", b""),
        ("GET", "/api/rooms/a%00b/log", b""),
        ("POST", "/api/rooms/a%00b/moves", b'{"decision":"0","move":{},"key":"k"}'),
        ("POST", "/api/rooms/{code}/moves", b'{"decision":"0","move":{"do":"refill"},"key":"a\\u0000b"}'),
        ("POST", "/api/rooms/{code}/moves", b"\xff\xfe"),
        ("POST", "/api/rooms/{code}/moves", b'{"move":' + b"[" * 20_000),
        ("POST", "/api/rooms/{code}/moves", b'{"decision":"\\ud800","move":{},"key":"k"}'),
        ("POST", "/api/rooms/{code}/undo", b'{"key":"a\\u0000b"}'),
        ("POST", "/api/rooms/{code}/chat", b'{"text":"\\u0000"}'),
        ("POST", "/api/rooms/{code}/chat", b'{"text":"\\ud800"}'),
        ("POST", "/api/rooms/{code}/name", b'{"name":"\\ud800"}'),
        ("POST", "/api/rooms/{code}/order", b'{"seats":[99999999999999999999]}'),
        ("POST", "/api/rooms/{code}/chat/99999999999999999999/mute", b"{}"),
        ("POST", "/api/rooms", b'{"game":"valdora","seats":3,"seed":"a\\u0000b"}'),
        ("POST", "/api/rooms", b'{"game":"valdora","seats":3,"options":{"\\ud800":1}}'),
        ("POST", "/api/rooms", b'{"game":"a\\u0000b","seats":3}'),
        ("POST", "/api/rooms", b'{"game":"valdora","seats":99999999999999999999}'),
        ("POST", "/api/carry", b'{"carry":"\\ud800.x"}'),
    ],
)
def test_no_input_is_a_fault_of_ours(client: TestClient, method: str, path: str, content: bytes) -> None:
    people = start_game(client)
    before = people[0].look()
    client.cookies.clear()
    headers = {"Authorization": f"Bearer {people[0].token}", "Content-Type": "application/json"}
    answer = client.request(method, path.format(code=people[0].code), content=content, headers=headers)
    assert 400 <= answer.status_code < 500, answer.text
    assert people[0].look()["rev"] == before["rev"]


@pytest.mark.parametrize("origin", ["http://[::1", "null", "://", "http://testserver.evil"])
def test_an_odd_origin_is_only_another_origin(client: TestClient, origin: str) -> None:
    answer = client.post("/api/rooms", json={"game": "valdora", "seats": 3}, headers={"Origin": origin})
    assert answer.status_code == 403
    assert answer.json()["code"] == "cross_site"


def test_nobody_can_send_more_than_anybody_needs(client: TestClient) -> None:
    for path in ("/api/rooms", "/rooms", "/language"):
        assert client.post(path, content=b"x" * 70_000).status_code == 413
    answer = client.post("/api/rooms", content=iter([b"{}"]))  # without saying how much
    assert answer.status_code == 413


def test_a_move_that_breaks_is_answered_as_safely_as_anything(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Moves take a way of their own through the web's layers; errors and headers are the same on it."""
    people = start_game(client)
    house: House = client.app.state.house  # type: ignore[attr-defined]

    async def break_down(*_: object) -> int:
        raise RuntimeError("a fault")

    monkeypatch.setattr(house, "play", break_down)
    answer = people[0].move(MINE)
    assert answer.status_code == 500
    assert problem(answer)["code"] == "http_500"
    assert len(answer.headers.get_list("content-security-policy")) == 1
    assert client.post(f"/api/rooms/{people[0].code}/moves", content=b"x" * 70_000).status_code == 413
    assert client.put(f"/api/rooms/{people[0].code}/moves").status_code == 405
