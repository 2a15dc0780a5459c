"""Schema of level objects: the committed Tiled project and README agree with its table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from game.level.level_writer import LEVELS
from game.level.schema import CLASSES, TERRAIN, BadValue, SchemaMember, markdown, tiled_project


def test_committed_project_file_is_the_tables() -> None:
    """Regenerate with ``python -m tools.level_schema``."""
    assert (LEVELS / ".tiled-project").read_text(encoding="utf-8") == tiled_project()


def test_readme_holds_the_tables() -> None:
    assert markdown() in (LEVELS / "README.md").read_text(encoding="utf-8")


def test_project_file_is_what_tiled_expects() -> None:
    project = json.loads(tiled_project())
    rows = {row["name"]: row for row in project["propertyTypes"]}
    assert len({row["id"] for row in rows.values()}) == len(rows)
    for c in CLASSES:
        assert {m["name"] for m in rows[c.name]["members"]} == {m.name for m in c.members}
        for m in rows[c.name]["members"]:
            if "propertyType" in m:
                assert m["value"] in rows[m["propertyType"]]["values"]


@pytest.mark.parametrize("member", [m for c in CLASSES for m in c.members] + list(TERRAIN), ids=lambda m: m.name)
def test_every_default_is_a_value_of_its_member(member: SchemaMember) -> None:
    if member.name == "ground":
        pytest.skip("no ground is the default, and not a ground")
    assert member.convert(member.default) is not None


@pytest.mark.parametrize(
    ("member", "good", "bad"),
    [
        (SchemaMember("a", "int", 0, "", 0, 5), {"3": 3, 4: 4, 2.0: 2}, ["x", 6, 1.5, True, "nan", "1e999"]),
        (SchemaMember("a", "float", 0.0, "", 0, 5), {"3": 3.0, 4: 4.0}, ["x", 5.1, "inf", False]),
        (SchemaMember("a", "bool", False, ""), {"true": True, 0: False, True: True}, ["yes", 2, ""]),
        (SchemaMember("a", "color", "", ""), {"#80102030": "#102030", "#abc": "#aabbcc"}, ["red", "", "#12"]),
        (SchemaMember("a", "enum", "b", "", values=("b", "c")), {"c": "c"}, ["d", ""]),
    ],
)
def test_values_are_converted_or_refused(member: SchemaMember, good: dict[object, object], bad: list[object]) -> None:
    for given, expected in good.items():
        got = member.convert(given)
        assert got == expected and type(got) is type(expected)
    for given in bad:
        with pytest.raises(BadValue):
            member.convert(given)


def test_the_tool_writes_the_project_file(tmp_path: Path) -> None:
    from tools.level_schema import write

    write(tmp_path)
    assert (tmp_path / ".tiled-project").read_text(encoding="utf-8") == tiled_project()
