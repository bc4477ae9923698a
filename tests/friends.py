"""A game of Valdora at a running site, played sensibly through the API."""

from typing import Any

import httpx2

from app.engine.codec import raw_move
from app.engine.table import Table
from app.games.valdora.moves import Move
from app.games.valdora.state import Options
from tests.games.valdora.sensible import choose
from tests.games.valdora.tabletop import GAME
from tests.people import Person, open_room, sit_down


class Friends:
    """They know the seed, so a table on the side tells what comes next."""

    def __init__(self, http: httpx2.Client, names: tuple[str, ...], seed: str = "friends", **wish: Any) -> None:
        host = open_room(http, len(names), seed=seed, options={"start": "first_seat"}, **wish)
        self.code = host.code
        self.people = [sit_down(http, host.code, names[0], host.token)]
        self.people += [sit_down(http, host.code, name) for name in names[1:]]
        assert self.people[0].post("start").status_code == 204
        self.table = Table(GAME, Options(start="first_seat"), len(names), seed)
        self.seq = 0

    @property
    def over(self) -> bool:
        return not GAME.to_act(self.table.state)

    @property
    def mover(self) -> Person:
        return self.people[self.table.state.turn.seat]

    def next(self) -> tuple[int, Move]:
        return self.table.state.turn.seat, choose(self.table.state)

    def step(self) -> None:
        seat, move = self.next()
        answer = self.mover.move(raw_move(move), decision=str(self.seq))
        assert answer.status_code == 200, answer.text
        self.seq = answer.json()["seq"]
        self.table.play(seat, move)

    def play(self, steps: int) -> None:
        for _ in range(steps):
            self.step()

    def play_to_the_end(self) -> None:
        while not self.over:
            self.step()
