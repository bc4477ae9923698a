"""All decisions about rooms. Each is one transaction: what it returns is on disk, what it raises changed nothing."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Final

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from app.database import Database
from app.engine import registry
from app.engine.codec import decode_move, decode_options, decode_state, encode_state
from app.engine.codec import state_hash as hash_of
from app.engine.contract import Event, Game, Malformed, Seat, Step
from app.engine.registry import UnknownGame
from app.engine.table import Entry, Played, Undone, make_move, taken_back
from app.rooms import policy, repository
from app.rooms.errors import RoomError
from app.rooms.identity import new_code, new_nonce, new_seed
from app.rooms.snapshot import Happened, Place, Said, Snapshot, Status

_KEPT: Final = 5000  # snapshots at hand; whoever is not among them is read again
_LISTED: Final = 50
GONE: Final = 1 << 62  # the revision of a room that was cleared away: newer than any


class Keeping(msgspec.Struct, frozen=True):
    """How long a room is kept when nothing happens in it."""

    empty_lobby: timedelta = timedelta(hours=24)
    rest: timedelta = timedelta(days=30)  # lobbies in which somebody sits, and finished games


class NewRoom(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody asks for who opens a room."""

    game: str
    seats: int
    options: dict[str, Any] = {}
    listed: bool = False
    spectators: bool = True
    seed: str | None = None


class _Change:
    """A room that is being changed: locked until the transaction ends."""

    def __init__(self, connection: Connection, room: Snapshot) -> None:
        self.connection = connection
        self.room = room

    def become(self, **fields: Any) -> None:
        self.room = replace(self.room, **fields)


class Rooms:
    """Opens rooms, seats people, plays."""

    def __init__(
        self,
        database: Database,
        keeping: Keeping | None = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.database = database
        self.keeping = keeping or Keeping()
        self.clock = clock
        self.changed: Callable[[str, int], None] = _nobody_listens  # until the hub puts itself here
        self._kept: OrderedDict[str, Snapshot] = OrderedDict()
        self._guard = threading.Lock()
        self._pending: dict[str, Snapshot] = {}  # written, not yet on disk; only whoever writes may look

    # Reading

    def room(self, code: str) -> Snapshot:
        """The room as it is now."""
        _check_code(code)
        with self.database.reading() as connection:
            kept = self.kept(code)
            if kept and repository.revision(connection, code) == kept.rev:
                return kept
            room = repository.load(connection, code)
        if room is None:
            self._forget(code)
            raise RoomError("no_room")
        self._keep(room)
        return room

    def kept(self, code: str) -> Snapshot | None:
        """The room as this process knows it, without asking the database."""
        return self._kept.get(code)

    def log(self, code: str) -> tuple[Happened, ...]:
        room = self.room(code)
        with self.database.reading() as connection:
            return repository.log(connection, room.id)

    def listed(self) -> list[dict[str, Any]]:
        with self.database.reading() as connection:
            return repository.listed(connection, _LISTED)

    def revisions(self, codes: list[str]) -> dict[str, int]:
        with self.database.reading() as connection:
            return repository.revisions(connection, codes)

    def _keep(self, room: Snapshot) -> None:
        with self._guard:
            kept = self._kept.get(room.code)
            if kept is None or kept.rev <= room.rev:
                self._kept[room.code] = room
            self._kept.move_to_end(room.code)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)

    def _forget(self, code: str) -> None:
        with self._guard:
            self._kept.pop(code, None)

    # Changing

    @contextmanager
    def _changing(self, code: str) -> Iterator[_Change]:
        """Lock, change, store, notify: one transaction. What has not changed is not stored."""
        _check_code(code)
        with self.database.writing() as connection:
            found = repository.lock(connection, code)
            if found is None:
                raise RoomError("no_room")
            kept = self._pending.get(code) or self.kept(code)
            room = kept if kept and kept.rev == found[1] else repository.load(connection, code)
            assert room is not None  # noqa: S101 it is locked
            change = _Change(connection, room)
            yield change
            if change.room is not room:
                change.become(rev=room.rev + 1)
                self._store(change, room)
        if change.room is not room:
            self._pending[code] = change.room
            self.database.after_commit(partial(self._publish, change.room), on_failure=partial(self._unwrite, code))

    def _unwrite(self, code: str) -> None:
        self._pending.pop(code, None)

    def _publish(self, room: Snapshot) -> None:
        """It is on disk: from now on others may see it."""
        with self._guard:
            if self._pending.get(room.code) is room:
                del self._pending[room.code]
        self._keep(room)
        self.changed(room.code, room.rev)

    def _store(self, change: _Change, before: Snapshot) -> None:
        after = change.room
        if after.seq != before.seq and after.status == before.status:
            repository.save_move(change.connection, after, encode_state(after.game, after.state))
            self._notify(change.connection, after.code, after.rev)
            return
        columns: dict[str, Any] = {}
        if after.state is not before.state:
            columns["state"] = encode_state(after.game, after.state)
            if after.anchor_seq != before.anchor_seq or before.state is None:
                columns["anchor"] = columns["state"]
        if after.status != before.status or after.seats != before.seats:
            columns["due_at"] = self._due(after)
        if after.seats != before.seats:
            repository.save_seats(change.connection, after.id, after.seats)
        repository.save(change.connection, before, after, **columns)
        self._notify(change.connection, after.code, after.rev)

    def _notify(self, connection: Connection, code: str, rev: int) -> None:
        if self.database.is_postgres:
            repository.notify(connection, f"{code}:{rev}")

    def _due(self, room: Snapshot) -> datetime | None:
        if room.status == "lobby" and not room.seats:
            return self.clock() + self.keeping.empty_lobby
        if room.status in ("lobby", "ended"):
            return self.clock() + self.keeping.rest
        return None

    # The life of a room

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
        room = Snapshot(
            id=0,
            code=new_code(),
            game_name=game.name,
            places=wish.seats,
            options=wish.options,
            listed=wish.listed,
            spectators=wish.spectators,
            status="lobby",
            host=person,
            seed=wish.seed or new_seed(),
            seed_chosen=wish.seed is not None,
            rev=1,
            seq=0,
            state=None,
            anchor_seq=0,
            barrier=None,
            rematch=None,
            created_at=self.clock(),
            seats=(),
            muted=frozenset(),
            log=(),
            chat=(),
        )
        with self.database.writing() as connection:
            return self._add(connection, room)

    def _add(self, connection: Connection, room: Snapshot) -> Snapshot:
        due_at = self._due(room)
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

    def join(self, code: str, person: str, name: str, number: Seat | None = None) -> Snapshot:
        """Take a seat: any free one, or this one. In a game only a seat that was freed can be taken."""
        name = policy.clean_name(name)
        with self._changing(code) as change:
            room = change.room
            if room.status in ("ended", "frozen"):
                raise RoomError("not_in_lobby")
            if room.seats_of(person):
                raise RoomError("seated_already")
            taken = {seat.number for seat in room.seats if seat.holders}
            free = [seat for seat in range(room.places) if seat not in taken]
            if room.status == "playing":
                free = [seat.number for seat in room.seats if not seat.holders]
            if number is None and not free:
                raise RoomError("full")
            chosen = free[0] if number is None else number
            if chosen not in free:
                raise RoomError("seat_taken" if chosen in taken else "no_seat")
            others = [seat for seat in room.seats if seat.number != chosen]
            if any(policy.same_name(name, seat.name) for seat in others):
                raise RoomError("name_taken", name=name)
            change.become(seats=_ordered([*others, Place(chosen, name, new_nonce(), frozenset([person]))]))
        return change.room

    def rename(self, code: str, person: str, name: str) -> Snapshot:
        name = policy.clean_name(name)
        with self._changing(code) as change:
            own = _own(change.room, person)
            others = [seat for seat in change.room.seats if seat is not own]
            if any(policy.same_name(name, seat.name) for seat in others):
                raise RoomError("name_taken", name=name)
            if own.name != name:
                change.become(seats=_ordered([*others, replace(own, name=name)]))
        return change.room

    def leave(self, code: str, person: str) -> Snapshot:
        """Stand up, in a lobby. The host's place goes to whoever sits next."""
        with self._changing(code) as change:
            policy.must_be_lobby(change.room)
            own = _own(change.room, person)
            self._free(change, own)
        return change.room

    def free(self, code: str, person: str, number: Seat) -> Snapshot:
        """The host takes somebody off a seat: in a lobby it is empty then, in a game somebody else may take it over."""
        with self._changing(code) as change:
            policy.must_host(change.room, person)
            seat = change.room.seat(number)
            if seat is None or change.room.status not in ("lobby", "playing"):
                raise RoomError("no_seat")
            self._free(change, seat)
        return change.room

    def _free(self, change: _Change, seat: Place) -> None:
        room = change.room
        seats = tuple(other for other in room.seats if other is not seat)
        if room.status == "playing":
            seats = _ordered([*seats, replace(seat, holders=frozenset(), nonce=new_nonce())])
        change.become(seats=seats)
        if room.host in seat.holders and room.status == "lobby":
            heirs = [min(other.holders) for other in seats if other.holders]
            change.become(host=heirs[0] if heirs else room.host)

    def order(self, code: str, person: str, numbers: list[Seat]) -> Snapshot:
        """The host says who sits where: the present numbers of the seats in their new order."""
        with self._changing(code) as change:
            policy.must_host(change.room, person)
            policy.must_be_lobby(change.room)
            seats = {seat.number: seat for seat in change.room.seats}
            if sorted(numbers) != sorted(seats):
                raise RoomError("no_seat")
            change.become(seats=tuple(replace(seats[old], number=new) for new, old in enumerate(numbers)))
        return change.room

    def hand_over(self, code: str, person: str, number: Seat) -> Snapshot:
        with self._changing(code) as change:
            policy.must_host(change.room, person)
            seat = change.room.seat(number)
            if seat is None or not seat.holders:
                raise RoomError("no_seat")
            change.become(host=min(seat.holders))
        return change.room

    def start(self, code: str, person: str) -> Snapshot:
        with self._changing(code) as change:
            room = change.room
            policy.must_host(room, person)
            policy.must_be_lobby(room)
            least = room.game.card.seats[0]
            if len(room.seats) < least:
                raise RoomError("too_few", missing=least - len(room.seats))
            seats = tuple(replace(seat, number=number) for number, seat in enumerate(room.seats))
            options = decode_options(room.game, room.options)
            change.become(
                seats=seats, status="playing", state=room.game.setup(options, len(seats), room.seed), barrier=None
            )
        return change.room

    def rematch(self, code: str, person: str) -> Snapshot:
        """A new room with the same people and the same agreements; whoever asks second is led to the same one."""
        with self._changing(code) as change:
            room = change.room
            own = _own(room, person)
            if room.status != "ended":
                raise RoomError("not_ended")
            if room.rematch is not None:
                following = repository.load(change.connection, room.rematch)
                if following is not None:
                    return following
            seats = tuple(replace(seat, nonce=new_nonce()) for seat in room.seats if seat.holders)
            following = replace(
                room,
                code=new_code(),
                status="lobby",
                host=person if room.host not in own.holders else room.host,
                seed=new_seed(),
                seed_chosen=False,
                rev=1,
                seq=0,
                state=None,
                anchor_seq=0,
                barrier=None,
                rematch=None,
                created_at=self.clock(),
                seats=tuple(replace(seat, number=number) for number, seat in enumerate(seats)),
                muted=frozenset(),
                log=(),
                chat=(),
            )
            following = self._add(change.connection, following)
            change.become(rematch=following.code)
        return following

    def carry(self, code: str, person: str) -> Place:
        """The seat that a private link is to lead to."""
        return _own(self.room(code), person)

    def take_along(self, code: str, person: str, nonce: str) -> Snapshot:
        """Sit on one's own seat at another device, wherever that seat is by now."""
        with self._changing(code) as change:
            seat = next((seat for seat in change.room.seats if seat.nonce == nonce), None)
            if seat is None:
                raise RoomError("bad_link")
            if person not in seat.holders:
                if seat.holders & change.room.muted:
                    repository.set_muted(change.connection, change.room.id, person, True)
                    change.become(muted=change.room.muted | {person})
                others = [other for other in change.room.seats if other is not seat]
                change.become(seats=_ordered([*others, replace(seat, holders=seat.holders | {person})]))
        return change.room

    # Playing

    def play(self, code: str, person: str, decision: str, raw: object, key: str) -> int:
        """Make a move; the number of its entry in the log. A repeated key gets the first answer."""
        key = _own_key(person, key)
        try:
            with self._changing(code) as change:
                room = change.room
                seats = _seats_of(room, person)
                if decision != room.decision:
                    return _first_answer(change, seats, key)
                policy.must_play(room)
                move = decode_move(room.game, raw)
                seat = _acting(room, seats)
                step = make_move(room.game, room.state, seat, move)
                self._enter(change, Played(seat, msgspec.to_builtins(move)), step, key)
            return change.room.seq
        except IntegrityError:  # the key was used for an earlier decision
            return self._answer_again(code, person, key)

    def _answer_again(self, code: str, person: str, key: str) -> int:
        with self._changing(code) as change:
            return _first_answer(change, _seats_of(change.room, person), key)

    def undo(self, code: str, person: str, key: str) -> int:
        """Take back one's own last step, as an entry of its own."""
        key = _own_key(person, key)
        try:
            with self._changing(code) as change:
                room = change.room
                seats = _seats_of(room, person)
                again = repository.seq_of_key(change.connection, room.id, seats, key)
                if again is not None:
                    return again
                policy.must_play(room)
                since = repository.entries(change.connection, room.id, room.anchor_seq)
                anchor = decode_state(room.game, repository.anchor(change.connection, room.id))
                mine = [entry.seat for entry in since if entry.seat in seats]
                seat = mine[-1] if mine else seats[0]
                state = taken_back(room.game, anchor, room.barrier, since, seat)
                events = (Event("seat.takes_back", seat),)
                self._enter(change, Undone(seat), Step(state, events), key)
            return change.room.seq
        except IntegrityError:
            return self._answer_again(code, person, key)

    def _enter(self, change: _Change, entry: Entry, step: Step[Any], key: str) -> None:
        """Append an entry and become what it led to."""
        room = change.room
        seq = room.seq + 1
        happened = Happened(seq, entry.seat, isinstance(entry, Undone), step.events)
        digest = hash_of(room.game, step.state)
        repository.add_move(change.connection, room.id, happened, entry, digest, key, self.clock())
        change.become(
            seq=seq,
            state=step.state,
            status="ended" if room.game.outcome(step.state) else "playing",
            anchor_seq=seq if step.barrier else room.anchor_seq,
            barrier=step.barrier or room.barrier,
            log=(*room.log[1 - repository.LOG_TAIL :], happened),
        )

    # Talking

    def say(self, code: str, person: str, text: str, name: str | None = None) -> Said:
        """A line in the chat: players speak with their seat's name, spectators with the one they give."""
        message = policy.clean_message(text)
        with self._changing(code) as change:
            room = change.room
            if person in room.muted:
                raise RoomError("muted")
            held = room.seats_of(person)
            if not held and not policy.may_watch(room, person):
                raise RoomError("spectators_barred")
            seat = room.seat(held[0]) if held else None
            speaker = seat.name if seat else policy.clean_name(name or "")
            if not seat and any(policy.same_name(speaker, other.name) for other in room.seats):
                raise RoomError("name_taken", name=speaker)
            now = self.clock()
            said = Said(0, room.voice(person), person, speaker, message, now)
            self._check_pace(change, said)
            said = replace(said, id=repository.add_message(change.connection, room.id, said))
            others = [line for line in room.chat if line.voice != said.voice]
            same = [line for line in room.chat if line.voice == said.voice]
            lines = [*others, *same[1 - repository.CHAT_TAIL :], said]
            change.become(chat=tuple(sorted(lines, key=lambda line: line.id)))
        return said

    def _check_pace(self, change: _Change, said: Said) -> None:
        """So much for one person, and so much for all spectators together, for anybody can be a new one."""
        since = said.at - timedelta(seconds=policy.MESSAGE_SECONDS)
        lately = repository.messages_since(change.connection, change.room.id, since)
        own = sum(person == said.person for person, _ in lately)
        together = sum(voice == "spectators" for _, voice in lately) if said.voice == "spectators" else 0
        if own >= policy.MESSAGES or together >= policy.SPECTATORS_MESSAGES:
            raise RoomError("chat_fast")

    def mute(self, code: str, person: str, message: int, muted: bool) -> Snapshot:
        """The host silences whoever wrote this line, at all their devices, or lets them speak again."""
        with self._changing(code) as change:
            room = change.room
            policy.must_host(room, person)
            speaker = repository.speaker(change.connection, room.id, message)
            if speaker is None or room.is_host(speaker):
                raise RoomError("no_person")
            people = {speaker}.union(*(seat.holders for seat in room.seats if speaker in seat.holders))
            for one in people:
                repository.set_muted(change.connection, room.id, one, muted)
            change.become(muted=room.muted | people if muted else room.muted - people)
        return change.room

    # Order in the house

    def freeze(self, code: str, is_bad: Callable[[Connection], bool]) -> bool:
        """A room whose stored table cannot be trusted: nobody plays on until somebody has looked at it.

        It is looked at once more under the lock, for it may have been read while somebody moved.
        """
        with self.database.writing() as connection:
            found = repository.lock(connection, code)
            if found is None or not is_bad(connection):
                return False
            self._set_status(connection, code, found, "frozen")
        return True

    def thaw(self, code: str, is_bad: Callable[[Connection], bool], is_over: Callable[[Connection], bool]) -> bool:
        """A frozen room that has been mended goes on."""
        with self.database.writing() as connection:
            found = repository.lock(connection, code)
            if found is None or is_bad(connection):
                return False
            self._set_status(connection, code, found, "ended" if is_over(connection) else "playing")
        return True

    def _set_status(self, connection: Connection, code: str, found: tuple[int, int], status: Status) -> None:
        repository.set_status(connection, *found, status)
        self._notify(connection, code, found[1] + 1)
        self._forget(code)

    def clear_away(self, most: int = 100) -> list[str]:
        """Remove rooms that have been empty or finished for long, and tell whoever still looks."""
        with self.database.writing() as connection:
            due = repository.claim_due(connection, self.clock(), most)
            for room_id, code in due:
                repository.remove_room(connection, room_id)
                self._notify(connection, code, GONE)
        for _, code in due:
            self._forget(code)
            self.database.after_commit(partial(self.changed, code, GONE), on_failure=_nothing)
        return [code for _, code in due]

    def secret(self, proposal: str) -> str:
        """The secret that signs tokens, shared by all who use this database."""
        for _ in range(2):
            try:
                with self.database.writing() as connection:
                    return repository.shared_setting(connection, "secret", proposal)
            except IntegrityError:  # another worker was first
                continue
        raise AssertionError("a setting can be neither written nor read")


def _check_code(code: str) -> None:
    """What cannot be a code is not looked up: databases do not take every sign."""
    if not (code.isascii() and code.isalnum()):
        raise RoomError("no_room")


def _own_key(person: str, key: str) -> str:
    """A key is its sender's own: whoever takes over a seat may use any."""
    if not key.isprintable():
        raise Malformed("key")
    return f"{person}:{key}"


def _nobody_listens(code: str, rev: int) -> None:
    pass


def _nothing() -> None:
    pass


def _ordered(seats: list[Place]) -> tuple[Place, ...]:
    return tuple(sorted(seats, key=lambda seat: seat.number))


def _seats_of(room: Snapshot, person: str) -> tuple[Seat, ...]:
    seats = room.seats_of(person)
    if not seats:
        raise RoomError("not_seated")
    return seats


def _own(room: Snapshot, person: str) -> Place:
    own = room.seat(_seats_of(room, person)[0])
    assert own is not None  # noqa: S101 the number comes from the seats
    return own


def _acting(room: Snapshot, seats: tuple[Seat, ...]) -> Seat:
    """For whom a person acts who holds several seats: the one whose turn it is."""
    acting = room.game.to_act(room.state)
    return next((seat for seat in seats if seat in acting), seats[0])


def _first_answer(change: _Change, seats: tuple[Seat, ...], key: str) -> int:
    first = repository.seq_of_key(change.connection, change.room.id, seats, key)
    if first is None:
        raise RoomError("stale")
    return first
