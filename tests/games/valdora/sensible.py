"""A player with some sense, so that recorded games are worth reading: takes what the commissions in hand need.

Run as a module it writes the golden games anew:  .venv/bin/python -m tests.games.valdora.sensible
"""

from pathlib import Path

from app.engine.table import Record, Table
from app.games.valdora.moves import (
    COLOURS,
    END_TURN,
    GEAR,
    GEMS,
    GOLD,
    PROVISIONS,
    REFILL,
    Buy,
    Deliver,
    Go,
    Load,
    Move,
    Return,
    TurnPage,
)
from app.games.valdora.state import EMPTY, Options, Player, State
from tests.games.golden import write
from tests.games.valdora.tabletop import BOX, GAME

GOLDEN = Path(__file__).with_name("golden")
GAMES = {3: "three friends", 4: "four friends", 5: "five friends"}


def missing(me: Player) -> list[int]:
    """Gems that the commissions in hand want and no card carries."""
    carried = [on for on in me.gear if on >= 0]
    wanted = []
    for page in me.commissions:
        for gem in BOX.faces[page].gems:
            if gem in carried:
                carried.remove(gem)
            else:
                wanted.append(gem)
    return wanted


def fits(me: Player, gem: int) -> bool:
    """Whether a free card can carry the gem, and the player can pay for it."""
    return any(
        on == EMPTY and BOX.carries[gear] in (-1, gem) and BOX.price[gear] <= me.coins
        for gear, on in enumerate(me.gear)
    )


def deliverable(me: Player, house: int) -> int:
    carried = {on for on in me.gear if on >= 0}
    return sum(
        BOX.faces[page].patron == house and set(BOX.faces[page].gems) <= carried and me.coins >= BOX.faces[page].coins
        for page in me.commissions
    )


def lacks_tool(me: Player) -> bool:
    return any(not fits(me, gem) for gem in missing(me))


def worth(state: State, space: int) -> int:
    """How good it is to stand here."""
    me = state.players[state.turn.seat]
    kind = BOX.kinds[space]
    company = sum(player.at == space for player in state.players)
    if kind == "house":
        return 100 * deliverable(me, BOX.house[space]) - 5 * company
    if kind in ("road", "harbour"):
        gems = state.roads[BOX.road[space]] if kind == "road" else state.discard
        found = sum(20 for gem in set(missing(me)) if gems[gem] and fits(me, gem))
        gold = 15 if gems[GOLD] and me.gear[0] == EMPTY else 0
        return found + gold - 5 * company
    if kind == "commissions":
        return (30 - 8 * len(me.commissions) if me.coins and len(me.commissions) < 3 else 1) - 5 * company
    if kind == "equipment":
        return (35 if GOLD in me.gear and lacks_tool(me) else 2) - 5 * company
    if kind == "mine":
        return 40 - 10 * me.coins
    return 3


def worth_move(state: State, move: Move) -> int:
    """How good a step is; what is not above 0 is not done."""
    me = state.players[state.turn.seat]
    match move:
        case Go(to=to):
            return 1000 + worth(state, BOX.numbers[to])
        case Deliver():
            return 900
        case Load(gem=gem, on=on):
            number, gear = GEMS.index(gem), GEAR.index(on)
            exchange = me.gear[gear] >= 0
            useful = number in missing(me) or (number == GOLD and gear == 0)
            return 0 if exchange or not useful else 500 - 10 * BOX.price[gear]
        case Buy(pay=None, pile=pile):
            face = BOX.faces[top(state, pile)]
            return 300 + face.points if not face.gems or fits(me, face.gems[0]) else 20 * (state.turn.pages > 1)
        case Buy(pile=pile):
            gear = BOX.goods[top(state, pile)]
            return 300 if BOX.carries[gear] == -1 or BOX.carries[gear] in missing(me) else 40 * (state.turn.pages > 0)
        case TurnPage(pile="right"):
            goes_on = len(me.commissions) < 3 and state.turn.pages < 3 and me.coins > 2
            return 50 if state.turn.pages == 0 else 30 * goes_on
        case Return(commission=place, pile="left"):
            stuck = not any(fits(me, gem) for gem in missing(me)) and not deliverable(me, COLOURS.index("grey"))
            return 25 if place == 0 and stuck and me.coins > 1 else 0
    if move == REFILL:
        return 400
    if move == PROVISIONS:
        return 10 * (not me.provisions and state.turn.doing == "nothing")
    return 1 if move == END_TURN else 0


def top(state: State, pile: str) -> int:
    book = state.books[BOX.book[state.players[state.turn.seat].at]]
    return (book.left if pile == "left" else book.right)[-1]


def choose(state: State) -> Move:
    return max(GAME.legal(state, state.turn.seat), key=lambda move: worth_move(state, move))


def play_sensibly(seats: int, seed: str) -> Record:
    table = Table(GAME, Options(), seats, seed)
    while GAME.to_act(table.state):
        table.play(table.state.turn.seat, choose(table.state))
    return table.record()


if __name__ == "__main__":
    write(GOLDEN, {seats: play_sensibly(seats, seed) for seats, seed in GAMES.items()})
