"""Who somebody is, without accounts: a random number, signed, in a cookie or a bearer token."""

import hmac
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Final

# Letters and digits that are not taken for each other when read aloud or written down.
_ALPHABET: Final = "abcdefghjkmnpqrstuvwxyz23456789"


def new_person() -> str:
    return secrets.token_hex(16)


def new_nonce() -> str:
    return secrets.token_hex(8)


def new_seed() -> str:
    return secrets.token_hex(32)


def new_code() -> str:
    """A room's name: short enough to say, and one of 27 thousand million."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(7))


class Signer:
    """Signs what people carry about, and knows its own signature again."""

    def __init__(self, secret: str) -> None:
        self._secret = secret.encode()

    def sign(self, purpose: str, text: str) -> str:
        """The text and its signature, fit for a cookie or an address."""
        body = urlsafe_b64encode(text.encode()).decode().rstrip("=")
        return f"{body}.{self._mark(purpose, body)}"

    def read(self, purpose: str, token: str) -> str | None:
        """The text, if the token was signed here for this purpose."""
        body, _, mark = token.partition(".")
        if not hmac.compare_digest(mark.encode(), self._mark(purpose, body).encode()):
            return None
        return urlsafe_b64decode(body + "=" * (-len(body) % 4)).decode()

    def _mark(self, purpose: str, body: str) -> str:
        digest = hmac.digest(self._secret, f"{purpose}:{body}".encode(), "sha256")
        return urlsafe_b64encode(digest[:18]).decode()
