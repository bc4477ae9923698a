"""What a private link of a seat looks like."""

from functools import lru_cache
from typing import Final

import segno
from starlette.requests import Request

from app.house import House
from app.rooms.errors import RoomError
from app.rooms.snapshot import Place

CARRY: Final = "carry"  # to another device of the same person


def seat_link(request: Request, house: House, purpose: str, code: str, seat: Place) -> str:
    return f"{request.base_url}{purpose}/{house.signer.sign(purpose, f'{code}:{seat.nonce}')}"


def read_seat_link(house: House, purpose: str, token: str) -> tuple[str, str]:
    """The room and the seat's nonce."""
    read = house.signer.read(purpose, token)
    if read is None:
        raise RoomError("bad_link")
    code, nonce = read.split(":")
    return code, nonce


@lru_cache(1000)
def qr_code(link: str) -> str:
    """As SVG."""
    return segno.make(link, micro=False).svg_inline(scale=4, border=2)
