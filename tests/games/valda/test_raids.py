"""The fourth phase: DT-15 to DT-18, and the attacks of DK-11."""

import pytest
from msgspec.structs import replace

from app.games.valda.moves import (
    END_PHASE,
    PASS,
    STAND,
    Attack,
    Goods,
    Loot,
    Shield,
)
from app.games.valda.state import State
from tests.games.valda.tabletop import (
    BOX,
    GAME,
    at,
    attacked,
    bare_table,
    defended,
    discard,
    followers,
    give,
    give_known,
    goods,
    hand,
    known,
    legal,
    offered,
    play,
    refused,
    until,
    with_followers,
    with_goods,
    with_temples,
)

ATTACKS = {card.name: card for card in BOX.cards if card.kind == "attack"}
KILLS = {"skirmish": 1, "double_kill": 2, "fire_storm": 2, "world_burn": 3, "judgement": 1, "lightning": 2}
ABDUCTIONS = {"abduction": 1, "enslave": 2}
ROBBERIES = {"plunder": 2, "ransack": 3, "burning_raid": 3}
THEFTS = {"pickpocket": 1, "ashen_hands": 2, "sleight": 2}


def table(seats: int = 3) -> State:
    """Seat 0 has built and has 9 followers, above the safe zone of 5; the others have none."""
    return with_followers(at("building", bare_table(seats)), 9)


def asked_in_order(state: State) -> list[int]:
    """Who is asked, one after the other, when all pass."""
    state = play(state, state.turn.seat, END_PHASE)
    found = []
    while state.turn.phase == "attacks":
        (seat,) = GAME.to_act(state)
        found.append(seat)
        state = play(state, seat, PASS)
    return found


# Who attacks


@pytest.mark.rule("DT-15")
@pytest.mark.parametrize(
    ("turn", "had", "rich", "order"),
    [
        (0, (0, 3, 7, 5), {}, [2, 3, 1]),
        (0, (9, 3, 3, 3), {3: (1, 0, 0)}, [3, 1, 2]),
        (0, (9, 3, 3, 3), {2: (0, 1, 1), 1: (1, 0, 0)}, [2, 1, 3]),
        (0, (9, 3, 4, 3), {3: (5, 5, 5)}, [2, 3, 1]),
        (0, (0, 0, 0, 0), {}, [1, 2, 3]),
        (2, (0, 0, 0, 0), {}, [3, 0, 1]),
        (2, (1, 0, 9, 1), {0: (0, 2, 0), 3: (2, 0, 0)}, [3, 0, 1]),
    ],
)
def test_most_followers_then_most_resources_then_clockwise(
    turn: int, had: tuple[int, ...], rich: dict[int, Goods], order: list[int]
) -> None:
    state = with_followers(at("building", bare_table(4), turn), *had)
    for seat, (blood, gold, diamond) in rich.items():
        state = with_goods(state, seat, blood, gold, diamond)
    assert asked_in_order(state) == order


@pytest.mark.rule("DT-15")
def test_the_order_is_fixed_when_the_phase_begins() -> None:
    """The first attacker steals resources that would have put them behind; nobody comes twice or is left out."""
    state = with_goods(give(table(4), 1, "plunder"), 0, gold=2)
    state = play(state, 0, END_PHASE)
    assert state.raid is not None
    order = state.raid.order
    assert order == (1, 2, 3)
    state = play(play(state, 1, Attack("plunder")), 0, STAND)
    state = with_goods(with_followers(state, 9, 0, 0, 8), 3, blood=9)
    assert GAME.to_act(state) == (2,)
    assert GAME.to_act(play(state, 2, PASS)) == (3,)


@pytest.mark.rule("DT-15")
def test_everyone_is_asked_also_without_an_attack_card() -> None:
    state = play(give(table(), 2, "skirmish"), 0, END_PHASE)
    assert legal(state, 1) == [PASS]
    state = play(state, 1, PASS)
    assert set(legal(state, 2)) == {PASS, Attack("skirmish")}
    assert legal(state, 0) == []


@pytest.mark.rule("DT-15")
def test_each_attacks_once_with_one_card() -> None:
    state = give(give(table(4), 1, "skirmish", "plunder"), 2, "skirmish")
    state = defended(attacked(state, 1, "skirmish"))
    assert GAME.to_act(state) == (2,)
    assert refused(state, 1, Attack("plunder")).rule == "DT-1"


@pytest.mark.rule("DT-15", "DT-16")
def test_who_passes_is_out_for_this_phase() -> None:
    state = with_temples(give(table(), 1, "skirmish", "plunder"), 1, surtur=1)
    state = play(until(state, 1), 1, PASS)
    assert GAME.to_act(state) == (2,)
    assert play(state, 2, PASS).turn.phase == "followers"


@pytest.mark.rule("DT-15")
def test_attacks_without_possible_effect_are_legal() -> None:
    for name in (*KILLS, *ABDUCTIONS, *ROBBERIES, *THEFTS):
        state = give_known(with_followers(table(), 5), 1, name)
        state = defended(attacked(state, 1, name))
        assert (followers(state), followers(state, 1), goods(state, 1), hand(state, 1)) == (5, 0, (0, 0, 0), [])
        assert discard(state) == [name]


@pytest.mark.rule("DT-15")
def test_only_attack_cards_attack() -> None:
    state = until(give(table(), 1, "shield_1", "treasure_2", "weapon_surtur"), 1)
    for name in ("shield_1", "treasure_2", "weapon_surtur"):
        assert refused(state, 1, Attack(name)).rule == "DT-15"


@pytest.mark.rule("DT-15", "DT-7")
def test_after_the_last_attack_come_the_followers() -> None:
    state = until(table(2), 1)
    state = play(state, 1, PASS)
    assert (state.turn.seat, state.turn.phase, GAME.to_act(state)) == (0, "followers", (0,))


# Surtur


@pytest.mark.rule("DT-16")
@pytest.mark.parametrize(
    ("seats", "surtur", "attacks", "bonus"),
    [
        (2, 0, 1, 0),
        (2, 1, 2, 0),
        (2, 2, 2, 1),
        (3, 1, 2, 0),
        (3, 2, 2, 1),
        (3, 3, 2, 1),
        (4, 0, 1, 0),
        (4, 1, 1, 1),
        (4, 2, 1, 2),
        (5, 1, 1, 1),
        (5, 2, 1, 2),
    ],
)
def test_what_surtur_gives(seats: int, surtur: int, attacks: int, bonus: int) -> None:
    """A shield that is strong enough for the bonus holds, one that is a point weaker does not."""
    state = with_temples(give(table(seats), 1, *["skirmish"] * 3), 1, surtur=surtur)
    strong, weak = f"shield_{2 + bonus}", f"shield_{1 + bonus}"
    state = until(give_known(state, 0, strong, weak), 1)
    assert followers(defended(play(state, 1, Attack("skirmish")), strong)) == 9
    assert followers(defended(play(state, 1, Attack("skirmish")), weak)) == 8
    made = 0
    while offered(state, 1, Attack):
        state = defended(play(state, 1, Attack("skirmish")))
        made += 1
    assert (made, followers(state)) == (attacks, 9 - attacks)


@pytest.mark.rule("DT-16")
def test_the_two_attacks_are_made_one_after_the_other_in_the_same_slot() -> None:
    state = with_temples(give(give(table(), 1, "skirmish", "plunder"), 2, "skirmish"), 1, surtur=1)
    state = defended(attacked(state, 1, "skirmish"))
    assert GAME.to_act(state) == (1,)
    assert set(legal(state, 1)) == {Attack("plunder"), PASS}
    state = defended(play(state, 1, Attack("plunder")))
    assert GAME.to_act(state) == (2,)


@pytest.mark.rule("DT-16")
def test_surtur_of_the_attacked_does_not_count() -> None:
    state = give(give_known(with_temples(table(4), 0, surtur=2), 0, "shield_2"), 1, "skirmish")
    assert followers(defended(attacked(state, 1, "skirmish"), "shield_2")) == 9


# Defence


@pytest.mark.rule("DT-17", "DK-12")
@pytest.mark.parametrize(
    ("card", "shields", "holds"),
    [
        ("double_kill", (), False),
        ("double_kill", ("shield_2",), False),
        ("double_kill", ("shield_3",), True),
        ("double_kill", ("shield_1", "shield_2"), True),
        ("double_kill", ("shield_1", "shield_1"), False),
        ("double_kill", ("shield_1", "shield_1", "shield_1"), True),
        ("world_burn", ("shield_4",), False),
        ("world_burn", ("shield_5",), True),
        ("world_burn", ("shield_4", "shield_1"), True),
        ("skirmish", ("shield_5",), True),
    ],
)
def test_the_sum_of_the_shields_must_reach_the_power(card: str, shields: tuple[str, ...], holds: bool) -> None:
    state = give_known(give_known(table(), 0, *shields), 1, card)
    state = defended(attacked(state, 1, card), *shields)
    assert followers(state) == (9 if holds else 9 - KILLS[card])
    assert sorted(discard(state)) == sorted((card, *shields))
    assert hand(state, 0) == hand(state, 1) == []


@pytest.mark.rule("DT-17")
@pytest.mark.parametrize("attack", sorted(ATTACKS))
def test_nothing_happens_when_an_attack_is_fended_off(attack: str) -> None:
    state = give_known(with_goods(table(), 0, 3, 3, 3), 0, "shield_5", "vein_2", "vein_2")
    state = defended(attacked(give_known(state, 1, attack), 1, attack), "shield_5")
    assert (followers(state), goods(state), hand(state)) == (9, (3, 3, 3), ["vein_2", "vein_2"])
    assert (followers(state, 1), goods(state, 1), hand(state, 1)) == (0, (0, 0, 0), [])


# Killing cards of every power, with so many temples of Surtur at a table of four.
OF_POWER = {
    2: ("skirmish", 0),
    3: ("double_kill", 0),
    4: ("fire_storm", 0),
    5: ("world_burn", 0),
    6: ("world_burn", 1),
    7: ("world_burn", 2),
}


@pytest.mark.rule("DT-17")
@pytest.mark.parametrize(
    ("tyr", "shields", "defence"),
    [
        (0, ("shield_1", "shield_2"), 3),
        (1, ("shield_1",), 2),
        (1, ("shield_1", "shield_2"), 5),
        (2, ("shield_1",), 3),
        (2, ("shield_1", "shield_1"), 6),
        (3, ("shield_2",), 4),
    ],
)
def test_tyr_strengthens_each_defence_card(tyr: int, shields: tuple[str, ...], defence: int) -> None:
    for power, holds in ((defence, True), (defence + 1, False)):
        card, surtur = OF_POWER[power]
        state = with_temples(with_temples(table(4), 0, tyr=tyr), 1, surtur=surtur)
        state = attacked(give_known(give_known(state, 0, *shields), 1, card), 1, card)
        state = play(state, 0, *(Shield(name) for name in shields))
        view = GAME.view(state, 2).attack
        assert view is not None
        assert (view.power, view.defence) == (power, defence)
        assert (followers(play(state, 0, STAND)) == 9) == holds


@pytest.mark.rule("DT-17")
def test_only_defence_cards_defend_and_only_the_attacked_plays_them() -> None:
    state = give(give(give(table(), 0, "plunder", "treasure_2"), 1, "skirmish"), 2, "shield_5")
    state = attacked(state, 1, "skirmish")
    assert GAME.to_act(state) == (0,)
    assert legal(state, 0) == [STAND]
    assert legal(state, 2) == []
    assert refused(state, 0, Shield("plunder")).rule == "DT-17"
    assert refused(state, 0, Shield("shield_5")).rule == "DT-4"


@pytest.mark.rule("DT-15", "DT-17")
def test_nobody_must_defend_and_more_than_enough_is_legal() -> None:
    state = attacked(give(give_known(table(), 0, "shield_5", "shield_1"), 1, "skirmish"), 1, "skirmish")
    assert followers(play(state, 0, STAND)) == 8
    assert followers(defended(state, "shield_5", "shield_1")) == 9
    assert followers(defended(state, "shield_1")) == 8


# Effects


@pytest.mark.rule("DK-11", "DT-17")
@pytest.mark.parametrize(("card", "count"), KILLS.items())
def test_kills(card: str, count: int) -> None:
    state = defended(attacked(give_known(table(), 1, card), 1, card))
    assert (followers(state), followers(state, 1)) == (9 - count, 0)


@pytest.mark.rule("DK-11", "DT-17")
@pytest.mark.parametrize(("card", "count"), ABDUCTIONS.items())
def test_stolen_followers(card: str, count: int) -> None:
    state = defended(attacked(give_known(table(), 1, card), 1, card))
    assert (followers(state), followers(state, 1)) == (9 - count, count)


@pytest.mark.rule("DK-11", "DT-17")
@pytest.mark.parametrize(("card", "count"), ROBBERIES.items())
def test_the_attacker_chooses_which_resources_are_stolen(card: str, count: int) -> None:
    state = with_goods(give_known(table(), 1, card), 0, 3, 3, 1)
    state = defended(attacked(state, 1, card))
    assert GAME.to_act(state) == (1,)
    choices = {move.goods for move in offered(state, 1, Loot)}
    assert choices == {
        (blood, gold, count - blood - gold) for blood in range(4) for gold in range(4) if 0 <= count - blood - gold <= 1
    }
    state = play(state, 1, Loot((1, count - 1, 0)))
    assert (goods(state, 0), goods(state, 1)) == ((2, 4 - count, 1), (1, count - 1, 0))
    assert discard(state) == [card]


@pytest.mark.rule("DT-17")
@pytest.mark.parametrize(
    ("has", "stolen"),
    [((1, 0, 1), (1, 0, 1)), ((0, 0, 1), (0, 0, 1)), ((0, 5, 0), (0, 2, 0)), ((0, 0, 0), (0, 0, 0))],
)
def test_all_are_stolen_if_there_are_no_more(has: Goods, stolen: Goods) -> None:
    state = with_goods(give(table(), 1, "plunder"), 0, *has)
    state = defended(attacked(state, 1, "plunder"))
    assert goods(state, 1) == stolen
    assert GAME.to_act(state) == (2,)


@pytest.mark.rule("DK-11", "DT-17")
@pytest.mark.parametrize(("card", "count"), THEFTS.items())
def test_cards_are_drawn_at_random(card: str, count: int) -> None:
    stolen = set()
    for number in range(12):
        state = give(give_known(table(), 1, card), 0, "vein_2", "spoils_2", "treasure_2")
        state = replace(attacked(state, 1, card), rng=GAME.setup(state.options, 3, f"seed {number}").rng)
        state = defended(state)
        assert (len(hand(state, 0)), len(hand(state, 1))) == (3 - count, count)
        assert sorted(hand(state, 0) + hand(state, 1)) == ["spoils_2", "treasure_2", "vein_2"]
        stolen |= set(hand(state, 1))
    assert stolen == {"vein_2", "spoils_2", "treasure_2"}


@pytest.mark.rule("DK-11")
def test_a_theft_takes_what_there_is() -> None:
    state = defended(attacked(give(give(table(), 0, "vein_2"), 1, "sleight"), 1, "sleight"))
    assert (hand(state, 0), hand(state, 1)) == ([], ["vein_2"])


@pytest.mark.rule("DT-17")
def test_used_shields_cannot_be_stolen_and_too_weak_ones_are_spent() -> None:
    state = give(give(table(), 0, "vein_2", "shield_1"), 1, "sleight")
    state = defended(attacked(state, 1, "sleight"), "shield_1")
    assert hand(state, 1) == ["vein_2"]
    assert sorted(discard(state)) == ["shield_1", "sleight"]


@pytest.mark.rule("DT-17")
def test_stolen_cards_are_known_to_the_two_only() -> None:
    state = defended(attacked(give(give(table(), 0, "vein_2"), 1, "pickpocket"), 1, "pickpocket"))
    assert known(state, 1, viewer=0) == ["vein_2"]
    assert known(state, 1, viewer=2) == known(state, 1) == []


# Safe zones


@pytest.mark.rule("DT-18")
@pytest.mark.parametrize(
    ("had", "left"),
    {0: 0, 2: 0, 3: 0, 4: 1, 5: 5, 6: 5, 8: 5, 9: 6, 12: 12, 13: 12, 15: 12, 16: 13, 19: 16}.items(),
)
def test_the_killed_never_go_below_a_safe_zone(had: int, left: int) -> None:
    state = with_followers(give_known(table(), 1, "world_burn"), had)
    assert followers(defended(attacked(state, 1, "world_burn"))) == left


@pytest.mark.rule("DT-18")
@pytest.mark.parametrize(("had", "left"), {20: 20, 21: 20, 22: 20, 23: 20, 24: 21, 25: 22, 41: 38}.items())
def test_there_is_no_safe_zone_above_twenty(had: int, left: int) -> None:
    state = with_followers(give_known(table(), 1, "world_burn"), had)
    assert followers(defended(attacked(state, 1, "world_burn"))) == left


@pytest.mark.rule("DT-18")
@pytest.mark.parametrize(("had", "lost"), [(4, 2), (5, 0), (6, 1), (7, 2), (12, 0), (13, 1), (20, 0), (21, 1), (1, 1)])
def test_a_thief_gains_only_what_was_really_lost(had: int, lost: int) -> None:
    state = with_followers(give_known(table(), 1, "enslave"), had, 3)
    state = defended(attacked(state, 1, "enslave"))
    assert (followers(state), followers(state, 1)) == (had - lost, 3 + lost)


@pytest.mark.rule("DT-18")
def test_several_losses_stop_at_the_same_zone() -> None:
    state = with_followers(give_known(give_known(table(), 1, "fire_storm"), 2, "world_burn"), 8)
    state = defended(attacked(state, 1, "fire_storm"))
    assert followers(state) == 6
    assert followers(defended(attacked(state, 2, "world_burn"))) == 5


@pytest.mark.rule("DT-18", "DC-5")
def test_the_track_has_no_upper_end() -> None:
    state = with_followers(give_known(table(), 1, "abduction"), 21, 40)
    assert followers(defended(attacked(state, 1, "abduction")), 1) == 41


def test_the_attacks_of_the_tests_are_all_there_are() -> None:
    assert {*KILLS, *ABDUCTIONS, *ROBBERIES, *THEFTS} == set(ATTACKS)
