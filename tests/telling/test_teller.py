"""Who is told, what they are told, and what comes of it: with services that really answer, on both databases."""

import logging
from collections.abc import Iterator
from contextlib import ExitStack

import msgspec
import pytest
from sqlalchemy import URL

from app.config import read_settings
from app.i18n import LANGUAGES, Message, phrasebook
from app.rooms.identity import Signer
from app.rooms.service import Rooms
from app.telling import outgoing, teller
from app.telling.errors import TellingError
from app.telling.pace import Pace
from app.telling.push import new_key
from app.telling.repository import Way
from app.telling.teller import Teller
from app.telling.ways import Wish
from app.telling.words import harmless
from tests.hushed import SAYS_NO, hold
from tests.hushed import started as hushed
from tests.processes import run_async
from tests.rooms.test_service import BOB, CAT, END, HOST, go, play, started
from tests.telling.standins import Browser, HttpServer, MailServer, http_server, mail_server, signer_of

SITE = "https://table.example.org/"


class Others:
    """Everybody else: a service for pushes, one for chats, one for mail."""

    def __init__(self, service: HttpServer, chat: HttpServer, post: MailServer) -> None:
        self.service = service
        self.chat = chat
        self.post = post
        self.chat.status = 200


@pytest.fixture
def others() -> Iterator[Others]:
    with ExitStack() as stack:
        service, chat = (stack.enter_context(http_server()) for _ in range(2))
        yield Others(service, chat, stack.enter_context(mail_server()))


@pytest.fixture
def telling(rooms: Rooms, database: URL, others: Others) -> Iterator[Teller]:
    settings = read_settings(
        {
            "DATABASE_URL": database.render_as_string(hide_password=False),
            "OUTGOING_ALLOW": f"{others.service.place},{others.chat.place}",
            "SMTP_URL": f"smtp://{others.post.place}",
            "MAIL_FROM": "valtavola@example.org",
            "PUBLIC_URL": "https://table.example.org",
        }
    )
    made = Teller(rooms, settings, Signer("a secret of sixteen"), new_key)
    yield made
    made.close()


def wants_push(telling: Teller, person: str, browser: Browser, language: str = "en") -> Way:
    subscription = telling.push.read(browser.subscription)
    address = msgspec.json.encode(subscription).decode()
    wish = Wish("push", address, subscription.endpoint, language, "http://elsewhere/")
    return run_async(telling.begin(person, wish))


def wants_chat(telling: Teller, others: Others, person: str, channel: str = "hook") -> Way:
    address = telling.hook.read(f"http://{others.chat.place}/{channel}")
    way = run_async(telling.begin(person, Wish("hook", address, address, "en", SITE)))
    return telling.ways.confirm(way.nonce)


def wants_mail(telling: Teller, person: str, address: str = "ann@example.org", language: str = "en") -> Way:
    way = run_async(telling.begin(person, Wish("mail", address, address, language, SITE)))
    return telling.ways.confirm(way.nonce)


def tell(telling: Teller, code: str, *seats: int) -> None:
    run_async(telling.tell(code, seats))


def test_a_browser_is_told_and_nobody_else_can_read_it(telling: Teller, rooms: Rooms, others: Others) -> None:
    browser = Browser(others.service)
    way = wants_push(telling, HOST, browser)
    assert way.confirmed  # the browser has asked itself
    code = started(rooms)
    tell(telling, code, 0)
    first, told = others.service.got
    assert browser.read(first)["title"] == "A test from Valtavola"
    message = browser.read(told)
    assert message["title"] == "Valdora: it is your turn"
    assert message["text"] == "Bob and Cat are waiting."
    assert message["url"] == f"{SITE}r/{code}"
    assert telling.links.read_leave(message["leave"]["url"].removeprefix(f"{SITE}leave/")) == way.nonce
    assert b"Valdora" not in told.body
    headers = told.headers
    assert (headers["content-encoding"], int(headers["ttl"]) > 3600) == ("aes128gcm", True)
    assert headers["topic"] != first.headers["topic"]
    with pytest.raises(Exception, match=r"[Dd]ecrypt|[Tt]ag"):
        Browser(others.service).read(told)


def test_a_push_is_signed_with_the_key_that_browsers_were_given(telling: Teller, others: Others) -> None:
    wants_push(telling, HOST, Browser(others.service))
    key, claims = signer_of(others.service.got[0])
    assert key == telling.push.public_key()
    assert claims["aud"] == f"http://{others.service.place}"
    assert claims["sub"].startswith("https://")


def test_all_workers_sign_with_one_key(rooms: Rooms, telling: Teller) -> None:
    def worker() -> str:
        made = Teller(rooms, read_settings({}), Signer("x"), lambda: rooms.secret(new_key(), "push_key"))
        made.close()
        return made.push.public_key()

    assert worker() == worker() != telling.push.public_key()
    assert rooms.secret("another") == "another"  # it is not the secret that signs tokens


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_forgotten(telling: Teller, rooms: Rooms, others: Others, status: int) -> None:
    wants_push(telling, HOST, Browser(others.service))
    others.service.status = status
    tell(telling, started(rooms), 0)
    assert telling.ways.of(HOST) == []


@pytest.mark.parametrize("status", [301, 400, 429, 500, 503])
def test_a_service_in_trouble_is_counted(telling: Teller, rooms: Rooms, others: Others, status: int) -> None:
    wants_push(telling, HOST, Browser(others.service))
    others.service.status = status
    code = started(rooms)
    tell(telling, code, 0)
    assert [way.failures for way in telling.ways.of(HOST)] == [1]
    others.service.status = 201
    tell(telling, code, 0)
    assert [way.failures for way in telling.ways.of(HOST)] == [0]


def test_who_is_told_too_often_is_not_given_up(
    telling: Teller, rooms: Rooms, others: Others, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        wants_push(telling, HOST, Browser(others.service))
    wants_chat(telling, others, HOST)
    full = Pace(1, 60)
    assert full.allows("127.0.0.1")
    monkeypatch.setattr(telling.outgoing, "_to_one", full)
    tell(telling, started(rooms), 0)
    assert {way.failures for way in telling.ways.of(HOST)} == {0}


def test_who_hangs_holds_up_nobody(
    telling: Teller, rooms: Rooms, others: Others, monkeypatch: pytest.MonkeyPatch
) -> None:
    wants_push(telling, HOST, Browser(others.service))
    wants_chat(telling, others, HOST)
    monkeypatch.setattr(outgoing, "PATIENCE", 0.5)
    others.service.hang()
    tell(telling, started(rooms), 0)
    assert len(others.chat.got) == 2
    assert sorted(way.failures for way in telling.ways.of(HOST)) == [0, 1]


def test_a_browser_that_cannot_be_reached_is_not_stored(telling: Teller, others: Others) -> None:
    others.service.status = 403
    with pytest.raises(TellingError, match="not_delivered"):
        wants_push(telling, HOST, Browser(others.service))
    assert telling.ways.of(HOST) == []


def test_a_subscription_that_is_none_is_refused(telling: Teller, others: Others) -> None:
    good = Browser(others.service).subscription
    for wrong in ({"p256dh": "AAAA"}, {"p256dh": good.p256dh[:-4] + "AAAA"}, {"auth": "x"}, {"auth": good.p256dh}):
        with pytest.raises(TellingError, match="bad_push"):
            telling.push.read(msgspec.structs.replace(good, **wrong))
    with pytest.raises(TellingError, match="private_address"):
        telling.push.read(msgspec.structs.replace(good, endpoint="https://169.254.169.254/latest"))


def test_a_channel_is_told_whose_turn_it_is(telling: Teller, rooms: Rooms, others: Others) -> None:
    wants_chat(telling, others, HOST)
    question = others.chat.got[0].json
    assert "May Valtavola write here" in question["text"]
    assert f"{SITE}confirm/" in question["text"]
    code = started(rooms)
    tell(telling, code, 0)
    said = others.chat.got[1].json
    assert said["text"] == said["content"]
    first, second, third = said["text"].splitlines()
    assert first == "Ann, it is your turn in Valdora. Bob and Cat are waiting."
    assert second == f"{SITE}r/{code}"
    assert third.startswith(f"No more messages like this: <{SITE}leave/")
    assert said["allowed_mentions"] == {"parse": []}


def test_a_mail_has_all_that_makes_leaving_easy(telling: Teller, rooms: Rooms, others: Others) -> None:
    way = wants_mail(telling, HOST)
    code = started(rooms)
    tell(telling, code, 0)
    question, letter = others.post.letters
    assert f"{SITE}confirm/" in question.get_content()
    assert "Ann" not in question.as_string().replace("ann@", "")  # nothing that a stranger could choose
    assert (letter["From"], letter["To"]) == ("Valtavola <valtavola@example.org>", "ann@example.org")
    assert letter["Subject"] == "Valdora: it is your turn"
    assert "Bob and Cat are waiting." in letter.get_content()
    assert f"{SITE}r/{code}" in letter.get_content()
    link = telling.links.leave(way)
    assert letter["List-Unsubscribe"] == f"<{link}>"
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert letter["Auto-Submitted"] == "auto-generated"
    assert link in letter.get_content()


def test_a_mailbox_that_is_refused_is_counted_and_a_busy_server_is_not(
    telling: Teller, rooms: Rooms, others: Others
) -> None:
    wants_mail(telling, HOST)
    code = started(rooms)
    for answer, failures in (("550 nobody here", 1), ("451 later", 1)):
        others.post.refused["ann@example.org"] = answer
        tell(telling, code, 0)
        assert [way.failures for way in telling.ways.of(HOST)] == [failures]


def test_without_a_mail_server_everybody_else_is_told(
    telling: Teller, rooms: Rooms, others: Others, caplog: pytest.LogCaptureFixture
) -> None:
    """What is written down names neither people nor addresses."""
    wants_mail(telling, HOST)
    wants_chat(telling, others, HOST)
    others.post.server.shutdown()
    others.post.server.server_close()
    with caplog.at_level(logging.INFO):
        tell(telling, started(rooms), 0)
    assert len(others.chat.got) == 2
    assert "The mail server cannot be used: ConnectionRefusedError" in caplog.text
    assert not any(word in caplog.text for word in ("Ann", "ann@", "http"))
    assert {way.failures for way in telling.ways.of(HOST)} == {0}


def test_no_password_goes_over_an_open_line(rooms: Rooms, database: URL) -> None:
    address = database.render_as_string(hide_password=False)
    common = {"DATABASE_URL": address, "MAIL_FROM": "v@example.org", "PUBLIC_URL": SITE}
    for host, is_trusted in (("127.0.0.1", True), ("127.0.0.2", False)):
        with mail_server(host) as there:
            settings = read_settings({**common, "SMTP_URL": f"smtp://me:se%40cret@{there.place}"})
            telling = Teller(rooms, settings, Signer("x"), new_key)
            if is_trusted:
                wants_mail(telling, HOST)
                assert any(line.startswith("AUTH PLAIN") for line in there.said)
            else:
                with pytest.raises(TellingError, match="not_delivered"):
                    wants_mail(telling, BOB)
                assert not any("AUTH" in line for line in there.said)
            telling.close()


def test_a_mailbox_gets_only_so_many_an_hour(telling: Teller, rooms: Rooms, others: Others) -> None:
    wants_mail(telling, HOST)
    code = started(rooms)
    for _ in range(25):
        tell(telling, code, 0)
    assert len(others.post.letters) == 20


def test_only_who_holds_the_seat_is_told_and_only_while_it_is_their_turn(
    telling: Teller, rooms: Rooms, others: Others
) -> None:
    browsers = {person: Browser(others.service) for person in (HOST, BOB, CAT)}
    for person, browser in browsers.items():
        wants_push(telling, person, browser)
    others.service.got.clear()
    code = started(rooms)
    tell(telling, code)
    tell(telling, code, 1, 2)  # who is not asked
    assert others.service.got == []
    play(rooms, code, HOST, go("north_mine"), END)
    tell(telling, code, 0)  # who has moved in the meantime
    assert others.service.got == []
    tell(telling, code, 1)
    (told,) = others.service.got
    assert browsers[BOB].read(told)["text"] == "Ann and Cat are waiting."
    tell(telling, "nowhere", 0)  # a room that was cleared away


def test_all_devices_of_a_seat_are_told_and_a_shared_channel_once(
    telling: Teller, rooms: Rooms, others: Others
) -> None:
    code = started(rooms)
    hold(rooms, code, "phone", HOST)
    for person in (HOST, "phone"):
        wants_push(telling, person, Browser(others.service))
        wants_chat(telling, others, person)
    others.chat.got.clear()
    tell(telling, code, 0)
    assert len(others.service.got) == 4
    assert len(others.chat.got) == 1


@pytest.mark.usefixtures("hush")
def test_who_is_asked_too_is_not_said_to_wait(
    telling: Teller, rooms: Rooms, others: Others, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And whether they have answered is not told."""
    monkeypatch.setitem(phrasebook("en").messages, "hush.title", Message(("Hush",)))  # a toy has no words
    browser = Browser(others.service)
    wants_push(telling, "p1", browser)
    code = hushed(rooms, coins=1)
    tell(telling, code, 1)
    assert browser.read(others.service.got[1])["text"] == "P0 is waiting."
    rooms.play(code, "p2", "d0", SAYS_NO, "k")
    tell(telling, code, 1)
    assert browser.read(others.service.got[2]) == browser.read(others.service.got[1])


@pytest.mark.parametrize("language", LANGUAGES)
def test_everybody_is_told_in_their_language(telling: Teller, rooms: Rooms, others: Others, language: str) -> None:
    browser = Browser(others.service)
    wants_push(telling, HOST, browser, language)
    tell(telling, started(rooms), 0)
    expected = {
        "en": ("Valdora: it is your turn", "Bob and Cat are waiting."),
        "it": ("Valdora: tocca a te", "Bob e Cat aspettano."),
        "es": ("Valdora: te toca", "Bob y Cat esperan."),
        "ru": ("Вальдора: ваш ход", "Bob и Cat ждут."),
    }
    message = browser.read(others.service.got[1])
    assert (message["title"], message["text"]) == expected[language]


def test_there_is_an_end_to_how_many_are_told(
    telling: Teller, rooms: Rooms, others: Others, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(teller, "_MOST", 2)
    for channel in ("a", "b", "c"):
        wants_chat(telling, others, HOST, channel)
    others.chat.got.clear()
    tell(telling, started(rooms), 0)
    assert len(others.chat.got) == 2


def test_telling_never_fails(telling: Teller, caplog: pytest.LogCaptureFixture) -> None:
    telling._rooms.database.close()
    tell(telling, "anything", 0)
    assert "cannot be told" in caplog.text


def test_a_name_calls_nobody_and_leads_nowhere() -> None:
    assert harmless("Anna Lisa") == "Anna Lisa"
    for name in ("@everyone", "[x](//a.b)", "http://evil.test", "evil.test"):
        assert "\u2060" in harmless(name)
        assert harmless(name).replace("\u2060", "") == name
    assert "@everyone" not in harmless("@everyone")
    assert "](" not in harmless("[x](y)")
