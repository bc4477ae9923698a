"""A stored game in text, step by step."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from app.engine import registry
from app.engine.codec import decode_move
from app.engine.contract import EVERYONE, BadGameData, Event, Game, MoveError, Viewer
from app.engine.table import Played, Record, Table, open_record
from app.i18n import Phrasebook


class Moment(msgspec.Struct):
    """The table after a step: what happened, and whether a new turn begins here."""

    number: int
    lines: list[str]
    state: Any
    new_turn: bool


def read_record(path: Path) -> Record:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Record)
    except OSError as error:
        raise BadGameData(f"The file {path} cannot be read: {error.strerror}.") from error
    except msgspec.MsgspecError as error:
        raise BadGameData(f"The file {path} is not a stored game: {error}.") from error


class Replay:
    """All moments of a game, seen by one viewer in one language."""

    def __init__(self, record: Record, words: Phrasebook, viewer: Viewer = EVERYONE) -> None:
        self.game: Game[Any, Any, Any] = registry.find(record.game)
        if viewer >= record.seats:
            raise BadGameData(f"The game has seats 0 to {record.seats - 1}; there is no seat {viewer}.")
        self.words = words
        self.names = record.names
        self.viewer = viewer
        self.moments = list(self._moments(open_record(self.game, record), record))

    def _moments(self, table: Table[Any, Any, Any], record: Record) -> Iterator[Moment]:
        yield Moment(0, [], table.state, new_turn=True)
        for number, entry in enumerate(record.log, start=1):
            try:
                if isinstance(entry, Played):
                    step = table.play(entry.seat, decode_move(self.game, entry.move))
                    lines, new_turn = self._lines(step.events), step.barrier == "turn"
                else:
                    table.undo(entry.seat)
                    lines, new_turn = [self.words.say("seat.takes_back", {"seat": entry.seat}, self.names)], False
            except MoveError as error:
                reason = self.words.say(error.key, error.arguments)
                raise BadGameData(f"Step {number} of the stored game cannot be played: {reason}") from error
            yield Moment(number, lines, table.state, new_turn)

    def _lines(self, events: tuple[Event, ...]) -> list[str]:
        shown = [self.game.redact(event, self.viewer) for event in events]
        return [self.words.tell(event, self.names) for event in shown if event]

    def table(self, moment: Moment) -> str:
        view = self.game.view(moment.state, self.viewer)
        return self.game.text(view, lambda key, args: self.words.say(key, args, self.names))

    def score(self) -> str:
        """The score sheet; empty while the game is not over."""
        state = self.moments[-1].state
        outcome = self.game.outcome(state)
        if outcome is None:
            return ""
        sheet = self.game.score_sheet(state)
        lines = [self.words.say(outcome.decided_by)]
        for seat, row in enumerate(sheet.points):
            known = seat < len(self.names)
            name = self.names[seat] if known else self.words.say("seat.name", {"number": seat + 1})
            mark = " *" if seat in outcome.winners else ""
            parts = ", ".join(
                f"{self.words.say(source)} {count}" for source, count in zip(sheet.sources, row, strict=True)
            )
            lines.append(f"{name}: {sum(row)} ({parts}){mark}")
        return "\n".join(lines)

    def text(self) -> str:
        """The whole game: the table before each round of turns, and what happened."""
        parts = [self.table(self.moments[0])]
        parts += ["\n".join(f"{moment.number:>5}  {line}" for line in moment.lines) for moment in self.moments[1:]]
        parts += [self.table(self.moments[-1]), self.score()]
        return "\n".join(part for part in parts if part) + "\n"
