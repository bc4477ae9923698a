"""Why a move is not possible: the rule that forbids it, and the words for it."""

from typing import Final

from app.engine.contract import Arg, Refusal, Seat
from app.games.valda import building, phases, raids
from app.games.valda.components import Components
from app.games.valda.gods import count_levels, levels
from app.games.valda.hands import has_weapon, held
from app.games.valda.moves import (
    BUILDINGS,
    FREYA,
    GODS,
    HEIMDALL,
    LOKI,
    ODIN,
    RESOURCES,
    SURTUR,
    THOR,
    TYR,
    Attack,
    Backstab,
    Build,
    Bullseye,
    Claim,
    Crown,
    Dagger,
    Discard,
    DrawCards,
    EndPhase,
    Gjallarhorn,
    Loot,
    Move,
    Pass,
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
from app.games.valda.rules import answered, legal, to_act
from app.games.valda.state import Phase, State

# What is done in which phase; everything else belongs to a card or a moment.
_PHASES: Final[dict[type[Move], tuple[Phase, str]]] = {
    Trade: ("resources", "DT-2"),
    Play: ("actions", "DT-5"),
    DrawCards: ("actions", "DT-5"),
    Build: ("building", "DT-8"),
    Attack: ("attacks", "DT-15"),
    Shield: ("attacks", "DT-17"),
    Stand: ("attacks", "DT-17"),
    Loot: ("attacks", "DT-17"),
    Worship: ("followers", "DT-19"),
}

# Weapons that need a moment: the god, and the rule.
_MOMENTS: Final[dict[type[Move], tuple[int, str]]] = {
    Crown: (FREYA, "DW-2"),
    Vanish: (FREYA, "DW-2"),
    Backstab: (LOKI, "DW-7"),
    Claim: (SURTUR, "DW-5"),
    Revenge: (TYR, "DW-3"),
}

_ANY_TIME: Final[dict[type[Move], tuple[int, str]]] = {
    Bullseye: (ODIN, "DW-1"),
    Thief: (TYR, "DW-3"),
    Gjallarhorn: (HEIMDALL, "DW-4"),
    Dagger: (LOKI, "DW-7"),
}

# What must be done before anything else.
_FIRST: Final[dict[str, tuple[str, str]]] = {
    "draw": ("DT-3", "draw_first"),
    "discard": ("DT-7", "discard_first"),
    "keep": ("DT-11", "keep_first"),
}


def _no(rule: str, word: str, **args: Arg) -> Refusal:
    return Refusal(rule, f"valda.refuse.{word}", args)


def explain(c: Components, state: State, seat: Seat, move: Move) -> Refusal | None:
    if move in legal(c, state, seat):
        return None
    if state.turn.phase == "over":
        return _no("DE-1", "over")
    me = state.players[seat]
    if type(move) in _ANY_TIME:
        god, rule = _ANY_TIME[type(move)]
        return _no(rule, "nothing_there") if has_weapon(c, me, god) else _no("DW-9", "no_weapon", god=GODS[god])
    if type(move) in _MOMENTS:
        god, rule = _MOMENTS[type(move)]
        return _no(rule, "no_moment") if has_weapon(c, me, god) else _no(rule, "no_weapon", god=GODS[god])
    if seat not in to_act(state):
        return _no("DT-1", "not_your_turn")
    if state.window:
        return _no("DW-8", "answered" if seat in answered(state) else "react_first")
    if state.task:
        return _task(state, move)
    return _phase(c, state, seat, move)


def _task(state: State, move: Move) -> Refusal:
    assert state.task is not None  # noqa: S101
    kind = state.task.kind
    if kind == "discard" and isinstance(move, Discard):
        return _no("DT-7", "not_held")
    return _no(*_FIRST.get(kind, ("DT-6", "card_first")))


def _phase(c: Components, state: State, seat: Seat, move: Move) -> Refusal:
    turn = state.turn
    wanted = _PHASES.get(type(move))
    if wanted and turn.phase != wanted[0]:
        return _no(wanted[1], "wrong_phase", phase=wanted[0])
    match move:
        case Roll():
            return _roll(state, seat)
        case Trade():
            return _trade(state, move)
        case EndPhase():
            return _no("DT-1", "roll_first") if turn.phase == "resources" else _attack_first(state)
        case Play():
            return _play(c, state, move)
        case Take(resource=resource):
            if turn.phase != "actions":
                return _no("DT-5", "wrong_phase", phase="actions")
            return _no("DC-3", "supply", resource=resource) if turn.actions else _no("DT-5", "no_actions")
        case DrawCards(count=1) if not levels(state, seat, FREYA)[0]:
            return _no("DT-5", "no_ability", god="freya")
        case DrawCards():
            return _no("DT-5", "no_actions")
        case Build(what=what):
            return _build(c, state, BUILDINGS.index(what))
        case Attack() | Shield() | Stand() | Loot():
            return _fight(c, state, seat, move)
        case Worship():
            return _worship(state, seat, move)
        case Pass():
            return _no("DT-15", "nothing_to_pass")
    return _no("DT-6", "no_such_card")


def _roll(state: State, seat: Seat) -> Refusal:
    if state.turn.phase == "resources":
        return _no("DT-1", "rolled")
    if state.turn.phase != "followers":
        return _no("DT-1", "wrong_phase", phase="resources")
    return _no("DT-19", "rolled") if count_levels(state, seat, LOKI) else _no("DT-19", "no_ability", god="loki")


def _trade(state: State, move: Trade) -> Refusal:
    turn = state.turn
    if not turn.rolled:
        return _no("DT-1", "roll_first")
    if turn.trades >= phases.MOST_TRADES:
        return _no("DT-2", "too_many_trades")
    take = RESOURCES.index(move.take)
    if move.pay[take]:
        return _no("DT-2", "same_kind")
    if not state.supply[take]:
        return _no("DC-3", "supply", resource=move.take)
    if move in phases.rates(*levels(state, turn.seat, HEIMDALL)):
        return _no("DT-2", "too_dear")
    return _no("DT-2", "no_rate")


def _play(c: Components, state: State, move: Play) -> Refusal:
    me = state.players[state.turn.seat]
    card = held(c, me, move.card)
    if card is None:
        return _no("DT-4", "not_held")
    if c.cards[card].kind != "yellow":
        return _no("DC-1", "not_yellow", kind=c.cards[card].kind)
    if not state.turn.actions and not c.cards[card].free:
        return _no("DT-5", "no_actions")
    return _no("DW-6", "no_weapon", god=GODS[THOR])


def _build(c: Components, state: State, what: int) -> Refusal:
    if state.turn.built >= state.turn.limit:
        return _no("DT-8", "built_enough", count=state.turn.limit)
    rule, word = building.why_not(c, state, what) or ("DT-8", "built_enough")
    return _no(rule, word)


def _attack_first(state: State) -> Refusal:
    assert state.raid is not None  # noqa: S101 the phase is "attacks"
    if state.raid.stage == "declare":
        return _no("DT-15", "declare_first")
    return _no("DT-17", "loot_first" if state.raid.stage == "loot" else "answer_attack")


def _fight(c: Components, state: State, seat: Seat, move: Attack | Shield | Stand | Loot) -> Refusal:
    raid = state.raid
    assert raid is not None  # noqa: S101 the phase is "attacks"
    declaring = raid.stage == "declare"
    if isinstance(move, Attack) != declaring or isinstance(move, Loot) != (raid.stage == "loot"):
        return _attack_first(state)
    if isinstance(move, Loot):
        return _no("DT-17", "loot")
    if isinstance(move, Stand):
        return _no("DW-5", "resisted")
    card = held(c, state.players[seat], move.card)
    wanted = "attack" if declaring else "defence"
    if card is None:
        return _no("DT-4", "not_held")
    if c.cards[card].kind != wanted:
        return _no("DT-15" if declaring else "DT-17", f"not_{wanted}")
    if isinstance(move, Shield):
        return _no("DW-4", "warhorn")
    lacking = [weapon for weapon in move.weapons if not has_weapon(c, state.players[seat], raids.GOD_OF[weapon])]
    if lacking:
        return _no("DW-10", "no_weapon", god=GODS[raids.GOD_OF[lacking[0]]])
    return _no("DW-10", "additions")


def _worship(state: State, seat: Seat, move: Worship) -> Refusal:
    god = GODS.index(move.god)
    if not levels(state, seat, god)[move.level - 1]:
        return _no("DT-19", "no_ability", god=move.god)
    way = phases.way_of(god, move.level)
    if state.turn.worship[way] >= phases.WAYS[way][3]:
        return _no("DT-19", "often_enough", god=move.god)
    return _no("DT-19", "too_dear")
