"""A room's page: forms that work, refusals that say why, and nobody else's business."""

import html
import re

import pytest
from starlette.testclient import TestClient

from app.i18n import phrasebook
from tests.friends import Friends
from tests.games.valdora.tabletop import GAME
from tests.people import Person, start_game


@pytest.fixture
def stranger(client: TestClient) -> TestClient:
    client.cookies.clear()
    return client


def opened(client: TestClient) -> str:
    answer = client.post("/rooms", data={"game": "valdora", "seats": "3"}, follow_redirects=False)
    assert answer.status_code == 303
    assert "person=" in answer.headers["set-cookie"]
    return answer.headers["location"]


def problem(text: str) -> str:
    found = re.search(r'<p class="problem">([^<]*)<', text)
    assert found, text
    return html.unescape(found[1]).strip()


def test_opening_a_room_makes_somebody_of_a_stranger(stranger: TestClient) -> None:
    path = opened(stranger)
    assert "person" in stranger.cookies
    page = stranger.get(path).text
    assert f"http://testserver{path}" in page
    assert stranger.post(f"{path}/join", data={"name": "Ann"}).url.path == path
    assert "Ann (you)" in html.unescape(stranger.get(path).text)


@pytest.mark.parametrize(
    ("what", "data", "status", "key"),
    [
        ("join", {"name": ""}, 422, "name_length"),
        ("join", {"name": "<script>"}, 422, "name_signs"),
        ("start", {}, 409, "too_few"),
        ("leave", {}, 403, "not_seated"),
        ("free", {"seat": "0"}, 404, "no_seat"),
        ("undo", {"key": "k"}, 403, "not_seated"),
        ("chat", {"text": " ", "name": "X"}, 422, "chat_length"),
    ],
)
def test_a_refusal_shows_the_room_and_the_reason(
    stranger: TestClient, what: str, data: dict[str, str], status: int, key: str
) -> None:
    path = opened(stranger)
    answer = stranger.post(f"{path}/{what}", data=data, headers={"accept-language": "it"})
    assert answer.status_code == status
    args = {"most": 24 if what == "join" else 500, "missing": 3}
    assert problem(answer.text) == phrasebook("it").say(f"room.error.{key}", args)
    assert "<script>" not in answer.text


@pytest.mark.parametrize(
    ("data", "status"),
    [({}, 422), ({"game": "chess"}, 404), ({"game": "valdora", "seats": "9"}, 422)],
)
def test_a_room_that_cannot_be_opened(stranger: TestClient, data: dict[str, str], status: int) -> None:
    answer = stranger.post("/rooms", data=data)
    assert answer.status_code == status
    assert answer.headers["content-type"].startswith("text/html")


def test_another_sites_page_can_neither_act_nor_replace_who_one_is(stranger: TestClient) -> None:
    path = opened(stranger)
    mine = stranger.cookies["person"]
    for target, data in (("/rooms", {"game": "valdora"}), (f"{path}/join", {"name": "Eve"}), (f"{path}/start", {})):
        answer = stranger.post(target, data=data, headers={"origin": "https://evil.example"})
        assert answer.status_code in (401, 403)
        assert "set-cookie" not in answer.headers
    assert stranger.cookies["person"] == mine
    assert "Eve" not in stranger.get(path).text


def test_a_move_by_form_and_what_is_wrong_with_it(client: TestClient) -> None:
    people = start_game(client)
    anna = people[0]
    path = f"/r/{anna.code}"

    def post(what: str, **data: str) -> tuple[int, str]:
        client.cookies.clear()
        client.cookies.set("person", anna.token)
        answer = client.post(f"{path}/{what}", data=data)
        return answer.status_code, answer.text

    status, text = post("move", decision="0", move='{"do":"refill"}', key="k")
    assert status == 422
    assert problem(text) == phrasebook("en").say("valdora.refuse.move_first")
    assert post("move", decision="0", move="{", key="k")[0] == 422
    assert post("move", decision="9", move='{"do":"refill"}', key="k")[0] == 409
    status, text = post("move", decision="0", move='{"do":"move","to":"north_mine"}', key="k")
    assert status == 200
    assert "Anna goes to: north silver mine." in html.unescape(text)
    assert people[1].look()["seq"] == 1


def test_a_page_shows_only_what_its_reader_may_see(client: TestClient) -> None:
    people = start_game(client, spectators=False)
    client.cookies.clear()
    page = client.get(f"/r/{people[0].code}").text
    assert phrasebook("en").say("room.error.spectators_barred") in page
    assert "High Road" not in page
    open_table = start_game(client)
    seen = client.get(f"/r/{open_table[0].code}").text
    assert "High Road" in seen
    assert "points:" not in seen
    assert Person(client, open_table[0].code).look()["you"] is None


def ask(client: TestClient, person: Person, move: str, **headers: str) -> tuple[int, str]:
    client.cookies.clear()
    client.cookies.set("person", person.token)
    answer = client.get(f"/r/{person.code}/why", params={"move": move}, headers=headers)
    return answer.status_code, answer.text


def test_why_not_is_answered_with_the_rule(client: TestClient) -> None:
    anna, bruno, _ = start_game(client)
    status, text = ask(client, anna, '{"do":"move","to":"H"}')
    assert status == 200
    assert problem(text) == phrasebook("en").say("valdora.refuse.same_space")
    assert 'href="/rules/valdora#VT-4"' in text
    assert "board" in text  # without a script, the whole room
    status, text = ask(client, bruno, '{"do":"move","to":"A"}', **{"HX-Request": "true", "Accept-Language": "it"})
    assert problem(text) == phrasebook("it").say("valdora.refuse.not_your_turn")
    assert "board" not in text  # to a script, the reason
    assert problem(ask(client, anna, '{"do":"move","to":"A"}')[1]) == phrasebook("en").say("room.why.allowed")


def test_a_question_that_is_none(client: TestClient) -> None:
    anna = start_game(client)[0]
    assert ask(client, anna, "{")[0] == 422
    assert ask(client, anna, '{"do":"fly"}')[0] == 422
    assert ask(client, Person(client, anna.code, start_game(client)[0].token), '{"do":"refill"}')[0] == 403
    client.cookies.clear()
    assert client.get(f"/r/{anna.code}/why", params={"move": "{}"}).status_code == 401


def test_a_script_gets_only_the_news_that_it_went_well(client: TestClient) -> None:
    anna = start_game(client)[0]
    client.cookies.clear()
    client.cookies.set("person", anna.token)
    form = {"decision": "0", "move": '{"do":"move","to":"A"}', "key": "k"}
    for _ in range(2):  # repeated, it is harmless
        answer = client.post(f"/r/{anna.code}/move", data=form, headers={"HX-Request": "true"})
        assert (answer.status_code, answer.text) == (204, "")
    assert anna.look()["seq"] == 1


def test_the_plot_is_drawn_only_after_the_end(client: TestClient) -> None:
    friends = Friends(client, ("Anna", "Bruno", "Vera"), seed="quick")
    assert client.get(f"/r/{friends.code}/plot.svg").status_code == 409
    friends.play_to_the_end()
    answer = client.get(f"/r/{friends.code}/plot.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.text.count('<path class="p') == 3
    for total in GAME.score_sheet(friends.table.state).totals:
        assert f" {total}</text>" in answer.text
