"""What a viewer sees of a room, in parts that can be compared: only what has changed is sent."""

from typing import Any, Final

import msgspec

from app.engine.contract import EVERYONE, SPECTATOR, Viewer
from app.i18n import Phrasebook
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
    """One moment of a room, with all that several viewers see alike encoded only once."""

    def __init__(self, room: Snapshot) -> None:
        self.room = room
        self.parts = {"room": msgspec.Raw(_encode(_room(room)))}
        if room.state is not None:
            self.parts["to_act"] = msgspec.Raw(_encode(room.game.to_act(room.state)))
            self.parts["decision"] = msgspec.Raw(_encode(room.decision))
        self._known: dict[int, tuple[object, msgspec.Raw]] = {}

    def view_part(self, part: object) -> msgspec.Raw:
        """Views of different viewers may share their parts, as the very same object."""
        known = self._known.get(id(part))
        if known is None:  # the part is kept too, so that its id stays its own
            known = self._known[id(part)] = (part, msgspec.Raw(_encode(part)))
        return known[1]


def regions(moment: Encoded, viewer: Viewer) -> Regions:
    room = moment.room
    parts = {**moment.parts, "you": msgspec.Raw(_encode(viewer if viewer >= 0 else None))}
    view: dict[str, msgspec.Raw] = {}
    if room.state is not None:
        shown = room.game.view(room.state, viewer)
        view = {name: moment.view_part(getattr(shown, name)) for name in shown.__struct_fields__}
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
        "seed_chosen": room.seed_chosen,
        "host": hosts[0] if hosts else None,
        "seats": [{"number": seat.number, "name": seat.name, "vacant": not seat.holders} for seat in room.seats],
        "rematch": room.rematch,
    }


def whole(room: Snapshot, now: Regions, viewer: Viewer, words: Phrasebook) -> dict[str, Any]:
    """Everything, for whoever comes or comes back."""
    return {
        "rev": now.rev,
        "base": None,
        "seq": now.seq,
        **now.parts,
        "view": now.view or None,
        "events": told(room, room.log, viewer, words),
        "chat": heard(room, room.chat, viewer),
    }


def difference(room: Snapshot, before: Regions, now: Regions, viewer: Viewer, words: Phrasebook) -> dict[str, Any]:
    """What has changed between two moments, for whoever has seen the first."""
    changed: dict[str, Any] = {"rev": now.rev, "base": before.rev, "seq": now.seq}
    changed.update({name: part for name, part in now.parts.items() if part != before.parts.get(name)})
    view = {name: part for name, part in now.view.items() if part != before.view.get(name)}
    if view:
        changed["view"] = view
    fresh = [happened for happened in room.log if happened.seq > before.seq]
    if fresh:
        changed["events"] = told(room, fresh, viewer, words)
    lines = [said for said in room.chat if said.id > before.said]
    if lines:
        changed["chat"] = heard(room, lines, viewer)
    return changed


def told(
    room: Snapshot, log: tuple[Happened, ...] | list[Happened], viewer: Viewer, words: Phrasebook
) -> list[dict[str, Any]]:
    """Entries of the log as this viewer may know them, with the words for them."""
    eyes = EVERYONE if room.status == "ended" else viewer
    entries = []
    for happened in log:
        seen = [event for event in (room.game.redact(event, eyes) for event in happened.events) if event]
        entries.append(
            {
                "seq": happened.seq,
                "seat": happened.seat,
                "undo": happened.undo,
                "events": [
                    {"key": event.key, "seat": event.seat, "args": event.args, "text": words.tell(event, room.names)}
                    for event in seen
                ],
            }
        )
    return entries


def heard(room: Snapshot, chat: tuple[Said, ...] | list[Said], viewer: Viewer) -> list[dict[str, Any]]:
    """Players do not hear the spectators while they play; otherwise everybody hears everybody."""
    everybody = viewer == SPECTATOR or room.status != "playing"
    return [
        {"id": said.id, "voice": said.voice, "name": said.name, "text": said.text, "at": said.at}
        for said in chat
        if everybody or said.voice == "players"
    ]
