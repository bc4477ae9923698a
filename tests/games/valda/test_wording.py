"""Everything that Valda says has words, in all four languages."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from app.engine import registry
from app.engine.contract import EVERYONE, SPECTATOR, Arg, Seat
from app.games import valda
from app.games.valda.moves import (
    PASS,
    RESISTED,
    Attack,
    Build,
    Bullseye,
    Dagger,
    Discard,
    EndPhase,
    Gjallarhorn,
    Move,
    Pass,
    Play,
    Shield,
    Thief,
    Trade,
)
from app.games.valda.state import Options, Pile, State
from app.i18n import LANGUAGES, phrasebook

GAME = registry.find("valda")
NAMES = ("Ada", "Bruna", "Corrado", "Dario", "Elsa")
FREE = {"text"}  # arguments that are words already

Said = tuple[str, tuple[tuple[str, Arg], ...]]


# What is mostly left alone, so that much happens before a phase ends and weapons are kept for their moment.
HASTY = (((EndPhase, Pass), 0.8), ((Bullseye, Dagger, Gjallarhorn, Thief, Discard), 0.99))

# Mistakes that are never right elsewhere.
WRONG: tuple[Move, ...] = (
    Trade((4, 0, 0), "blood"),
    Trade((0, 5, 0), "blood"),
    Play("shield_1"),
    Play("plunder"),
    Attack("treasure_2"),
    Attack("plunder", ("soulspear",)),
    Shield("treasure_2"),
    RESISTED,
    PASS,
)


def rich(state: State, chance: Random) -> State:
    """A table at which everybody begins with cards of the gods and much to build with."""
    hands = [list(player.hand) for player in state.players]
    piles = []
    for pile in state.piles:
        cards = chance.sample(pile.cards, len(pile.cards))
        for number in range(6):
            hands[(number + chance.randrange(2)) % len(hands)].append(cards.pop())
        piles.append(Pile(tuple(cards), (0,) * len(cards)))
    share = 25 // len(hands)
    return replace(
        state,
        players=tuple(
            replace(player, hand=tuple(sorted(hand)), goods=(share,) * 3)
            for player, hand in zip(state.players, hands, strict=True)
        ),
        supply=(30 - share * len(hands),) * 3,
        piles=tuple(piles),
        suspects=((1 << len(hands)) - 1,) * len(piles),
    )


def played(state: State, chance: Random) -> Iterator[tuple[State, Seat, Move]]:
    """A game move by move, before each move is made; now and then somebody plays a weapon unasked."""
    seats = len(state.players)
    while GAME.to_act(state):
        seat = chance.choice(GAME.awaited(state))
        others = [other for other in range(seats) if other not in GAME.to_act(state) and GAME.legal(state, other)]
        if others and chance.random() < 0.02:
            seat = chance.choice(others)
        moves = list(GAME.legal(state, seat))
        for kinds, share in HASTY:
            if chance.random() < share:
                moves = [move for move in moves if not isinstance(move, kinds)] or moves
        if state.turn.seat % 2:  # some are at home in one place
            moves = [move for move in moves if move == Build("surtur")] or moves
        move = chance.choice(moves)
        yield state, seat, move
        state = GAME.apply(state, seat, move).state


def said(key: str, args: Mapping[str, Arg], seat: Seat | None = None) -> Said:
    whole = args if seat is None else {"seat": seat, **args}
    return key, tuple(sorted(whole.items()))


def spoken(state: State, seat: Seat, move: Move, tried: list[Move], chance: Random) -> Iterator[Said]:
    """All that is said at one moment: what is asked, what may be done, what is refused, and what then happens."""
    seats = range(len(state.players))
    for asked in GAME.to_act(state):
        word, args = GAME.prompt(state, asked)
        yield said(f"valda.ask.{word}", args, asked)
        yield said(f"valda.busy.{word}", args, asked)
    for able in seats:
        for legal in GAME.legal(state, able):
            yield said(*GAME.describe(state, able, legal))
    for other in chance.sample(tried, min(12, len(tried))):
        refusal = GAME.explain(state, chance.choice((seat, chance.choice(seats))), other)
        if refusal:
            yield said(refusal.key, refusal.args)
    for event in GAME.apply(state, seat, move).events:
        for viewer in (EVERYONE, SPECTATOR, *seats):
            seen = GAME.redact(event, viewer)
            if seen:
                yield said(seen.key, seen.args, seen.seat)


@pytest.fixture(scope="module")
def everything() -> tuple[set[Said], list[State]]:
    """What is said in many random games, and some of their tables."""
    chance = Random("wording")
    found: set[Said] = set()
    tables: list[State] = []
    tried: dict[Move, None] = {}
    for number in range(40):
        start = GAME.setup(Options(), 2 + number % 4, f"wording {number}")
        for state, seat, move in played(rich(start, chance) if number % 3 else start, chance):
            found.update(spoken(state, seat, move, [*WRONG, *list(tried)[-400:]], chance))
            if chance.random() < 0.02:
                tables.append(state)
            tried[move] = tried.pop(move, None)
        tables.append(GAME.apply(state, seat, move).state)
        refusal = GAME.explain(tables[-1], seat, move)
        assert refusal
        found.add(said(refusal.key, refusal.args))
    return found, tables


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_that_is_said_has_words(everything: tuple[set[Said], list[State]], language: str) -> None:
    for key, args in everything[0]:
        text = phrasebook(language).say(key, dict(args), NAMES)
        assert text.strip(), key
        assert not re.search(r"[{}]|valda\.|_", text), text


def test_every_thing_that_is_named_has_a_name(everything: tuple[set[Said], list[State]]) -> None:
    known = phrasebook("en").messages
    for key, args in everything[0]:
        for name, value in args:
            for one in value if isinstance(value, tuple) else (value,):
                thing = f"valda.{name.partition('_')[0]}.{one}"
                assert isinstance(one, int) or name in FREE or thing in known, (key, thing)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_can_be_told(everything: tuple[set[Said], list[State]], language: str) -> None:
    words = phrasebook(language)
    for state in everything[1]:
        seats = len(state.players)
        for viewer in (EVERYONE, SPECTATOR, *range(seats)):
            text = GAME.text(GAME.view(state, viewer), lambda key, args: words.say(key, args, NAMES))
            assert not re.search(r"[{}]|valda\.|_", text), text
            assert all(name in text for name in NAMES[:seats])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_end_has_words(everything: tuple[set[Said], list[State]], language: str) -> None:
    words = phrasebook(language)
    for state in everything[1]:
        outcome = GAME.outcome(state)
        if outcome:
            assert words.say(outcome.reason)
            assert words.say(outcome.decided_by)
        assert all(words.say(source) for source in GAME.score_sheet(state).sources)
    assert all(f"valda.decided.{word}" in words.messages for word in ("followers", "resources", "temples", "shared"))


def words_in_sources() -> Iterator[str]:
    """The keys that stand in the rules as words."""
    for path in Path(valda.__file__).parent.glob("*.py"):
        source = path.read_text(encoding="utf-8")
        yield from (f"valda.event.{word}" for word in re.findall(r'\.say\(\s*"([a-z_.]+)"', source))
        if path.name == "why.py":
            yield from (f"valda.refuse.{word}" for word in re.findall(r'_no\("[^"]+", "([a-z_]+)"', source))
            yield from (f"valda.refuse.{word}" for word in re.findall(r'\("D[A-Z]-\d+", "([a-z_]+)"\)', source))
        if path.name == "building.py":
            words = re.findall(r'return "D[A-Z]-\d+".*', source)
            yield from (f"valda.refuse.{word}" for line in words for word in re.findall(r'"([a-z_]+)"', line))


def test_every_word_of_the_rules_is_in_the_catalogue() -> None:
    words = set(words_in_sources())
    assert len(words) > 60
    assert words - set(phrasebook("en").messages) == set()


def test_what_one_does_not_see_is_not_told(everything: tuple[set[Said], list[State]]) -> None:
    hidden = {key.removesuffix(".hidden") for key, _ in everything[0] if key.endswith(".hidden")}
    assert hidden == {f"valda.event.{word}" for word in ("drew", "looked", "kept", "swapped", "stole_cards")}
    for key in hidden:
        for language in LANGUAGES:
            assert not any("card_secret" in form for form in phrasebook(language).messages[f"{key}.hidden"].forms)
