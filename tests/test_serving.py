"""`valtavola serve`: it starts and says where, or says in one sentence why not and starts nothing."""

import shutil
import socket
import urllib.request
from pathlib import Path

import pytest

from app.config import BadSettings, read_settings
from tests.processes import ROOT, serving, valtavola


def one_sentence(text: str) -> str:
    assert len(text.strip().splitlines()) == 1, text
    assert text.strip().endswith(".")
    return text.strip()


def test_the_address_that_is_printed_answers(tmp_path: Path) -> None:
    file = tmp_path / "new" / "games.sqlite3"
    with serving(DATABASE_URL=f"sqlite:///{file}") as server:
        with urllib.request.urlopen(server.address) as answer:
            assert answer.status == 200
            assert "Valtavola" in answer.read().decode()
        assert file.exists()


def test_it_serves_on_postgres_too(postgres: str) -> None:
    with serving(DATABASE_URL=postgres) as server, urllib.request.urlopen(server.address + "/healthz") as answer:
        assert answer.read() == b"ok"


def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        file = tmp_path / "games.sqlite3"
        done = valtavola("serve", "--port", str(port), DATABASE_URL=f"sqlite:///{file}")
    assert done.returncode == 2
    assert f"Port {port} is already in use" in one_sentence(done.stderr)
    assert not file.exists()


def test_an_unknown_host_is_named() -> None:
    done = valtavola("serve", "--host", "nowhere.invalid")
    assert done.returncode == 2
    assert "nowhere.invalid" in one_sentence(done.stderr)


def test_a_database_out_of_reach_is_named_without_its_password() -> None:
    done = valtavola("serve", "--port", "0", DATABASE_URL="postgresql://me:hunter2@127.0.0.1:9/games")
    assert done.returncode == 2
    assert "127.0.0.1:9/games" in one_sentence(done.stderr)
    assert "hunter2" not in done.stderr


@pytest.mark.parametrize("address", ["mysql://host/name", "games.db", ""])
def test_a_database_of_another_kind_is_refused(address: str) -> None:
    with pytest.raises(BadSettings, match="DATABASE_URL must look like"):
        read_settings({"DATABASE_URL": address})


@pytest.mark.parametrize("port", ["http", "-1", "65536", ""])
def test_a_bad_port_is_refused(port: str) -> None:
    with pytest.raises(BadSettings, match="PORT is"):
        read_settings({"PORT": port})


@pytest.mark.rule("VB-3")
@pytest.mark.parametrize(
    ("good", "bad", "named"),
    [
        ("ruby = 13", "ruby = 12", "12 gems of the kind ruby; there must be 13 (VC-1)"),
        ('"o1", "o2",', '"o2",', "12 roads; there must be 13 (VB-1)"),
        ('    ["n1", "north_mine", "n2", "H"],', "", "no way from 'A' to 'n2'"),
        ('carries = "ruby"', 'carries = "opal"', "'opal'"),
        ("[gems] # VC-1", "[gems # VC-1", "not valid TOML"),
    ],
    ids=["wrong count", "missing road", "a line missing", "unknown gem", "broken syntax"],
)
def test_nothing_starts_with_a_faulty_box(tmp_path: Path, good: str, bad: str, named: str) -> None:
    shutil.copytree(ROOT / "app", tmp_path / "app", ignore=shutil.ignore_patterns("__pycache__"))
    box = tmp_path / "app" / "games" / "valdora" / "components.toml"
    text = box.read_text(encoding="utf-8")
    assert good in text
    box.write_text(text.replace(good, bad, 1), encoding="utf-8")
    database = tmp_path / "games.sqlite3"
    for command in (("serve", "--port", "0"), ("simulate", "valdora", "--games", "1")):
        done = valtavola(*command, code=tmp_path, DATABASE_URL=f"sqlite:///{database}")
        assert done.returncode == 2
        assert done.stdout == ""
        assert named in one_sentence(done.stderr)
    assert not database.exists()
