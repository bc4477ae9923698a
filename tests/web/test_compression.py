"""Answers that travel small, and those that must not."""

import gzip
import re
from pathlib import Path

import brotli
import pytest
from sqlalchemy import URL, make_url
from starlette.testclient import TestClient

from app.web.assets import asset
from app.web.changes import change, lines, new_entries, put
from tests.people import Person, start_game


@pytest.fixture
def database(tmp_path: Path) -> URL:
    """Pages are the same on either database; one is enough."""
    return make_url(f"sqlite:///{tmp_path / 'pages.sqlite3'}")


def raw(client: TestClient, path: str, coding: str, **headers: str) -> tuple[dict[str, str], bytes]:
    """An answer as it travels."""
    with client.stream("GET", path, headers={"accept-encoding": coding, **headers}) as answer:
        assert answer.status_code == 200
        return dict(answer.headers), b"".join(answer.iter_raw())


@pytest.fixture
def people(client: TestClient) -> list[Person]:
    return start_game(client)


def test_a_page_is_compressed_as_the_client_reads_it(client: TestClient) -> None:
    plain_headers, plain = raw(client, "/", "identity")
    assert "content-encoding" not in plain_headers
    for coding, expand in (("gzip", gzip.decompress), ("br", brotli.decompress)):
        headers, body = raw(client, "/", coding)
        assert headers["content-encoding"] == coding
        assert headers["content-length"] == str(len(body))
        assert expand(body) == plain
        assert len(body) < len(plain) / 2
        assert "Accept-Encoding" in headers["vary"]
        assert "Accept-Language" in headers["vary"]
    assert "Accept-Encoding" in plain_headers["vary"]


@pytest.mark.parametrize(
    ("name", "small"),
    [
        ("site.css", True),
        ("vendor/htmx.js", True),
        ("vendor/icons.svg", True),
        ("vendor/alegreya-latin-700.woff2", False),
    ],
)
def test_assets_are_compressed_unless_they_already_are(client: TestClient, name: str, small: bool) -> None:
    plain = raw(client, asset(name), "identity")[1]
    for coding, expand in (("gzip", gzip.decompress), ("br", brotli.decompress)):
        headers, body = raw(client, asset(name), coding)
        assert headers.get("content-encoding") == (coding if small else None)
        assert (expand(body) if small else body) == plain
        assert headers.get("vary") == ("Accept-Encoding" if small else None)
        assert "immutable" in headers["cache-control"]


def test_an_asset_that_is_known_is_not_sent_again(client: TestClient) -> None:
    mark = client.get("/static/site.css").headers["etag"]
    answer = client.get("/static/site.css", headers={"if-none-match": mark})
    assert answer.status_code == 304
    assert answer.content == b""
    assert client.head("/static/site.css").status_code == 200


@pytest.mark.parametrize("name", ["../app/main.py", "%2e%2e/pyproject.toml", "vendor", "vendor/alegreya-latin-700.ttf"])
def test_only_assets_are_served(client: TestClient, name: str) -> None:
    assert client.get(f"/static/{name}").status_code == 404


def test_fonts_are_named_by_their_content_and_kept(client: TestClient) -> None:
    fonts = re.findall(r'url\("([^"]+)"\)', client.get(asset("site.css")).text)
    assert len(fonts) == 13
    for font in fonts:
        answer = client.get(f"/static/{font}")
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "font/woff2"
        assert "immutable" in answer.headers["cache-control"]


def test_a_private_link_is_never_compressed(client: TestClient, people: list[Person]) -> None:
    client.cookies.set("person", people[0].token)
    headers, body = raw(client, f"/r/{people[0].code}/carry", "gzip, br")
    assert "content-encoding" not in headers
    link = re.search(rb'href="http://testserver(/carry/[^"]+)"', body)
    assert link
    assert "content-encoding" not in raw(client, link[1].decode(), "gzip, br")[0]


def test_what_another_site_asks_for_with_a_cookie_is_not_compressed(client: TestClient, people: list[Person]) -> None:
    path = f"/r/{people[0].code}"
    client.cookies.clear()
    assert "content-encoding" in raw(client, path, "br", **{"sec-fetch-site": "cross-site"})[0]
    client.cookies.set("person", people[0].token)
    assert "content-encoding" in raw(client, path, "br", **{"sec-fetch-site": "same-origin"})[0]
    assert "content-encoding" not in raw(client, path, "br", **{"sec-fetch-site": "cross-site"})[0]


def test_the_answer_to_a_move_is_sent_as_it_is(people: list[Person]) -> None:
    seen = people[0].look()
    answer = people[0].move(seen["legal"][0])
    assert answer.status_code == 200
    assert "content-encoding" not in answer.headers
    assert "vary" not in answer.headers


def test_a_log_sends_its_new_entries_and_a_text_its_new_lines() -> None:
    before, now = ("<ol><li>b</li> <li>a</li></ol>", "<ol><li>c</li> <li>b</li></ol>")
    assert change("log", before, now) == put("log", "<li>c</li>", "afterbegin")
    assert change("log", now, before) == put("log", before)
    assert change("log", "<ol></ol>", now) == put("log", now)
    assert new_entries("<ol><li>x</li><li>x</li></ol>", "<ol><li>x</li><li>x</li><li>x</li></ol>") == "<li>x</li>"
    one, two, three = (f"<p>{lines(text)}</p>" for text in ("a\n<b>", "a\nc", "a"))
    assert "&lt;b&gt;" in one
    assert change("words", one, two) == put("line-1", '<span id="line-1">c</span>')
    assert change("words", two, three) == put("words", three)
