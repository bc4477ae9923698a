"""Moments for weapons: DW-8, DW-11, and who could hold one: DW-12."""

import msgspec
import pytest
from msgspec.structs import replace

from app.engine.contract import SPECTATOR
from app.games.valda.moves import (
    BACKSTAB,
    BUILDINGS,
    END_PHASE,
    GODS,
    PASS,
    RESISTED,
    ROLL,
    Build,
    Building,
    Bullseye,
    Claim,
    Crown,
    Dagger,
    Draw,
    DrawCards,
    God,
    Keep,
    Move,
    Name,
    Play,
    Shield,
    Swap,
    Thief,
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
    exhausted,
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
    pass_window,
    play,
    refused,
    rigged,
    suspected,
    temples,
    with_discard,
    with_followers,
    with_goods,
    with_temples,
)


def could(state: State, god: God) -> list[int]:
    """Who could hold the weapon, as everybody is told."""
    return [seat for seat, seen in enumerate(GAME.view(state, SPECTATOR).players) if god in seen.weapons]


def seen_by(state: State, viewer: int) -> bytes:
    return msgspec.json.encode(GAME.view(state, viewer))


def drew(state: State, seat: int, god: God, name: str = "vein_2") -> State:
    """The seat has drawn hidden from the deck and has a hidden card, which is another one."""
    return suspected(give(state, seat, name), seat, god)


def face(die: int, colour: int, what: int, count: int) -> Crown:
    """The move that turns a die to the first face that shows this."""
    return Crown(die, BOX.dice[colour].index((what, count)))


GOLD, DIAMOND, FOLLOWERS = 1, 2, 3
YELLOW, WHITE = 0, 2


# Crown of Fortune


@pytest.mark.rule("DW-8")
def test_no_window_when_nobody_could_hold_the_weapon() -> None:
    state = give(bare_table(), 1, *["vein_2"] * 3)
    for god in GODS:
        if god != "freya":
            state = suspected(state, 1, god)
    state = play(state, 0, ROLL)
    assert (state.window, GAME.to_act(state)) == (None, (0,))
    assert sum(goods(state)) >= 2


@pytest.mark.rule("DW-8", "DW-11")
@pytest.mark.parametrize("asked", [(1,), (2,), (1, 2), (0,), (0, 2), (0, 1, 2)])
def test_a_roll_asks_all_who_could_and_the_roller_too(asked: tuple[int, ...]) -> None:
    state = bare_table()
    for seat in asked:
        state = drew(state, seat, "freya")
    state = play(state, 0, ROLL)
    assert GAME.to_act(state) == GAME.awaited(state) == asked
    assert [legal(state, seat) for seat in range(3)] == [[PASS] if seat in asked else [] for seat in range(3)]


@pytest.mark.rule("DW-11")
def test_all_dice_lie_before_the_window_opens_and_nothing_is_taken_yet() -> None:
    state = play(rigged(drew(bare_table(), 1, "freya"), "gold 2", "diamond 1"), 0, ROLL)
    dice = GAME.view(state, 2).dice
    assert dice is not None
    assert ([die.face for die in dice.dice], dice.settled) == (["gold_2", "diamond_1"], False)
    assert goods(state) == (0, 0, 0)
    assert goods(pass_window(state)) == (0, 2, 1)


@pytest.mark.rule("DW-2")
def test_crown_turns_a_die_to_a_face_of_choice() -> None:
    state = play(rigged(give(bare_table(), 1, "weapon_freya"), "gold 2", "diamond 1"), 0, ROLL)
    assert set(offered(state, 1, Crown)) == {
        *(face(0, YELLOW, *shown) for shown in ((GOLD, 1), (DIAMOND, 1), (DIAMOND, 2))),
        *(face(1, YELLOW, *shown) for shown in ((GOLD, 1), (GOLD, 2), (DIAMOND, 2))),
    }
    assert goods(play(state, 1, face(0, YELLOW, DIAMOND, 2))) == (0, 0, 3)
    assert goods(play(state, 1, face(1, YELLOW, GOLD, 1))) == (0, 3, 0)
    assert goods(play(state, 1, PASS)) == (0, 2, 1)
    assert discard(play(state, 1, face(1, YELLOW, GOLD, 1))) == ["weapon_freya"]


@pytest.mark.rule("DW-2", "DK-6")
@pytest.mark.parametrize("hammer", [False, True])
def test_crown_on_a_rune(hammer: bool) -> None:
    state = give_known(with_followers(at("actions", bare_table()), 9), 0, "rune_white")
    state = give(give(state, 0, "weapon_thor"), 1, "weapon_freya")
    state = play(rigged(state, "followers 2"), 0, Play("rune_white", hammer))
    assert (followers(state), discard(state)) == (9, [])
    state = play(state, 1, face(0, WHITE, FOLLOWERS, -2))
    assert followers(state) == (5 if hammer else 7)
    assert "rune_white" in discard(state)


@pytest.mark.rule("DW-2", "DW-11", "DT-19")
def test_crown_on_ones_own_white_dice() -> None:
    state = with_temples(give(with_followers(at("followers", bare_table()), 9), 0, "weapon_freya"), 0, loki=2)
    state = play(rigged(state, "followers -2", "followers 1"), 0, ROLL)
    assert followers(state) == 9
    assert followers(play(state, 0, face(0, WHITE, FOLLOWERS, 2))) == 12
    assert followers(play(state, 0, PASS)) == 8


@pytest.mark.rule("DW-8")
def test_a_crown_closes_the_window_for_those_who_have_not_answered() -> None:
    state = drew(drew(give(bare_table(), 1, "weapon_freya"), 0, "freya"), 2, "freya")
    state = play(state, 0, ROLL)
    state = play(state, 1, offered(state, 1, Crown)[0])
    assert (state.window, GAME.to_act(state)) == (None, (0,))
    assert could(state, "freya") == []


# An open window never tells who holds what


@pytest.mark.rule("DW-8")
def test_a_window_looks_the_same_whoever_holds_the_weapon() -> None:
    """Whether the hidden card of seat 1 or 2 is the weapon, or it is still in the deck."""
    tables = []
    for one, other in (("weapon_freya", "plenty"), ("plenty", "weapon_freya"), ("plenty", "shield_3")):
        state = give(give(bare_table(), 1, one, deck="freya"), 2, other, deck="freya")
        tables.append(play(rigged(state, "gold 1", "gold 1"), 0, ROLL))
    for viewer in (SPECTATOR, 0):
        assert len({seen_by(state, viewer) for state in tables}) == 1
    assert {GAME.to_act(state) for state in tables} == {(1, 2)}


@pytest.mark.rule("DW-8")
def test_who_cannot_react_passes_unseen() -> None:
    state = drew(give(bare_table(4), 1, "weapon_freya"), 2, "freya")
    state = play(drew(state, 3, "freya"), 0, ROLL)
    assert list(GAME.quiet(state)) == [(2, PASS), (3, PASS)]
    after = play(state, 2, PASS)
    assert GAME.to_act(after) == (1, 2, 3)
    assert (GAME.answered(after), GAME.awaited(after)) == ((2,), (1, 3))
    assert GAME.decision(after) == GAME.decision(state)
    for viewer in (SPECTATOR, 0, 1, 3):
        assert seen_by(after, viewer) == seen_by(state, viewer)
    told = GAME.apply(state, 2, PASS).events
    assert [GAME.redact(event, viewer) for viewer in (SPECTATOR, 0, 1, 3) for event in told] == [None] * 4
    assert legal(after, 2) == []
    assert refused(after, 2, PASS).rule == "DW-8"


@pytest.mark.rule("DW-8")
@pytest.mark.parametrize("order", [(1, 2, 3), (3, 1, 2), (2, 3, 1)])
def test_the_last_answer_ends_the_window_whoever_gives_it(order: tuple[int, ...]) -> None:
    state = rigged(bare_table(4), "gold 1", "diamond 2")
    for seat in order:
        state = drew(state, seat, "freya")
    state = play(state, 0, ROLL)
    for seat in order[:-1]:
        state = play(state, seat, PASS)
        assert state.window is not None
    step = GAME.apply(state, order[-1], PASS)
    assert step.state.window is None
    assert goods(step.state) == (0, 1, 2)
    seen = [redacted for event in step.events if (redacted := GAME.redact(event, SPECTATOR))]
    assert {event.seat for event in seen} == {0}


@pytest.mark.rule("DW-8")
@pytest.mark.parametrize("move", [END_PHASE, ROLL])
def test_the_game_waits_for_the_answers(move: Move) -> None:
    state = play(drew(drew(bare_table(), 0, "freya"), 1, "freya"), 0, ROLL)
    assert refused(state, 0, move).rule == "DW-8"
    assert refused(play(drew(bare_table(), 1, "freya"), 0, ROLL), 0, move).rule == "DT-1"


@pytest.mark.rule("DW-11")
def test_who_is_asked_is_fixed_when_a_window_opens() -> None:
    """Seat 2 steals the weapon in the middle of the window, and is not asked; who had it still is."""
    state = give(give(bare_table(), 1, "weapon_freya"), 2, "weapon_tyr")
    state = play(state, 0, ROLL)
    assert offered(state, 1, Crown) != []
    state = play(state, 2, Thief(1))
    assert hand(state, 2) == ["weapon_freya"]
    assert (GAME.to_act(state), legal(state, 2), legal(state, 1)) == ((1,), [], [PASS])
    assert refused(state, 2, Crown(0, 0)).rule == "DW-2"


@pytest.mark.rule("DW-8", "DW-12")
def test_a_weapon_everybody_knows_of_opens_the_window_for_its_holder_alone() -> None:
    for state in (
        give_known(drew(bare_table(), 2, "freya"), 1, "weapon_freya"),
        drew(give_known(bare_table(), 1, "weapon_freya"), 2, "tyr"),
    ):
        assert GAME.to_act(play(state, 0, ROLL)) == (1,)
    rolling = lay_open(at("actions", give_known(bare_table(), 0, "rune_yellow")), 0, "weapon_freya")
    assert GAME.to_act(play(rolling, 0, Play("rune_yellow"))) == (0,)


# Backstab


def builder(seats: int = 3, **turn: int) -> State:
    return at("building", with_goods(bare_table(seats), 0, 20, 20, 20), **turn)


def finished(state: State, *buildings: Building) -> State:
    """Built, with a card of each temple kept, while everybody lets it happen."""
    for what in buildings:
        state = pass_window(play(state, 0, Build(what))) if state.turn.built == 1 else play(state, 0, Build(what))
        for keep in offered(state, 0, Keep)[:1]:
            state = play(state, 0, keep)
    return state


@pytest.mark.rule("DW-7", "DW-11")
@pytest.mark.parametrize("what", BUILDINGS)
def test_backstab_undoes_the_second_building(what: Building) -> None:
    state = finished(give(builder(), 1, "weapon_loki"), "mine")
    before = state
    state = play(state, 0, Build(what))
    assert (GAME.to_act(state), followers(state), offered(state, 0, Keep)) == ((1,), 0, [])
    assert sum(goods(state)) < sum(goods(before))
    state = play(state, 1, BACKSTAB)
    assert goods(state) == goods(before)
    assert state.supply == before.supply
    assert (temples(state), followers(state), hand(state)) == ({}, 0, [])
    assert (state.players[0].mines, state.players[0].wells) == (3, 0)
    assert discard(state) == ["weapon_loki"]
    assert legal(state) == [END_PHASE]
    assert refused(state, 0, Build(what)).rule == "DT-8"


@pytest.mark.rule("DW-8", "DW-11")
def test_a_building_that_is_let_pass_brings_its_follower_and_card() -> None:
    state = finished(give(builder(), 1, "weapon_loki"), "mine")
    state = play(state, 0, Build("thor"))
    assert set(legal(state, 1)) == {BACKSTAB, PASS}
    state = play(state, 1, PASS)
    assert (temples(state), followers(state)) == ({"thor": 1}, 1)
    assert len(offered(state, 0, Keep)) == 2


@pytest.mark.rule("DW-7", "DW-11")
def test_only_the_second_building_can_be_undone() -> None:
    state = give(builder(limit=4), 1, "weapon_loki")
    windows = []
    for _ in range(2):
        state = play(state, 0, Build("mine"))
        windows.append(state.window is not None)
        state = pass_window(state) if state.window else state
    for _ in range(2):
        state = play(state, 0, Build("well"))
        windows.append(state.window is not None)
    assert windows == [False, True, False, False]
    assert refused(state, 1, BACKSTAB).rule == "DW-7"


@pytest.mark.rule("DW-7", "DW-11")
def test_after_a_backstab_the_next_one_with_yggdrasil_is_the_third() -> None:
    """Even if the weapon has come back to somebody's hand."""
    state = finished(give(builder(limit=3), 1, "weapon_loki"), "mine")
    state = play(play(state, 0, Build("well")), 1, BACKSTAB)
    state = play(give(state, 2, "weapon_odin"), 2, Bullseye("weapon_loki"))
    state = play(state, 0, Build("well"))
    assert (state.window, state.players[0].wells, legal(state)) == (None, 1, [END_PHASE])


@pytest.mark.rule("DW-8")
def test_without_suspicion_the_second_building_stands_at_once() -> None:
    state = suspected(give(builder(), 1, "vein_2"), 1, "freya", "odin")
    state = play(state, 0, Build("mine"), Build("well"))
    assert (state.window, state.players[0].mines, state.players[0].wells) == (None, 3, 1)


@pytest.mark.rule("DW-11")
@pytest.mark.parametrize("others", [(), (1,), (1, 2)])
def test_the_builder_is_never_asked(others: tuple[int, ...]) -> None:
    state = give(builder(), 0, "weapon_loki")
    for seat in others:
        state = drew(state, seat, "loki")
    state = play(state, 0, Build("mine"), Build("mine"))
    assert GAME.to_act(state) == (others or (0,))
    assert BACKSTAB not in legal(state, 0)


@pytest.mark.rule("DW-8")
def test_who_cannot_stab_passes_unseen() -> None:
    state = drew(give(builder(), 1, "weapon_loki"), 2, "loki")
    state = play(state, 0, Build("mine"), Build("mine"))
    assert list(GAME.quiet(state)) == [(2, PASS)]
    assert state.players[0].mines == 3
    after = play(state, 2, PASS)
    assert seen_by(after, 0) == seen_by(state, 0)
    assert play(after, 1, PASS).players[0].mines == 4


@pytest.mark.rule("DW-9", "DW-7")
def test_the_weapon_may_be_used_the_other_way_while_the_window_is_open() -> None:
    state = with_discard(give(builder(), 1, "weapon_loki"), "skirmish")
    state = play(state, 0, Build("mine"), Build("mine"))
    state = play(state, 1, Dagger(("skirmish",)))
    assert legal(state, 1) == [PASS]
    assert play(state, 1, PASS).players[0].mines == 4


# Surtur's Claim


def fended(state: State) -> State:
    state = give(give_known(at("building", state), 1, "skirmish"), 0, "shield_2")
    return defended(attacked(state, 1, "skirmish"), "shield_2")


@pytest.mark.rule("DW-11")
def test_the_window_for_a_claim_opens_only_if_the_attacker_could_hold_it() -> None:
    assert fended(bare_table()).window is None
    others = drew(drew(bare_table(), 0, "surtur"), 2, "surtur")
    assert fended(others).window is None
    asked = fended(drew(bare_table(), 1, "surtur"))
    assert (GAME.to_act(asked), legal(asked, 1), list(GAME.quiet(asked))) == ((1,), [PASS], [(1, PASS)])
    assert GAME.to_act(play(asked, 1, PASS)) == (2,)
    assert sorted(discard(play(asked, 1, PASS))) == ["shield_2", "skirmish"]
    holder = fended(give(bare_table(), 1, "weapon_surtur"))
    assert set(legal(holder, 1)) == {Claim(), PASS}
    assert list(GAME.quiet(holder)) == []


@pytest.mark.rule("DW-11", "DW-5")
def test_after_resisted_nobody_can_claim() -> None:
    state = give(give_known(at("building", bare_table()), 1, "skirmish"), 0, "shield_2", "weapon_surtur")
    state = attacked(drew(state, 1, "surtur"), 1, "skirmish")
    state = play(state, 0, Shield("shield_2"), RESISTED)
    assert (state.window, GAME.to_act(state), could(state, "surtur")) == (None, (2,), [])


# Who could hold a weapon


@pytest.mark.rule("DW-12")
def test_at_the_start_nobody_could_and_base_cards_do_not_count() -> None:
    state = at("actions", GAME.setup(bare_table().options, 3, "seed"))
    state = play(state, 0, DrawCards(2))
    assert [could(state, god) for god in GODS] == [[]] * 7


@pytest.mark.rule("DW-12")
@pytest.mark.parametrize("god", GODS)
def test_who_has_drawn_hidden_could(god: God) -> None:
    drakkar = play(at("actions", give_known(bare_table(), 0, "drakkar")), 0, Play("drakkar"), Name(god))
    temple = play(builder(), 0, Build(god))
    assert could(temple, god) == []
    temple = play(temple, 0, offered(temple, 0, Keep)[0])
    owner = at("resources", with_temples(bare_table(), 0, **{god: 3, "freya": 3}), rolled=True)
    owner = play(owner, 0, END_PHASE, Draw(god))
    last_card = play(exhausted(on_top(builder(), god, f"weapon_{god}"), god, left=1), 0, Build(god))
    for state in (drakkar, temple, owner, last_card):
        assert {other: could(state, other) for other in GODS} == {other: [0] if other == god else [] for other in GODS}


@pytest.mark.rule("DW-12")
def test_who_has_drawn_openly_could_not_unless_it_was_the_weapon() -> None:
    state = at("resources", with_temples(bare_table(), 0, thor=3), rolled=True)
    other = play(on_top(state, "thor", "lightning", "thunder_3"), 0, END_PHASE, Draw("thor"), Draw("thor"))
    assert could(other, "thor") == []
    weapon = play(on_top(state, "thor", "weapon_thor"), 0, END_PHASE, Draw("thor"), Draw("base"))
    assert could(weapon, "thor") == [0]
    assert could(play(weapon, 0, END_PHASE), "thor") == [0]


@pytest.mark.rule("DW-12", "DK-4")
def test_looking_is_not_drawing() -> None:
    state = give_known(at("actions", on_top(bare_table(), "odin", "weapon_odin")), 0, "bifrost")
    state = play(state, 0, Play("bifrost"), Name("odin"), Name("tyr"), Name("thor"))
    assert [could(state, god) for god in GODS] == [[]] * 7


@pytest.mark.rule("DW-12")
def test_who_has_only_known_cards_could_not() -> None:
    state = suspected(give_known(bare_table(), 1, "vein_2", "vein_2"), 1, "freya")
    assert could(state, "freya") == []
    assert play(state, 0, ROLL).window is None
    assert could(give(state, 1, "vein_2"), "freya") == [1]


@pytest.mark.rule("DW-8", "DW-12")
def test_a_weapon_that_is_seen_clears_everybody() -> None:
    state = drew(drew(give(with_discard(bare_table(), "vein_2"), 0, "weapon_odin"), 1, "odin"), 2, "odin")
    assert could(state, "odin") == [0, 1, 2]
    state = play(state, 0, Bullseye("vein_2"))
    assert could(state, "odin") == []


@pytest.mark.rule("DW-8", "DW-12")
def test_while_a_weapon_lies_in_the_discard_nobody_could_hold_it_by_drawing() -> None:
    state = give_known(at("actions", with_discard(bare_table(), "weapon_freya")), 0, "drakkar")
    state = play(state, 0, Play("drakkar"), Name("freya"))
    assert could(state, "freya") == []


@pytest.mark.rule("DW-8", "DW-12")
def test_a_weapon_that_is_sacrificed_or_fetched_has_been_seen() -> None:
    state = with_discard(drew(bare_table(), 2, "thor"), "weapon_thor")
    state = play(give(at("actions", state), 1, "weapon_odin"), 1, Bullseye("weapon_thor"))
    assert (could(state, "thor"), known(state, 1)) == ([1], ["weapon_thor"])


# Thefts


def robbed(state: State) -> State:
    """Seat 1 takes a random card of seat 0's hand."""
    return defended(attacked(give_known(at("building", state), 1, "pickpocket"), 1, "pickpocket"))


@pytest.mark.rule("DW-12")
def test_a_hidden_card_from_somebody_who_could_makes_the_thief_a_suspect() -> None:
    suspect = robbed(drew(give(bare_table(), 0, "vein_2"), 0, "odin"))
    assert could(suspect, "odin") == [0, 1]
    assert could(robbed(drew(bare_table(), 0, "odin")), "odin") == [1]
    assert could(robbed(give(bare_table(), 0, "vein_2", "vein_2")), "odin") == []


@pytest.mark.rule("DW-12")
def test_after_a_hidden_theft_one_of_each_known_kind_stops_being_known() -> None:
    state = give_known(bare_table(), 0, "vein_2", "vein_2", "shield_1", "skirmish", "skirmish", "skirmish")
    state = robbed(state)
    assert known(state, 0) == known(state, 0, viewer=2) == ["skirmish", "skirmish", "vein_2"]
    assert known(state, 1) == []
    assert len(hand(state, 0)) == 5


@pytest.mark.rule("DW-12")
def test_the_two_know_what_was_stolen() -> None:
    state = robbed(give_known(bare_table(), 0, "vein_2", "shield_1"))
    (stolen,) = hand(state, 1)
    assert known(state, 0, viewer=1) == hand(state, 0)
    assert known(state, 1, viewer=0) == [stolen]
    assert known(state, 1, viewer=2) == []


@pytest.mark.rule("DW-12")
def test_after_the_theft_of_two_cards_two_of_each_kind_stop_being_known() -> None:
    state = give_known(bare_table(), 0, "vein_2", "vein_2", "vein_2", "shield_1", "shield_1")
    state = defended(attacked(give_known(at("building", state), 1, "sleight"), 1, "sleight"))
    assert known(state, 0) == ["vein_2"]


@pytest.mark.rule("DW-12")
def test_a_known_weapon_may_be_with_either_after_a_hidden_theft() -> None:
    for number in range(8):
        state = give_known(bare_table(), 0, "weapon_freya", "vein_2")
        state = replace(state, rng=GAME.setup(state.options, 3, f"seed {number}").rng)
        state = robbed(state)
        assert could(state, "freya") == [0, 1]
        assert (known(state, 0), known(state, 1)) == ([], [])


@pytest.mark.rule("DW-12", "DW-3")
def test_thief_is_a_hidden_theft_too_but_not_of_a_face_up_card() -> None:
    state = give(drew(at("actions", bare_table()), 0, "odin"), 1, "weapon_tyr")
    state = lay_open(give_known(state, 0, "shield_1"), 0, "skirmish")
    hidden = play(state, 1, Thief(0))
    assert (could(hidden, "odin"), known(hidden, 0)) == ([0, 1], [])
    openly = play(state, 1, Thief(0, "skirmish"))
    assert (could(openly, "odin"), known(openly, 0), known(openly, 1)) == ([0], ["shield_1"], ["skirmish"])


@pytest.mark.rule("DW-12", "DK-10")
def test_a_swap_makes_suspects_both_ways() -> None:
    state = give_known(at("actions", bare_table()), 0, "shapeshifter", "shield_1")
    state = drew(drew(state, 0, "odin"), 1, "tyr")
    state = give_known(give(state, 1, "spoils_2"), 1, "skirmish", "skirmish")
    state = play(state, 0, Play("shapeshifter"), Swap(1, 1))
    assert (could(state, "odin"), could(state, "tyr")) == ([0, 1], [0, 1])
    assert (known(state, 0), known(state, 1)) == ([], ["skirmish"])


@pytest.mark.rule("DW-12")
def test_a_known_card_that_is_played_is_the_known_one() -> None:
    state = give(give_known(at("actions", bare_table()), 0, "vein_2"), 0, "vein_2")
    state = play(state, 0, Play("vein_2"))
    assert (hand(state), known(state, 0)) == (["vein_2"], [])
