"""The checks that every game passes: run by the tests, and after every move by `simulate --check`.

Each yields sentences about what is wrong; a sound game yields none.
"""

from collections.abc import Iterator

import msgspec

from app.engine.codec import decode_move, decode_state, encode_state, raw_move
from app.engine.contract import EVERYONE, SPECTATOR, Arg, Game, M, O, S, Seat, Step, Viewer
from app.engine.rng import Rng
from app.engine.table import Played, Record, open_record, replay


def check_state(game: Game[S, M, O], state: S, seats: int, rng: Rng) -> Iterator[str]:
    """A table at rest: sound, storable, with somebody to act, and keeping its secrets."""
    yield from game.faults(state)
    if decode_state(game, encode_state(game, state)) != state:
        yield "a stored table is not the same when it is read again"
    acting = game.to_act(state)
    if bool(acting) == (game.outcome(state) is not None):
        yield "a game must either be over or wait for somebody"
    if len(game.score_sheet(state).points) != seats:
        yield "the score sheet does not have a row for each seat"
    awaited = game.awaited(state)
    if acting and not awaited:
        yield "everybody who is asked has answered, and the game does not go on"
    if not set(game.answered(state)) <= set(acting):
        yield "a seat has answered that is not asked"
    for seat in range(seats):
        yield from _check_legal(game, state, seat, must_act=seat in awaited)
    for seat, move in game.quiet(state):
        if seat not in awaited or move not in game.legal(state, seat):
            yield f"the house would answer {move} for seat {seat}, which cannot"
    for viewer in (SPECTATOR, *range(seats)):
        yield from _check_secrets(game, state, viewer, rng)
    yield from _check_imagination(game, state, rng.below(seats + 1)[0] + SPECTATOR, rng)


def _check_legal(game: Game[S, M, O], state: S, seat: Seat, must_act: bool) -> Iterator[str]:
    moves = game.legal(state, seat)
    if must_act and not moves:
        yield f"seat {seat} must act and has no move"
    if moves and not must_act and not game.interrupts:
        yield f"seat {seat} has moves and is not to act"
    if len(set(moves)) != len(moves):
        yield f"seat {seat} is offered the same move twice"
    for move in moves:
        refusal = game.explain(state, seat, move)
        if refusal:
            yield f"{move} is legal, yet {refusal} explains why it is not"
        if decode_move(game, raw_move(move)) != move:
            yield f"{move} is not the same when it is read again"


def _check_secrets(game: Game[S, M, O], state: S, viewer: Viewer, rng: Rng) -> Iterator[str]:
    """Non-interference: tables that differ only in what the viewer may not know look the same to them."""
    other = game.resample(state, viewer, rng)
    for fault in game.faults(other):
        yield f"the table that viewer {viewer} might imagine is impossible: {fault}"
    if _seen(game, state, viewer) != _seen(game, other, viewer):
        yield f"the view of viewer {viewer} tells a secret"
    if game.to_act(state) != game.to_act(other):
        yield f"who is to act tells viewer {viewer} a secret"
    elif _prompts(game, state) != _prompts(game, other):
        yield f"what is asked tells viewer {viewer} a secret"
    if game.decision(state) != game.decision(other):
        yield f"the number of the decision tells viewer {viewer} a secret"
    if viewer >= 0 and list(game.legal(state, viewer)) != list(game.legal(other, viewer)):
        yield f"the legal moves of seat {viewer} tell a secret"


def _check_imagination(game: Game[S, M, O], state: S, viewer: Viewer, rng: Rng) -> Iterator[str]:
    """What a viewer imagines comes of what they know alone. One viewer is looked at, drawn anew for each table."""
    other = game.resample(state, viewer, rng)
    if game.resample(state, viewer, rng.copy()) != game.resample(other, viewer, rng.copy()):
        yield f"what viewer {viewer} imagines tells them a secret"
    if game.outcome(state) is None and any(chance in _chances(other) for chance in _chances(state)):
        yield f"what viewer {viewer} imagines foretells chance"


def _chances(state: msgspec.Struct) -> list[Rng]:
    """The streams of random numbers that a table holds."""
    return [held for name in state.__struct_fields__ if isinstance(held := getattr(state, name), Rng)]


def _prompts(game: Game[S, M, O], state: S) -> list[tuple[str, dict[str, Arg]]]:
    """What everybody reads about those who are asked."""
    return [game.prompt(state, seat) for seat in game.to_act(state)]


def _seen(game: Game[S, M, O], state: S, viewer: Viewer) -> bytes:
    return msgspec.json.encode(game.view(state, viewer))


def check_step(
    game: Game[S, M, O], before: S, seat: Seat, move: M, step: Step[S], seats: int, rng: Rng
) -> Iterator[str]:
    """A move: repeatable, without side effects, and telling nobody more than its barrier admits.

    Besides the seat that moves one other viewer is looked at, drawn anew for each move.
    """
    if game.apply(before, seat, move) != step:
        yield f"{move} leads to another table when it is played again"
    if step.barrier is None and set(game.to_act(before)) - {seat} != set(game.to_act(step.state)) - {seat}:
        yield f"{move} passes the turn on and could still be taken back"
    if step.barrier in (None, "turn"):
        for viewer in {seat, rng.below(seats + 1)[0] + SPECTATOR}:
            yield from _check_silence(game, before, seat, move, step, viewer, rng)
    for viewer in (SPECTATOR, *range(seats)):
        if viewer != seat and not any(game.redact(event, viewer) for event in step.events):
            yield from _check_unseen(game, before, move, step, viewer)


def _check_unseen(game: Game[S, M, O], before: S, move: M, step: Step[S], viewer: Viewer) -> Iterator[str]:
    """A move that the viewer is told nothing of leaves everything as they know it, unless it ends the question."""
    if step.barrier is None:
        yield f"viewer {viewer} is not told of {move}, but would be if it was taken back"
    after = step.state
    if game.to_act(after) != game.to_act(before):
        return
    if _seen(game, before, viewer) != _seen(game, after, viewer):
        yield f"viewer {viewer} is not told of {move}, and sees it"
    if _prompts(game, before) != _prompts(game, after):
        yield f"viewer {viewer} is not told of {move}, and sees it by what is asked"
    if viewer >= 0 and list(game.legal(before, viewer)) != list(game.legal(after, viewer)):
        yield f"viewer {viewer} is not told of {move}, and sees it by their legal moves"
    number = game.decision(before)
    if viewer in game.awaited(after) and (number is None or number != game.decision(after)):
        yield f"viewer {viewer} is not told of {move}, and what they are asked becomes another decision"


def _check_silence(
    game: Game[S, M, O], before: S, seat: Seat, move: M, step: Step[S], viewer: Viewer, rng: Rng
) -> Iterator[str]:
    """Tables that look the same to the viewer still do after a move that claims to show nothing."""
    other = game.resample(before, viewer, rng)
    if move not in game.legal(other, seat):
        return  # for the seat itself the check of the legal moves reports it; what others hold may make a difference
    imagined = game.apply(other, seat, move)
    if [game.redact(event, viewer) for event in step.events] != [
        game.redact(event, viewer) for event in imagined.events
    ]:
        yield f"the events of {move} tell viewer {viewer} a secret, and no barrier says so"
    ended = game.outcome(step.state) is not None
    if not ended and _seen(game, step.state, viewer) != _seen(game, imagined.state, viewer):
        yield f"{move} shows viewer {viewer} a secret, and no barrier says so"


def check_end(game: Game[S, M, O], record: Record, state: S) -> Iterator[str]:
    """The whole game again from its log."""
    if replay(game, record).state != state:
        yield "the stored log does not lead to the stored table"
    everything = _seen(game, state, EVERYONE)
    for viewer in (SPECTATOR, *range(record.seats)):
        if _seen(game, state, viewer) != everything:
            yield f"after the end something is still hidden from viewer {viewer}"


def check_undo(game: Game[S, M, O], record: Record) -> Iterator[str]:
    """Taking back every step that can be, and playing it again, changes nothing."""
    table = open_record(game, record)
    for entry in record.log:
        before = table.state
        if not isinstance(entry, Played):
            table.enter(entry)
            continue
        step = table.play(entry.seat, decode_move(game, entry.move))
        if step.barrier is None:
            if table.undo(entry.seat) != before:
                yield f"{entry.move} taken back leaves another table"
            table.enter(entry)
