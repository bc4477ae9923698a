"""Playing on from a moment of a finished game: a new room with the same deal, in which what was before it stands."""

from msgspec.structs import replace

from app.rooms import policy, prefixes, repository
from app.rooms.errors import RoomError
from app.rooms.identity import new_code
from app.rooms.past import is_over
from app.rooms.seating import UNPLAYED, Seating
from app.rooms.snapshot import Snapshot


class PlayingOn(Seating):
    def play_on(self, code: str, person: str, at: int) -> Snapshot:
        """A lobby for as many as played there; when it starts, so many entries have been played already."""
        room = self.room(code)
        if room.status != "ended":
            raise RoomError("not_ended")
        if not policy.may_watch(room, person):
            raise RoomError("spectators_barred")
        with self.database.reading() as connection:
            prefix = repository.entries(connection, room.id)[:at]
        if len(prefix) < at or is_over(room, prefix):
            raise RoomError("no_moment")
        fields = {**UNPLAYED, "from_code": code, "from_seq": at, "places": len(room.seats), "listed": False}
        following = replace(room, code=new_code(), host=person, created_at=self.clock(), seats=(), **fields)
        with self.database.writing() as connection:
            following = self._add(connection, following)
            prefixes.save(connection, following.id, prefix)
        return following
