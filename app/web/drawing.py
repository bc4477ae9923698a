"""A room as pieces of a page. Only the pieces that have changed travel to a browser, which puts them in place.

A template lists pieces, each after a mark. What everybody may see is drawn from a spectator's view, once for each
language; only what is left is drawn for each look. So a piece that many share cannot tell a secret.
"""

import re
from collections import OrderedDict
from collections.abc import Iterable
from typing import Any, Final

import msgspec
from markupsafe import Markup

from app.engine.bots import LEVELS
from app.engine.codec import decode_options, raw_move
from app.engine.contract import EVERYONE, SPECTATOR, Arg, Event, Seat, Viewer
from app.i18n import Phrasebook, phrasebook
from app.live.regions import Encoded, heard, seat_known_to, seen_by
from app.rooms import watch as watches
from app.rooms.policy import may_watch
from app.rooms.snapshot import Happened, Snapshot
from app.web import pacing
from app.web.carry import qr_code
from app.web.changes import change, lines, put
from app.web.render import render

_MARK: Final = re.compile(r"<!--piece ([\w-]+)-->")
_KEPT: Final = 200  # drawings of what everybody sees, the newest
_OF_A_ROOM: Final = ("forms", "news", "chat", "people")  # which the past has not

Pieces = dict[str, Markup]


class Look(msgspec.Struct, frozen=True):
    """All that decides what somebody sees of a room."""

    viewer: Viewer
    language: str
    seats: tuple[Seat, ...]
    hosting: bool
    barred: bool
    site: str  # the address at which they know us
    only: str | None = None  # in a lesson: the one move, as a form sends it, that is offered
    hand_to: tuple[Seat, ...] = ()  # several play at this device: who may take it now, while it shows nobody's cards
    late: bool = False  # as a spectator where these are some moves behind
    name: str = ""  # for who has no seat: what to suggest; only in a page, so that all who watch share their news
    past: bool = False  # a moment that is over: nothing can be done in it


class Offer(msgspec.Struct, frozen=True):
    """Something that may be done now: the move as a form sends it, what a button says, and its arguments."""

    move: str
    text: str
    key: str
    args: dict[str, Arg]


class Drawn(msgspec.Struct, frozen=True):
    rev: int
    status: str
    pieces: Pieces


def look_of(room: Snapshot, person: str | None, language: str, site: str) -> Look:
    viewer, seats = room.viewer(person), room.seats_of(person)
    barred, hand_to, late = not may_watch(room, person), room.hand_to(person), room.is_late(person)
    return Look(viewer, language, seats, room.is_host(person), barred, site, hand_to=hand_to, late=late)


class Drawings:
    """Draws rooms, and keeps for a while what everybody sees."""

    def __init__(self) -> None:
        self._public: OrderedDict[tuple[str, int, int, str], Pieces] = OrderedDict()

    def draw(self, room: Snapshot, look: Look) -> Drawn:
        room = room.seen(look.late)
        if look.barred or room.status == "frozen":
            return Drawn(room.rev, "barred" if look.barred else "frozen", {})
        words = phrasebook(look.language)
        if room.state is None:
            return Drawn(room.rev, room.status, _pieces(words, "room/lobby.html", **_own(room, look, words)))
        own = _own(room, look, words)
        pieces = _pieces(words, "room/own.html", **own) | _pieces(words, f"games/{room.game_name}/own.html", **own)
        return Drawn(room.rev, room.status, self._shared(room, words) | pieces)

    def _shared(self, room: Snapshot, words: Phrasebook) -> Pieces:
        key = (room.code, room.rev, room.seq, words.language)
        pieces = self._public.get(key)
        if pieces is None:
            pieces = self._public[key] = _shared_pieces(room, words, SPECTATOR)
            while len(self._public) > _KEPT:
                self._public.popitem(last=False)
        return pieces


def draw_past(room: Snapshot, look: Look) -> Pieces:
    """A moment of a game as this look saw it then; whoever looks with everybody's eyes sees everything."""
    words = phrasebook(look.language)
    own = _own(room, look, words)
    pieces = _shared_pieces(room, words, EVERYONE if look.viewer == EVERYONE else SPECTATOR, past=True)
    pieces |= _pieces(words, "room/own.html", **own) | _pieces(words, f"games/{room.game_name}/own.html", **own)
    return {name: html for name, html in pieces.items() if name not in _OF_A_ROOM}


def _shared_pieces(room: Snapshot, words: Phrasebook, eyes: Viewer, past: bool = False) -> Pieces:
    shared = _public(room, words, EVERYONE if room.status == "ended" else eyes, past)
    pieces = _pieces(words, "room/public.html", **shared)
    return pieces | _pieces(words, f"games/{room.game_name}/public.html", **shared)


class Problem(msgspec.Struct, frozen=True):
    """What was refused, in words, and the rule that says so."""

    text: str
    rule: str = ""


def content(
    room: Snapshot, drawn: Drawn, look: Look, presence: dict[str, Any], problem: Problem | None = None
) -> Markup:
    """The whole room, put together."""
    return render(
        phrasebook(look.language),
        "room/content.html",
        room=room.seen(look.late),
        r=drawn.pieces,
        look=look,
        status=drawn.status,
        presence=presence,
        problem=problem,
    )


def _pieces(words: Phrasebook, template: str, **context: Any) -> Pieces:
    return split_pieces(render(words, template, **context))


def split_pieces(drawn: str) -> Pieces:
    """A template's pieces by their names."""
    parts = _MARK.split(drawn)
    return {name: Markup(html.strip()) for name, html in zip(parts[1::2], parts[2::2], strict=True)}  # noqa: S704


def _public(room: Snapshot, words: Phrasebook, eyes: Viewer, past: bool) -> dict[str, Any]:
    game = room.game
    view, outcome = game.view(room.state, eyes), game.outcome(room.state)
    return {
        "room": room,
        "past": past,
        "view": view,
        "scene": game.scene,
        "acting": game.to_act(room.state),
        "entries": [
            entry for entry in (_entry(room, happened, eyes, words) for happened in room.log) if entry["lines"]
        ],
        "last": _last(room, eyes),
        "text": lines(game.text(view, lambda key, args: words.say(key, args, room.names))),
        "score": game.score_sheet(room.state) if room.status == "ended" else None,
        "outcome": outcome,
        "winners": ", ".join(room.names[seat] for seat in outcome.winners) if outcome else "",
        "initials": initials(room.names),
    }


def _entry(room: Snapshot, happened: Happened, eyes: Viewer, words: Phrasebook) -> dict[str, Any]:
    seen = seen_by(room, happened, eyes)
    return {
        "seq": happened.seq,
        "seat": seat_known_to(room, happened, eyes),
        "lines": [(words.tell(event, room.names), event.args.get("space")) for event in seen],
    }


def _last(room: Snapshot, eyes: Viewer) -> list[Event]:
    """What has just happened, to be shown in motion."""
    if not room.log or room.log[-1].undo:
        return []
    return seen_by(room, room.log[-1], eyes)


def _own(room: Snapshot, look: Look, words: Phrasebook) -> dict[str, Any]:
    own: dict[str, Any] = {
        "room": room,
        "look": look,
        "chat": heard(room, room.chat, bool(look.seats)),
        "initials": initials(room.names),
    }
    if room.state is None:
        link = f"{look.site}r/{room.code}"
        return own | {
            "link": link,
            "qr": Markup(qr_code(link)),  # noqa: S704
            "options": decode_options(room.game, room.options),
            "missing": room.least - len(room.seats),
            "open": [number for number in range(room.places) if room.seat(number) is None],
            "initials": dict(zip([seat.number for seat in room.seats], own["initials"], strict=True)),
            "pace": pacing.told(words, room.pace),
            "levels": LEVELS,
        }
    game, viewer = room.game, look.viewer
    acting, plays = game.to_act(room.state), viewer in look.seats and not look.past
    mine = plays and viewer in game.awaited(room.state)
    offers = _list_offers(room, viewer, words) if plays else []
    offers = [offer for offer in offers if look.only in (None, offer[1].move)]
    asked = viewer if mine else next((seat for seat in acting if not (plays and seat == viewer)), None)
    return own | {
        "view": game.view(room.state, viewer if room.status != "ended" else EVERYONE),
        "scene": game.scene,
        "acting": acting,
        "mine": mine,
        "prompt": None if asked is None else _prompt_of(room, asked, mine, words),
        "offers": offers,
        "at": _group_offers(offers),
        "undoable": _undoable(room, look.seats),
        "recap": [] if look.past else _recap(room, viewer, words),
        "clock": watches.shown(room.watch, room.pace) if room.status == "playing" else None,
        "deciding": [seat.number for seat in room.seats if seat.plays],
        "wishes": _wishes(room),
    }


def _wishes(room: Snapshot) -> dict[tuple[str, Seat | None], list[Seat]]:
    """What is wished for, and by whom."""
    wishes: dict[tuple[str, Seat | None], list[Seat]] = {}
    for what, about, seat in room.watch.wishes:
        wishes.setdefault((what, about), []).append(seat)
    return wishes


def _prompt_of(room: Snapshot, asked: Seat, mine: bool, words: Phrasebook) -> str:
    word, args = room.game.prompt(room.state, asked)
    what = "ask" if mine else "busy"
    return words.say(f"{room.game_name}.{what}.{word}", {"seat": asked, **args}, room.names)


def _list_offers(room: Snapshot, viewer: Viewer, words: Phrasebook) -> list[tuple[str, Offer]]:
    """All that the viewer may do now, each with the thing on the table that it is done with."""
    game, offers = room.game, []
    for move in () if room.watch.paused else game.legal(room.state, viewer):
        key, args = game.describe(room.state, viewer, move)
        raw = msgspec.json.encode(raw_move(move)).decode()
        offers.append((game.place_of(move), Offer(raw, words.say(key, args, room.names), key, args)))
    return offers


def _group_offers(offers: list[tuple[str, Offer]]) -> dict[str, list[Offer]]:
    groups: dict[str, list[Offer]] = {}
    for place, offer in offers:
        groups.setdefault(place, []).append(offer)
    return groups


def _undoable(room: Snapshot, seats: tuple[Seat, ...]) -> bool:
    """Whether the last step that stands since the barrier is one of these seats'."""
    steps = _standing(happened for happened in room.log if happened.seq > room.anchor_seq)
    return room.status == "playing" and bool(steps) and steps[-1].seat in seats


def _standing(log: Iterable[Happened]) -> list[Happened]:
    """The steps that were not taken back."""
    steps: list[Happened] = []
    for happened in log:
        if not happened.undo:
            steps.append(happened)
        elif steps:
            steps.pop()
    return steps


def _recap(room: Snapshot, viewer: Viewer, words: Phrasebook) -> list[str]:
    """What the others have done since the viewer's own last step; what the house answered for them is none."""
    if viewer < 0:
        return []
    own = max((step.seq for step in room.log if seat_known_to(room, step, SPECTATOR) == viewer), default=0)
    since = _standing(happened for happened in room.log if happened.seq > own)
    return [line for step in since for line, _ in _entry(room, step, viewer, words)["lines"]]


def initials(names: tuple[str, ...]) -> list[str]:
    """A letter for each name; where two begin alike, a number.

    >>> initials(("Anna", "bruno", "Alba"))
    ['1', 'B', '3']
    """
    letters = [name[0].upper()[:1] for name in names]
    return [letter if letters.count(letter) == 1 else str(number + 1) for number, letter in enumerate(letters)]


def changes(before: Pieces, now: Pieces) -> str:
    """What makes the later ones of pieces of the same names."""
    return "".join(change(name, before[name], html) for name, html in now.items() if html != before[name])


class HtmlFace:
    """What browsers get over the socket."""

    def __init__(self, drawings: Drawings, language: str, site: str) -> None:
        self.drawings = drawings
        self.language = language
        self.site = site

    def look(self, room: Snapshot, person: str | None) -> Look:
        return look_of(room, person, self.language, self.site)

    def draw(self, moment: Encoded, look: Look) -> Drawn:
        return self.drawings.draw(moment.room, look)

    def whole(self, room: Snapshot, now: Drawn, look: Look, presence: dict[str, Any]) -> str:
        return put("room", content(room, now, look, presence=presence))

    def difference(self, moment: Encoded, before: Drawn, now: Drawn, look: Look, presence: dict[str, Any]) -> str:
        if before.status != now.status or before.pieces.keys() != now.pieces.keys():
            return put("room", content(moment.room, now, look, presence))
        return changes(before.pieces, now.pieces)

    def presence(self, room: Snapshot, presence: dict[str, Any], look: Look) -> str:
        words = phrasebook(look.language)
        return put("presence", render(words, "room/presence.html", room=room, presence=presence))
