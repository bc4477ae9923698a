"""The third phase: DT-8 to DT-14, and the ends of the tracks DC-4."""

import pytest

from app.engine.contract import SPECTATOR
from app.games.valda.moves import BUILDINGS, END_PHASE, GODS, Build, Building, God, Keep, Play
from app.games.valda.state import State
from tests.games.valda.tabletop import (
    GAME,
    at,
    bare_table,
    deck_of,
    edit,
    exhausted,
    followers,
    give_known,
    goods,
    hand,
    known,
    legal,
    offered,
    on_top,
    play,
    refused,
    temples,
    with_goods,
    with_temples,
)

PRICES: dict[Building, tuple[int, int, int]] = {  # blood, gold, diamonds
    "mine": (1, 1, 1),
    "well": (0, 2, 2),
    "heimdall": (2, 2, 2),
    "freya": (0, 3, 3),
    "surtur": (2, 0, 2),
    "tyr": (2, 2, 0),
    "thor": (2, 2, 2),
    "odin": (3, 3, 3),
    "loki": (4, 1, 1),
}


def rich(seats: int = 3) -> State:
    """Nobody has to think of money; the decks are all there."""
    return at("building", with_goods(bare_table(seats), 0, blood=20, gold=20, diamond=20))


def build(state: State, *buildings: Building) -> State:
    """Of the two cards that a temple shows the upper one is kept."""
    for what in buildings:
        state = play(state, 0, Build(what))
        for keep in offered(state, 0, Keep)[:1]:
            state = play(state, 0, keep)
    return state


# How many, and what they cost


@pytest.mark.rule("DT-8")
def test_up_to_two_buildings() -> None:
    state = build(rich(), "mine", "thor")
    assert legal(state) == [END_PHASE]
    assert refused(state, 0, Build("mine")).rule == "DT-8"
    assert legal(build(rich(), "mine"))[-1] == END_PHASE


@pytest.mark.rule("DT-8", "DK-5")
@pytest.mark.parametrize(
    ("cards", "limit"),
    [
        ((), 2),
        (("yggdrasil_3",), 3),
        (("yggdrasil_4",), 4),
        (("yggdrasil_3", "yggdrasil_3"), 3),
        (("yggdrasil_3", "yggdrasil_4"), 4),
        (("yggdrasil_4", "yggdrasil_3"), 4),
        (("yggdrasil_4", "yggdrasil_4"), 4),
    ],
)
def test_yggdrasil_cards_raise_the_limit_and_the_highest_counts(cards: tuple[str, ...], limit: int) -> None:
    state = at("actions", give_known(rich(), 0, *cards))
    state = play(state, 0, *(Play(name) for name in cards), END_PHASE)
    many: tuple[Building, ...] = ("mine", "mine", "well", "well")
    state = build(state, *many[:limit])
    assert refused(state, 0, Build("well")).rule == "DT-8"


@pytest.mark.rule("DK-5")
def test_the_limit_is_this_turns() -> None:
    state = at("actions", give_known(bare_table(2), 0, "yggdrasil_4"))
    state = play(state, 0, Play("yggdrasil_4"), END_PHASE, END_PHASE)
    state = play(state, 1, *legal(state, 1)[-1:])
    state = play(state, 0, END_PHASE)
    assert (state.turn.seat, state.turn.limit, state.turn.built) == (1, 2, 0)


@pytest.mark.rule("DT-9", "DT-10")
@pytest.mark.parametrize("what", BUILDINGS)
def test_what_a_building_costs(what: Building) -> None:
    blood, gold, diamond = PRICES[what]
    state = at("building", with_goods(bare_table(), 0, blood=blood, gold=gold, diamond=diamond))
    assert goods(play(state, 0, Build(what))) == (0, 0, 0)
    assert play(state, 0, Build(what)).supply == (30, 30, 30)


@pytest.mark.rule("DT-9", "DT-10")
@pytest.mark.parametrize(
    ("what", "lacking"), [(what, kind) for what in BUILDINGS for kind in range(3) if PRICES[what][kind]]
)
def test_one_resource_less_is_not_enough(what: Building, lacking: int) -> None:
    has = [20, 20, 20]
    has[lacking] = PRICES[what][lacking] - 1
    state = at("building", with_goods(bare_table(), 0, *has))
    assert refused(state, 0, Build(what)).rule == ("DT-9" if what in ("mine", "well") else "DT-10")


@pytest.mark.rule("DT-9")
def test_mines_and_wells_bring_nothing_but_a_die() -> None:
    state = build(rich(), "mine", "well")
    me = state.players[0]
    assert (me.mines, me.wells, me.followers, me.hand, me.temples) == (3, 1, 0, (), (0,) * 7)


@pytest.mark.rule("DC-4")
@pytest.mark.parametrize(("what", "track", "most"), [("mine", "mines", 4), ("well", "wells", 3)])
def test_the_tracks_end(what: Building, track: str, most: int) -> None:
    state = build(edit(rich(), 0, **{track: most - 1}), what)
    assert getattr(state.players[0], track) == most
    assert refused(state, 0, Build(what)).rule == "DC-4"


@pytest.mark.rule("DC-4")
def test_with_nine_temples_only_mines_and_wells_remain() -> None:
    state = build(with_temples(rich(), 0, heimdall=4, freya=4), "thor")
    assert sum(state.players[0].temples) == 9
    assert offered(state, 0, Build) == [Build("mine"), Build("well")]
    assert refused(state, 0, Build("odin")).rule == "DC-4"


# Temples


@pytest.mark.rule("DT-11")
@pytest.mark.parametrize("god", GODS)
def test_a_temple_brings_a_follower_and_one_of_two_cards(god: God) -> None:
    state = play(rich(), 0, Build(god))
    assert (temples(state), followers(state)) == ({god: 1}, 1)
    first, second, *rest = deck_of(state, god)
    assert {move.card for move in offered(state, 0, Keep)} == {first, second}
    for keeps, puts_back in ((first, second), (second, first)):
        kept = play(state, 0, Keep(keeps))
        assert (hand(kept), known(kept, 0)) == ([keeps], [])
        assert deck_of(kept, god) == [*rest, puts_back]


@pytest.mark.rule("DT-11")
def test_only_the_builder_sees_the_two_cards() -> None:
    state = play(on_top(rich(), "thor", "lightning", "thunder_3"), 0, Build("thor"))
    look = {viewer: GAME.view(state, viewer).task.look for viewer in (SPECTATOR, 0, 1)}  # type: ignore[union-attr]
    assert sorted(look[0]) == ["lightning", "thunder_3"]
    assert (look[1], look[SPECTATOR]) == ((), ())
    assert legal(state, 1) == []
    assert refused(state, 0, END_PHASE).rule == "DT-11"
    state = play(state, 0, Keep("lightning"))
    assert GAME.view(state, 0).decks["thor"].known == {9: "thunder_3"}
    assert GAME.view(state, 1).decks["thor"].known == {}
    assert GAME.view(state, 1).players[0].cards == 1


@pytest.mark.rule("DT-11")
def test_two_equal_cards_are_one_choice() -> None:
    state = play(on_top(rich(), "tyr", "war", "war"), 0, Build("tyr"))
    assert legal(state) == [Keep("war")]
    state = play(state, 0, Keep("war"))
    assert (hand(state), deck_of(state, "tyr")[-1]) == (["war"], "war")


@pytest.mark.rule("DT-11")
def test_of_a_deck_of_one_card_it_is_taken_and_of_an_empty_one_none() -> None:
    one = exhausted(on_top(rich(), "thor", "lightning"), "thor", left=1)
    state = play(one, 0, Build("thor"))
    assert (hand(state), known(state, 0), deck_of(state, "thor"), followers(state)) == (["lightning"], [], [], 1)
    assert END_PHASE in legal(state)
    state = play(state, 0, Build("thor"))
    assert (hand(state), temples(state), followers(state)) == (["lightning"], {"thor": 2}, 2)


@pytest.mark.rule("DT-13")
@pytest.mark.parametrize("mine", [1, 3])
def test_a_full_area_takes_no_more(mine: int) -> None:
    state = with_temples(with_temples(rich(), 0, thor=mine), 1, thor=2)
    state = with_temples(state, 2, thor=5 - 2 - mine)
    assert refused(state, 0, Build("thor")).rule == "DT-13"
    assert Build("odin") in legal(state)


@pytest.mark.rule("DT-13")
def test_the_fifth_site_can_be_built_on() -> None:
    state = with_temples(with_temples(rich(), 1, thor=2), 2, thor=2)
    assert temples(build(state, "thor")) == {"thor": 1}


@pytest.mark.rule("DT-14")
def test_three_temples_of_one_player_lock_the_area() -> None:
    state = with_temples(with_temples(rich(), 1, thor=3), 0, thor=1)
    assert refused(state, 0, Build("thor")).rule == "DT-14"
    assert temples(state) == {"thor": 1}
    assert GAME.view(state, SPECTATOR).owners["thor"] == 1
    two = with_temples(with_temples(rich(), 1, thor=2), 0, thor=1)
    assert Build("thor") in legal(two)
    assert GAME.view(two, SPECTATOR).owners["thor"] is None


@pytest.mark.rule("DT-14")
def test_temples_already_there_stay_and_keep_their_ability() -> None:
    state = build(with_temples(with_temples(rich(), 0, thor=2), 1, thor=1), "thor")
    assert GAME.view(state, SPECTATOR).owners["thor"] == 0
    assert GAME.view(state, SPECTATOR).sites["thor"] == (0, 0, 0, 1)
    assert GAME.view(state, SPECTATOR).players[1].abilities == {"thor": (1,)}


@pytest.mark.rule("DT-14")
def test_the_owner_may_build_on() -> None:
    state = build(with_temples(rich(), 0, thor=3), "thor", "thor")
    assert temples(state) == {"thor": 5}
    assert refused(at("building", state), 0, Build("thor")).rule == "DT-13"


@pytest.mark.rule("DT-12")
@pytest.mark.parametrize(("count", "levels"), [(1, (1,)), (2, (1, 2)), (3, (1, 2)), (5, (1, 2))])
def test_the_first_temple_gives_the_first_ability_and_the_second_adds_the_second(
    count: int, levels: tuple[int, ...]
) -> None:
    for god in GODS:
        state = with_temples(bare_table(), 0, **{god: count})
        assert GAME.view(state, SPECTATOR).players[0].abilities == {god: levels}


@pytest.mark.rule("DT-7", "DT-8")
def test_nobody_must_build() -> None:
    assert play(rich(), 0, END_PHASE).turn.phase == "attacks"
