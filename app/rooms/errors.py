"""What the rooms refuse, and why. Each has a code for programs, a status for the web and words in four languages."""

from collections.abc import Mapping
from typing import Final

from app.engine.contract import Arg

# Code → HTTP status. The words are under `room.error.<code>` in the catalogues.
STATUS: Final = {
    "bad_link": 403,
    "bad_pace": 422,
    "bad_options": 422,
    "bad_seats": 422,
    "bad_token": 401,
    "chat_fast": 429,
    "chat_length": 422,
    "coaching": 409,
    "cross_site": 403,
    "frozen": 409,
    "full": 409,
    "here": 409,
    "muted": 403,
    "name_length": 422,
    "name_signs": 422,
    "name_taken": 409,
    "no_bot": 422,
    "no_game": 404,
    "no_moment": 404,
    "no_person": 404,
    "no_replay": 409,
    "no_room": 404,
    "no_seat": 404,
    "no_wish": 422,
    "not_ended": 409,
    "not_host": 403,
    "not_in_lobby": 409,
    "not_playing": 409,
    "not_seated": 403,
    "paused": 409,
    "seat_taken": 409,
    "seated_already": 409,
    "spectators_barred": 403,
    "stale": 409,
    "too_few": 409,
    "who_are_you": 401,
}


class RoomError(Exception):
    """Something that the rooms refuse. Nothing has changed."""

    def __init__(self, code: str, **args: Arg) -> None:
        super().__init__(code, args)
        self.code = code
        self.status = STATUS[code]
        self.arguments: Mapping[str, Arg] = args

    @property
    def key(self) -> str:
        return f"room.error.{self.code}"
