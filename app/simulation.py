"""Random play: how fast the engine is, how the games go, and, with checks, whether every promise holds."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from random import Random
from statistics import mean
from typing import Any, Final

import msgspec

from app.engine import conformance, registry
from app.engine.codec import raw_move
from app.engine.contract import Game, Step
from app.engine.rng import Rng
from app.engine.table import Played, Record

_INTERRUPTS: Final = 0.1  # how often anybody who can may move, asked or not


class GameReport(msgspec.Struct):
    """How one game went."""

    moves: int
    turns: int
    sources: tuple[str, ...]
    points: tuple[tuple[int, ...], ...]
    winners: tuple[int, ...]
    reason: str


class Report(msgspec.Struct):
    """How the games of a simulation went, all in all."""

    game: str
    players: int
    games: int
    seed: int
    checked: bool
    seconds: float
    games_per_second: float
    moves_per_second: float
    moves_per_game: float
    turns_per_game: float
    score_by_seat: list[float]
    wins_by_seat: list[float]  # a shared victory counts for each winner in part
    points_by_source: dict[str, float]
    ends: dict[str, int]


class Failure(Exception):
    """A game that broke a promise, and its log up to that point."""

    def __init__(self, seed: int, fault: str, record: Record) -> None:
        super().__init__(seed, fault, record)  # all of it, so that it can come from another process
        self.seed = seed
        self.fault = fault
        self.record = record

    def __str__(self) -> str:
        return self.fault


def play_game(game: Game[Any, Any, Any], players: int, seed: int, check: bool) -> tuple[GameReport, Record]:
    """One game of random players. Game `seed` is the same game on every machine."""
    chooser = Random(seed)  # noqa: S311 the players are random, the deal comes from the engine
    options = game.options_type()
    state = game.setup(options, players, str(seed))
    log: list[tuple[int, Any]] = []
    turns = 0

    def record() -> Record:
        raw = msgspec.to_builtins(options)
        return Record(
            game.name, game.VERSION, players, str(seed), raw, [Played(seat, raw_move(move)) for seat, move in log]
        )

    def raise_on(faults: Iterator[str]) -> None:
        for fault in faults:
            raise Failure(seed, fault, record())

    rng = Rng.seeded(f"check {seed}")
    try:
        if check:
            raise_on(conformance.check_state(game, state, players, rng))
        while awaited := game.awaited(state):
            if game.interrupts and chooser.random() < _INTERRUPTS:
                awaited = tuple(seat for seat in range(players) if game.legal(state, seat))
            seat = awaited[0] if len(awaited) == 1 else chooser.choice(awaited)
            moves = game.legal(state, seat)
            move = moves[int(chooser.random() * len(moves))]
            log.append((seat, move))
            step: Step[Any] = game.apply(state, seat, move)
            if check:
                raise_on(conformance.check_step(game, state, seat, move, step, players, rng))
                raise_on(conformance.check_state(game, step.state, players, rng))
            turns += game.turn_of(step.state) != game.turn_of(state)
            state = step.state
        if check:
            raise_on(conformance.check_end(game, record(), state))
            raise_on(conformance.check_undo(game, record()))
    except Failure:
        raise
    except Exception as error:
        raise Failure(seed, f"{type(error).__name__}: {error}", record()) from error
    outcome = game.outcome(state)
    sheet = game.score_sheet(state)
    assert outcome is not None  # noqa: S101 nobody is to act, and the checks say that the game is then over
    report = GameReport(len(log), turns, sheet.sources, sheet.points, outcome.winners, outcome.reason)
    return report, record()


def simulate(
    game: Game[Any, Any, Any],
    players: int,
    games: int,
    seed: int,
    check: bool,
    finished: Callable[[Record], None],
    jobs: int = 1,
) -> Report:
    """Play games `seed` to `seed + games - 1`, calling `finished` after each."""
    began = time.perf_counter()
    reports: list[GameReport] = []
    for report, record in _played(game, players, range(seed, seed + games), check, jobs):
        reports.append(report)
        finished(record)
    return _summary(game.name, players, seed, check, reports, time.perf_counter() - began)


def _played(
    game: Game[Any, Any, Any], players: int, seeds: range, check: bool, jobs: int
) -> Iterator[tuple[GameReport, Record]]:
    if jobs == 1:
        yield from (play_game(game, players, seed, check) for seed in seeds)
        return
    with ProcessPoolExecutor(jobs) as pool:
        try:
            yield from pool.map(partial(_play_by_name, game.name, players, check), seeds)
        finally:
            pool.shutdown(cancel_futures=True)


def _play_by_name(name: str, players: int, check: bool, seed: int) -> tuple[GameReport, Record]:
    return play_game(registry.find(name), players, seed, check)


def _summary(name: str, players: int, seed: int, check: bool, reports: list[GameReport], seconds: float) -> Report:
    games = len(reports)
    moves = sum(report.moves for report in reports)
    wins = [0.0] * players
    ends: dict[str, int] = {}
    for report in reports:
        ends[report.reason] = ends.get(report.reason, 0) + 1
        for winner in report.winners:
            wins[winner] += 1 / len(report.winners)
    sources = reports[0].sources
    return Report(
        game=name,
        players=players,
        games=games,
        seed=seed,
        checked=check,
        seconds=round(seconds, 3),
        games_per_second=round(games / seconds, 2),
        moves_per_second=round(moves / seconds, 1),
        moves_per_game=round(moves / games, 1),
        turns_per_game=round(mean(report.turns for report in reports), 1),
        score_by_seat=[round(mean(sum(r.points[seat]) for r in reports), 2) for seat in range(players)],
        wins_by_seat=[round(won / games, 4) for won in wins],
        points_by_source={
            source: round(mean(row[place] for r in reports for row in r.points), 2)
            for place, source in enumerate(sources)
        },
        ends=ends,
    )
