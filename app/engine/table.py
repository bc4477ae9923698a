"""A table: seed + log → state. Everything above the engine plays, takes back and replays through this."""

from collections.abc import Iterable
from typing import Any, Generic, TypeAlias

import msgspec

from app.engine.codec import decode_move, decode_options, raw_move
from app.engine.contract import (
    BadGameData,
    Barrier,
    Game,
    Illegal,
    M,
    Malformed,
    MoveError,
    NotYourTurn,
    O,
    Refusal,
    S,
    Seat,
    Step,
    UndoRefused,
)


class Played(msgspec.Struct, tag_field="entry", tag="play", frozen=True):
    seat: Seat
    move: dict[str, Any]


class Undone(msgspec.Struct, tag_field="entry", tag="undo", frozen=True):
    """Taking back is an entry like any other: the log only ever grows."""

    seat: Seat


Entry: TypeAlias = Played | Undone


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A whole game: all that is needed to play it again, and if they are known the names of those who played it."""

    game: str
    version: int
    seats: int
    seed: str
    options: dict[str, Any]
    log: list[Entry]
    names: list[str] = []


def make_move(game: Game[S, M, O], state: S, seat: Seat, move: M) -> Step[S]:
    """What the move leads to; raises NotYourTurn or Illegal."""
    awaited = seat in game.awaited(state)
    moves = game.legal(state, seat) if awaited or game.interrupts else ()
    if not awaited and not moves:
        raise NotYourTurn
    if move not in moves:
        raise Illegal(game.explain(state, seat, move) or Refusal("", "error.illegal"))
    return game.apply(state, seat, move)


def taken_back(game: Game[S, M, O], anchor: S, barrier: Barrier | None, since: Iterable[Entry], seat: Seat) -> S:
    """The table without this seat's last step: from the table at the last barrier and the entries since then."""
    steps: list[Played] = []
    for entry in since:
        if isinstance(entry, Played):
            steps.append(entry)
        else:
            steps.pop()
    if not steps or steps[-1].seat != seat:
        raise UndoRefused(barrier)
    state = anchor
    for step in steps[:-1]:
        state = game.apply(state, step.seat, decode_move(game, step.move)).state
    return state


class Table(Generic[S, M, O]):
    """A game in progress."""

    def __init__(self, game: Game[S, M, O], options: O, seats: int, seed: str) -> None:
        if seats not in game.card.seats:
            raise Malformed(f"{game.name} is not for {seats} players")
        self.game = game
        self.options = options
        self.seats = seats
        self.seed = seed
        self.state: S = game.setup(options, seats, seed)
        self.log: list[Entry] = []
        self._steps: list[tuple[Seat, S]] = []  # whose step it was and the table before it, back to the last barrier
        self._barrier: Barrier | None = None

    def play(self, seat: Seat, move: M) -> Step[S]:
        """Make a move, or raise NotYourTurn or Illegal and leave everything as it is."""
        if not 0 <= seat < self.seats:
            raise NotYourTurn
        step = make_move(self.game, self.state, seat, move)
        if step.barrier:
            self._steps.clear()
            self._barrier = step.barrier
        else:
            self._steps.append((seat, self.state))
        self.state = step.state
        self.log.append(Played(seat, raw_move(move)))
        return step

    def undo(self, seat: Seat) -> S:
        """Take back this seat's own last step, or raise UndoRefused naming the barrier."""
        if not self._steps or self._steps[-1][0] != seat:
            raise UndoRefused(self._barrier)
        self.state = self._steps.pop()[1]
        self.log.append(Undone(seat))
        return self.state

    def enter(self, entry: Entry) -> None:
        """Do what an entry of a stored log says."""
        if isinstance(entry, Played):
            self.play(entry.seat, decode_move(self.game, entry.move))
        else:
            self.undo(entry.seat)

    def follow(self, number: int, entry: Entry) -> None:
        """Do what the entry of this number says; a sentence names the one that cannot be done."""
        try:
            self.enter(entry)
        except MoveError as error:
            raise BadGameData(f"Step {number} of the stored game cannot be played: {error}.") from error

    def record(self) -> Record:
        options: dict[str, Any] = msgspec.to_builtins(self.options)
        return Record(self.game.name, self.game.VERSION, self.seats, self.seed, options, list(self.log))


def open_record(game: Game[S, M, O], record: Record) -> Table[S, M, O]:
    """The table at the start of a stored game."""
    if record.version != game.VERSION:
        raise BadGameData(
            f"The game was stored by version {record.version} of {game.name}; this is version {game.VERSION}."
        )
    try:
        return Table(game, decode_options(game, record.options), record.seats, record.seed)
    except Malformed as error:
        raise BadGameData(f"The stored game cannot be set up: {error.detail}.") from error


def replay(game: Game[S, M, O], record: Record) -> Table[S, M, O]:
    """The table at the end of a stored game."""
    table = open_record(game, record)
    for number, entry in enumerate(record.log, start=1):
        table.follow(number, entry)
    return table


def course(game: Game[S, M, O], record: Record) -> list[tuple[int, ...]]:
    """Everybody's points at the start and after each turn of a stored game."""
    table = open_record(game, record)
    totals = [game.score_sheet(table.state).totals]
    for number, entry in enumerate(record.log, start=1):
        turn = game.turn_of(table.state)
        table.follow(number, entry)
        if game.turn_of(table.state) != turn:
            totals.append(game.score_sheet(table.state).totals)
    return totals
