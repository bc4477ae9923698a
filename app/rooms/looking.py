"""Through whose eyes somebody looks who does not simply sit on one seat: coaches, and several people at one device."""

from msgspec.structs import replace

from app.engine.contract import SPECTATOR, Seat
from app.rooms.errors import RoomError
from app.rooms.identity import new_nonce
from app.rooms.snapshot import Snapshot
from app.rooms.store import RoomStore, own_seat


class Looking(RoomStore):
    def face(self, code: str, person: str, number: Seat) -> Snapshot:
        """Of several who play at one device, this one holds it now."""
        with self.changing(code) as change:
            if number not in change.room.seats_of(person):
                raise RoomError("not_seated")
            seats = tuple(
                replace(seat, faced=seat.faced | {person} if seat.number == number else seat.faced - {person})
                for seat in change.room.seats
            )
            change.become(seats=seats)
        return change.room

    def coach(self, code: str, person: str, nonce: str) -> Snapshot:
        """Look through the eyes of a seat, by its holder's leave. Who plays must not."""
        with self.changing(code) as change:
            room = change.room
            seat = next((seat for seat in room.seats if seat.nonce == nonce), None)
            if seat is None:
                raise RoomError("bad_link")
            if room.seats_of(person) or room.coached(person) not in (seat.number, SPECTATOR):
                raise RoomError("seated_already")
            if person not in seat.coaches:
                change.become(
                    seats=tuple(
                        replace(other, coaches=other.coaches | {person}) if other is seat else other
                        for other in room.seats
                    )
                )
        return change.room

    def dismiss(self, code: str, person: str) -> Snapshot:
        """Nobody looks through one's eyes any longer, and the links to that are worthless."""
        with self.changing(code) as change:
            own = own_seat(change.room, person)
            change.become(
                seats=tuple(
                    replace(seat, coaches=frozenset(), former=seat.former | seat.coaches, nonce=new_nonce())
                    if seat is own
                    else seat
                    for seat in change.room.seats
                )
            )
        return change.room
