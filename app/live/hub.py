"""Who looks at which room through this process, and how news reaches them.

A room is drawn once for each class of viewers, however many there are. A socket that cannot keep up holds no queue: it
is told that it is behind, and gets everything anew when it can take it.
"""

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from contextlib import suppress
from typing import Any, Final, TypeAlias

import msgspec
from sqlalchemy.exc import DBAPIError

from app.engine.contract import Seat
from app.live.faces import Drawn, Face, Look
from app.live.presence import Presence
from app.live.regions import Encoded
from app.rooms.errors import RoomError
from app.rooms.policy import may_watch
from app.rooms.service import Rooms
from app.rooms.snapshot import Snapshot

_LOG: Final = logging.getLogger("valtavola.live")

BATCH: Final = 0.5  # seconds for which comings and goings are gathered
NO_ROOM: Final = 4404  # close codes of our own: no such room (any more), and not for spectators
BARRED: Final = 4403

Message: TypeAlias = dict[str, Any]


def _message(text: str) -> Message:
    return {"type": "websocket.send", "text": text}


def _text(content: object) -> Message:
    """News for the script or program at the other end, whatever face it has."""
    return _message(msgspec.json.encode(content).decode())


class Socket:
    """Somebody who looks."""

    def __init__(
        self,
        person: str | None,
        face: Face,
        send: Callable[[Message], Awaitable[None]],
        take: Callable[[str], bool] | None = None,
    ) -> None:
        self.person = person
        self.face = face
        self.send = send
        self.take = take  # the short way, where the server offers one
        self.look: Look | None = None  # until the room is known
        self.plays = False
        self.rev = 0  # what they have seen
        self.busy = True  # being brought up to date by a task of their own

    def try_send(self, message: Message) -> bool:
        """Send now, or not at all if the connection has no room for it."""
        if self.take:
            return self.take(message["text"])
        sending = self.send(message)
        assert isinstance(sending, Coroutine)  # noqa: S101 as ASGI has it
        try:
            sending.send(None)
        except StopIteration:
            return True
        except Exception:
            return False  # the connection is gone, and its own task will notice
        sending.close()
        return False


async def _close(socket: Socket, code: int) -> None:
    with suppress(Exception):  # it may be gone already
        await socket.send({"type": "websocket.close", "code": code})


class _Watched:
    """A room that somebody looks at."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.sockets: set[Socket] = set()
        self.several: list[Socket] = []  # those who hold more than one seat
        self.room: Snapshot | None = None
        self.drawn: dict[Look | None, Drawn] = {}
        self.moment: Encoded | None = None
        self.wanted = 0
        self.pushing: asyncio.Task[None] | None = None
        self.announcing: asyncio.Task[None] | None = None
        self.told: dict[str, Any] | None = None  # who is here, as everybody has heard


class Hub:
    def __init__(self, rooms: Rooms, presence: Presence) -> None:
        self.rooms = rooms
        self.presence = presence
        self._watched: dict[str, _Watched] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = 0
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        """From now on the rooms tell this hub, on this event loop, what has changed."""
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self.rooms.changed = self._changed
        self.presence.changed = self._announce

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _changed(self, code: str, rev: int) -> None:
        if threading.get_ident() == self._thread:
            self.wake(code, rev)
        elif self._loop and code in self._watched:
            self._loop.call_soon_threadsafe(self.wake, code, rev)

    def codes(self) -> list[str]:
        return list(self._watched)

    def wake(self, code: str, rev: int) -> None:
        """The room has come to this revision."""
        watched = self._watched.get(code)
        if watched is None or rev <= watched.wanted:
            return
        watched.wanted = rev
        kept = self.rooms.kept(code)
        if watched.pushing is None and kept and kept.rev >= rev:
            self._send_round(watched, kept)
        elif watched.pushing is None:
            watched.pushing = self._spawn(self._push(watched))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception():
            _LOG.error("News could not be sent", exc_info=task.exception())

    # Coming and going

    async def enter(self, code: str, socket: Socket, seen: int) -> None:
        """Begin to watch; whoever has seen the newest already is only told so. Raises RoomError; then `leave`."""
        watched = self._watched.setdefault(code, _Watched(code))
        watched.sockets.add(socket)
        if watched.room is None:
            self._take(watched, await self.rooms.database.read(self.rooms.room, code))
        room = watched.room
        assert room is not None  # noqa: S101 it was just taken
        if not may_watch(room, socket.person):
            raise RoomError("spectators_barred")
        socket.look = socket.face.look(room, socket.person)
        socket.plays = bool(room.seats_of(socket.person))
        if len(room.seats_of(socket.person)) > 1:
            watched.several.append(socket)
        self._announce(code)
        if seen == room.rev == watched.wanted:
            self._draw(watched, room, socket)  # what the next change is compared with
            await socket.send(
                _text({"rev": room.rev, "base": seen, "seq": room.seq, "presence": self.presence.of(watched.code)})
            )
            socket.rev = seen
        await self._bring_up(watched, socket)

    def leave(self, code: str, socket: Socket) -> None:
        watched = self._watched.get(code)
        if watched and socket in watched.sockets:
            self._drop(watched, socket)

    def _drop(self, watched: _Watched, socket: Socket) -> None:
        watched.sockets.discard(socket)
        watched.several = [other for other in watched.several if other is not socket]
        if watched.sockets:
            self._announce(watched.code)
        elif self._watched.get(watched.code) is watched:
            del self._watched[watched.code]
            self.presence.here(watched.code, (), 0)

    def _take(self, watched: _Watched, room: Snapshot) -> bool:
        """Look at this moment of the room, unless a newer one is already looked at."""
        if watched.room is not None and watched.room.rev >= room.rev:
            return False
        before, watched.room = watched.room, room
        watched.wanted = max(watched.wanted, room.rev)
        if before is None or before.seats is not room.seats or before.host != room.host:
            watched.several = [socket for socket in watched.sockets if len(room.seats_of(socket.person)) > 1]
            self._look_again(room, watched.sockets)
        else:
            self._look_again(room, watched.several)
        return True

    def _look_again(self, room: Snapshot, sockets: Iterable[Socket]) -> None:
        """Who looks through other eyes than before has seen nothing yet."""
        for socket in sockets:
            look = socket.face.look(room, socket.person)
            socket.plays = bool(room.seats_of(socket.person))
            if look != socket.look:
                socket.look, socket.rev = look, 0

    async def _bring_up(self, watched: _Watched, socket: Socket) -> None:
        """Send everything until nothing newer has come in between."""
        while watched.room is not None and socket.rev != watched.room.rev and socket in watched.sockets:
            room = watched.room
            now = self._draw(watched, room, socket)
            presence = self.presence.of(watched.code)
            await socket.send(_message(socket.face.whole(room, now, socket.look, presence)))
            socket.rev = room.rev
        socket.busy = False

    async def _catch_up(self, watched: _Watched, socket: Socket) -> None:
        """For a socket that could take no more: wait until it can, then send everything."""
        try:
            await socket.send(_text({"behind": True}))
            socket.rev = 0
            await self._bring_up(watched, socket)
        except Exception as error:  # most likely the connection is gone, and its own task ends it
            _LOG.info("A socket could not be brought up to date: %s", type(error).__name__)
            self.leave(watched.code, socket)

    # Pushing

    async def _push(self, watched: _Watched) -> None:
        try:
            while watched.sockets and (watched.room is None or watched.room.rev < watched.wanted):
                announced = watched.wanted
                room = await self._fetch(watched)
                if room is None:
                    return
                self._send_round(watched, room)
                if room.rev < announced == watched.wanted:  # the database knows no newer one: it was set back
                    watched.wanted = room.rev
        finally:
            watched.pushing = None

    async def _fetch(self, watched: _Watched) -> Snapshot | None:
        while watched.sockets:
            try:
                return await self.rooms.database.read(self.rooms.room, watched.code)
            except RoomError:  # it was cleared away
                self._turn_out(watched, list(watched.sockets), NO_ROOM)
                return None
            except DBAPIError as error:
                _LOG.warning("Room %s cannot be read, trying again: %s", watched.code, type(error).__name__)
                await asyncio.sleep(1)
        return None

    def _send_round(self, watched: _Watched, room: Snapshot) -> None:
        """The change to everybody who has seen what was before it."""
        before = dict(watched.drawn)
        if not self._take(watched, room):
            return
        if not room.spectators and room.status != "lobby":
            self._turn_out(watched, [s for s in watched.sockets if not may_watch(room, s.person)], BARRED)
        messages: dict[Look | None, tuple[int, Message]] = {}
        for socket in watched.sockets:
            if socket.busy:
                continue
            if socket.look not in messages:
                messages[socket.look] = self._change(watched, room, before.get(socket.look), socket)
            base, message = messages[socket.look]
            if base == socket.rev and socket.try_send(message):
                socket.rev = room.rev
            else:
                socket.busy = True
                self._spawn(self._catch_up(watched, socket))

    def _change(self, watched: _Watched, room: Snapshot, before: Drawn | None, socket: Socket) -> tuple[int, Message]:
        now = self._draw(watched, room, socket)
        if before is None:
            return -1, {}
        presence = self.presence.of(watched.code)
        moment = self._moment(watched, room)
        return before.rev, _message(socket.face.difference(moment, before, now, socket.look, presence))

    def _draw(self, watched: _Watched, room: Snapshot, socket: Socket) -> Drawn:
        drawn = watched.drawn.get(socket.look)
        if drawn is None or drawn.rev != room.rev:
            drawn = watched.drawn[socket.look] = socket.face.draw(self._moment(watched, room), socket.look)
        return drawn

    def _moment(self, watched: _Watched, room: Snapshot) -> Encoded:
        if watched.moment is None or watched.moment.room is not room:
            watched.moment = Encoded(room, watched.moment)
        return watched.moment

    def _turn_out(self, watched: _Watched, sockets: list[Socket], code: int) -> None:
        """From now on they get nothing but the reason why."""
        for socket in sockets:
            self._drop(watched, socket)
            self._spawn(_close(socket, code))

    # Presence

    def _seats_here(self, watched: _Watched) -> set[Seat]:
        people = {socket.person for socket in watched.sockets if socket.plays}
        return {seat for person in people for seat in watched.room.seats_of(person)} if watched.room else set()

    def _watching(self, watched: _Watched) -> int:
        return sum(1 for socket in watched.sockets if not socket.plays)

    def _announce(self, code: str) -> None:
        """Somebody came or went: tell the others, a little later and all at once."""
        watched = self._watched.get(code)
        if watched and watched.announcing is None:
            watched.announcing = self._spawn(self._announce_later(watched))

    async def _announce_later(self, watched: _Watched) -> None:
        await asyncio.sleep(BATCH)
        watched.announcing = None
        if not watched.sockets or watched.room is None:
            return
        self.presence.here(watched.code, self._seats_here(watched), self._watching(watched))
        presence = self.presence.of(watched.code)
        if presence == watched.told:
            return
        watched.told = presence
        messages: dict[Look | None, Message] = {}
        for socket in watched.sockets:
            if socket.busy:
                continue
            if socket.look not in messages:
                messages[socket.look] = _message(socket.face.presence(watched.room, presence, socket.look))
            socket.try_send(messages[socket.look])
