"""The lesson and the rules as a person sees them, in Chromium."""

import re

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from app.engine.codec import raw_move
from app.engine.registry import find
from app.i18n import LANGUAGES, phrasebook
from tests.e2e.visitors import axe, visitor

SIZES = {"phone": {"width": 360, "height": 740}, "desktop": {"width": 1280, "height": 800}}
GLOWING = "button[form=act]:not(.coach button, #actions button)"


def tasks(game: str = "valdora") -> list[str]:
    """What is asked, one after the other, as a form sends it."""
    lesson = find(game).lesson
    assert lesson is not None
    moves = [task.move for step in lesson.steps for task in step.tasks]
    return [msgspec.json.encode(raw_move(move)).decode() for move in moves]


def glowing(page: Page, move: str) -> None:
    """Nothing but this glows; it may lie in two places."""
    expect(page.locator(GLOWING).first).to_have_attribute("value", move)
    assert {button.get_attribute("value") for button in page.locator(GLOWING).all()} == {move}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("game", "language"), [("valdora", "it"), ("valdora", "ru"), ("valda", "ru")])
def test_the_whole_lesson_by_touching_what_glows(
    browser: Browser, site: str, game: str, language: str, size: str
) -> None:
    words = phrasebook(language)
    with visitor(browser, site, locale=language, viewport=SIZES[size]) as learner:
        learner.goto(f"/learn/{game}")
        for number, move in enumerate(tasks(game)):
            glowing(learner, move)
            if size == "desktop":
                expect(learner.locator(GLOWING).locator("visible=true").first).to_be_in_viewport()
            if number % 2 == (size == "phone"):
                assert axe(learner) == []
                assert learner.evaluate("document.documentElement.scrollWidth <= innerWidth")
            before = learner.url
            learner.locator(GLOWING).locator("visible=true").first.click()
            learner.wait_for_url(lambda url, before=before: url != before)  # type: ignore[misc]
        expect(learner.locator("h1")).to_have_text(words.say("learn.end.title"))
        assert axe(learner) == []
        expect(learner.get_by_role("button", name=words.say("game.open_room"))).to_be_visible()


def press_until(page: Page, move: str) -> None:
    """Go on with the tab key until the button with this move has the focus, then press it."""
    for _ in range(120):
        page.keyboard.press("Tab")
        focus = "document.activeElement.getAttribute('form') === 'act' && document.activeElement.value"
        if page.evaluate(focus) == move:
            page.keyboard.press("Enter")
            return
    raise AssertionError(f"the keyboard does not reach {move}")


def test_the_whole_lesson_by_keyboard(browser: Browser, site: str) -> None:
    with visitor(browser, site) as learner:
        learner.goto("/learn/valdora")
        for move in tasks():
            glowing(learner, move)
            before = learner.url
            press_until(learner, move)
            learner.wait_for_url(lambda url, before=before: url != before)  # type: ignore[misc]
        expect(learner.locator("h1")).to_have_text("Well done!")


def test_the_whole_lesson_and_a_room_without_scripts(browser: Browser, site: str) -> None:
    with visitor(browser, site, java_script_enabled=False) as learner:
        learner.goto("/learn/valdora")
        for move in tasks():
            learner.locator(f"button[form=act][value='{move}']").and_(learner.locator(GLOWING)).click()
        expect(learner.locator("h1")).to_have_text("Well done!")
        learner.get_by_role("button", name="Open a room").click()
        expect(learner.locator(".lobby .seats")).to_be_visible()


def test_the_hint_does_what_is_asked_and_one_can_go_back(browser: Browser, site: str) -> None:
    with visitor(browser, site) as learner:
        learner.goto("/learn/valdora")
        learner.locator(".coach summary").click()
        learner.locator(".coach details button").click()
        learner.wait_for_url("**/learn/valdora?step=1")
        expect(learner.locator(".progress")).to_contain_text("Step 2 of 8")
        learner.get_by_role("link", name="One step back").click()
        expect(learner.locator(".progress")).to_contain_text("Step 1 of 8")


@pytest.mark.parametrize("size", SIZES)
def test_why_not_leads_to_the_rule(browser: Browser, site: str, size: str) -> None:
    with visitor(browser, site, viewport=SIZES[size]) as learner:
        learner.goto("/learn/valdora")
        learner.locator("#targets .s-A").click()
        expect(learner.locator("#problem")).to_contain_text("That would be allowed")
        learner.locator("#targets .s-o2").click()
        expect(learner.locator("#problem")).to_contain_text(phrasebook("en").say("valdora.refuse.city_in_the_way"))
        expect(learner.locator("#problem")).to_be_in_viewport()
        assert learner.url.endswith("/learn/valdora")
        learner.locator("#problem a").click()
        learner.wait_for_url("**/rules/valdora#VT-2")
        expect(learner.locator(":target")).to_be_in_viewport()
        expect(learner.locator("li:target .rule-id")).to_have_text("VT-2")
        marked, plain = (
            learner.locator(rule).evaluate("rule => getComputedStyle(rule).backgroundColor")
            for rule in ("#VT-2", "#VT-1")
        )
        assert marked != plain


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_axe_finds_nothing_in_the_rules(browser: Browser, site: str, language: str, scheme: str) -> None:
    with visitor(browser, site, color_scheme=scheme, locale=language) as reader:
        reader.goto("/rules/valdora#VA-13")
        expect(reader.locator("h1")).to_have_text(phrasebook(language).say("valdora.rules.title"))
        assert axe(reader) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/learn/valdora?step=6&task=1", "/learn/valdora?step=8"])
def test_axe_finds_nothing_in_the_lesson(browser: Browser, site: str, path: str, scheme: str) -> None:
    with visitor(browser, site, color_scheme=scheme, viewport=SIZES["phone"]) as reader:
        reader.goto(path)
        assert axe(reader) == []


@pytest.mark.parametrize("path", ["/rules/valdora", "/learn/valdora?step=3", "/learn/valdora?step=8"])
@pytest.mark.parametrize("width", [360, 820, 2560])
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_cut_off(browser: Browser, site: str, language: str, width: int, path: str) -> None:
    with visitor(browser, site, locale=language, viewport={"width": width, "height": 900}) as reader:
        reader.goto(path)
        assert reader.evaluate("document.documentElement.scrollWidth") <= width
        if width == 360:
            reader.evaluate("document.documentElement.style.fontSize = '225%'")
            assert reader.evaluate("document.documentElement.scrollWidth") <= width


def test_the_contents_stay_in_sight_on_a_wide_screen(browser: Browser, site: str) -> None:
    with visitor(browser, site) as reader:
        reader.goto("/rules/valdora")
        reader.locator(".rules-contents a[href='#VE']").click()
        expect(reader.locator("#VE")).to_be_in_viewport()
        expect(reader.locator(".rules-contents")).to_be_in_viewport()


def test_the_marks_are_words_and_not_the_size_of_the_logo(browser: Browser, site: str) -> None:
    with visitor(browser, site) as reader:
        reader.goto("/rules/valdora")
        for mark in reader.locator("dt .mark").all():
            fits = mark.evaluate("mark => mark.scrollWidth <= mark.clientWidth + 2")
            assert fits
        assert reader.locator("dl.marks dd").count() == 2


def test_the_rules_can_be_printed(browser: Browser, site: str) -> None:
    with visitor(browser, site) as reader:
        reader.goto("/rules/valdora")
        reader.emulate_media(media="print")
        expect(reader.locator(".rules-contents")).to_be_hidden()
        expect(reader.locator("#VE-4")).to_be_visible()
        pages = len(re.findall(rb"/Type /Page\b", reader.pdf()))
        assert 4 <= pages <= 24
