"""Friends who play forward to where a test begins, and whose seats a browser can take."""

from collections.abc import Callable
from itertools import count
from typing import Any, Self

import httpx2
import msgspec
from playwright.sync_api import Locator, Page, expect

from app.engine.codec import raw_move
from tests.friends import Friends, ValdaFriends, choose_by_chance

NAMES = ("Anna", "Bruno", "Chiara", "Dmitri", "Eva")


def button(page: Page, move: Any) -> Locator:
    """What makes this move."""
    raw = msgspec.json.encode(raw_move(move)).decode()
    return page.locator(f"button[name=move][value='{raw}']")


def press(page: Page, target: Locator) -> None:
    """Go to the button as the keyboard does and press it; what is folded is opened on the way."""
    choice = target.locator("xpath=ancestor::*[@popover]")
    if choice.count():
        opener = page.locator(f"[popovertarget={choice.get_attribute('id')}]").first
        opener.focus()
        page.keyboard.press("Enter")
    elif not target.is_visible():
        page.locator("#actions:not([open]) summary").focus()
        page.keyboard.press("Enter")
    target.focus()
    assert target.evaluate("button => document.activeElement === button && button.tabIndex >= 0")
    page.keyboard.press("Enter")


def box(page: Page, game: str = "valdora") -> Locator:
    """The lid of a game on the start page, with all that one chooses there."""
    return page.locator(f".lid-{game}")


class Played(Friends):
    @classmethod
    def until(cls, http: httpx2.Client, seats: int, seed: str, stop: Callable[[Any], bool]) -> Self:
        """They play until this is so."""
        friends = cls(http, NAMES[:seats], seed)
        while not stop(friends.state):
            friends.step()
        return friends

    @property
    def state(self) -> Any:
        return self.table.state

    @property
    def path(self) -> str:
        return f"/r/{self.code}"

    def follow(self, move: Any, seat: int | None = None) -> None:
        """The move was made in a browser."""
        self.table.play(self.state.turn.seat if seat is None else seat, move)
        self.seq += 1

    def sit(self, page: Page, seat: int, site: str) -> None:
        """The page is this player's."""
        page.context.add_cookies([{"name": "person", "value": self.people[seat].token, "url": site}])
        page.goto(self.path)

    def sit_everywhere(self, page: Page, site: str) -> None:
        """One person holds all seats, by the private links that carry a seat to another device."""
        self.sit(page, 0, site)
        for person in self.people[1:]:
            page.goto(person.post("carry").json()["url"])
            page.locator("form[action^='/carry'] button").click()
            page.wait_for_url(f"**{self.path}")

    def hold(self, page: Page, seat: int) -> None:
        """Of several at one device, whoever is to move says that they hold it."""
        me = page.locator(f"form[action$='/face']:has([name=seat][value='{seat}']) button")
        if me.count():
            press(page, me)
            expect(me).to_have_count(0)


class PlayedValda(ValdaFriends, Played):
    @classmethod
    def somewhere(cls, http: httpx2.Client, seats: int, stop: Callable[[Any], bool]) -> Self:
        """A room in which chance comes to where this is so: which seed does is tried beside the site first."""
        seed = next(seed for seed in map(str, count()) if cls.comes(seats, seed, stop))
        return cls.until(http, seats, seed, stop)

    @classmethod
    def comes(cls, seats: int, seed: str, stop: Callable[[Any], bool]) -> bool:
        table = cls.lay(cls.game, seats, seed)
        while not stop(table.state):
            if not cls.game.to_act(table.state):
                return False
            table.play(*choose_by_chance(table.state, seed))
        return True
