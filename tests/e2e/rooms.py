"""Friends who play forward to where a test begins, and whose seats a browser can take."""

from collections.abc import Callable

import httpx2
from playwright.sync_api import Page

from app.games.valdora.moves import Move
from app.games.valdora.state import State
from tests.friends import Friends

NAMES = ("Anna", "Bruno", "Chiara", "Dmitri", "Eva")


class Played(Friends):
    @classmethod
    def until(cls, http: httpx2.Client, seats: int, seed: str, stop: Callable[[State], bool]) -> "Played":
        """They play until this is so."""
        friends = cls(http, NAMES[:seats], seed)
        while not stop(friends.state):
            friends.step()
        return friends

    @property
    def state(self) -> State:
        return self.table.state

    @property
    def path(self) -> str:
        return f"/r/{self.code}"

    def follow(self, move: Move) -> None:
        """The move was made in a browser."""
        self.table.play(self.state.turn.seat, move)
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
