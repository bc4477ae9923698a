"""The life of a room but for the playing: opening it, taking and leaving seats, what the host may do, playing again."""

from typing import Any, Final

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection

from app.engine import registry
from app.engine.bots import LEVELS
from app.engine.codec import decode_options
from app.engine.contract import Game, Malformed, Seat
from app.engine.registry import UnknownGame
from app.rooms import policy, repository
from app.rooms import watch as watches
from app.rooms.agreeing import take_back
from app.rooms.errors import RoomError
from app.rooms.identity import new_code, new_nonce, new_seed
from app.rooms.pace import Pace, fault_in
from app.rooms.past import lay_out
from app.rooms.snapshot import Place, Snapshot
from app.rooms.store import Change, RoomStore, own_seat
from app.rooms.watch import Watch

# What every room begins with.
UNPLAYED: Final[dict[str, Any]] = {
    "status": "lobby",
    "rev": 1,
    "seq": 0,
    "state": None,
    "anchor_seq": 0,
    "barrier": None,
    "rematch": None,
    "muted": frozenset(),
    "log": (),
    "chat": (),
    "watch": Watch(),
    "past": (),
    "from_code": None,
    "from_seq": None,
}


class NewRoom(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody asks for who opens a room."""

    game: str
    seats: int
    options: dict[str, Any] = {}
    listed: bool = False
    spectators: bool = True
    seed: str | None = None
    pace: Pace = Pace()
    delay: int = 0


class Seating(RoomStore):
    def create(self, person: str, wish: NewRoom) -> Snapshot:
        try:
            game = registry.find(wish.game)
        except UnknownGame:
            raise RoomError("no_game") from None
        if wish.seats not in game.card.seats:
            raise RoomError("bad_seats", least=game.card.seats[0], most=game.card.seats[-1])
        self._check_options(game, wish.options)
        if wish.seed is not None and not (1 <= len(wish.seed) <= 64 and wish.seed.isprintable()):
            raise RoomError("bad_options", detail="seed")
        if not 0 <= wish.delay <= policy.LONGEST_DELAY:
            raise RoomError("bad_options", detail="delay")
        fault = fault_in(wish.pace)
        if fault:
            raise RoomError("bad_pace", detail=fault)
        room = Snapshot(
            id=0,
            code=new_code(),
            game_name=game.name,
            places=wish.seats,
            options=wish.options,
            listed=wish.listed,
            spectators=wish.spectators,
            host=person,
            seed=wish.seed or new_seed(),
            seed_chosen=wish.seed is not None,
            created_at=self.clock(),
            seats=(),
            pace=wish.pace,
            delay=wish.delay,
            **UNPLAYED,
        )
        with self.database.writing() as connection:
            return self._add(connection, room)

    def _add(self, connection: Connection, room: Snapshot) -> Snapshot:
        due_at = self.due(room)
        assert due_at is not None  # noqa: S101 a lobby is always due some day
        room = replace(room, id=repository.add_room(connection, room, due_at))
        repository.save_seats(connection, room.id, room.seats)
        return room

    def _check_options(self, game: Game[Any, Any, Any], options: dict[str, Any]) -> None:
        try:
            decode_options(game, options)
            msgspec.json.encode(options)
        except Malformed as error:
            raise RoomError("bad_options", detail=error.detail) from error
        except (UnicodeEncodeError, RecursionError) as error:
            raise RoomError("bad_options", detail=type(error).__name__) from error

    def join(self, code: str, person: str, name: str, number: Seat | None = None, beside: bool = False) -> Snapshot:
        """Take a seat: any free one, or this one. In a game only a seat that was freed can be taken.

        Who sits already may take another one for somebody `beside` them, at the same device.
        """
        name = policy.clean_name(name)
        with self.changing(code) as change:
            room = change.room
            if room.status in ("ended", "frozen"):
                raise RoomError("not_in_lobby")
            if room.seats_of(person) and (not beside or room.status != "lobby"):
                raise RoomError("seated_already")
            taken = {seat.number for seat in room.seats if not seat.vacant}
            free = [seat for seat in range(room.places) if seat not in taken]
            if room.status == "playing":
                free = [seat.number for seat in room.seats if seat.vacant]
            if number is None and not free:
                raise RoomError("full")
            chosen = free[0] if number is None else number
            _check_stranger(room, person, chosen)
            if chosen not in free:
                raise RoomError("seat_taken" if chosen in taken else "no_seat")
            others = [seat for seat in room.seats if seat.number != chosen]
            if any(policy.same_name(name, seat.name) for seat in others):
                raise RoomError("name_taken", name=name)
            old = room.seat(chosen) or Place(chosen, name, "", frozenset())
            place = replace(_stripped(old), name=name, holders=frozenset([person]))
            change.become(seats=_ordered([*others, place]))
            if room.status == "playing":
                take_back(self, change, place)
        return change.room

    def add_bot(self, code: str, person: str, level: str, number: Seat | None = None) -> Snapshot:
        """The host has the house play a free seat."""
        with self.changing(code) as change:
            room = change.room
            policy.must_host(room, person)
            policy.must_be_lobby(room)
            if level not in LEVELS:
                raise RoomError("no_bot")
            free = [seat for seat in range(room.places) if room.seat(seat) is None]
            if not free:
                raise RoomError("full")
            if number is not None and number not in free:
                raise RoomError("seat_taken")
            name = policy.bot_name(level, room.names)
            place = Place(free[0] if number is None else number, name, new_nonce(), frozenset(), level)
            change.become(seats=_ordered([*room.seats, place]))
        return change.room

    def rename(self, code: str, person: str, name: str) -> Snapshot:
        name = policy.clean_name(name)
        with self.changing(code) as change:
            own = own_seat(change.room, person)
            others = [seat for seat in change.room.seats if seat is not own]
            if any(policy.same_name(name, seat.name) for seat in others):
                raise RoomError("name_taken", name=name)
            if own.name != name:
                change.become(seats=_ordered([*others, replace(own, name=name)]))
        return change.room

    def leave(self, code: str, person: str) -> Snapshot:
        """Stand up, in a lobby. The host's place goes to whoever sits next."""
        with self.changing(code) as change:
            policy.must_be_lobby(change.room)
            own_seat(change.room, person)
            for seat in change.room.seats:
                if person in seat.holders:
                    self._free(change, seat)
        return change.room

    def free(self, code: str, person: str, number: Seat) -> Snapshot:
        """The host takes somebody off a seat: in a lobby it is empty then, in a game somebody else may take it over."""
        with self.changing(code) as change:
            policy.must_host(change.room, person)
            seat = change.room.seat(number)
            if seat is None or change.room.status not in ("lobby", "playing"):
                raise RoomError("no_seat")
            self._free(change, seat)
        return change.room

    def _free(self, change: Change, seat: Place) -> None:
        room = change.room
        seats = tuple(other for other in room.seats if other is not seat)
        if room.status == "playing":
            seats = _ordered([*seats, _stripped(seat)])
        change.become(seats=seats)
        if room.host in seat.holders and room.status == "lobby":
            heirs = [min(other.holders) for other in seats if other.holders]
            change.become(host=heirs[0] if heirs else room.host)

    def order(self, code: str, person: str, numbers: list[Seat]) -> Snapshot:
        """The host says who sits where: the present numbers of the seats in their new order."""
        with self.changing(code) as change:
            policy.must_host(change.room, person)
            policy.must_be_lobby(change.room)
            seats = {seat.number: seat for seat in change.room.seats}
            if sorted(numbers) != sorted(seats):
                raise RoomError("no_seat")
            change.become(seats=tuple(replace(seats[old], number=new) for new, old in enumerate(numbers)))
        return change.room

    def hand_over(self, code: str, person: str, number: Seat) -> Snapshot:
        with self.changing(code) as change:
            policy.must_host(change.room, person)
            seat = change.room.seat(number)
            if seat is None or not seat.holders:
                raise RoomError("no_seat")
            change.become(host=min(seat.holders))
        return change.room

    def start(self, code: str, person: str) -> Snapshot:
        with self.changing(code) as change:
            room = change.room
            policy.must_host(room, person)
            policy.must_be_lobby(room)
            if len(room.seats) < room.least:
                raise RoomError("too_few", missing=room.least - len(room.seats))
            seats = tuple(replace(seat, number=number) for number, seat in enumerate(room.seats))
            options = decode_options(room.game, room.options)
            change.become(
                seats=seats,
                status="playing",
                state=room.game.setup(options, len(seats), room.seed),
                barrier=None,
                watch=watches.begin(room.pace, len(seats)),
            )
            if room.from_seq is not None:
                lay_out(change, self.clock())
        return change.room

    def rematch(self, code: str, person: str) -> Snapshot:
        """A new room with the same people and the same agreements; whoever asks second is led to the same one."""
        with self.changing(code) as change:
            room = change.room
            own = own_seat(room, person)
            if room.status != "ended":
                raise RoomError("not_ended")
            if room.rematch is not None:
                following = repository.load(change.connection, room.rematch)
                if following is not None:
                    return following
            seats = tuple(
                Place(seat.number, seat.name, new_nonce(), seat.holders, None if seat.kept else seat.bot)
                for seat in room.seats
                if not seat.vacant
            )
            following = replace(
                room,
                code=new_code(),
                host=person if room.host not in own.holders else room.host,
                seed=new_seed(),
                seed_chosen=False,
                created_at=self.clock(),
                seats=tuple(replace(seat, number=number) for number, seat in enumerate(seats)),
                **UNPLAYED,
            )
            following = self._add(change.connection, following)
            change.become(rematch=following.code)
        return following

    def carry(self, code: str, person: str) -> Place:
        """The seat that a private link is to lead to."""
        return own_seat(self.room(code), person)

    def take_along(self, code: str, person: str, nonce: str) -> Snapshot:
        """Sit on one's own seat at another device, wherever that seat is by now."""
        with self.changing(code) as change:
            seat = next((seat for seat in change.room.seats if seat.nonce == nonce), None)
            if seat is None:
                raise RoomError("bad_link")
            if person not in seat.holders:
                _check_stranger(change.room, person, seat.number)
                if seat.holders & change.room.muted:
                    repository.set_muted(change.connection, change.room.id, person, True)
                    change.become(muted=change.room.muted | {person})
                others = [other for other in change.room.seats if other is not seat]
                change.become(seats=_ordered([*others, replace(seat, holders=seat.holders | {person})]))
        return change.room

    def receive(self, code: str, person: str, nonce: str, name: str) -> Snapshot:
        """Somebody else is given a seat: it is theirs alone from now on."""
        name = policy.clean_name(name)
        with self.changing(code) as change:
            room = change.room
            seat = next((seat for seat in room.seats if seat.nonce == nonce), None)
            if seat is None or room.status not in ("lobby", "playing"):
                raise RoomError("bad_link")
            if set(room.seats_of(person)) - {seat.number}:
                raise RoomError("seated_already")
            _check_stranger(room, person, seat.number)
            others = [other for other in room.seats if other is not seat]
            if any(policy.same_name(name, other.name) for other in others):
                raise RoomError("name_taken", name=name)
            place = replace(_stripped(seat), name=name, holders=frozenset([person]))
            change.become(seats=_ordered([*others, place]))
            if room.host in seat.holders:
                change.become(host=person)
            if room.status == "playing":
                take_back(self, change, place)
        return change.room


def _stripped(seat: Place) -> Place:
    """Nobody holds it any more, and all links to it are worthless; who has looked through it is remembered."""
    return Place(seat.number, seat.name, new_nonce(), frozenset(), former=seat.coaches | seat.former)


def _check_stranger(room: Snapshot, person: str, number: Seat) -> None:
    """Who has looked through somebody's eyes cannot sit down on another seat of that table."""
    if any(person in seat.coaches | seat.former for seat in room.seats if seat.number != number):
        raise RoomError("coaching")


def _ordered(seats: list[Place]) -> tuple[Place, ...]:
    return tuple(sorted(seats, key=lambda seat: seat.number))
