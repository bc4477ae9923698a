"""The real command in a process of its own."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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


@contextmanager
def serving(**env: str) -> Iterator[str]:
    """A server on a port of its own, and its address as it prints it."""
    process = subprocess.Popen(
        [sys.executable, "-m", "app.cli", "serve"],
        cwd=ROOT,
        env=environment(**{"PORT": "0", **env}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    errors: list[str] = []
    assert process.stdout is not None
    assert process.stderr is not None
    reader = threading.Thread(target=errors.extend, args=(process.stderr,))
    reader.start()
    try:
        line = process.stdout.readline()
        assert "http://" in line, f"the server printed {line!r} and {errors}"
        yield next(word for word in line.split() if word.startswith("http://"))
    finally:
        process.terminate()
        process.wait(timeout=20)
        reader.join()
        process.stdout.close()
        process.stderr.close()
    assert not errors, f"the server complained: {errors}"
