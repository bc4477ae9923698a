"""What must always be true at a table of Valdora, checked after every move of every simulated game."""

from collections import Counter
from collections.abc import Iterator

from app.games.valdora.books import MOST_COMMISSIONS
from app.games.valdora.components import Components
from app.games.valdora.moves import COLOURS, GEAR, GEMS, PAN
from app.games.valdora.setup import craftsmen_in_play
from app.games.valdora.state import NOBODY, NOT_OWNED, State


def faults(c: Components, state: State) -> list[str]:
    checks = (_gems, _coins, _commissions, _equipment, _craftsmen, _bonus_tiles, _limits)
    return [fault for check in checks for fault in check(c, state)]


def _gems(c: Components, state: State) -> Iterator[str]:
    carried = [on for player in state.players for on in player.gear]
    totals = [sum(counts) for counts in zip(state.discard, *state.roads, strict=True)]
    for gem, name in enumerate(GEMS):
        total = totals[gem] + carried.count(gem)
        if total != c.gem_counts[gem]:
            yield f"{total} gems of the kind {name} instead of {c.gem_counts[gem]} (VC-1)"
    if min(map(min, (state.discard, *state.roads))) < 0:
        yield "a negative number of gems (VC-1)"


def _coins(c: Components, state: State) -> Iterator[str]:
    total = state.bank + sum(player.coins for player in state.players)
    if total != c.coins:
        yield f"{total} coins instead of {c.coins} (VC-2)"
    if state.bank < 0 or any(not 0 <= player.coins <= c.purse for player in state.players):
        yield "a purse or the bank holds an impossible number of coins (VC-2)"


def _commissions(c: Components, state: State) -> Iterator[str]:
    commissions = [page // 2 for book in state.books[2:] for page in (*book.left, *book.right)]
    commissions += [page // 2 for player in state.players for page in (*player.commissions, *player.completed)]
    if sorted(commissions) != sorted([*range(len(c.faces) // 2)] * 2):
        yield "commission cards are lost or doubled (VC-3)"
    for book in state.books:
        if not 0 <= book.unseen <= len(book.right):
            yield "a book has forgotten which pages were seen (VS-4)"


def _equipment(c: Components, state: State) -> Iterator[str]:
    """A bought card is known by its type alone, so of each card only how many are gone can be counted."""
    catalogues = [[page // 2 for page in (*book.left, *book.right)] for book in state.books[:2]]
    for cards in catalogues:
        if len(set(cards)) < len(cards):  # nothing is ever returned, so it would come from the other catalogue
            yield "an equipment catalogue holds a card twice (VC-3)"
    there = Counter(catalogues[0] + catalogues[1])
    sold = [2 - there[card] for card in range(len(c.goods) // 2)]
    owned = [gear for player in state.players for gear, on in enumerate(player.gear) if on != NOT_OWNED and gear != PAN]
    if sum(sold) != len(owned):
        yield "equipment cards are lost or doubled (VC-3)"
    for gear in set(owned):
        showed = sum(gone for card, gone in enumerate(sold) if gear in c.goods[2 * card : 2 * card + 2])
        if showed < owned.count(gear):
            yield f"{owned.count(gear)} cards of the type {GEAR[gear]} are owned, {showed} were sold (VC-6)"


def _craftsmen(c: Components, state: State) -> Iterator[str]:
    there = craftsmen_in_play(c, len(state.players))
    for colour, name in enumerate(COLOURS):
        total = state.craftsmen[colour] + sum(player.craftsmen[colour] for player in state.players)
        if total != there[colour]:
            yield f"{total} {name} craftsmen instead of {there[colour]} (VC-4)"
        owner = state.workshops[colour]
        earned = [player.craftsmen[colour] >= c.workshop_needs[colour] for player in state.players]
        if any(earned) != (owner != NOBODY) or (owner != NOBODY and not earned[owner]):
            yield f"the {name} workshop is in the wrong hands (VA-18)"
    if min(map(min, (state.craftsmen, *(player.craftsmen for player in state.players)))) < 0:
        yield "a negative number of craftsmen (VC-4)"


def _bonus_tiles(c: Components, state: State) -> Iterator[str]:
    tiles = [state.bonus, *(player.bonus for player in state.players)]
    if sum(tiles) != c.bonus_tiles:
        yield "bonus tiles are lost or doubled (VC-4)"
    if min(tiles) < 0:
        yield "a negative number of bonus tiles (VC-4)"


def _limits(c: Components, state: State) -> Iterator[str]:
    for player in state.players:
        if len(player.commissions) > MOST_COMMISSIONS:
            yield "more than 3 uncompleted commissions (VA-7)"
        if player.gear[PAN] == NOT_OWNED:
            yield "a player without a pan (VS-1)"
        for gear, on in enumerate(player.gear):
            if on >= 0 and c.carries[gear] not in (-1, on):
                yield f"{GEMS[on]} lies on the {GEAR[gear]} (VC-5)"
