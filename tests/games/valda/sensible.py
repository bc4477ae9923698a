"""A player with some sense, so that recorded games are worth reading: builds, worships, fights and uses weapons.

Run as a module it writes the golden games anew:  .venv/bin/python -m tests.games.valda.sensible
"""

from pathlib import Path

from app.engine.contract import Seat
from app.engine.table import Record, Table
from app.games.valda import Valda, load, raids
from app.games.valda.gods import count_levels
from app.games.valda.moves import (
    BLOOD,
    BUILDINGS,
    DONE,
    END_PHASE,
    GODS,
    PASS,
    RESOURCES,
    STAND,
    Attack,
    Backstab,
    Build,
    Bullseye,
    Claim,
    Crown,
    Dagger,
    Discard,
    DrawCards,
    Fetch,
    Keep,
    Loot,
    Move,
    Play,
    Revenge,
    Roll,
    Shield,
    Stand,
    Take,
    Thief,
    Trade,
    Vanish,
    Worship,
)
from app.games.valda.state import Options, Player, State
from tests.games.golden import write

GAME: Valda = load()
BOX = GAME.box
GOLDEN = Path(__file__).with_name("golden")
GAMES = {2: "two at the fire", 3: "three at the fire", 4: "four at the fire", 5: "five at the fire"}

# What a card is worth in the hand, by what it does.
_WORTH = {"weapon": 60, "followers": 50, "rune": 40, "draw": 30, "defend": 25, "kill": 25, "goods": 25, "cards": 20}
_TEMPLES = {"odin": 60, "thor": 58, "loki": 55, "surtur": 50, "tyr": 45, "heimdall": 40, "freya": 42}


def worth_card(name: str) -> int:
    card = BOX.cards[BOX.named[name][0]]
    return _WORTH.get(card.does, 15) + card.amount + card.power


def wanted(me: Player) -> list[int]:
    """The resources that the most wished-for temple still needs."""
    price = BOX.prices[BUILDINGS.index("odin" if sum(me.temples) % 2 else "thor")]
    return [resource for resource, costs in enumerate(price) if me.goods[resource] < costs]


def worth(state: State, seat: Seat, move: Move) -> float:
    """Everything is better than waiting (1) or worse."""
    me = state.players[seat]
    match move:
        case Roll():
            return 500
        case Trade(pay=pay, take=take):
            return 20 if sum(pay) <= 2 and RESOURCES.index(take) in wanted(me) and me.goods[BLOOD] < 4 else 0
        case Play(card=card, hammer=hammer):
            return 100 + worth_card(card) + (BOX.cards[BOX.named[card][0]].amount > 1 and hammer)
        case Take(resource=resource):
            return 30 + 5 * (RESOURCES.index(resource) in wanted(me))
        case DrawCards(count=count):
            return 20 + count
        case Discard(card=card):
            return 80 - worth_card(card) if state.task and state.task.kind == "discard" else 20 - worth_card(card)
        case Keep(card=card) | Fetch(card=card):
            return 100 + worth_card(card)
        case Build(what=what):
            return 100 + _TEMPLES.get(what, 65 if what == "mine" and me.mines < 3 else 30)
        case Attack(card=card, weapons=weapons):
            return 50 + worth_card(card) + 10 * len(weapons)
        case Shield() | Stand() | Vanish() | Revenge():
            return worth_answer(state, me, move)
        case Loot(goods=goods):
            return 10 + goods[BLOOD]
        case Crown(face=face, die=die):
            return worth_crown(state, seat, die, face)
        case Backstab() | Claim():
            return 100
        case Worship(level=level):
            return 200 + level
    return worth_rest(state, move)


def worth_rest(state: State, move: Move) -> float:
    match move:
        case Dagger(cards=cards):
            return 5 + sum(map(worth_card, cards)) if len(cards) == 2 and state.round > 5 else 0
        case Bullseye(card=card):
            return worth_card(card) if BOX.cards[BOX.named[card][0]].kind == "weapon" else 0
        case Thief(seat=other):
            return 5 + len(state.players[other].hand) if state.round > 3 else 0
    if move in (PASS, END_PHASE, STAND):
        return 1
    return 0.5 if move == DONE else 10


def worth_answer(state: State, me: Player, move: Move) -> float:
    """Fend off where the shields suffice, the weakest first; weapons where they do not."""
    power, there = raids.power(BOX, state), raids.defence(BOX, state)
    each = count_levels(state, state.raid.target if state.raid else 0, GODS.index("tyr"))
    shields = [BOX.cards[card].power + each for card in me.hand if BOX.cards[card].kind == "defence"]
    enough = there + sum(shields) >= power
    match move:
        case Shield(card=card):
            strength = BOX.cards[BOX.named[card][0]].power
            return 60 - strength if enough and there < power else 0
        case Stand(resisted=resisted):
            return 90 if resisted else 10
        case Vanish(seat=other):
            return 0 if enough else 40 + (state.players[other].followers if other is not None else 0)
    return 0 if enough else 45


def worth_crown(state: State, seat: Seat, die: int, face: int) -> float:
    """The best face for oneself, the worst for others; not for a trifle."""
    assert state.dice is not None
    colour, up = state.dice.dice[die]
    change = BOX.dice[colour][face][1] - BOX.dice[colour][up][1]
    return 50 + change if (change > 0) == (seat == state.dice.seat) and state.round > 2 else 0


def next_move(state: State) -> tuple[Seat, Move]:
    """Whoever has a weapon worth playing out of turn plays it; otherwise whoever is asked answers."""
    asked = [seat for seat in GAME.to_act(state) if seat not in GAME.answered(state)]
    for seat in range(len(state.players)):
        if seat not in asked:
            best = max(GAME.legal(state, seat), key=lambda move: worth(state, seat, move), default=None)
            if best is not None and worth(state, seat, best) > 12:
                return seat, best
    seat = asked[-1]
    return seat, max(GAME.legal(state, seat), key=lambda move: worth(state, seat, move))


def play_sensibly(seats: int, seed: str) -> Record:
    table = Table(GAME, Options(), seats, seed)
    while GAME.to_act(table.state):
        table.play(*next_move(table.state))
    return table.record()


if __name__ == "__main__":
    write(GOLDEN, {seats: play_sensibly(seats, seed) for seats, seed in GAMES.items()})
