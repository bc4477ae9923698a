"""What tests may ask for: a database of either kind, a running server, a browser."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import httpx2
import pytest
from playwright.sync_api import Browser, sync_playwright
from sqlalchemy import URL
from starlette.testclient import TestClient

from app.config import Settings, read_settings
from app.database import Database, connect, migrate
from app.engine import registry
from app.main import create_app
from app.rooms.service import Rooms
from tests.engine.hush import HUSH
from tests.postgres import NoPostgres, empty_database, running_postgres
from tests.processes import serving


def cannot_run(reason: str) -> NoReturn:
    """On a person's machine a test may be left out, saying why; in CI it may not."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    try:
        with running_postgres() as address:
            yield address
    except NoPostgres as missing:
        cannot_run(f"There is no Postgres: {missing}.")


@pytest.fixture
def postgres(postgres_server: str) -> Iterator[str]:
    """The address of an empty Postgres database."""
    with empty_database(postgres_server) as address:
        yield address


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> URL:
    """An empty database, once of either kind."""
    if request.param == "postgres":
        address = request.getfixturevalue("postgres")
    else:
        address = f"sqlite:///{tmp_path / 'test.sqlite3'}"
    return read_settings({"DATABASE_URL": address}).database


@pytest.fixture
def settings(database: URL) -> Settings:
    """Of a site on an empty database, once of either kind."""
    return read_settings({"DATABASE_URL": database.render_as_string(hide_password=False)})


@pytest.fixture
def rooms(settings: Settings) -> Iterator[Rooms]:
    engine = connect(settings.database)
    migrate(engine)
    service = Rooms(Database(engine))
    yield service
    service.database.close()


@pytest.fixture
def hush(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy of unseen answers stands on the shelf."""
    monkeypatch.setitem(registry.games(), HUSH.name, HUSH)


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    """A browser that has never been here, at a site without a network in between."""
    engine = connect(settings.database)
    migrate(engine)
    engine.dispose()
    with TestClient(create_app(settings), raise_server_exceptions=False) as browser:
        yield browser


@pytest.fixture(scope="session")
def site_and_file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The address of a running server, without a slash at the end, and its database."""
    file = tmp_path_factory.mktemp("site") / "site.sqlite3"
    with serving(DATABASE_URL=f"sqlite:///{file}") as server:
        yield server.address, file


@pytest.fixture(scope="session")
def site(site_and_file: tuple[str, Path]) -> str:
    return site_and_file[0]


@pytest.fixture(scope="session")
def http(site: str) -> Iterator[httpx2.Client]:
    """Programs speak to the running server through this."""
    with httpx2.Client(base_url=site) as client:
        yield client


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium: the system's own, or the one that Playwright has downloaded."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        if program is None and not Path(playwright.chromium.executable_path).exists():
            cannot_run("There is no Chromium: install it, or run .venv/bin/playwright install chromium.")
        chromium = playwright.chromium.launch(
            executable_path=program,
            args=["--headless=new", "--no-sandbox", "--disable-background-networking", "--disable-component-update"],
        )
        yield chromium
        chromium.close()
