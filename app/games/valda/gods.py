"""What the gods give: abilities by temples (DT-12), and the ownership of areas (DT-14)."""

from typing import Final

from app.games.valda.draft import Draft
from app.games.valda.moves import GODS, SURTUR
from app.games.valda.state import State

LOCK: Final = 3  # temples of one player
FEW: Final = 3  # up to so many players Surtur gives something else (DT-16)


def levels(state: State | Draft, seat: int, god: int) -> tuple[bool, bool]:
    """Whether the seat has the first and the second ability, its own or a borrowed one."""
    turn = state.turn
    return has_levels(state.players[seat].temples, turn.borrowed if turn.seat == seat else (), god)


def has_levels(temples: tuple[int, ...], borrowed: tuple[tuple[int, int], ...], god: int) -> tuple[bool, bool]:
    count = temples[god]
    if not borrowed:
        return count >= 1, count >= 2
    return count >= 1 or (god, 1) in borrowed, count >= 2 or (god, 2) in borrowed


def count_levels(state: State | Draft, seat: int, god: int) -> int:
    return sum(levels(state, seat, god))


def owner(state: State | Draft, god: int) -> int | None:
    """Who has locked the area."""
    for seat, player in enumerate(state.players):
        if player.temples[god] >= LOCK:
            return seat
    return None


def owned(state: State | Draft, seat: int) -> list[int]:
    return [god for god in range(len(GODS)) if state.players[seat].temples[god] >= LOCK]


def temples_at(state: State | Draft, god: int) -> int:
    return sum(player.temples[god] for player in state.players)


def attack_bonus(state: State | Draft, seat: int) -> int:
    first, second = levels(state, seat, SURTUR)
    return second if len(state.players) <= FEW else first + second


def attacks_in_slot(state: State | Draft, seat: int) -> int:
    return 2 if len(state.players) <= FEW and levels(state, seat, SURTUR)[0] else 1
