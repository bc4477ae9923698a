"""Players that know a game by its contract alone, and of a table what their seat may know."""

from typing import Final

LEVELS: Final = ("easy", "normal", "strong")
