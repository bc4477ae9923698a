"""Easy: takes what looks best at once, and sees no further than the next step."""

from app.engine.bots.eyes import Eyes
from app.engine.contract import Game, M, O, S, Seat
from app.engine.rng import Rng


def choose(eyes: Eyes[S, M, O], rng: Rng) -> M:
    return greedy(eyes.game, eyes.sample(rng), eyes.seat)


def greedy(game: Game[S, M, O], table: S, seat: Seat) -> M:
    """The move after which the seat stands best; of equal ones the last, as games list last what ends a turn."""
    moves = game.legal(table, seat)
    if len(moves) == 1:
        return moves[0]
    return max(reversed(moves), key=lambda move: game.outlook(game.apply(table, seat, move).state, seat))
