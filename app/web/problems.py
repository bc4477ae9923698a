"""Errors of the API: a JSON problem with a code for programs and a sentence in the caller's language for people."""

from typing import Any

import msgspec
from starlette.requests import HTTPConnection
from starlette.responses import Response

from app.engine.contract import Illegal, Malformed, MoveError, NotYourTurn, UndoRefused
from app.rooms.errors import RoomError
from app.web.language import words_for


def problem(request: HTTPConnection, status: int, code: str, detail: str, **more: Any) -> Response:
    body = {"title": code.replace("_", " "), "status": status, "code": code, "detail": detail, **more}
    headers = {"Content-Language": words_for(request).language, "Cache-Control": "no-store"}
    return Response(msgspec.json.encode(body), status, headers, "application/problem+json")


def bad_request(request: HTTPConnection, where: str) -> Response:
    detail = words_for(request).say("error.page.422")
    return problem(request, 422, "http_422", detail, **({"where": where} if where else {}))


def refused(request: HTTPConnection, error: RoomError, **more: Any) -> Response:
    words = words_for(request)
    return problem(request, error.status, error.code, words.say(error.key, error.arguments), **more)


def not_moved(request: HTTPConnection, error: MoveError) -> Response:
    detail = words_for(request).say(error.key, error.arguments)
    match error:
        case NotYourTurn():
            return problem(request, 403, "not_your_turn", detail)
        case Illegal(refusal=refusal):
            return problem(request, 422, "illegal", detail, rule=refusal.rule, reason=refusal.key)
        case UndoRefused(barrier=barrier):
            return problem(request, 422, "no_undo", detail, barrier=barrier)
        case Malformed():
            return problem(request, 422, "malformed", detail)
    return problem(request, 422, "refused", detail)
