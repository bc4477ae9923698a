"""A message to a chat server, as JSON that Slack, Mattermost, Discord and their like understand."""

import msgspec

from app.telling.errors import TellingError
from app.telling.outgoing import Busy, Outgoing, Unreachable
from app.telling.repository import Way
from app.telling.ways import Outcome
from app.telling.words import Notice


class Hook:
    def __init__(self, outgoing: Outgoing) -> None:
        self._outgoing = outgoing

    def read(self, text: str) -> str:
        address = text.strip()
        self._outgoing.read(address)
        return address

    async def send(self, way: Way, notice: Notice) -> Outcome:
        # A link in angle brackets is one on all of them, and shows no preview.
        text = f"{notice.title} {notice.text}\n{notice.url}\n{notice.leave_word}: <{notice.leave_url}>"
        body = msgspec.json.encode({"text": text, "content": text, "allowed_mentions": {"parse": []}})
        try:
            status = await self._outgoing.post(way.address, body, {"Content-Type": "application/json"})
        except TellingError:
            return "barred"
        except Unreachable:
            return "failed"
        except Busy:
            return "later"
        return "sent" if 200 <= status < 300 else "failed"
