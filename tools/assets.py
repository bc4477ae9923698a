"""Lays out under static/vendor what the browser needs of the npm packages: fonts by subset, icons as one sprite."""

import json
import re
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULES = ROOT / "node_modules"
VENDOR = ROOT / "static" / "vendor"

SUBSETS = ("latin", "cyrillic")
TITLES = MODULES / "@fontsource-variable" / "alegreya" / "files"
TEXT = MODULES / "@fontsource" / "alegreya-sans" / "files"

ICON = re.compile(r"icon\(['\"]([a-z0-9-]+)['\"]")


def fonts() -> None:
    for subset in SUBSETS:
        shutil.copy(TITLES / f"alegreya-{subset}-wght-normal.woff2", VENDOR)
        for weight in ("400", "700"):
            shutil.copy(TEXT / f"alegreya-sans-{subset}-{weight}-normal.woff2", VENDOR)


def scripts() -> None:
    htmx = MODULES / "htmx.org" / "dist"
    shutil.copy(htmx / "htmx.min.js", VENDOR / "htmx.js")
    shutil.copy(htmx / "ext" / "hx-ws.min.js", VENDOR / "hx-ws.js")


def icons() -> None:
    """A sprite of just the icons that the templates name with `icon("…")`."""
    package = json.loads((MODULES / "@iconify-json" / "game-icons" / "icons.json").read_text(encoding="utf-8"))
    names = {name for page in (ROOT / "templates").rglob("*.html") for name in ICON.findall(page.read_text("utf-8"))}
    symbols = []
    for name in sorted(names):
        if name not in package["icons"]:
            raise SystemExit(f"A template names the icon {name!r}, which game-icons does not have.")
        symbols.append(f'<symbol id="{name}" viewBox="0 0 512 512">{package["icons"][name]["body"]}</symbol>')
    sprite = f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(symbols)}</svg>'
    (VENDOR / "icons.svg").write_text(sprite, encoding="utf-8")


if __name__ == "__main__":
    shutil.rmtree(VENDOR, ignore_errors=True)
    VENDOR.mkdir(parents=True)
    fonts()
    scripts()
    icons()
