"""Valda (Nathan Vermeulen): on the shelf, not yet playable. The rules to come are docs/rules/valda.md."""

from typing import Final

from app.engine.contract import Card

CARD: Final = Card(name="valda", seats=(2, 3, 4, 5), minutes=30, minutes_each=True, author="Nathan Vermeulen")
