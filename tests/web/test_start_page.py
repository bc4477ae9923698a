"""The start page, its language, and what is shown when something goes wrong."""

import re
from pathlib import Path

import pytest
from sqlalchemy import URL, make_url
from starlette.testclient import TestClient

from app.engine import registry
from app.i18n import LANGUAGES, phrasebook


@pytest.fixture
def database(tmp_path: Path) -> URL:
    """Pages are the same on either database; one is enough."""
    return make_url(f"sqlite:///{tmp_path / 'pages.sqlite3'}")


def language_of(html: str) -> str:
    found = re.search(r'<html lang="(\w+)">', html)
    assert found
    return found[1]


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("it-IT,it;q=0.9,en;q=0.8", "it"),
        ("de, es;q=0.5, en;q=0.3", "es"),
        ("ru", "ru"),
        ("tlh", "en"),
        ("", "en"),
        ("en;q=0.1, ru;q=NaN, it;q=0.2", "it"),
    ],
)
def test_the_browser_asks_for_a_language(client: TestClient, header: str, language: str) -> None:
    answer = client.get("/", headers={"accept-language": header})
    assert answer.status_code == 200
    assert language_of(answer.text) == language
    assert answer.headers["content-language"] == language
    assert "Accept-Language" in answer.headers["vary"]
    assert phrasebook(language).say("start.lead") in answer.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_choice_is_remembered_and_beats_the_browser(client: TestClient, language: str) -> None:
    answer = client.post("/language", data={"language": language, "back": "/?from=here"}, follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/?from=here"
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Max-Age=31536000" in cookie
    assert language_of(client.get("/", headers={"accept-language": "es"}).text) == language


@pytest.mark.parametrize(
    "elsewhere", ["//evil.example", "/\\evil.example", "https://evil.example/", "evil", "/\t/evil.example", "/\n/x"]
)
def test_the_switch_never_leads_to_another_site(client: TestClient, elsewhere: str) -> None:
    answer = client.post("/language", data={"language": "it", "back": elsewhere}, follow_redirects=False)
    assert answer.headers["location"] == "/"


def test_an_unknown_language_in_the_cookie_is_ignored(client: TestClient) -> None:
    client.cookies.set("language", "xx")
    assert language_of(client.get("/", headers={"accept-language": "ru"}).text) == "ru"


@pytest.mark.parametrize(
    ("method", "path", "data", "status"),
    [
        ("GET", "/nowhere", {}, 404),
        ("GET", "/static/nowhere.css", {}, 404),
        ("DELETE", "/", {}, 405),
        ("POST", "/language", {}, 422),
        ("POST", "/language", {"language": "klingon"}, 422),
    ],
)
def test_mistakes_are_answered_with_a_page_in_the_readers_language(
    client: TestClient, method: str, path: str, data: dict[str, str], status: int
) -> None:
    answer = client.request(method, path, data=data, headers={"accept-language": "it"})
    assert answer.status_code == status
    assert phrasebook("it").say(f"error.page.{status}") in answer.text


def test_a_fault_of_ours_is_a_page_too_and_tells_nothing(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise RuntimeError("the secret cause")

    monkeypatch.setattr(registry, "cards", broken)
    answer = client.get("/")
    assert answer.status_code == 500
    assert phrasebook("en").say("error.page.500") in answer.text
    assert "secret cause" not in answer.text


def test_both_games_are_shown(client: TestClient) -> None:
    html = client.get("/").text
    for name in ("Valdora", "Valda", "Michael Schacht", "Nathan Vermeulen"):
        assert name in html
    assert "3 to 5 players" in html
    assert "about 30 minutes a player" in html


def test_every_page_carries_the_headers_that_keep_it_safe(client: TestClient) -> None:
    for path in ("/", "/nowhere", "/static/site.css"):
        headers = client.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def test_assets_are_named_by_their_content_and_kept(client: TestClient) -> None:
    html = client.get("/").text
    assets = set(re.findall(r'(?:href|src)="(/static/[^"#]+)', html))
    assert len(assets) > 4
    for asset in assets:
        answer = client.get(asset)
        assert answer.status_code == 200, asset
        assert "immutable" in answer.headers["cache-control"]
    assert "cache-control" not in client.get("/static/site.css").headers
