"""What must always be true is seen to fail: each table is broken on purpose, and the fault is reported."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from app.engine.tuples import put
from app.games.valdora.moves import COLOURS, GEAR, GEMS
from app.games.valdora.state import EMPTY, NOT_OWNED, State
from tests.games.valdora.tabletop import GAME, equipment_page, new_table

A, B, C = 0, 1, 2
RUBY, RED = GEMS.index("ruby"), COLOURS.index("red")
FIRST_ROAD_WITH_RUBY = next(road for road, gems in enumerate(new_table().roads) if gems[RUBY])


def more(numbers: tuple[int, ...], place: int, change: int) -> tuple[int, ...]:
    return put(numbers, place, numbers[place] + change)


def player(state: State, **changes: object) -> State:
    """The first player, changed without a thought for the rest of the table."""
    return replace(state, players=put(state.players, 0, replace(state.players[0], **changes)))


def on_card(state: State, gear: str, on: int) -> State:
    return player(state, gear=put(state.players[0].gear, [*GEAR].index(gear), on))  # type: ignore[arg-type]


def road(state: State, change: int) -> State:
    gems = more(state.roads[FIRST_ROAD_WITH_RUBY], RUBY, change)
    return replace(state, roads=put(state.roads, FIRST_ROAD_WITH_RUBY, gems))


def book(state: State, number: int, **changes: object) -> State:
    return replace(state, books=put(state.books, number, replace(state.books[number], **changes)))


def without(state: State, number: int, *pages: int) -> State:
    """A book from which these cards are gone."""
    cards = {page // 2 for page in pages}
    kept = tuple(page for page in state.books[number].right if page // 2 not in cards)
    return book(state, number, right=kept, unseen=len(kept))


def with_again(state: State, number: int) -> State:
    """A book whose lowest card lies in it twice."""
    pages = state.books[number].right
    return book(state, number, right=(pages[0], *pages), unseen=len(pages) + 1)


def a_card_goes_from_b_to_a(state: State) -> State:
    return without(with_again(state, A), B, state.books[A].right[0])


def a_craftsman_too_many(state: State, owner: int) -> State:
    """The first player has one red craftsman more than there are, a pile has one less than none."""
    there = state.craftsmen[RED]
    state = player(state, craftsmen=put(state.players[0].craftsmen, RED, there + 1))
    return replace(state, craftsmen=put(state.craftsmen, RED, -1), workshops=put(state.workshops, RED, owner))


def four_commissions(state: State) -> State:
    pages = state.books[C].right
    return player(book(state, C, right=pages[4:], unseen=len(pages) - 4), commissions=pages[:4])


SHOVEL_OR_HORSE = equipment_page("shovel", "horse")


@pytest.mark.parametrize(
    ("damage", "fault"),
    [
        (lambda s: road(s, -1), "12 gems of the kind ruby instead of 13 (VC-1)"),
        (lambda s: replace(s, discard=more(s.discard, RUBY, 1)), "14 gems of the kind ruby instead of 13 (VC-1)"),
        (lambda s: on_card(s, "pan", RUBY), "14 gems of the kind ruby instead of 13 (VC-1)"),
        (lambda s: replace(road(s, 1), discard=more(s.discard, RUBY, -1)), "a negative number of gems (VC-1)"),
        (lambda s: replace(s, bank=s.bank + 1), "31 coins instead of 30 (VC-2)"),
        (lambda s: player(s, coins=7), "a purse or the bank holds an impossible number of coins (VC-2)"),
        (lambda s: player(s, coins=-1), "a purse or the bank holds an impossible number of coins (VC-2)"),
        (lambda s: replace(s, bank=-1), "a purse or the bank holds an impossible number of coins (VC-2)"),
        (lambda s: without(s, C, 0), "commission cards are lost or doubled (VC-3)"),
        (lambda s: with_again(s, C), "commission cards are lost or doubled (VC-3)"),
        (lambda s: player(s, commissions=(0,)), "commission cards are lost or doubled (VC-3)"),
        (lambda s: player(s, completed=(0,)), "commission cards are lost or doubled (VC-3)"),
        (lambda s: without(s, A, 0), "equipment cards are lost or doubled (VC-3)"),
        (lambda s: on_card(s, "horse", EMPTY), "equipment cards are lost or doubled (VC-3)"),
        (a_card_goes_from_b_to_a, "an equipment catalogue holds a card twice (VC-3)"),
        (
            lambda s: on_card(without(s, A, SHOVEL_OR_HORSE), "hammer", EMPTY),
            "1 cards of the type hammer are owned, 0 were sold (VC-6)",
        ),
        (lambda s: book(s, C, unseen=28), "a book has forgotten which pages were seen (VS-4)"),
        (lambda s: book(s, A, unseen=-1), "a book has forgotten which pages were seen (VS-4)"),
        (lambda s: replace(s, craftsmen=more(s.craftsmen, RED, -1)), "2 red craftsmen instead of 3 (VC-4)"),
        (lambda s: a_craftsman_too_many(s, owner=0), "a negative number of craftsmen (VC-4)"),
        (lambda s: a_craftsman_too_many(s, owner=-1), "the red workshop is in the wrong hands (VA-18)"),
        (lambda s: a_craftsman_too_many(s, owner=1), "the red workshop is in the wrong hands (VA-18)"),
        (lambda s: replace(s, workshops=put(s.workshops, RED, 0)), "the red workshop is in the wrong hands (VA-18)"),
        (lambda s: replace(s, bonus=12), "bonus tiles are lost or doubled (VC-4)"),
        (lambda s: replace(player(s, bonus=-1), bonus=14), "a negative number of bonus tiles (VC-4)"),
        (four_commissions, "more than 3 uncompleted commissions (VA-7)"),
        (lambda s: on_card(s, "pan", NOT_OWNED), "a player without a pan (VS-1)"),
        (lambda s: on_card(road(s, -1), "pan", RUBY), "ruby lies on the pan (VC-5)"),
    ],
)
def test_a_broken_table_is_reported(damage: Callable[[State], State], fault: str) -> None:
    sound = new_table()
    assert GAME.faults(sound) == []
    assert fault in GAME.faults(damage(sound))


def test_a_bought_card_of_either_face_is_accounted_for() -> None:
    for gear in ("shovel", "horse"):
        for catalogue in (A, B):
            bought = without(new_table(), catalogue, SHOVEL_OR_HORSE)
            assert GAME.faults(on_card(bought, gear, EMPTY)) == []
