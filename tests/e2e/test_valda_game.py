"""Four browsers play a whole game of Valda by clicking; the house passes for whoever cannot react."""

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import Browser, Page, expect

from app.engine.contract import Seat
from app.games.valda.moves import PASS, Backstab, Crown, Move, Stand, Vanish
from app.games.valda.state import State
from tests.e2e.rooms import NAMES, button
from tests.e2e.visitors import visitor
from tests.friends import ValdaFriends
from tests.games.valda.sensible import next_move
from tests.processes import serving

SEED = "four at the fire 38"  # in which all of it comes about
LANGUAGES = ("en-GB", "it", "es", "ru")
SIZES = ((1280, 800), (360, 740), (820, 1180), (360, 740))


class Game(ValdaFriends):
    """Sensible people, who wait until the house has passed for those who have no choice."""

    def next(self) -> tuple[Seat, Move]:
        return next_move(self.table.state)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    """A house that does not wait for long."""
    with serving(DATABASE_URL=f"sqlite:///{tmp_path / 'valda.sqlite3'}", PAUSE_SECONDS="1") as server:
        yield server.address


def touch(page: Page, move: Move) -> None:
    """Click what makes the move; where it is folded away, unfold that first."""
    buttons = button(page, move)
    expect(buttons.first).to_be_attached()
    for found in buttons.all():
        if found.is_visible():
            found.click()
            return
    for found in buttons.all():
        popover = found.evaluate("button => button.closest('[popover]')?.id")
        if popover:
            page.locator(f"[popovertarget='{popover}']").first.click()
            found.click()
            return
    buttons.first.evaluate("button => button.closest('details').open = true")
    buttons.first.click()


def kind_of(state: State, move: Move) -> str:
    match move:
        case Stand() if state.raid and len(state.raid.shields) > 1:
            return "two shields"
        case Vanish(seat=seat) if seat is not None:
            return "redirected"
        case Crown() | Backstab():
            return type(move).__name__
    return ""


def at_seq(page: Page, seq: int) -> None:
    page.wait_for_function(
        "seq => Number(document.getElementById('targets')?.dataset.seq) >= seq", arg=seq, timeout=15_000
    )


def test_four_browsers_play_a_whole_game(browser: Browser, site: str) -> None:
    seen: Counter[str] = Counter()
    with ExitStack() as stack:
        http = stack.enter_context(httpx2.Client(base_url=site))
        game = Game(http, NAMES[:4], SEED)
        pages = [
            # Only the first one sees things move: four at once are too much for a small machine.
            stack.enter_context(
                visitor(
                    browser,
                    site,
                    locale=language,
                    viewport={"width": width, "height": height},
                    reduced_motion="reduce" if number else "no-preference",
                )
            )
            for number, (language, (width, height)) in enumerate(zip(LANGUAGES, SIZES, strict=True))
        ]
        for person, page in zip(game.people, pages, strict=True):
            page.context.add_cookies([{"name": "person", "value": person.token, "url": site}])
            page.goto(f"/r/{game.code}")
        while not game.over:
            state = game.table.state
            for quiet, _ in game.game.quiet(state):
                game.table.play(quiet, PASS)  # in whichever order the house does it
                game.seq += 1
                seen["passed by the house"] += 1
            if game.table.state is not state:
                at_seq(pages[0], game.seq)
                continue
            seat, move = game.next()
            seen[kind_of(state, move)] += 1
            at_seq(pages[seat], game.seq)
            touch(pages[seat], move)
            game.table.play(seat, move)
            game.seq += 1
        for page in pages:
            expect(page.locator("#score")).to_be_visible()
            expect(page.locator("#score tbody tr")).to_have_count(4)
    assert {"two shields", "redirected", "Backstab", "Crown", "passed by the house"} <= set(seen)
