"""A view of the table in words."""

from collections.abc import Iterator, Mapping

from app.engine.contract import Arg, Say
from app.games.valdora.view import BookView, FaceView, PileView, PlayerView, View


def table(view: View, say: Say) -> str:
    return "\n".join([*_head(view, say), *_board(view, say), *_players(view, say)])


def _line(say: Say, what: str, **args: Arg) -> str:
    return say(f"valdora.text.{what}", args)


def _counted(counts: Mapping[str, int], kind: str, say: Say) -> str:
    return ", ".join(f"{say(f'valdora.{kind}.{name}', {})} ×{count}" for name, count in counts.items() if count) or "–"


def _head(view: View, say: Say) -> Iterator[str]:
    if view.outcome:
        yield say(view.outcome.reason, {})
    else:
        yield _line(say, view.turn.phase, round=view.round, seat=view.turn.seat)
        if view.last_round:
            yield _line(say, "last_round")


def _board(view: View, say: Say) -> Iterator[str]:
    for road, gems in view.roads.items():
        yield _line(say, "road", space=road, text=_counted(gems, "gem", say))
    yield _line(say, "discard", text=_counted(view.discard, "gem", say))
    for book in view.books:
        yield _book(book, say)
    for sold, faces in view.summary.items():
        text = "; ".join(f"{_face(entry.face, say)} ×{entry.count}" for entry in faces)
        yield _line(say, f"summary.{sold}", text=text)
    yield _line(say, "craftsmen", text=_counted(view.craftsmen, "patron", say), tiles=view.bonus)


def _book(book: BookView, say: Say) -> str:
    return _line(say, "book", space=book.space, text_left=_pile(book.left, say), text_right=_pile(book.right, say))


def _pile(pile: PileView, say: Say) -> str:
    return f"{_face(pile.top, say)} ({pile.cards})" if pile.top else "–"


def _face(face: FaceView, say: Say) -> str:
    if face.gear:
        return say(f"valdora.gear.{face.gear}", {})
    return say("valdora.text.commission", {"patron": face.patron or "", "gem_wanted": face.wish})


def _players(view: View, say: Say) -> Iterator[str]:
    for seat, player in enumerate(view.players):
        own = [colour for colour, owner in view.workshops.items() if owner == seat]
        yield from _player(seat, player, own, say)


def _player(seat: int, player: PlayerView, workshops: list[str], say: Say) -> Iterator[str]:
    with_provisions = ".provisioned" if player.provisions else ""
    yield _line(say, f"player{with_provisions}", seat=seat, space=player.space, coins=player.coins)
    equipment = ", ".join(
        say(f"valdora.gear.{gear}", {}) + (f" ({say(f'valdora.gem.{gem}', {})})" if gem else "")
        for gear, gem in player.equipment.items()
    )
    yield _line(say, "equipment", text=equipment)
    wishes = "; ".join(_face(card.face, say) for card in player.commissions) or "–"
    yield _line(say, "commissions", text=wishes, count=player.completed)
    owned = ", ".join(say(f"valdora.patron.{colour}", {}) for colour in workshops) or "–"
    yield _line(
        say,
        "guild",
        text=_counted(player.craftsmen, "patron", say),
        text_workshops=owned,
        tiles=player.bonus,
    )
    if player.points is not None:
        yield _line(say, "points", count=sum(player.points))
