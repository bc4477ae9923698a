"""A lesson of any game: read with that game's own moves and options, and faults named with its own file."""

from pathlib import Path

import pytest

from app.engine.contract import BadGameData
from app.engine.lesson import FILE, load, read
from tests.engine.hush import HUSH, NO, YES
from tests.engine.toy import TOY

TEXT = """
seed = "1"
seats = 3
options = { coins = 1 }

[[steps]]
before = [[1, { do = "do", what = "yes" }], [2, { do = "do", what = "no" }]]
tasks = [{ says = "hush.lesson.pay", move = { do = "do", what = "yes" } }]
"""


def test_a_lesson_is_read_as_its_game_has_it(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(TEXT)
    lesson = load(HUSH, tmp_path)
    assert lesson is not None
    assert lesson.script(1, 0) == [(1, YES), (2, NO), (0, YES)]
    assert lesson.options == {"coins": 1, "rounds": 3, "whistle": None}


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("coins = 1", "coins = 0", "in step 1, but rule H-4 forbids it"),
        ("[1, {", "[0, {", "in step 1, but "),
        ("[[steps]]", "[[stages]]", "does not have the expected form"),
    ],
)
def test_a_fault_names_the_file_of_that_game(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    (tmp_path / FILE).write_text(TEXT.replace(old, new, 1))
    with pytest.raises(BadGameData, match=r"^hush/lesson\.toml .*\.$") as refused:
        load(HUSH, tmp_path)
    assert sentence in str(refused.value)


def test_another_game_has_other_options() -> None:
    with pytest.raises(BadGameData, match=r"^toy/lesson\.toml does not have the expected form"):
        read(TOY, TEXT)
