"""Points and the winner (VE-1 to VE-4)."""

from typing import Final

from app.engine.contract import Outcome, ScoreSheet
from app.games.valdora.components import Components
from app.games.valdora.state import Player, State

COLOUR_POINTS: Final = 10
SOURCES: Final = ("commissions", "colours", "workshops", "bonus", "gems")


def points(c: Components, workshops: tuple[int, ...], seat: int, player: Player) -> tuple[int, ...]:
    """By source, in the order of SOURCES (VE-2)."""
    return (
        sum(c.faces[page].points for page in player.completed),
        COLOUR_POINTS * sum(1 for count in player.craftsmen if count),
        sum(worth for owner, worth in zip(workshops, c.workshop_points, strict=True) if owner == seat),
        c.bonus_points * player.bonus,
        sum(1 for on in player.gear if on >= 0),
    )


def score_sheet(c: Components, state: State) -> ScoreSheet:
    return ScoreSheet(
        tuple(f"valdora.source.{source}" for source in SOURCES),
        tuple(points(c, state.workshops, seat, player) for seat, player in enumerate(state.players)),
    )


def outcome(c: Components, state: State) -> Outcome | None:
    if state.turn.phase != "over":
        return None
    totals = score_sheet(c, state).totals
    ranks = [(total, player.coins) for total, player in zip(totals, state.players, strict=True)]
    best = max(ranks)
    winners = tuple(seat for seat, rank in enumerate(ranks) if rank == best)
    tied = totals.count(best[0]) > 1
    decided_by = "shared" if len(winners) > 1 else "coins" if tied else "points"
    reason = "craftsmen" if state.last_round else "idle"
    return Outcome(winners, f"valdora.end.{reason}", f"valdora.decided.{decided_by}")
