"""Who is asking: a bearer token, or the cookie of a browser that asks from this very site."""

from collections.abc import Mapping
from typing import Annotated, Final

from fastapi import Depends
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from app.house import House
from app.rooms.errors import RoomError
from app.rooms.identity import Signer, new_person
from app.web.drawing import Drawings

COOKIE: Final = "person"
_PURPOSE: Final = "person"
_A_YEAR: Final = 365 * 24 * 3600


def the_house(request: HTTPConnection) -> House:
    house: House = request.app.state.house
    return house


def the_drawings(request: HTTPConnection) -> Drawings:
    drawings: Drawings = request.app.state.drawings
    return drawings


async def _the_house(request: HTTPConnection) -> House:
    return the_house(request)


# All of these are async, though none waits: others would each be run in a thread of their own.
TheHouse = Annotated[House, Depends(_the_house)]


def read_person(signer: Signer, headers: Mapping[str, str], cookies: Mapping[str, str]) -> str | None:
    """The person, if the caller is known. A wrong bearer token is an error, a wrong cookie is nobody."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        person = signer.read(_PURPOSE, token.strip())
        if person is None:
            raise RoomError("bad_token")
        return person
    return signer.read(_PURPOSE, cookies.get(COOKIE, "")) if from_here(headers) else None


def from_here(headers: Mapping[str, str]) -> bool:
    """Whether a browser asks from a page of this site. Who sends no Origin is no browser, or reads only."""
    origin = headers.get("origin")
    return origin is None or origin.partition("://")[2] == headers.get("host")


async def maybe_person(request: Request, house: TheHouse) -> str | None:
    return read_person(house.signer, request.headers, request.cookies)


MaybePerson = Annotated[str | None, Depends(maybe_person)]


async def some_person(person: MaybePerson) -> str:
    if person is None:
        raise RoomError("who_are_you")
    return person


SomePerson = Annotated[str, Depends(some_person)]


async def known_or_new(house: TheHouse, request: Request, response: Response, person: MaybePerson) -> str:
    """The person; somebody who was never here gets an identity, in a cookie that scripts cannot read."""
    if person is None:
        if not from_here(request.headers):  # another site's page must not replace who somebody is
            raise RoomError("cross_site")
        person = new_person()
    keep_cookie(request, house, person, response)
    return person


def keep_cookie(request: Request, house: House, person: str, response: Response) -> Response:
    """The answer, with the identity if the caller's browser does not have it yet. Who sends a token needs no cookie."""
    token = token_of(house.signer, person)
    if request.cookies.get(COOKIE) != token and "authorization" not in request.headers:
        secure = request.url.scheme == "https"
        response.set_cookie(COOKIE, token, max_age=_A_YEAR, httponly=True, samesite="lax", secure=secure)
    return response


NewOrKnown = Annotated[str, Depends(known_or_new)]


def token_of(signer: Signer, person: str) -> str:
    return signer.sign(_PURPOSE, person)
