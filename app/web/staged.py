"""A table without a room: what a lesson and the rules show is drawn like any other, and nothing is stored."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Final

from app.engine.codec import decode_options
from app.engine.contract import Game, Seat
from app.engine.table import Table
from app.rooms.snapshot import Happened, Place, Snapshot

_LONG_AGO: Final = datetime.fromtimestamp(0, UTC)


def stage(
    game: Game[Any, Any, Any], seed: str, options: dict[str, Any], names: list[str], script: Iterable[tuple[Seat, Any]]
) -> Snapshot:
    """The table after these moves, as if people had played it. Nothing of it can be taken back."""
    table = Table(game, decode_options(game, options), len(names), seed)
    log = []
    for seq, (seat, move) in enumerate(script, start=1):
        log.append(Happened(seq, seat, False, table.play(seat, move).events))
    return Snapshot(
        id=0,
        code=f"staged {game.name} {seed}",  # no room's name has blanks, so a kept drawing is never a room's
        game_name=game.name,
        places=len(names),
        options=options,
        listed=False,
        spectators=True,
        status="playing",
        host="",
        seed=seed,
        seed_chosen=True,
        rev=len(log),
        seq=len(log),
        state=table.state,
        anchor_seq=len(log),
        barrier=None,
        rematch=None,
        created_at=_LONG_AGO,
        seats=tuple(Place(number, name, "", frozenset()) for number, name in enumerate(names)),
        muted=frozenset(),
        log=tuple(log),
        chat=(),
    )
