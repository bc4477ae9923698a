"""What a button says that makes a move; where it lies; and what is asked of whom."""

from typing import Final

from app.engine.contract import Arg, Seat
from app.games.valda import phases, raids
from app.games.valda.components import COLOURS, Components
from app.games.valda.dice import face_name
from app.games.valda.gods import count_levels
from app.games.valda.moves import (
    BUILDINGS,
    GODS,
    LOKI,
    RESOURCES,
    Attack,
    Borrow,
    Build,
    Bullseye,
    Claim,
    Convert,
    Crown,
    Dagger,
    Discard,
    Draw,
    DrawCards,
    EndPhase,
    Exchange,
    Fetch,
    Give,
    Gjallarhorn,
    Goods,
    Keep,
    Loot,
    Move,
    Name,
    Pass,
    Play,
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
from app.games.valda.state import State, seats_in

Wording = tuple[str, dict[str, Arg]]

# Weapons that may be played at any moment, by the god whose they are.
_ANY_TIME: Final[dict[type[Move], str]] = {Bullseye: "odin", Thief: "tyr", Gjallarhorn: "heimdall", Dagger: "loki"}


def _goods(goods: Goods) -> tuple[str, ...]:
    return tuple(name for name, count in zip(RESOURCES, goods, strict=True) for _ in range(count))


def move(c: Components, state: State, seat: Seat, step: Move) -> Wording:
    word, args = _worded(c, state, seat, step)
    return f"valda.move.{word}", args


def _worded(c: Components, state: State, seat: Seat, step: Move) -> Wording:
    match step:
        case Roll():
            if state.turn.phase == "resources":
                return "roll", {}
            return "roll_loki", {"count": count_levels(state, seat, LOKI)}
        case Trade(pay=pay, take=take):
            return "trade", {"resource_paid": _goods(pay), "resource": take}
        case EndPhase():
            return f"end_phase.{state.turn.phase}", {}
        case Draw(deck=deck):
            return "draw", {"deck": deck}
        case Play(card=card, hammer=hammer):
            return ("play.hammer" if hammer else "play"), {"card": card}
        case DrawCards(count=count):
            return "draw_cards", {"count": count}
        case Name(god=god):
            return "name", {"deck": god}
        case Discard(card=card):
            return ("sacrifice" if state.task and state.task.kind == "sacrifice" else "discard"), {"card": card}
        case Take(resource=resource) | Give(resource=resource) | Convert(resource=resource):
            return type(step).__name__.lower(), {"resource": resource}
        case Keep(card=card) | Fetch(card=card) | Bullseye(card=card):
            return type(step).__name__.lower(), {"card": card}
        case Swap(seat=other, count=count):
            return "swap", {"seat_to": other, "count": count}
        case Exchange(seat=other, give=give, take=take):
            return "exchange", {"seat_to": other, "resource_given": give, "resource": take}
        case Borrow(god=god, level=level):
            return "borrow", {"god": god, "level": level}
        case Wander(god_from=here, god=there):
            return "wander", {"god_from": here, "god": there}
        case Build(what=what):
            return "build", {"building": what}
        case Attack(card=card, weapons=weapons):
            return ("attack.weapons", {"card": card, "weapon": weapons}) if weapons else ("attack", {"card": card})
        case Shield(card=card):
            return "shield", {"card": card}
        case Stand(resisted=resisted):
            return _stand(c, state, resisted)
        case Vanish(seat=other):
            return "vanish" if other is None else "vanish.to", {} if other is None else {"seat_to": other}
        case Loot(goods=goods):
            return "loot", {"resource": _goods(goods)}
        case Claim(weapons=weapons):
            return ("claim.weapons", {"weapon": weapons}) if weapons else ("claim", {})
        case Crown():
            return _crown(c, state, step)
        case Worship(god=god, level=level, pay=pay):
            _, price, followers, _ = phases.WAYS[phases.way_of(GODS.index(god), level)]
            return "worship", {"god": god, "resource": pay, "price": price, "count": followers}
        case Thief(seat=other, card=card):
            return ("thief", {"seat_to": other}) if card is None else ("thief.open", {"seat_to": other, "card": card})
        case Dagger(cards=cards):
            return "dagger", {"card": cards}
        case Pass():
            return ("not_now" if state.window else "no_attack"), {}
    return type(step).__name__.lower(), {}


def _stand(c: Components, state: State, resisted: bool) -> Wording:
    if resisted:
        return "stand.resisted", {}
    assert state.raid is not None  # noqa: S101
    if not state.raid.shields:
        return "stand.bare", {}
    return ("stand.fended" if raids.holds(c, state) else "stand.weak"), {}


def _crown(c: Components, state: State, step: Crown) -> Wording:
    assert state.dice is not None  # noqa: S101
    colour, up = state.dice.dice[step.die]
    return "crown", {
        "colour": COLOURS[colour],
        "face_from": face_name(c, colour, up),
        "face": face_name(c, colour, step.face),
    }


def place_of(step: Move) -> str:
    """A card, a deck, a resource, a god's area, a die, a player or a weapon; what is left is in words."""
    match step:
        case Play(card=card) | Discard(card=card) | Attack(card=card) | Shield(card=card):
            return f"card-{card}"
        case Keep(card=card):
            return f"keep-{card}"
        case Take(resource=resource) | Give(resource=resource) | Convert(resource=resource):
            return f"resource-{resource}"
        case Build(what=what):
            return f"build-{what}"
        case Draw(deck=deck):
            return f"deck-{deck}"
        case Name(god=god):
            return f"deck-{god}"
        case Worship(god=god) | Borrow(god=god) | Wander(god_from=god):
            return f"god-{god}"
        case Swap(seat=seat) | Exchange(seat=seat):
            return f"player-{seat}"
        case Crown(die=die):
            return f"die-{die}"
        case Trade(take=take):
            return f"trade-{take}"
        case Fetch():
            return "discard"
        case Loot():
            return "loot"
    weapon = _ANY_TIME.get(type(step))
    return f"weapon-{weapon}" if weapon else ""


def prompt(c: Components, state: State, seat: Seat) -> Wording:
    """What is to be done now, as a word."""
    turn = state.turn
    if state.window:
        return _window(c, state)
    if state.task:
        args: dict[str, Arg] = {"count": _left(state, seat), "card": c.names(state.task.cards[:1])}
        return f"task_{state.task.kind}", {**args, "seat_to": turn.seat}
    if state.raid:
        return _raid(c, state)
    match turn.phase:
        case "resources":
            return ("trade" if turn.rolled else "roll"), {}
        case "actions":
            return "actions", {"count": turn.actions}
        case "building":
            return "building", {"count": turn.limit - turn.built}
    return "followers", {}


def _left(state: State, seat: Seat) -> int:
    task = state.task
    assert task is not None  # noqa: S101
    if task.kind == "toll":
        return task.picks[seat]
    if task.kind == "discard":
        return len(state.players[seat].hand)
    return task.left


def _window(c: Components, state: State) -> Wording:
    window = state.window
    assert window is not None  # noqa: S101
    asked: dict[str, Arg] = {"seat_asked": seats_in(window.asked)}
    if window.weapon == "backstab":
        return "backstab", {**asked, "seat_to": state.turn.seat, "building": BUILDINGS[state.building]}
    if window.weapon == "claim" and state.raid:
        return "claim", {**asked, "card": c.cards[state.raid.card].name}
    return "crown", asked


def _raid(c: Components, state: State) -> Wording:
    raid = state.raid
    assert raid is not None  # noqa: S101
    if raid.stage == "declare":
        return "attack", {"seat_to": state.turn.seat}
    args: dict[str, Arg] = {
        "seat_from": raids.attacker(raid),
        "seat_to": raid.target,
        "card": c.cards[raid.card].name,
        "power": raids.power(c, state),
        "defence": raids.defence(c, state),
    }
    return raid.stage, args
