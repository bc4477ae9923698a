"""Web push: a message to a browser that may be closed, encrypted so that only this browser reads it."""

import asyncio
import hashlib
import re
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from functools import cached_property
from typing import Final
from urllib.parse import urlsplit

import msgspec
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from app.telling.errors import TellingError
from app.telling.outgoing import Busy, Outgoing, Unreachable
from app.telling.repository import Way
from app.telling.ways import Outcome
from app.telling.words import Notice

_KEPT: Final = 24 * 3600  # seconds for which the push service looks for the browser
_SIGNED: Final = 12 * 3600


class Subscription(msgspec.Struct, frozen=True):
    """What a browser's PushManager gives, flat."""

    endpoint: str
    p256dh: str
    auth: str


def new_key() -> str:
    """A private key, as short as it can be written."""
    return _text(generate_private_key(SECP256R1()).private_numbers().private_value.to_bytes(32, "big"))


def _text(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")


def _raw(text: str) -> bytes:
    if not re.fullmatch(r"[\w-]{1,100}={0,2}", text, re.ASCII):
        raise ValueError("not base64url")
    return urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))


class Push:
    def __init__(self, outgoing: Outgoing, stored_key: Callable[[], str]) -> None:
        self._outgoing = outgoing
        self._stored_key = stored_key  # asks the database, so not before it is needed, and in a thread

    @cached_property
    def _vapid(self) -> Vapid02:
        vapid = Vapid02.from_raw(self._stored_key().encode())
        vapid.conf["no-strict"] = True  # a site of one's own may have a name that it calls wrong
        return vapid

    def public_key(self) -> str:
        """By which browsers let only us write to them."""
        return _text(self._vapid.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))

    def read(self, subscription: Subscription) -> Subscription:
        """A subscription to which one can write."""
        self._outgoing.read(subscription.endpoint)
        try:
            EllipticCurvePublicKey.from_encoded_point(SECP256R1(), _raw(subscription.p256dh))
            if len(_raw(subscription.auth)) != 16:
                raise ValueError("not a secret")
        except ValueError:
            raise TellingError("bad_push") from None
        return subscription

    async def send(self, way: Way, notice: Notice) -> Outcome:
        subscription = msgspec.json.decode(way.address, type=Subscription)
        body, headers = await asyncio.to_thread(self._seal, subscription, way.site, notice)
        try:
            status = await self._outgoing.post(subscription.endpoint, body, headers)
        except TellingError:
            return "barred"
        except Unreachable:
            return "failed"
        except Busy:
            return "later"
        if status in (404, 410):
            return "gone"
        return "sent" if status < 300 else "failed"

    def _seal(self, subscription: Subscription, site: str, notice: Notice) -> tuple[bytes, dict[str, str]]:
        from pywebpush import WebPusher  # it takes its time, and most starts never push

        keys = {"p256dh": subscription.p256dh, "auth": subscription.auth}
        message = msgspec.json.encode(
            {
                "title": notice.title,
                "text": notice.text,
                "url": notice.url,
                "leave": {"title": notice.leave_word, "url": notice.leave_url},
            }
        )
        body = WebPusher({"endpoint": subscription.endpoint, "keys": keys}).encode(message)["body"]
        service = urlsplit(subscription.endpoint)
        claims = {
            "aud": f"{service.scheme}://{service.netloc}",
            "sub": f"https://{urlsplit(site).hostname}",
            "exp": int(time.time()) + _SIGNED,
        }
        headers = {
            **self._vapid.sign(claims),
            "Content-Type": "application/octet-stream",
            "Content-Encoding": "aes128gcm",
            "TTL": str(_KEPT),
            "Urgency": "high",
            "Topic": hashlib.sha256(notice.url.encode()).hexdigest()[:32],  # an older one of this room is replaced
        }
        return bytes(body), headers
