"""The start page as a person sees it, in Chromium."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from app.i18n import LANGUAGES, phrasebook
from tests.e2e.visitors import axe, visitor

SIZES = {"phone": (360, 740), "tablet": (820, 1180), "desktop": (1280, 800), "wide": (2560, 1300)}


@pytest.fixture
def page(browser: Browser, site: str) -> Iterator[Page]:
    """A new visitor; whatever the browser complains about fails the test."""
    with visitor(browser, site) as tab:
        yield tab


def test_the_switch_changes_the_language_and_is_remembered(page: Page) -> None:
    page.goto("/")
    assert page.locator("h1").inner_text() == "The table is set."
    page.get_by_role("button", name="Русский").click()
    assert page.locator("h1").inner_text() == phrasebook("ru").say("start.lead")
    page.reload()
    assert page.locator("html").get_attribute("lang") == "ru"
    assert page.locator("[aria-current]").inner_text() == "Русский"


def test_the_switch_works_from_the_keyboard(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    for _ in range(3):
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.value") == "it"
    page.keyboard.press("Enter")
    page.wait_for_selector("html[lang=it]")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_cut_off_at_any_size(page: Page, site: str, language: str, size: str) -> None:
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    page.context.add_cookies([{"name": "language", "value": language, "url": site}])
    page.goto("/")
    assert page.locator("html").get_attribute("lang") == language
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for button in page.locator("button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44


def test_text_can_be_twice_as_large(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto("/")
    page.evaluate("document.documentElement.style.fontSize = '225%'")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/", "/nowhere"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_axe_finds_nothing(browser: Browser, site: str, language: str, path: str, scheme: str) -> None:
    with visitor(browser, site, complains=True, color_scheme=scheme, locale=language) as somebody:
        somebody.goto(path)
        assert axe(somebody) == []


def test_fonts_and_icons_are_drawn(page: Page) -> None:
    page.goto("/")
    page.wait_for_function("document.fonts.status === 'loaded'")
    assert page.evaluate("document.fonts.check('16px Alegreya') && document.fonts.check('16px \"Alegreya Sans\"')")
    box = page.locator(".facts .icon use").first.evaluate("use => use.getBBox().width")
    assert box > 0
