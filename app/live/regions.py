"""What a viewer sees of a room, in parts that can be compared: only what has changed is sent."""

from typing import Any, Final

import msgspec
from msgspec.structs import astuple

from app.engine.contract import EVERYONE, Event, Seat, Viewer
from app.i18n import Phrasebook
from app.rooms import watch as watches
from app.rooms.snapshot import Happened, Said, Snapshot

_encode: Final = msgspec.json.Encoder().encode


class Regions(msgspec.Struct, frozen=True):
    """All that one class of viewers sees at one moment, encoded."""

    rev: int
    seq: int
    said: int  # the newest line of the chat
    parts: dict[str, msgspec.Raw]
    view: dict[str, msgspec.Raw]


class Encoded:
    """One moment of a room, with all that several viewers see alike, or saw the moment before, encoded only once."""

    def __init__(self, room: Snapshot, before: "Encoded | None" = None) -> None:
        self.room = room
        self.parts = {"room": msgspec.Raw(_encode(_room(room)))}
        if room.state is not None:
            self.parts["to_act"] = msgspec.Raw(_encode(room.game.to_act(room.state)))
            self.parts["decision"] = msgspec.Raw(_encode(room.decision))
            self.parts["clock"] = msgspec.Raw(_encode(watches.shown(room.watch, room.pace)))
        # By an object's id, which stays its own as long as the object is kept too.
        self._known: dict[int, tuple[object, msgspec.Raw]] = {}
        self._older = before._known if before else {}
        self._told: dict[tuple[object, ...], tuple[object, msgspec.Raw]] = {}
        self._late: Encoded | None = None

    def seen(self, late: bool) -> "Encoded":
        """As it is, or as spectators see it who are some moves behind."""
        room = self.room.seen(late)
        if room is self.room:
            return self
        if self._late is None:
            self._late = Encoded(room)
        return self._late

    def view(self, shown: msgspec.Struct) -> dict[str, msgspec.Raw]:
        """Views of different viewers and moments may share their parts, as the very same object."""
        known = self._known
        parts = zip(shown.__struct_fields__, astuple(shown), strict=True)
        return {name: (known.get(id(part)) or self._encode(part))[1] for name, part in parts}

    def _encode(self, part: object) -> tuple[object, msgspec.Raw]:
        known = self._older.get(id(part))
        if known is None:
            inside = (
                [(self._known.get(id(one)) or self._encode(one))[1] for one in part] if type(part) is tuple else part
            )
            known = (part, msgspec.Raw(_encode(inside)))
        self._known[id(part)] = known
        return known

    def told(self, happened: Happened, viewer: Viewer, words: Phrasebook) -> msgspec.Raw:
        """An entry of the log, put into words once for all who may know the very same of it."""
        seen = seen_by(self.room, happened, viewer)
        name = (words.language, happened.seq, *map(id, seen))
        known = self._told.get(name)
        if known is None:
            known = self._told[name] = (seen, msgspec.Raw(_encode(_entry(self.room, happened, viewer, words))))
        return known[1]


def regions(moment: Encoded, viewer: Viewer) -> Regions:
    room = moment.room
    parts = {**moment.parts, "you": msgspec.Raw(_encode(viewer if viewer >= 0 else None))}
    view: dict[str, msgspec.Raw] = {}
    if room.state is not None:
        view = moment.view(room.game.view(room.state, viewer))
        parts["legal"] = msgspec.Raw(_encode(room.game.legal(room.state, viewer) if viewer >= 0 else ()))
    return Regions(room.rev, room.seq, room.chat[-1].id if room.chat else 0, parts, view)


def _room(room: Snapshot) -> dict[str, Any]:
    hosts = [seat.number for seat in room.seats if room.host in seat.holders]
    return {
        "code": room.code,
        "game": room.game_name,
        "status": room.status,
        "places": room.places,
        "options": room.options,
        "listed": room.listed,
        "spectators": room.spectators,
        "delay": room.delay,
        "seed_chosen": room.seed_chosen,
        "seed_hash": room.seed_hash,
        "seed": room.seed if room.status == "ended" else None,
        "from": None if room.from_seq is None else {"code": room.from_code, "seq": room.from_seq},
        "host": hosts[0] if hosts else None,
        "seats": [
            {"number": seat.number, "name": seat.name, "vacant": seat.vacant, "bot": seat.bot, "kept": seat.kept}
            for seat in room.seats
        ],
        "pace": room.pace,
        "paused": room.watch.paused,
        "wishes": [{"what": what, "about": about, "seat": seat} for what, about, seat in room.watch.wishes],
        "rematch": room.rematch,
    }


def whole(room: Snapshot, now: Regions, viewer: Viewer, words: Phrasebook, plays: bool) -> dict[str, Any]:
    """Everything, for whoever comes or comes back."""
    return {
        "rev": now.rev,
        "base": None,
        "seq": now.seq,
        **now.parts,
        "view": now.view or None,
        "events": told(room, room.log, viewer, words),
        "chat": heard(room, room.chat, plays),
    }


def difference(
    moment: Encoded, before: Regions, now: Regions, viewer: Viewer, words: Phrasebook, plays: bool
) -> dict[str, Any]:
    """What has changed between two moments, for whoever has seen the first."""
    room = moment.room
    changed: dict[str, Any] = {"rev": now.rev, "base": before.rev, "seq": now.seq}
    changed.update(_changed(before.parts, now.parts))
    view = _changed(before.view, now.view)
    if view:
        changed["view"] = view
    if now.seq > before.seq:
        fresh = room.log[before.seq - now.seq :]
        changed["events"] = [moment.told(happened, viewer, words) for happened in fresh]
    lines = [said for said in room.chat if said.id > before.said]
    if lines:
        changed["chat"] = heard(room, lines, plays)
    return changed


def _changed(before: dict[str, msgspec.Raw], now: dict[str, msgspec.Raw]) -> dict[str, msgspec.Raw]:
    """Most parts are the very same: those need not be compared."""
    return {name: part for name, part in now.items() if part is not (old := before.get(name)) and part != old}


def told(
    room: Snapshot, log: tuple[Happened, ...] | list[Happened], viewer: Viewer, words: Phrasebook
) -> list[dict[str, Any]]:
    """Entries of the log as this viewer may know them, with the words for them."""
    return [_entry(room, happened, viewer, words) for happened in log]


def seen_by(room: Snapshot, happened: Happened, viewer: Viewer) -> list[Event]:
    """What happened, as this viewer may know it; after the end nothing is hidden."""
    eyes = EVERYONE if room.status == "ended" else viewer
    redact = room.game.redact
    return [seen for event in happened.events if (seen := redact(event, eyes))]


def seat_known_to(room: Snapshot, happened: Happened, viewer: Viewer) -> Seat | None:
    """Whose entry it is, for who may see what its seat did: nobody is told who answered unseen, were it as the last."""
    eyes = EVERYONE if room.status == "ended" else viewer
    did = room.game.redact(happened.events[0], eyes) if happened.events else None
    return happened.seat if did and did.seat == happened.seat else None


def _entry(room: Snapshot, happened: Happened, viewer: Viewer, words: Phrasebook) -> dict[str, Any]:
    names = room.names
    return {
        "seq": happened.seq,
        "seat": seat_known_to(room, happened, viewer),
        "undo": happened.undo,
        "events": [
            {"key": event.key, "seat": event.seat, "args": event.args, "text": words.tell(event, names)}
            for event in seen_by(room, happened, viewer)
        ],
    }


def heard(room: Snapshot, chat: tuple[Said, ...] | list[Said], plays: bool) -> list[dict[str, Any]]:
    """Players do not hear the spectators while they play; otherwise everybody hears everybody."""
    everybody = not plays or room.status != "playing"
    return [
        {"id": said.id, "voice": said.voice, "name": said.name, "text": said.text, "at": said.at}
        for said in chat
        if everybody or said.voice == "players"
    ]
