"""Setting the table (DS)."""

from app.engine.rng import Rng
from app.games.valda.components import Components
from app.games.valda.moves import GODS
from app.games.valda.state import SOURCES, Options, Pile, Player, State, Turn

_HAND = 6
_MINES = 2


def setup(c: Components, options: Options, seats: int, seed: str) -> State:
    rng = Rng.seeded(seed)
    start = rng.below(seats)[0] if options.start == "drawn" else 0
    decks = [
        tuple(
            rng.shuffled(number for number, card in enumerate(c.cards) if card.deck == deck for _ in range(card.copies))
        )
        for deck in range(len(GODS) + 1)
    ]
    base = decks[0]
    goods = [c.start[seats][(seat - start) % seats] for seat in range(seats)]
    players = []
    for seat in range(seats):
        hand, base = base[:_HAND], base[_HAND:]
        players.append(
            Player(
                goods=goods[seat],
                mines=_MINES,
                wells=0,
                temples=(0,) * len(GODS),
                followers=0,
                sources=(0,) * len(SOURCES),
                hand=tuple(sorted(hand)),
                open=(),
                known=((),) * (seats + 1),
            )
        )
    return State(
        options=options,
        players=tuple(players),
        supply=tuple(c.cubes - sum(column) for column in zip(*goods, strict=True)),
        base=base,
        piles=tuple(Pile(cards, (0,) * len(cards)) for cards in decks[1:]),
        discard=(),
        suspects=(0,) * len(GODS),
        revealed=0,
        turn=Turn(start),
        start=start,
        rng=rng,
    )
