"""What a link to a room shows where it is pasted: who plays and how it stands, in words and as a picture.

Both are made of a spectator's view, whoever asks. A room that bars spectators shows the lid of its box.
"""

import asyncio
import hashlib
from collections import OrderedDict
from typing import Any, Final

import msgspec
from fastapi import APIRouter
from resvg_py import svg_to_bytes
from starlette.requests import Request
from starlette.responses import Response

from app.engine.contract import SPECTATOR
from app.i18n import Phrasebook, phrasebook
from app.rooms.policy import may_watch
from app.rooms.snapshot import Snapshot
from app.web.assets import STATIC
from app.web.callers import TheHouse
from app.web.drawing import initials
from app.web.render import render

WIDTH: Final = 1200
HEIGHT: Final = 630
_LID: Final = "room/lid.svg"
_OWN: Final = "games/{}/preview.svg"
_KEPT: Final = 64  # pictures, the newest; some 100 KB each
_FONTS: Final = sorted(map(str, (STATIC / "vendor").glob("*.ttf")))

router = APIRouter()


class Preview(msgspec.Struct, frozen=True):
    title: str
    text: str
    address: str
    image: str
    width: int = WIDTH
    height: int = HEIGHT


def preview_of(room: Snapshot, words: Phrasebook, site: str) -> Preview:
    title, address = words.say(f"{room.game_name}.title"), f"{site}r/{room.code}"
    if not may_watch(room, None):
        text = words.say("room.error.spectators_barred")
        return Preview(title, text, address, f"{address}/board.png")
    if room.seats:
        title = words.say("preview.title", {"game": title, "names": ", ".join(room.names)})
    return Preview(title, _how_it_stands(room, words), address, f"{address}/board.png?rev={room.rev}")


def _how_it_stands(room: Snapshot, words: Phrasebook) -> str:
    if room.state is None:
        return words.say("preview.lobby", {"taken": len(room.seats), "places": room.places})
    room = room.seen(late=True)
    outcome = room.game.outcome(room.state)
    if outcome:
        return words.say("preview.ended", {"names": _listed(room, outcome.winners)})
    if room.status != "playing":
        return words.say(f"room.status.{room.status}")
    to_move = words.say("preview.to_move", {"names": _listed(room, room.game.to_act(room.state))})
    number = getattr(room.game.view(room.state, SPECTATOR), "round", None)
    return to_move if number is None else words.say("preview.round", {"round": number}) + " " + to_move


def _listed(room: Snapshot, seats: tuple[int, ...]) -> str:
    return ", ".join(room.names[seat] for seat in seats)


def picture(room: Snapshot) -> str:
    """As SVG, without a word of any language but names."""
    shown: dict[str, Any] = {"game": room.game_name, "width": WIDTH, "height": HEIGHT}
    words = phrasebook("en")
    room = room.seen(late=True)
    if room.state is None or not may_watch(room, None):
        return render(words, _LID, **shown)
    game = room.game
    outcome = game.outcome(room.state)
    return render(
        words,
        _OWN.format(room.game_name),
        _LID,
        **shown,
        room=room,
        view=game.view(room.state, SPECTATOR),
        scene=game.scene,
        initials=initials(room.names),
        acting=game.to_act(room.state),
        winners=outcome.winners if outcome else (),
        totals=game.score_sheet(room.state).totals if outcome else (),
    )


class Pictures:
    """Draws one at a time, beside everything else, and keeps the newest by what they show."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._drawing = asyncio.Lock()

    async def png(self, svg: str, mark: str) -> bytes:
        async with self._drawing:
            if mark not in self._kept:
                self._kept[mark] = await asyncio.to_thread(rasterise, svg)
                while len(self._kept) > _KEPT:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(mark)
            return self._kept[mark]


def rasterise(svg: str) -> bytes:
    return svg_to_bytes(
        svg_string=svg,
        font_files=_FONTS,
        skip_system_fonts=True,
        font_family="Alegreya Sans",
        serif_family="Alegreya",
        sans_serif_family="Alegreya Sans",
    )


@router.api_route("/r/{code}/board.png", methods=["GET", "HEAD"])
async def board(house: TheHouse, request: Request, code: str) -> Response:
    """The table as it is now; the number in the address only makes that somebody's stored picture is not the last."""
    room = await house.database.read(house.rooms.room, code)
    svg = picture(room)
    mark = hashlib.sha256(svg.encode()).hexdigest()[:16]
    headers = {"ETag": f'"{mark}"', "Cache-Control": "public, max-age=300"}
    if headers["ETag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    pictures: Pictures = request.app.state.pictures
    return Response(await pictures.png(svg, mark), headers=headers, media_type="image/png")
