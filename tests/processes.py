"""The real command in a process of its own."""

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

R = TypeVar("R")

ROOT = Path(__file__).resolve().parent.parent


def environment(**changes: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", **changes}


def valtavola(*arguments: str, code: Path = ROOT, **env: str) -> subprocess.CompletedProcess[str]:
    """Run the command to its end."""
    return subprocess.run(
        [sys.executable, "-m", "app.cli", *arguments],
        cwd=code,
        env=environment(**{"PYTHONPATH": str(code), **env}),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


class Server:
    """`valtavola serve` in a process of its own."""

    def __init__(self, *arguments: str, **env: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "app.cli", "serve", *arguments],
            cwd=ROOT,
            env=environment(**{"PORT": "0", **env}),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.errors: list[str] = []
        self.may_complain = False
        self.url = env.get("DATABASE_URL", "")
        self._reader = threading.Thread(target=self.errors.extend, args=(self.process.stderr,), daemon=True)
        self._reader.start()
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if "http://" not in line:
            self.kill()
            raise AssertionError(f"the server printed {line!r} and {self.errors}")
        self.address = next(word for word in line.split() if word.startswith("http://")).rstrip("/")

    def memory(self) -> int:
        """Bytes in use."""
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    def stop(self) -> None:
        """Ask it to stop, as a service manager would."""
        self.process.terminate()

    def kill(self) -> None:
        self.process.kill()
        self.wait()

    def wait(self) -> None:
        try:
            self.process.wait(timeout=40)
        finally:
            self.process.kill()
            self._reader.join(timeout=5)
        for stream in (self.process.stdout, self.process.stderr):
            if stream:
                stream.close()


@contextmanager
def serving(*arguments: str, **env: str) -> Iterator[Server]:
    """A server on a port of its own, which must stop without a complaint."""
    server = Server(*arguments, **env)
    try:
        yield server
    finally:
        server.stop()
        server.wait()
    assert server.may_complain or not server.errors, f"the server complained: {server.errors}"


def run_async(work: Coroutine[Any, Any, R]) -> R:
    """Like asyncio.run, in a thread of its own: Playwright's event loop runs in the tests' thread all the while."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()
