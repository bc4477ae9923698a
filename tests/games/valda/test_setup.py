"""Setting the table: DS, and what is hidden then."""

import pytest

from app.engine.contract import SPECTATOR
from app.games.valda.moves import DECKS, GODS, RESOURCES
from app.games.valda.state import Options
from tests.games.valda.tabletop import BOX, GAME, deck_of, goods, new_table, player

SEATS = (2, 3, 4, 5)


@pytest.mark.rule("DS-1")
@pytest.mark.parametrize("seats", SEATS)
def test_what_every_player_begins_with(seats: int) -> None:
    state = new_table(seats)
    assert GAME.faults(state) == []
    for me in state.players:
        assert (me.mines, me.wells, me.followers, sum(me.temples)) == (2, 0, 0, 0)
        assert (len(me.hand), me.open) == (6, ())
        assert {BOX.cards[card].deck for card in me.hand} == {0}
    assert len(state.base) == 71 - 6 * seats
    assert [len(pile.cards) for pile in state.piles] == [10] * 7
    assert state.discard == ()


@pytest.mark.rule("DS-1")
@pytest.mark.parametrize("deck", DECKS)
def test_every_deck_is_shuffled(deck: str) -> None:
    orders = {tuple(deck_of(new_table(seed=seed), deck)) for seed in "abcd"}  # type: ignore[arg-type]
    assert len(orders) > 1


@pytest.mark.rule("DS-1")
def test_hands_are_hidden_and_their_sizes_are_not() -> None:
    state = new_table()
    for viewer in (SPECTATOR, 1, 2):
        seen = GAME.view(state, viewer).players[0]
        assert (seen.hand, seen.known, seen.cards) == (None, (), 6)
    assert GAME.view(state, 0).players[0].hand == BOX.names(state.players[0].hand)


@pytest.mark.rule("DS-2")
def test_the_seed_draws_the_start_player_unless_the_host_orders_the_seats() -> None:
    drawn = [GAME.setup(Options(), 4, f"seed {number}") for number in range(40)]
    assert {state.start for state in drawn} == {0, 1, 2, 3}
    ordered = [GAME.setup(Options(start="first_seat"), 4, f"seed {number}") for number in range(40)]
    assert {state.start for state in ordered} == {0}
    for state in (*drawn, *ordered):
        assert GAME.to_act(state) == (state.start,)


@pytest.mark.rule("DS-3")
@pytest.mark.parametrize("seats", SEATS)
def test_start_resources_follow_the_turn_order(seats: int) -> None:
    starts = set()
    for number in range(12):
        state = GAME.setup(Options(), seats, f"seed {number}")
        starts.add(state.start)
        in_order = [goods(state, (state.start + place) % seats) for place in range(seats)]
        assert in_order == list(BOX.start[seats])
        assert [left + sum(has) for left, has in zip(state.supply, zip(*in_order, strict=True), strict=True)] == [
            30
        ] * 3
    assert len(starts) > 1


@pytest.mark.rule("DC-5")
def test_the_drakkar_starts_on_round_one() -> None:
    assert GAME.view(new_table(), SPECTATOR).round == 1


@pytest.mark.rule("DC-4")
def test_every_god_has_an_area_without_temples() -> None:
    view = GAME.view(new_table(), SPECTATOR)
    assert view.sites == dict.fromkeys(GODS, ())
    assert view.owners == dict.fromkeys(GODS)


@pytest.mark.rule("DC-3")
def test_the_supply_is_open() -> None:
    view = GAME.view(new_table(2), SPECTATOR)
    assert view.supply == dict(zip(RESOURCES, (30 - 4, 30 - 3, 30 - 3), strict=True))
    assert player(new_table(2), 0).goods == (2, 1, 1)
