"""What is hidden stays hidden: all traffic of whole games, compared with what each viewer may know.

For every change that a socket was sent, the table is imagined anew with other secrets (resampled) and drawn for that
viewer: it must be what was sent. So nothing that was sent can have depended on what the viewer may not know.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import msgspec
import pytest

import tests.games.valda.sensible as valda
import tests.games.valdora.sensible as valdora
from app.engine.codec import decode_move
from app.engine.contract import SPECTATOR, Event, Viewer
from app.engine.registry import find
from app.engine.rng import Rng
from app.engine.table import Played, Record, Table
from tests.live.clients import Watcher, http_client, start_game, watching
from tests.postgres import empty_database
from tests.processes import run_async, serving

Traffic = tuple[Record, dict[Viewer, list[str]]]

# What sensible players do next, and who does it.
NEXT_MOVE: dict[str, Callable[[Any], tuple[int, Any]]] = {
    "valdora": lambda state: (state.turn.seat, valdora.choose(state)),
    "valda": valda.next_move,
}

KNOWN_PARTS = {
    "rev", "base", "seq", "room", "you", "to_act", "legal", "decision", "view", "events", "chat", "presence",
    "clock",
}  # fmt: skip


async def play_whole_game(address: str, name: str) -> Traffic:
    """A game played through the API, watched by everybody and a spectator; the record and all that was sent."""
    async with http_client(address) as http:
        game, seed = find(name), "a deal that is known"
        people = await start_game(http, 3, game=name, seed=seed)
        code = people[0].code
        table = Table(game, game.options_type(start="first_seat"), 3, seed)
        sockets = {seat: watching(address, code, person.token) for seat, person in enumerate(people)}
        sockets[SPECTATOR] = watching(address, code)
        watchers: dict[Viewer, Watcher] = {viewer: await socket.__aenter__() for viewer, socket in sockets.items()}
        while game.to_act(table.state):
            seat, move = NEXT_MOVE[name](table.state)
            number = game.decision(table.state)
            decision = str(len(table.log)) if number is None else f"d{number}"
            body = {"decision": decision, "move": msgspec.to_builtins(move), "key": str(len(table.log))}
            answer = await people[seat].post("moves", body)
            assert answer.status_code == 200, answer.text
            table.play(seat, move)
            if len(table.log) % 50 == 0:
                await people[seat].post("chat", {"text": f"move {len(table.log)}"})
            for watcher in watchers.values():
                await watcher.until(seq=len(table.log))
        for socket in sockets.values():
            await socket.__aexit__(None, None, None)
        return table.record(), {viewer: watcher.messages for viewer, watcher in watchers.items()}


def merged(messages: list[str]) -> Iterator[tuple[int, dict[str, Any], list[dict[str, Any]]]]:
    """After each message that changed the table: its number, all that was known then, and what was told."""
    seen: dict[str, Any] = {"view": {}}
    for text in messages:
        message = json.loads(text)
        assert set(message) <= KNOWN_PARTS
        if "rev" not in message:
            assert set(message) == {"presence"}
            continue
        view = message.pop("view", None) or {}
        events = message.pop("events", [])
        seen = {**seen, **message, "view": {**seen["view"], **view}}
        yield seen["seq"], seen, events


def check_viewer(record: Record, viewer: Viewer, messages: list[str]) -> int:
    """How many moments were compared."""
    rng = Rng.seeded("imagine")
    game = find(record.game)
    table = Table(game, game.options_type(start="first_seat"), 3, record.seed)
    states: list[Any] = [table.state]
    told: list[tuple[Event, ...]] = [()]
    for entry in record.log:
        assert isinstance(entry, Played)
        step = table.play(entry.seat, decode_move(game, entry.move))
        states.append(step.state)
        told.append(step.events)
    compared = 0
    for seq, seen, events in merged(messages):
        imagined = game.resample(states[seq], viewer, rng)
        assert encoded(seen["view"]) == encoded(json.loads(msgspec.json.encode(game.view(imagined, viewer))))
        legal = game.legal(imagined, viewer) if viewer >= 0 else ()
        assert encoded(seen["legal"]) == encoded(json.loads(msgspec.json.encode(legal)))
        assert seen["to_act"] == list(game.to_act(imagined))
        for happened in events:
            allowed = [game.redact(event, viewer) for event in told[happened["seq"]]]
            sent = [{name: event[name] for name in ("key", "seat", "args")} for event in happened["events"]]
            assert encoded(sent) == encoded(json.loads(msgspec.json.encode([event for event in allowed if event])))
        compared += 1
    return compared


def encoded(content: object) -> bytes:
    return json.dumps(content, sort_keys=True).encode()


@pytest.fixture(scope="module", params=[(name, kind) for name in NEXT_MOVE for kind in ("sqlite", "postgres")])
def traffic(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Traffic:
    name, kind = request.param
    with ExitStack() as stack:
        url = f"sqlite:///{tmp_path_factory.mktemp('secrets') / 'secrets.sqlite3'}"
        if kind == "postgres":
            url = stack.enter_context(empty_database(request.getfixturevalue("postgres_server")))
        server = stack.enter_context(serving(DATABASE_URL=url, PAUSE_SECONDS="3600"))
        return run_async(play_whole_game(server.address, name))


@pytest.mark.parametrize("viewer", [SPECTATOR, 0, 1, 2])
def test_no_socket_ever_carries_anothers_secret(traffic: Traffic, viewer: Viewer) -> None:
    record, messages = traffic
    assert len(record.log) > 200
    assert check_viewer(record, viewer, messages[viewer]) > len(record.log)


def test_a_leak_would_be_noticed(traffic: Traffic) -> None:
    """The spectator's check fails on what a player was sent."""
    record, messages = traffic
    with pytest.raises(AssertionError):
        check_viewer(record, SPECTATOR, messages[0])


def test_no_message_holds_the_seed_or_anybodys_identity(traffic: Traffic) -> None:
    """The seed is told when the game is over."""
    record, messages = traffic
    everything = "".join(text for sent in messages.values() for text in sent if '"status":"ended"' not in text)
    assert record.seed not in everything
    assert "nonce" not in everything
    assert "holders" not in everything
