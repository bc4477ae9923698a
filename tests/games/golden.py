"""Whole games one can read, golden/*.txt beside a game's tests: whatever changes in rules or words shows there."""

from pathlib import Path

import msgspec

from app.engine.table import Played, Record
from app.i18n import phrasebook
from app.replaying import Replay, read_record


def told(record: Record) -> str:
    return Replay(record, phrasebook("en")).text()


def write(folder: Path, records: dict[int, Record]) -> None:
    """One game for each number of players."""
    folder.mkdir(exist_ok=True)
    for seats, record in records.items():
        lines = [msgspec.json.encode(entry).decode() for entry in record.log]
        head = msgspec.json.encode(msgspec.structs.replace(record, log=[])).decode().removesuffix("[]}")
        (folder / f"{seats}-players.json").write_text(head + "[\n" + ",\n".join(lines) + "\n]}\n", encoding="utf-8")
        (folder / f"{seats}-players.txt").write_text(told(record), encoding="utf-8")


def read(folder: Path, seats: int) -> tuple[Record, str]:
    """A stored game and how it was told when it was stored."""
    return read_record(folder / f"{seats}-players.json"), (folder / f"{seats}-players.txt").read_text(encoding="utf-8")


def kinds_of_moves(records: list[Record]) -> set[str]:
    return {entry.move["do"] for record in records for entry in record.log if isinstance(entry, Played)}
