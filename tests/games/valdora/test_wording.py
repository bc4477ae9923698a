"""What the buttons say."""

import pytest

from app.games.valdora.moves import END_TURN, Buy, Deliver, Go, Load, Move, Return, TurnPage
from app.games.valdora.state import State
from app.i18n import LANGUAGES, phrasebook
from tests.games.valdora.tabletop import (
    GAME,
    acting,
    commission,
    equipment_page,
    new_table,
    with_book,
    with_player,
    with_road,
)
from tests.games.valdora.test_random_play import random_tables


def said(state: State, move: Move, language: str = "en") -> str:
    key, args = GAME.describe(state, state.turn.seat, move)
    return phrasebook(language).say(key, args)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_legal_move_has_words_of_its_own(language: str) -> None:
    for state in random_tables(4, "wording", 400):
        texts = [said(state, move, language) for move in GAME.legal(state, state.turn.seat)]
        assert len(set(texts)) == len(texts)
        assert not any("{" in text or "valdora." in text for text in texts)


def test_a_price_is_said_before_it_is_paid() -> None:
    state = with_player(new_table(), 1, at="A")
    assert said(state, Go("A")) == "Go to: Aldamonte (pay 1 coin to Player 2)"
    assert said(state, Go("n2")) == "Go to: North Vale 2"
    assert said(with_player(state, provisions=True), Go("o2")) == "Go to: High Road 2 (uses the provisions)"
    selling = with_book(
        acting(with_player(new_table(), coins=3), "C"), "C", [], [commission("red"), commission("blue")]
    )
    assert said(selling, TurnPage("right")) == "Turn a page: right pile (free)"
    turned = GAME.apply(selling, 0, TurnPage("right")).state
    assert said(turned, TurnPage("right")) == "Turn a page: right pile (1 coin)"
    assert said(selling, Buy("right")) == "Buy a commission for a coin (right pile): blue, wants: sapphire"


def test_what_is_taken_from_where() -> None:
    loading = with_road(acting(with_player(new_table(), coins=3, gear={"cart": "ruby"}), "n1"), "n1", {"gold": 2})
    assert said(loading, Load("gold", "pan")) == "Load: gold on: gold pan"
    assert said(loading, Load("gold", "cart")) == "Load: gold on: cart, throwing away: ruby (2 coins)"
    buying = with_book(
        acting(with_player(new_table(), gear={"pan": "gold"}), "A"), "A", [], [equipment_page("horse", "cart")]
    )
    assert said(buying, Buy("right", "pan")) == "Buy: horse (right pile), for the gold on: gold pan"
    full = acting(with_player(new_table(), coins=1, commissions=("red", "blue", "grey")), "C")
    assert said(full, Return(0, "left")) == "Return a commission (left pile): red, wants: ruby"
    house = acting(with_player(new_table(), gear={"shovel": "ruby"}, commissions=("red",)), "red_house")
    assert said(house, Deliver(0, ("shovel",))) == "Complete a commission: red, pay: ruby from: shovel"
    assert said(house, END_TURN) == "End the turn"
