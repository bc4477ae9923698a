"""What must always be true at a table of Valda, checked after every move of every simulated game."""

from collections import Counter
from collections.abc import Iterator

from app.games.valda.components import Components
from app.games.valda.gods import temples_at
from app.games.valda.hands import could_hold
from app.games.valda.moves import GODS, RESOURCES
from app.games.valda.state import State


def faults(c: Components, state: State) -> list[str]:
    checks = (_cards, _cubes, _temples, _followers, _knowledge, _limits)
    return [fault for check in checks for fault in check(c, state)]


def _cards(c: Components, state: State) -> Iterator[str]:
    found = [*state.base, *state.discard]
    for pile in state.piles:
        found += pile.cards
        if len(pile.seen) != len(pile.cards):
            yield "a deck has forgotten who knows its cards (DK-4)"
    for player in state.players:
        found += player.hand + player.open
    found += state.task.cards if state.task else ()
    found += state.dice.cards if state.dice else ()
    if state.raid:
        found += state.raid.shields
        found += (c.weapons[god] for god in state.raid.weapons)
        found += (state.raid.card,) if state.raid.card >= 0 else ()
    if sorted(found) != c.every_card:
        for number, card in enumerate(c.cards):
            if found.count(number) != card.copies:
                yield f"{found.count(number)} cards {card.name} of deck {card.deck} instead of {card.copies} (DC-1)"


def _cubes(c: Components, state: State) -> Iterator[str]:
    for resource, name in enumerate(RESOURCES):
        held = [player.goods[resource] for player in state.players]
        total = state.supply[resource] + sum(held)
        if total != c.cubes:
            yield f"{total} cubes of {name} instead of {c.cubes} (DC-3)"
        if min(*held, state.supply[resource]) < 0:
            yield f"a negative number of {name} (DC-3)"


def _temples(c: Components, state: State) -> Iterator[str]:
    for god, name in enumerate(GODS):
        if temples_at(state, god) > c.sites:
            yield f"more than {c.sites} temples in the area of {name} (DT-13)"
    for player in state.players:
        if sum(player.temples) > c.temples or min(player.temples) < 0:
            yield "a player with an impossible number of temples (DC-4)"
        if player.mines > c.most_mines or player.wells > c.most_wells:
            yield "a player with too many mines or wells (DC-4)"


def _followers(c: Components, state: State) -> Iterator[str]:  # noqa: ARG001
    for player in state.players:
        if player.followers != sum(player.sources):
            yield "followers from nowhere (DE-1)"
        if player.followers < 0:
            yield "a negative number of followers (DT-18)"


def _knowledge(c: Components, state: State) -> Iterator[str]:
    for seat, player in enumerate(state.players):
        for row in player.known:
            if row and Counter(row) - Counter(player.hand):
                yield "a card is known to be where it is not (DW-12)"
        for card in player.hand + player.open:
            god = c.is_weapon[card]
            if god >= 0 and not could_hold(c, state, seat, god):
                yield f"nobody would think that seat {seat} holds the weapon of {GODS[god]} (DW-12)"


def _limits(c: Components, state: State) -> Iterator[str]:  # noqa: ARG001
    for seat, player in enumerate(state.players):
        if player.open and (seat != state.turn.seat or state.turn.phase != "actions"):
            yield "cards lie face up outside the actions (DT-4)"
        if player.hand != tuple(sorted(player.hand)):
            yield "a hand is out of order"
    if state.window and state.window.answered & ~state.window.asked:
        yield "somebody has answered who was not asked (DW-11)"
