"""Private links: they carry a seat to another device."""

from functools import lru_cache
from typing import Final

import segno
from starlette.requests import Request

from app.house import House
from app.rooms.errors import RoomError
from app.rooms.snapshot import Place

_PURPOSE: Final = "carry"


def carry_link(request: Request, house: House, code: str, seat: Place) -> str:
    return f"{request.base_url}carry/{house.signer.sign(_PURPOSE, f'{code}:{seat.nonce}')}"


def read_carry(house: House, token: str) -> tuple[str, str]:
    """The room and the seat's nonce."""
    read = house.signer.read(_PURPOSE, token)
    if read is None:
        raise RoomError("bad_link")
    code, nonce = read.split(":")
    return code, nonce


@lru_cache(1000)
def qr_code(link: str) -> str:
    """As SVG."""
    return segno.make(link, micro=False).svg_inline(scale=4, border=2)
