"""Sets up the table a test needs, in the words of the game."""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from app.engine.contract import Event, Illegal, Refusal
from app.engine.tuples import put
from app.games.valdora import Valdora, load
from app.games.valdora.components import Face
from app.games.valdora.moves import (
    COLOURS,
    END_TURN,
    GEAR,
    GEMS,
    PILES,
    PROVISIONS,
    REFILL,
    STAY,
    Buy,
    Deliver,
    Go,
    Load,
    Move,
    Return,
    TurnPage,
)
from app.games.valdora.state import EMPTY, NOT_OWNED, Book, Options, Player, State, Turn

GAME: Valdora = load()
BOX = GAME.box


def face_name(face: Face) -> str:
    colour = COLOURS[face.patron]
    return f"{colour}: {' '.join(GEMS[gem] for gem in face.gems)}" if len(face.gems) == 3 else colour


FACE_NAMES = [face_name(face) for face in BOX.faces]


def commission(name: str, back: str | None = None) -> int:
    """The page with this face (and that back)."""
    for page, found in enumerate(FACE_NAMES):
        if found == name and back in (None, FACE_NAMES[page ^ 1]):
            return page
    raise AssertionError(f"no commission {name}/{back}")


def equipment_page(face: str, back: str) -> int:
    for page, gear in enumerate(BOX.goods):
        if GEAR[gear] == face and GEAR[BOX.goods[page ^ 1]] == back:
            return page
    raise AssertionError(f"no card {face}/{back}")


def gems(counts: Mapping[str, int]) -> tuple[int, ...]:
    return tuple(counts.get(gem, 0) for gem in GEMS)


def gear(cards: Mapping[str, str | None]) -> tuple[int, ...]:
    """The pan is always there; a card's value is the gem on it."""
    carried = {"pan": None, **cards}
    return tuple(
        NOT_OWNED if name not in carried else EMPTY if (gem := carried[name]) is None else [*GEMS].index(gem)  # type: ignore[arg-type]
        for name in GEAR
    )


def new_table(seats: int = 3, seed: str = "tabletop", **options: Any) -> State:
    """Seat 0 begins."""
    return GAME.setup(Options(start="first_seat", **options), seats, seed)


def with_player(state: State, seat: int = 0, **changes: Any) -> State:
    """Change a player; coins come from or go to the bank, so that the table stays sound."""
    player = state.players[seat]
    if "at" in changes:
        changes["at"] = BOX.numbers[changes["at"]]
    if "gear" in changes:
        changes["gear"] = gear(changes["gear"])
    for pages in ("commissions", "completed"):
        if pages in changes:
            changes[pages] = tuple(commission(c) if isinstance(c, str) else c for c in changes[pages])
    if "craftsmen" in changes:
        changes["craftsmen"] = tuple(changes["craftsmen"].get(colour, 0) for colour in COLOURS)
    bank = state.bank + player.coins - changes.get("coins", player.coins)
    return replace(state, players=put(state.players, seat, replace(player, **changes)), bank=bank)


def with_road(state: State, name: str, counts: Mapping[str, int]) -> State:
    return replace(state, roads=put(state.roads, BOX.road[BOX.numbers[name]], gems(counts)))


def with_discard(state: State, counts: Mapping[str, int]) -> State:
    return replace(state, discard=gems(counts))


def with_book(state: State, city: str, left: Iterable[int], right: Iterable[int], unseen: int = 0) -> State:
    """Pages of both piles, the top one last."""
    book = Book(tuple(left), tuple(right), unseen)
    return replace(state, books=put(state.books, BOX.book[BOX.numbers[city]], book))


def with_craftsmen(state: State, counts: Mapping[str, int]) -> State:
    return replace(state, craftsmen=tuple(counts.get(colour, 0) for colour in COLOURS))


def acting(state: State, at: str, seat: int = 0) -> State:
    """The seat has moved here and is to act."""
    return replace(with_player(state, seat, at=at), turn=Turn(seat, "act"))


def legal(state: State) -> list[Move]:
    return list(GAME.legal(state, state.turn.seat))


def legal_spaces(state: State) -> set[str]:
    return {move.to for move in legal(state) if isinstance(move, Go)}


def why_not(state: State, move: Move) -> Refusal:
    """The refusal; the move must indeed not be offered."""
    assert move not in legal(state)
    refusal = GAME.explain(state, state.turn.seat, move)
    assert refusal is not None
    return refusal


def play(state: State, *moves: Move) -> State:
    return play_and_tell(state, *moves)[0]


def play_and_tell(state: State, *moves: Move) -> tuple[State, list[Event]]:
    """The table after these moves, each of which must be legal, and what happened."""
    events: list[Event] = []
    for move in moves:
        if move not in legal(state):
            raise Illegal(GAME.explain(state, state.turn.seat, move) or Refusal("?", "?"))
        step = GAME.apply(state, state.turn.seat, move)
        state = step.state
        events += step.events
    return state, events


def keys(events: Iterable[Event]) -> list[str]:
    return [event.key.removeprefix("valdora.event.") for event in events]


def player(state: State, seat: int = 0) -> Player:
    return state.players[seat]


def carried(state: State, seat: int = 0) -> dict[str, str | None]:
    return GAME.view(state, seat).players[seat].equipment


def face_up(state: State, city: str, pile: str) -> str | None:
    """What the top page of a pile shows."""
    book = state.books[BOX.book[BOX.numbers[city]]]
    pages = book.left if pile == "left" else book.right
    if not pages:
        return None
    return GEAR[BOX.goods[pages[-1]]] if BOX.kinds[BOX.numbers[city]] == "equipment" else FACE_NAMES[pages[-1]]


def all_moves() -> list[Move]:
    """Every move that can be written down, sensible or not."""
    payments: list[tuple[Any, ...]] = [(), *((one,) for one in GEAR)]
    payments += [(a, b, c) for a in GEAR for b in GEAR for c in GEAR if len({a, b, c}) == 3]
    return [
        *(Go(name) for name in (*BOX.spaces, "nowhere")),
        STAY,
        REFILL,
        PROVISIONS,
        END_TURN,
        *(TurnPage(pile) for pile in PILES),
        *(Buy(pile, pay) for pile in PILES for pay in (None, *GEAR)),
        *(Return(place, pile) for place in range(3) for pile in PILES),
        *(Load(gem, on) for gem in GEMS for on in GEAR),
        *(Deliver(place, pay) for place in range(3) for pay in payments),
    ]
