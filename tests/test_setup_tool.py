"""Installing: whatever goes wrong is one sentence."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import ROOT, environment
from tools.setup import explain


@pytest.mark.parametrize(
    ("output", "sentence"),
    [
        ("WARNING: Retrying\nNewConnectionError: Failed to establish a new connection", "there is no network"),
        ("npm error code ENOTFOUND", "there is no network"),
        ("unable to execute 'gcc': No such file or directory", "there is no compiler"),
        ("error: command 'gcc' failed: No such file or directory", "there is no compiler"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE", "was refused"),
        ("Collecting\nERROR: No matching distribution found for x==1\n", "No matching distribution found for x==1"),
        ("", "no output"),
    ],
)
def test_an_installers_output_in_a_sentence(output: str, sentence: str) -> None:
    said = explain(output, "The Python packages")
    assert said.startswith("The Python packages")
    assert sentence in said
    assert "\n" not in said


def test_without_a_network_setup_says_so(tmp_path: Path) -> None:
    """The real thing in an empty folder, with a registry at which nobody listens."""
    (tmp_path / "tools").mkdir()
    for name in ("tools/setup.py", "requirements.txt", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path / name)
    nobody = "http://127.0.0.1:9/simple"
    done = subprocess.run(
        [sys.executable, str(tmp_path / "tools" / "setup.py")],
        env=environment(PIP_INDEX_URL=nobody, PIP_EXTRA_INDEX_URL="", PIP_NO_CACHE_DIR="1", PIP_RETRIES="0"),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1
    sentence, where = done.stderr.strip().splitlines()
    assert sentence.startswith("The Python packages could not be downloaded: there is no network")
    assert where == "(The whole output is in .venv/setup.log.)"
