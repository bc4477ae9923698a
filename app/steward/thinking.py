"""Bots think in processes of their own: the event loop only waits for them."""

import asyncio
import logging
import multiprocessing
import os
import secrets
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.process import BaseProcess
from typing import Any, Final, TypeAlias

from app.engine.codec import encode_state, raw_move
from app.engine.contract import Seat
from app.rooms.snapshot import Snapshot

_LOG: Final = logging.getLogger("valtavola.steward")
_PATIENCE: Final = 20.0  # seconds after which a thought is given up, until the steward's lease ends and it tries again

# A game's name, a stored table, a seat, a level, a seed for the bot's own chance, and how many seconds there are.
Think: TypeAlias = Callable[[str, bytes, int, str, str, float], dict[str, Any]]


class Thinkers:
    """As many processes as there may be, made when the first bot has to think."""

    def __init__(self, think: Think, processes: int, seconds: float) -> None:
        self._think = think
        self._processes = processes
        self._seconds = seconds
        self._waiting = 0
        self._pool: ProcessPoolExecutor | None = None

    async def move(self, room: Snapshot, seat: Seat, level: str) -> dict[str, Any]:
        """What a bot does now in place of this seat. A bot that fails does something all the same."""
        self._waiting += 1
        try:
            async with asyncio.timeout(_PATIENCE):
                return await self._thought(room, seat, level)
        finally:
            self._waiting -= 1

    async def _thought(self, room: Snapshot, seat: Seat, level: str) -> dict[str, Any]:
        # The more have to think, the less time there is for each: so nobody's bot makes others wait.
        seconds = self._seconds * self._processes / max(self._processes, self._waiting)
        # Its chance is nobody's: drawn from the room's seed it could follow the deal.
        work = (room.game_name, encode_state(room.game, room.state), seat, level, secrets.token_hex(8), seconds)
        for _ in range(2):
            pool = self._open()
            try:
                return await asyncio.get_running_loop().run_in_executor(pool, self._think, *work)
            except BrokenProcessPool:  # somebody has ended a process: another one thinks
                if self._pool is pool:
                    self._pool = None
            except Exception as error:
                _LOG.error("A %s bot of %s could not think: %r", level, room.game_name, error)
                break
        return raw_move(room.game.legal(room.state, seat)[0])

    def _open(self) -> ProcessPoolExecutor:
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self._processes, context, _begin)
        return self._pool

    def close(self) -> None:
        if self._pool:
            self._pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """Bots give way to people, and do not outlive their server."""
    os.nice(10)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(0)
