"""A game's data file: read, and checked in sentences that somebody who corrects it understands."""

import tomllib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

import msgspec

from app.engine.contract import BadGameData

T = TypeVar("T")


class SheetFile:
    """One file, known to people by its game and its name."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def fault(self, sentence: str) -> BadGameData:
        return BadGameData(f"{self.path.parent.name}/{self.path.name} {sentence.rstrip('.')}.")

    def text(self) -> str:
        try:
            return self.path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise self.fault("is not a text in UTF-8; save it in that encoding") from error
        except OSError as error:
            raise self.fault(f"cannot be read: {error.strerror}") from error

    def read(self, text: str, form: type[T]) -> T:
        try:
            return msgspec.convert(tomllib.loads(text), form)
        except tomllib.TOMLDecodeError as error:
            raise self.fault(f"is not valid TOML: {error}") from error
        except msgspec.ValidationError as error:
            raise self.fault(f"does not have the expected form: {error}") from error

    def expect(self, found: object, wanted: object, what: str, rule: str) -> None:
        if found != wanted:
            raise self.fault(f"has {found} {what}; there must be {wanted} ({rule})")

    def at_least(self, least: int, found: int, what: str, rule: str) -> None:
        if found < least:
            raise self.fault(f"gives {found} as {what}; it must be at least {least} ({rule})")

    def place(self, name: str, names: tuple[str, ...], what: str) -> int:
        if name not in names:
            raise self.fault(f"names an unknown {what}, {name!r}; known are {', '.join(names)}")
        return names.index(name)

    def same_names(self, found: Iterable[str], wanted: tuple[str, ...], what: str, where: str) -> None:
        counts = Counter(list(found))
        for name, count in counts.items():
            self.place(name, wanted, what)
            if count > 1:
                raise self.fault(f"names the {what} {name!r} {count} times in {where}")
        for name in wanted:
            if name not in counts:
                raise self.fault(f"lacks the {what} {name!r} in {where}")
