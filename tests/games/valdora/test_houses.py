"""Completing commissions: VA-15 to VA-19; mines and provisions: VA-20, VA-21."""

import pytest
from msgspec.structs import replace

from app.engine.contract import EVERYONE, SPECTATOR, Refusal
from app.engine.tuples import put
from app.games.valdora.moves import COLOURS, END_TURN, PROVISIONS, REFILL, Deliver
from app.games.valdora.state import State
from tests.games.valdora.tabletop import (
    GAME,
    acting,
    carried,
    gems,
    keys,
    legal,
    new_table,
    play,
    play_and_tell,
    player,
    why_not,
    with_craftsmen,
    with_player,
)


def in_house(colour: str, *commissions: str, coins: int = 3, **cards: str | None) -> State:
    return acting(with_player(new_table(), commissions=commissions, gear=cards, coins=coins), f"{colour}_house")


def owner_of(state: State, colour: str) -> int:
    return state.workshops[[*COLOURS].index(colour)]  # type: ignore[arg-type]


def craftsmen_of(state: State, seat: int = 0) -> dict[str, int]:
    return GAME.view(state, seat).players[seat].craftsmen


@pytest.mark.rule("VA-15")
def test_commissions_are_completed_one_after_the_other_and_paid_in_full() -> None:
    state = in_house("red", "red", "blue", "red", shovel="ruby", cart="ruby")
    after = play(state, Deliver(2, ("cart",)), Deliver(0, ("shovel",)))
    assert carried(after) == {"pan": None, "shovel": None, "cart": None}
    assert after.discard == gems({"ruby": 2})
    assert len(player(after).completed) == 2
    assert legal(after) == [END_TURN]


@pytest.mark.rule("VA-15")
def test_the_player_chooses_the_cards_that_pay() -> None:
    state = in_house(
        "white", "white: gold ruby sapphire", pan="gold", shovel="ruby", pickaxe="sapphire", cart="ruby", horse="gold"
    )
    assert {move.pay for move in legal(state) if isinstance(move, Deliver)} == {
        (gold, ruby, "pickaxe") for gold in ("pan", "horse") for ruby in ("shovel", "cart")
    }
    after = play(state, Deliver(0, ("horse", "cart", "pickaxe")))
    assert carried(after) == {"pan": "gold", "shovel": "ruby", "pickaxe": None, "cart": None, "horse": None}


@pytest.mark.rule("VA-15")
def test_grey_is_paid_in_coins() -> None:
    state = in_house("grey", "grey", coins=1)
    after = play(state, Deliver(0))
    assert player(after).coins == 0
    assert after.bank == state.bank + 1
    refusal = why_not(in_house("grey", "grey", coins=0), Deliver(0))
    assert refusal == Refusal("VA-15", "valdora.refuse.no_coin_for_patron", {"patron": "grey"})


@pytest.mark.rule("VA-15")
def test_only_what_this_patron_wants_and_the_player_has() -> None:
    state = in_house("red", "red", "blue", shovel="ruby", pickaxe="sapphire")
    assert why_not(state, Deliver(1, ("pickaxe",))).rule == "VA-15"
    assert why_not(state, Deliver(2, ("shovel",))).rule == "VA-15"
    for wrong in ((), ("pickaxe",), ("horse",), ("shovel", "pickaxe", "pan")):
        assert why_not(state, Deliver(0, wrong)).rule == "VA-15"


@pytest.mark.rule("VA-16")
def test_completed_commissions_are_hidden_from_the_others_until_the_end() -> None:
    state = play(in_house("red", "red", shovel="ruby"), Deliver(0, ("shovel",)))
    own, other, watching = (GAME.view(state, viewer).players[0] for viewer in (0, 1, SPECTATOR))
    assert own.completed_faces is not None
    assert own.points == (5, 10, 0, 0, 0)
    for hidden in (other, watching):
        assert hidden.completed == 1
        assert hidden.completed_faces is None
        assert hidden.points is None
    over = replace(state, turn=replace(state.turn, phase="over"))
    assert GAME.view(over, 1) == GAME.view(over, EVERYONE)


@pytest.mark.rule("VA-16")
def test_everything_else_a_player_owns_is_open() -> None:
    state = in_house("red", "red", "blue", shovel="ruby")
    for viewer in (1, 2, SPECTATOR):
        seen, own = GAME.view(state, viewer).players[0], GAME.view(state, 0).players[0]
        assert replace(seen, completed_faces=(), points=own.points) == own


@pytest.mark.rule("VA-16")
def test_the_table_may_agree_on_an_open_score() -> None:
    state = acting(with_player(new_table(open_score=True), commissions=("grey",), coins=3), "grey_house")
    after = play(state, Deliver(0))
    assert GAME.view(after, 1).players[0].points == (2, 10, 0, 0, 0)


@pytest.mark.rule("VA-17")
def test_a_commission_brings_a_craftsman_of_the_patrons_colour() -> None:
    state = in_house("red", "red", shovel="ruby")
    after = play(state, Deliver(0, ("shovel",)))
    assert craftsmen_of(after) == {"red": 1}
    assert after.craftsmen == (9, 9, 5, 3, 2, 3, 3)


@pytest.mark.rule("VX-3", "VA-17")
def test_example_two_red_commissions_without_red_craftsmen() -> None:
    state = with_craftsmen(
        in_house("red", "red", "red", shovel="ruby", cart="ruby"), {"blue": 1, "green": 1, "grey": 2}
    )
    state = play(state, Deliver(0, ("shovel",)))
    assert craftsmen_of(state) == {"blue": 1}
    assert craftsmen_of(play(state, Deliver(0, ("cart",)))) == {"blue": 1, "green": 1}


@pytest.mark.rule("VA-17")
def test_the_ring_goes_round_and_an_empty_ring_gives_none() -> None:
    state = in_house("green", "green", chisel="emerald")
    assert craftsmen_of(play(with_craftsmen(state, {"red": 1}), Deliver(0, ("chisel",)))) == {"red": 1}
    after, events = play_and_tell(with_craftsmen(state, {}), Deliver(0, ("chisel",)))
    assert craftsmen_of(after) == {}
    assert keys(events)[0] == "delivered"
    assert "craftsman" not in keys(events)


@pytest.mark.rule("VA-18")
def test_the_first_with_enough_craftsmen_takes_the_workshop_and_keeps_it() -> None:
    state = with_player(in_house("blue", "blue", pickaxe="sapphire"), craftsmen={"blue": 1})
    after, events = play_and_tell(state, Deliver(0, ("pickaxe",)))
    assert owner_of(after, "blue") == 0
    assert "workshop" in keys(events)
    taken = replace(state, workshops=put(state.workshops, 5, 1))
    assert owner_of(play(taken, Deliver(0, ("pickaxe",))), "blue") == 1


@pytest.mark.rule("VA-18")
def test_a_substitute_counts_for_its_own_colour() -> None:
    state = with_player(in_house("red", "red", shovel="ruby"), craftsmen={"blue": 1, "red": 1})
    after = play(with_craftsmen(state, {"blue": 1, "grey": 2, "yellow": 1}), Deliver(0, ("shovel",)))
    assert owner_of(after, "blue") == 0
    assert owner_of(after, "red") == -1


@pytest.mark.rule("VA-19")
def test_the_owner_of_the_workshop_gets_a_bonus_tile() -> None:
    state = in_house("red", "red", shovel="ruby")
    owned = replace(state, workshops=put(state.workshops, 4, 0))
    assert player(play(owned, Deliver(0, ("shovel",)))).bonus == 1
    assert play(owned, Deliver(0, ("shovel",))).bonus == 12
    others = replace(state, workshops=put(state.workshops, 4, 1))
    assert player(play(others, Deliver(0, ("shovel",)))).bonus == 0
    assert player(play(others, Deliver(0, ("shovel",))), 1).bonus == 0
    none_left = replace(owned, bonus=0)
    assert player(play(none_left, Deliver(0, ("shovel",)))).bonus == 0


@pytest.mark.rule("VX-4", "VA-18", "VA-19")
def test_example_two_violet_commissions() -> None:
    state = in_house("violet", "violet", "violet", hammer="amethyst", cart="amethyst")
    state = with_craftsmen(with_player(state, craftsmen={"violet": 1, "blue": 1}), {"violet": 1, "blue": 1, "grey": 2})
    first, events = play_and_tell(state, Deliver(0, ("hammer",)))
    assert keys(events) == ["delivered", "craftsman", "workshop"]
    assert owner_of(first, "violet") == 0
    assert player(first).bonus == 0
    second, events = play_and_tell(first, Deliver(0, ("cart",)))
    assert keys(events) == ["delivered", "bonus", "craftsman", "workshop", "last_round"]
    assert player(second).bonus == 1
    assert craftsmen_of(second) == {"violet": 2, "blue": 2}
    assert owner_of(second, "blue") == 0


@pytest.mark.rule("VA-20")
@pytest.mark.parametrize("coins", [0, 3, 6])
def test_a_mine_fills_the_purse(coins: int) -> None:
    state = acting(with_player(new_table(), coins=coins), "west_mine")
    after = play(state, REFILL)
    assert player(after).coins == 6
    assert after.bank == state.bank - (6 - coins)
    assert legal(after) == [END_TURN]


@pytest.mark.rule("VA-21")
@pytest.mark.parametrize("before", [False, True])
@pytest.mark.parametrize("city", list("ABCDH"))
def test_every_city_gives_provisions(city: str, before: bool) -> None:
    state = acting(with_player(new_table(), provisions=before), city)
    assert player(play(state, PROVISIONS)).provisions
