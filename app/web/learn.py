"""A first lesson: a game's table with a fixed deal and a coach. Nothing is stored; the address says how far one is."""

from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Form, Query
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.engine import registry
from app.engine.codec import decode_move, raw_move
from app.engine.contract import Game, Lesson, LessonTask, Malformed
from app.i18n import Phrasebook
from app.rooms.snapshot import Snapshot
from app.web.callers import the_drawings
from app.web.drawing import Look, Problem
from app.web.language import words_for
from app.web.render import page, render
from app.web.staged import stage

router = APIRouter()

Done = Annotated[int, Query(ge=0, le=99)]
DoneForm = Annotated[int, Form(ge=0, le=99)]


class Moment:
    """How far somebody is: so many steps are done, and of the next one so many tasks."""

    def __init__(self, name: str, words: Phrasebook, step: int, task: int) -> None:
        game = registry.games().get(name)
        if game is None or game.lesson is None:
            raise HTTPException(404)
        steps = game.lesson.steps
        if step > len(steps) or task >= (len(steps[step].tasks) if step < len(steps) else 1):
            raise HTTPException(404)
        self.game: Game[Any, Any, Any] = game
        self.lesson: Lesson[Any] = game.lesson
        self.words = words
        self.step = step
        self.task = task

    @property
    def path(self) -> str:
        return f"/learn/{self.game.name}"

    @property
    def over(self) -> bool:
        return self.step == len(self.lesson.steps)

    @property
    def asked(self) -> LessonTask[Any] | None:
        return None if self.over else self.lesson.steps[self.step].tasks[self.task]

    @property
    def next(self) -> str:
        """The address of what comes after the task is done."""
        more = self.task + 1 < len(self.lesson.steps[self.step].tasks)
        return _address(self.path, self.step, self.task + 1) if more else _address(self.path, self.step + 1, 0)

    @property
    def before(self) -> str | None:
        """The address of what came before; nothing comes before the first."""
        if self.task:
            return _address(self.path, self.step, self.task - 1)
        return _address(self.path, self.step - 1, 0) if self.step else None

    def room(self) -> Snapshot:
        lesson, name = self.lesson, self.game.name
        names = [self.words.say(f"{name}.lesson.seat.{seat}") for seat in range(lesson.seats)]
        return stage(self.game, lesson.seed, lesson.options, names, lesson.script(self.step, self.task))

    def wording(self, room: Snapshot) -> str:
        """What the button says that does what is asked."""
        if self.asked is None:
            return ""
        key, args = self.game.describe(room.state, self.lesson.LEARNER, self.asked.move)
        return self.words.say(key, args, room.names)


def _address(path: str, step: int, task: int) -> str:
    return f"{path}?step={step}" + (f"&task={task}" if task else "")


@router.get("/learn/{name}")
async def learn(request: Request, name: str, step: Done = 0, task: Done = 0) -> HTMLResponse:
    return _page(request, Moment(name, words_for(request), step, task))


@router.get("/learn/{name}/why")
async def why(request: Request, name: str, move: str, step: Done = 0, task: Done = 0) -> HTMLResponse:
    """Why something cannot be done now, or that it could be."""
    return _refuse(request, _during(name, words_for(request), step, task), move, 200)


@router.post("/learn/{name}/move")
async def move(
    request: Request,
    name: str,
    move: Annotated[str, Form(max_length=4000)],
    step: DoneForm = 0,
    task: DoneForm = 0,
) -> Response:
    moment = _during(name, words_for(request), step, task)
    if moment.asked is None or _read_move(moment, move) != moment.asked.move:
        return _refuse(request, moment, move, 422)
    if _by_script(request):
        return Response(status_code=204, headers={"HX-Redirect": moment.next})
    return RedirectResponse(moment.next, 303)


def _during(name: str, words: Phrasebook, step: int, task: int) -> Moment:
    """A moment at which something is asked; after the end nothing is."""
    moment = Moment(name, words, step, task)
    if moment.over:
        raise HTTPException(404)
    return moment


def _read_move(moment: Moment, text: str) -> Any:
    try:
        raw = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Malformed(str(error)) from error
    return decode_move(moment.game, raw)


def _refuse(request: Request, moment: Moment, raw: str, status: int) -> HTMLResponse:
    """The rule that forbids the move; where none does, what the lesson asks for instead."""
    move, room = _read_move(moment, raw), moment.room()
    refusal = moment.game.explain(room.state, moment.lesson.LEARNER, move)
    if refusal:
        problem = Problem(moment.words.say(refusal.key, refusal.args, room.names), refusal.rule)
    else:
        problem = Problem(moment.words.say("learn.other", {"what": moment.wording(room)}))
    if not _by_script(request):
        return _page(request, moment, problem, status)
    return HTMLResponse(render(moment.words, "room/refusal.html", problem=problem, room=room), status)


def _by_script(request: Request) -> bool:
    return request.headers.get("hx-request") == "true"


def _page(request: Request, moment: Moment, problem: Problem | None = None, status: int = 200) -> HTMLResponse:
    room, me, asked = moment.room(), moment.lesson.LEARNER, moment.asked
    only = msgspec.json.encode(raw_move(asked.move)).decode() if asked else ""
    look = Look(me, moment.words.language, (me,), False, False, "", only)
    pieces = dict(the_drawings(request).draw(room, look).pieces)
    if asked is None:
        return page(request, "learn/end.html", moment=moment, room=room, r=pieces, card=moment.game.card)
    coach = {"moment": moment, "asked": asked, "only": only, "hint": moment.wording(room)}
    pieces["prompt"] = render(moment.words, "learn/coach.html", **coach) + pieces["prompt"]
    pieces["forms"] = render(moment.words, "learn/forms.html", moment=moment)
    pieces["actions"] = Markup()  # the coach's hint says the same
    for of_a_room in ("chat", "people"):
        del pieces[of_a_room]
    shown = {"room": room, "r": pieces, "look": look, "scene": moment.game.scene, "problem": problem}
    return page(request, "learn/lesson.html", status, moment=moment, **shown)
