"""A whole game as one page that works from a disk: no server, no network, everything it shows is in it.

The table at the beginning is drawn in the page. Of every later moment only the pieces that have changed are kept, and
of the log only its new entries; all that is packed with gzip, which browsers can unpack.
"""

import gzip
import re
from base64 import b64encode
from typing import Final

import msgspec
from markupsafe import Markup
from msgspec.structs import replace

from app.engine.contract import Viewer
from app.i18n import Phrasebook
from app.rooms.past import Past
from app.web.assets import STATIC
from app.web.changes import entries_of
from app.web.gaze import Gaze, context
from app.web.render import places, render

_SPRITE: Final = re.compile(r'href="/static/vendor/icons\.svg\?\w+#([\w-]+)"')
_SYMBOL: Final = re.compile(r'<symbol id="([\w-]+)".*?</symbol>', re.DOTALL)
_FONT: Final = re.compile(r'@font-face \{[^}]*url\("(vendor/[^"]+)"\)[^}]*\}')
_PICTURE: Final = re.compile(r'url\("([\w./-]+\.svg)"\)')
_SIGNS: Final = re.compile(r"U\+([0-9A-F]+)(?:-([0-9A-F]+))?")
_LINKS: Final = re.compile(r'<p class="guides">.*?</p>', re.DOTALL)  # to pages that a disk has not
_NOT_KEPT: Final = ("rev", "targets", "log", "steps")


class Script(msgspec.Struct):
    """What the page's script is given: for each piece the moments at which it changes and what it is then."""

    pieces: dict[str, list[tuple[int, str]]]
    log: list[tuple[int, str]]


class _Alone(Gaze):
    """A moment whose links lead to the page itself."""

    @property
    def path(self) -> str:
        return ""


def whole_game(past: Past, viewer: Viewer, words: Phrasebook) -> bytes:
    script, shown = Script({}, []), dict[str, str]()
    for at in range(past.last + 1):
        seen = _Alone(past, at, viewer, [viewer], words, "")
        seen.room = replace(seen.room, log=seen.room.log[-1:])
        pieces = seen.draw() | seen.draw_bar()
        for name, html in pieces.items():
            if name not in _NOT_KEPT and shown.get(name) != html:
                script.pieces.setdefault(name, []).append((at, _alone(html)))
                shown[name] = html
        script.log += [(at, entry) for entry in entries_of(pieces["log"])]
    return _page(_Alone(past, 0, viewer, [viewer], words, ""), script)


def _page(first: Gaze, script: Script) -> bytes:
    packed = b64encode(gzip.compress(msgspec.json.encode(script), mtime=0)).decode()
    pieces = first.draw() | first.draw_bar()
    table = _alone(render(first.words, "replay/file.html", packed=Markup(packed), **context(first, pieces)))  # noqa: S704
    everything = table + "".join(html for changes in script.pieces.values() for _, html in changes)
    used = set(re.findall(r'href="#([\w-]+)"', everything))
    symbols = (symbol for symbol in _SYMBOL.finditer(_read("vendor/icons.svg")) if symbol[1] in used)
    game = first.room.game_name
    style = _style("", "site.css", everything) + _style("", "room.css", everything)
    style += _style(f"games/{game}/", "table.css", everything) + places(game)[1] + _read("replay.css")
    code = "\n".join(map(_read, ("room.js", "replay-file.js", "replay.js")))
    parts = {"/*style*/": style, "/*script*/": code, "<!--icons-->": "".join(symbol[0] for symbol in symbols)}
    return re.sub("|".join(map(re.escape, parts)), lambda mark: parts[mark[0]], table).encode()


def _alone(html: str) -> str:
    """Without what only the server has."""
    return _LINKS.sub("", _SPRITE.sub(r'href="#\1"', str(html)))  # Markup would escape what is put in


def _style(folder: str, name: str, text: str) -> str:
    """A style sheet with the pictures and fonts that it names, as far as the text needs them."""
    style = _FONT.sub(lambda font: _font(font, text), _read(folder + name))
    return _PICTURE.sub(lambda link: f'url("data:image/svg+xml;base64,{_packed(folder + link[1])}")', style)


def _font(found: re.Match[str], text: str) -> str:
    spans = [(int(low, 16), int(high or low, 16)) for low, high in _SIGNS.findall(found[0])]
    if "italic" in found[0] or not any(low <= ord(sign) <= high for sign in set(text) for low, high in spans):
        return ""
    return found[0].replace(found[1], f"data:font/woff2;base64,{_packed(found[1])}")


def _read(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


def _packed(name: str) -> str:
    return b64encode((STATIC / name).read_bytes()).decode()
