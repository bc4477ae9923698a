"""What is said at a table: two voices, limits, and a host who may silence."""

from datetime import timedelta

from msgspec.structs import replace

from app.rooms import policy, repository
from app.rooms.errors import RoomError
from app.rooms.snapshot import Said, Snapshot
from app.rooms.store import Change, RoomStore


class Talking(RoomStore):
    def say(self, code: str, person: str, text: str, name: str | None = None) -> Said:
        """A line in the chat: players speak with their seat's name, spectators with the one they give."""
        message = policy.clean_message(text)
        with self.changing(code) as change:
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

    def _check_pace(self, change: Change, said: Said) -> None:
        """So much for one person, and so much for all spectators together, for anybody can be a new one."""
        since = said.at - timedelta(seconds=policy.MESSAGE_SECONDS)
        lately = repository.messages_since(change.connection, change.room.id, since)
        own = sum(person == said.person for person, _ in lately)
        together = sum(voice == "spectators" for _, voice in lately) if said.voice == "spectators" else 0
        if own >= policy.MESSAGES or together >= policy.SPECTATORS_MESSAGES:
            raise RoomError("chat_fast")

    def mute(self, code: str, person: str, message: int, muted: bool) -> Snapshot:
        """The host silences whoever wrote this line, at all their devices, or lets them speak again."""
        with self.changing(code) as change:
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
