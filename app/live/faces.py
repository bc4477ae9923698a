"""How a room is shown to somebody: as JSON to programs here, as pieces of a page in app/web. The hub knows neither.

Sockets of one look see the same, so a room is drawn once for each look, however many share it.
"""

from typing import Any, Protocol

import msgspec

from app.engine.contract import Viewer
from app.i18n import phrasebook
from app.live.regions import Encoded, Regions, difference, regions, whole
from app.rooms.snapshot import Snapshot


class Look(Protocol):
    """All that decides what somebody sees. Can be compared and hashed."""

    @property
    def viewer(self) -> Viewer: ...


class Drawn(Protocol):
    """A room at one moment, as one look has it."""

    @property
    def rev(self) -> int: ...


class Face(Protocol):
    def look(self, room: Snapshot, person: str | None) -> Any: ...

    def draw(self, moment: Encoded, look: Any) -> Any: ...

    def whole(self, room: Snapshot, now: Any, look: Any, presence: dict[str, Any]) -> str:
        """Everything, for whoever comes or comes back."""

    def difference(self, moment: Encoded, before: Any, now: Any, look: Any, presence: dict[str, Any]) -> str:
        """What has changed between two moments, for whoever has seen the first."""

    def presence(self, room: Snapshot, presence: dict[str, Any], look: Any) -> str:
        """Who is here now."""


class JsonLook(msgspec.Struct, frozen=True):
    viewer: Viewer
    language: str
    late: bool
    plays: bool


class JsonFace:
    """What programs get."""

    def __init__(self, language: str) -> None:
        self.language = language

    def look(self, room: Snapshot, person: str | None) -> JsonLook:
        return JsonLook(room.viewer(person), self.language, room.is_late(person), bool(room.seats_of(person)))

    def draw(self, moment: Encoded, look: JsonLook) -> Regions:
        return regions(moment.seen(look.late), look.viewer)

    def whole(self, room: Snapshot, now: Regions, look: JsonLook, presence: dict[str, Any]) -> str:
        content = whole(room.seen(look.late), now, look.viewer, phrasebook(look.language), look.plays)
        return _json({**content, "presence": presence})

    def difference(
        self,
        moment: Encoded,
        before: Regions,
        now: Regions,
        look: JsonLook,
        presence: dict[str, Any],  # noqa: ARG002 it is told on its own
    ) -> str:
        moment = moment.seen(look.late)
        return _json(difference(moment, before, now, look.viewer, phrasebook(look.language), look.plays))

    def presence(self, room: Snapshot, presence: dict[str, Any], look: JsonLook) -> str:  # noqa: ARG002
        return _json({"presence": presence})


def _json(content: object) -> str:
    return msgspec.json.encode(content).decode()
