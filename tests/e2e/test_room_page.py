"""A room as people see it: from the start page to the end of a game, by clicking."""

import re
import sqlite3
from contextlib import ExitStack, closing
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from app.engine.codec import raw_move
from app.engine.table import Table
from app.games.valdora.state import State
from app.i18n import phrasebook
from tests.e2e.rooms import box
from tests.e2e.visitors import axe, visitor
from tests.games.valdora.sensible import choose
from tests.games.valdora.tabletop import GAME

PHONE = {"width": 360, "height": 740}


def open_and_fill(host: Page, others: list[Page], names: list[str]) -> str:
    """A room with everybody at the table; the link."""
    host.goto("/")
    box(host).locator("[name=seats]").select_option("3")
    box(host).get_by_role("button", name=phrasebook("en").say("game.open_room")).click()
    host.wait_for_url("**/r/*")
    link = host.url
    for page, name in zip([host, *others], names, strict=True):
        page.goto(link)
        page.locator("form[action$=join] input").fill(name)
        page.locator("form[action$=join] button").click()
        expect(page.locator(".seats")).to_contain_text(name)
    return link


def click_move(page: Page, state: State, seq: int) -> State:
    """Make the sensible move by clicking what makes it: on the table where it can be, else in the list of all moves."""
    seat, move = state.turn.seat, choose(state)
    expect(page.locator(f"#targets[data-seq='{seq}']")).to_be_attached()
    raw = msgspec.json.encode(raw_move(move)).decode()
    buttons = page.locator(f"button[name=move][value='{raw}']")
    on_table = buttons.and_(page.locator("#targets button, .mat button, #prompt button"))
    if on_table.count():
        choice = on_table.first.locator("xpath=ancestor::*[@popover]")
        if choice.count():
            page.locator(f"[popovertarget={choice.get_attribute('id')}]").click()
        on_table.first.click()
    else:
        page.locator("#actions:not([open]) summary").click()
        buttons.last.click()
    return GAME.apply(state, seat, move).state


def test_three_friends_and_a_spectator_play_a_whole_game(browser: Browser, site_and_file: tuple[str, Path]) -> None:
    site, file = site_and_file
    with ExitStack() as stack:
        anna = stack.enter_context(visitor(browser, site))
        bruno = stack.enter_context(visitor(browser, site, locale="it", viewport=PHONE))
        vera = stack.enter_context(visitor(browser, site, locale="ru"))
        watcher = stack.enter_context(visitor(browser, site, locale="es", viewport=PHONE))
        pages = [anna, bruno, vera]
        link = open_and_fill(anna, [bruno, vera], ["Anna", "Бруно", "Vera"])
        watcher.goto(link)
        expect(watcher.locator("form[action$=start]")).to_have_count(0)
        for page in (anna, bruno, watcher):
            assert axe(page) == []
        anna.get_by_role("button", name="Start the game").click()
        for page in (bruno, vera, watcher):  # the news comes by itself
            expect(page.locator(".board")).to_be_visible()
        table = Table(GAME, GAME.options_type(), 3, seed_of_room(link, file))
        state = table.state
        steps = 0
        while GAME.to_act(state):
            mover = pages[state.turn.seat]
            if steps == 40:  # a second tab of the same person plays on, and the first one follows
                second = mover.context.new_page()
                second.goto(link)
                state = click_move(second, state, steps)
                second.close()
            elif steps == 60:  # a break in the connection, in the middle
                mover.context.set_offline(True)
                mover.wait_for_timeout(200)
                mover.context.set_offline(False)
                mover.reload()
                state = click_move(mover, state, steps)
            else:
                state = click_move(mover, state, steps)
            steps += 1
            if steps == 30:
                assert axe(mover) == []
                assert mover.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert steps > 300
        totals = GAME.score_sheet(state).totals
        for page in (*pages, watcher):
            expect(page.locator("table tbody tr")).to_have_count(3)
            shown = [int(cell) for cell in page.locator("tbody td.sum").all_inner_texts()]
            assert shown == list(totals)
            assert axe(page) == []
        anna.get_by_role("button", name="Play again").click()
        anna.wait_for_url(re.compile(f"^(?!{re.escape(link)}).*/r/.*"))
        expect(anna.locator(".lobby .seats")).to_contain_text("Vera")
        expect(bruno.locator("a", has_text=phrasebook("it").say("room.to_rematch"))).to_be_visible()


def seed_of_room(link: str, file: Path) -> str:
    """Looked up behind the scenes, so that the test can play along."""
    with closing(sqlite3.connect(file)) as connection:
        row = connection.execute("SELECT seed FROM room WHERE code = ?", (link.rpartition("/")[2],)).fetchone()
    return str(row[0])


def test_everything_works_without_scripts(browser: Browser, site: str) -> None:
    with ExitStack() as stack:
        people = [
            stack.enter_context(visitor(browser, site, complains=True, java_script_enabled=False)) for _ in range(3)
        ]
        host = people[0]
        link = open_and_fill(host, people[1:], ["A", "B", "C"])
        host.goto(link)
        host.locator("form[action$=start] button").click()
        mover = next(page for page in people if page.goto(link) and page.locator(".moves button").count())
        before = mover.locator(".moves button").count()
        mover.locator("#actions summary").click()
        mover.locator(".moves button").first.click()
        assert mover.locator(".moves button").count() != before
        mover.locator("button[form=undo]").click()
        assert mover.locator(".moves button").count() == before
        assert mover.locator("button[form=undo]").count() == 0  # nothing is left to take back
        mover.locator("summary", has_text="Chat").click()
        mover.locator("form[action$=chat] input[name=text]").fill("<b>hello</b>")
        mover.locator("form[action$=chat] button").click()
        mover.locator("summary", has_text="Chat").click()
        assert "<b>hello</b>" in mover.locator(".chat").inner_text()


def test_a_seat_goes_along_to_the_phone(browser: Browser, site: str) -> None:
    with visitor(browser, site) as desk, visitor(browser, site, viewport=PHONE) as phone:
        link = open_and_fill(desk, [], ["Anna"])
        desk.get_by_role("link", name="Go on at another device").click()
        expect(desk.locator(".qr svg")).to_be_visible()
        assert axe(desk) == []
        private = desk.locator("a.link").inner_text()
        phone.goto(private)
        assert axe(phone) == []
        phone.get_by_role("button", name="Sit down").click()
        phone.wait_for_url(link)
        expect(phone.locator(".seats")).to_contain_text("Anna (you)")


@pytest.mark.parametrize("path", ["/r/nowhere", "/carry/forged"])
def test_a_link_to_nowhere_is_a_page_that_says_so(browser: Browser, site: str, path: str) -> None:
    with visitor(browser, site, complains=True) as somebody:
        answer = somebody.goto(path)
        assert answer is not None
        assert answer.status in (403, 404)
        assert axe(somebody) == []
        somebody.get_by_role("link", name="Back to the start page").click()
        expect(somebody.locator("h1")).to_have_text("The table is set.")
