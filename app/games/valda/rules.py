"""Who is to decide, what they may do, and what it leads to."""

from collections.abc import Sequence

from msgspec.structs import replace

from app.engine.contract import Seat, Step
from app.games.valda import actions, building, dice, phases, raids, tasks, weapons
from app.games.valda.components import Components
from app.games.valda.draft import Draft
from app.games.valda.hands import has_weapon
from app.games.valda.moves import (
    BACKSTAB,
    FREYA,
    LOKI,
    PASS,
    SURTUR,
    Attack,
    Backstab,
    Borrow,
    Build,
    Bullseye,
    Claim,
    Convert,
    Crown,
    Dagger,
    Discard,
    Done,
    Draw,
    DrawCards,
    EndPhase,
    Exchange,
    Fetch,
    Give,
    Gjallarhorn,
    Keep,
    Loot,
    Move,
    Name,
    Pass,
    Play,
    Revenge,
    Roll,
    Shield,
    Stand,
    Swap,
    Take,
    Thief,
    Trade,
    Vanish,
    Wander,
    Worship,
)
from app.games.valda.state import State, Window, seats_in

_NEEDS = {"crown": FREYA, "backstab": LOKI, "claim": SURTUR}


def to_act(state: State) -> tuple[Seat, ...]:
    if state.turn.phase == "over":
        return ()
    if state.window:
        return seats_in(state.window.asked)
    if state.task and state.task.kind == "toll":
        return tuple(seat for seat, owes in enumerate(state.task.picks) if owes)
    if state.raid:
        raid = state.raid
        return (raid.target,) if raid.stage == "defend" else (raids.attacker(raid),)
    return (state.turn.seat,)


def answered(state: State) -> tuple[Seat, ...]:
    return seats_in(state.window.answered) if state.window else ()


def legal(c: Components, state: State, seat: Seat) -> Sequence[Move]:
    if state.turn.phase == "over":
        return ()
    moves = decisions(c, state, seat)
    return [*moves, *weapons.legal(c, state, seat)]


def decisions(c: Components, state: State, seat: Seat) -> list[Move]:
    """What the seat is asked for; nothing if it is not asked."""
    if seat not in to_act(state):
        return []
    if state.window:
        return [] if state.window.answered >> seat & 1 else _reactions(c, state, state.window, seat)
    if state.task:
        return [*tasks.toll_moves(state, seat)] if state.task.kind == "toll" else tasks.task_moves(c, state)
    match state.turn.phase:
        case "resources":
            return phases.legal_resources(state)
        case "actions":
            return actions.legal(c, state)
        case "building":
            return building.legal(c, state)
        case "attacks":
            return raids.legal(c, state)
    return phases.legal_followers(state)


def _reactions(c: Components, state: State, window: Window, seat: Seat) -> list[Move]:
    """Who does not hold the weapon can only pass (DW-8)."""
    if not has_weapon(c, state.players[seat], _NEEDS[window.weapon]):
        return [PASS]
    if window.weapon == "crown":
        return [*dice.crowns(c, state), PASS]
    if window.weapon == "claim":
        return [*raids.claims(c, state), PASS]
    return [BACKSTAB, PASS]


def quiet(c: Components, state: State) -> list[tuple[Seat, Move]]:
    """Who is asked and cannot react passes unseen (DW-8)."""
    window = state.window
    if window is None:
        return []
    waiting = seats_in(window.asked & ~window.answered)
    return [(seat, PASS) for seat in waiting if not has_weapon(c, state.players[seat], _NEEDS[window.weapon])]


def apply(c: Components, state: State, seat: Seat, move: Move) -> Step[State]:
    d = Draft(c, state)
    if isinstance(move, Pass) and state.window:
        _answer(d, seat, state.window)
    else:
        _do(d, seat, move)
    _go_on(d)
    return d.step()


def _answer(d: Draft, seat: Seat, window: Window) -> None:
    """Unseen, until the last one has answered: then the moment is over."""
    window = replace(window, answered=window.answered | 1 << seat)
    d.bar("secret")
    d.say("let_pass", seat)
    if window.answered != window.asked:
        d.moment -= 1
        d.window = window
        return
    d.window = None
    d.say("went_by", d.turn.seat)  # whoever was the last to answer
    if window.weapon == "crown":
        dice.settle(d)
    elif window.weapon == "backstab":
        building.complete(d)
    else:
        raids.end_attack(d)


def _do(d: Draft, seat: Seat, move: Move) -> None:
    match move:
        case Roll():
            if d.turn.phase == "resources":
                phases.roll_for_resources(d)
            else:
                phases.roll_for_loki(d)
        case Trade():
            phases.trade(d, move)
        case EndPhase():
            phases.end_phase(d)
        case Draw():
            tasks.draw(d, move)
        case Play():
            actions.play(d, move)
        case Take():
            actions.take(d, move)
        case DrawCards(count=count):
            actions.draw_cards(d, count)
        case Name():
            tasks.name(d, move)
        case Discard():
            tasks.discard(d, move)
        case Convert():
            tasks.convert(d, move)
        case Fetch():
            tasks.fetch_card(d, move)
        case Swap():
            tasks.swap(d, move)
        case Exchange():
            tasks.exchange(d, move)
        case Borrow():
            tasks.borrow(d, move)
        case Give():
            tasks.give(d, seat, move)
        case Wander():
            tasks.wander(d, move)
        case Done():
            d.say("enough", seat)
            tasks.finish_card(d)
        case Build():
            building.build(d, move)
        case Keep():
            tasks.keep(d, seat, move)
        case Attack():
            raids.declare(d, move)
        case Pass():
            raids.pass_by(d)
        case Shield():
            raids.shield(d, move)
        case Stand():
            raids.stand(d, move)
        case Vanish():
            raids.vanish(d, move)
        case Revenge():
            raids.revenge(d)
        case Loot():
            raids.loot(d, move)
        case Claim():
            raids.claim(d, move)
        case Crown():
            dice.crown(d, seat, move)
        case Backstab():
            building.backstab(d, seat)
        case Worship():
            phases.worship(d, move)
        case Bullseye():
            weapons.bullseye(d, seat, move)
        case Thief():
            weapons.thief(d, seat, move)
        case Gjallarhorn():
            weapons.gjallarhorn(d, seat)
        case Dagger():
            weapons.dagger(d, seat, move)


def _go_on(d: Draft) -> None:
    """What follows by itself: a card to which nothing can be added is done, and then perhaps its phase."""
    task = d.task
    if task and d.window is None and tasks.settle(d) and task.kind == "discard":
        d.turn = replace(d.turn, phase="building")
