"""Words in four languages. A catalogue maps message keys to sentences; each game brings its own beside its rules.

A message whose `msgid_plural` names an argument has a form for each number, as that language counts.
"""

import gettext
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import msgspec
from babel.messages.pofile import read_po

from app.engine.contract import Arg, Event

LANGUAGES: Final = ("en", "it", "es", "ru")
_ROOT: Final = Path(__file__).parent


class Message(msgspec.Struct, frozen=True):
    forms: tuple[str, ...]
    counts: str | None = None  # the argument that decides which form


class Phrasebook:
    """One language."""

    def __init__(self, language: str, messages: dict[str, Message], plural: Callable[[int], int]) -> None:
        self.language = language
        self.messages = messages
        self._plural = plural

    def say(self, key: str, args: Mapping[str, Arg] | None = None, names: Sequence[str] = ()) -> str:
        """The sentence for a key. `names` are those of the seats."""
        args = args or {}
        message = self.messages[key]
        form = message.forms[0]
        if message.counts:
            count = args[message.counts]
            form = message.forms[self._plural(count if isinstance(count, int) else 0)]
        if not args:
            return form
        game = key.partition(".")[0]
        return form.format_map({name: self._argument(game, name, value, names) for name, value in args.items()})

    def tell(self, event: Event, names: Sequence[str] = ()) -> str:
        return self.say(event.key, {**event.args, "seat": event.seat}, names)

    def _argument(self, game: str, name: str, value: Arg, names: Sequence[str]) -> str:
        """The first word of an argument's name says what it is: a seat, or a kind of thing in the game."""
        kind = name.partition("_")[0]
        if isinstance(value, int):
            if kind != "seat":
                return str(value)
            return names[value] if value < len(names) else self.say("seat.name", {"number": value + 1})
        if isinstance(value, str):
            known = self.messages.get(f"{game}.{kind}.{value}")
            return known.forms[0] if known else value
        return " + ".join(self._argument(game, name, one, names) for one in value)


@cache
def phrasebook(language: str) -> Phrasebook:
    messages: dict[str, Message] = {}
    expression = ""
    for path in catalogue_files(language):
        with path.open("rb") as file:
            catalogue = read_po(file, locale=language)
        expression = catalogue.plural_expr
        for entry in catalogue:
            if not entry.id:
                continue
            if isinstance(entry.id, str):
                messages[entry.id] = Message((str(entry.string),))
            else:
                messages[entry.id[0]] = Message(tuple(entry.string or ()), entry.id[1])
    return Phrasebook(language, messages, gettext.c2py(expression))


def catalogue_files(language: str) -> list[Path]:
    """The house's own catalogue, then one for each game."""
    return [_ROOT / "locale" / f"{language}.po", *sorted(_ROOT.glob(f"games/*/locale/{language}.po"))]
