"""States, moves and options to bytes and back. Decoding is strict: what is not exactly a move is malformed."""

import hashlib
from functools import cache
from typing import Any

import msgspec

from app.engine.contract import BadGameData, Game, M, Malformed, O, S


class _Stored(msgspec.Struct):
    game: str
    version: int
    state: Any


@cache
def _only(kind: Any) -> Any:
    """A struct around a union: msgspec remembers how to read the one, and would look at the other anew each time."""
    return msgspec.defstruct("Only", [("it", kind)], array_like=True)


def encode_state(game: Game[S, M, O], state: S) -> bytes:
    return msgspec.json.encode(_Stored(game.name, game.VERSION, state))


def decode_state(game: Game[S, M, O], data: bytes) -> S:
    try:
        stored = msgspec.json.decode(data, type=_Stored)
        if stored.game != game.name:
            raise BadGameData(f"This is a stored table of {stored.game}, not of {game.name}.")
        raw = stored.state
        if stored.version != game.VERSION:
            raw = game.migrate(raw, stored.version)
        return msgspec.convert(raw, game.state_type)
    except msgspec.MsgspecError as error:
        raise BadGameData(f"A stored table of {game.name} cannot be read: {error}.") from error


def state_hash(game: Game[S, M, O], state: S) -> str:
    """A fingerprint, at most 64 characters; hashes of different versions cannot be compared, so it begins with that."""
    return f"{game.VERSION}:{hashlib.sha256(msgspec.json.encode(state)).hexdigest()[:56]}"


def raw_move(move: M) -> dict[str, Any]:
    """The move as plain values, for a log or an answer in JSON."""
    raw: dict[str, Any] = msgspec.to_builtins(move)
    return raw


def decode_move(game: Game[S, M, O], raw: object) -> M:
    """A move from plain values, as a browser or a log gives them."""
    try:
        move: M = msgspec.convert((raw,), _only(game.move_type)).it
    except msgspec.ValidationError as error:
        raise Malformed(str(error)) from error
    return move


def decode_options(game: Game[S, M, O], raw: object) -> O:
    try:
        return msgspec.convert(raw, game.options_type)
    except msgspec.ValidationError as error:
        raise Malformed(str(error)) from error
