"""Looking back in Chromium: by keyboard, by link and by hand, and a file that works without a network."""

import re
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import Browser, Page, expect

from app.games.valda.moves import Move
from app.games.valda.state import State
from app.i18n import LANGUAGES
from tests.e2e.rooms import NAMES, Played, PlayedValda, button, press
from tests.e2e.visitors import axe, visitor
from tests.games.valda.sensible import next_move
from tests.games.valdora.sensible import choose

SIZES = {"phone": {"width": 360, "height": 740}, "desktop": {"width": 1280, "height": 800}}


class SensibleValda(PlayedValda):
    def next(self) -> tuple[int, Move]:
        return next_move(self.table.state)


def is_over(state: State) -> bool:
    return state.turn.phase == "over"


@pytest.fixture(scope="module")
def ended(http: httpx2.Client) -> dict[str, Played]:
    return {
        "valdora": Played.until(http, 3, "seen again", is_over),
        "valda": SensibleValda.until(http, 3, "seen again", is_over),
    }


@pytest.fixture
def me(browser: Browser, site: str) -> Iterator[Page]:
    with visitor(browser, site, reduced_motion="reduce") as page:
        yield page


def at(page: Page, step: int) -> None:
    """The page, its address and the slider are at this step."""
    expect(page.locator("#targets")).to_have_attribute("data-seq", str(step))
    expect(page.locator("#at")).to_have_js_property("value", str(step))
    expect(page).to_have_url(re.compile(rf"at={step}\b"))


def turn_starts(page: Page) -> list[int]:
    return [int(start) for start in (page.locator("#replay").get_attribute("data-turns") or "").split(",")]


@pytest.mark.parametrize("game", ["valdora", "valda"])
def test_the_keyboard_steps_jumps_and_plays(me: Page, ended: dict[str, Played], game: str) -> None:
    last = ended[game].seq
    me.goto(f"{ended[game].path}/replay")
    turns = turn_starts(me)
    me.keyboard.press("ArrowRight")
    at(me, 1)
    first = me.locator("#step .happened").inner_text()
    me.keyboard.press("ArrowRight")
    at(me, 2)
    me.keyboard.press("ArrowLeft")
    at(me, 1)
    assert me.locator("#step .happened").inner_text() == first
    me.keyboard.press("PageDown")
    at(me, turns[1])
    me.keyboard.press("PageDown")
    at(me, turns[2])
    me.keyboard.press("PageUp")
    at(me, turns[1])
    me.keyboard.press("End")
    at(me, last)
    expect(me.locator("#score")).to_be_visible()
    me.keyboard.press("Home")
    at(me, 0)
    expect(me.locator("#score")).to_be_hidden()
    me.keyboard.press("Space")
    expect(me.locator("#play")).to_have_attribute("aria-pressed", "true")
    at(me, 3)
    me.keyboard.press("Space")
    expect(me.locator("#play")).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize("game", ["valdora", "valda"])
def test_stepping_shows_what_a_link_to_the_moment_shows(me: Page, ended: dict[str, Played], game: str) -> None:
    me.goto(f"{ended[game].path}/replay?at=20&as=1")
    for _ in range(12):
        me.keyboard.press("ArrowRight")
    at(me, 32)
    stepped = me.locator("#room").inner_text()
    me.goto(f"{ended[game].path}/replay?at=32&as=1")
    assert me.locator("#room").inner_text() == stepped


def test_the_mouse_steps_scrubs_and_goes_to_a_turn(me: Page, ended: dict[str, Played]) -> None:
    game = ended["valdora"]
    me.goto(f"{game.path}/replay?turn=5")
    turns = turn_starts(me)
    assert me.locator("#targets").get_attribute("data-seq") == str(turns[4])
    me.locator("#to-turn_on").click()
    at(me, turns[5])
    me.locator("#to-back").click()
    at(me, turns[5] - 1)
    slider = me.locator("#at").bounding_box()
    assert slider
    me.mouse.click(slider["x"] + slider["width"] / 2, slider["y"] + slider["height"] / 2)
    expect(me.locator("#at")).not_to_have_js_property("value", str(turns[5] - 1))
    at(me, int(me.locator("#at").input_value()))
    assert abs(int(me.locator("#at").input_value()) - game.seq / 2) <= 3
    me.get_by_role("button", name="Turns", exact=True).click()
    me.locator(".turns a").nth(9).click()
    at(me, turns[9])
    me.keyboard.press("Escape")
    me.get_by_role("link", name="Bruno", exact=True).click()
    expect(me).to_have_url(re.compile(rf"at={turns[9]}&as=1"))
    expect(me.locator("#mat-1.own")).to_be_visible()


def test_it_works_without_a_script(browser: Browser, site: str, ended: dict[str, Played]) -> None:
    with visitor(browser, site, java_script_enabled=False) as page:
        page.goto(f"{ended['valda'].path}/replay?at=10")
        page.locator("#to-on").click()
        expect(page.locator("#targets")).to_have_attribute("data-seq", "11")
        expect(page.locator("#play")).to_be_hidden()


@pytest.mark.parametrize("game", ["valdora", "valda"])
def test_play_goes_on_from_a_moment(
    browser: Browser, site: str, http: httpx2.Client, ended: dict[str, Played], game: str
) -> None:
    first = ended[game]
    with visitor(browser, site) as page:
        page.goto(f"{first.path}/replay?at=50")
        page.get_by_role("button", name="Play on from here").click()
        page.wait_for_url(lambda url: "/replay" not in url)
        expect(page.locator("#agreed")).to_contain_text("played on from step 50")
        page.locator("#join-name").fill(NAMES[0])
        page.locator("#join button").click()
        code = page.url.rpartition("/")[2]
        for name in NAMES[1:3]:
            assert http.post(f"/api/rooms/{code}/join", json={"name": name}).status_code == 200
            http.cookies.clear()
        page.locator("#begin button").click()
        expect(page.locator("#targets")).to_have_attribute("data-seq", "50")
        expect(page.locator("#log li")).not_to_have_count(0)


def test_a_move_is_made_where_play_goes_on(
    browser: Browser, site: str, ended: dict[str, Played], http: httpx2.Client
) -> None:
    """Anna sits where the game waits for her."""
    first = ended["valdora"]
    table = Played.lay(first.game, 3, first.seed)
    moment = 0
    while moment < 40 or table.state.turn.seat != 0:
        table.play(table.state.turn.seat, choose(table.state))
        moment += 1
    with visitor(browser, site) as page:
        page.goto(f"{first.path}/replay?at={moment}")
        page.get_by_role("button", name="Play on from here").click()
        page.locator("#join-name").fill("Zoe")
        page.locator("#join button").click()
        code = page.url.rpartition("/")[2]
        for name in NAMES[1:3]:
            http.post(f"/api/rooms/{code}/join", json={"name": name})
            http.cookies.clear()
        page.locator("#begin button").click()
        expect(page.locator("#prompt.mine")).to_be_visible()
        press(page, button(page, choose(table.state)).first)
        expect(page.locator("#targets")).to_have_attribute("data-seq", str(moment + 1))


@pytest.mark.parametrize("game", ["valdora", "valda"])
def test_the_file_works_from_a_disk_without_a_network(
    browser: Browser, http: httpx2.Client, ended: dict[str, Played], tmp_path: Path, game: str
) -> None:
    first = ended[game]
    file = tmp_path / "game.html"
    file.write_bytes(http.get(f"{first.path}/replay.html?as=1", timeout=120).content)
    asked: list[str] = []
    with visitor(browser, "about:blank", offline=True, reduced_motion="reduce") as page:
        page.on("request", lambda request: asked.append(request.url))
        page.goto(file.as_uri())
        for key, step in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", first.seq), ("Home", 0)):
            page.keyboard.press(key)
            expect(page.locator("#step")).to_contain_text(f"step {step} of {first.seq}")
        expect(page.locator("#score")).to_be_hidden()
        page.locator("#at").fill("30")
        expect(page.locator("#step")).to_contain_text("step 30 of")
        assert axe(page) == []
        told = page.locator("#log li").first.inner_text()
        table = page.locator("#words").text_content()
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    with visitor(browser, str(http.base_url)) as online:
        online.goto(f"{first.path}/replay?at=30&as=1")
        assert online.locator("#log li").first.inner_text() == told
        assert online.locator("#words").text_content() == table


@pytest.mark.parametrize("game", ["valdora", "valda"])
@pytest.mark.parametrize(("size", "scheme"), [("desktop", "light"), ("phone", "dark")])
def test_axe_finds_nothing_and_nothing_is_too_wide(
    browser: Browser, site: str, ended: dict[str, Played], game: str, size: str, scheme: str
) -> None:
    for language in LANGUAGES[::3]:
        with visitor(browser, site, viewport=SIZES[size], color_scheme=scheme, locale=language) as page:
            for path in (f"replay?at={ended[game].seq}", "replay?at=40&as=0", "deal"):
                page.goto(f"{ended[game].path}/{path}")
                assert axe(page) == []
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            page.goto(f"{ended[game].path}/replay?at=40")
            for thing in page.locator(".controls a, .controls button, .aids a:visible, .aids button:visible").all():
                box = thing.bounding_box()
                assert box
                assert min(box["width"], box["height"]) >= 43.5


def test_the_browser_checks_the_deal_itself(me: Page, ended: dict[str, Played]) -> None:
    me.goto(f"{ended['valda'].path}/deal")
    expect(me.locator("#own-check")).to_contain_text("it agrees")


def test_the_bar_stays_where_it_is(me: Page, ended: dict[str, Played]) -> None:
    me.goto(f"{ended['valda'].path}/replay")
    boxes = set()
    for _ in range(12):
        me.keyboard.press("PageDown")
        me.wait_for_timeout(50)
        box = me.locator("#room").bounding_box()
        assert box
        boxes.add(box["y"])
    assert len(boxes) == 1
