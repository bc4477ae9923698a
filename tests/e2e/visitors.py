"""People with browsers."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from playwright.sync_api import Browser, Page

from tests.processes import ROOT

# A test may pull the plug, or go to another page while this one still connects; a browser that says so is right.
_RIGHT: Final = ("ERR_INTERNET_DISCONNECTED", "WebSocket is closed before the connection is established")


@contextmanager
def visitor(browser: Browser, site: str, complains: bool = False, **context: Any) -> Iterator[Page]:
    """Somebody who was never here; whatever their browser complains about fails the test, unless it is expected to."""
    with_cookies = browser.new_context(base_url=site, **{"locale": "en-GB", **context})
    tab = with_cookies.new_page()
    complaints: list[str] = []
    tab.on("console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None)
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.on("response", lambda answer: complaints.append(answer.url) if answer.status >= 400 else None)
    tab.set_default_timeout(20_000)
    try:
        yield tab
    finally:
        with_cookies.close()
    unexpected = [complaint for complaint in complaints if not any(sign in complaint for sign in _RIGHT)]
    assert complains or not unexpected, unexpected


def axe(page: Page) -> list[tuple[str, list[str]]]:
    """What axe-core finds wrong with the page as it is now."""
    page.evaluate((ROOT / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8"))
    too_long = "new Promise((_, no) => setTimeout(() => no(new Error('axe takes too long')), 30000))"
    found = page.evaluate(f"Promise.race([axe.run(), {too_long}])")
    assert found["passes"]
    return [(fault["id"], [node["html"] for node in fault["nodes"]]) for fault in found["violations"]]
