"""What tables made of tuples need."""

from typing import TypeVar

T = TypeVar("T")


def put(things: tuple[T, ...], place: int, thing: T) -> tuple[T, ...]:
    """The same things with one exchanged.

    >>> put(("a", "b", "c"), 1, "x")
    ('a', 'x', 'c')
    """
    return (*things[:place], thing, *things[place + 1 :])
