"""A tournament: which bots win how often, in games in which each sits in each place of each deal."""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product
from math import sqrt
from typing import Any, Final

import msgspec

from app import thinking
from app.engine import registry
from app.engine.bots import LEVELS
from app.engine.bots.eyes import Eyes
from app.engine.contract import Game
from app.engine.rng import Rng

_SURE: Final = 1.96  # standard deviations: 95 of 100 such intervals hold the true share


class BadBots(Exception):
    """Bots that cannot sit at such a table. The text is one sentence for a person."""


class Thought(msgspec.Struct):
    """How long decisions took; moves without a choice are not counted."""

    decisions: int = 0
    seconds: float = 0.0
    longest: float = 0.0

    def add(self, other: "Thought") -> None:
        self.decisions += other.decisions
        self.seconds += other.seconds
        self.longest = max(self.longest, other.longest)


class Match(msgspec.Struct):
    """How one game went: the part of the victory, the points and the thinking of each bot."""

    moves: int
    won: dict[str, float]
    points: dict[str, list[int]]
    thoughts: dict[str, Thought]


class Standing(msgspec.Struct):
    bot: str
    seats: int
    even: float  # the share of victories if all played alike: its part of the seats
    share: float
    low: float
    high: float
    points: float
    decisions: int
    seconds_a_move: float
    longest_move: float

    @property
    def verdict(self) -> str:
        if self.low > self.even:
            return "above even"
        return "below even" if self.high < self.even else "not told apart from even"


class Result(msgspec.Struct):
    game: str
    seats: list[str]
    games: int
    deals: int
    seed: str
    seconds: float
    moves_a_game: float
    standings: list[Standing]


def seatings(bots: Sequence[str], players: int | None, game: Game[Any, Any, Any]) -> list[tuple[str, ...]]:
    """Who sits where: the bots in turn until all seats are taken, and that moved on by one seat while it differs."""
    for bot in bots:
        if bot not in LEVELS:
            raise BadBots(f"There is no bot called {bot!r}. There is: {', '.join(LEVELS)}.")
    count = players or max(len(bots), game.card.seats[0])
    if count not in game.card.seats or count < len(bots):
        raise BadBots(f"{len(bots)} bots cannot take {count} seats of {game.name}.")
    first = tuple(bots[seat % len(bots)] for seat in range(count))
    return list(dict.fromkeys(first[turn:] + first[:turn] for turn in range(count)))


def play_match(name: str, seconds: float, job: tuple[str, tuple[str, ...]]) -> Match:
    """One game of bots. The same one again, unless they are short of time."""
    seed, bots = job
    game = registry.find(name)
    state = game.setup(game.options_type(), len(bots), seed)
    thoughts = {bot: Thought() for bot in bots}
    moves = 0
    while awaited := game.awaited(state):
        seat = awaited[0]
        legal = game.legal(state, seat)
        move = legal[0]
        if len(legal) > 1:
            began = time.perf_counter()
            rng = Rng.seeded(f"{seed} {' '.join(bots)} {moves}")
            move = thinking.choose(Eyes(game, state, seat), bots[seat], rng, thinking.hurry_after(seconds))
            took = time.perf_counter() - began
            thoughts[bots[seat]].add(Thought(1, took, took))
            if move not in legal:
                raise AssertionError(f"A {bots[seat]} bot wanted to play {move}, which is not legal.")
        state = game.apply(state, seat, move).state
        moves += 1
    outcome = game.outcome(state)
    winners = outcome.winners if outcome else ()
    won = dict.fromkeys(bots, 0.0)
    points: dict[str, list[int]] = {bot: [] for bot in bots}
    for seat, total in enumerate(game.score_sheet(state).totals):
        points[bots[seat]].append(total)
        won[bots[seat]] += (seat in winners) / max(1, len(winners))
    return Match(moves, won, points, thoughts)


def hold(
    game: Game[Any, Any, Any],
    seats: list[tuple[str, ...]],
    games: int,
    seed: str,
    seconds: float,
    finished: Callable[[], None],
    jobs: int = 1,
) -> Result:
    """As many whole deals as the games need; each seating of a deal is a game."""
    began = time.perf_counter()
    deals = whole_deals(games, len(seats))
    played = [(f"{seed}-{deal}", bots) for deal, bots in product(range(1, deals + 1), seats)]
    matches: list[Match] = []
    for match in _played(game.name, seconds, played, jobs):
        matches.append(match)
        finished()
    return Result(
        game=game.name,
        seats=list(seats[0]),
        games=len(matches),
        deals=deals,
        seed=seed,
        seconds=round(time.perf_counter() - began, 1),
        moves_a_game=round(sum(match.moves for match in matches) / len(matches), 1),
        standings=[_standing(bot, seats[0], matches) for bot in dict.fromkeys(seats[0])],
    )


def whole_deals(games: int, seatings: int) -> int:
    """
    >>> whole_deals(100, 3)
    34
    """
    return -(-games // seatings)


def _played(name: str, seconds: float, played: list[tuple[str, tuple[str, ...]]], jobs: int) -> Iterator[Match]:
    if jobs == 1:
        yield from (play_match(name, seconds, job) for job in played)
        return
    with ProcessPoolExecutor(jobs) as pool:
        try:
            yield from pool.map(partial(play_match, name, seconds), played)
        finally:
            pool.shutdown(cancel_futures=True)


def _standing(bot: str, seats: tuple[str, ...], matches: list[Match]) -> Standing:
    share = sum(match.won[bot] for match in matches) / len(matches)
    low, high = interval(share, len(matches))
    points = [total for match in matches for total in match.points[bot]]
    thought = Thought()
    for match in matches:
        thought.add(match.thoughts[bot])
    return Standing(
        bot=bot,
        seats=seats.count(bot),
        even=round(seats.count(bot) / len(seats), 4),
        share=round(share, 4),
        low=round(low, 4),
        high=round(high, 4),
        points=round(sum(points) / len(points), 2),
        decisions=thought.decisions,
        seconds_a_move=round(thought.seconds / max(1, thought.decisions), 4),
        longest_move=round(thought.longest, 3),
    )


def interval(share: float, games: int) -> tuple[float, float]:
    """Where the true share lies with 95 in 100 (Wilson), as if every game had a deal of its own.

    >>> [round(bound, 3) for bound in interval(0.6, 100)]
    [0.502, 0.691]
    >>> [round(bound, 3) for bound in interval(1.0, 20)]
    [0.839, 1.0]
    """
    square = _SURE**2
    middle = (share + square / (2 * games)) / (1 + square / games)
    reach = _SURE * sqrt(share * (1 - share) / games + square / (4 * games**2)) / (1 + square / games)
    return max(0.0, middle - reach), min(1.0, middle + reach)
