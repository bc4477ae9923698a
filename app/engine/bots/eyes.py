"""What a bot may look through: it never gets the table itself, so it cannot use what it may not know."""

from collections.abc import Sequence
from typing import Generic

import msgspec

from app.engine.contract import Game, M, O, S, Seat
from app.engine.rng import Rng


class Eyes(Generic[S, M, O]):
    def __init__(self, game: Game[S, M, O], state: S, seat: Seat) -> None:
        self.game = game
        self.seat = seat
        self.__state = state

    def view(self) -> msgspec.Struct:
        return self.game.view(self.__state, self.seat)

    def legal(self) -> Sequence[M]:
        return self.game.legal(self.__state, self.seat)

    def sample(self, rng: Rng) -> S:
        """A table as it could be, by all that the seat knows."""
        return self.game.resample(self.__state, self.seat, rng)
