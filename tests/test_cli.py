"""The commands that need no server."""

import json
import os
import pty
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from app.engine import conformance
from tests.processes import ROOT, environment


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(arguments)
    out, err = capsys.readouterr()
    return code, out, err


def test_simulate_tells_speed_length_scores_and_sources(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "simulate", "valdora", "--players", "4", "--games", "3", "--seed", "7")
    assert (code, err) == (0, "")
    for word in ("games/s", "moves/s", "turns", "mean score", "wins", "workshops", "bonus tiles", "ended"):
        assert word in out


def test_simulate_gives_the_same_games_on_one_core_and_on_two(capsys: pytest.CaptureFixture[str]) -> None:
    reports: list[dict[str, Any]] = []
    for jobs in ("1", "2"):
        code, out, _ = run(capsys, "simulate", "valdora", "--games", "4", "--jobs", jobs, "--json")
        assert code == 0
        report = json.loads(out)
        assert report["moves_per_second"] > 0
        for timed in ("seconds", "games_per_second", "moves_per_second"):
            del report[timed]
        reports.append(report)
    assert reports[0] == reports[1]
    assert reports[0]["games"] == 4
    assert sum(reports[0]["wins_by_seat"]) == pytest.approx(1, abs=0.001)
    assert sum(reports[0]["ends"].values()) == 4


def test_a_fault_prints_the_command_that_replays_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = conformance.check_state
    calls = 0

    def at_the_fourth_table(*args: Any) -> Any:
        nonlocal calls
        calls += 1
        return iter(["a gem has rolled off the table"]) if calls == 4 else sound(*args)

    monkeypatch.setattr(conformance, "check_state", at_the_fourth_table)
    code, out, err = run(
        capsys, "simulate", "valdora", "--games", "2", "--seed", "5", "--check", "--save", str(tmp_path)
    )
    assert (code, out) == (1, "")
    assert "Game 5, step 3: a gem has rolled off the table" in err
    assert "valtavola simulate valdora --players 3 --games 1 --seed 5 --check" in err
    stored = tmp_path / "failed-valdora-3-players-seed-5.json"
    assert f"valtavola replay {stored}" in err
    code, out, _ = run(capsys, "replay", str(stored))
    assert code == 0
    assert "    3  " in out


def test_replay_tells_a_stored_game_in_every_language(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    run(capsys, "simulate", "valdora", "--games", "1", "--save", str(tmp_path))
    file = str(tmp_path / "valdora-3-players-seed-1.json")
    told = {language: run(capsys, "replay", file, "--lang", language)[1] for language in ("en", "it", "es", "ru")}
    assert len(set(told.values())) == 4
    assert "The game is over" in told["en"]
    assert "Игрок 1" in told["ru"]


def test_replay_shows_a_viewer_only_their_own_points(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    run(capsys, "simulate", "valdora", "--games", "1", "--save", str(tmp_path))
    file = tmp_path / "valdora-3-players-seed-1.json"
    record = json.loads(file.read_text())
    record["log"] = record["log"][:50]
    file.write_text(json.dumps(record))
    shown = {
        viewer: run(capsys, "replay", str(file), "--viewer", viewer)[1].count("points:")
        for viewer in ("everyone", "spectator", "2")
    }
    assert shown == {"everyone": 6, "spectator": 0, "2": 2}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "cannot be read"),
        ("{", "is not a stored game"),
        ('{"game": "valdora"}', "is not a stored game"),
        (
            '{"game": "chess", "version": 1, "seats": 3, "seed": "1", "options": {}, "log": []}',
            "There is no game called 'chess' here",
        ),
        (
            '{"game": "valdora", "version": 99, "seats": 3, "seed": "1", "options": {}, "log": []}',
            "stored by version 99",
        ),
        (
            '{"game": "valdora", "version": 1, "seats": 9, "seed": "1", "options": {}, "log": []}',
            "not for 9 players",
        ),
        (
            '{"game": "valdora", "version": 1, "seats": 3, "seed": "1", "options": {"start": "first_seat"},'
            ' "log": [{"entry": "play", "seat": 0, "move": {"do": "end_turn"}}]}',
            "Step 1 of the stored game cannot be played: First move your pawn",
        ),
    ],
    ids=["missing", "not JSON", "incomplete", "other game", "other version", "too many", "illegal"],
)
def test_replay_names_what_is_wrong_with_a_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, content: str | None, sentence: str
) -> None:
    file = tmp_path / "game.json"
    if content is not None:
        file.write_text(content)
    code, out, err = run(capsys, "replay", str(file))
    assert (code, out) == (2, "")
    assert sentence in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("simulate", "chess"), "There is no game called 'chess' here. There is: valda, valdora"),
        (("simulate", "valdora", "--players", "6"), "valdora is for 3 to 5 players, not 6."),
    ],
)
def test_a_wrong_word_is_answered_with_a_sentence(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], sentence: str
) -> None:
    code, _, err = run(capsys, *arguments)
    assert code == 2
    assert sentence in err


def test_numbers_must_be_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    for wrong in (("--games", "0"), ("--players", "x"), ("--seed", "1.5"), ("--jobs", "-1")):
        with pytest.raises(SystemExit):
            main(["simulate", "valdora", *wrong])
        assert wrong[1] in capsys.readouterr().err


def on_a_terminal(keys: str, *arguments: str) -> str:
    """What the command shows to somebody at a terminal who types these keys."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "app.cli", *arguments],
        cwd=ROOT,
        env=environment(TERM="xterm"),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    os.write(ours, keys.encode())
    shown = b""
    with suppress(OSError):  # the terminal is gone when the process is
        while piece := os.read(ours, 65536):
            shown += piece
    os.close(ours)
    assert process.wait(timeout=30) == 0
    return shown.decode()


def test_on_a_terminal_one_steps_through_a_game_and_back() -> None:
    game = str(ROOT / "tests" / "games" / "valdora" / "golden" / "3-players.json")
    shown = on_a_terminal("\nb\nn\n30\n99999\nq\n", "replay", game)
    prompts = re.findall(r"step (\d+)/(\d+)", shown)
    assert [int(here) for here, _ in prompts] == [0, 1, 0, 4, 30, 453]
    assert "Most points win." in shown.rpartition("step 453")[0].rpartition("step 30/")[2]


def test_on_a_terminal_a_bar_shows_how_far_a_simulation_is() -> None:
    shown = on_a_terminal("", "simulate", "valdora", "--games", "4")
    assert "] 1/4 games" in shown
    assert "[########################################] 4/4 games" in shown
