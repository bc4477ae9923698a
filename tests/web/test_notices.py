"""The page on which one says how one wants to be told, and the links in what one gets. On both databases."""

import re
from collections.abc import Iterator

import pytest
from sqlalchemy import URL
from starlette.testclient import TestClient

from app.config import BadSettings, Settings, read_settings
from app.i18n import LANGUAGES, phrasebook
from app.main import create_app
from tests.telling.standins import Browser, HttpServer, MailServer, http_server, mail_server

SAY = phrasebook("en").say
HERE = "/me/notices"


@pytest.fixture
def chat() -> Iterator[HttpServer]:
    with http_server() as stand_in:
        stand_in.status = 204
        yield stand_in


@pytest.fixture
def post() -> Iterator[MailServer]:
    with mail_server() as stand_in:
        yield stand_in


@pytest.fixture
def settings(database: URL, chat: HttpServer, post: MailServer) -> Settings:
    return read_settings(
        {
            "DATABASE_URL": database.render_as_string(hide_password=False),
            "OUTGOING_ALLOW": chat.place,
            "SMTP_URL": f"smtp://{post.place}",
            "MAIL_FROM": "valtavola@example.org",
            "PUBLIC_URL": "http://testserver",
        }
    )


def link(text: str, what: str) -> str:
    found = re.search(rf"http://testserver(/{what}/[\w.=-]+)", text)
    assert found, text
    return found[1]


def add_mail(client: TestClient, address: str = "ann@example.org") -> str:
    """The page after it."""
    return client.post(f"{HERE}/mail", data={"address": address}).text


def add_hook(client: TestClient, chat: HttpServer) -> str:
    return client.post(f"{HERE}/hook", data={"address": f"http://{chat.place}/hooks/secret"}).text


def press(client: TestClient, html: str, what: str) -> str:
    """The first of these buttons; the page after it."""
    found = re.search(rf'action="({HERE}/\d+/{what})"', html)
    assert found, html
    return client.post(found[1]).text


def other(client: TestClient) -> TestClient:
    """Somebody else at the same site."""
    return TestClient(client.app)


def test_a_mail_is_asked_for_confirmed_tried_and_left(client: TestClient, post: MailServer) -> None:
    html = add_mail(client)
    assert SAY("notice.said.asked_mail") in html
    assert SAY("notice.pending.mail") in html
    assert "/test" not in html
    (question,) = post.letters
    path = link(question.get_content(), "confirm")
    reader = other(client)  # the mail is read in another browser
    assert SAY("notice.confirm.question") in reader.get(path).text
    assert SAY("notice.pending.mail") in client.get(HERE).text  # looking at a link confirms nothing
    assert SAY("notice.confirm.done") in reader.post(path).text
    html = client.get(HERE).text
    assert SAY("notice.pending.mail") not in html
    assert SAY("notice.said.tested") in press(client, html, "test")
    assert post.letters[1]["Subject"] == SAY("notice.test")
    html = press(client, html, "leave")
    assert SAY("notice.said.left") in html
    assert SAY("notice.own.none") in html


def test_a_mail_program_leaves_by_itself(client: TestClient, post: MailServer) -> None:
    add_mail(client)
    client.post(link(post.letters[0].get_content(), "confirm"))
    path = link(post.letters[0]["List-Unsubscribe"], "leave")
    program = other(client)
    assert SAY("notice.leave.question") in program.get(path).text
    assert "ann@example.org" in client.get(HERE).text
    answer = program.post(path, content="List-Unsubscribe=One-Click", headers={"origin": "https://mail.example"})
    assert answer.status_code == 200
    assert "set-cookie" not in answer.headers
    assert SAY("notice.own.none") in client.get(HERE).text
    for again in (program.get(path), program.post(path)):
        assert SAY("notice.leave.done") in again.text


def test_a_channel_is_asked_and_its_address_stays_secret(client: TestClient, chat: HttpServer) -> None:
    html = add_hook(client, chat)
    assert SAY("notice.pending.hook") in html
    assert "127.0.0.1" in html
    assert "hooks/secret" not in html
    client.post(link(chat.got[0].json["text"], "confirm"))
    press(client, client.get(HERE).text, "test")
    assert SAY("notice.test.text") in chat.got[1].json["text"]


def test_a_browser_is_told_after_its_push_service_has_taken_a_message(client: TestClient, chat: HttpServer) -> None:
    browser = Browser(chat)
    wish = {name: getattr(browser.subscription, name) for name in ("endpoint", "p256dh", "auth")}
    chat.status = 500
    refused = client.post(f"{HERE}/push", data=wish)
    assert (refused.status_code, refused.text) == (502, SAY("notice.error.not_delivered"))
    assert SAY("notice.own.none") in client.get(HERE).text
    chat.status = 201
    assert client.post(f"{HERE}/push", data=wish).status_code == 204
    assert browser.read(chat.got[1])["text"] == SAY("notice.test.text")
    assert browser.subscription.endpoint in client.get(HERE).text


@pytest.mark.parametrize(
    ("path", "address", "code", "status"),
    [
        ("mail", "not an address", "bad_mail", 422),
        ("hook", "http://example.org/hook", "bad_address", 422),
        ("hook", "https://192.168.1.1/hook", "private_address", 422),
        ("hook", "https://localhost/hook", "bad_address", 422),
    ],
)
def test_what_was_typed_stands_beside_the_reason(
    client: TestClient, path: str, address: str, code: str, status: int
) -> None:
    answer = client.post(f"{HERE}/{path}", data={"address": address})
    assert answer.status_code == status
    assert SAY(f"notice.error.{code}") in answer.text
    assert f'value="{address}"' in answer.text
    assert client.get(answer.url.path).url.path == HERE  # who loads that page anew


def test_tests_are_limited_in_words(client: TestClient, post: MailServer) -> None:
    add_mail(client)
    client.post(link(post.letters[0].get_content(), "confirm"))
    html = client.get(HERE).text
    for _ in range(3):
        assert SAY("notice.said.tested") in press(client, html, "test")
    assert SAY("notice.error.too_often") in press(client, html, "test")
    assert len(post.letters) == 4


def test_nobody_touches_what_is_anothers(client: TestClient, post: MailServer) -> None:
    add_mail(client)
    client.post(link(post.letters[0].get_content(), "confirm"))
    stranger = other(client)
    assert "ann@example.org" not in stranger.get(HERE).text
    assert stranger.post(f"{HERE}/1/leave").status_code == 401
    add_mail(stranger, "eve@example.org")
    for what in ("leave", "test"):
        assert stranger.post(f"{HERE}/1/{what}").status_code == 404
        assert client.post(f"{HERE}/1/{what}", headers={"origin": "https://evil.example"}).status_code == 401
    stranger.post(f"{HERE}/leave")
    assert "ann@example.org" in client.get(HERE).text


def test_everything_is_left_at_once(client: TestClient, chat: HttpServer) -> None:
    add_mail(client)
    assert f'action="{HERE}/leave"' in add_hook(client, chat)
    assert SAY("notice.own.none") in client.post(f"{HERE}/leave").text


def test_a_link_is_for_one_thing(client: TestClient, post: MailServer) -> None:
    add_mail(client)
    text = post.letters[0].get_content()
    confirm, leave = link(text, "confirm"), link(text, "leave")
    for wrong in (
        leave.replace("leave", "confirm"),
        confirm.replace("confirm", "leave"),
        confirm[:-1],
        "/leave/x.y",
        "/confirm/%00",
    ):
        for answer in (client.get(wrong), client.post(wrong)):
            assert answer.status_code == 404
            assert SAY("notice.error.bad_link") in answer.text
    client.post(leave)
    assert SAY("notice.error.no_way") in client.post(confirm).text


def test_pages_with_such_links_are_not_compressed(client: TestClient, post: MailServer) -> None:
    add_mail(client)
    text = post.letters[0].get_content()
    for what in ("confirm", "leave"):
        answer = client.get(link(text, what), headers={"accept-encoding": "gzip"})
        assert "content-encoding" not in answer.headers


def test_the_way_back_leads_to_the_table(client: TestClient) -> None:
    assert 'href="/r/abcdefg"' in client.get(f"{HERE}?room=abcdefg").text
    answer = client.post(f"{HERE}/leave?room=abcdefg", follow_redirects=False)
    assert answer.status_code == 401  # nobody yet
    assert client.get(f"{HERE}?room=//evil.example").status_code == 422
    code = client.post("/api/rooms", json={"game": "valdora", "seats": 3}).json()["code"]
    assert f'href="{HERE}?room={code}"' in client.get(f"/r/{code}").text
    left = client.post(f"{HERE}/leave?room={code}", follow_redirects=False)
    assert left.headers["location"] == f"{HERE}?room={code}&said=left"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_question_is_in_the_language_of_who_asks(client: TestClient, post: MailServer, language: str) -> None:
    answer = client.post(f"{HERE}/mail", data={"address": "ann@example.org"}, headers={"accept-language": language})
    assert answer.status_code == 200
    assert post.letters[0]["Subject"] == phrasebook(language).say("notice.ask.mail")


def test_without_a_mail_server_mail_is_not_offered(database: URL, client: TestClient) -> None:
    assert f'action="{HERE}/mail"' in client.get(HERE).text
    without = read_settings({"DATABASE_URL": database.render_as_string(hide_password=False)})
    with TestClient(create_app(without)) as there:
        assert f'action="{HERE}/mail"' not in there.get(HERE).text
        answer = there.post(f"{HERE}/mail", data={"address": "ann@example.org"})
        assert answer.status_code == 404
        assert SAY("notice.error.not_offered") in answer.text


def test_the_worker_may_open_every_page_and_is_never_kept(client: TestClient) -> None:
    answer = client.get("/sw.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "no-cache"
    assert "notificationclick" in answer.text


@pytest.mark.parametrize(
    ("env", "name"),
    [
        ({"PUBLIC_URL": "table.example.org"}, "PUBLIC_URL"),
        ({"PUBLIC_URL": "https://table.example.org/games"}, "PUBLIC_URL"),
        ({"PUBLIC_URL": "https://[x"}, "PUBLIC_URL"),
        ({"SMTP_URL": "mail.example.org"}, "SMTP_URL"),
        ({"SMTP_URL": "smtp://mail.example.org:x"}, "SMTP_URL"),
        ({"SMTP_URL": "smtp://mail.example.org", "PUBLIC_URL": "https://a.b"}, "MAIL_FROM"),
        ({"SMTP_URL": "smtp://mail.example.org", "MAIL_FROM": "a@b.c"}, "PUBLIC_URL"),
        ({"SMTP_URL": "smtp://m.b", "MAIL_FROM": "a@b.c\nBcc: x@y.z", "PUBLIC_URL": "https://a.b"}, "MAIL_FROM"),
        ({"OUTGOING_ALLOW": "10.0.0.1"}, "OUTGOING_ALLOW"),
        ({"OUTGOING_ALLOW": "a.b:443,:80"}, "OUTGOING_ALLOW"),
    ],
)
def test_wrong_settings_are_said(env: dict[str, str], name: str) -> None:
    with pytest.raises(BadSettings, match=name):
        read_settings(env)


def test_settings_are_read() -> None:
    read = read_settings(
        {
            "PUBLIC_URL": "https://table.example.org/",
            "SMTP_URL": "smtps://an%40na:p%3Aw@mail.example.org",
            "MAIL_FROM": "table@example.org",
            "OUTGOING_ALLOW": "chat.home.arpa:8065, [fd00::1]:443",
        }
    )
    assert read.public == "https://table.example.org/"
    assert read.mail
    assert (read.mail.host, read.mail.port, read.mail.secure) == ("mail.example.org", 465, True)
    assert (read.mail.user, read.mail.password) == ("an@na", "p:w")
    assert read.outgoing == {("chat.home.arpa", 8065), ("fd00::1", 443)}
