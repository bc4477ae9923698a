"""Whoever tries what is not allowed is told the rule."""

import pytest
from msgspec.structs import replace

from app.games.valda.moves import (
    BACKSTAB,
    END_PHASE,
    GJALLARHORN,
    GODS,
    PASS,
    RESISTED,
    REVENGE,
    ROLL,
    STAND,
    Attack,
    Build,
    Bullseye,
    Claim,
    Crown,
    Dagger,
    Discard,
    Draw,
    DrawCards,
    Fetch,
    Give,
    Keep,
    Loot,
    Move,
    Name,
    Play,
    Shield,
    Take,
    Thief,
    Trade,
    Vanish,
    Worship,
)
from app.games.valda.state import State
from tests.games.valda.tabletop import (
    GAME,
    at,
    attacked,
    bare_table,
    edit,
    give,
    give_known,
    lay_open,
    legal,
    on_top,
    play,
    refused,
    suspected,
    until,
    with_goods,
    with_temples,
)


def rich(phase: str = "building", **turn: int) -> State:
    return at(phase, with_goods(bare_table(), 0, 9, 9, 9), **turn)  # type: ignore[arg-type]


def defending(*weapons: str) -> State:
    state = give(give(at("building", bare_table()), 1, "skirmish", "weapon_heimdall"), 0, "shield_5", "vein_2")
    return attacked(state, 1, "skirmish", *weapons)  # type: ignore[arg-type]


def declaring(*cards: str) -> State:
    """Seat 1, with these cards, is asked for an attack."""
    return until(give(at("building", bare_table()), 1, *cards), 1)


def crowded() -> State:
    return play(at("actions", give(bare_table(), 0, *["vein_2", "spoils_2", "shield_1"] * 4)), 0, END_PHASE)


def worshipped() -> State:
    state = with_temples(rich("followers"), 0, thor=1)
    return play(state, 0, *[Worship("thor", 1, "gold")] * 3)


THOR_TEMPLE = play(on_top(rich(), "thor", "lightning", "thunder_3"), 0, Build("thor"))
DRAKKAR = play(at("actions", give_known(bare_table(), 0, "drakkar")), 0, Play("drakkar"))
DRAWS = play(at("resources", with_temples(bare_table(), 0, thor=3), rolled=True), 0, END_PHASE)
WINDOW = play(suspected(give(bare_table(), 0, "vein_2"), 0, "freya"), 0, ROLL)
OVER = play(replace(at("followers", bare_table(2), 1), round=6), 1, END_PHASE)
HAND = give(at("actions", bare_table()), 0, "treasure_2", "skirmish", "shield_1")

REFUSALS: list[tuple[State, int, Move, str, str]] = [
    # Not your turn, not your phase
    (bare_table(), 1, ROLL, "DT-1", "not_your_turn"),
    (rich(), 1, Build("mine"), "DT-1", "not_your_turn"),
    (defending(), 2, Shield("shield_1"), "DT-1", "not_your_turn"),
    (bare_table(), 0, END_PHASE, "DT-1", "roll_first"),
    (bare_table(), 0, Trade((4, 0, 0), "gold"), "DT-1", "roll_first"),
    (rich("resources", rolled=True), 0, ROLL, "DT-1", "rolled"),
    (rich(), 0, ROLL, "DT-1", "wrong_phase"),
    (rich(), 0, Trade((4, 0, 0), "gold"), "DT-2", "wrong_phase"),
    (rich(), 0, Play("treasure_2"), "DT-5", "wrong_phase"),
    (rich(), 0, Take("gold"), "DT-5", "wrong_phase"),
    (rich(), 0, DrawCards(2), "DT-5", "wrong_phase"),
    (rich("actions"), 0, Build("mine"), "DT-8", "wrong_phase"),
    (rich("followers"), 0, Build("mine"), "DT-8", "wrong_phase"),
    (rich("actions"), 0, Attack("skirmish"), "DT-15", "wrong_phase"),
    (rich("actions"), 0, Shield("shield_1"), "DT-17", "wrong_phase"),
    (rich("actions"), 0, STAND, "DT-17", "wrong_phase"),
    (rich("actions"), 0, Worship("thor", 1, "gold"), "DT-19", "wrong_phase"),
    (rich("actions"), 0, PASS, "DT-15", "nothing_to_pass"),
    (OVER, 0, ROLL, "DE-1", "over"),
    # Trades
    (rich("resources", rolled=True, trades=30), 0, Trade((4, 0, 0), "gold"), "DT-2", "too_many_trades"),
    (rich("resources", rolled=True), 0, Trade((3, 1, 0), "gold"), "DT-2", "same_kind"),
    (rich("resources", rolled=True), 0, Trade((2, 0, 0), "gold"), "DT-2", "no_rate"),
    (at("resources", bare_table(), rolled=True), 0, Trade((4, 0, 0), "gold"), "DT-2", "too_dear"),
    (
        with_goods(rich("resources", rolled=True), 1, gold=21),
        0,
        Trade((4, 0, 0), "gold"),
        "DC-3",
        "supply",
    ),
    # Actions
    (HAND, 0, Play("vein_2"), "DT-4", "not_held"),
    (HAND, 0, Play("skirmish"), "DC-1", "not_yellow"),
    (HAND, 0, Play("shield_1"), "DC-1", "not_yellow"),
    (HAND, 0, Play("treasure_2", hammer=True), "DW-6", "no_weapon"),
    (at("actions", HAND, actions=0), 0, Play("treasure_2"), "DT-5", "no_actions"),
    (at("actions", HAND, actions=0), 0, Take("gold"), "DT-5", "no_actions"),
    (at("actions", HAND, actions=1), 0, DrawCards(2), "DT-5", "no_actions"),
    (HAND, 0, DrawCards(1), "DT-5", "no_ability"),
    (with_temples(at("actions", HAND, actions=0), 0, freya=1), 0, DrawCards(1), "DT-5", "no_actions"),
    (with_goods(HAND, 1, gold=30), 0, Take("gold"), "DC-3", "supply"),
    (DRAWS, 0, END_PHASE, "DT-3", "draw_first"),
    (DRAWS, 0, Draw("odin"), "DT-3", "draw_first"),
    (DRAKKAR, 0, END_PHASE, "DT-6", "card_first"),
    (DRAKKAR, 0, Take("gold"), "DT-6", "card_first"),
    (crowded(), 0, END_PHASE, "DT-7", "discard_first"),
    (crowded(), 0, Discard("skirmish"), "DT-7", "not_held"),
    (HAND, 0, Name("odin"), "DT-6", "no_such_card"),
    (HAND, 0, Give("gold"), "DT-6", "no_such_card"),
    (HAND, 0, Fetch("shield_1"), "DT-6", "no_such_card"),
    # Building
    (rich(built=2), 0, Build("mine"), "DT-8", "built_enough"),
    (rich(built=3, limit=3), 0, Build("mine"), "DT-8", "built_enough"),
    (at("building", bare_table()), 0, Build("mine"), "DT-9", "too_dear"),
    (at("building", bare_table()), 0, Build("well"), "DT-9", "too_dear"),
    *((at("building", bare_table()), 0, Build(god), "DT-10", "too_dear") for god in GODS),
    (with_temples(rich(), 1, thor=3), 0, Build("thor"), "DT-14", "locked"),
    (with_temples(with_temples(rich(), 1, thor=2), 0, thor=3), 0, Build("thor"), "DT-13", "full"),
    (edit(rich(), 0, mines=4), 0, Build("mine"), "DC-4", "no_more_mines"),
    (edit(rich(), 0, wells=3), 0, Build("well"), "DC-4", "no_more_wells"),
    (with_temples(rich(), 0, thor=5, odin=4), 0, Build("tyr"), "DC-4", "no_more_temples"),
    (THOR_TEMPLE, 0, END_PHASE, "DT-11", "keep_first"),
    (THOR_TEMPLE, 0, Keep("weapon_thor"), "DT-11", "keep_first"),
    # Attacks
    (declaring(), 1, Attack("skirmish"), "DT-4", "not_held"),
    (declaring("shield_2"), 1, Attack("shield_2"), "DT-15", "not_attack"),
    (declaring("plunder"), 1, Attack("plunder", ("warhorn",)), "DW-10", "no_weapon"),
    (declaring("plunder", "weapon_odin"), 1, Attack("plunder", ("soulspear",)), "DW-10", "additions"),
    (declaring(), 1, STAND, "DT-15", "declare_first"),
    (declaring(), 1, END_PHASE, "DT-15", "declare_first"),
    (declaring(), 1, Loot((1, 0, 0)), "DT-15", "declare_first"),
    (defending(), 0, END_PHASE, "DT-17", "answer_attack"),
    (defending(), 0, Loot((1, 0, 0)), "DT-17", "answer_attack"),
    (rich(), 0, Loot((1, 0, 0)), "DT-17", "wrong_phase"),
    (defending(), 0, Attack("skirmish"), "DT-17", "answer_attack"),
    (defending(), 0, Shield("shield_1"), "DT-4", "not_held"),
    (defending(), 0, Shield("vein_2"), "DT-17", "not_defence"),
    (defending("warhorn"), 0, Shield("shield_5"), "DW-4", "warhorn"),
    (defending(), 0, RESISTED, "DW-5", "resisted"),
    # Followers
    (rich("followers"), 0, Worship("odin", 1, "blood"), "DT-19", "no_ability"),
    (with_temples(rich("followers"), 0, odin=1), 0, Worship("odin", 2, "blood"), "DT-19", "no_ability"),
    (with_temples(at("followers", bare_table()), 0, odin=1), 0, Worship("odin", 1, "blood"), "DT-19", "too_dear"),
    (worshipped(), 0, Worship("thor", 1, "diamond"), "DT-19", "often_enough"),
    (rich("followers"), 0, ROLL, "DT-19", "no_ability"),
    (with_temples(rich("followers", rolled=True), 0, loki=1), 0, ROLL, "DT-19", "rolled"),
    # Weapons
    (HAND, 1, Bullseye("treasure_2"), "DW-9", "no_weapon"),
    (HAND, 1, Thief(0), "DW-9", "no_weapon"),
    (HAND, 1, GJALLARHORN, "DW-9", "no_weapon"),
    (HAND, 1, Dagger(("skirmish",)), "DW-9", "no_weapon"),
    (give(HAND, 1, "weapon_odin"), 1, Bullseye("treasure_2"), "DW-1", "nothing_there"),
    (give(HAND, 1, "weapon_tyr"), 1, Thief(2), "DW-3", "nothing_there"),
    (give(HAND, 1, "weapon_tyr"), 1, Thief(0, "treasure_2"), "DW-3", "nothing_there"),
    (give(HAND, 1, "weapon_heimdall"), 1, GJALLARHORN, "DW-4", "nothing_there"),
    (give(HAND, 1, "weapon_loki"), 1, Dagger(("skirmish", "plunder")), "DW-7", "nothing_there"),
    (give(HAND, 0, "weapon_freya"), 0, Crown(0, 0), "DW-2", "no_moment"),
    (defending(), 0, Vanish(2), "DW-2", "no_weapon"),
    (defending(), 0, REVENGE, "DW-3", "no_weapon"),
    (give(HAND, 1, "weapon_loki"), 1, BACKSTAB, "DW-7", "no_moment"),
    (HAND, 1, Claim(), "DW-5", "no_weapon"),
    (WINDOW, 0, END_PHASE, "DW-8", "react_first"),
]


@pytest.mark.rule("DT-1", "DT-5", "DT-8", "DT-15", "DT-17", "DT-19", "DW-8", "DW-9", "DE-1")
@pytest.mark.parametrize(("state", "seat", "move", "rule", "word"), REFUSALS)
def test_a_wrong_move_is_refused_with_the_rule_that_forbids_it(
    state: State, seat: int, move: Move, rule: str, word: str
) -> None:
    refusal = refused(state, seat, move)
    assert (refusal.rule, refusal.key) == (rule, f"valda.refuse.{word}")


@pytest.mark.rule("DT-17")
def test_loot_must_be_as_much_as_the_card_says_and_what_is_there() -> None:
    state = give(at("building", with_goods(bare_table(), 0, 3, 1, 0)), 1, "plunder")
    state = play(attacked(state, 1, "plunder"), 0, STAND)
    for loot in ((1, 0, 0), (2, 1, 0), (0, 2, 0), (1, 0, 1), (0, 0, 0)):
        assert refused(state, 1, Loot(loot)).rule == "DT-17"
    assert refused(state, 1, Shield("shield_1")).rule == "DT-17"
    assert set(legal(state, 1)) == {Loot((2, 0, 0)), Loot((1, 1, 0))}
    assert refused(state, 0, Loot((2, 0, 0))).rule == "DT-1"


def test_a_legal_move_has_no_refusal() -> None:
    for state in (HAND, DRAWS, DRAKKAR, THOR_TEMPLE, WINDOW, defending(), lay_open(HAND, 0, "vein_2")):
        for seat in range(3):
            assert [GAME.explain(state, seat, move) for move in legal(state, seat)] == [None] * len(legal(state, seat))
    assert legal(HAND, 0) != []
