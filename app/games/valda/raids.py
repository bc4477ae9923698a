"""The fourth phase: the others against the player whose turn it is (DT-15 to DT-18, DW)."""

from functools import cache
from itertools import product
from typing import Final

from msgspec.structs import replace

from app.games.valda.components import Components
from app.games.valda.draft import Draft
from app.games.valda.gods import attack_bonus, attacks_in_slot, count_levels
from app.games.valda.hands import could_hold, has_weapon, held, play_weapon, put_away, receive, spend, steal_random
from app.games.valda.moves import (
    ADDITIONS,
    FREYA,
    HEIMDALL,
    ODIN,
    PASS,
    RESISTED,
    RESOURCES,
    REVENGE,
    STAND,
    SURTUR,
    THOR,
    TYR,
    Addition,
    Attack,
    Claim,
    Loot,
    Move,
    Shield,
    Stand,
    Vanish,
)
from app.games.valda.state import ATTACKS, NO_CARD, NOBODY, Player, Raid, State, Window

GOD_OF: Final[dict[Addition, int]] = {"soulspear": ODIN, "warhorn": HEIMDALL, "wrath": THOR}
_RESISTED: Final = 2  # followers (DW-5)


@cache
def attack_of(card: str, weapons: tuple[Addition, ...]) -> Attack:
    return Attack(card, weapons)


@cache
def shield_of(card: str) -> Shield:
    return Shield(card)


def begin(d: Draft) -> None:
    """Most followers first, then most resources, then clockwise; the order is fixed now (DT-15)."""
    active, seats = d.turn.seat, len(d.players)

    def rank(seat: int) -> tuple[int, int, int]:
        player = d.players[seat]
        return -player.followers, -sum(player.goods), (seat - active) % seats

    order = tuple(sorted((seat for seat in range(seats) if seat != active), key=rank))
    d.turn = replace(d.turn, phase="attacks")
    d.raid = Raid(order, left=attacks_in_slot(d, order[0]))
    d.bar("turn")


def attacker(raid: Raid) -> int:
    return raid.order[raid.place]


def _raid(d: Draft | State) -> Raid:
    assert d.raid is not None  # noqa: S101 the phase is "attacks"
    return d.raid


# What is possible


def legal(c: Components, state: State) -> list[Move]:
    """For the attacker or the defender, whoever is to decide; the claim is a window of its own."""
    raid = _raid(state)
    if raid.stage == "declare":
        return _declarations(c, state.players[attacker(raid)])
    if raid.stage == "loot":
        return [*_loots(c, state)]
    return _answers(c, state)


def additions(c: Components, me: Player, does: str) -> list[tuple[Addition, ...]]:
    """All ways to add weapons to an attack; Soulspear goes only with killing cards (DW-10)."""
    ways: list[tuple[Addition, ...]] = [()]
    for weapon in ADDITIONS:
        if has_weapon(c, me, GOD_OF[weapon]) and (weapon != "soulspear" or does == "kill"):
            ways += [(*way, weapon) for way in ways]
    return ways


def _declarations(c: Components, me: Player) -> list[Move]:
    moves: list[Move] = []
    for name in dict.fromkeys(c.names(me.hand)):
        card = c.cards[c.named[name][0]]
        if card.kind == "attack":
            moves += [attack_of(name, weapons) for weapons in additions(c, me, card.does)]
    moves.append(PASS)
    return moves


def _answers(c: Components, state: State) -> list[Move]:
    raid = _raid(state)
    me = state.players[raid.target]
    moves: list[Move] = [STAND]
    if HEIMDALL not in raid.weapons:
        names = dict.fromkeys(c.names(me.hand))
        moves += [shield_of(name) for name in names if c.cards[c.named[name][0]].kind == "defence"]
    if raid.shields:
        if has_weapon(c, me, SURTUR) and holds(c, state):
            moves.append(RESISTED)
        return moves
    if has_weapon(c, me, FREYA):
        moves += [*_ways_out(state)]
    if has_weapon(c, me, TYR):
        moves.append(REVENGE)
    return moves


def _ways_out(state: State) -> list[Vanish]:
    raid = _raid(state)
    others = [seat for seat in range(len(state.players)) if seat not in (raid.target, attacker(raid))]
    return [Vanish(seat) for seat in others] or [Vanish()]


def _loots(c: Components, state: State) -> list[Loot]:
    raid = _raid(state)
    goods = state.players[raid.target].goods
    count = c.cards[raid.card].amount
    choices = product(*(range(min(there, count) + 1) for there in goods))
    return [Loot((blood, gold, diamond)) for blood, gold, diamond in choices if blood + gold + diamond == count]


# Numbers


def power(c: Components, state: State | Draft) -> int:
    """Wrath of Thor doubles what is printed; bonuses are added after (DW-6)."""
    raid = _raid(state)
    printed = c.cards[raid.card].power
    return printed * (2 if THOR in raid.weapons else 1) + attack_bonus(state, attacker(raid))


def defence(c: Components, state: State | Draft) -> int:
    raid = _raid(state)
    each = count_levels(state, raid.target, TYR)
    return sum(c.cards[shield].power + each for shield in raid.shields)


def holds(c: Components, state: State | Draft) -> bool:
    """Whether the defence cards suffice; without any nothing is fended off."""
    return bool(_raid(state).shields) and defence(c, state) >= power(c, state)


# Attack


def declare(d: Draft, move: Attack) -> None:
    raid = _raid(d)
    seat = attacker(raid)
    card = held(d.c, d.players[seat], move.card)
    assert card is not None  # noqa: S101 it is legal
    spend(d, seat, card)
    d.raid = replace(raid, stage="defend", target=d.turn.seat, card=card)
    d.bar("turn")
    d.say("attacks", seat, card=move.card, seat_to=d.turn.seat)
    _add(d, seat, move.weapons)


def _add(d: Draft, seat: int, weapons: tuple[Addition, ...]) -> None:
    for weapon in weapons:
        play_weapon(d, seat, GOD_OF[weapon])
        d.raid = replace(_raid(d), weapons=(*_raid(d).weapons, GOD_OF[weapon]))
        d.say("adds", seat, weapon=weapon)


def pass_by(d: Draft) -> None:
    """Who passes is out for this phase."""
    d.say("no_attack", attacker(_raid(d)))
    _next(d)


def _next(d: Draft) -> None:
    raid = _raid(d)
    d.bar("turn")
    place = raid.place + 1
    if place < len(raid.order):
        d.raid = Raid(raid.order, place, attacks_in_slot(d, raid.order[place]))
    else:
        d.raid = None
        d.turn = replace(d.turn, phase="followers", rolled=False)


def end_attack(d: Draft, keep_card: bool = True) -> None:
    """All its cards are discarded (DT-17); the slot may hold another attack (DT-16)."""
    raid = _raid(d)
    put_away(d, *((raid.card,) if keep_card else ()), *_open_weapons(d.c, raid), *raid.shields)
    d.raid = replace(raid, left=raid.left - 1, stage="declare", target=NOBODY, card=NO_CARD, weapons=(), shields=())
    d.bar("turn")
    if raid.left == 1:
        _next(d)


def _open_weapons(c: Components, raid: Raid) -> tuple[int, ...]:
    return tuple(c.weapons[god] for god in raid.weapons)


# Defence


def shield(d: Draft, move: Shield) -> None:
    raid = _raid(d)
    card = held(d.c, d.players[raid.target], move.card)
    assert card is not None  # noqa: S101
    spend(d, raid.target, card)
    d.raid = replace(raid, shields=(*raid.shields, card))
    d.say("shields", raid.target, card=move.card, count=defence(d.c, d))


def stand(d: Draft, move: Stand) -> None:
    raid = _raid(d)
    d.bar("turn")
    if not holds(d.c, d):
        d.say("hit", raid.target, seat_from=attacker(raid), card=d.c.cards[raid.card].name)
        _hit(d)
        return
    d.say("fended", raid.target, seat_from=attacker(raid))
    if move.resisted:
        put_away(d, play_weapon(d, raid.target, SURTUR))
        d.say("weapon", raid.target, weapon="resisted")
        d.win(raid.target, _RESISTED, ATTACKS)
    if could_hold(d.c, d, attacker(raid), SURTUR):
        d.raid = replace(raid, stage="claim")
        d.window = Window("claim", 1 << attacker(raid))
    else:
        end_attack(d)


def _hit(d: Draft) -> None:
    raid = _raid(d)
    thief, victim, card = attacker(raid), raid.target, d.c.cards[raid.card]
    match card.does:
        case "kill":
            d.lose(victim, card.amount * (2 if ODIN in raid.weapons else 1))
        case "followers":
            lost = d.lose(victim, card.amount)
            if lost:
                d.win(thief, lost, ATTACKS)
        case "cards":
            steal_random(d, thief, victim, card.amount)
        case _:
            goods = d.players[victim].goods
            kinds = sum(1 for count in goods if count)
            if sum(goods) > card.amount and kinds > 1:
                d.raid = replace(raid, stage="loot")
                return
            _rob(d, [min(count, card.amount) for count in goods])
    end_attack(d)


def loot(d: Draft, move: Loot) -> None:
    _rob(d, list(move.goods))
    end_attack(d)


def _rob(d: Draft, goods: list[int]) -> None:
    raid = _raid(d)
    if not any(goods):
        d.say("nothing_to_steal", attacker(raid), seat_from=raid.target)
    for resource, count in enumerate(goods):
        if count:
            d.hand_over(raid.target, attacker(raid), resource, count)
            d.say("stole", attacker(raid), seat_from=raid.target, resource=RESOURCES[resource], count=count)


def vanish(d: Draft, move: Vanish) -> None:
    """The attack goes to another player with all that was added; with two it fizzles (DW-2)."""
    raid = _raid(d)
    put_away(d, play_weapon(d, raid.target, FREYA))
    d.bar("turn")
    if move.seat is None:
        d.say("fizzled", raid.target, seat_from=attacker(raid))
        end_attack(d)
        return
    d.say("vanished", raid.target, seat_to=move.seat)
    d.raid = replace(raid, target=move.seat)


def revenge(d: Draft) -> None:
    """The attack is cancelled and its card comes to the hand (DW-3)."""
    raid = _raid(d)
    put_away(d, play_weapon(d, raid.target, TYR))
    d.say("revenge", raid.target, seat_from=attacker(raid), card=d.c.cards[raid.card].name)
    receive(d, raid.target, raid.card, openly=True)
    end_attack(d, keep_card=False)


def claims(c: Components, state: State) -> list[Claim]:
    raid = _raid(state)
    me = state.players[attacker(raid)]
    return [Claim(weapons) for weapons in additions(c, me, c.cards[raid.card].does)]


def claim(d: Draft, move: Claim) -> None:
    """A new attack with the same card: old additions lapse, the shields are gone (DW-10)."""
    raid = _raid(d)
    seat = attacker(raid)
    put_away(d, play_weapon(d, seat, SURTUR), *_open_weapons(d.c, raid), *raid.shields)
    d.window = None
    d.raid = replace(raid, stage="defend", weapons=(), shields=())
    d.bar("turn")
    d.say("claim", seat, card=d.c.cards[raid.card].name, seat_to=raid.target)
    _add(d, seat, move.weapons)
