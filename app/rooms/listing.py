"""Which rooms concern somebody: their own, and public ones that can be joined or watched."""

from datetime import timedelta
from typing import Any, Final

import msgspec

from app.engine.codec import decode_state
from app.engine.contract import BadGameData, Seat
from app.engine.registry import UnknownGame, find
from app.rooms import repository
from app.rooms.snapshot import Status
from app.rooms.store import RoomStore

_OWN: Final = 50  # games that are not over; more than anybody plays at once
_ENDED: Final = 12
_RECENT: Final = timedelta(days=7)
_ORDER: Final[tuple[Status, ...]] = ("playing", "frozen", "lobby", "ended")


class Table(msgspec.Struct, frozen=True):
    """A room as a list shows it."""

    code: str
    game: str
    status: Status
    places: int
    names: tuple[str, ...]
    your_turn: bool = False
    waiting_for: tuple[str, ...] = ()


class Lists(msgspec.Struct, frozen=True):
    """What the start page lists."""

    own: tuple[Table, ...]
    to_join: tuple[Table, ...]
    to_watch: tuple[Table, ...]


class Listing(RoomStore):
    def lists(self, person: str | None) -> Lists:
        own = self.own_tables(person) if person else ()
        mine = {table.code for table in own}
        public = [table for table in self._public() if table.code not in mine]
        return Lists(
            own,
            tuple(table for table in public if table.status == "lobby"),
            tuple(table for table in public if table.status == "playing"),
        )

    def own_tables(self, person: str) -> tuple[Table, ...]:
        """Where a person sits or is host: what waits for them first, then games, lobbies, and what ended lately."""
        ended_after = self.clock() + self.keeping.rest - _RECENT  # a finished game is due so long after its end
        with self.database.reading() as connection:
            rows = repository.rooms_of(connection, person, _OWN)
            rows += repository.ended_rooms_of(connection, person, ended_after, _ENDED)
            codes = [row["code"] for row in rows]
            names = repository.names(connection, codes)
            held = repository.seats_of(connection, person, codes)
        tables = [_own_table(row, names.get(row["code"], {}), held.get(row["code"], set())) for row in rows]
        return tuple(sorted(tables, key=lambda table: (not table.your_turn, _ORDER.index(table.status))))

    def _public(self) -> list[Table]:
        """Tables with a free seat at which somebody waits, and games that anybody may watch."""
        rooms = self.listed()
        with self.database.reading() as connection:
            names = repository.names(connection, [room["code"] for room in rooms])
        return [
            Table(room["code"], room["game"], room["status"], room["places"], _in_order(names.get(room["code"], {})))
            for room in rooms
            if (room["spectators"] if room["status"] == "playing" else 0 < room["taken"] < room["places"])
        ]

    def last_name(self, person: str) -> str:
        """What somebody called themselves at the newest table at which they sit."""
        with self.database.reading() as connection:
            return repository.last_name(connection, person) or ""


def _own_table(row: dict[str, Any], names: dict[Seat, str], held: set[Seat]) -> Table:
    status: Status = row["status"]
    acting: tuple[Seat, ...] = ()
    awaited: tuple[Seat, ...] = ()
    if status == "playing":
        try:
            game = find(row["game"])
            state = decode_state(game, row["state"])
            acting, awaited = game.to_act(state), game.awaited(state)
        except (BadGameData, UnknownGame):  # one bad room must not hide the others
            status = "frozen"
    return Table(
        row["code"],
        row["game"],
        status,
        row["places"],
        _in_order(names),
        your_turn=bool(held.intersection(awaited)),
        waiting_for=tuple(names[seat] for seat in acting if held and seat in names),
    )


def _in_order(names: dict[Seat, str]) -> tuple[str, ...]:
    return tuple(name for _, name in sorted(names.items()))
