"""Links in messages. They lead to the site's public address, else to the one that the way's owner came by."""

from app.rooms.identity import Signer
from app.telling.errors import TellingError
from app.telling.repository import Way

_LEAVE, _CONFIRM = "leave", "confirm"


class Links:
    def __init__(self, signer: Signer, public: str | None) -> None:
        self._signer = signer
        self._public = public

    def site(self, way: Way) -> str:
        return self._public or way.site

    def room(self, way: Way, code: str) -> str:
        return f"{self.site(way)}r/{code}"

    def own(self, way: Way) -> str:
        return f"{self.site(way)}me/notices"

    def leave(self, way: Way) -> str:
        return f"{self.site(way)}leave/{self._signer.sign(_LEAVE, way.nonce)}"

    def confirm(self, way: Way) -> str:
        return f"{self.site(way)}confirm/{self._signer.sign(_CONFIRM, way.nonce)}"

    def read_leave(self, token: str) -> str:
        return self._read(_LEAVE, token)

    def read_confirm(self, token: str) -> str:
        return self._read(_CONFIRM, token)

    def _read(self, purpose: str, token: str) -> str:
        nonce = self._signer.read(purpose, token)
        if nonce is None:
            raise TellingError("bad_link")
        return nonce
