"""Finds the games: each is one folder under app/games that offers `CARD`, and `load` once it can be played.

No game is named outside its own folder.
"""

import pkgutil
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from app.engine.contract import Card, Game


class UnknownGame(Exception):
    """No game of that name. The text is one sentence for a person."""


@cache
def _folders() -> dict[str, ModuleType]:
    root = import_module("app.games")
    names = sorted(module.name for module in pkgutil.iter_modules(root.__path__) if module.ispkg)
    return {name: import_module(f"app.games.{name}") for name in names}


def cards() -> list[Card]:
    """The lids of all boxes on the shelf, also of those that cannot be played yet."""
    return [module.CARD for module in _folders().values()]


@cache
def games() -> dict[str, Game[Any, Any, Any]]:
    """The games that can be played. Raises BadGameData when a data file is wrong."""
    return {name: module.load() for name, module in _folders().items() if hasattr(module, "load")}


def find(name: str) -> Game[Any, Any, Any]:
    try:
        return games()[name]
    except KeyError:
        raise UnknownGame(f"There is no game called {name!r} here. There is: {', '.join(games())}.") from None
