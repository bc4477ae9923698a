"""Data files that cannot be read are refused with a sentence; what is in them is each game's own to check."""

from pathlib import Path

import pytest

from app.engine.contract import BadGameData
from app.engine.sheet import SheetFile


def test_a_file_that_cannot_be_read_is_refused_with_a_sentence(tmp_path: Path) -> None:
    folder = tmp_path / "chess"
    (folder / "folder.toml").mkdir(parents=True)
    (folder / "latin.toml").write_bytes("# città\n".encode("latin-1"))
    for name, sentence in (
        ("latin.toml", "is not a text in UTF-8; save it in that encoding."),
        ("nowhere.toml", "cannot be read: No such file or directory."),
        ("folder.toml", "cannot be read: Is a directory."),
    ):
        with pytest.raises(BadGameData) as refused:
            SheetFile(folder / name).text()
        assert str(refused.value) == f"chess/{name} {sentence}"
