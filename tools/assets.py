"""Lays out under static/vendor what the browser needs of the npm packages: fonts cut down to what is used, scripts,
icons as one sprite. Two fonts are laid out as TTF too, for the pictures that the server draws."""

import json
import logging
import re
import shutil
from pathlib import Path

from fontTools.merge import Merger
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

ROOT = Path(__file__).resolve().parent.parent
MODULES = ROOT / "node_modules"
VENDOR = ROOT / "static" / "vendor"

TITLES = MODULES / "@fontsource-variable" / "alegreya" / "files"
TEXT = MODULES / "@fontsource" / "alegreya-sans" / "files"

# What of a package's file is kept; the unicode-range of static/site.css says the same.
SUBSETS = {
    "latin": [
        *range(0x20, 0x7F), *range(0xA0, 0x100), 0x131, 0x152, 0x153, 0x2009, 0x2013, 0x2014, 0x2018, 0x2019, 0x201A,
        0x201C, 0x201D, 0x201E, 0x2022, 0x2026, 0x2039, 0x203A, 0x20AC, 0x2191, 0x2193, 0x2212,
    ],
    "latin-ext": [*range(0x100, 0x131), *range(0x132, 0x152), *range(0x154, 0x180), *range(0x218, 0x21C)],
    "cyrillic": [0x301, *range(0x400, 0x460), 0x490, 0x491, 0x2116],
}  # fmt: skip
FEATURES = ["ccmp", "kern", "liga", "locl", "mark", "mkmk"]

ICON = re.compile(r"icon\(['\"]([a-z0-9-]+)['\"]")
DECIMALS = re.compile(r"(?<![\d.])-?(?:0|[1-9]\d*)?\.\d\d+(?=(.?))")


def fonts() -> None:
    for subset, signs in SUBSETS.items():
        cut(TITLES / f"alegreya-{subset}-wght-normal.woff2", signs, f"alegreya-{subset}-700", weight=700)
        cut(TITLES / f"alegreya-{subset}-wght-italic.woff2", signs, f"alegreya-{subset}-400-italic", weight=400)
        for weight in ("400", "700"):
            cut(TEXT / f"alegreya-sans-{subset}-{weight}-normal.woff2", signs, f"alegreya-sans-{subset}-{weight}")
    # The switch names Russian on every page: for one word nobody should have to load an alphabet.
    cut(TEXT / "alegreya-sans-cyrillic-400-normal.woff2", [*map(ord, "Русский")], "alegreya-sans-switch")


def cut(source: Path, signs: list[int], name: str, weight: int | None = None) -> None:
    """A font with these signs only, at one weight, without hints and without the features that we do not use."""
    font = TTFont(source, recalcTimestamp=False)
    if weight:
        font = instantiateVariableFont(font, {"wght": weight})
        font["OS/2"].usWeightClass = weight
    options = Options()
    options.layout_features = FEATURES
    options.hinting = False
    options.notdef_outline = True
    options.name_IDs = [0, 1, 2, 6, 13, 14]  # whose it is, what it is called, its licence
    options.drop_tables += ["STAT"]  # tells the weights apart, of which there is one
    cutter = Subsetter(options)
    cutter.populate(unicodes=signs)
    cutter.subset(font)
    for flavour, ending in ((None, "ttf"), ("woff2", "woff2")):
        font.flavor = flavour
        font.save(VENDOR / f"{name}.{ending}")


def whole_fonts() -> None:
    """For the pictures that the server draws: one file a typeface, as nothing there chooses between subsets."""
    parts = set(VENDOR.glob("*.ttf"))
    for face in ("alegreya", "alegreya-sans"):
        subsets = [str(VENDOR / f"{face}-{subset}-700.ttf") for subset in SUBSETS]
        Merger().merge(subsets).save(VENDOR / f"{face}.ttf")
    for part in parts:
        part.unlink()


def scripts() -> None:
    """One file: htmx looks at the page as soon as it is there, and an extension that came later would be too late."""
    htmx = MODULES / "htmx.org" / "dist"
    parts = [htmx / "htmx.min.js", htmx / "ext" / "hx-ws.min.js"]
    text = ";\n".join(re.sub(r"//# sourceMappingURL.*", "", part.read_text("utf-8")).strip() for part in parts)
    (VENDOR / "htmx.js").write_text(text + "\n", encoding="utf-8")


def icons() -> None:
    """A sprite of just the icons that the templates name with `icon("…")`."""
    package = json.loads((MODULES / "@iconify-json" / "game-icons" / "icons.json").read_text(encoding="utf-8"))
    names = {name for page in (ROOT / "templates").rglob("*.html") for name in ICON.findall(page.read_text("utf-8"))}
    symbols = []
    for name in sorted(names):
        if name not in package["icons"]:
            raise SystemExit(f"A template names the icon {name!r}, which game-icons does not have.")
        body = DECIMALS.sub(shorter, package["icons"][name]["body"])
        symbols.append(f'<symbol id="{name}" viewBox="0 0 512 512">{body}</symbol>')
    sprite = f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(symbols)}</svg>'
    (VENDOR / "icons.svg").write_text(sprite, encoding="utf-8")


def shorter(number: re.Match[str]) -> str:
    """One decimal is a hundredth of a pixel where icons are drawn. What follows must not run into the number."""
    text = f"{float(number[0]):.1f}".removesuffix(".0")
    text = re.sub(r"^(-?)0\.", r"\1.", text)
    return text + " " * (number[1] == "." and "." not in text)


if __name__ == "__main__":
    logging.getLogger("fontTools").setLevel(logging.ERROR)
    shutil.rmtree(VENDOR, ignore_errors=True)
    VENDOR.mkdir(parents=True)
    fonts()
    whole_fonts()
    scripts()
    icons()
