"""All SQL of the rooms. Nothing here decides anything."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final, get_args

import msgspec
from sqlalchemy import Connection, and_, bindparam, delete, func, insert, or_, select, text, update

from app.database import CHANNEL, Swift
from app.engine.codec import decode_state
from app.engine.contract import Event, Seat
from app.engine.registry import find
from app.engine.table import Entry, Played, Record, open_record
from app.rooms.models import CHAT, COACH, HOLDER, MOVE, MUTED, ROOM, SEAT, SETTING
from app.rooms.pace import Pace
from app.rooms.snapshot import Happened, Place, Said, Snapshot, Status, Voice
from app.rooms.watch import Watch

LOG_TAIL: Final = 64
CHAT_TAIL: Final = 50

_LOCK: Final = Swift(select(ROOM.c.id, ROOM.c.rev).where(ROOM.c.code == bindparam("room_code")).with_for_update())
_REV: Final = select(ROOM.c.rev).where(ROOM.c.code == bindparam("room_code"))
_NOTIFY: Final = text(f"SELECT pg_notify('{CHANNEL}', :news)")
_BY_ID: Final = update(ROOM).where(ROOM.c.id == bindparam("room_id"))
_NEW: Final = _BY_ID.values(
    rev=bindparam("new_rev"),
    seq=bindparam("new_seq"),
    state=bindparam("new_state"),
    watch=bindparam("new_watch"),
    due_at=bindparam("new_due"),
)
_MOVED: Final = Swift(_NEW)
_AT_BARRIER: Final = Swift(
    _NEW.values(anchor=bindparam("new_state"), anchor_seq=bindparam("new_seq"), barrier=bindparam("new_barrier"))
)
_ADD_MOVE: Final = Swift(insert(MOVE))

# One statement, so that a move is one message to Postgres. What is locked or has changed since is left alone.
_LAND: Final = """
    WITH entered AS (
        INSERT INTO move (room_id, seq, seat, entry, events, state_hash, key, at)
        SELECT id, %(seq)s, %(seat)s, %(entry)s, %(events)s, %(state_hash)s, %(key)s, %(at)s
        FROM room WHERE id = %(room_id)s AND rev = %(rev)s - 1 FOR UPDATE SKIP LOCKED
        ON CONFLICT DO NOTHING RETURNING room_id
    )
    UPDATE room SET rev = %(rev)s, seq = %(seq)s, state = %(state)s, anchor_seq = %(anchor_seq)s, barrier = %(barrier)s,
        watch = %(watch)s, due_at = %(due_at)s, anchor = CASE WHEN %(at_barrier)s THEN %(state)s ELSE anchor END
    FROM entered WHERE id = entered.room_id RETURNING id
"""

_entries: Final = msgspec.json.Decoder(Entry)
_events: Final = msgspec.json.Decoder(tuple[Event, ...])
_paces: Final = msgspec.json.Decoder(Pace)
_watches: Final = msgspec.json.Decoder(Watch)

# The columns of a room that are also fields of its snapshot.
_FIELDS: Final = (
    *("listed", "spectators", "status", "host", "rev", "seq"),
    *("anchor_seq", "barrier", "rematch", "from_code", "from_seq"),
)


def lock(connection: Connection, code: str) -> tuple[int, int] | None:
    """The room's id and revision; until the transaction ends nobody else changes it."""
    row = _LOCK.run(connection, {"room_code": code}).fetchone()
    return None if row is None else (row[0], row[1])


def revision(connection: Connection, code: str) -> int | None:
    rev: int | None = connection.execute(_REV, {"room_code": code}).scalar()
    return rev


def revisions(connection: Connection, codes: Sequence[str]) -> dict[str, int]:
    rows = connection.execute(select(ROOM.c.code, ROOM.c.rev).where(ROOM.c.code.in_(codes)))
    return {row.code: row.rev for row in rows}


def load(connection: Connection, code: str) -> Snapshot | None:
    row = connection.execute(select(ROOM).where(ROOM.c.code == code)).first()
    if row is None:
        return None
    return Snapshot(
        id=row.id,
        code=row.code,
        game_name=row.game,
        places=row.places,
        options=msgspec.json.decode(row.options),
        listed=row.listed,
        spectators=row.spectators,
        status=row.status,
        host=row.host,
        seed=row.seed,
        seed_chosen=row.seed_chosen,
        rev=row.rev,
        seq=row.seq,
        state=None if row.state is None or row.status == "frozen" else decode_state(find(row.game), row.state),
        anchor_seq=row.anchor_seq,
        barrier=row.barrier,
        rematch=row.rematch,
        from_code=row.from_code,
        from_seq=row.from_seq,
        created_at=row.created_at,
        seats=_seats(connection, row.id),
        muted=frozenset(connection.execute(select(MUTED.c.person).where(MUTED.c.room_id == row.id)).scalars()),
        log=() if row.status == "frozen" else log(connection, row.id, row.seq - LOG_TAIL),
        chat=_chat(connection, row.id),
        pace=Pace() if row.pace is None else _paces.decode(row.pace),
        watch=Watch() if row.watch is None else _watches.decode(row.watch),
        delay=row.delay,
        past=_past(connection, row) if row.delay and row.status == "playing" else (),
    )


def _past(connection: Connection, row: Any) -> tuple[Any, ...]:
    """The tables before the last moves, played again; later ones are remembered."""
    game = find(row.game)
    taken = connection.execute(select(func.count()).where(SEAT.c.room_id == row.id)).scalar_one()
    log = entries(connection, row.id)
    table = open_record(game, Record(game.name, game.VERSION, taken, row.seed, msgspec.json.decode(row.options), log))
    states = []
    for number, entry in enumerate(log, start=1):
        states.append(table.state)
        table.follow(number, entry)
    return tuple(states[-row.delay :])


def _seats(connection: Connection, room_id: int) -> tuple[Place, ...]:
    holders: dict[Seat, set[str]] = {}
    faced: dict[Seat, set[str]] = {}
    for row in connection.execute(select(HOLDER).where(HOLDER.c.room_id == room_id)):
        holders.setdefault(row.number, set()).add(row.person)
        if row.faces:
            faced.setdefault(row.number, set()).add(row.person)
    coaches: dict[Seat, set[str]] = {}
    former: dict[Seat, set[str]] = {}
    for row in connection.execute(select(COACH).where(COACH.c.room_id == room_id)):
        (former if row.former else coaches).setdefault(row.number, set()).add(row.person)
    rows = connection.execute(select(SEAT).where(SEAT.c.room_id == room_id).order_by(SEAT.c.number))
    return tuple(
        Place(
            row.number,
            row.name,
            row.nonce,
            frozenset(holders.get(row.number, ())),
            row.bot,
            row.kept,
            frozenset(faced.get(row.number, ())),
            frozenset(coaches.get(row.number, ())),
            frozenset(former.get(row.number, ())),
        )
        for row in rows
    )


def log(connection: Connection, room_id: int, after: int = 0) -> tuple[Happened, ...]:
    rows = connection.execute(
        select(MOVE.c.seq, MOVE.c.seat, MOVE.c.entry, MOVE.c.events)
        .where(MOVE.c.room_id == room_id, MOVE.c.seq > after)
        .order_by(MOVE.c.seq)
    )
    return tuple(
        Happened(row.seq, row.seat, not isinstance(_entries.decode(row.entry), Played), _events.decode(row.events))
        for row in rows
    )


def entries(connection: Connection, room_id: int, after: int = 0) -> list[Entry]:
    rows = connection.execute(
        select(MOVE.c.entry).where(MOVE.c.room_id == room_id, MOVE.c.seq > after).order_by(MOVE.c.seq)
    )
    return [_entries.decode(entry) for entry in rows.scalars()]


def _chat(connection: Connection, room_id: int) -> tuple[Said, ...]:
    """The end of what each voice has said, so that neither drowns the other."""
    lines: list[Said] = []
    for voice in get_args(Voice):
        rows = connection.execute(
            select(CHAT)
            .where(CHAT.c.room_id == room_id, CHAT.c.voice == voice)
            .order_by(CHAT.c.id.desc())
            .limit(CHAT_TAIL)
        )
        lines += [Said(row.id, row.voice, row.person, row.name, row.text, row.at) for row in rows]
    return tuple(sorted(lines, key=lambda said: said.id))


def stored(connection: Connection, code: str) -> dict[str, Any] | None:
    """A room's row as it is, however bad, with how many seats are taken."""
    taken = select(func.count()).where(SEAT.c.room_id == ROOM.c.id).scalar_subquery().label("taken")
    row = connection.execute(select(ROOM, taken).where(ROOM.c.code == code)).mappings().first()
    return None if row is None else dict(row)


def add_room(connection: Connection, room: Snapshot, due_at: datetime) -> int:
    done = connection.execute(
        insert(ROOM).values(
            code=room.code,
            game=room.game_name,
            places=room.places,
            options=msgspec.json.encode(room.options),
            seed=room.seed,
            seed_chosen=room.seed_chosen,
            created_at=room.created_at,
            due_at=due_at,
            pace=msgspec.json.encode(room.pace),
            delay=room.delay,
            **{name: getattr(room, name) for name in _FIELDS},
        )
    )
    key = done.inserted_primary_key
    assert key is not None  # noqa: S101 every database tells the key of a single new row
    return int(key[0])


def save_move(connection: Connection, room: Snapshot, state: bytes, due_at: datetime | None) -> None:
    """What a move changes: one of two statements made once, so that they need not be put together each time."""
    values = {
        "room_id": room.id,
        "new_rev": room.rev,
        "new_seq": room.seq,
        "new_state": state,
        "new_watch": msgspec.json.encode(room.watch),
        "new_due": due_at,
    }
    if room.anchor_seq == room.seq:
        _AT_BARRIER.run(connection, {**values, "new_barrier": room.barrier})
    else:
        _MOVED.run(connection, values)


def save(connection: Connection, before: Snapshot, after: Snapshot, **columns: Any) -> None:
    """Store the fields that differ, and other columns that are given."""
    changed = {name: getattr(after, name) for name in _FIELDS if getattr(after, name) != getattr(before, name)}
    connection.execute(_BY_ID.values(**changed, **columns), {"room_id": before.id})


def set_status(connection: Connection, room_id: int, rev: int, status: Status, due_at: datetime | None) -> None:
    connection.execute(_BY_ID.values(status=status, rev=rev + 1, due_at=due_at), {"room_id": room_id})


def save_watch(connection: Connection, room: Snapshot) -> None:
    connection.execute(_BY_ID.values(watch=msgspec.json.encode(room.watch)), {"room_id": room.id})


def save_due(connection: Connection, room_id: int, due_at: datetime | None) -> None:
    connection.execute(_BY_ID.values(due_at=due_at), {"room_id": room_id})


def due_at(connection: Connection, room_id: int) -> datetime | None:
    found: datetime | None = connection.execute(select(ROOM.c.due_at).where(ROOM.c.id == room_id)).scalar()
    return found


def save_seats(connection: Connection, room_id: int, seats: Iterable[Place]) -> None:
    """The seats as they are now. There are never more than a handful."""
    connection.execute(delete(HOLDER).where(HOLDER.c.room_id == room_id))
    connection.execute(delete(COACH).where(COACH.c.room_id == room_id))
    connection.execute(delete(SEAT).where(SEAT.c.room_id == room_id))
    for seat in seats:
        own = {"number": seat.number, "name": seat.name, "nonce": seat.nonce, "bot": seat.bot, "kept": seat.kept}
        connection.execute(insert(SEAT).values(room_id=room_id, **own))
        for person in seat.holders:
            faces = person in seat.faced
            connection.execute(insert(HOLDER).values(room_id=room_id, number=seat.number, person=person, faces=faces))
        for person in seat.coaches | seat.former:
            past = person not in seat.coaches
            connection.execute(insert(COACH).values(room_id=room_id, number=seat.number, person=person, former=past))


def move_row(room_id: int, happened: Happened, entry: Entry, digest: str, key: str, now: datetime) -> dict[str, Any]:
    return {
        "room_id": room_id,
        "seq": happened.seq,
        "seat": happened.seat,
        "entry": msgspec.json.encode(entry),
        "events": msgspec.json.encode(happened.events),
        "state_hash": digest,
        "key": key,
        "at": now,
    }


def add_move(connection: Connection, row: dict[str, Any]) -> None:
    _ADD_MOVE.run(connection, row)


def land(
    connection: Connection, moves: Sequence[tuple[dict[str, Any], Snapshot, bytes, datetime | None]]
) -> list[bool]:
    """Postgres: store moves of rooms that are still as they were, and say which did land. Waits for no lock."""
    raw: Any = connection.connection.driver_connection
    rows = [
        {
            **row,
            "rev": room.rev,
            "state": state,
            "at_barrier": room.anchor_seq == room.seq,
            "anchor_seq": room.anchor_seq,
            "barrier": room.barrier,
            "watch": msgspec.json.encode(room.watch),
            "due_at": due_at,
        }
        for row, room, state, due_at in moves
    ]
    with raw.cursor() as cursor:
        cursor.executemany(_LAND, rows, returning=True)
        return [found.fetchone() is not None for found in cursor.results()]


def seq_of_key(connection: Connection, room_id: int, seats: Sequence[Seat], key: str) -> int | None:
    """Where a submit with this key landed, if it did."""
    found: int | None = connection.execute(
        select(MOVE.c.seq).where(MOVE.c.room_id == room_id, MOVE.c.seat.in_(seats), MOVE.c.key == key)
    ).scalar()
    return found


def anchor(connection: Connection, room_id: int) -> bytes:
    stored: bytes = connection.execute(select(ROOM.c.anchor).where(ROOM.c.id == room_id)).scalar_one()
    return stored


def last_hash(connection: Connection, room_id: int) -> str | None:
    digest: str | None = connection.execute(
        select(MOVE.c.state_hash).where(MOVE.c.room_id == room_id).order_by(MOVE.c.seq.desc()).limit(1)
    ).scalar()
    return digest


def add_message(connection: Connection, room_id: int, said: Said) -> int:
    done = connection.execute(
        insert(CHAT).values(
            room_id=room_id, voice=said.voice, person=said.person, name=said.name, text=said.text, at=said.at
        )
    )
    key = done.inserted_primary_key
    assert key is not None  # noqa: S101
    return int(key[0])


def messages_since(connection: Connection, room_id: int, since: datetime) -> list[tuple[str, Voice]]:
    """Who has spoken since then, with which voice."""
    rows = connection.execute(select(CHAT.c.person, CHAT.c.voice).where(CHAT.c.room_id == room_id, CHAT.c.at > since))
    return [(row.person, row.voice) for row in rows]


def speaker(connection: Connection, room_id: int, message: int) -> str | None:
    person: str | None = connection.execute(
        select(CHAT.c.person).where(CHAT.c.room_id == room_id, CHAT.c.id == message)
    ).scalar()
    return person


def set_muted(connection: Connection, room_id: int, person: str, muted: bool) -> None:
    connection.execute(delete(MUTED).where(MUTED.c.room_id == room_id, MUTED.c.person == person))
    if muted:
        connection.execute(insert(MUTED).values(room_id=room_id, person=person))


def rooms_with(connection: Connection, statuses: Iterable[Status]) -> list[str]:
    return list(
        connection.execute(select(ROOM.c.code).where(ROOM.c.status.in_(list(statuses))).order_by(ROOM.c.id)).scalars()
    )


def listed(connection: Connection, most: int) -> list[dict[str, Any]]:
    """Public rooms that one can join or watch, the newest first, with how many sit there."""
    taken = select(func.count()).where(SEAT.c.room_id == ROOM.c.id).scalar_subquery().label("taken")
    rows = connection.execute(
        select(ROOM.c.code, ROOM.c.game, ROOM.c.status, ROOM.c.places, ROOM.c.spectators, taken)
        .where(ROOM.c.listed, ROOM.c.status.in_(["lobby", "playing"]))
        .order_by(ROOM.c.id.desc())
        .limit(most)
    )
    return [dict(row) for row in rows.mappings()]


_OWN_ROOM: Final = select(ROOM.c.code, ROOM.c.game, ROOM.c.status, ROOM.c.places, ROOM.c.state).where(
    or_(
        ROOM.c.id.in_(select(HOLDER.c.room_id).where(HOLDER.c.person == bindparam("person"))),
        ROOM.c.host == bindparam("person"),
    )
)


def rooms_of(connection: Connection, person: str, most: int) -> list[dict[str, Any]]:
    """Rooms in which this person sits or is host and which are not over, the newest first."""
    going_on = _OWN_ROOM.where(ROOM.c.status != "ended").order_by(ROOM.c.id.desc()).limit(most)
    return [dict(row) for row in connection.execute(going_on, {"person": person}).mappings()]


def ended_rooms_of(connection: Connection, person: str, due_after: datetime, most: int) -> list[dict[str, Any]]:
    """The same, of games that are over and are to be kept until then or longer; the last one to end first."""
    over = _OWN_ROOM.where(ROOM.c.status == "ended", ROOM.c.due_at >= due_after)
    newest = over.order_by(ROOM.c.due_at.desc(), ROOM.c.id.desc()).limit(most)
    return [dict(row) for row in connection.execute(newest, {"person": person}).mappings()]


def names(connection: Connection, codes: Sequence[str]) -> dict[str, dict[Seat, str]]:
    """Who sits in these rooms, seat by seat."""
    found: dict[str, dict[Seat, str]] = {}
    rows = select(ROOM.c.code, SEAT.c.number, SEAT.c.name).join(SEAT, SEAT.c.room_id == ROOM.c.id)
    for row in connection.execute(rows.where(ROOM.c.code.in_(codes))):
        found.setdefault(row.code, {})[row.number] = row.name
    return found


def seats_of(connection: Connection, person: str, codes: Sequence[str]) -> dict[str, set[Seat]]:
    """Which seats of these rooms a person holds."""
    held: dict[str, set[Seat]] = {}
    rows = select(ROOM.c.code, HOLDER.c.number).join(HOLDER, HOLDER.c.room_id == ROOM.c.id)
    for row in connection.execute(rows.where(ROOM.c.code.in_(codes), HOLDER.c.person == person)):
        held.setdefault(row.code, set()).add(row.number)
    return held


def last_name(connection: Connection, person: str) -> str | None:
    name: str | None = connection.execute(
        select(SEAT.c.name)
        .join(HOLDER, and_(HOLDER.c.room_id == SEAT.c.room_id, HOLDER.c.number == SEAT.c.number))
        .where(HOLDER.c.person == person)
        .order_by(SEAT.c.room_id.desc())
        .limit(1)
    ).scalar()
    return name


def claim_due(connection: Connection, now: datetime, most: int) -> list[tuple[int, str]]:
    """Rooms whose time has come, locked for this transaction; those that another worker has claimed are left out."""
    rows = connection.execute(
        select(ROOM.c.id, ROOM.c.code)
        .where(ROOM.c.due_at <= now, ROOM.c.status.in_(["lobby", "ended"]))
        .order_by(ROOM.c.due_at)
        .limit(most)
        .with_for_update(skip_locked=True)
    )
    return [(row.id, row.code) for row in rows]


def claim_games(connection: Connection, now: datetime, lease: datetime, most: int) -> list[str]:
    """Games whose time has come. Until the lease ends no other worker looks after them, unless they change."""
    mine = connection.execute(
        select(ROOM.c.id, ROOM.c.code)
        .where(ROOM.c.due_at <= now, ROOM.c.status == "playing")
        .order_by(ROOM.c.due_at)
        .limit(most)
        .with_for_update(skip_locked=True)
    ).all()
    if mine:
        connection.execute(update(ROOM).where(ROOM.c.id.in_([row.id for row in mine])).values(due_at=lease))
    return [row.code for row in mine]


def next_due(connection: Connection) -> datetime | None:
    """When the next game is due."""
    found: datetime | None = connection.execute(
        select(func.min(ROOM.c.due_at)).where(ROOM.c.status == "playing")
    ).scalar()
    return found


def all_due(connection: Connection, now: datetime) -> None:
    """After a crash nobody knows what was being looked after."""
    connection.execute(update(ROOM).where(ROOM.c.status == "playing", ROOM.c.due_at.is_not(None)).values(due_at=now))


def remove_room(connection: Connection, room_id: int) -> None:
    connection.execute(delete(ROOM).where(ROOM.c.id == room_id))


def notify(connection: Connection, news: str) -> None:
    """Delivered by Postgres to all who listen, if and when this transaction commits."""
    connection.execute(_NOTIFY, {"news": news})


def shared_setting(connection: Connection, name: str, proposal: str) -> str:
    """What all workers agree on: the stored value, or this one if there is none yet."""
    stored = connection.execute(select(SETTING.c.value).where(SETTING.c.name == name)).scalar()
    if stored is None:
        connection.execute(insert(SETTING).values(name=name, value=proposal))
        return proposal
    return str(stored)
