"""Buying, turning pages, returning: VA-1 to VA-10."""

from typing import Literal

import pytest

from app.games.valdora.moves import END_TURN, PROVISIONS, TURN_PAGE, Buy, Go, Load, Return, TurnPage
from app.games.valdora.state import State
from tests.games.valdora.tabletop import (
    GAME,
    acting,
    carried,
    commission,
    equipment_page,
    face_up,
    legal,
    new_table,
    play,
    player,
    why_not,
    with_book,
    with_discard,
    with_player,
)

FROM_RIGHT = TurnPage("right")
FROM_LEFT = TurnPage("left")


def in_commission_city(coins: int = 6, hand: tuple[str, ...] = (), unseen: int = 0) -> State:
    """In C; on the right, from the top: red (grey behind), blue (yellow behind), green (grey behind)."""
    pages = [commission("green", "grey"), commission("blue", "yellow"), commission("red", "grey")]
    state = with_book(new_table(), "C", [], pages, unseen)
    return acting(with_player(state, coins=coins, commissions=hand), "C")


def in_equipment_city(**cards: str | None) -> State:
    """In A; on the right, from the top: cart (horse behind), shovel (hammer behind)."""
    pages = [equipment_page("shovel", "hammer"), equipment_page("cart", "horse")]
    return acting(with_player(with_book(new_table(), "A", [], pages), gear=cards), "A")


@pytest.mark.rule("VA-1")
@pytest.mark.parametrize("city", list("ABCD"))
def test_a_book_city_sells_and_gives_provisions(city: str) -> None:
    moves = legal(acting(new_table(), city))
    assert {FROM_RIGHT, PROVISIONS, END_TURN} <= set(moves)


@pytest.mark.rule("VA-1")
def test_each_space_has_its_own_action() -> None:
    for at in ("w1", "high_harbour", "red_house", "west_mine"):
        state = acting(new_table(), at)
        assert why_not(state, PROVISIONS).rule == "VA-1"
        assert why_not(state, FROM_RIGHT).rule == "VA-1"
    assert why_not(acting(new_table(), "A"), Load("gold", "pan")).rule == "VA-1"


@pytest.mark.rule("VA-1")
def test_never_two_actions_even_if_the_first_brought_nothing() -> None:
    harbour_city = with_discard(acting(new_table(), "H"), {"gold": 1})
    loaded = play(harbour_city, Load("gold", "pan"))
    assert why_not(loaded, PROVISIONS).rule == "VA-1"
    fed = play(with_player(harbour_city, provisions=True), PROVISIONS)
    assert why_not(fed, Load("gold", "pan")).rule == "VA-1"
    assert legal(fed) == [END_TURN]


@pytest.mark.rule("VA-2")
def test_any_number_of_cards_and_pages_in_any_order() -> None:
    state = play(in_commission_city(), Buy("right"), FROM_RIGHT, Buy("left"), Buy("right"), END_TURN)
    hand = [card.face.patron for card in GAME.view(state, 0).players[0].commissions]
    assert hand == ["red", "yellow", "green"]


@pytest.mark.rule("VA-2")
def test_only_the_two_top_faces_can_be_bought() -> None:
    state = play(in_commission_city(), FROM_RIGHT)
    assert (face_up(state, "C", "left"), face_up(state, "C", "right")) == ("grey", "blue")
    bought = play(state, Buy("left"))
    assert GAME.view(bought, 0).players[0].commissions[0].face.patron == "grey"


@pytest.mark.rule("VA-3")
def test_a_turned_page_shows_its_other_face_on_the_other_pile() -> None:
    state = play(in_commission_city(), FROM_RIGHT)
    assert face_up(state, "C", "left") == "grey"
    state = play(state, FROM_LEFT)
    assert face_up(state, "C", "left") is None
    assert face_up(state, "C", "right") == "red"


@pytest.mark.rule("VA-3")
def test_the_first_page_is_free_and_each_further_one_costs_a_coin() -> None:
    state = play(in_commission_city(coins=1), FROM_RIGHT)
    assert player(state).coins == 1
    after = play(state, FROM_LEFT)
    assert player(after).coins == 0
    assert after.bank == state.bank + 1
    assert why_not(after, FROM_RIGHT).rule == "VA-3"


@pytest.mark.rule("VA-3", "VA-9")
def test_returning_a_commission_makes_no_further_page_free() -> None:
    state = play(in_commission_city(coins=3, hand=("violet", "yellow", "grey")), FROM_RIGHT, Return(0, "left"))
    assert player(state).coins == 3
    assert player(play(state, FROM_RIGHT)).coins == 2


@pytest.mark.rule("VX-1", "VA-2", "VA-3")
def test_example_three_coins_for_pages() -> None:
    """Buy, turn (free), turn (1 coin), buy, turn, turn (2 coins), stop."""
    state = in_commission_city(coins=6)
    state = play(state, Buy("right"), FROM_RIGHT, FROM_LEFT, Buy("right"), FROM_RIGHT, FROM_LEFT, END_TURN)
    assert player(state).coins == 6 - 2 - 3


@pytest.mark.rule("VA-4")
def test_turning_a_page_is_already_the_buying_action() -> None:
    state = play(in_commission_city(), FROM_RIGHT)
    assert why_not(state, PROVISIONS).rule == "VA-4"
    assert why_not(play(in_commission_city(), Buy("right")), PROVISIONS).rule == "VA-4"


@pytest.mark.rule("VA-4")
def test_who_has_neither_bought_nor_turned_may_still_take_provisions() -> None:
    assert player(play(in_commission_city(), PROVISIONS)).provisions


@pytest.mark.rule("VA-5")
def test_equipment_costs_a_gold_from_a_card_of_choice() -> None:
    state = in_equipment_city(pan="gold", horse="gold")
    offers = [move for move in legal(state) if isinstance(move, Buy)]
    assert offers == [Buy("right", "pan"), Buy("right", "horse")]
    after = play(state, Buy("right", "horse"))
    assert carried(after) == {"pan": "gold", "cart": None, "horse": None}
    assert after.discard == (0, 0, 0, 0, 1)
    assert player(after).coins == player(state).coins


@pytest.mark.rule("VA-5")
def test_without_gold_there_is_no_equipment() -> None:
    state = in_equipment_city(pan=None, shovel="ruby")
    for move in (Buy("right", "pan"), Buy("right", "shovel"), Buy("right", "horse"), Buy("right")):
        assert why_not(state, move).rule == "VA-5"


@pytest.mark.rule("VA-6")
def test_at_most_one_card_of_each_type() -> None:
    state = in_equipment_city(pan="gold", cart="gold")
    assert why_not(state, Buy("right", "pan")).rule == "VA-6"


@pytest.mark.rule("VA-7")
def test_a_commission_costs_a_coin_to_the_bank() -> None:
    state = in_commission_city(coins=1)
    after = play(state, Buy("right"))
    assert player(after).coins == 0
    assert after.bank == state.bank + 1
    assert why_not(after, Buy("right")).rule == "VA-7"
    assert why_not(state, Buy("right", "pan")).rule == "VA-7"


@pytest.mark.rule("VA-7")
def test_with_three_in_hand_one_is_returned_first() -> None:
    state = in_commission_city(hand=("violet", "yellow", "grey"))
    assert why_not(state, Buy("right")).rule == "VA-7"
    after = play(state, Return(0, "left"), Buy("right"), END_TURN)
    assert player(after).coins == 5  # no refund
    assert [card.face.patron for card in GAME.view(after, 0).players[0].commissions] == ["yellow", "grey", "red"]


@pytest.mark.rule("VA-7")
@pytest.mark.parametrize("pile", ["left", "right"])
def test_it_goes_to_the_book_of_this_city_on_a_pile_of_choice(pile: Literal["left", "right"]) -> None:
    state = play(in_commission_city(hand=("violet", "yellow", "grey")), Return(0, pile))
    assert face_up(state, "C", pile) == "violet"
    equipment = acting(with_player(new_table(), coins=6, commissions=("violet", "yellow", "grey")), "A")
    assert why_not(equipment, Return(0, pile)).rule == "VA-7"


@pytest.mark.rule("VA-8")
def test_a_bought_card_counts_with_the_face_that_was_visible() -> None:
    state = play(in_commission_city(), FROM_RIGHT, Buy("left"))
    card = GAME.view(state, 0).players[0].commissions[0]
    assert (card.face.patron, card.back.patron) == ("grey", "red")


@pytest.mark.rule("VA-8")
def test_a_returned_commission_shows_the_same_face() -> None:
    state = in_commission_city(hand=("violet", "yellow", "grey"))
    state = play(state, Return(1, "right"))
    assert face_up(state, "C", "right") == "yellow"


@pytest.mark.rule("VA-9")
def test_returning_is_only_for_buying() -> None:
    state = in_commission_city(hand=("violet", "yellow", "grey"))
    assert why_not(in_commission_city(hand=("violet", "yellow")), Return(0, "left")).rule == "VA-9"
    assert why_not(in_commission_city(coins=0, hand=("violet", "yellow", "grey")), Return(0, "left")).rule == "VA-9"
    returned = play(state, Return(0, "left"))
    assert why_not(returned, END_TURN).rule == "VA-9"
    assert END_TURN in legal(play(returned, FROM_RIGHT, Buy("right")))


@pytest.mark.rule("VA-9")
def test_the_coin_for_the_new_commission_is_kept() -> None:
    state = play(in_commission_city(coins=2, hand=("violet", "yellow", "grey")), Return(0, "left"), FROM_RIGHT)
    state = play(state, FROM_RIGHT)  # the second page, for one of two coins
    assert player(state).coins == 1
    assert why_not(state, FROM_RIGHT).rule == "VA-9"
    assert Buy("left") in legal(state)


@pytest.mark.rule("VA-9")
def test_an_empty_book_takes_nothing_back() -> None:
    state = with_player(with_book(new_table(), "C", [], []), coins=6, commissions=("violet", "yellow", "grey"))
    assert why_not(acting(state, "C"), Return(0, "left")).rule == "VA-9"


@pytest.mark.rule("VA-9")
def test_the_returned_card_may_be_turned_and_bought_like_any_other() -> None:
    state = in_commission_city(hand=("violet", "yellow", "grey"))
    state = play(state, Return(0, "left"))
    assert {Buy("left"), FROM_LEFT} <= set(legal(state))
    again = play(state, Buy("left"), END_TURN)
    assert player(again).coins == 5


@pytest.mark.rule("VA-10")
def test_an_empty_book_still_sells_provisions_and_stops_movement() -> None:
    state = acting(with_book(new_table(), "C", [], []), "C")
    assert legal(state) == [PROVISIONS, END_TURN]
    assert why_not(state, FROM_RIGHT).rule == "VA-10"
    assert why_not(state, Buy("left")).rule == "VA-10"
    walking = with_player(with_book(new_table(), "C", [], []), at="o1")
    assert why_not(walking, Go("e1")).rule == "VT-2"


@pytest.mark.rule("VA-10")
def test_the_last_page_may_be_turned() -> None:
    state = acting(with_book(new_table(), "C", [], [commission("red", "grey")]), "C")
    state = play(state, FROM_RIGHT)
    assert face_up(state, "C", "right") is None
    assert face_up(state, "C", "left") == "grey"


@pytest.mark.rule("VS-4", "VA-3")
def test_a_page_that_nobody_had_seen_cannot_be_taken_back() -> None:
    fresh = in_commission_city(unseen=3)
    assert GAME.apply(fresh, 0, FROM_RIGHT).barrier == "secret"
    assert GAME.apply(fresh, 0, Buy("right")).barrier == "secret"
    turned = play(fresh, FROM_RIGHT)
    assert GAME.apply(turned, 0, FROM_LEFT).barrier is None
    assert GAME.apply(turned, 0, Buy("left")).barrier is None
    back = play(turned, FROM_LEFT)
    assert GAME.apply(back, 0, TURN_PAGE[1]).barrier is None


@pytest.mark.rule("VS-4", "VA-3")
def test_the_last_page_shows_something_new_only_by_its_back() -> None:
    shovel, cart = equipment_page("shovel", "hammer"), equipment_page("cart", "horse")
    two = with_book(in_equipment_city(pan="gold"), "A", [], [shovel, cart], unseen=2)
    assert GAME.apply(two, 0, Buy("right", "pan")).barrier == "secret"  # the shovel below comes to light
    last = with_book(two, "A", [], [cart], unseen=1)
    assert GAME.apply(last, 0, Buy("right", "pan")).barrier is None
    assert GAME.apply(last, 0, FROM_RIGHT).barrier == "secret"
    commissions = acting(with_book(new_table(), "C", [], [commission("red", "grey")], unseen=1), "C")
    assert GAME.apply(commissions, 0, Buy("right")).barrier == "secret"  # in hand both faces are open
