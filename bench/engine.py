"""How fast random play is, against Catanatron in the same run; and how the cost of a move grows with the box.

make bench
"""

import sys
import time
from collections.abc import Callable
from functools import partial
from random import Random
from statistics import median
from typing import Any

from catanatron import Color, Game, RandomPlayer
from msgspec.structs import replace

from app.engine import registry
from app.games.valdora import Valdora
from app.games.valdora.components import FILE, lay_out, read
from app.simulation import play_game

PEER = "Catanatron"
SECONDS = 3.0
ROUNDS = 5


def say(text: str) -> None:
    print(text, flush=True)


def ours(game: Any) -> int:
    """One game of four random players: how many moves it took."""
    return play_game(game, 4, next(SEEDS), check=False)[0].moves


def theirs() -> int:
    game = Game([RandomPlayer(colour) for colour in (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)])
    game.play()
    return len(game.state.actions)


SEEDS = iter(range(1, sys.maxsize))


def speed(play: Callable[[], int]) -> float:
    """Moves per second over about SECONDS of whole games."""
    moves = 0
    began = time.perf_counter()
    while (spent := time.perf_counter() - began) < SECONDS:
        moves += play()
    return moves / spent


def larger_box(factor: int) -> Valdora:
    """The same board with so many times the gems, cards, coins and craftsmen on it."""
    sheet = read(FILE.text())
    sheet.gems = {gem: count * factor for gem, count in sheet.gems.items()}
    sheet.board.gems_per_road *= factor
    sheet.coins.total *= factor
    sheet.tiles.bonus *= factor
    sheet.books = replace(
        sheet.books, equipment=sheet.books.equipment * factor, commissions=sheet.books.commissions * factor
    )
    for patron in sheet.patrons:
        patron.craftsmen = patron.craftsmen * factor
    return Valdora(lay_out(sheet))


def cost_of_a_move(game: Valdora, moves: int = 20_000) -> float:
    """Microseconds for legal + apply, over games broken off after 1 000 moves, while most still lies on the board."""
    chooser = Random(1)
    done, spent, seed = 0, 0.0, 0
    while done < moves:
        seed += 1
        state = game.setup(game.options_type(), 4, str(seed))
        began = time.perf_counter()
        for _ in range(1000):
            seat = state.turn.seat
            legal = game.legal(state, seat)
            if not legal:
                break
            state = game.apply(state, seat, legal[int(chooser.random() * len(legal))]).state
            done += 1
        spent += time.perf_counter() - began
    return spent / done * 1e6


def main() -> None:
    say(f"Random play, 4 players, {ROUNDS} rounds of {SECONDS:g} s each, taking turns:")
    players: dict[str, Callable[[], int]] = {name: partial(ours, game) for name, game in registry.games().items()}
    rounds: list[dict[str, float]] = []
    for number in range(1, ROUNDS + 1):
        rounds.append({name: speed(play) for name, play in [*players.items(), (PEER, theirs)]})
        say(f"  round {number}: " + "   ".join(f"{name} {moves:>9,.0f} moves/s" for name, moves in rounds[-1].items()))
    for name in players:
        ratios = [speeds[name] / speeds[PEER] for speeds in rounds]
        say(f"  {name} / {PEER}: {median(ratios):.2f} (median; {min(ratios):.2f} to {max(ratios):.2f})")
    say("legal + apply of Valdora with a larger box (gems, cards, coins, craftsmen):")
    base = cost_of_a_move(larger_box(1))
    for factor in (1, 2, 4, 8, 16, 32):
        cost = base if factor == 1 else cost_of_a_move(larger_box(factor))
        say(f"  ×{factor:<3} {cost:6.2f} µs a move, {cost / base:5.2f} times the printed box's")


if __name__ == "__main__":
    main()
