"""From the start page into a lobby: opening a room, sitting down, and what the others see of it without a reload."""

from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from app.i18n import phrasebook
from tests.e2e.rooms import box
from tests.e2e.visitors import axe, visitor

DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 360, "height": 740}
SAY = phrasebook("en").say


def open_room(host: Page, seats: str = "3") -> str:
    """Two clicks, and one to say how many; the link."""
    host.goto("/")
    box(host).locator("[name=seats]").select_option(seats)
    box(host).locator("form.open > button").click()
    host.wait_for_url("**/r/*")
    return host.url


def sit_down(page: Page, link: str, name: str, seat: str = "") -> None:
    page.goto(link)
    page.locator("#join-name").fill(name)
    if seat:
        page.locator("#join-seat").select_option(seat)
    page.locator("form[action$=join] button").click()
    expect(page.locator(".place.taken", has_text=name)).to_be_visible()


def place(page: Page, number: int) -> str:
    return page.locator(f".place[data-seat='{number}'] .who").inner_text()


def check(page: Page) -> None:
    """Nothing that axe finds, nothing cut off, nothing too small to touch."""
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for control in page.locator("main :is(button, summary, select, input:not([type=hidden], [type=radio]))").all():
        box = control.bounding_box() if control.is_visible() else None
        assert box is None or box["height"] >= 43.9 or control.evaluate("one => !!one.closest('label')"), control


def test_options_are_chosen_and_read_in_the_lobby(browser: Browser, site: str) -> None:
    with visitor(browser, site) as host:
        host.goto("/")
        lid = box(host)
        lid.get_by_text(SAY("game.options")).click()
        lid.get_by_label(SAY("game.listed")).check()
        lid.get_by_label(SAY("valdora.option.first_seat")).check()
        lid.get_by_label(SAY("valdora.option.memory")).check()
        lid.get_by_role("button", name=SAY("game.open_room")).click()
        agreed = host.locator("#agreed")
        for key in ("lobby.listed", "lobby.spectators"):
            expect(agreed).to_contain_text(SAY(key))
        for word in ("first_seat", "hidden_score", "memory"):
            expect(agreed).to_contain_text(SAY(f"valdora.option.agreed.{word}"))


def test_seats_fill_while_one_looks(browser: Browser, site: str) -> None:
    with visitor(browser, site) as anna, visitor(browser, site, viewport=PHONE) as bruno:
        link = open_room(anna)
        bruno.goto(link)
        bruno.locator("#join-name").fill("Bru")  # is typing while somebody sits down
        bruno.evaluate("window.same = true")
        sit_down(anna, link, "Anna")
        anna.evaluate("window.same = true")
        expect(bruno.locator(".place[data-seat='0'] .who")).to_have_text("Anna")
        expect(bruno.locator("#join-seat option")).to_have_count(3)  # any, and the two that are free
        assert bruno.locator("#join-name").input_value() == "Bru"
        assert bruno.evaluate("window.same")
        bruno.locator("#join-name").fill("Bruno")
        bruno.locator("#join-seat").select_option("2")
        bruno.locator("form[action$=join] button").click()
        expect(anna.locator(".place[data-seat='2'] .who")).to_have_text("Bruno")
        assert place(anna, 0) == "Anna (you)"
        assert place(anna, 1) == SAY("room.free")
        expect(anna.locator("#missing")).to_have_text(SAY("room.error.too_few", {"missing": 1}))
        expect(anna.locator("#begin button")).to_have_attribute("aria-disabled", "true")
        expect(anna.locator("#presence")).to_contain_text("Bruno")
        bruno.get_by_text(SAY("lobby.rename"), exact=True).click()
        bruno.locator("#new-name").fill("Bruno the Great")
        bruno.locator("form[action$=name] button").click()
        for page in (anna, bruno):
            expect(page.locator(".place[data-seat='2'] .who")).to_contain_text("Bruno the Great")
        anna.locator(".taken .menu summary").click()
        anna.get_by_role("button", name=SAY("room.seat_first", {"name": "Bruno the Great"})).click()
        for page in (anna, bruno):
            expect(page.locator(".place[data-seat='0'] .who")).to_contain_text("Bruno the Great")
        assert anna.evaluate("window.same")  # nothing was loaded anew


def test_the_host_starts_when_there_are_enough(browser: Browser, site: str) -> None:
    with ExitStack() as stack:
        anna, bruno, vera = (stack.enter_context(visitor(browser, site)) for _ in range(3))
        link = open_room(anna, "4")
        for page, name in ((anna, "Anna"), (bruno, "Bruno"), (vera, "Vera")):
            sit_down(page, link, name)
        for page in (anna, bruno):
            expect(page.locator("#missing")).to_have_text(SAY("lobby.enough", {"count": 1}))
        expect(bruno.locator("#begin")).to_contain_text(SAY("room.host_starts"))
        anna.get_by_role("button", name=SAY("room.start")).click()
        for page in (anna, bruno, vera):
            expect(page.locator(".board")).to_be_visible(timeout=15_000)
        anna.goto("/")
        rows = anna.locator("a.table")
        expect(rows.first).to_contain_text("Anna, Bruno, Vera")
        rows.first.click()
        anna.wait_for_url(link)
        again = open_room(bruno)
        expect(bruno.locator("#join-name")).to_have_value("Bruno")  # as at the last table
        bruno.locator("form[action$=join] button").click()
        expect(bruno.locator(".place.taken .who")).to_have_text("Bruno (you)")
        assert bruno.url == again


def test_the_link_is_copied(browser: Browser, site: str) -> None:
    with visitor(browser, site) as host:
        link = open_room(host)
        host.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=site)
        button = host.locator("[data-copy]")
        button.click()
        expect(button).to_have_text(SAY("lobby.copied"))
        assert host.evaluate("navigator.clipboard.readText()") == link
        expect(button).to_have_text(SAY("lobby.copy"))


def test_a_full_room_offers_to_watch(browser: Browser, site: str) -> None:
    with ExitStack() as stack:
        people = [stack.enter_context(visitor(browser, site)) for _ in range(3)]
        late = stack.enter_context(visitor(browser, site, viewport=PHONE))
        link = open_room(people[0])
        late.goto(link)
        for page, name in zip(people, ("A", "B", "C"), strict=True):
            sit_down(page, link, name)
        expect(late.locator("#join")).to_contain_text(SAY("join.full_watch"))  # while they look
        expect(late.locator("form[action$=join]")).to_have_count(0)
        check(late)
        people[0].get_by_role("button", name=SAY("room.start")).click()
        expect(late.locator(".board")).to_be_visible(timeout=15_000)


def test_a_table_only_for_those_who_play_says_so_and_stays_still(browser: Browser, site: str) -> None:
    with ExitStack() as stack:
        people = [stack.enter_context(visitor(browser, site)) for _ in range(3)]
        stranger = stack.enter_context(visitor(browser, site))
        people[0].goto("/")
        lid = box(people[0])
        lid.get_by_text(SAY("game.options")).click()
        lid.get_by_label(SAY("game.no_spectators")).check()
        lid.locator("[name=seats]").select_option("3")
        lid.get_by_role("button", name=SAY("game.open_room")).click()
        people[0].wait_for_url("**/r/*")
        link = people[0].url
        for page, name in zip(people, ("A", "B", "C"), strict=True):
            sit_down(page, link, name)
        people[0].get_by_role("button", name=SAY("room.start")).click()
        expect(people[0].locator(".board")).to_be_visible(timeout=15_000)
        stranger.goto(link)
        loads: list[str] = []
        stranger.on("framenavigated", lambda frame: loads.append(frame.url))
        expect(stranger.locator("main")).to_contain_text(SAY("room.error.spectators_barred"))
        stranger.wait_for_timeout(1500)
        assert loads == []
        check(stranger)


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize(("language", "scheme"), [("en", "dark"), ("ru", "light")])
def test_every_page_on_the_way_is_sound(
    browser: Browser, site: str, language: str, scheme: str, viewport: dict[str, int]
) -> None:
    wish: dict[str, Any] = {"locale": language, "color_scheme": scheme, "viewport": viewport}
    with ExitStack() as stack:
        host, guest, stranger = (stack.enter_context(visitor(browser, site, **wish)) for _ in range(3))
        host.goto("/")
        for folded in host.locator("form.open summary").all():
            folded.click()
        check(host)
        link = open_room(host, "5")
        check(host)  # a host who does not sit yet
        sit_down(host, link, "Александра Константинова")
        sit_down(guest, link, "W" * 24, "4")
        stranger.goto(link)
        expect(host.locator(".place.taken")).to_have_count(2)
        host.locator(".taken .menu summary").click()
        host.locator(".rename summary").first.click()
        for page in (host, guest, stranger):
            check(page)
        for page in (host, stranger):
            page.evaluate("document.documentElement.style.fontSize = '225%'")  # twice as large as ours
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        host.goto("/")
        expect(host.locator("a.table").first).to_be_visible()
        check(host)


def test_a_lobby_from_the_keyboard(browser: Browser, site: str) -> None:
    with visitor(browser, site) as host, visitor(browser, site) as guest:
        link = open_room(host)
        host.locator("#join-name").focus()
        host.keyboard.type("Anna")
        host.keyboard.press("Enter")
        expect(host.locator(".place.taken")).to_have_count(1)
        sit_down(guest, link, "Bruno")
        expect(host.locator(".taken .menu")).to_have_count(1)
        host.locator(".taken .menu summary").focus()
        host.keyboard.press("Enter")
        for _ in range(3):
            host.keyboard.press("Tab")
        assert host.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
        host.keyboard.press("Enter")  # the last choice: remove
        expect(host.locator(".place.taken")).to_have_count(1)
        expect(guest.locator("#join-name")).to_be_visible()
