"""What a table costs over a slow network: everything that Chromium loads for it, and what a move sends."""

from statistics import median
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Browser, Page

from tests.e2e.visitors import visitor
from tests.friends import Friends, ValdaFriends
from tests.people import Person

FIRST_LOAD = 150_000
USUAL_MOVE = 12_000
NAMES = {"en": ("Anna", "Bruno", "Clara", "Dora"), "ru": ("Анна", "Борис", "Вера", "Глеб")}


def come_in(page: Page, site: str, person: Person | None) -> None:
    if person:
        page.context.add_cookies([{"name": "person", "value": person.token, "url": site}])


@pytest.mark.parametrize("play", [Friends, ValdaFriends])
@pytest.mark.parametrize("coding", ["gzip", "br"])
@pytest.mark.parametrize("who", ["player", "spectator"])
@pytest.mark.parametrize("language", NAMES)
def test_the_first_load_of_a_table(
    browser: Browser, site: str, language: str, who: str, coding: str, play: type[Friends]
) -> None:
    with httpx2.Client(base_url=site) as http:
        friends = play(http, NAMES[language])
        friends.play(60)
    with visitor(browser, site, locale=language, viewport={"width": 1280, "height": 800}) as page:
        come_in(page, site, friends.mover if who == "player" else None)
        loaded = watch(page, coding)
        frames = listen(page)
        page.goto(f"/r/{friends.code}")
        page.wait_for_function("document.fonts.status === 'loaded'")
        page.wait_for_load_state("networkidle")
    print(language, who, coding, sum(loaded.values()), frames, sorted(loaded.items(), key=lambda one: -one[1]))
    assert len(loaded) > 10
    assert sum(loaded.values()) + sum(frames) <= FIRST_LOAD
    assert language == "ru" or not [name for name in loaded if "cyrillic" in name or "-ext-" in name]


def watch(page: Page, coding: str) -> dict[str, int]:
    """Bytes on the wire, with headers, of each thing that is loaded from now on. A new visitor's cache is empty."""
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    network.send("Network.setExtraHTTPHeaders", {"headers": {"Accept-Encoding": coding}})
    names: dict[str, str] = {}
    loaded: dict[str, int] = {}
    network.on("Network.responseReceived", lambda event: names.update({event["requestId"]: event["response"]["url"]}))

    def finished(event: dict[str, Any]) -> None:
        address = names.get(event["requestId"], "?")
        loaded[address] = loaded.get(address, 0) + int(event["encodedDataLength"])

    network.on("Network.loadingFinished", finished)
    return loaded


@pytest.mark.parametrize("play", [Friends, ValdaFriends])
def test_what_a_usual_move_sends(browser: Browser, site: str, play: type[Friends]) -> None:
    """To a player, who moves now and then, and to a spectator."""
    with httpx2.Client(base_url=site) as http:
        friends = play(http, NAMES["ru"], seed="a stretch")
        friends.play(60)
        with visitor(browser, site, locale="ru") as player, visitor(browser, site, locale="ru") as spectator:
            come_in(player, site, friends.people[0])
            received = [listen(page) for page in (player, spectator)]
            for page in (player, spectator):
                page.goto(f"/r/{friends.code}")
                page.wait_for_load_state("networkidle")
            for frames in received:
                frames.clear()
            moved: list[tuple[int, int]] = []
            for _ in range(60):
                friends.step()
                for page in (player, spectator):
                    page.wait_for_selector(f"#motion[data-seq='{friends.seq}']", state="attached")
                moved.append((sum(received[0]), sum(received[1])))
                for frames in received:
                    frames.clear()
    for name, sizes in zip(("player", "spectator"), zip(*moved, strict=True), strict=True):
        print(name, "median", median(sizes), "largest", max(sizes))
        assert median(sizes) <= USUAL_MOVE


def listen(page: Page) -> list[int]:
    """The sizes of the frames that come over the socket."""
    frames: list[int] = []

    def received(payload: str | bytes) -> None:
        frames.append(len(payload.encode() if isinstance(payload, str) else payload))

    page.on("websocket", lambda socket: socket.on("framereceived", received))
    return frames
