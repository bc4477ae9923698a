"""So much in so much time, and no more. Each process counts for itself."""

import time
from collections import deque
from collections.abc import Callable
from typing import Final

_KEPT: Final = 1000  # so many are counted before those that have been quiet are forgotten


class Pace:
    def __init__(self, most: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._seconds = seconds
        self._clock = clock
        self._lately: dict[str, deque[float]] = {}

    def allows(self, whom: str) -> bool:
        """Whether there may be one more now; if so, it is counted."""
        since = self._clock() - self._seconds
        if len(self._lately) > _KEPT:
            self._lately = {one: times for one, times in self._lately.items() if times[-1] > since}
        times = self._lately.setdefault(whom, deque(maxlen=self._most))
        if len(times) == self._most and times[0] > since:
            return False
        times.append(self._clock())
        return True
