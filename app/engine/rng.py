"""Chance: seeded, small, part of the state and never of a view.

The numbers come from a keyed hash of a counter. Whoever sees any of them can foretell none of the others, and the
whole stream can be checked by anyone who is told the seed after the game.
"""

import hashlib
import struct
from collections.abc import Iterable
from typing import TypeVar

import msgspec

T = TypeVar("T")

_WORD = 1 << 64


class Rng(msgspec.Struct):
    """A stream of random numbers that can be stored: a key and how often it was asked."""

    key: bytes
    asked: int = 0

    @classmethod
    def seeded(cls, seed: str) -> "Rng":
        return cls(hashlib.sha256(f"valtavola:{seed}".encode()).digest())

    def below(self, *limits: int) -> list[int]:
        """For each limit a number from 0 up to and without it, all equally likely.

        >>> rng = Rng.seeded("a")
        >>> rng.below(6, 6, 6, 2)
        [5, 0, 5, 0]
        >>> rng.below(6)
        [5]
        """
        data = hashlib.shake_128(self.key + self.asked.to_bytes(8, "big")).digest(8 * len(limits))
        self.asked += 1
        words = struct.unpack(f">{len(limits)}Q", data)
        return [
            word % limit if word < _WORD - _WORD % limit else self.below(limit)[0]
            for word, limit in zip(words, limits, strict=True)
        ]

    def shuffled(self, things: Iterable[T]) -> list[T]:
        """The things in random order (Fisher and Yates).

        >>> "".join(Rng.seeded("a").shuffled("abcdef"))
        'ceabdf'
        """
        pile = list(things)
        places = range(len(pile) - 1, 0, -1)
        for i, j in zip(places, self.below(*(place + 1 for place in places)), strict=True):
            pile[i], pile[j] = pile[j], pile[i]
        return pile

    def copy(self) -> "Rng":
        return Rng(self.key, self.asked)
