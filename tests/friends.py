"""Games at a running site, played through the API: Valdora sensibly, Valda as chance has it."""

from random import Random
from typing import Any, ClassVar

import httpx2

from app.engine.codec import raw_move
from app.engine.contract import Game
from app.engine.table import Table
from app.games import valda
from app.games.valda import moves as steps
from tests.games.valdora.sensible import choose
from tests.games.valdora.tabletop import GAME
from tests.people import Person, open_room, sit_down

VALDA = valda.load()


class Friends:
    """They know the seed, so a table on the side tells what comes next."""

    game: ClassVar[Game[Any, Any, Any]] = GAME

    def __init__(self, http: httpx2.Client, names: tuple[str, ...], seed: str = "friends", **wish: Any) -> None:
        game = self.game.card.name
        host = open_room(http, len(names), game=game, seed=seed, options={"start": "first_seat"}, **wish)
        self.code = host.code
        self.people = [sit_down(http, host.code, names[0], host.token)]
        self.people += [sit_down(http, host.code, name) for name in names[1:]]
        assert self.people[0].post("start").status_code == 204
        self.table = self.lay(self.game, len(names), seed)
        self.seed = seed
        self.seq = 0

    @staticmethod
    def lay(game: Game[Any, Any, Any], seats: int, seed: str) -> Table[Any, Any, Any]:
        return Table(game, game.options_type(start="first_seat"), seats, seed)

    @property
    def over(self) -> bool:
        return not self.game.to_act(self.table.state)

    @property
    def mover(self) -> Person:
        return self.people[self.next()[0]]

    @property
    def decision(self) -> str:
        number = self.game.decision(self.table.state)
        return str(self.seq) if number is None else f"d{number}"

    def next(self) -> tuple[int, Any]:
        return self.table.state.turn.seat, choose(self.table.state)

    def step(self) -> None:
        seat, move = self.next()
        answer = self.people[seat].move(raw_move(move), decision=self.decision)
        assert answer.status_code == 200, answer.text
        self.seq = answer.json()["seq"]
        self.table.play(seat, move)

    def play(self, steps: int) -> None:
        for _ in range(steps):
            self.step()

    def play_to_the_end(self) -> None:
        while not self.over:
            self.step()


# How gladly chance does something, so that games come to everything: to build is better than to say that one is done.
_GLADLY = {
    steps.EndPhase: 1.0,
    steps.Pass: 1.0,
    steps.Done: 1.0,
    steps.Play: 6.0,
    steps.Build: 12.0,
    steps.Attack: 9.0,
    steps.Shield: 9.0,
    steps.Trade: 0.2,
    steps.Thief: 0.03,
    steps.Bullseye: 0.02,
    steps.Dagger: 0.003,
}


def choose_by_chance(state: Any, seed: str) -> tuple[int, Any]:
    """Somebody whom the game of Valda waits for, and something that they may do; asked again, the same."""
    seat = VALDA.awaited(state)[0]
    moves = VALDA.legal(state, seat)
    chance = Random(f"{seed} {state.moment} {seat}")
    return seat, chance.choices(moves, [_GLADLY.get(type(move), 3.0) for move in moves])[0]


class ValdaFriends(Friends):
    """Whoever is asked and cannot react says so at once, before the house does it for them."""

    game = VALDA

    def next(self) -> tuple[int, Any]:
        return choose_by_chance(self.table.state, self.seed)
