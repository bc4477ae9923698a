"""What is said to who is away: never more than everybody at the table may know."""

import re
from typing import Final

import msgspec
from babel.lists import format_list

from app.engine.contract import Seat
from app.i18n import phrasebook
from app.rooms.snapshot import Snapshot
from app.telling.links import Links
from app.telling.repository import Way

_LOCALES: Final = {"en": "en_GB"}  # a list without a comma before its last
_LEADS_AWAY: Final = re.compile(r"(?<=[@\]/:.])(?=\S)")
_WORD_JOINER: Final = "\u2060"


class Notice(msgspec.Struct, frozen=True):
    """A message, before it is put into the form of its way."""

    title: str
    text: str
    url: str
    leave_word: str
    leave_url: str


def harmless(name: str) -> str:
    """A name that is only a name: elsewhere `@all` calls everybody and `a.example` becomes a link."""
    return _LEADS_AWAY.sub(_WORD_JOINER, name)


def turn_notice(room: Snapshot, seat: Seat, way: Way, links: Links) -> Notice:
    """It is this seat's turn. A channel that several read is told whose."""
    say = phrasebook(way.language).say
    asked = room.game.to_act(room.state)
    names = {place.number: harmless(place.name) for place in room.seats if place.holders}
    waiting = [name for number, name in names.items() if number not in asked and number != seat]
    game = say(f"{room.game_name}.title")
    title = say("notice.turn", {"title": game})
    if way.kind == "hook":
        title = say("notice.turn.named", {"title": game, "name": names.get(seat, "")})
    listed = format_list(waiting, locale=_LOCALES.get(way.language, way.language))
    text = say("notice.waiting", {"names": listed, "count": len(waiting)}) if waiting else say("notice.only_you")
    return _notice(title, text, links.room(way, room.code), way, links)


def sample_notice(way: Way, links: Links) -> Notice:
    say = phrasebook(way.language).say
    return _notice(say("notice.test"), say("notice.test.text"), links.own(way), way, links)


def question(way: Way, links: Links) -> Notice:
    """May we write here? It says nothing that a stranger could choose."""
    say = phrasebook(way.language).say
    title, text = say(f"notice.ask.{way.kind}"), say("notice.ask.text")
    return Notice(title, text, links.confirm(way), say("notice.refuse"), links.leave(way))


def _notice(title: str, text: str, url: str, way: Way, links: Links) -> Notice:
    return Notice(title, text, url, phrasebook(way.language).say("notice.stop"), links.leave(way))
