"""Tables that a viewer cannot tell apart: `resample` changes all that is hidden, or the checks would prove nothing."""

from collections import Counter
from collections.abc import Iterator

import msgspec
import pytest

from app.engine.contract import EVERYONE, SPECTATOR, Viewer
from app.engine.rng import Rng
from app.games.valda.hands import could_hold
from app.games.valda.moves import PASS, Shield
from app.games.valda.state import State
from tests.games.valda.sensible import GAME
from tests.games.valda.tabletop import at, attacked, bare_table, card, give, give_known, known
from tests.games.valda.test_random_play import random_tables

VIEWERS = (SPECTATOR, 0, 1, 2, 3)
BOX = GAME.box


@pytest.fixture(scope="module")
def late() -> State:
    """Far into a game: cards have been stolen, looked at, drawn face up, and weapons are about."""
    tables = list(random_tables(4, "secrets", 400))
    return max(tables, key=lambda state: sum(len(row) for player in state.players for row in player.known))


def imagined(state: State, viewer: Viewer) -> Iterator[State]:
    for seed in range(40):
        yield GAME.resample(state, viewer, Rng.seeded(str(seed)))


def seen(state: State, viewer: Viewer) -> bytes:
    return msgspec.json.encode(GAME.view(state, viewer))


@pytest.mark.parametrize("viewer", VIEWERS)
def test_hidden_cards_are_dealt_anew(late: State, viewer: Viewer) -> None:
    dealt = list(imagined(late, viewer))
    for seat, player in enumerate(late.players):
        known = Counter(player.hand if seat == viewer else player.known[viewer])
        hands = {other.players[seat].hand for other in dealt}
        assert all(not known - Counter(hand) for hand in hands)
        if sum(known.values()) < len(player.hand):
            assert len(hands) > 3
    assert len({other.base for other in dealt}) > 30
    for god, pile in enumerate(late.piles):
        unseen = [place for place, bits in enumerate(pile.seen) if viewer < 0 or not bits >> viewer & 1]
        if len(unseen) > 3:
            assert len({other.piles[god].cards for other in dealt}) > 10
        for other in dealt:
            for place in set(range(len(pile.cards))) - set(unseen):
                assert other.piles[god].cards[place] == pile.cards[place]


@pytest.mark.parametrize("viewer", VIEWERS)
def test_what_the_viewer_sees_stays(late: State, viewer: Viewer) -> None:
    for other in imagined(late, viewer):
        assert seen(other, viewer) == seen(late, viewer)
        assert other.rng != late.rng
        assert not GAME.faults(other)
        if viewer >= 0:
            assert GAME.legal(other, viewer) == GAME.legal(late, viewer)


@pytest.mark.rule("DW-12")
def test_a_weapon_is_imagined_in_every_hand_that_could_hold_it_and_in_no_other() -> None:
    states = [state for state in random_tables(5, "who could", 500) if any(state.suspects)]
    places: set[tuple[int, int]] = set()
    possible: set[tuple[int, int]] = set()
    for number, state in enumerate(states[::6]):
        other = GAME.resample(state, SPECTATOR, Rng.seeded(str(number)))
        for seat, player in enumerate(other.players):
            for god, weapon in enumerate(BOX.weapons):
                if could_hold(BOX, state, seat, god):
                    possible.add((seat, god))
                if weapon in player.hand:
                    assert could_hold(BOX, state, seat, god)
                    places.add((seat, god))
    assert len(places) > len(possible) / 2


@pytest.mark.rule("DW-8")
def test_a_pass_in_an_open_window_is_seen_by_nobody_else() -> None:
    """Neither the view nor who is asked nor the log tells that somebody has answered."""
    passed = 0
    for state in (table for seed in "ab" for table in random_tables(5, seed, 600)):
        if state.window is None or len(GAME.awaited(state)) < 2:
            continue
        seat = GAME.awaited(state)[0]
        step = GAME.apply(state, seat, PASS)
        assert GAME.to_act(step.state) == GAME.to_act(state)
        assert GAME.decision(step.state) == GAME.decision(state)
        assert GAME.answered(step.state) == (*GAME.answered(state), seat)
        for viewer in (SPECTATOR, *range(5)):
            if viewer != seat:
                assert seen(step.state, viewer) == seen(state, viewer)
                assert [GAME.redact(event, viewer) for event in step.events] == [None]
        passed += 1
    assert passed > 3


@pytest.mark.rule("DW-8")
def test_a_window_opens_whoever_really_holds_the_weapon() -> None:
    """For all who cannot know, the same tables open the same windows: what opens one is common knowledge."""
    compared = 0
    for state in random_tables(4, "windows", 500):
        seat = state.turn.seat
        other = GAME.resample(state, SPECTATOR, Rng.seeded("windows"))
        for move in GAME.legal(state, seat):
            if type(move).__name__ != "Build" or move not in GAME.legal(other, seat):
                continue
            here, there = GAME.apply(state, seat, move).state, GAME.apply(other, seat, move).state
            assert here.window == there.window
            assert GAME.to_act(here) == GAME.to_act(there)
            compared += here.window is not None
    assert compared


def test_nothing_is_hidden_after_the_end() -> None:
    *_, over = random_tables(3, "end", 2000)
    assert GAME.outcome(over) is not None
    assert all(seen(over, viewer) == seen(over, EVERYONE) for viewer in (SPECTATOR, 0, 1, 2))
    assert GAME.view(over, 0).players[1].hand is not None
    assert GAME.resample(over, 0, Rng.seeded("end")) == over


def test_what_was_drawn_is_told_only_to_who_saw_it() -> None:
    told = 0
    for state in random_tables(3, "draws", 300):
        for seat in GAME.awaited(state)[:1]:
            for move in GAME.legal(state, seat):
                for event in GAME.apply(state, seat, move).events:
                    if "card_secret" not in event.args:
                        continue
                    told += 1
                    for viewer in (SPECTATOR, *range(3)):
                        redacted = GAME.redact(event, viewer)
                        assert redacted is not None
                        sees = viewer in (event.seat, event.args.get("seat_from"))
                        assert ("card_secret" in redacted.args) == sees
                        assert redacted.key.endswith(".hidden") != sees
    assert told > 20


@pytest.mark.rule("DT-4")
def test_of_equal_cards_the_known_one_is_used_whatever_else_lies_hidden() -> None:
    """Shields of power 3 are in several decks; that another one is in the hand must not show."""
    state = give(at("building", bare_table(3)), 1, "skirmish")
    state = attacked(give_known(state, 0, "shield_3", deck="tyr"), 1, "skirmish")
    richer = give(state, 0, "shield_3", deck="base")
    for before in (state, richer):
        step = GAME.apply(before, 0, Shield("shield_3"))
        assert step.barrier is None
        assert known(step.state, 0) == []
        assert step.state.raid is not None
        assert step.state.raid.shields == (card("shield_3", "tyr"),)
