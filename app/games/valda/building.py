"""The third phase (DT-8 to DT-14), and the moment of a Backstab (DW-7, DW-11)."""

from msgspec.structs import replace

from app.engine.tuples import put
from app.games.valda.components import Components
from app.games.valda.draft import Draft
from app.games.valda.gods import LOCK, owner, temples_at
from app.games.valda.hands import draw_hidden, look, play_weapon, put_away, who_could
from app.games.valda.moves import BUILD, BUILDINGS, END_PHASE, GODS, LOKI, Build, Move
from app.games.valda.state import NOBODY, TEMPLES, State, Task, Window

_GODS_FROM = len(BUILDINGS) - len(GODS)  # mine and well come first


def legal(c: Components, state: State) -> list[Move]:
    moves: list[Move] = []
    if state.turn.built < state.turn.limit:
        moves += [BUILD[what] for what in range(len(BUILDINGS)) if why_not(c, state, what) is None]
    moves.append(END_PHASE)
    return moves


def why_not(c: Components, state: State, what: int) -> tuple[str, str] | None:
    """The rule that forbids this building to whose turn it is, and the word for it."""
    me = state.players[state.turn.seat]
    god = what - _GODS_FROM
    if god < 0:
        full = me.wells >= c.most_wells if what else me.mines >= c.most_mines
        if full:
            return "DC-4", "no_more_wells" if what else "no_more_mines"
    elif sum(me.temples) >= c.temples:
        return "DC-4", "no_more_temples"
    elif owner(state, god) not in (None, state.turn.seat):
        return "DT-14", "locked"
    elif temples_at(state, god) >= c.sites:
        return "DT-13", "full"
    if any(has < costs for has, costs in zip(me.goods, c.prices[what], strict=True)):
        return "DT-9" if god < 0 else "DT-10", "too_dear"
    return None


def build(d: Draft, move: Build) -> None:
    """Pay; the second building of a turn waits for whoever could undo it."""
    seat, what = d.turn.seat, BUILDINGS.index(move.what)
    d.pay(seat, d.c.prices[what])
    d.turn = replace(d.turn, built=d.turn.built + 1)
    d.building = what
    if d.turn.built == 2:
        asked = who_could(d.c, d, LOKI) & ~(1 << seat)
        if asked:
            d.window = Window("backstab", asked)
            d.bar("turn")
            d.say("begins", seat, building=move.what)
            return
    complete(d)


def complete(d: Draft) -> None:
    """A mine, a well, or a temple with a follower and a card (DT-11)."""
    seat, what = d.turn.seat, d.building
    me = d.players[seat]
    god = what - _GODS_FROM
    d.building = NOBODY
    d.say("built", seat, building=BUILDINGS[what])
    if god < 0:
        d.edit(seat, **({"wells": me.wells + 1} if what else {"mines": me.mines + 1}))
        return
    d.edit(seat, temples=put(me.temples, god, me.temples[god] + 1))
    if me.temples[god] + 1 == LOCK:
        d.say("locked", seat, god=GODS[god])
    d.win(seat, 1, TEMPLES)
    cards = len(d.piles[god].cards)
    if cards >= 2:
        look(d, seat, god, depth=2)
        d.task = Task("keep", 1, picks=(god,))
    elif cards:
        draw_hidden(d, seat, god + 1, 1)


def backstab(d: Draft, seat: int) -> None:
    """The building is undone and the resources come back; the allowance is spent."""
    builder, what = d.turn.seat, d.building
    put_away(d, play_weapon(d, seat, LOKI))
    d.pay(builder, d.c.prices[what], back=True)
    d.building = NOBODY
    d.window = None
    d.say("backstab", seat, seat_to=builder, building=BUILDINGS[what])
