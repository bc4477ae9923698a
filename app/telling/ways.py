"""All decisions about the ways in which people are told: how many, how often, and when one is given up."""

import hashlib
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from app.database import Database
from app.rooms.identity import new_nonce
from app.telling import repository
from app.telling.errors import TellingError
from app.telling.repository import Kind, LetterKind, Way

Outcome: TypeAlias = Literal[
    "sent",
    "gone",  # nobody will ever be there again
    "failed",  # the address is to blame
    "barred",  # it leads into a private network
    "later",  # we are, or a server of ours
]

MOST_WAYS: Final = 8
GIVEN_UP: Final = 8  # failures in a row
UNCONFIRMED: Final = timedelta(days=2)  # so long an address may take to say yes
_REMEMBERED: Final = timedelta(days=30)
_A_MINUTE: Final = timedelta(minutes=1)


class Limit(msgspec.Struct, frozen=True):
    """How many letters there may be in some time: to one address, by one person, and of all together."""

    within: timedelta
    to_one: int = 1_000_000
    by_one: int = 1_000_000
    of_all: int = 1_000_000


# Anybody can be a new person, so what protects an address counts over all people.
_ASKING: Final[dict[Kind, tuple[Limit, ...]]] = {
    "mail": (Limit(_REMEMBERED, to_one=3), Limit(timedelta(days=1), by_one=10, of_all=200)),
    "hook": (Limit(_REMEMBERED, to_one=12), Limit(timedelta(days=1), by_one=10, of_all=200)),
    "push": (Limit(timedelta(hours=1), to_one=6, by_one=12), Limit(_A_MINUTE, of_all=60)),
}
_TESTING: Final = (
    Limit(timedelta(minutes=10), to_one=3),
    Limit(timedelta(days=1), to_one=20, by_one=30),
    Limit(_A_MINUTE, of_all=60),
)


class Wish(msgspec.Struct, frozen=True):
    """Somebody wants to be told in this way."""

    kind: Kind
    address: str
    same: str  # equal for addresses that lead to the same place
    language: str
    site: str

    @property
    def mark(self) -> str:
        return hashlib.sha256(f"{self.kind}:{self.same}".encode()).hexdigest()


class Ways:
    def __init__(self, database: Database, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self.database = database
        self.clock = clock

    def of(self, person: str | None) -> list[Way]:
        if person is None:
            return []
        with self.database.reading() as connection:
            return repository.ways_of(connection, person)

    def of_people(self, people: Iterable[str]) -> list[Way]:
        """Those that may be used."""
        with self.database.reading() as connection:
            return repository.confirmed_ways(connection, people)

    def by_nonce(self, nonce: str) -> Way:
        with self.database.reading() as connection:
            return _there(repository.way_of_nonce(connection, nonce))

    def add(self, person: str, wish: Wish) -> Way:
        """Store it. Unless it is confirmed already, the address is now to be asked."""
        for _ in range(2):
            try:
                with self.database.writing() as connection:
                    return self._add(connection, person, wish)
            except IntegrityError:  # a second click was faster
                continue
        raise TellingError("too_often")

    def _add(self, connection: Connection, person: str, wish: Wish) -> Way:
        now = self.clock()
        repository.remove_unconfirmed(connection, now - UNCONFIRMED)
        repository.remove_letters(connection, now - _REMEMBERED)
        if wish.kind == "push":  # a browser whose cookie was lost is another person now
            repository.remove_from_others(connection, wish.mark, person)
        own = repository.ways_of(connection, person)
        known = next((way for way in own if way.mark == wish.mark), None)
        if known is None and len(own) >= MOST_WAYS:
            raise TellingError("many_ways")
        if not (known and known.confirmed):
            self._count(connection, wish.kind, _ASKING[wish.kind], wish.mark, person)
        if known:
            fresh = {"address": wish.address, "language": wish.language, "site": wish.site}
            repository.change_way(connection, known.id, **fresh)
            return replace(known, **fresh)
        way = Way(
            id=0,
            person=person,
            kind=wish.kind,
            address=wish.address,
            mark=wish.mark,
            language=wish.language,
            site=wish.site,
            nonce=new_nonce(),
            confirmed=False,
            failures=0,
            created_at=now,
        )
        return repository.add_way(connection, way)

    def to_test(self, person: str, way_id: int) -> Way:
        """A way to which its owner may send a test now; it is counted."""
        with self.database.writing() as connection:
            way = self._own(connection, person, way_id)
            if not way.confirmed:
                raise TellingError("no_way")
            self._count(connection, "test", _TESTING, way.mark, person)
            return way

    def _count(self, connection: Connection, kind: LetterKind, limits: Iterable[Limit], mark: str, person: str) -> None:
        now = self.clock()
        for limit in limits:
            since = now - limit.within
            if (
                repository.letters(connection, kind, since, mark=mark) >= limit.to_one
                or repository.letters(connection, kind, since, person=person) >= limit.by_one
                or repository.letters(connection, kind, since) >= limit.of_all
            ):
                raise TellingError("too_often")
        repository.add_letter(connection, kind, mark, person, now)

    def confirm(self, nonce: str) -> Way:
        with self.database.writing() as connection:
            way = _there(repository.way_of_nonce(connection, nonce))
            repository.change_way(connection, way.id, confirmed=True)
            return replace(way, confirmed=True)

    def leave(self, nonce: str) -> None:
        """Whoever has the link may; it is harmless to do it twice."""
        with self.database.writing() as connection:
            way = repository.way_of_nonce(connection, nonce)
            if way:
                repository.remove_way(connection, way.id)

    def remove(self, person: str, way_id: int) -> None:
        with self.database.writing() as connection:
            repository.remove_way(connection, self._own(connection, person, way_id).id)

    def remove_all(self, person: str) -> None:
        with self.database.writing() as connection:
            repository.remove_ways_of(connection, person)

    def came_of(self, way: Way, outcome: Outcome) -> None:
        """What came of sending something: a way that fails again and again is given up."""
        failures = {"sent": 0, "later": way.failures}.get(outcome, way.failures + 1)
        if failures == way.failures:
            return
        with self.database.writing() as connection:
            if outcome == "gone" or failures >= GIVEN_UP:
                repository.remove_way(connection, way.id)
            else:
                repository.change_way(connection, way.id, failures=failures)

    def _own(self, connection: Connection, person: str, way_id: int) -> Way:
        own = repository.ways_of(connection, person)
        return _there(next((way for way in own if way.id == way_id), None))


def _there(way: Way | None) -> Way:
    if way is None:
        raise TellingError("no_way")
    return way
