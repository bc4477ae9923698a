"""Yellow cards: DK-1 to DK-10, and the reshuffle DK-15."""

import pytest
from msgspec.structs import replace

from app.engine.contract import SPECTATOR
from app.games.valda.moves import (
    DONE,
    END_PHASE,
    GIVE,
    GODS,
    RESOURCES,
    TAKE,
    Borrow,
    Build,
    Convert,
    Discard,
    Draw,
    DrawCards,
    Exchange,
    Fetch,
    Give,
    God,
    Keep,
    Name,
    Play,
    Resource,
    Swap,
    Take,
    Wander,
    Worship,
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
    hoarded,
    keys,
    known,
    lay_open,
    legal,
    offered,
    on_top,
    play,
    play_and_tell,
    refused,
    rigged,
    temples,
    with_discard,
    with_followers,
    with_goods,
    with_temples,
)


def acting(*cards: str, seats: int = 3) -> State:
    return at("actions", give_known(bare_table(seats), 0, *cards))


def nothing_left_of(state: State, card: str) -> bool:
    """Its effect is done: it lies on the discard, and the turn goes on."""
    return state.task is None and discard(state)[-1:] == [card] and END_PHASE in legal(state)


# Simple gains


@pytest.mark.rule("DK-1")
@pytest.mark.parametrize(
    ("card", "gained"),
    [
        ("treasure_2", (0, 2, 0)),
        ("treasure_3", (0, 3, 0)),
        ("spoils_2", (0, 0, 2)),
        ("spoils_3", (0, 0, 3)),
        ("vein_2", (2, 0, 0)),
        ("vein_3", (3, 0, 0)),
    ],
)
def test_cards_that_bring_resources(card: str, gained: tuple[int, ...]) -> None:
    state = play(acting(card), 0, Play(card))
    assert goods(state) == gained
    assert nothing_left_of(state, card)


@pytest.mark.rule("DC-3", "DK-1")
def test_a_card_brings_what_is_left_of_the_supply() -> None:
    state = play(with_goods(acting("treasure_3"), 1, gold=28), 0, Play("treasure_3"))
    assert goods(state) == (0, 2, 0)


@pytest.mark.rule("DK-1")
@pytest.mark.parametrize(("card", "gained"), [("seduction_1", 1), ("seduction_2", 2)])
def test_seduction_brings_followers(card: str, gained: int) -> None:
    state = play(with_followers(acting(card), 4), 0, Play(card))
    assert followers(state) == 4 + gained
    assert nothing_left_of(state, card)


@pytest.mark.rule("DK-2")
@pytest.mark.parametrize(("card", "drawn"), [("backup_2", 2), ("backup_3", 3), ("thunder_3", 3)])
def test_cards_that_draw_base_cards_hidden(card: str, drawn: int) -> None:
    state = acting(card)
    top = deck_of(state, "base")[:drawn]
    state = play(state, 0, Play(card))
    assert (hand(state), known(state, 0), face_up(state)) == (sorted(top), [], [])
    assert nothing_left_of(state, card)


# Decks


@pytest.mark.rule("DK-3")
def test_drakkar_draws_the_top_card_of_a_god_deck_hidden() -> None:
    state = exhausted(on_top(acting("drakkar"), "odin", "leader"), "loki")
    state = play(state, 0, Play("drakkar"))
    assert offered(state, 0, Name) == [Name(god) for god in GODS if god != "loki"]
    state = play(state, 0, Name("odin"))
    assert (hand(state), known(state, 0)) == (["leader"], [])
    assert nothing_left_of(state, "drakkar")


@pytest.mark.rule("DK-4")
def test_bifrost_looks_at_the_tops_of_three_different_decks() -> None:
    state = play(acting("bifrost"), 0, Play("bifrost"), Name("odin"))
    assert Name("odin") not in legal(state)
    state = play(state, 0, Name("tyr"), Name("loki"))
    assert nothing_left_of(state, "bifrost")
    assert hand(state) == []
    for god in GODS:
        looked = {1: deck_of(state, god)[0]} if god in ("odin", "tyr", "loki") else {}
        assert GAME.view(state, 0).decks[god].known == looked
        for viewer in (SPECTATOR, 1, 2):
            assert GAME.view(state, viewer).decks[god].known == {}


@pytest.mark.rule("DK-4")
@pytest.mark.parametrize("left", [("tyr", "odin"), ("tyr", "odin", "loki"), ()])
def test_bifrost_looks_at_all_where_there_are_no_more_than_three(left: tuple[God, ...]) -> None:
    state = acting("bifrost")
    for god in GODS:
        if god not in left:
            state = exhausted(state, god)
    state = play(state, 0, Play("bifrost"))
    assert nothing_left_of(state, "bifrost")
    assert {god for god in GODS if GAME.view(state, 0).decks[god].known} == set(left)


# Runes


@pytest.mark.rule("DK-6")
@pytest.mark.parametrize(
    ("card", "shown", "gained"),
    [
        ("rune_yellow", "gold 2", 2),
        ("rune_yellow", "diamond 1", 1),
        ("rune_blue", "blood 1", 1),
        ("rune_blue", "blood 2", 2),
        ("rune_white", "followers 2", 2),
        ("rune_white", "followers -1", -1),
        ("rune_white", "followers -2", -2),
    ],
)
def test_a_rune_rolls_its_die_for_followers(card: str, shown: str, gained: int) -> None:
    state = play(rigged(with_followers(acting(card), 8), shown), 0, Play(card))
    assert followers(state) == 8 + gained
    assert goods(state) == (0, 0, 0)
    assert nothing_left_of(state, card)


@pytest.mark.rule("DK-6", "DT-18")
@pytest.mark.parametrize(("had", "left"), [(5, 5), (6, 5), (7, 5), (1, 0), (0, 0), (20, 20), (21, 20)])
def test_a_negative_rune_stops_at_a_safe_zone(had: int, left: int) -> None:
    state = rigged(with_followers(acting("rune_white"), had), "followers -2")
    assert followers(play(state, 0, Play("rune_white"))) == left


# Cards for followers, blood, cards


@pytest.mark.rule("DK-7")
def test_sacrifice_discards_up_to_four_cards_of_any_kind() -> None:
    state = acting("sacrifice", "treasure_2", "shield_1", "weapon_odin", "vein_2")
    state = lay_open(state, 0, "skirmish")
    state = play(state, 0, Play("sacrifice"), Discard("weapon_odin"), Discard("skirmish"), Discard("shield_1"))
    assert followers(state) == 3
    stopped = play(state, 0, DONE)
    assert (followers(stopped), hand(stopped)) == (3, ["treasure_2", "vein_2"])
    state = play(state, 0, Discard("vein_2"))
    assert (followers(state), hand(state)) == (4, ["treasure_2"])
    assert nothing_left_of(state, "sacrifice")


@pytest.mark.rule("DK-7")
def test_sacrifice_ends_with_the_last_card() -> None:
    state = play(acting("sacrifice", "vein_2"), 0, Play("sacrifice"), Discard("vein_2"))
    assert followers(state) == 1
    assert nothing_left_of(state, "sacrifice")


@pytest.mark.rule("DK-8")
def test_leader_turns_up_to_five_gold_and_diamonds_into_blood() -> None:
    state = play(with_goods(acting("leader"), 0, gold=4, diamond=4), 0, Play("leader"))
    state = play(state, 0, *[Convert("gold")] * 3, Convert("diamond"))
    assert goods(play(state, 0, DONE)) == (4, 1, 3)
    state = play(state, 0, Convert("diamond"))
    assert goods(state) == (5, 1, 2)
    assert state.supply == (25, 29, 28)
    assert nothing_left_of(state, "leader")


@pytest.mark.rule("DK-8", "DC-3")
def test_leader_stops_where_there_is_no_blood() -> None:
    state = with_goods(with_goods(acting("leader"), 0, gold=5), 1, blood=29)
    state = play(state, 0, Play("leader"), Convert("gold"))
    assert goods(state) == (1, 4, 0)
    assert nothing_left_of(state, "leader")


@pytest.mark.rule("DK-9", "DK-10", "DW-10")
@pytest.mark.parametrize(
    ("card", "fetched", "left"),
    [("war", "shield_4", ["skirmish", "treasure_2"]), ("embers", "skirmish", ["shield_4", "treasure_2"])],
)
def test_cards_that_fetch_from_the_discard(card: str, fetched: str, left: list[str]) -> None:
    other = "shield_1" if card == "war" else "plunder"
    state = with_discard(acting(card), "shield_4", "skirmish", "treasure_2", other)
    state = play(state, 0, Play(card))
    assert {move.card for move in offered(state, 0, Fetch)} == {fetched, other}
    state = play(state, 0, Fetch(fetched))
    assert (hand(state), known(state, 0)) == ([fetched], [fetched])
    assert discard(state) == [*left, other, card]


# Ours


@pytest.mark.rule("DK-10")
def test_watcher_takes_three_resources_of_choice() -> None:
    state = play(acting("watcher"), 0, Play("watcher"), *[Take("blood")] * 2, Take("gold"))
    assert (goods(state), state.turn.actions) == ((2, 1, 0), 2)
    assert nothing_left_of(state, "watcher")


@pytest.mark.rule("DK-10", "DC-3")
def test_watcher_takes_what_is_left() -> None:
    state = with_goods(with_goods(acting("watcher"), 1, blood=30, gold=30), 2, diamond=28)
    state = play(state, 0, Play("watcher"))
    assert offered(state, 0, Take) == [TAKE[2]]
    state = play(state, 0, TAKE[2], TAKE[2])
    assert goods(state) == (0, 0, 2)
    assert nothing_left_of(state, "watcher")


@pytest.mark.rule("DK-10")
def test_plenty_gives_two_more_actions_for_nothing() -> None:
    state = play(acting("plenty"), 0, Play("plenty"))
    assert state.turn.actions == 5
    assert nothing_left_of(state, "plenty")


def shifting(mine: tuple[str, ...], theirs: tuple[str, ...]) -> State:
    state = give(give(acting("shapeshifter"), 0, *mine), 1, *theirs)
    return play(state, 0, Play("shapeshifter"))


@pytest.mark.rule("DK-10")
@pytest.mark.parametrize(
    ("mine", "theirs", "counts"),
    [(3, 3, [1, 2]), (1, 3, [1]), (3, 1, [1]), (2, 2, [1, 2])],
)
def test_shapeshifter_swaps_up_to_two_random_cards(mine: int, theirs: int, counts: list[int]) -> None:
    state = shifting(("treasure_2",) * mine, ("spoils_2",) * theirs)
    assert offered(state, 0, Swap) == [Swap(1, count) for count in counts]
    count = counts[-1]
    state = play(state, 0, Swap(1, count))
    assert hand(state, 0) == ["spoils_2"] * count + ["treasure_2"] * (mine - count)
    assert hand(state, 1) == ["spoils_2"] * (theirs - count) + ["treasure_2"] * count
    assert nothing_left_of(state, "shapeshifter")


@pytest.mark.rule("DK-10")
def test_shapeshifter_takes_from_hands_only() -> None:
    state = lay_open(shifting(("treasure_2",), ("spoils_2",)), 0, "vein_2")
    state = play(state, 0, Swap(1, 1))
    assert (hand(state, 0), face_up(state, 0), hand(state, 1)) == (["spoils_2"], ["vein_2"], ["treasure_2"])


@pytest.mark.rule("DK-10")
def test_shapeshifter_draws_on_both_sides_before_the_exchange() -> None:
    """A card that has just come over is never the one that goes back."""
    for number in range(20):
        state = shifting(("treasure_2", "vein_2"), ("shield_1", "shield_2"))
        state = replace(state, rng=GAME.setup(state.options, 3, f"seed {number}").rng)
        state = play(state, 0, Swap(1, 2))
        assert (hand(state, 0), hand(state, 1)) == (["shield_1", "shield_2"], ["treasure_2", "vein_2"])


@pytest.mark.rule("DK-10")
def test_shapeshifter_takes_random_cards() -> None:
    came = set()
    for number in range(20):
        state = shifting(("treasure_2", "vein_2"), ("shield_1", "shield_2"))
        state = replace(state, rng=GAME.setup(state.options, 3, f"seed {number}").rng)
        came.add(tuple(hand(play(state, 0, Swap(1, 1)), 1)))
    assert came == {
        tuple(sorted((mine, kept))) for mine in ("treasure_2", "vein_2") for kept in ("shield_1", "shield_2")
    }


def bartering(mine: dict[str, int], theirs: dict[str, int]) -> State:
    state = with_goods(with_goods(acting("barter"), 0, **mine), 1, **theirs)
    return play(state, 0, Play("barter"))


@pytest.mark.rule("DK-10")
def test_barter_swaps_up_to_two_resources() -> None:
    state = bartering({"gold": 3}, {"blood": 1, "diamond": 3})
    state = play(state, 0, Exchange(1, "gold", "blood"))
    stopped = play(state, 0, DONE)
    assert (goods(stopped, 0), goods(stopped, 1)) == ((1, 2, 0), (0, 1, 3))
    state = play(state, 0, Exchange(1, "gold", "diamond"))
    assert (goods(state, 0), goods(state, 1)) == ((1, 1, 1), (0, 2, 2))
    assert nothing_left_of(state, "barter")


@pytest.mark.rule("DK-10")
def test_barter_is_with_one_player() -> None:
    state = with_goods(bartering({"gold": 3}, {"blood": 3}), 2, blood=3)
    assert {move.seat for move in offered(state, 0, Exchange)} == {1, 2}
    state = play(state, 0, Exchange(2, "gold", "blood"))
    assert {move.seat for move in offered(state, 0, Exchange)} == {2}


@pytest.mark.rule("DK-10")
def test_in_a_barter_no_kind_goes_both_ways() -> None:
    state = bartering({"gold": 3, "diamond": 3, "blood": 3}, {"gold": 3, "diamond": 3, "blood": 3})
    pairs = {(move.give, move.take) for move in offered(state, 0, Exchange) if move.seat == 1}
    assert pairs == {(give, take) for give in RESOURCES for take in RESOURCES if give != take}
    state = play(state, 0, Exchange(1, "gold", "blood"))
    pairs = {(move.give, move.take) for move in offered(state, 0, Exchange)}
    assert pairs == {("gold", "blood"), ("gold", "diamond"), ("diamond", "blood")}


# Borrowed Favour


def borrowing(**theirs: int) -> State:
    return with_temples(acting("favour"), 1, **theirs)


@pytest.mark.rule("DK-10")
def test_what_can_be_borrowed_is_what_another_has_and_one_lacks() -> None:
    state = with_temples(borrowing(thor=2, odin=1, loki=3), 0, thor=1, odin=1)
    state = play(state, 0, Play("favour"))
    assert set(offered(state, 0, Borrow)) == {Borrow("thor", 2), Borrow("loki", 1), Borrow("loki", 2)}
    state = play(state, 0, Borrow("loki", 1))
    assert nothing_left_of(state, "favour")
    assert GAME.view(state, 1).players[0].abilities == {"thor": (1,), "odin": (1,), "loki": (1,)}
    assert GAME.view(state, 1).players[1].abilities == {"thor": (1, 2), "odin": (1,), "loki": (1, 2)}


@pytest.mark.rule("DK-10", "DT-5")
def test_a_borrowed_freya_draws_single_cards() -> None:
    state = play(borrowing(freya=1), 0, Play("favour"), Borrow("freya", 1), DrawCards(1))
    assert len(hand(state)) == 1


@pytest.mark.rule("DK-10", "DT-19")
def test_a_borrowed_level_is_just_that_level() -> None:
    state = play(borrowing(thor=2), 0, Play("favour"), Borrow("thor", 2))
    state = with_goods(at("followers", state, borrowed=state.turn.borrowed), 0, gold=6)
    assert offered(state, 0, Worship) == [Worship("thor", 2, "gold")]


@pytest.mark.rule("DK-10", "DT-17")
def test_a_borrowed_tyr_helps_in_the_attacks_on_this_turn() -> None:
    state = give(give(borrowing(tyr=1), 0, "shield_1"), 2, "skirmish")
    state = with_followers(play(state, 0, Play("favour"), Borrow("tyr", 1), END_PHASE), 3)
    assert followers(defended(attacked(state, 2, "skirmish"), "shield_1")) == 3


@pytest.mark.rule("DK-10")
def test_a_loan_ends_with_the_turn() -> None:
    state = play(borrowing(thor=1), 0, Play("favour"), Borrow("thor", 1))
    assert GAME.view(state, 1).players[0].abilities == {"thor": (1,)}
    state = play(at("followers", state, borrowed=state.turn.borrowed), 0, END_PHASE)
    assert GAME.view(state, 1).players[0].abilities == {}
    assert state.turn.borrowed == ()


@pytest.mark.rule("DK-10", "DT-14")
def test_the_ownership_of_an_area_is_never_borrowed() -> None:
    state = play(borrowing(thor=3), 0, Play("favour"), Borrow("thor", 2))
    assert GAME.view(state, 0).owners["thor"] == 1
    state = with_goods(at("building", state, borrowed=state.turn.borrowed), 0, blood=9, gold=9, diamond=9)
    assert refused(state, 0, Build("thor")).rule == "DT-14"


# Toll


def tolled(seats: int, *has: tuple[int, int, int]) -> State:
    """What the seats after the first have."""
    state = acting("toll", seats=seats)
    for seat, (blood, gold, diamond) in enumerate(has, start=1):
        state = with_goods(state, seat, blood, gold, diamond)
    return play(state, 0, Play("toll"))


@pytest.mark.rule("DK-10")
@pytest.mark.parametrize("order", [(1, 2, 3), (3, 1, 2), (2, 3, 1)])
def test_all_others_are_asked_for_the_toll_at_once(order: tuple[int, ...]) -> None:
    state = tolled(4, (1, 1, 0), (0, 1, 1), (2, 0, 2))
    gives: dict[int, Resource] = {1: "gold", 2: "diamond", 3: "blood"}
    assert GAME.to_act(state) == (1, 2, 3)
    assert legal(state, 0) == []
    assert legal(state, 1) == [GIVE[0], GIVE[1]]
    for seat in order:
        assert discard(state) == []
        state = play(state, seat, Give(gives[seat]))
        assert legal(state, seat) == []
    assert [goods(state, seat) for seat in range(4)] == [(1, 1, 1), (1, 0, 0), (0, 1, 0), (1, 0, 2)]
    assert nothing_left_of(state, "toll")


@pytest.mark.rule("DK-10")
def test_who_has_none_gives_none_and_who_has_no_choice_is_not_asked() -> None:
    state = tolled(4, (0, 0, 0), (0, 3, 0), (1, 1, 0))
    assert GAME.to_act(state) == (3,)
    assert [goods(state, seat) for seat in range(4)] == [(0, 1, 0), (0, 0, 0), (0, 2, 0), (1, 1, 0)]
    state = play(state, 3, Give("blood"))
    assert goods(state) == (1, 1, 0)
    assert nothing_left_of(state, "toll")


@pytest.mark.rule("DK-10")
def test_a_toll_of_nothing_is_wasted() -> None:
    assert nothing_left_of(tolled(3, (0, 0, 0), (0, 0, 0)), "toll")


# Wandering Shrine


def wandering(others: dict[str, int], **mine: int) -> State:
    state = with_temples(with_temples(acting("shrine"), 0, **mine), 1, **others)
    return play(state, 0, Play("shrine"))


@pytest.mark.rule("DK-10")
def test_a_shrine_moves_without_follower_and_card() -> None:
    state = wandering({}, thor=1, odin=1)
    assert set(offered(state, 0, Wander)) == {
        Wander(here, there) for here in ("thor", "odin") for there in GODS if there != here
    }
    state = play(state, 0, Wander("thor", "odin"))
    assert (temples(state), followers(state), hand(state)) == ({"odin": 2}, 0, [])
    assert nothing_left_of(state, "shrine")


@pytest.mark.rule("DK-10", "DT-13", "DT-14")
def test_a_shrine_goes_to_a_free_site_that_no_one_else_has_locked() -> None:
    state = wandering({"odin": 3, "tyr": 2}, thor=1, tyr=3, freya=3)
    targets = {move.god for move in offered(state, 0, Wander) if move.god_from == "thor"}
    assert targets == {"heimdall", "freya", "surtur", "loki"}


@pytest.mark.rule("DK-10", "DT-14")
def test_locks_change_at_once() -> None:
    state = wandering({}, thor=3, odin=2)
    assert GAME.view(state, 0).owners["thor"] == 0
    state = play(state, 0, Wander("thor", "odin"))
    owners = GAME.view(state, 0).owners
    assert (owners["thor"], owners["odin"]) == (None, 0)


# The reshuffle


def nearly_empty(*top: str) -> State:
    """These are the last base cards; the others and two of Odin's are in the discard."""
    state = on_top(acting(), "base", *top)
    return with_discard(exhausted(state, "base", left=len(top)), "leader", "seduction_2")


@pytest.mark.rule("DK-15")
def test_the_base_cards_of_the_discard_become_a_new_deck() -> None:
    state, events = play_and_tell(nearly_empty("vein_2"), 0, DrawCards(2))
    assert "reshuffled" in keys(events)
    assert len(hand(state)) == 2
    assert "vein_2" in hand(state)
    assert len(deck_of(state, "base")) == 71 - 2
    assert discard(state) == ["leader", "seduction_2"]


@pytest.mark.rule("DK-15")
def test_god_cards_in_the_discard_can_still_be_fetched() -> None:
    state = with_discard(nearly_empty(), "shield_5")
    state = play(give_known(state, 0, "war"), 0, DrawCards(2), Play("war"), Fetch("shield_5"))
    assert "shield_5" in hand(state)


@pytest.mark.rule("DK-15")
def test_the_deck_is_made_anew_only_when_a_card_is_needed() -> None:
    state, events = play_and_tell(nearly_empty("vein_2", "vein_2"), 0, DrawCards(2))
    assert "reshuffled" not in keys(events)
    assert deck_of(state, "base") == []
    assert len(discard(state)) > 2


@pytest.mark.rule("DK-15")
def test_without_base_cards_nothing_is_drawn() -> None:
    state = play(hoarded(acting(), 1), 0, DrawCards(2))
    assert (hand(state), state.turn.actions) == ([], 1)
    state = play(at("resources", state, rolled=True), 0, END_PHASE)
    assert (face_up(state), state.turn.phase) == ([], "actions")


@pytest.mark.rule("DK-15", "DT-3")
def test_an_owner_can_still_draw_from_the_area() -> None:
    state = at("resources", hoarded(with_temples(acting(), 0, thor=3), 1), rolled=True)
    state = play(state, 0, END_PHASE, Draw("base"), Draw("thor"))
    assert len(face_up(state)) == 1


@pytest.mark.rule("DK-15")
def test_the_new_deck_is_shuffled() -> None:
    orders = set()
    for number in range(3):
        state = replace(nearly_empty(), rng=GAME.setup(bare_table().options, 3, f"seed {number}").rng)
        orders.add(tuple(deck_of(play(state, 0, DrawCards(2)), "base")))
    assert len(orders) == 3


@pytest.mark.rule("DK-3", "DT-11")
def test_god_decks_are_not_made_anew() -> None:
    state = at("building", with_goods(exhausted(acting(), "thor"), 0, blood=9, gold=9, diamond=9))
    state = play(state, 0, Build("thor"))
    assert (deck_of(state, "thor"), hand(state), offered(state, 0, Keep)) == ([], [], [])
    assert sum(BOX.cards[card].deck == 5 for card in state.discard) == 10
