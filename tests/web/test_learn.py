"""The lesson and the rules without a browser: forms that lead on, refusals that say why, nonsense that is named."""

import html
import re
from pathlib import Path

import msgspec
import pytest
from starlette.testclient import TestClient

from app.config import read_settings
from app.engine.codec import raw_move
from app.games.valdora.moves import Move
from app.i18n import LANGUAGES, phrasebook
from app.main import create_app
from tests.games.valdora.tabletop import GAME

LEARN = "/learn/valdora"


@pytest.fixture
def learner(tmp_path: Path) -> TestClient:
    """At a site that has not even a database: nothing of this is stored."""
    settings = read_settings({"DATABASE_URL": f"sqlite:///{tmp_path / 'never.sqlite3'}", "SECRET": "s" * 40})
    return TestClient(create_app(settings), raise_server_exceptions=False)


def shown(text: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", "", text))


def problem(text: str) -> str:
    found = re.search(r'<p class="problem">(.*?)</p>', text)
    assert found, text
    return shown(found[1]).strip()


def fields(page: str) -> dict[str, str]:
    """What the form of a move sends along."""
    form = re.search(r'<form id="act"[^>]*>(.*?)</form>', page)
    assert form
    return dict(re.findall(r'name="(\w+)" value="(\d+)"', form[1]))


def offered(page: str) -> set[str]:
    return {html.unescape(move) for move in re.findall(r'form="act" name="move" value="([^"]+)"', page)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_whole_lesson_by_forms(learner: TestClient, language: str) -> None:
    learner.headers["accept-language"] = language
    page = learner.get(LEARN)
    words = phrasebook(language)
    assert GAME.lesson is not None
    for number, step in enumerate(GAME.lesson.steps, start=1):
        for task in step.tasks:
            text = shown(page.text)
            assert words.say("learn.step", {"step": number, "steps": 8}) in text
            assert words.say(task.says) in text
            wanted = msgspec.json.encode(raw_move(task.move)).decode()
            assert offered(page.text) == {wanted}
            page = learner.post(f"{LEARN}/move", data={**fields(page.text), "move": wanted})
            assert page.status_code == 200
    assert page.url.query == b"step=8"
    assert words.say("valdora.lesson.end") in shown(page.text)
    assert 'action="/rooms"' in page.text
    assert 'href="/rules/valdora"' in page.text


def test_a_script_is_sent_on(learner: TestClient) -> None:
    data = {"step": "3", "move": '{"do":"turn_page","pile":"right"}'}
    answer = learner.post(f"{LEARN}/move", data=data, headers={"hx-request": "true"})
    assert (answer.status_code, answer.headers["hx-redirect"]) == (204, f"{LEARN}?step=3&task=1")
    plain = learner.post(f"{LEARN}/move", data=data, follow_redirects=False)
    assert (plain.status_code, plain.headers["location"]) == (303, f"{LEARN}?step=3&task=1")


def test_nobody_needs_a_cookie_or_gets_one(learner: TestClient) -> None:
    learner.get(LEARN)
    learner.post(f"{LEARN}/move", data={"move": '{"do":"move","to":"w3"}'})
    assert not learner.cookies


@pytest.mark.parametrize("language", LANGUAGES)
def test_another_legal_move_is_answered_kindly(learner: TestClient, language: str) -> None:
    learner.headers["accept-language"] = language
    words = phrasebook(language)
    what = words.say("valdora.move.go", {"space": "w3"})
    wanted = words.say("learn.other", {"what": what})
    other = {"move": '{"do":"move","to":"A"}', "step": "0"}
    assert other["move"] in [msgspec.json.encode(raw_move(move)).decode() for move in legal_at_first()]
    posted = learner.post(f"{LEARN}/move", data=other)
    assert (posted.status_code, problem(posted.text)) == (422, wanted)
    asked = learner.get(f"{LEARN}/why", params=other)
    assert (asked.status_code, problem(asked.text)) == (200, wanted)
    by_script = learner.get(f"{LEARN}/why", params=other, headers={"hx-request": "true"})
    assert by_script.text.startswith('<p class="problem">')


def legal_at_first() -> list[Move]:
    assert GAME.lesson is not None
    state = GAME.setup(GAME.options_type(**GAME.lesson.options), GAME.lesson.seats, GAME.lesson.seed)
    return list(GAME.legal(state, 0))


def test_an_illegal_move_shows_the_rule_and_where_it_stands(learner: TestClient) -> None:
    for answer in (
        learner.get(f"{LEARN}/why", params={"move": '{"do":"move","to":"o2"}'}),
        learner.post(f"{LEARN}/move", data={"move": '{"do":"move","to":"o2"}'}),
    ):
        assert problem(answer.text).startswith(phrasebook("en").say("valdora.refuse.city_in_the_way"))
        assert '<a href="/rules/valdora#VT-2">Rule VT-2</a>' in answer.text
    assert 'id="VT-2"' in learner.get("/rules/valdora").text


@pytest.mark.parametrize(
    ("path", "status"),
    [
        (f"{LEARN}?step=9", 404),
        (f"{LEARN}?step=-1", 422),
        (f"{LEARN}?step=two", 422),
        (f"{LEARN}?step=0&task=1", 404),
        (f"{LEARN}?step=8&task=1", 404),
        (f"{LEARN}?step=99999999999999999999", 422),
        (f"{LEARN}/why", 422),
        (f"{LEARN}/why?move=%7B", 422),
        (f"{LEARN}/why?move=7", 422),
        (f"{LEARN}/move", 405),
        ("/learn/chess", 404),
        ("/rules/chess", 404),
        ("/rules/..%2Fvaldora", 404),
    ],
)
def test_nonsense_gets_a_page_that_says_so(learner: TestClient, path: str, status: int) -> None:
    answer = learner.get(path)
    assert answer.status_code == status
    assert phrasebook("en").say("error.page.back") in answer.text


@pytest.mark.parametrize("data", [{}, {"move": "{"}, {"move": '{"do":"fly"}'}, {"move": "[" * 3000}, {"step": "x"}])
def test_a_move_that_is_none_is_named(learner: TestClient, data: dict[str, str]) -> None:
    answer = learner.post(f"{LEARN}/move", data=data)
    assert answer.status_code == 422
    assert phrasebook("en").say("error.page.back") in answer.text


def test_after_the_end_nothing_more_is_asked(learner: TestClient) -> None:
    move = {"step": "8", "move": '{"do":"end_turn"}'}
    assert learner.post(f"{LEARN}/move", data=move).status_code == 404
    assert learner.get(f"{LEARN}/why", params=move).status_code == 404


def test_a_lesson_has_no_room_no_socket_and_no_chat(learner: TestClient) -> None:
    page = learner.get(f"{LEARN}?step=5").text
    assert "hx-ws" not in page
    assert "/r/" not in page
    assert "<form" in page
    assert 'id="chat"' not in page


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_have_their_pictures(learner: TestClient, language: str) -> None:
    page = learner.get("/rules/valdora", headers={"accept-language": language})
    assert page.status_code == 200
    assert phrasebook(language).say("valdora.rules.title") in shown(page.text)
    for name in ("gems", "equipment", "patrons", "ring", "board", "book"):
        assert page.text.count(f'<figure class="figure figure-{name}">') == 1
    for count in GAME.box.gem_counts:
        assert f"×{count}" in page.text
    assert " style=" not in page.text
