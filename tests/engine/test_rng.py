"""Chance: the same everywhere, storable, and fair."""

from collections import Counter
from itertools import permutations

import msgspec
import pytest

from app.engine.rng import Rng


def test_a_seed_is_a_stream_and_another_seed_another() -> None:
    assert Rng.seeded("a").below(*[100] * 20) == Rng.seeded("a").below(*[100] * 20)
    assert Rng.seeded("a").below(*[100] * 20) != Rng.seeded("b").below(*[100] * 20)


def test_a_stored_stream_goes_on_where_it_was() -> None:
    rng = Rng.seeded("store me")
    rng.below(6, 6, 6)
    stored = msgspec.json.encode(rng)
    expected = rng.below(1000, 1000)
    assert msgspec.json.decode(stored, type=Rng).below(1000, 1000) == expected


def test_a_copy_leaves_the_original_alone() -> None:
    rng = Rng.seeded("x")
    twin = rng.copy()
    drawn = twin.below(1000)
    assert rng.asked == 0
    assert rng.below(1000) == drawn


@pytest.mark.parametrize("limit", [1, 2, 6, 7, 100])
def test_numbers_stay_below_their_limit_and_reach_everything(limit: int) -> None:
    drawn = Rng.seeded("range").below(*[limit] * 2000)
    assert set(drawn) == set(range(limit))


def test_dice_are_fair() -> None:
    """Chi-squared over 60 000 rolls: five degrees of freedom, and a limit that one die in a million passes."""
    rolls = Counter(Rng.seeded("fair").below(*[6] * 60_000))
    assert sum((count - 10_000) ** 2 / 10_000 for count in rolls.values()) < 37


def test_every_order_is_equally_likely() -> None:
    rng = Rng.seeded("orders")
    orders = Counter("".join(rng.shuffled("abcd")) for _ in range(24_000))
    assert set(orders) == {"".join(order) for order in permutations("abcd")}
    assert sum((count - 1000) ** 2 / 1000 for count in orders.values()) < 70  # 23 degrees, one in a million


def test_a_word_past_the_last_whole_multiple_is_drawn_again() -> None:
    """Without this a large limit would favour small numbers."""
    limit = (1 << 63) + 1  # nearly half of all words lie past it
    drawn = Rng.seeded("again").below(*[limit] * 400)
    assert max(drawn) < limit
    low = sum(number < limit // 2 for number in drawn)
    assert 140 < low < 260  # plain remainders would put three quarters there
