"""Every rule has a test that names it, and no test or refusal names a rule that does not exist."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.engine import registry
from tests.processes import ROOT

RULE = re.compile(r"^- ([DV][A-Z]-\d+)\b", re.MULTILINE)
QUOTED = re.compile(r"\b[DV][A-Z]-\d+\b")


def rules_of(game: str) -> list[str]:
    return RULE.findall((ROOT / "docs" / "rules" / f"{game}.md").read_text(encoding="utf-8"))


def named_in(tree: ast.AST) -> Iterator[str]:
    """The arguments of every `pytest.mark.rule(...)`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.rule":
            for argument in node.args:
                assert isinstance(argument, ast.Constant)
                yield str(argument.value)


def named_by_tests() -> dict[str, list[str]]:
    named: dict[str, list[str]] = {}
    for path in (ROOT / "tests").rglob("test_*.py"):
        for rule in named_in(ast.parse(path.read_text(encoding="utf-8"))):
            named.setdefault(rule, []).append(path.name)
    return named


def every_rule() -> set[str]:
    return {rule for card in registry.cards() for rule in rules_of(card.name)}


@pytest.mark.parametrize("game", registry.games())
def test_every_rule_of_a_playable_game_has_a_test(game: str) -> None:
    rules = rules_of(game)
    assert len(rules) > 40
    assert len(set(rules)) == len(rules)
    assert sorted(set(rules) - set(named_by_tests())) == []


def test_no_test_names_a_rule_that_does_not_exist() -> None:
    unknown = {rule: files for rule, files in named_by_tests().items() if rule not in every_rule()}
    assert unknown == {}


def test_no_code_quotes_a_rule_that_does_not_exist() -> None:
    sources: list[Path] = [*(ROOT / "app").rglob("*.py"), *(ROOT / "app").rglob("*.toml")]
    quoted = {rule for path in sources for rule in QUOTED.findall(path.read_text(encoding="utf-8"))}
    assert quoted - every_rule() == set()
    assert len(quoted) > 30


@pytest.mark.parametrize(
    "source",
    ['@pytest.mark.rule("VT-2", "VT-3")\ndef test_x(): ...', 'pytest.param(1, marks=pytest.mark.rule("VT-2", "VT-3"))'],
)
def test_names_are_found_wherever_a_test_may_write_them(source: str) -> None:
    assert list(named_in(ast.parse(source))) == ["VT-2", "VT-3"]
