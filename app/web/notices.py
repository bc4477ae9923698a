"""The page on which somebody says how they want to be told, its forms, and the links in what they get."""

from collections.abc import Awaitable, Mapping
from typing import Annotated, Final, Literal, TypeAlias
from urllib.parse import urlencode, urlsplit

import msgspec
from fastapi import APIRouter, Form, Path, Query
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from app.house import House
from app.telling.errors import TellingError
from app.telling.mail import read_mail, same_mail
from app.telling.push import Subscription
from app.telling.repository import Way
from app.telling.ways import GIVEN_UP, Wish
from app.web.assets import read
from app.web.callers import MaybePerson, NewOrKnown, SomePerson, TheHouse, keep_cookie
from app.web.language import words_for
from app.web.render import page

router = APIRouter()

Text = Annotated[str, Form(max_length=2000)]
Number = Annotated[int, Path(ge=1, lt=1 << 31)]
Token = Annotated[str, Path(max_length=200)]
Room = Annotated[str, Query(pattern="^[a-z0-9]{0,16}$")]  # from which somebody came and to which they go back
Said: TypeAlias = Literal["", "told", "asked_mail", "asked_hook", "tested", "left"]

HERE: Final = "/me/notices"


class Shown(msgspec.Struct, frozen=True):
    """A way as its owner sees it."""

    way: Way
    place: str
    endpoint: str  # by which a browser knows itself

    @property
    def weak(self) -> bool:
        return 0 < self.way.failures < GIVEN_UP


def _shown(way: Way) -> Shown:
    if way.kind == "push":
        endpoint = msgspec.json.decode(way.address, type=Subscription).endpoint
        return Shown(way, urlsplit(endpoint).hostname or "", endpoint)
    if way.kind == "hook":  # the rest of it is as good as a password
        return Shown(way, urlsplit(way.address).hostname or "", "")
    return Shown(way, way.address, "")


@router.get(HERE)
async def show(
    house: TheHouse, request: Request, person: MaybePerson, room: Room = "", said: Said = ""
) -> HTMLResponse:
    return await _page(house, request, person, room, said=said)


async def _page(
    house: House,
    request: Request,
    person: str | None,
    room: str,
    said: Said = "",
    problem: str = "",
    typed: Mapping[str, str] | None = None,
    status: int = 200,
) -> HTMLResponse:
    ways = await house.database.read(house.teller.ways.of, person)
    return page(
        request,
        "notices.html",
        status,
        ways=[_shown(way) for way in ways],
        kinds=house.teller.senders,
        key=await house.database.read(house.teller.push.public_key),
        room=room,
        query=f"?room={room}" if room else "",
        said=said,
        problem=problem,
        typed=typed or {},
    )


@router.post(f"{HERE}/mail")
async def add_mail(
    house: TheHouse, request: Request, person: NewOrKnown, address: Text = "", room: Room = ""
) -> Response:
    return await _done(house, request, person, room, "asked_mail", _add_mail(house, request, person, address), address)


async def _add_mail(house: House, request: Request, person: str, text: str) -> Way:
    if "mail" not in house.teller.senders:
        raise TellingError("not_offered")
    address = read_mail(text)
    return await _begin(house, request, person, "mail", address, same_mail(address))


@router.post(f"{HERE}/hook")
async def add_hook(
    house: TheHouse, request: Request, person: NewOrKnown, address: Text = "", room: Room = ""
) -> Response:
    return await _done(house, request, person, room, "asked_hook", _add_hook(house, request, person, address), address)


async def _add_hook(house: House, request: Request, person: str, text: str) -> Way:
    address = house.teller.hook.read(text)
    return await _begin(house, request, person, "hook", address, address)


@router.post(f"{HERE}/push")
async def add_push(
    house: TheHouse, request: Request, person: NewOrKnown, endpoint: Text, p256dh: Text, auth: Text
) -> Response:
    """Asked by a script only, which shows what is said."""
    try:
        subscription = house.teller.push.read(Subscription(endpoint, p256dh, auth))
        address = msgspec.json.encode(subscription).decode()
        await _begin(house, request, person, "push", address, endpoint)
    except TellingError as error:
        return PlainTextResponse(words_for(request).say(error.key), error.status)
    return keep_cookie(request, house, person, Response(status_code=204))


async def _begin(
    house: House, request: Request, person: str, kind: Literal["push", "mail", "hook"], address: str, same: str
) -> Way:
    wish = Wish(kind, address, same, words_for(request).language, str(request.base_url))
    return await house.teller.begin(person, wish)


@router.post(f"{HERE}/{{number}}/test")
async def send_test(house: TheHouse, request: Request, person: SomePerson, number: Number, room: Room = "") -> Response:
    return await _done(house, request, person, room, "tested", house.teller.test(person, number))


@router.post(f"{HERE}/{{number}}/leave")
async def leave_one(house: TheHouse, request: Request, person: SomePerson, number: Number, room: Room = "") -> Response:
    work = house.database.write(house.teller.ways.remove, person, number)
    return await _done(house, request, person, room, "left", work)


@router.post(f"{HERE}/leave")
async def leave_all(house: TheHouse, request: Request, person: SomePerson, room: Room = "") -> Response:
    work = house.database.write(house.teller.ways.remove_all, person)
    return await _done(house, request, person, room, "left", work)


async def _done(
    house: House, request: Request, person: str, room: str, said: Said, work: Awaitable[object], typed: str = ""
) -> Response:
    """Do it and show the page again, or say the reason why not beside what was typed."""
    try:
        await work
    except TellingError as error:
        problem = words_for(request).say(error.key)
        kept = {request.url.path.rpartition("/")[2]: typed}
        answer: Response = await _page(house, request, person, room, problem=problem, typed=kept, status=error.status)
    else:
        query = {"room": room, "said": said} if room else {"said": said}
        answer = RedirectResponse(f"{HERE}?{urlencode(query)}", 303)
    return keep_cookie(request, house, person, answer)


@router.get(f"{HERE}/{{form:path}}")
def back_to_the_page() -> RedirectResponse:
    """Whoever changes the language where a form was refused, or loads that page anew."""
    return RedirectResponse(HERE, 303)


@router.get("/confirm/{token}")
async def ask_to_confirm(house: TheHouse, request: Request, token: Token) -> HTMLResponse:
    """It only asks: who merely looks at links, as mail servers do, confirms nothing."""
    way = await house.database.read(house.teller.ways.by_nonce, house.teller.links.read_confirm(token))
    return page(request, "notice_link.html", what="confirm", done=way.confirmed)


@router.post("/confirm/{token}")
async def confirm(house: TheHouse, request: Request, token: Token) -> HTMLResponse:
    await house.database.write(house.teller.ways.confirm, house.teller.links.read_confirm(token))
    return page(request, "notice_link.html", what="confirm", done=True)


@router.get("/leave/{token}")
async def ask_to_leave(house: TheHouse, request: Request, token: Token) -> HTMLResponse:
    nonce = house.teller.links.read_leave(token)
    try:
        await house.database.read(house.teller.ways.by_nonce, nonce)
    except TellingError:
        return page(request, "notice_link.html", what="leave", done=True)
    return page(request, "notice_link.html", what="leave", done=False)


@router.post("/leave/{token}")
async def leave(house: TheHouse, request: Request, token: Token) -> HTMLResponse:
    """The link is enough: a mail program does this by itself, without a cookie (RFC 8058)."""
    await house.database.write(house.teller.ways.leave, house.teller.links.read_leave(token))
    return page(request, "notice_link.html", what="leave", done=True)


@router.get("/sw.js")
def worker() -> Response:
    """At the root, so that it may open any page; never kept, so that a new one is found."""
    return Response(read("sw.js"), headers={"Cache-Control": "no-cache"}, media_type="text/javascript; charset=utf-8")
