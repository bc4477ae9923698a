"""The second phase: DT-3 to DT-7."""

import pytest

from app.engine.contract import SPECTATOR
from app.games.valda.moves import (
    DONE,
    DRAW_CARDS,
    END_PHASE,
    GODS,
    TAKE,
    Discard,
    Draw,
    DrawCards,
    Name,
    Play,
    Take,
    Wander,
)
from app.games.valda.state import State
from tests.games.valda.tabletop import (
    BOX,
    GAME,
    at,
    bare_table,
    deck_of,
    discard,
    exhausted,
    face_up,
    give,
    give_known,
    goods,
    hand,
    hoarded,
    known,
    lay_open,
    legal,
    offered,
    on_top,
    play,
    refused,
    with_goods,
    with_temples,
)

FREE = ("bifrost", "plenty", "thunder_3", "yggdrasil_3", "yggdrasil_4")
COSTLY = sorted({card.name for card in BOX.cards if card.kind == "yellow"} - set(FREE))


def before_the_draws(**temples: int) -> State:
    """Five known base cards are on top of the deck."""
    state = on_top(bare_table(), "base", "treasure_2", "shield_1", "skirmish", "vein_2", "spoils_2")
    return at("resources", with_temples(state, 0, **temples), rolled=True)


def acting(*cards: str, actions: int = 3) -> State:
    return at("actions", give_known(bare_table(), 0, *cards), actions=actions)


# The draws


@pytest.mark.rule("DT-3")
def test_two_base_cards_face_up_before_all() -> None:
    state = play(before_the_draws(), 0, END_PHASE)
    assert (state.turn.phase, state.turn.actions) == ("actions", 3)
    for viewer in (SPECTATOR, 0, 1, 2):
        assert GAME.view(state, viewer).players[0].open == ("treasure_2", "shield_1")
    assert hand(state) == []
    assert deck_of(state, "base")[0] == "skirmish"


@pytest.mark.rule("DT-3")
@pytest.mark.parametrize(
    ("freya", "drawn"),
    [(1, ["shield_1", "treasure_2"]), (2, ["shield_1", "skirmish", "treasure_2"])],
)
def test_with_freya_the_draws_are_hidden_and_with_two_temples_three(freya: int, drawn: list[str]) -> None:
    state = play(before_the_draws(freya=freya), 0, END_PHASE)
    assert (hand(state), face_up(state), known(state, 0)) == (drawn, [], [])


@pytest.mark.rule("DT-3", "DT-14")
@pytest.mark.parametrize("decks", [("thor", "thor"), ("base", "thor"), ("thor", "base"), ("base", "base")])
def test_the_owner_of_an_area_takes_any_of_the_draws_from_its_deck(decks: tuple[str, str]) -> None:
    state = on_top(before_the_draws(thor=3), "thor", "lightning", "thunder_3")
    tops = {"base": iter(deck_of(state, "base")), "thor": iter(deck_of(state, "thor"))}
    expected = [next(tops[deck]) for deck in decks]
    state = play(state, 0, END_PHASE)
    assert legal(state) == [Draw("base"), Draw("thor")]
    state = play(state, 0, *(Draw(deck) for deck in decks))  # type: ignore[arg-type]
    assert face_up(state) == expected
    assert END_PHASE in legal(state)


@pytest.mark.rule("DT-3")
def test_the_owner_of_several_areas_chooses_among_them() -> None:
    state = play(before_the_draws(thor=3, odin=4), 0, END_PHASE)
    assert legal(state) == [Draw("base"), Draw("thor"), Draw("odin")]


@pytest.mark.rule("DT-3")
@pytest.mark.parametrize("freya", [1, 2])
def test_an_owner_with_freya_draws_hidden_from_any_deck(freya: int) -> None:
    state = on_top(before_the_draws(thor=3, freya=freya), "thor", "lightning")
    state = play(state, 0, END_PHASE, Draw("thor"), Draw("base"))
    if freya == 2:
        state = play(state, 0, Draw("base"))
        assert hand(state) == ["lightning", "shield_1", "treasure_2"]
    else:
        assert hand(state) == ["lightning", "treasure_2"]
    assert (face_up(state), known(state, 0)) == ([], [])
    assert offered(state, 0, Draw) == []


@pytest.mark.rule("DT-3")
def test_two_temples_do_not_own_and_an_empty_deck_is_not_drawn_from() -> None:
    assert offered(play(before_the_draws(thor=2), 0, END_PHASE), 0, Draw) == []
    state = play(exhausted(before_the_draws(thor=3), "thor"), 0, END_PHASE)
    assert Draw("thor") not in legal(state)
    assert face_up(state) == ["treasure_2", "shield_1"]


@pytest.mark.rule("DT-3", "DT-14")
def test_somebody_elses_area_is_not_drawn_from() -> None:
    state = with_temples(before_the_draws(), 1, thor=3)
    assert offered(play(state, 0, END_PHASE), 0, Draw) == []


# Face-up cards


@pytest.mark.rule("DT-4")
def test_face_up_cards_are_used_like_hand_cards() -> None:
    state = play(lay_open(acting(), 0, "treasure_2", "spoils_2"), 0, Play("spoils_2"))
    assert goods(state) == (0, 0, 2)
    assert face_up(state) == ["treasure_2"]


@pytest.mark.rule("DT-4")
@pytest.mark.parametrize("deck", ["heimdall", "tyr", "thor"])
def test_of_two_equal_cards_the_face_up_one_goes_first(deck: str) -> None:
    """Equal is what has the same name, whichever deck it came from."""
    state = give(at("actions", bare_table()), 0, "treasure_3", deck=deck)  # type: ignore[arg-type]
    state = lay_open(state, 0, "treasure_3")
    first = play(state, 0, Play("treasure_3"))
    assert (face_up(first), hand(first)) == ([], ["treasure_3"])
    assert first.players[0].hand == state.players[0].hand
    assert hand(play(first, 0, Play("treasure_3"))) == []


@pytest.mark.rule("DT-4")
def test_at_the_end_face_up_cards_join_the_hand_still_known() -> None:
    state = lay_open(give(at("actions", bare_table()), 0, "vein_2"), 0, "shield_1", "skirmish")
    state = play(state, 0, END_PHASE)
    assert (hand(state), face_up(state)) == (["shield_1", "skirmish", "vein_2"], [])
    for viewer in (SPECTATOR, 1, 2):
        assert sorted(GAME.view(state, viewer).players[0].known) == ["shield_1", "skirmish"]


# Actions


@pytest.mark.rule("DT-5")
@pytest.mark.parametrize("resource", [0, 1, 2])
def test_three_actions_may_all_be_the_same(resource: int) -> None:
    state = play(acting(), 0, *[TAKE[resource]] * 3)
    assert goods(state)[resource] == 3
    assert state.turn.actions == 0
    assert legal(state) == [END_PHASE]


@pytest.mark.rule("DT-5")
def test_actions_are_freely_combined() -> None:
    state = play(acting("treasure_2"), 0, Take("blood"), Play("treasure_2"), Take("diamond"))
    assert goods(state) == (1, 2, 1)
    assert state.turn.actions == 0


@pytest.mark.rule("DT-5")
def test_two_hidden_base_cards_for_two_actions() -> None:
    state = on_top(acting(), "base", "vein_2", "shield_2")
    state = play(state, 0, DrawCards(2))
    assert (hand(state), known(state, 0), state.turn.actions) == (["shield_2", "vein_2"], [], 1)
    assert refused(state, 0, DrawCards(2)).rule == "DT-5"


@pytest.mark.rule("DT-5")
@pytest.mark.parametrize("freya", [0, 1, 2])
def test_with_freya_one_base_card_for_one_action(freya: int) -> None:
    state = with_temples(on_top(acting(), "base", "vein_2"), 0, freya=freya)
    if not freya:
        assert refused(state, 0, DrawCards(1)).rule == "DT-5"
        return
    state = play(state, 0, DrawCards(1))
    assert (hand(state), known(state, 0), state.turn.actions) == (["vein_2"], [], 2)
    assert DRAW_CARDS[1] in legal(state)
    assert DRAW_CARDS[0] in legal(play(state, 0, Take("gold")))


@pytest.mark.rule("DC-3", "DT-5")
def test_what_is_not_in_the_supply_cannot_be_taken() -> None:
    state = with_goods(acting(), 1, gold=30)
    assert offered(state, 0, Take) == [Take("blood"), Take("diamond")]
    assert refused(state, 0, Take("gold")).rule == "DC-3"


@pytest.mark.rule("DT-5", "DC-1")
@pytest.mark.parametrize("card", ["skirmish", "shield_1", "weapon_odin"])
def test_only_yellow_cards_are_played_for_an_action(card: str) -> None:
    assert refused(acting(card), 0, Play(card)).rule == "DC-1"


# Playing cards


@pytest.mark.rule("DT-6")
@pytest.mark.parametrize("card", FREE)
def test_free_cards_cost_no_action(card: str) -> None:
    bonus = 2 if card == "plenty" else 0
    for actions in (0, 3):
        assert play(acting(card, actions=actions), 0, Play(card)).turn.actions == actions + bonus


@pytest.mark.rule("DT-5", "DT-6")
@pytest.mark.parametrize("card", COSTLY)
def test_all_other_yellow_cards_cost_one(card: str) -> None:
    assert play(acting(card), 0, Play(card)).turn.actions == 2
    assert refused(acting(card, actions=0), 0, Play(card)).rule == "DT-5"


@pytest.mark.rule("DT-6", "DK-9")
@pytest.mark.parametrize("card", ["war", "embers", "leader", "barter", "favour", "shrine", "shapeshifter", "toll"])
def test_a_card_without_effect_is_wasted(card: str) -> None:
    """There is no other card and no resource at this table that it could do something with."""
    state = play(acting(card), 0, Play(card))
    assert (state.task, state.turn.actions) == (None, 2)
    assert (hand(state), discard(state)) == ([], [card])


@pytest.mark.rule("DT-6")
def test_a_card_is_being_played_until_its_effect_is_done() -> None:
    state = play(acting("drakkar"), 0, Play("drakkar"))
    assert (hand(state), discard(state)) == ([], [])
    assert GAME.view(state, 1).task.cards == ("drakkar",)  # type: ignore[union-attr]
    state = play(state, 0, Name("odin"))
    assert discard(state) == ["drakkar"]


@pytest.mark.rule("DT-6", "DK-15")
def test_a_card_being_played_is_not_drawn_by_itself() -> None:
    state = exhausted(acting("backup_2"), "base")
    state = hoarded(play(at("actions", state), 0, DrawCards(2)), 1)
    before = hand(state)
    after = play(state, 0, Play("backup_2"))
    before.remove("backup_2")
    assert hand(after) == before
    assert discard(after) == ["backup_2"]


@pytest.mark.rule("DT-6")
def test_a_player_may_stop_early() -> None:
    state = with_temples(acting("shrine"), 0, thor=1)
    state = play(state, 0, Play("shrine"))
    assert Wander("thor", "odin") in legal(state)
    state = play(state, 0, DONE)
    assert discard(state) == ["shrine"]
    assert state.players[0].temples == tuple(int(god == "thor") for god in GODS)


# The end of the phase


def crowded(hidden: int, *open_: str) -> State:
    """So many different cards in the hand, and these before the player."""
    names = [card.name for card in BOX.cards if card.deck == 0 and card.name not in open_]
    return lay_open(give(at("actions", bare_table()), 0, *names[:hidden]), 0, *open_)


@pytest.mark.rule("DT-7")
@pytest.mark.parametrize(("hidden", "open_"), [(10, ()), (8, ("shield_1", "shield_2")), (0, ())])
def test_ten_cards_may_stay(hidden: int, open_: tuple[str, ...]) -> None:
    state = play(crowded(hidden, *open_), 0, END_PHASE)
    assert (state.turn.phase, state.task) == ("building", None)
    assert len(hand(state)) == hidden + len(open_)


@pytest.mark.rule("DT-7")
def test_more_than_ten_are_discarded_one_at_a_time_the_face_up_ones_included() -> None:
    state = play(crowded(10, "shield_1", "shield_2"), 0, END_PHASE)
    assert set(legal(state)) == {Discard(name) for name in hand(state)}
    assert Discard("shield_1") in legal(state)
    state = play(state, 0, Discard("shield_1"))
    assert state.turn.phase == "actions"
    assert refused(state, 0, END_PHASE).rule == "DT-7"
    state = play(state, 0, Discard("treasure_2"))
    assert state.turn.phase == "building"
    assert discard(state) == ["shield_1", "treasure_2"]
    assert len(hand(state)) == 10


@pytest.mark.rule("DT-7")
def test_the_phase_goes_on_until_its_player_ends_it() -> None:
    state = play(acting(actions=1), 0, Take("gold"))
    assert (state.turn.phase, legal(state)) == ("actions", [END_PHASE])
    assert play(state, 0, END_PHASE).turn.phase == "building"


@pytest.mark.rule("DT-7")
def test_others_are_not_held_to_ten_cards() -> None:
    names = [card.name for card in BOX.cards if card.deck == 0]
    state = play(give(at("actions", bare_table()), 1, *names[:12]), 0, END_PHASE)
    assert state.turn.phase == "building"
    assert len(hand(state, 1)) == 12
