"""Rooms of Valdora at a running site, played forward through the API to where a test begins."""

from collections.abc import Callable
from typing import Any

import httpx2
from playwright.sync_api import Page

from app.engine.codec import raw_move
from app.engine.table import Table
from app.games.valdora.moves import Move
from app.games.valdora.state import Options, State
from tests.games.valdora.sensible import choose
from tests.games.valdora.tabletop import GAME

NAMES = ("Anna", "Bruno", "Chiara", "Dmitri", "Eva")


class Played:
    """A room, its players' tokens, and the table as it is now."""

    def __init__(self, site: str, seats: int, seed: str) -> None:
        self.site = site
        self.names = NAMES[:seats]
        made = self._call("/api/rooms", {"game": "valdora", "seats": seats, "seed": seed})
        self.code: str = made["code"]
        self.path = f"/r/{self.code}"
        self.tokens: list[str] = []
        for name in self.names:
            token = "" if self.tokens else made["token"]
            self.tokens.append(self._call(f"/api/rooms/{self.code}/join", {"name": name}, token)["token"])
        self._call(f"/api/rooms/{self.code}/start", None, self.tokens[0])
        self.state: State = Table(GAME, Options(), seats, seed).state
        self.steps = 0

    @classmethod
    def until(cls, site: str, seats: int, seed: str, stop: Callable[[State], bool]) -> "Played":
        """Sensible players play until this is so."""
        room = cls(site, seats, seed)
        while not stop(room.state):
            room.play(choose(room.state))
        return room

    def _call(self, path: str, body: object, token: str = "") -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = httpx2.post(self.site + path, json=body, headers=headers)
        assert answer.status_code < 300, answer.text
        return answer.json() if answer.content else None

    def play(self, move: Move) -> None:
        body = {"decision": str(self.steps), "move": raw_move(move), "key": f"k{self.steps}"}
        self._call(f"/api/rooms/{self.code}/moves", body, self.tokens[self.state.turn.seat])
        self.follow(move)

    def follow(self, move: Move) -> None:
        """The move was made in a browser."""
        self.state = GAME.apply(self.state, self.state.turn.seat, move).state
        self.steps += 1

    def sit(self, page: Page, seat: int) -> None:
        """The page is this player's."""
        page.context.add_cookies([{"name": "person", "value": self.tokens[seat], "url": self.site}])
        page.goto(self.path)

    def sit_everywhere(self, page: Page) -> None:
        """One person holds all seats, by the private links that carry a seat to another device."""
        self.sit(page, 0)
        for token in self.tokens[1:]:
            carried = self._call(f"/api/rooms/{self.code}/carry", None, token)["url"]
            page.goto(carried)
            page.locator("form[action^='/carry'] button").click()
            page.wait_for_url(f"**{self.path}")
