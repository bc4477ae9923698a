"""What every game is put through: people who play, take back and try what they should not, and counts of the ways."""

from typing import Any
from unittest import TestCase

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from app.engine import conformance
from app.engine.contract import Game, Illegal, NotYourTurn, UndoRefused
from app.engine.rng import Rng
from app.engine.table import Table, replay


def playing(
    game: Game[Any, Any, Any],
    options: st.SearchStrategy[Any],
    any_move: st.SearchStrategy[Any],
) -> type[TestCase]:
    """A test of this game, in which any move, possible or not, may be tried at any moment."""

    class Playing(RuleBasedStateMachine):
        """A table at which people play, take back, and try what they should not."""

        @initialize(seats=st.sampled_from(game.card.seats), seed=st.integers(0, 10_000), options=options)
        def sit_down(self, seats: int, seed: int, options: Any) -> None:
            self.table = Table(game, options, seats, str(seed))
            self.rng = Rng.seeded(str(seed))

        @precondition(lambda self: bool(game.to_act(self.table.state)))
        @rule(choice=st.integers(0, 1_000_000), who=st.integers(0, 4))
        def play_a_legal_move(self, choice: int, who: int) -> None:
            before = self.table.state
            seats = [seat for seat in range(self.table.seats) if game.legal(before, seat)]
            seat = seats[who % len(seats)]
            moves = list(game.legal(before, seat))
            move = moves[choice % len(moves)]
            step = self.table.play(seat, move)
            assert not list(conformance.check_step(game, before, seat, move, step, self.table.seats, self.rng))

        @rule(move=any_move, seat=st.integers(0, 4))
        def try_any_move(self, move: Any, seat: int) -> None:
            before, entries = self.table.state, len(self.table.log)
            try:
                self.table.play(seat, move)
            except NotYourTurn:
                assert seat >= self.table.seats or not game.legal(before, seat)
            except Illegal as refused:
                assert game.legal(before, seat)
                assert refused.refusal.rule
                assert refused.key.startswith(f"{game.name}.refuse.")
            else:
                return
            assert self.table.state is before
            assert len(self.table.log) == entries

        @rule(seat=st.integers(0, 4))
        def take_back(self, seat: int) -> None:
            before = self.table.state
            try:
                self.table.undo(seat)
            except UndoRefused:
                assert self.table.state is before

        @invariant()
        def the_table_conforms(self) -> None:
            if hasattr(self, "table"):
                assert not list(conformance.check_state(game, self.table.state, self.table.seats, self.rng))

        @invariant()
        def the_log_leads_here(self) -> None:
            if hasattr(self, "table") and len(self.table.log) % 10 == 9:
                record = msgspec.json.decode(msgspec.json.encode(self.table.record()), type=type(self.table.record()))
                assert replay(game, record).state == self.table.state

    case: type[TestCase] = Playing.TestCase
    case.settings = settings(max_examples=40, stateful_step_count=60, deadline=None)  # type: ignore[attr-defined]
    return case


def perft(game: Game[Any, Any, Any], state: Any, depth: int) -> int:
    """How many ways there are to go on for so many steps, whoever makes them."""
    if not depth:
        return 1
    moves = [(seat, move) for seat in range(len(state.players)) for move in game.legal(state, seat)]
    if depth == 1:
        return len(moves)
    return sum(perft(game, game.apply(state, seat, move).state, depth - 1) for seat, move in moves)
