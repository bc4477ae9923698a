"""Setting the table (VS)."""

from app.engine.rng import Rng
from app.games.valdora.components import Components
from app.games.valdora.moves import COLOURS, GEAR, PAN
from app.games.valdora.state import EMPTY, NOBODY, NOT_OWNED, Book, Options, Player, State, Turn

# With three players one craftsman of each of these leaves the game (VS-5).
_SPARED = {3: ("violet", "red", "blue", "green")}


def setup(c: Components, options: Options, seats: int, seed: str) -> State:
    rng = Rng.seeded(seed)
    start = rng.below(seats)[0] if options.start == "drawn" else 0
    purses = [1 + (seat - start) % seats for seat in range(seats)]
    bag = rng.shuffled(gem for gem, count in enumerate(c.gem_counts) for _ in range(count))
    roads = tuple(
        tuple(bag[first : first + c.gems_per_road].count(gem) for gem in range(len(c.gem_counts)))
        for first in range(0, len(bag), c.gems_per_road)
    )
    gear = tuple(EMPTY if name == PAN else NOT_OWNED for name in range(len(GEAR)))
    none = (0,) * len(COLOURS)
    return State(
        options=options,
        players=tuple(Player(c.start, purse, False, gear, (), (), none, 0) for purse in purses),
        roads=roads,
        discard=(0,) * len(c.gem_counts),
        bank=c.coins - sum(purses),
        books=tuple(_shuffle(pages, rng) for pages in (len(c.goods), len(c.goods), len(c.faces), len(c.faces))),
        craftsmen=craftsmen_in_play(c, seats),
        workshops=(NOBODY,) * len(COLOURS),
        bonus=c.bonus_tiles,
        turn=Turn(start, "move"),
        start=start,
    )


def craftsmen_in_play(c: Components, seats: int) -> tuple[int, ...]:
    spared = _SPARED.get(seats, ())
    return tuple(count - (name in spared) for name, count in zip(COLOURS, c.craftsmen, strict=True))


def _shuffle(pages: int, rng: Rng) -> Book:
    cards = rng.shuffled(range(pages // 2))
    return Book((), tuple(turn_up(cards, rng)), len(cards))


def turn_up(cards: list[int], rng: Rng) -> list[int]:
    """A page of each card, either of its two."""
    return [2 * card + side for card, side in zip(cards, rng.below(*[2] * len(cards)), strict=True)]
