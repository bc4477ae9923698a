"""Which addresses the server may speak to at somebody's wish: public ones, and never its own network."""

import ipaddress
import re
from typing import Final, TypeAlias
from urllib.parse import SplitResult, urlsplit

import msgspec

from app.telling.errors import TellingError

Exceptions: TypeAlias = frozenset[tuple[str, int]]  # hosts with ports that whoever runs the server allows

LONGEST: Final = 2000
_SIGNS: Final = re.compile(r"[!-\[\]-~]+")  # no spaces, no backslash, nothing but ASCII
_NAME: Final = re.compile(r"(?=.{4,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])")
_UNICAST: Final = ipaddress.IPv6Network("2000::/3")
_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
_LEAST_PORT: Final = 1024  # besides that of the web: below are services that do not expect us


class Address(msgspec.Struct, frozen=True):
    secure: bool
    host: str
    port: int
    target: str  # path and query
    allowed: bool  # by whoever runs the server, wherever it leads

    @property
    def site(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        usual = self.port == (443 if self.secure else 80)
        return host if usual else f"{host}:{self.port}"


def read_address(text: str, exceptions: Exceptions) -> Address:
    """The parts of an address. What its host's name leads to is checked when somebody goes there."""
    parts, host, port = _parts(text)
    allowed = (host, port) in exceptions
    if not allowed:
        if parts.scheme != "https" or not (port == 443 or _LEAST_PORT <= port <= 65535):
            raise TellingError("bad_address")
        if not _NAME.fullmatch(host):
            _check_literal(host)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Address(parts.scheme == "https", host, port, target, allowed)


def _parts(text: str) -> tuple[SplitResult, str, int]:
    if len(text) > LONGEST or not _SIGNS.fullmatch(text):
        raise TellingError("bad_address")
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise TellingError("bad_address") from None
    if parts.scheme not in ("https", "http") or not host or set("@%") & set(parts.netloc):
        raise TellingError("bad_address")
    return parts, host, (443 if parts.scheme == "https" else 80) if port is None else port


def _check_literal(host: str) -> None:
    """A host that is no name is an address as one writes it, and nothing else: not 127.1, not 0x7f000001."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        raise TellingError("bad_address") from None
    if not is_public(host):
        raise TellingError("private_address")


def is_public(text: str) -> bool:
    """Whether an IP address is one of the open internet, also where it carries another in itself.

    >>> is_public("93.184.216.34"), is_public("2606:4700::1111")
    (True, True)
    >>> is_public("10.0.0.1"), is_public("::1"), is_public("::ffff:10.0.0.1"), is_public("2002:7f00:1::")
    (False, False, False, False)
    """
    try:
        ip = ipaddress.ip_address(text)
    except ValueError:  # with a zone, or no address at all
        return False
    if isinstance(ip, ipaddress.IPv4Address):
        return ip.is_global and not ip.is_multicast
    if ip in _NAT64:
        return is_public(str(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)))
    if ip.sixtofour:
        return is_public(str(ip.sixtofour))
    return ip in _UNICAST and ip.is_global and ip.teredo is None
