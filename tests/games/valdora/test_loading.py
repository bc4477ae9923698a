"""Loading gems: VA-11 to VA-14."""

import pytest

from app.engine.contract import Refusal
from app.games.valdora.moves import END_TURN, Load
from app.games.valdora.state import State
from tests.games.valdora.tabletop import (
    BOX,
    acting,
    carried,
    gems,
    legal,
    new_table,
    play,
    player,
    why_not,
    with_discard,
    with_player,
    with_road,
)


def on_road(gems_there: dict[str, int], coins: int = 6, **cards: str | None) -> State:
    state = with_road(new_table(), "w1", gems_there)
    return acting(with_player(state, gear=cards, coins=coins), "w1")


def at_harbour(name: str, discard: dict[str, int], coins: int = 6, **cards: str | None) -> State:
    return acting(with_player(with_discard(new_table(), discard), gear=cards, coins=coins), name)


def loads(state: State) -> set[tuple[str, str]]:
    return {(move.gem, move.on) for move in legal(state) if isinstance(move, Load)}


@pytest.mark.rule("VX-2", "VA-11")
def test_example_a_road_with_six_gems() -> None:
    """Free ruby and sapphire tools, a free cart, gold on the pan already."""
    state = on_road(
        {"gold": 2, "ruby": 1, "sapphire": 2, "emerald": 1}, pan="gold", shovel=None, pickaxe=None, cart=None
    )
    after = play(state, Load("ruby", "shovel"), Load("sapphire", "pickaxe"), Load("emerald", "cart"))
    assert carried(after) == {"pan": "gold", "shovel": "ruby", "pickaxe": "sapphire", "cart": "emerald"}
    assert player(after).coins == 4
    for more in (Load("gold", "pan"), Load("sapphire", "pickaxe")):
        assert why_not(after, more) == full_card(more)


def full_card(load: Load) -> Refusal:
    return Refusal("VA-11", "valdora.refuse.card_full", {"gem": load.gem, "gear": load.on})


@pytest.mark.rule("VA-11")
def test_each_card_carries_one_fitting_gem() -> None:
    state = on_road({"gold": 2, "ruby": 2}, pan=None, shovel=None)
    assert loads(state) == {("gold", "pan"), ("ruby", "shovel")}
    after = play(state, Load("gold", "pan"))
    assert loads(after) == {("ruby", "shovel")}
    assert why_not(state, Load("gold", "shovel")).rule == "VA-11"
    assert why_not(state, Load("emerald", "pan")).rule == "VA-11"
    assert why_not(state, Load("gold", "cart")).rule == "VA-11"


@pytest.mark.rule("VA-11")
def test_cart_and_horse_take_any_gem_at_their_price() -> None:
    state = on_road({"gold": 1, "ruby": 1}, coins=5, pan=None, cart=None, horse=None)
    after = play(state, Load("ruby", "cart"), Load("gold", "horse"))
    assert player(after).coins == 0
    assert after.bank == state.bank + 5
    poor = on_road({"ruby": 1}, coins=2, cart=None, horse=None)
    assert loads(poor) == {("ruby", "cart")}
    assert why_not(poor, Load("ruby", "horse")).rule == "VA-11"


@pytest.mark.rule("VA-12")
@pytest.mark.parametrize(("name", "ships"), [("H", 1), ("high_harbour", 1), ("east_harbour", 2)])
def test_ships_limit_what_is_loaded_from_the_discard(name: str, ships: int) -> None:
    state = at_harbour(name, {"gold": 1, "ruby": 1, "emerald": 1}, pan=None, shovel=None, chisel=None)
    wishes = [Load("gold", "pan"), Load("ruby", "shovel"), Load("emerald", "chisel")]
    assert set(wishes) <= set(legal(state))
    full = play(state, *wishes[:ships])
    assert why_not(full, wishes[ships]).rule == "VA-12"
    assert legal(full) == [END_TURN]


@pytest.mark.rule("VA-12")
def test_a_harbour_has_only_the_discard_and_a_road_only_its_gems() -> None:
    for name in ("high_harbour", "H"):
        empty = at_harbour(name, {}, pan=None)
        assert loads(empty) == set()
        assert why_not(empty, Load("gold", "pan")) == Refusal("VA-12", "valdora.refuse.gem_not_here", {"gem": "gold"})
    road = with_discard(on_road({}, pan=None), {"gold": 3})
    assert loads(road) == set()
    assert why_not(road, Load("gold", "pan")) == Refusal("VA-11", "valdora.refuse.gem_not_here", {"gem": "gold"})


@pytest.mark.rule("VA-12", "VA-13")
def test_replacements_count_as_loads() -> None:
    state = at_harbour("east_harbour", {"gold": 1, "ruby": 1}, cart="emerald")
    after = play(state, Load("gold", "cart"), Load("ruby", "cart"))
    assert player(after).coins == 2
    assert after.discard == gems({"gold": 1, "emerald": 1})
    assert loads(after) == set()


@pytest.mark.rule("VA-13")
def test_a_gem_on_the_cart_makes_room_for_one_of_another_colour() -> None:
    state = on_road({"ruby": 1, "emerald": 1}, cart="ruby")
    after = play(state, Load("emerald", "cart"))
    assert carried(after)["cart"] == "emerald"
    assert player(after).coins == 4
    assert after.discard == gems({"ruby": 1})
    assert why_not(state, Load("ruby", "cart")).rule == "VA-13"


@pytest.mark.rule("VA-13")
def test_a_gem_on_a_tool_may_not_be_thrown_away() -> None:
    state = on_road({"ruby": 1, "gold": 1}, pan="gold", shovel="ruby", cart="emerald")
    assert loads(state) == {("ruby", "cart"), ("gold", "cart")}
    for load in (Load("ruby", "shovel"), Load("gold", "pan")):
        assert why_not(state, load) == full_card(load)


@pytest.mark.rule("VA-13")
def test_a_gem_thrown_away_at_a_harbour_may_be_loaded_again() -> None:
    state = at_harbour("east_harbour", {"gold": 1}, pan="gold", shovel=None, cart="ruby")
    after = play(state, Load("gold", "cart"), Load("ruby", "shovel"))
    assert carried(after) == {"pan": "gold", "shovel": "ruby", "cart": "gold"}
    assert after.discard == gems({})


@pytest.mark.rule("VA-14")
def test_gems_taken_from_a_road_are_not_replaced() -> None:
    state = on_road({"gold": 2}, pan=None)
    after = play(state, Load("gold", "pan"), END_TURN)
    assert after.roads[BOX.road[BOX.numbers["w1"]]] == gems({"gold": 1})
