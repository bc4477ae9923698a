"""How one is told that it is one's turn, chosen in a browser. Only the way to a push service out there is left out: the
browser is given a subscription at a service of this machine, which gets and reads what the server really sends."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Page, Worker, expect

from app.i18n import phrasebook
from tests.e2e.test_lobby import DESKTOP, PHONE, check, open_room, sit_down
from tests.e2e.visitors import visitor
from tests.processes import serving
from tests.telling import standins
from tests.telling.standins import HttpServer, MailServer, http_server, mail_server

SAY = phrasebook("en").say

# What a browser does that reaches its push service; it remembers its subscription as long as the tab lives.
SUBSCRIBE = """
    const stored = () => JSON.parse(sessionStorage.getItem("subscription"));
    const unsubscribe = async () => sessionStorage.removeItem("subscription");
    const made = (json) => json && { endpoint: json.endpoint, toJSON: () => json, unsubscribe };
    PushManager.prototype.getSubscription = async () => made(stored());
    PushManager.prototype.subscribe = async function (options) {
      if (!options.userVisibleOnly || !options.applicationServerKey) throw new TypeError("not like this");
      sessionStorage.setItem("subscription", JSON.stringify(%s));
      sessionStorage.setItem("key", options.applicationServerKey);
      return made(stored());
    };
"""


@pytest.fixture(scope="module")
def service() -> Iterator[HttpServer]:
    with http_server() as stand_in:
        yield stand_in


@pytest.fixture(scope="module")
def post() -> Iterator[MailServer]:
    with mail_server() as stand_in:
        yield stand_in


@pytest.fixture(scope="module")
def there(service: HttpServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A site that may speak to what stands in for a push service and for a chat, and that has no mail server."""
    file = tmp_path_factory.mktemp("notices") / "site.sqlite3"
    with serving(DATABASE_URL=f"sqlite:///{file}", OUTGOING_ALLOW=service.place) as server:
        yield server.address


def can_push(page: Page, device: standins.Browser) -> None:
    keys = msgspec.structs.asdict(device.subscription)
    raw = {"endpoint": keys.pop("endpoint"), "keys": keys}
    page.context.grant_permissions(["notifications"])
    page.add_init_script(SUBSCRIBE % json.dumps(raw))


def way(page: Page, kind: str) -> Any:
    return page.locator(".ways li", has_text=SAY(f"notice.kind.{kind}"))


def deliver(page: Page, site: str, message: object) -> Worker:
    """The browser is handed what its push service has got; its worker."""
    (worker,) = page.context.service_workers
    session = page.context.new_cdp_session(page)
    registrations: list[dict[str, Any]] = []
    session.on("ServiceWorker.workerRegistrationUpdated", lambda event: registrations.extend(event["registrations"]))
    session.send("ServiceWorker.enable")
    page.wait_for_function("navigator.serviceWorker.controller")
    number = registrations[-1]["registrationId"]
    data = {"origin": site, "registrationId": number, "data": json.dumps(message)}
    session.send("ServiceWorker.deliverPushMessage", data)
    return worker


def test_a_browser_is_told_tried_and_left_with_one_click(browser: Browser, there: str, service: HttpServer) -> None:
    device = standins.Browser(service)
    with visitor(browser, there) as anna:
        can_push(anna, device)
        link = open_room(anna)
        sit_down(anna, link, "Anna")
        anna.get_by_role("link", name=SAY("notice.link")).click()
        anna.get_by_role("button", name=SAY("notice.add.push")).click()
        expect(anna.locator(".said")).to_have_text(SAY("notice.said.told"))
        expect(way(anna, "push")).to_contain_text(SAY("notice.this_browser"))
        expect(anna.locator("#push button")).to_be_hidden()
        key, _ = standins.signer_of(service.got[-1])
        assert anna.evaluate("sessionStorage.getItem('key')") == key
        before = len(service.got)
        way(anna, "push").get_by_role("button", name=SAY("notice.try")).click()
        expect(anna.locator(".said")).to_have_text(SAY("notice.said.tested"))
        assert len(service.got) == before + 1
        message = device.read(service.got[-1])
        assert message["text"] == SAY("notice.test.text")
        check(anna)

        worker = deliver(anna, there, {**message, "url": link})
        anna.wait_for_function(
            "navigator.serviceWorker.ready.then(async (worker) => (await worker.getNotifications()).length)"
        )
        clicked = """async (action) => {
            const opened = [];
            clients.openWindow = async (url) => opened.push(url);  // a browser only obeys a real click
            const [notification] = await registration.getNotifications();
            const event = new NotificationEvent("notificationclick", { notification, action });
            const done = [];
            event.waitUntil = (promise) => done.push(promise);
            dispatchEvent(event);
            await Promise.all(done);
            return [notification.title, notification.body, opened];
        }"""
        assert worker.evaluate(clicked, "") == [SAY("notice.test"), SAY("notice.test.text"), [link]]
        worker = deliver(anna, there, message)
        anna.wait_for_function(
            "navigator.serviceWorker.ready.then(async (worker) => (await worker.getNotifications()).length)"
        )
        assert worker.evaluate(clicked, "leave")[2] == [message["leave"]["url"]]

        anna.goto(f"/me/notices?room={link.rpartition('/')[2]}")
        way(anna, "push").get_by_role("button", name=SAY("notice.leave.one")).click()
        expect(anna.locator(".said")).to_have_text(SAY("notice.said.left"))
        expect(anna.locator("#push button")).to_be_visible()  # as it was in the beginning
        anna.get_by_role("link", name=SAY("notice.back")).click()
        anna.wait_for_url(link)


def test_the_link_in_a_message_leaves_with_one_click(browser: Browser, there: str, service: HttpServer) -> None:
    device = standins.Browser(service)
    with visitor(browser, there) as anna, visitor(browser, there) as elsewhere:
        can_push(anna, device)
        anna.goto("/me/notices")
        anna.get_by_role("button", name=SAY("notice.add.push")).click()
        expect(way(anna, "push")).to_be_visible()
        elsewhere.goto(device.read(service.got[-1])["leave"]["url"])
        check(elsewhere)
        elsewhere.get_by_role("button", name=SAY("notice.leave.do")).click()
        expect(elsewhere.locator("h1")).to_have_text(SAY("notice.leave.done"))
        anna.reload()
        expect(way(anna, "push")).to_have_count(0)


def test_what_stands_in_the_way_of_a_push_is_said(browser: Browser, there: str, service: HttpServer) -> None:
    with visitor(browser, there) as denied:
        denied.add_init_script("Notification.requestPermission = async () => 'denied'")
        denied.goto("/me/notices")
        denied.get_by_role("button", name=SAY("notice.add.push")).click()
        expect(denied.locator("#push [role=status]")).to_have_text(SAY("notice.push.denied"))
    with visitor(browser, there, complains=True) as unlucky:  # a private window has no push service
        unlucky.context.grant_permissions(["notifications"])
        unlucky.goto("/me/notices")
        unlucky.get_by_role("button", name=SAY("notice.add.push")).click()
        expect(unlucky.locator("#push [role=status]")).to_have_text(SAY("notice.push.failed"))
    service.status = 500
    with visitor(browser, there, complains=True) as refused:
        can_push(refused, standins.Browser(service))
        refused.goto("/me/notices")
        refused.get_by_role("button", name=SAY("notice.add.push")).click()
        expect(refused.locator("#push [role=status]")).to_have_text(SAY("notice.error.not_delivered"))
        assert refused.evaluate("sessionStorage.getItem('subscription')") is None
    service.status = 201
    with visitor(browser, there) as old:
        old.add_init_script("delete window.PushManager")
        old.goto("/me/notices")
        expect(old.locator("#push [role=status]")).to_have_text(SAY("notice.push.unable"))
        expect(old.locator("#push button")).to_be_hidden()
    with visitor(browser, there) as plain:
        plain.add_init_script("Object.defineProperty(window, 'isSecureContext', { value: false })")
        plain.goto("/me/notices")
        expect(plain.locator("#push [role=status]")).to_have_text(SAY("notice.push.insecure"))


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize(("language", "scheme"), [("en", "light"), ("ru", "dark")])
def test_the_page_is_sound_and_works_without_a_script(
    browser: Browser, service: HttpServer, post: MailServer, tmp_path: Path, language: str, scheme: str, viewport: Any
) -> None:
    say = phrasebook(language).say
    env = {"SMTP_URL": f"smtp://{post.place}", "MAIL_FROM": "table@example.org", "PUBLIC_URL": "http://127.0.0.1:1"}
    wish = {"locale": language, "color_scheme": scheme, "viewport": viewport}
    with serving(DATABASE_URL=f"sqlite:///{tmp_path / 'site.sqlite3'}", OUTGOING_ALLOW=service.place, **env) as server:
        with visitor(browser, server.address, complains=True, **wish) as page:
            page.goto("/me/notices")
            check(page)
            page.locator("[type=url]").fill(f"http://{service.place}/hooks/secret")
            page.get_by_role("button", name=say("notice.add.hook")).click()
            expect(page.locator(".said")).to_have_text(say("notice.said.asked_hook"))
            page.locator("[type=email]").fill("alessandra.konstantinopolitanova@a-very-long-name.example.org")
            page.get_by_role("button", name=say("notice.add.mail")).click()
            expect(page.locator(".ways li")).to_have_count(2)
            question = post.letters[-1].get_content()
            page.goto(question.split("127.0.0.1:1")[1].split()[0])
            check(page)
            page.get_by_role("button", name=say("notice.confirm.do")).click()
            expect(page.locator("h1")).to_have_text(say("notice.confirm.done"))
            page.goto("/me/notices?room=abcdefg&said=tested")
            check(page)
            page.locator("[type=url]").fill("https://192.168.1.1/x")
            page.get_by_role("button", name=say("notice.add.hook")).click()
            expect(page.get_by_role("alert")).to_have_text(say("notice.error.private_address"))
            check(page)
        with visitor(browser, server.address, java_script_enabled=False, **wish) as still:
            still.goto("/me/notices")
            assert say("notice.push.script") in still.content()
            expect(still.locator("#push button")).to_be_hidden()
            still.locator("[type=url]").fill(f"http://{service.place}/hooks/other")
            still.get_by_role("button", name=say("notice.add.hook")).click()
            still.get_by_role("button", name=say("notice.leave.one")).click()
            expect(still.locator(".none")).to_be_visible()
