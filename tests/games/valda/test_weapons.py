"""God weapons: DW-1 to DW-7, DW-9, DW-10. The moments of Crown of Fortune, Backstab and Claim are in test_windows."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from app.engine.contract import SPECTATOR
from app.games.valda.moves import (
    BACKSTAB,
    DONE,
    END_PHASE,
    GJALLARHORN,
    GODS,
    PASS,
    RESISTED,
    REVENGE,
    ROLL,
    STAND,
    Addition,
    Attack,
    Borrow,
    Build,
    Bullseye,
    Claim,
    Convert,
    Crown,
    Dagger,
    Discard,
    Exchange,
    Fetch,
    Give,
    Loot,
    Move,
    Name,
    Play,
    Shield,
    Swap,
    Take,
    Thief,
    Vanish,
    Wander,
)
from app.games.valda.state import State
from tests.games.valda.tabletop import (
    BOX,
    GAME,
    at,
    attacked,
    bare_table,
    deck_of,
    defended,
    discard,
    exhausted,
    face_up,
    followers,
    give,
    give_known,
    goods,
    hand,
    known,
    lay_open,
    legal,
    offered,
    on_top,
    play,
    refused,
    rigged,
    suspected,
    temples,
    until,
    with_discard,
    with_followers,
    with_goods,
    with_temples,
)


def table(seats: int = 3, had: int = 9) -> State:
    """Seat 0 has built."""
    return with_followers(at("building", bare_table(seats)), had)


def acting(*cards: str, seats: int = 3) -> State:
    return at("actions", give_known(bare_table(seats), 0, *cards))


# Odin


@pytest.mark.rule("DW-1", "DW-10")
@pytest.mark.parametrize("card", ["treasure_2", "skirmish", "shield_5", "weapon_thor", "leader"])
def test_bullseye_takes_any_card_from_the_discard(card: str) -> None:
    state = with_discard(give(at("actions", bare_table()), 0, "weapon_odin"), card, "vein_2")
    state = play(state, 0, Bullseye(card))
    assert (hand(state), known(state, 0)) == ([card], [card])
    assert discard(state) == ["vein_2", "weapon_odin"]
    assert state.turn.actions == 3


@pytest.mark.rule("DW-10")
def test_bullseye_cannot_fetch_itself() -> None:
    state = give(at("actions", bare_table()), 0, "weapon_odin")
    assert offered(state, 0, Bullseye) == []
    assert refused(state, 0, Bullseye("weapon_odin")).rule == "DW-1"
    assert offered(with_discard(state, "vein_2"), 0, Bullseye) == [Bullseye("vein_2")]


@pytest.mark.rule("DW-1", "DW-10")
@pytest.mark.parametrize(
    ("card", "had", "left"),
    [("skirmish", 9, 7), ("fire_storm", 9, 5), ("fire_storm", 19, 15), ("world_burn", 19, 13), ("world_burn", 9, 5)],
)
def test_soulspear_doubles_the_killed_before_the_safe_zone_counts(card: str, had: int, left: int) -> None:
    state = give_known(give(table(had=had), 1, "weapon_odin"), 1, card)
    state = attacked(state, 1, card, "soulspear")
    assert followers(defended(state)) == left


@pytest.mark.rule("DW-10")
@pytest.mark.parametrize("card", sorted(card.name for card in BOX.cards if card.kind == "attack"))
def test_soulspear_goes_only_with_killing_cards(card: str) -> None:
    state = until(give_known(give(table(), 1, "weapon_odin"), 1, card), 1)
    kills = card in ("skirmish", "double_kill", "fire_storm", "world_burn", "judgement", "lightning")
    assert (Attack(card, ("soulspear",)) in legal(state, 1)) == kills
    if not kills:
        assert refused(state, 1, Attack(card, ("soulspear",))).rule == "DW-10"


# Freya


def struck(*mine: str, seats: int = 3, card: str = "skirmish", weapons: tuple[Addition, ...] = ()) -> State:
    """Seat 0, with these cards, is attacked by seat 1, the first of all; seat 2 has two shields."""
    gods: dict[Addition, str] = {"soulspear": "odin", "warhorn": "heimdall", "wrath": "thor"}
    state = give(give_known(table(seats), 1, card), 1, *(f"weapon_{gods[weapon]}" for weapon in weapons))
    state = with_followers(give(state, 0, *mine), *(9, 10, 9)[:seats])
    if seats > 2:
        state = give_known(state, 2, "shield_2", "shield_4")
    return attacked(state, 1, card, *weapons)


@pytest.mark.rule("DW-2", "DW-10")
def test_vanished_sends_the_attack_to_another_player_not_the_attacker() -> None:
    state = struck("weapon_freya", seats=4)
    assert offered(state, 0, Vanish) == [Vanish(2), Vanish(3)]
    state = play(state, 0, Vanish(2))
    assert (GAME.to_act(state), discard(state)) == ((2,), ["weapon_freya"])
    state = play(state, 2, STAND)
    assert [followers(state, seat) for seat in range(4)] == [9, 10, 8, 0]


@pytest.mark.rule("DW-10")
def test_the_new_target_answers_with_cards() -> None:
    state = defended(play(struck("weapon_freya"), 0, Vanish(2)), "shield_2")
    assert followers(state, 2) == 9
    assert hand(state, 2) == ["shield_4"]


@pytest.mark.rule("DW-10", "DT-17")
def test_for_the_new_target_its_own_temples_count() -> None:
    state = play(struck("weapon_freya", card="double_kill"), 0, Vanish(2))
    helped = with_temples(state, 2, tyr=1)
    assert followers(defended(helped, "shield_2"), 2) == 9
    assert followers(defended(with_temples(state, 0, tyr=2), "shield_2"), 2) == 7


@pytest.mark.rule("DW-10")
def test_the_new_target_answers_with_weapons() -> None:
    state = struck("weapon_freya", seats=4)
    state = play(give(state, 2, "weapon_tyr"), 0, Vanish(2))
    state = play(state, 2, REVENGE)
    assert "skirmish" in hand(state, 2)
    assert [followers(state, seat) for seat in range(4)] == [9, 10, 9, 0]


@pytest.mark.rule("DW-10", "DW-5")
def test_the_new_target_may_have_resisted() -> None:
    state = play(give(struck("weapon_freya"), 2, "weapon_surtur"), 0, Vanish(2))
    state = play(state, 2, Shield("shield_2"), RESISTED)
    assert followers(state, 2) == 11


@pytest.mark.rule("DW-10")
def test_a_vanished_attack_keeps_its_additions() -> None:
    state = struck("weapon_freya", weapons=("soulspear", "warhorn", "wrath"))
    state = play(state, 0, Vanish(2))
    view = GAME.view(state, SPECTATOR).attack
    assert view is not None
    assert (view.power, view.weapons, view.target) == (4, ("odin", "heimdall", "thor"), 2)
    assert legal(state, 2) == [STAND]
    assert followers(play(state, 2, STAND), 2) == 7


@pytest.mark.rule("DW-10")
def test_the_attackers_slot_is_used_and_the_new_target_keeps_its_own() -> None:
    state = play(struck("weapon_freya"), 0, Vanish(2))
    state = give(play(state, 2, STAND), 2, "skirmish")
    assert GAME.to_act(state) == (2,)
    assert set(legal(state, 2)) == {Attack("skirmish"), PASS}


@pytest.mark.rule("DW-10")
def test_the_new_target_attacks_whose_turn_it_is() -> None:
    state = with_followers(give(give(table(), 1, "skirmish"), 2, "plunder"), 9)
    state = with_goods(give(state, 0, "weapon_freya"), 0, gold=2)
    state = play(attacked(state, 1, "skirmish"), 0, Vanish(2))
    state = play(play(state, 2, STAND), 2, Attack("plunder"))
    assert goods(play(state, 0, STAND), 2) == (0, 2, 0)


@pytest.mark.rule("DW-2")
def test_with_two_players_a_vanished_attack_fizzles() -> None:
    state = struck("weapon_freya", seats=2)
    assert offered(state, 0, Vanish) == [Vanish()]
    state = play(state, 0, Vanish())
    assert (followers(state), followers(state, 1), state.turn.phase) == (9, 10, "followers")
    assert sorted(discard(state)) == ["skirmish", "weapon_freya"]


# Tyr


@pytest.mark.rule("DW-3", "DW-10")
def test_thief_takes_a_face_up_card_by_choice() -> None:
    state = give(lay_open(acting(), 0, "treasure_2", "shield_3", "treasure_2"), 1, "weapon_tyr")
    assert offered(state, 1, Thief) == [Thief(0, "treasure_2"), Thief(0, "shield_3")]
    state = play(state, 1, Thief(0, "shield_3"))
    assert (face_up(state), hand(state, 1), known(state, 1)) == (["treasure_2"] * 2, ["shield_3"], ["shield_3"])
    assert discard(state) == ["weapon_tyr"]


@pytest.mark.rule("DW-3")
def test_thief_takes_a_random_card_of_a_hand() -> None:
    stolen = set()
    for number in range(12):
        state = give(give(lay_open(acting(), 0, "treasure_2"), 0, "vein_2", "shield_1"), 1, "weapon_tyr")
        assert refused(state, 1, Thief(0, "vein_2")).rule == "DW-3"
        state = replace(state, rng=GAME.setup(state.options, 3, f"seed {number}").rng)
        state = play(state, 1, Thief(0))
        (card,) = hand(state, 1)
        assert known(state, 1) == []
        stolen.add(card)
    assert stolen == {"vein_2", "shield_1"}


@pytest.mark.rule("DW-3", "DT-6")
def test_thief_never_takes_a_card_being_played() -> None:
    state = give(acting("drakkar"), 1, "weapon_tyr")
    assert Thief(0) in legal(state, 1)
    state = play(state, 0, Play("drakkar"))
    assert offered(state, 1, Thief) == []
    assert Thief(2) in legal(give(state, 2, "vein_2"), 1)


@pytest.mark.rule("DW-3")
def test_nobody_steals_from_themselves() -> None:
    state = lay_open(give(acting("treasure_2"), 0, "weapon_tyr"), 0, "vein_2")
    assert offered(state, 0, Thief) == []


@pytest.mark.rule("DW-3", "DW-10")
def test_tyrs_revenge_cancels_the_attack_and_takes_its_card() -> None:
    state = play(struck("weapon_tyr", weapons=("soulspear", "wrath")), 0, REVENGE)
    assert (followers(state), hand(state), known(state, 0)) == (9, ["skirmish"], ["skirmish"])
    assert sorted(discard(state)) == ["weapon_odin", "weapon_thor", "weapon_tyr"]
    assert GAME.to_act(state) == (2,)


@pytest.mark.rule("DW-10")
@pytest.mark.parametrize("move", [Vanish(2), REVENGE])
def test_only_the_attacked_answers_with_a_weapon(move: Move) -> None:
    state = give(give(table(4), 1, "skirmish", "weapon_freya", "weapon_tyr"), 3, "vein_2")
    state = attacked(state, 1, "skirmish")
    assert move not in legal(state, 1)
    assert refused(state, 1, move).rule in ("DW-2", "DW-3")


# Heimdall


@pytest.mark.rule("DW-4")
def test_against_a_warhorn_no_defence_cards() -> None:
    state = struck("shield_5", weapons=("warhorn",))
    assert legal(state, 0) == [STAND]
    assert refused(state, 0, Shield("shield_5")).rule == "DW-4"
    assert followers(play(state, 0, STAND)) == 8


@pytest.mark.rule("DW-4")
@pytest.mark.parametrize(("weapon", "move"), [("weapon_freya", Vanish(2)), ("weapon_tyr", REVENGE)])
def test_against_a_warhorn_weapons_still_may(weapon: str, move: Move) -> None:
    state = struck("shield_5", weapon, weapons=("warhorn",))
    assert followers(play(state, 0, move)) == 9


@pytest.mark.rule("DW-4", "DW-10")
@pytest.mark.parametrize(
    ("lying", "taken"),
    [
        (("shield_1", "shield_5", "shield_3", "skirmish", "shield_4"), ["shield_4", "shield_5"]),
        (("shield_2", "shield_2", "shield_1"), ["shield_2", "shield_2"]),
        (("shield_1", "vein_2"), ["shield_1"]),
    ],
)
def test_gjallarhorn_takes_the_two_strongest_defence_cards(lying: tuple[str, ...], taken: list[str]) -> None:
    state = with_discard(give(acting(), 1, "weapon_heimdall"), *lying)
    state = play(state, 1, GJALLARHORN)
    assert (hand(state, 1), known(state, 1)) == (taken, taken)
    assert sorted(discard(state) + taken) == sorted((*lying, "weapon_heimdall"))


@pytest.mark.rule("DW-10")
def test_gjallarhorn_and_dagger_need_at_least_one_card() -> None:
    state = with_discard(give(acting(), 1, "weapon_heimdall", "weapon_loki"), "vein_2")
    assert legal(state, 1) == []
    assert refused(state, 1, GJALLARHORN).rule == "DW-4"
    assert refused(state, 1, Dagger(("skirmish",))).rule == "DW-7"


# Surtur


@pytest.mark.rule("DW-5", "DW-10")
def test_resisted_brings_two_followers_for_a_defence_with_cards() -> None:
    state = struck("weapon_surtur", "shield_1", "shield_2", card="double_kill")
    assert RESISTED not in legal(state)
    state = play(state, 0, Shield("shield_1"))
    assert refused(state, 0, RESISTED).rule == "DW-5"
    state = play(state, 0, Shield("shield_2"))
    assert followers(play(state, 0, STAND)) == 9
    state = play(state, 0, RESISTED)
    assert followers(state) == 11
    assert sorted(discard(state)) == ["double_kill", "shield_1", "shield_2", "weapon_surtur"]
    assert GAME.to_act(state) == (2,)


def claimable(card: str = "double_kill", shields: tuple[str, ...] = ("shield_3",), *more: str) -> State:
    """Seat 1, who holds Surtur's weapon, has been fended off by seat 0, who has more shields."""
    state = give_known(give(table(), 1, "weapon_surtur", *more), 1, card)
    state = give(state, 0, *shields, "shield_2", "shield_1")
    return defended(attacked(state, 1, card), *shields)


@pytest.mark.rule("DW-5", "DW-10")
def test_surturs_claim_attacks_the_same_player_again_at_once() -> None:
    state = claimable()
    assert followers(state) == 9
    state = play(state, 1, Claim())
    assert GAME.to_act(state) == (0,)
    assert hand(state) == ["shield_1", "shield_2"]
    assert sorted(discard(state)) == ["shield_3", "weapon_surtur"]
    state = play(state, 0, STAND)
    assert followers(state) == 7
    assert sorted(discard(state)) == ["double_kill", "shield_3", "weapon_surtur"]
    assert GAME.to_act(state) == (2,)


@pytest.mark.rule("DW-10")
def test_the_shields_already_played_are_gone() -> None:
    state = play(claimable(), 1, Claim())
    assert followers(defended(state, "shield_2")) == 7
    assert followers(defended(state, "shield_2", "shield_1")) == 9


@pytest.mark.rule("DW-10")
def test_in_a_claim_old_additions_lapse() -> None:
    state = give_known(give(table(), 1, "weapon_surtur", "weapon_thor"), 1, "skirmish")
    state = give_known(state, 0, "shield_5", "shield_2")
    state = defended(attacked(state, 1, "skirmish", "wrath"), "shield_5")
    state = play(state, 1, Claim())
    assert sorted(discard(state)) == ["shield_5", "weapon_surtur", "weapon_thor"]
    assert followers(defended(state, "shield_2")) == 9


@pytest.mark.rule("DW-10")
def test_to_a_claim_new_ones_may_be_added() -> None:
    state = claimable("double_kill", ("shield_3",), "weapon_odin", "weapon_heimdall", "weapon_thor")
    ways = {move.weapons for move in offered(state, 1, Claim)}
    assert len(ways) == 8
    state = play(state, 1, Claim(("soulspear", "warhorn")))
    assert legal(state, 0) == [STAND]
    assert followers(play(state, 0, STAND)) == 5


@pytest.mark.rule("DW-5")
def test_a_claim_of_a_vanished_attack_goes_to_the_new_target() -> None:
    state = give(give(table(), 1, "skirmish", "weapon_surtur"), 0, "weapon_freya")
    state = with_followers(give(state, 2, "shield_2"), 9, 0, 9)
    state = play(attacked(state, 1, "skirmish"), 0, Vanish(2))
    state = play(defended(state, "shield_2"), 1, Claim())
    assert GAME.to_act(state) == (2,)
    assert followers(play(state, 2, STAND), 2) == 8


@pytest.mark.rule("DW-5", "DT-16")
def test_a_claim_does_not_use_up_the_second_attack() -> None:
    state = with_temples(give(table(), 1, "double_kill", "skirmish", "weapon_surtur"), 1, surtur=1)
    state = defended(attacked(give(state, 0, "shield_3"), 1, "double_kill"), "shield_3")
    state = play(play(state, 1, Claim()), 0, STAND)
    state = play(play(state, 1, Attack("skirmish")), 0, STAND)
    assert (followers(state), GAME.to_act(state)) == (6, (2,))


# Thor


@pytest.mark.rule("DW-6", "DT-16")
@pytest.mark.parametrize(
    ("seats", "surtur", "card", "power"),
    [(3, 0, "skirmish", 4), (3, 2, "skirmish", 5), (4, 1, "skirmish", 5), (4, 2, "world_burn", 12)],
)
def test_wrath_of_thor_doubles_the_printed_power(seats: int, surtur: int, card: str, power: int) -> None:
    state = with_temples(give_known(give(table(seats), 1, "weapon_thor"), 1, card), 1, surtur=surtur)
    view = GAME.view(attacked(state, 1, card, "wrath"), 0).attack
    assert view is not None
    assert view.power == power


@pytest.mark.rule("DW-6")
def test_wrath_of_thor_does_not_double_the_effect() -> None:
    state = struck("shield_3", card="skirmish", weapons=("wrath",))
    assert followers(defended(state, "shield_3")) == 8


def hammered(card: str, *moves: Move, state: State | None = None) -> State:
    """Seat 0 plays the card with Hammertime, and does this."""
    start = give_known(give(state or at("actions", bare_table()), 0, "weapon_thor"), 0, card)
    return play(start, 0, Play(card, hammer=True), *moves)


def done(state: State, card: str) -> bool:
    return state.task is None and discard(state)[-2:] == [card, "weapon_thor"]


@pytest.mark.rule("DW-6")
@pytest.mark.parametrize(
    ("card", "gained"),
    [
        ("treasure_2", (0, 4, 0)),
        ("treasure_3", (0, 6, 0)),
        ("spoils_2", (0, 0, 4)),
        ("spoils_3", (0, 0, 6)),
        ("vein_2", (4, 0, 0)),
        ("vein_3", (6, 0, 0)),
    ],
)
def test_hammertime_doubles_amounts(card: str, gained: tuple[int, ...]) -> None:
    state = hammered(card)
    assert goods(state) == gained
    assert done(state, card)
    assert state.turn.actions == 2


@pytest.mark.rule("DW-6")
@pytest.mark.parametrize(("card", "gained"), [("seduction_1", 2), ("seduction_2", 4)])
def test_hammertime_doubles_followers(card: str, gained: int) -> None:
    assert followers(hammered(card)) == gained


@pytest.mark.rule("DW-6")
@pytest.mark.parametrize(("card", "drawn"), [("backup_2", 4), ("backup_3", 6), ("thunder_3", 6)])
def test_hammertime_doubles_the_cards_drawn(card: str, drawn: int) -> None:
    state = at("actions", bare_table())
    top = [name for name in deck_of(state, "base") if name != card][:drawn]
    assert hand(hammered(card, state=on_top(state, "base", *top))) == sorted(top)


@pytest.mark.rule("DW-6")
def test_hammertime_doubles_the_decks_looked_at() -> None:
    six = [god for god in GODS if god != "tyr"]
    state = hammered("bifrost", *(Name(god) for god in six))
    assert done(state, "bifrost")
    assert [god for god in GODS if GAME.view(state, 0).decks[god].known] == six


@pytest.mark.rule("DW-6", "DK-4")
def test_a_doubled_bifrost_looks_at_all_of_six_or_fewer() -> None:
    state = hammered("bifrost", state=exhausted(at("actions", bare_table()), "tyr"))
    assert done(state, "bifrost")
    assert [god for god in GODS if GAME.view(state, 0).decks[god].known] == [god for god in GODS if god != "tyr"]


@pytest.mark.rule("DW-6")
@pytest.mark.parametrize(
    ("card", "shown", "had", "left"),
    [
        ("rune_yellow", "gold 2", 3, 7),
        ("rune_blue", "blood 1", 3, 5),
        ("rune_white", "followers 2", 3, 7),
        ("rune_white", "followers -2", 9, 5),
        ("rune_white", "followers -2", 19, 15),
        ("rune_white", "followers -1", 6, 5),
    ],
)
def test_hammertime_doubles_rune_results_negative_ones_too(card: str, shown: str, had: int, left: int) -> None:
    state = hammered(card, state=rigged(with_followers(at("actions", bare_table()), had), shown))
    assert followers(state) == left
    assert done(state, card)


@pytest.mark.rule("DW-6", "DW-10")
@pytest.mark.parametrize("second", ["tyr", "odin"])
def test_a_doubled_drakkar_names_both_decks_first(second: str) -> None:
    state = on_top(at("actions", bare_table()), "tyr", "judgement", "shield_5")
    state = hammered("drakkar", Name("tyr"), state=on_top(state, "odin", "leader"))
    assert (hand(state), discard(state)) == ([], [])
    state = play(state, 0, Name(second))  # type: ignore[arg-type]
    assert hand(state) == sorted(["judgement", "shield_5" if second == "tyr" else "leader"])
    assert done(state, "drakkar")


@pytest.mark.rule("DW-6")
def test_a_deck_of_one_card_is_named_once() -> None:
    state = exhausted(at("actions", bare_table()), "tyr", left=1)
    assert Name("tyr") not in legal(hammered("drakkar", Name("tyr"), state=state))


@pytest.mark.rule("DW-6")
def test_a_doubled_sacrifice_is_up_to_four_cards_for_two_followers_each() -> None:
    state = give(at("actions", bare_table()), 0, "vein_2", "vein_2", "vein_2", "vein_2", "shield_1")
    state = hammered("sacrifice", *[Discard("vein_2")] * 4, state=state)
    assert (followers(state), hand(state)) == (8, ["shield_1"])
    assert done(state, "sacrifice")


@pytest.mark.rule("DW-6")
@pytest.mark.parametrize(("card", "names"), [("war", ("shield_1", "shield_4")), ("embers", ("skirmish", "plunder"))])
def test_doubled_fetches_take_two_cards(card: str, names: tuple[str, ...]) -> None:
    state = with_discard(at("actions", bare_table()), *names, *names)
    state = hammered(card, *(Fetch(name) for name in names), state=state)
    assert hand(state) == sorted(names)
    assert done(state, card)


@pytest.mark.rule("DW-6")
def test_a_doubled_freya_gives_four_actions() -> None:
    assert hammered("plenty").turn.actions == 7


@pytest.mark.rule("DW-6")
def test_a_doubled_leader_turns_ten() -> None:
    state = with_goods(at("actions", bare_table()), 0, gold=6, diamond=6)
    state = hammered("leader", *[Convert("gold")] * 6, *[Convert("diamond")] * 4, state=state)
    assert goods(state) == (10, 0, 2)
    assert done(state, "leader")


@pytest.mark.rule("DW-6")
def test_a_doubled_watcher_takes_six() -> None:
    state = hammered("watcher", *[Take("blood")] * 4, *[Take("gold")] * 2)
    assert goods(state) == (4, 2, 0)
    assert done(state, "watcher")


@pytest.mark.rule("DW-6", "DK-10")
def test_a_doubled_toll_is_two_of_each() -> None:
    state = at("actions", bare_table(5))
    for seat, has in ((1, (2, 2, 0)), (2, (1, 0, 0)), (3, (0, 5, 0)), (4, (1, 0, 1))):
        state = with_goods(state, seat, *has)
    state = hammered("toll", state=state)
    assert GAME.to_act(state) == (1,)
    state = play(state, 1, Give("gold"))
    assert GAME.to_act(state) == (1,)
    state = play(state, 1, Give("blood"))
    assert [goods(state, seat) for seat in range(5)] == [(3, 3, 1), (1, 1, 0), (0, 0, 0), (0, 3, 0), (0, 0, 0)]
    assert done(state, "toll")


@pytest.mark.rule("DW-6")
def test_a_doubled_barter_swaps_four() -> None:
    state = with_goods(with_goods(at("actions", bare_table()), 0, gold=5), 1, blood=5)
    state = hammered("barter", *[Exchange(1, "gold", "blood")] * 4, state=state)
    assert (goods(state, 0), goods(state, 1)) == ((4, 1, 0), (1, 4, 0))
    assert done(state, "barter")


@pytest.mark.rule("DW-6")
def test_a_doubled_shapeshifter_swaps_four() -> None:
    state = give(give(at("actions", bare_table()), 0, *["vein_2"] * 5), 1, *["spoils_2"] * 5)
    state = hammered("shapeshifter", state=state)
    assert offered(state, 0, Swap) == [Swap(1, count) for count in (1, 2, 3, 4)]
    state = play(state, 0, Swap(1, 4))
    assert hand(state) == ["spoils_2"] * 4 + ["vein_2"]
    assert done(state, "shapeshifter")


@pytest.mark.rule("DW-6")
def test_a_doubled_favour_borrows_two_abilities() -> None:
    state = with_temples(with_temples(at("actions", bare_table()), 1, thor=2), 2, odin=1)
    same = hammered("favour", Borrow("thor", 1), Borrow("thor", 2), state=state)
    assert GAME.view(same, 0).players[0].abilities == {"thor": (1, 2)}
    assert done(same, "favour")
    two = hammered("favour", Borrow("thor", 1), Borrow("odin", 1), state=state)
    assert GAME.view(two, 0).players[0].abilities == {"thor": (1,), "odin": (1,)}


@pytest.mark.rule("DW-6")
def test_a_doubled_shrine_moves_twice() -> None:
    state = with_temples(at("actions", bare_table()), 0, thor=2)
    state = hammered("shrine", Wander("thor", "odin"), Wander("thor", "tyr"), state=state)
    assert temples(state) == {"odin": 1, "tyr": 1}
    assert done(state, "shrine")


@pytest.mark.rule("DW-6", "DT-8")
@pytest.mark.parametrize(("card", "limit"), [("yggdrasil_3", 4), ("yggdrasil_4", 6)])
def test_of_yggdrasil_the_part_above_two_is_doubled(card: str, limit: int) -> None:
    assert hammered(card).turn.limit == limit


@pytest.mark.rule("DW-6", "DT-6")
def test_hammertime_is_free() -> None:
    state = give(acting("treasure_2", "bifrost"), 0, "weapon_thor")
    assert play(state, 0, Play("treasure_2", hammer=True)).turn.actions == 2
    assert Play("bifrost", hammer=True) in legal(at("actions", state, actions=0))
    assert refused(acting("treasure_2"), 0, Play("treasure_2", hammer=True)).rule == "DW-6"


@pytest.mark.rule("DW-10")
def test_hammertime_goes_with_ones_own_card() -> None:
    state = give(acting("treasure_2"), 1, "weapon_thor")
    assert legal(state, 1) == []
    assert Play("treasure_2", hammer=True) not in legal(state, 0)


# Loki


@pytest.mark.rule("DW-7", "DW-10")
@pytest.mark.parametrize(
    ("lying", "pairs"),
    [
        (("skirmish",), {("skirmish",)}),
        (("skirmish", "skirmish"), {("skirmish", "skirmish")}),
        (
            ("skirmish", "plunder", "skirmish"),
            {("skirmish", "skirmish"), ("plunder", "skirmish")},
        ),
        (
            ("skirmish", "plunder", "lightning"),
            {("plunder", "skirmish"), ("lightning", "skirmish"), ("lightning", "plunder")},
        ),
    ],
)
def test_dagger_takes_two_attack_cards_of_choice(lying: tuple[str, ...], pairs: set[tuple[str, ...]]) -> None:
    state = with_discard(give(acting(), 1, "weapon_loki"), "shield_1", *lying)
    assert {tuple(sorted(move.cards)) for move in offered(state, 1, Dagger)} == pairs
    for move in offered(state, 1, Dagger):
        after = play(state, 1, move)
        assert hand(after, 1) == known(after, 1) == sorted(move.cards)
        assert sorted([*discard(after), *move.cards]) == sorted(["shield_1", "weapon_loki", *lying])


# At any time


def in_a_window(state: State) -> State:
    """The dice lie, and seat 2 could hold Freya's weapon."""
    return play(at("resources", suspected(give(state, 2, "vein_2"), 2, "freya")), 0, ROLL)


def choosing_loot(state: State) -> State:
    state = with_goods(give(at("building", state), 2, "plunder"), 0, 3, 3, 0)
    return play(attacked(state, 2, "plunder"), 0, STAND)


MOMENTS: dict[str, Callable[[State], State]] = {
    "before the roll": lambda state: at("resources", state),
    "trades": lambda state: at("resources", state, rolled=True),
    "draws": lambda state: play(at("resources", with_temples(state, 0, thor=3), rolled=True), 0, END_PHASE),
    "actions": lambda state: at("actions", state),
    "a card being played": lambda state: play(at("actions", give_known(state, 0, "drakkar")), 0, Play("drakkar")),
    "too many cards": lambda state: play(at("actions", give(state, 0, *["vein_2", "spoils_2"] * 5)), 0, END_PHASE),
    "building": lambda state: at("building", state),
    "two cards of a temple": lambda state: play(at("building", with_goods(state, 0, 9, 9, 9)), 0, Build("thor")),
    "declaring": lambda state: play(at("building", state), 0, END_PHASE),
    "defending": lambda state: attacked(give(at("building", state), 2, "plunder"), 2, "plunder"),
    "loot": choosing_loot,
    "a window": in_a_window,
    "followers": lambda state: at("followers", state),
}


@pytest.mark.rule("DW-9")
@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize(
    ("god", "move"),
    [
        ("odin", Bullseye("treasure_2")),
        ("tyr", Thief(0)),
        ("heimdall", GJALLARHORN),
        ("loki", Dagger(("skirmish",))),
    ],
)
def test_weapons_without_a_moment_are_played_by_anyone_at_any_moment(god: str, move: Move, moment: str) -> None:
    """Seat 1 is not asked here, or for an attack; what was to be decided still is."""
    state = give(with_discard(bare_table(), "treasure_2", "shield_1", "skirmish"), 0, "backup_2", "backup_2")
    state = MOMENTS[moment](give(state, 1, f"weapon_{god}"))
    after = play(state, 1, move)
    assert discard(after).count(f"weapon_{god}") == 1
    assert len(hand(after, 1)) == 1
    if moment != "too many cards":
        assert GAME.to_act(after) == GAME.to_act(state)
        assert (after.turn, after.window, after.raid, after.task) == (state.turn, state.window, state.raid, state.task)


@pytest.mark.rule("DW-9", "DT-7")
def test_who_is_robbed_of_the_eleventh_card_need_not_discard() -> None:
    state = give(at("actions", bare_table()), 0, *["vein_2"] * 4, *["spoils_2"] * 7)
    state = play(give(state, 1, "weapon_tyr"), 0, END_PHASE)
    assert state.turn.phase == "actions"
    assert play(state, 1, Thief(0)).turn.phase == "building"


@pytest.mark.rule("DW-9", "DE-1")
def test_after_the_end_no_weapon_is_played() -> None:
    state = give(with_discard(bare_table(2), "treasure_2"), 0, "weapon_odin")
    over = play(at("followers", replace(state, round=6), 1), 1, END_PHASE)
    assert legal(over, 0) == []
    assert refused(over, 0, Bullseye("treasure_2")).rule == "DE-1"


@pytest.mark.rule("DW-9", "DK-10")
def test_a_weapon_while_a_toll_is_asked() -> None:
    state = with_goods(with_goods(acting("toll"), 1, 1, 1, 0), 2, 1, 1, 0)
    state = play(with_discard(give(state, 1, "weapon_odin"), "vein_2"), 0, Play("toll"))
    state = play(state, 1, Bullseye("vein_2"), Give("gold"))
    assert (GAME.to_act(state), hand(state, 1)) == ((2,), ["vein_2"])


# More on weapons


@pytest.mark.rule("DW-10")
def test_weapons_added_to_an_attack_lie_open_until_it_ends() -> None:
    state = struck("shield_3", weapons=("soulspear", "wrath"))
    assert discard(state) == []
    assert GAME.view(state, 2).attack.weapons == ("odin", "thor")  # type: ignore[union-attr]
    state = play(state, 0, STAND)
    assert sorted(discard(state)) == ["skirmish", "weapon_odin", "weapon_thor"]
    assert followers(state) == 7


@pytest.mark.rule("DW-10")
def test_a_hammer_lies_open_until_its_card_is_done() -> None:
    state = hammered("drakkar", Name("odin"))
    assert discard(state) == []
    assert GAME.view(state, 1).task.cards == ("drakkar", "weapon_thor")  # type: ignore[union-attr]
    assert done(play(state, 0, DONE), "drakkar")


@pytest.mark.rule("DW-10")
@pytest.mark.parametrize("weapon", ["soulspear", "warhorn", "wrath"])
def test_additions_go_with_ones_own_attack(weapon: Addition) -> None:
    """Neither the attacked nor a third player can add to it."""
    gods = ("weapon_odin", "weapon_heimdall", "weapon_thor")
    state = give(give(table(4), 2, *gods), 1, "skirmish")
    state = until(state, 1)
    assert refused(state, 1, Attack("skirmish", (weapon,))).rule == "DW-10"
    assert offered(state, 2, Attack) == []


@pytest.mark.rule("DW-10", "DW-1", "DW-4", "DW-6")
def test_all_three_additions_may_go_together() -> None:
    state = give(table(), 1, "skirmish", "weapon_odin", "weapon_heimdall", "weapon_thor")
    attacks = offered(until(state, 1), 1, Attack)
    assert len(attacks) == len(set(attacks)) == 8
    assert {len(move.weapons) for move in attacks} == {0, 1, 2, 3}


@pytest.mark.rule("DW-3", "DW-9")
def test_weapons_are_free_and_leave_the_hand_once() -> None:
    """Both effects are of one card: whoever has used one has no other."""
    state = give(struck("weapon_tyr"), 2, "vein_2")
    assert {REVENGE, Thief(2)} <= set(legal(state, 0))
    state = play(state, 0, Thief(2))
    assert REVENGE not in legal(state, 0)
    assert offered(state, 0, Thief) == []


@pytest.mark.rule("DW-2", "DW-5", "DW-7")
@pytest.mark.parametrize(
    ("god", "move", "rule"),
    [
        ("freya", Crown(0, 0), "DW-2"),
        ("freya", Vanish(2), "DW-2"),
        ("tyr", REVENGE, "DW-3"),
        ("surtur", Claim(), "DW-5"),
        ("loki", BACKSTAB, "DW-7"),
    ],
)
def test_weapons_with_a_moment_wait_for_it(god: str, move: Move, rule: str) -> None:
    state = give(at("actions", bare_table()), 0, f"weapon_{god}")
    assert refused(state, 0, move).rule == rule
    assert refused(at("actions", bare_table()), 0, move).rule == rule


@pytest.mark.rule("DW-4", "DT-17")
def test_a_robbery_with_a_warhorn() -> None:
    state = give_known(give(with_goods(table(), 0, 2, 2, 0), 1, "weapon_heimdall"), 1, "plunder")
    state = play(attacked(state, 1, "plunder", "warhorn"), 0, STAND)
    state = play(state, 1, Loot((1, 1, 0)))
    assert sorted(discard(state)) == ["plunder", "weapon_heimdall"]


@pytest.mark.rule("DW-5")
def test_without_shields_there_is_nothing_to_resist_or_to_claim() -> None:
    state = give(struck("weapon_surtur"), 1, "vein_2")
    assert RESISTED not in legal(state)
    claimer = give(give(table(), 1, "skirmish"), 1, "weapon_surtur")
    hit = play(attacked(claimer, 1, "skirmish"), 0, STAND)
    assert (hit.window, GAME.to_act(hit)) == (None, (2,))
