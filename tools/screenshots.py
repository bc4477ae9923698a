"""`make screenshots`: the pictures of docs/pictures, from a game that is played for them.

.venv/bin/python -m tools.screenshots [folder]
"""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
from playwright.sync_api import Browser, Page, sync_playwright

from tests.friends import Friends, ValdaFriends
from tests.people import Person, open_room, sit_down
from tests.processes import serving

ROOT = Path(__file__).resolve().parent.parent
NAMES = ("Anna", "Bruno", "Clara", "Dora")
MOST_BYTES = 300_000
DESK = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}


class Camera:
    def __init__(self, browser: Browser, site: str, folder: Path) -> None:
        self.browser = browser
        self.site = site
        self.folder = folder

    def take(self, name: str, path: str, person: Person | None = None, **context: Any) -> None:
        with self._visitor(person, **{"viewport": DESK, **context}) as page:
            page.goto(path)
            page.wait_for_load_state("networkidle")
            page.wait_for_function("document.fonts.status === 'loaded'")
            page.wait_for_timeout(500)  # what moves has arrived
            self._develop(page, name)

    @contextmanager
    def _visitor(self, person: Person | None, **context: Any) -> Iterator[Page]:
        visit = self.browser.new_context(base_url=self.site, locale="en-GB", **context)
        if person:
            visit.add_cookies([{"name": "person", "value": person.token, "url": self.site}])
        try:
            yield visit.new_page()
        finally:
            visit.close()

    def _develop(self, page: Page, name: str) -> None:
        """As good as fits."""
        file = self.folder / f"{name}.jpg"
        for quality in (88, 80, 70, 60):
            page.screenshot(path=file, type="jpeg", quality=quality)
            if file.stat().st_size <= MOST_BYTES:
                break
        print(f"{file.name}: {file.stat().st_size // 1000} KB", flush=True)


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    program = shutil.which("chromium") or shutil.which("google-chrome")
    with (
        tempfile.TemporaryDirectory() as files,
        serving(DATABASE_URL=f"sqlite:///{files}/site.sqlite3") as server,
        httpx2.Client(base_url=server.address) as http,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=program, args=["--headless=new", "--no-sandbox"])
        take_all(Camera(browser, server.address, folder), http)
        browser.close()


def take_all(camera: Camera, http: httpx2.Client) -> None:
    camera.take("start", "/")
    host = open_room(http, len(NAMES))
    anna = sit_down(http, host.code, NAMES[0], host.token)
    sit_down(http, host.code, NAMES[1])
    host.post("bots", {"level": "strong"})
    camera.take("lobby", f"/r/{host.code}", anna)
    friends = Friends(http, NAMES, seed="pictures")
    friends.play(130)
    table = f"/r/{friends.code}"
    camera.take("table", table, friends.mover)
    camera.take("table-dark", table, friends.mover, color_scheme="dark")
    camera.take("phone", table, friends.mover, viewport=PHONE, device_scale_factor=2, is_mobile=True, has_touch=True)
    friends.play_to_the_end()
    camera.take("end", table, friends.people[0])
    camera.take("replay", f"{table}/replay?at={friends.seq // 2}", friends.people[0])
    take_valda(camera, http)
    (camera.folder / "preview.png").write_bytes(http.get(f"{table}/board.png").content)


def take_valda(camera: Camera, http: httpx2.Client) -> None:
    friends = ValdaFriends(http, NAMES[:4], seed="pictures")
    table = f"/r/{friends.code}"
    while not (friends.table.state.turn.phase == "actions" and friends.table.state.round == 4):
        friends.step()
    camera.take("valda", table, friends.mover, color_scheme="dark")
    camera.take(
        "valda-phone", table, friends.mover, viewport=PHONE, device_scale_factor=2, is_mobile=True, has_touch=True
    )
    while not ((raid := friends.table.state.raid) and raid.shields):
        friends.step()
    camera.take("valda-attack", table, friends.people[raid.target], color_scheme="dark")


if __name__ == "__main__":
    main()
