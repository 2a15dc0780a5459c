"""Prose rules in the gate: docstrings, level texts and the changelog."""

import ast
from pathlib import Path

import pytest

from tools.prose_lint import ROOT, check, check_changelog, check_docstring, check_level, docstrings


def test_docstrings_keep_the_rules() -> None:
    findings = check([ROOT / name for name in ("ai", "game", "tools", "tests")])
    assert not findings, "\n".join(map(str, findings))


def test_level_texts_keep_the_rules() -> None:
    findings = check([ROOT / "levels"])
    assert not findings, "\n".join(map(str, findings))


def test_newest_changelog_section_keeps_the_rules() -> None:
    findings = check([ROOT / "CHANGELOG.md"])
    assert not findings, "\n".join(map(str, findings))


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Who is where in the life of a path.", "first word"),
        ("What nobody can solve is given up in words.", "first word"),
        ("Return a path that is long enough to need more than the fourteen words of one line.", "first line of"),
        ("Return the speed of a guard when he runs.", "a unit is 'it'"),
        ("Select units.\n\nA unit that sees her stops.", "a unit is 'it'"),
        ("Stop a unit that runs in vain.", "phrase"),
    ],
)
def test_each_rule_is_seen_to_fail(text: str, rule: str) -> None:
    assert any(rule in found for found, _ in check_docstring(text))


def test_plain_docstrings_pass() -> None:
    for text in ("Selects request slots by phase in one kernel.", "Jump point search on uniform-cost grids."):
        assert not list(check_docstring(text))


def test_field_strings_are_read_too(tmp_path: Path) -> None:
    source = tmp_path / "module.py"
    source.write_text(
        '"""Module."""\nX = 1\n"""Field."""\n\n\nclass A:\n    """Class."""\n\n    y: int = 0\n    """Y."""\n'
    )
    ast.parse(source.read_text())
    assert sorted(text for _, text in docstrings(source)) == ["Class.", "Field.", "Module.", "Y."]


def test_level_and_changelog_rules_are_seen_to_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.prose_lint.ROOT", tmp_path)
    script = tmp_path / "a.toml"
    script.write_text('title = "Who goes"\n[exhibit]\nquestion = "Nobody goes"\ntry_this = "python main.py run x"\n')
    assert len(check_level(script)) >= 4
    assert check_changelog("# C\n\n## New\n\n- " + "word " * 26 + "\n\n## Old\n\n- " + "word " * 40)
    assert not check_changelog("# C\n\n## New\n\n- A short line.\n\n## Old\n\n- " + "word " * 40)
