"""The schema: up, down and up again on both databases, and never another than the models say."""

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import URL, inspect, text

from app.database import connect, migrate
from app.rooms.models import METADATA


def tables(url: URL) -> set[str]:
    engine = connect(url)
    found = set(inspect(engine).get_table_names())
    engine.dispose()
    return found - {"alembic_version"}


def test_up_down_and_up_again(database: URL) -> None:
    engine = connect(database)
    migrate(engine)
    assert tables(database) == set(METADATA.tables)
    migrate(engine)  # once more changes nothing
    migrate(engine, "base")
    assert tables(database) == set()
    migrate(engine)
    assert tables(database) == set(METADATA.tables)
    engine.dispose()


def test_the_migrations_lead_to_what_the_models_say(database: URL) -> None:
    engine = connect(database)
    migrate(engine)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, METADATA) == []
    engine.dispose()


def test_sqlite_never_acknowledges_what_is_not_on_disk(tmp_path: object) -> None:
    engine = connect(URL.create("sqlite", database=f"{tmp_path}/deep/er/test.sqlite3"))
    with engine.connect() as connection:
        pragmas = {
            name: connection.execute(text(f"PRAGMA {name}")).scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    engine.dispose()
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
