"""Installs what is needed into .venv and static/vendor. Uses nothing but the Python it is run with.

What has been installed already is not installed again: a stamp remembers the pinned files it was made from.
Whatever goes wrong is said in one sentence; the whole output is in .venv/setup.log.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
LOG = VENV / "setup.log"

NO_NETWORK = re.compile(
    r"NewConnectionError|NameResolutionError|ConnectTimeout|ReadTimeout|Network is unreachable|Connection refused|"
    r"Failed to establish a new connection|ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT|ENETUNREACH"
)
NO_COMPILER = re.compile(
    r"command '[^']*(?:cc|gcc|clang|cl\.exe)[^']*' failed|unable to execute '?\w*cc|Microsoft Visual C\+\+|"
    r"No such file or directory: '\w*cc'|can't find Rust compiler|Unknown compiler"
)
BAD_HASH = re.compile(r"DO NOT MATCH THE HASHES")


class SetupError(Exception):
    """One sentence for a person."""


def explain(output: str, what: str) -> str:
    """Why an installer failed, in a sentence."""
    if NO_NETWORK.search(output):
        return f"{what} could not be downloaded: there is no network, or the package registry cannot be reached."
    if NO_COMPILER.search(output):
        return (
            f"{what} must be compiled on this machine, and there is no compiler: install one "
            "(Debian: apt-get install build-essential python3-dev), or use a Python that has prebuilt packages."
        )
    if BAD_HASH.search(output):
        return f"{what}: a downloaded package is not the one that was pinned, so it was refused."
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    telling = [line for line in lines if "error" in line.lower()] or lines or ["no output"]
    return f"{what} could not be installed: {telling[-1]}"


def run(what: str, *command: str | Path) -> None:
    done = subprocess.run(
        [str(part) for part in command],
        cwd=ROOT,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    with LOG.open("a", encoding="utf-8") as log:
        log.write(f"$ {' '.join(str(part) for part in command)}\n{done.stdout}\n")
    if done.returncode:
        raise SetupError(explain(done.stdout, what))


def once(name: str, sources: list[Path]) -> Path | None:
    """The stamp to write when the work is done; None if it has been done for just these sources."""
    stamp = VENV / f"stamp-{name}"
    digest = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()
    if stamp.exists() and stamp.read_text() == digest:
        return None
    (VENV / f"stamp-{name}.new").write_text(digest)
    return stamp


def done(stamp: Path) -> None:
    stamp.with_name(stamp.name + ".new").replace(stamp)


def make_environment() -> None:
    if (BIN / "python").exists() or (BIN / "python.exe").exists():
        return
    print("Making the Python environment .venv …", flush=True)
    try:
        venv.create(VENV, with_pip=True)
    except (subprocess.CalledProcessError, ImportError, OSError) as error:
        shutil.rmtree(VENV, ignore_errors=True)
        raise SetupError(
            f"Python's venv module does not work here ({error}); on Debian: apt-get install python3-venv"
        ) from error


def install_packages(requirements: str) -> None:
    pinned = ROOT / requirements
    stamp = once(requirements, [pinned, ROOT / "pyproject.toml"])
    if stamp is None:
        return
    print(f"Installing the Python packages of {requirements} …", flush=True)
    pip = (BIN / "python", "-m", "pip", "install", "--disable-pip-version-check", "--retries", "2")
    run("The Python packages", *pip, "--require-hashes", "-r", pinned)
    run("The command valtavola", *pip, "--no-build-isolation", "--no-deps", "--editable", ROOT)
    done(stamp)


def install_assets() -> None:
    templates = sorted((ROOT / "templates").rglob("*.html"))  # they name the icons
    stamp = once("assets", [ROOT / "package-lock.json", ROOT / "tools" / "assets.py", *templates])
    if stamp is None and (ROOT / "static" / "vendor").exists():
        return
    npm = shutil.which("npm") or _own_npm()
    print("Installing the fonts and icons for the browser …", flush=True)
    run("The browser's fonts and icons", npm, "ci", "--ignore-scripts", "--loglevel=error")
    run("The browser's fonts and icons", BIN / "python", ROOT / "tools" / "assets.py")
    if stamp:
        done(stamp)


def _own_npm() -> str:
    """Where a machine has no npm, a package from PyPI brings one."""
    npm = BIN / "npm"
    if not npm.exists():
        print("Installing npm into .venv, as this machine has none …", flush=True)
        pip = (BIN / "python", "-m", "pip", "install", "--disable-pip-version-check", "--retries", "2")
        run("npm", *pip, "--require-hashes", "-r", ROOT / "requirements-node.txt")
    os.environ["PATH"] = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    return str(npm)


def main() -> int:
    if sys.version_info < (3, 11):  # noqa: UP036 an older Python gets a sentence
        print(f"Valtavola needs Python 3.11 or newer; this is {sys.version.split()[0]}.", file=sys.stderr)
        return 1
    try:
        make_environment()
        install_packages("requirements-dev.txt" if "--dev" in sys.argv else "requirements.txt")
        install_assets()
    except SetupError as error:
        print(f"{error}\n(The whole output is in .venv/setup.log.)", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
