"""Followers by source, and the winner (DE-1)."""

from app.engine.contract import Outcome, ScoreSheet
from app.games.valda.state import SOURCES, State


def score_sheet(state: State) -> ScoreSheet:
    return ScoreSheet(
        tuple(f"valda.source.{source}" for source in SOURCES), tuple(player.sources for player in state.players)
    )


def outcome(state: State) -> Outcome | None:
    """The most followers, then the most resources, then the most temples, then shared."""
    if state.turn.phase != "over":
        return None
    ranks = [(player.followers, sum(player.goods), sum(player.temples)) for player in state.players]
    best = max(ranks)
    winners = tuple(seat for seat, rank in enumerate(ranks) if rank == best)
    return Outcome(winners, "valda.end.rounds", f"valda.decided.{_decided_by(ranks, best)}")


def _decided_by(ranks: list[tuple[int, int, int]], best: tuple[int, int, int]) -> str:
    for length, word in enumerate(("followers", "resources", "temples"), start=1):
        if sum(1 for rank in ranks if rank[:length] == best[:length]) == 1:
            return word
    return "shared"
