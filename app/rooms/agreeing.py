"""What players agree on: a pause, giving up the game, letting the house play for who keeps them waiting."""

from typing import Final

from msgspec.structs import replace

from app.engine.contract import Seat
from app.rooms import policy
from app.rooms import watch as watches
from app.rooms.errors import RoomError
from app.rooms.housekeeping import keep_seats
from app.rooms.snapshot import Place, Snapshot
from app.rooms.store import Change, RoomStore, own_seat, seats_held

WISHES: Final = ("pause", "abandon", "keep")


class Agreeing(RoomStore):
    def wish(self, code: str, person: str, what: str, about: Seat | None, here: frozenset[Seat]) -> Snapshot:
        """Wish for something, or no longer; it happens as soon as all who play wish it. `here`: seats not away."""
        with self.changing(code) as change:
            own = set(seats_held(change.room, person))
            self._check_open(change.room, what)
            for place in change.room.kept_for(person):
                take_back(self, change, place)
            room = change.room
            about = about if what == "keep" else None
            wanted, wishes = {(what, about, seat) for seat in own}, set(room.watch.wishes)
            if wanted <= wishes:
                wishes -= wanted
            else:
                if what == "keep":
                    self._check_slow(room, about, own, here)
                wishes |= wanted
            deciding = {seat.number for seat in room.seats if seat.plays and seat.number != about}
            granted = deciding <= {seat for kind, aim, seat in wishes if (kind, aim) == (what, about)}
            if granted:
                wishes = {wish for wish in wishes if wish[:2] != (what, about)}
            change.become(watch=replace(room.watch, wishes=tuple(sorted(wishes, key=str))))
            if granted:
                self._grant(change, what, about)
        return change.room

    def _check_open(self, room: Snapshot, what: str) -> None:
        if what not in WISHES:
            raise RoomError("no_wish")
        if room.status != "playing" or (what == "pause" and room.watch.paused):
            policy.must_play(room)

    def _check_slow(self, room: Snapshot, about: Seat | None, own: set[Seat], here: frozenset[Seat]) -> None:
        """Only who is away, or has let the others wait for long, can be voted off for a while.

        Where a clock was agreed on one may be away, and has half of the time that there is at least.
        """
        place = None if about is None else room.seat(about)
        if place is None or about in own or place.bot is not None:
            raise RoomError("no_seat")
        watch = room.watch
        most = watches.limit(watch, room.pace)
        patience = max(watches.SLOW, (most or 0.0) / 2)
        is_slow = about in watch.asked and watches.spent(watch, room.pace, self.clock()) >= patience
        if not is_slow and (about in here or most is not None):
            raise RoomError("here", name=place.name)

    def _grant(self, change: Change, what: str, about: Seat | None) -> None:
        if what == "pause":
            change.become(watch=watches.pause(change.room.watch, change.room.pace, self.clock()))
        elif what == "abandon":
            change.become(status="ended")
        elif about is not None:
            keep_seats(self, change, {about})

    def resume(self, code: str, person: str) -> Snapshot:
        """Anybody who plays may end a pause: it must not become a way to block the table."""
        with self.changing(code) as change:
            seats_held(change.room, person)
            if change.room.watch.paused:
                change.become(watch=watches.resume(change.room.watch, self.clock()))
        return change.room

    def come_back(self, code: str, person: str) -> Snapshot:
        """Whoever returns plays again for themselves."""
        with self.changing(code) as change:
            own_seat(change.room, person)
            for place in change.room.kept_for(person):
                if watches.may_come_back(change.room.watch, change.room.pace, place.number):
                    take_back(self, change, place)
        return change.room


def take_back(store: RoomStore, change: Change, place: Place) -> None:
    """A person plays for a seat again."""
    room = change.room
    seats = tuple(replace(seat, bot=None, kept=False) if seat.number == place.number else seat for seat in room.seats)
    watch = watches.come_back(room.watch, room.pace, place.number, store.clock())
    change.become(seats=seats, watch=watch if room.status == "playing" else room.watch)
