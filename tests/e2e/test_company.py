"""Bots, an absent friend, several people at one device and somebody who looks on: in a real browser."""

import re

import httpx2
from playwright.sync_api import Browser, Page, expect

from tests.e2e.rooms import NAMES, PlayedValda, box
from tests.e2e.visitors import axe, visitor
from tests.people import open_room, sit_down


def opened(page: Page, game: str, seats: str, **chosen: str) -> None:
    page.goto("/")
    lid = box(page, game)
    lid.locator("[name=seats]").select_option(seats)
    if chosen:
        lid.locator("summary").click()
        for name, value in chosen.items():
            lid.locator(f"[name={name}]").select_option(value)
    lid.get_by_role("button", name="Open a room").click()


def sits_down(page: Page, name: str) -> None:
    page.locator("#join-name").fill(name)
    page.locator("#join button").click()


def add_bot(page: Page, level: str) -> None:
    taken = page.locator(".place.taken").count()
    page.locator(".bots summary").first.focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name=level).first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".place.taken")).to_have_count(taken + 1)


def test_somebody_plays_with_bots_from_the_keyboard(browser: Browser, site: str) -> None:
    with visitor(browser, site) as page:
        opened(page, "valdora", "3", pace="bank:600:15", absent="300")
        sits_down(page, "Anna")
        add_bot(page, "A strong one")
        add_bot(page, "An easy one")
        assert axe(page) == []
        expect(page.locator("#agreed")).to_contain_text("10 minutes for the game, and 15 seconds more each time")
        page.get_by_role("button", name="Start the game").click()
        for _ in range(2):  # the bots play until it is Anna's turn, and again after it
            expect(page.locator("#prompt.mine")).to_be_visible(timeout=60_000)
            expect(page.locator(".clock.runs b")).to_have_text(re.compile(r"^\d+:\d\d$"))
            seq = page.locator("#act [name=key]").get_attribute("value")
            page.locator("#targets button[form=act], .board button[form=act]").first.click()
            expect(page.locator("#act [name=key]")).not_to_have_value(seq or "")
            end = page.locator("#prompt").get_by_role("button", name="End")
            if end.count():
                end.first.click()
            expect(page.locator("#prompt.mine")).to_have_count(0)
        page.get_by_text("At the table").click()
        expect(page.locator("#people")).to_contain_text("Bot · strong")
        assert axe(page) == []


def test_a_friend_leaves_and_returns_and_the_house_has_played_in_between(browser: Browser, site: str) -> None:
    with httpx2.Client(base_url=site) as http:
        host = open_room(http, 3, options={"start": "first_seat"})
        anna = sit_down(http, host.code, "Anna", host.token)
        bruno = sit_down(http, host.code, "Bruno")
        host.post("bots", {"level": "easy"})
        host.post("start")
        with visitor(browser, site) as page, visitor(browser, site) as friend:
            for somebody, tab in ((anna, page), (bruno, friend)):
                tab.context.add_cookies([{"name": "person", "value": somebody.token, "url": site}])
                tab.goto(f"/r/{host.code}")
                expect(tab.locator(".presence .here")).not_to_have_count(0)
            expect(friend.locator(".presence")).to_contain_text("Anna")
            page.goto("about:blank")  # Anna leaves, and it is her turn
            expect(friend.locator(".presence")).not_to_contain_text("Anna")
            friend.get_by_text("At the table").click()
            friend.get_by_role("button", name="Let the house play for Anna").click()
            expect(friend.locator("#prompt")).to_contain_text("The house is playing for Anna")
            expect(friend.locator("#prompt.mine")).to_be_visible(timeout=60_000)  # the house has ended her turn
            assert axe(friend) == []
            page.goto(f"/r/{host.code}")
            expect(friend.locator("#prompt")).not_to_contain_text("The house is playing for Anna")
            expect(page.locator("#prompt")).not_to_contain_text("The house is playing for you")
            assert [seat["kept"] for seat in anna.look()["room"]["seats"]] == [False, False, False]


def test_who_is_slow_sees_that_the_house_plays_and_takes_the_seat_back(browser: Browser, site: str) -> None:
    with httpx2.Client(base_url=site) as http:
        host = open_room(http, 3, options={"start": "first_seat"}, pace={"kind": "move", "seconds": 5})
        anna = sit_down(http, host.code, "Anna", host.token)
        for _ in range(2):
            host.post("bots", {"level": "easy"})
        with visitor(browser, site) as page:
            page.context.add_cookies([{"name": "person", "value": anna.token, "url": site}])
            page.goto(f"/r/{host.code}")
            host.post("start")
            expect(page.locator(".clock.late.runs")).to_be_visible()
            expect(page.locator("#prompt")).to_contain_text("The house is playing for you", timeout=30_000)
            page.get_by_role("button", name="I am back").click()
            expect(page.get_by_role("button", name="I am back")).to_have_count(0)


def test_friends_pause_go_on_and_agree_to_end(browser: Browser, site: str) -> None:
    with httpx2.Client(base_url=site) as http:
        host = open_room(http, 3)
        sit_down(http, host.code, "Anna", host.token)
        bruno = sit_down(http, host.code, "Bruno")
        host.post("bots", {"level": "easy"})
        host.post("start")
        with visitor(browser, site) as page:
            page.context.add_cookies([{"name": "person", "value": host.token, "url": site}])
            page.goto(f"/r/{host.code}")
            bruno.post("wish", {"what": "pause"})
            expect(page.locator("#prompt")).to_contain_text("Bruno: a pause? (1/2)")
            page.get_by_role("button", name="I agree").click()
            expect(page.locator("#prompt")).to_contain_text("A pause")
            assert axe(page) == []
            page.get_by_role("button", name="Go on").click()
            expect(page.locator("#prompt")).not_to_contain_text("A pause")
            bruno.post("wish", {"what": "abandon"})
            page.get_by_role("button", name="I agree").click()
            expect(page.locator("#prompt")).to_contain_text("Nobody has won")


def test_two_at_one_device_never_see_each_others_cards(browser: Browser, site: str) -> None:
    with visitor(browser, site) as page:
        opened(page, "valda", "2")
        sits_down(page, "Anna")
        page.get_by_text("Add a player at this device").click()
        page.locator("#beside-name").fill("Bruno")
        page.locator("form[action$='/beside'] button").click()
        expect(page.locator(".place.taken")).to_have_count(2)
        page.get_by_role("button", name="Start the game").click()
        expect(page.locator("#prompt")).to_contain_text("Hand the device to")
        expect(page.locator("#hand")).to_have_count(0)
        assert axe(page) == []
        page.locator("#prompt form[action$='/face'] button").click()
        expect(page.locator("#hand")).to_be_visible()
        expect(page.locator("#prompt.mine")).to_be_visible()


def test_a_coach_sees_the_hand_and_can_touch_nothing(browser: Browser, site: str) -> None:
    with httpx2.Client(base_url=site) as http:
        game = PlayedValda(http, NAMES[:2], "coach")
        with visitor(browser, site) as player, visitor(browser, site) as coach:
            game.sit(player, 0, site)
            player.goto(f"{game.path}/coach")
            link = player.locator("a.link").get_attribute("href")
            assert link
            coach.goto(link)
            coach.get_by_role("button", name="Look").click()
            coach.wait_for_url(f"**{game.path}")
            expect(coach.locator("#prompt")).to_contain_text("You are looking through the eyes of Anna")
            expect(coach.locator("#hand")).to_be_visible()
            expect(coach.locator("button[form=act]")).to_have_count(0)
            assert axe(coach) == []
            player.goto(game.path)
            assert player.locator("#hand").inner_text() == coach.locator("#hand").inner_text()
            player.get_by_text("At the table").click()
            expect(player.locator("#people")).to_contain_text("somebody looks on")
