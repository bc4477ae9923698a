"""`make lighthouse`: what Lighthouse says of the start page and of a table, on a phone and on a desk. Fails under 95.

.venv/bin/python -m tools.lighthouse [--faults]     # the second also lists what costs points, and where
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import httpx2

from tests.friends import Friends
from tests.processes import serving

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
FOLDER = ROOT / "tools" / "npm"
NEEDED = (22, 19)  # of Node, by this Lighthouse

LEAST = 95
TRIES = 3  # a machine that is busy with something else costs points
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
NAMES = ("Anna", "Bruno", "Clara", "Dora")


def node() -> str:
    """A Node that is new enough: NODE, the machine's, or one from PyPI in .venv."""
    for program in (os.environ.get("NODE"), shutil.which("node"), str(BIN / "node")):
        if program and Path(program).exists() and version(program) >= NEEDED:
            return program
    print("Installing Node into .venv, as this machine has none that is new enough …", flush=True)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes"]
    subprocess.run([*pip, "-r", str(ROOT / "requirements-node.txt")], check=True)
    return str(BIN / "node")


def version(program: str) -> tuple[int, ...]:
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    return tuple(int(number) for number in re.findall(r"\d+", said)[:2])


def chromium() -> str:
    program = os.environ.get("CHROME_PATH") or shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        raise SystemExit("There is no Chromium: install it, or set CHROME_PATH.")
    return program


def install(program: str) -> None:
    npm = [program, str(_npm(program))]
    subprocess.run([*npm, "ci", "--ignore-scripts", "--loglevel=error"], cwd=FOLDER, check=True)


def _npm(program: str) -> Path:
    """The npm that came with this Node."""
    beside = Path(program).resolve().parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    found = next((BIN.parent / "lib").rglob("npm/bin/npm-cli.js"), None) if not beside.exists() else beside
    if found is None:
        raise SystemExit(f"{program} has no npm.")
    return found


def report(program: str, address: str, desktop: bool, token: str, folder: Path) -> dict[str, Any]:
    result = folder / "report.json"
    command = [program, str(FOLDER / "node_modules" / "lighthouse" / "cli" / "index.js"), address, "--quiet"]
    command += ["--output=json", f"--output-path={result}", f"--only-categories={','.join(CATEGORIES)}"]
    command += ["--chrome-flags=--headless=new --no-sandbox"]
    if desktop:
        command.append("--preset=desktop")
    if token:
        command.append("--extra-headers=" + json.dumps({"Cookie": f"person={token}"}))
    if "/r/" in address:
        command.append("--skip-audits=is-crawlable")  # a private table wants no search engine
    subprocess.run(command, check=True, env={**os.environ, "CHROME_PATH": chromium()})
    content: dict[str, Any] = json.loads(result.read_text(encoding="utf-8"))
    return content


def faults(content: dict[str, Any]) -> list[str]:
    """What costs points, with the places it was seen at."""
    found = []
    for category in content["categories"].values():
        for entry in category["auditRefs"]:
            audit = content["audits"][entry["id"]]
            if entry["weight"] and audit["score"] is not None and audit["score"] < 0.9:
                items = (audit.get("details") or {}).get("items", [])
                places = [item["node"]["selector"] for item in items if "selector" in item.get("node", {})]
                found.append(f"{category['id']}: {audit['title']} {audit.get('displayValue', '')} {places[:8]}")
    return found


def main() -> int:
    program = node()
    install(program)
    worst = 100
    with tempfile.TemporaryDirectory() as folder, serving(DATABASE_URL=f"sqlite:///{folder}/site.sqlite3") as server:
        with httpx2.Client(base_url=server.address) as http:
            friends = Friends(http, NAMES)
            friends.play(120)
        table = f"{server.address}/r/{friends.code}"
        pages = {
            "start page": (f"{server.address}/", ""),
            "table, spectator": (table, ""),
            "table, player": (table, friends.mover.token),
        }
        for name, (address, token) in pages.items():
            for desktop in (False, True):
                for _ in range(TRIES):
                    content = report(program, address, desktop, token, Path(folder))
                    scores = [round(100 * content["categories"][category]["score"]) for category in CATEGORIES]
                    if min(scores) >= LEAST:
                        break
                worst = min(worst, *scores)
                told = ", ".join(f"{category} {score}" for category, score in zip(CATEGORIES, scores, strict=True))
                print(f"{name}, {'desktop' if desktop else 'phone'}: {told}", flush=True)
                if "--faults" in sys.argv or min(scores) < LEAST:
                    print("".join(f"    {fault}\n" for fault in faults(content)), end="", flush=True)
    if worst < LEAST:
        print(f"The least is {LEAST}.", file=sys.stderr)
    return int(worst < LEAST)


if __name__ == "__main__":
    sys.exit(main())
