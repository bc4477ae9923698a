"""A view of the table in words."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from app.engine.contract import Arg, Say
from app.games.valda.view import AttackView, PlayerView, View


def table(view: View, say: Say) -> str:
    return "\n".join([*_head(view, say), *_board(view, say), *_players(view, say)])


def _line(say: Say, what: str, **args: Arg) -> str:
    return say(f"valda.text.{what}", args)


def _listed(counts: Mapping[str, int], kind: str, say: Say) -> str:
    return ", ".join(f"{say(f'valda.{kind}.{name}', {})} ×{count}" for name, count in counts.items() if count) or "–"


def _cards(cards: Iterable[str], say: Say) -> str:
    return _listed(Counter(cards), "card", say)


def _head(view: View, say: Say) -> Iterator[str]:
    if view.outcome:
        yield say(view.outcome.reason, {})
    else:
        yield _line(say, "turn", round=view.round, seat=view.turn.seat, phase=view.turn.phase)
        if view.turn.phase == "actions":
            yield _line(say, "actions", count=view.turn.actions)


def _board(view: View, say: Say) -> Iterator[str]:
    yield _line(say, "supply", text=_listed(view.supply, "resource", say), count=view.base)
    for god, seats in view.sites.items():
        owner = view.owners[god]
        what = "area" if owner is None else "area.locked"
        args: dict[str, Arg] = {} if owner is None else {"seat_owner": owner}
        temples = ", ".join(say("valda.text.temple", {"seat": seat}) for seat in seats) or "–"
        yield _line(say, what, god=god, text=temples, count=view.decks[god].cards, **args)
    yield _line(say, "discard", text=_cards(view.discard, say))
    if view.dice:
        shown = ", ".join(say(f"valda.face.{die.face}", {}) for die in view.dice.dice)
        yield _line(say, "dice", seat=view.dice.seat, text=shown)
    if view.attack and view.attack.card:
        yield _attack(view.attack, say)


def _attack(attack: AttackView, say: Say) -> str:
    return _line(
        say,
        "attack",
        seat=attack.attacker,
        seat_to=attack.target or 0,
        card=attack.card or "",
        power=attack.power,
        defence=attack.defence,
    )


def _players(view: View, say: Say) -> Iterator[str]:
    for seat, player in enumerate(view.players):
        yield from _player(seat, player, say)


def _player(seat: int, player: PlayerView, say: Say) -> Iterator[str]:
    yield _line(say, "player", seat=seat, count=player.followers, safe=player.safe)
    yield _line(say, "goods", text=_listed(player.goods, "resource", say), mines=player.mines, wells=player.wells)
    yield _line(say, "temples", text=_listed(player.temples, "god", say))
    if player.open:
        yield _line(say, "open", text=_cards(player.open, say))
    if player.hand is not None:
        yield _line(say, "hand", count=player.cards, text=_cards(player.hand, say))
    else:
        yield _line(say, "known", count=player.cards, text=_cards(player.known, say))
