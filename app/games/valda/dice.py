"""Rolls, and the moment in which a die just rolled may be turned (DC-2, DW-2, DW-11)."""

from msgspec.structs import replace

from app.engine.tuples import put
from app.games.valda.components import COLOURS, FOLLOWERS, Components
from app.games.valda.draft import Draft
from app.games.valda.hands import play_weapon, put_away, who_could
from app.games.valda.moves import FREYA, RESOURCES, Crown
from app.games.valda.state import CARDS, WORSHIP, Dice, State, Window

_SHOWN = (*RESOURCES, "followers")


def face_name(c: Components, colour: int, face: int) -> str:
    """What a face shows, as a word: `gold_2`, `followers_-1`."""
    what, count = c.dice[colour][face]
    return f"{_SHOWN[what]}_{count}"


def roll(d: Draft, dice: Dice, colours: tuple[int, ...]) -> None:
    """All dice of a roll lie before anybody may turn one."""
    faces = d.rng.below(*(len(d.c.dice[colour]) for colour in colours))
    d.bar("chance")
    d.dice = replace(dice, dice=tuple(zip(colours, faces, strict=True)))
    d.say("rolled", dice.seat, face=tuple(face_name(d.c, *die) for die in d.dice.dice))
    asked = who_could(d.c, d, FREYA)
    if asked:
        d.window = Window("crown", asked)
    else:
        settle(d)


def crowns(c: Components, state: State) -> list[Crown]:
    """Every other thing that a die can show; of equal faces the first."""
    assert state.dice is not None  # noqa: S101 the window is open because of them
    found = []
    for number, (colour, up) in enumerate(state.dice.dice):
        seen = {c.dice[colour][up]}
        for face, shown in enumerate(c.dice[colour]):
            if shown not in seen:
                seen.add(shown)
                found.append(Crown(number, face))
    return found


def crown(d: Draft, seat: int, move: Crown) -> None:
    put_away(d, play_weapon(d, seat, FREYA))
    assert d.dice is not None  # noqa: S101
    colour, up = d.dice.dice[move.die]
    d.dice = replace(d.dice, dice=put(d.dice.dice, move.die, (colour, move.face)))
    d.say(
        "crown",
        seat,
        colour=COLOURS[colour],
        face_from=face_name(d.c, colour, up),
        face=face_name(d.c, colour, move.face),
    )
    d.window = None
    settle(d)


def settle(d: Draft) -> None:
    """What the dice show takes effect."""
    dice = d.dice
    assert dice is not None  # noqa: S101
    shown = [d.c.dice[colour][face] for colour, face in dice.dice]
    if dice.why == "resources":
        for resource in range(len(RESOURCES)):
            count = sum(number for what, number in shown if what == resource)
            if count:
                d.gain(dice.seat, resource, count)
    elif dice.why == "rune":
        doubled = len(dice.cards) > 1
        d.swing(dice.seat, shown[0][1] * (2 if doubled else 1), CARDS)
        put_away(d, *dice.cards)
    else:
        d.swing(dice.seat, sum(number for what, number in shown if what == FOLLOWERS), WORSHIP)
    d.dice = replace(dice, cards=(), settled=True)
