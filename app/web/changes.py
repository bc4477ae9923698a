"""What of a piece has changed, where less than the whole piece will do: new entries of the log, lines of the table in
words. What does not look as expected is sent whole, so nothing here needs to know how a template is written."""

import re
from typing import Final

from markupsafe import Markup, escape

_LINE: Final = re.compile(r'<span id="(line-\d+)">[^<]*</span>')


def put(name: str, html: str, how: str = "outerMorph") -> str:
    return f'<hx-partial hx-target="#{name}" hx-swap="{how}">{html}</hx-partial>'


def change(name: str, before: str, now: str) -> str:
    """What makes the piece as it is now of what it was."""
    if name == "log":
        fresh = new_entries(before, now)
        return put(name, now) if fresh is None else put(name, fresh, "afterbegin") if fresh else ""
    if name == "words":
        return changed_lines(before, now) or put(name, now)
    return put(name, now)


def new_entries(before: str, now: str) -> str | None:
    """What a list has got at its beginning, if nothing else is new; at its end it may have forgotten as much.

    >>> new_entries("<ol><li>2</li><li>1</li></ol>", "<ol><li>3</li><li>2</li></ol>")
    '<li>3</li>'
    >>> new_entries("<ol><li>2</li><li>1</li></ol>", "<ol><li>1</li></ol>") is None
    True
    """
    old, new = entries_of(before), entries_of(now)
    for count in range(len(new)):
        kept = new[count:]
        if old[: len(kept)] == kept and len(old) - len(kept) <= count:
            return "".join(new[:count])
    return None


def entries_of(html: str) -> list[str]:
    body = html.rpartition("</")[0]
    return [f"<li{entry.rstrip()}" for entry in body.split("<li")[1:]]


def lines(text: str) -> Markup:
    """A text whose lines can be changed one by one."""
    return Markup("\n").join(
        Markup('<span id="line-{}">{}</span>').format(number, escape(line))
        for number, line in enumerate(text.splitlines())
    )


def changed_lines(before: str, now: str) -> str:
    """Only where the text has as many lines as it had.

    >>> changed_lines(lines("one\\ntwo"), lines("one\\n2"))
    '<hx-partial hx-target="#line-1" hx-swap="outerMorph"><span id="line-1">2</span></hx-partial>'
    """
    old, new = ({line[1]: line[0] for line in _LINE.finditer(html)} for html in (before, now))
    if old.keys() != new.keys() or _LINE.sub("", before) != _LINE.sub("", now):
        return ""
    return "".join(put(name, line) for name, line in new.items() if line != old[name])
