"""One moment of a game through somebody's eyes: what is shown of it, and the links that lead to all others."""

from bisect import bisect_left, bisect_right
from typing import Any

from app.engine.contract import EVERYONE, SPECTATOR, Seat, Viewer
from app.i18n import Phrasebook
from app.live.regions import seen_by
from app.rooms.errors import RoomError
from app.rooms.past import Past
from app.rooms.policy import may_watch
from app.rooms.snapshot import Snapshot
from app.web.drawing import Look, Pieces, draw_past, initials, split_pieces
from app.web.render import render


class Gaze:
    """One moment of a game through somebody's eyes, and the way to all others."""

    def __init__(self, past: Past, at: int, viewer: Viewer, choice: list[Viewer], words: Phrasebook, site: str) -> None:
        self.past = past
        self.at = min(at, past.last)
        self.viewer = viewer
        self.choice = choice
        self.words = words
        self.site = site
        self.room = past.moment(self.at)

    @property
    def look(self) -> Look:
        return Look(self.viewer, self.words.language, (), False, False, "", past=True)

    @property
    def path(self) -> str:
        return f"/r/{self.room.code}/replay"

    def link(self, at: int | None = None, viewer: Viewer | None = None) -> str:
        at, viewer = self.at if at is None else at, self.viewer if viewer is None else viewer
        return f"{self.path}?at={at}&as={name_of(viewer)}"

    @property
    def name(self) -> str:
        """Whose eyes these are, as a link says it."""
        return name_of(self.viewer)

    def seat_at(self, at: int) -> Seat:
        """Who was to act first then."""
        acting = self.room.game.to_act(self.past.course.states[at])
        return acting[0] if acting else 0

    @property
    def ways(self) -> dict[str, int]:
        """Where the buttons lead."""
        at, last, turns = self.at, self.past.last, self.past.course.turns
        before, after = bisect_left(turns, at), bisect_right(turns, at)
        return {
            "first": 0,
            "turn_back": turns[before - 1] if before else 0,
            "back": max(at - 1, 0),
            "on": min(at + 1, last),
            "turn_on": turns[after] if after < len(turns) else last,
            "last": last,
        }

    @property
    def lines(self) -> list[str]:
        """What happened just now, as far as these eyes saw it."""
        if not self.at:
            return [self.words.say("replay.start")]
        seen = seen_by(self.room, self.room.log[-1], self.viewer)
        return [self.words.tell(event, self.room.names) for event in seen] or [self.words.say("replay.unseen")]

    def draw(self) -> Pieces:
        return draw_past(self.room, self.look)

    def draw_bar(self) -> Pieces:
        return split_pieces(render(self.words, "replay/bar.html", seen=self))

    def draw_ways_out(self) -> Pieces:
        return split_pieces(render(self.words, "replay/out.html", seen=self, initials=initials(self.room.names)))

    @property
    def playable(self) -> bool:
        return self.past.room.status == "ended" and self.room.game.outcome(self.room.state) is None


def name_of(viewer: Viewer) -> str:
    return {EVERYONE: "all", SPECTATOR: "spectator"}.get(viewer, str(viewer))


def eyes_for(room: Snapshot, person: str | None) -> list[Viewer]:
    """Through whose eyes somebody may look back: before the end their own only."""
    if not may_watch(room, person):
        raise RoomError("spectators_barred")
    if room.status == "ended":
        return [EVERYONE, *(seat.number for seat in room.seats)]
    return [room.viewer(person)]


def context(seen: Gaze, pieces: Pieces) -> dict[str, Any]:
    """What the templates of a page ask for."""
    return {
        "seen": seen,
        "room": seen.room,
        "look": seen.look,
        "scene": seen.room.game.scene,
        "initials": initials(seen.room.names),
        "r": pieces,
        "problem": None,
        "plot": plot(seen),
    }


def plot(seen: Gaze) -> dict[str, Any]:
    """The scrubber's picture: whose turns there were, and after the end how the points grew."""
    past, course = seen.past, seen.past.course
    game = past.room.game
    ends = [*course.turns[1:], past.last]
    bands = [(start, end - start, seen.seat_at(start)) for start, end in zip(course.turns, ends, strict=True)]
    totals: list[tuple[int, tuple[int, ...]]] = []
    if past.room.status == "ended":  # before, points may be a secret
        totals = [(at, game.score_sheet(course.states[at]).totals) for at in (0, *ends)]
    most = max((max(row) for _, row in totals), default=0)
    return {"last": max(past.last, 1), "bands": bands, "totals": totals, "most": max(most, 10)}
