"""The fifth phase: DT-19, DT-12."""

import pytest

from app.games.valda.moves import END_PHASE, ROLL, Worship
from app.games.valda.state import State
from tests.games.valda.tabletop import (
    GAME,
    at,
    bare_table,
    followers,
    goods,
    legal,
    offered,
    play,
    refused,
    rigged,
    with_followers,
    with_goods,
    with_temples,
)

RICH = {"blood": 20, "gold": 20, "diamond": 20}
WAYS = {  # god, level, what is paid: the price, the followers, and how often
    Worship("thor", 1, "gold"): (3, 1, 3),
    Worship("thor", 1, "diamond"): (3, 1, 3),
    Worship("thor", 2, "gold"): (2, 1, 3),
    Worship("thor", 2, "diamond"): (2, 1, 3),
    Worship("odin", 1, "blood"): (2, 1, 3),
    Worship("odin", 2, "blood"): (3, 2, 2),
}


def worshipping(has: dict[str, int], had: int = 0, **temples: int) -> State:
    state = with_temples(with_goods(bare_table(), 0, **has), 0, **temples)
    return at("followers", with_followers(state, had))


@pytest.mark.rule("DT-19", "DT-12")
@pytest.mark.parametrize(("thor", "odin"), [(0, 0), (1, 0), (2, 0), (0, 1), (0, 2), (1, 1), (2, 2), (3, 1)])
def test_which_ways_there_are(thor: int, odin: int) -> None:
    state = worshipping(RICH, thor=thor, odin=odin)
    count = {"thor": thor, "odin": odin}
    assert set(offered(state, 0, Worship)) == {way for way in WAYS if count[way.god] >= way.level}
    assert END_PHASE in legal(state)


@pytest.mark.rule("DT-19")
@pytest.mark.parametrize("way", WAYS)
def test_prices_followers_and_how_often(way: Worship) -> None:
    price, gained, times = WAYS[way]
    state = worshipping(RICH, thor=2, odin=2)
    for time in range(1, times + 1):
        state = play(state, 0, way)
        assert followers(state) == gained * time
        assert sum(goods(state)) == 60 - price * time
    assert refused(state, 0, way).rule == "DT-19"
    assert sum(state.supply) == 90 - sum(goods(state))


@pytest.mark.rule("DT-19")
@pytest.mark.parametrize("way", WAYS)
def test_the_price_must_be_there_in_one_kind(way: Worship) -> None:
    price = WAYS[way][0]
    enough = worshipping({way.pay: price}, **{way.god: 2})
    assert goods(play(enough, 0, way)) == (0, 0, 0)
    short = worshipping({way.pay: price - 1, "gold" if way.pay != "gold" else "diamond": 1}, **{way.god: 2})
    assert refused(short, 0, way).rule == "DT-19"


@pytest.mark.rule("DT-19")
@pytest.mark.parametrize("level", [1, 2])
def test_gold_and_diamonds_count_together(level: int) -> None:
    gold, diamond = (Worship("thor", level, kind) for kind in ("gold", "diamond"))  # type: ignore[arg-type]
    state = play(worshipping(RICH, thor=2), 0, gold, diamond, gold)
    assert refused(state, 0, diamond).rule == "DT-19"


@pytest.mark.rule("DT-12", "DT-19")
def test_both_abilities_may_be_used() -> None:
    """Odin with two temples and 5 blood: 2 for 1 follower and 3 for 2."""
    state = worshipping({"blood": 5}, odin=2)
    state = play(state, 0, Worship("odin", 1, "blood"), Worship("odin", 2, "blood"))
    assert (followers(state), goods(state)) == (3, (0, 0, 0))
    thor = [Worship("thor", 1, "gold")] * 3 + [Worship("thor", 2, "gold")] * 3
    assert followers(play(worshipping(RICH, thor=2), 0, *thor)) == 6


# Loki


@pytest.mark.rule("DT-19")
@pytest.mark.parametrize(
    ("loki", "shown", "had", "left"),
    [
        (1, ("followers 2",), 3, 5),
        (1, ("followers -1",), 3, 2),
        (2, ("followers 2", "followers 1"), 3, 6),
        (2, ("followers -2", "followers -1"), 9, 6),
        (3, ("followers 2", "followers 2"), 0, 4),
        (2, ("followers -2", "followers 2"), 5, 5),
        (2, ("followers 2", "followers -2"), 5, 5),
        (2, ("followers -1", "followers 2"), 5, 6),
        (2, ("followers -2", "followers 1"), 6, 5),
        (2, ("followers -2", "followers -2"), 7, 5),
    ],
)
def test_lokis_dice_are_summed_and_applied_once(loki: int, shown: tuple[str, ...], had: int, left: int) -> None:
    state = play(rigged(worshipping({}, had, loki=loki), *shown), 0, ROLL)
    assert state.dice is not None
    assert [colour for colour, _ in state.dice.dice] == [2] * min(loki, 2)
    assert followers(state) == left
    assert refused(state, 0, ROLL).rule == "DT-19"


@pytest.mark.rule("DT-19")
def test_nobody_must_roll_and_without_loki_nobody_may() -> None:
    state = worshipping({}, 3, loki=1)
    assert set(legal(state)) == {ROLL, END_PHASE}
    assert followers(play(state, 0, END_PHASE)) == 3
    assert refused(worshipping({}, 3, thor=2), 0, ROLL).rule == "DT-19"


@pytest.mark.rule("DT-18", "DT-19")
@pytest.mark.parametrize(("had", "left"), [(5, 5), (6, 5), (13, 12), (20, 20), (22, 20), (24, 22), (1, 0)])
def test_a_white_die_stops_at_a_safe_zone(had: int, left: int) -> None:
    assert followers(play(rigged(worshipping({}, had, loki=1), "followers -2"), 0, ROLL)) == left


@pytest.mark.rule("DT-19")
def test_worship_before_and_after_the_roll() -> None:
    state = rigged(worshipping({"blood": 4}, loki=1, odin=1), "followers 1")
    state = play(state, 0, Worship("odin", 1, "blood"), ROLL, Worship("odin", 1, "blood"))
    assert followers(state) == 3


@pytest.mark.rule("DT-19", "DT-7")
def test_the_turn_ends_when_its_player_says_so_and_the_next_is_clockwise() -> None:
    state = play(worshipping(RICH, thor=1), 0, Worship("thor", 1, "gold"), END_PHASE)
    assert (state.turn.seat, state.turn.phase, GAME.to_act(state)) == (1, "resources", (1,))
    assert legal(state, 1) == [ROLL]


@pytest.mark.rule("DT-19")
def test_what_was_used_is_there_again_the_next_turn() -> None:
    state = play(worshipping(RICH, thor=1), 0, *[Worship("thor", 1, "gold")] * 3, END_PHASE)
    again = at("followers", play(at("followers", state, 1), 1, END_PHASE), 0)
    assert Worship("thor", 1, "gold") in legal(again)
    assert state.turn.worship == (0, 0, 0, 0)
