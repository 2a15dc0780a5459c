"""The register of techniques points at things that exist."""

import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROWS = tomllib.loads((ROOT / "ai" / "techniques.toml").read_text(encoding="utf-8"))["technique"]
KEYS = {"slug", "name", "ids", "source", "module", "test", "exhibit", "overlay", "setting", "parts"}
ID = re.compile(r"^(AW-|AFG|GP2-|JOGD-|IA\.)[0-9]+(\.[0-9]+)*(-[0-9]+)?[a-z]?$")
SHARED = {"GP2-17.4", "GP2-20.2", "AW-5.6-8"}
"""For units and for groups; and a group breaks at chokes by another module than elsewhere."""


@cache
def setting_names() -> set[str]:
    from game.world.rules.world_settings import default_settings
    from game.world.settings import walk_settings

    return {name for name, _, _ in walk_settings(default_settings())}


def test_slugs_and_ids_are_given_once() -> None:
    slugs = [row["slug"] for row in ROWS]
    assert len(slugs) == len(set(slugs))
    rows = {(i, row["module"]) for row in ROWS for i in (*row["ids"], *row.get("parts", []))}
    ids = [i for row in ROWS for i in (*row["ids"], *row.get("parts", []))]
    assert len(ids) == len(rows), "an id stands twice for one module"
    assert {i for i in ids if ids.count(i) > 1} == SHARED and all(ids.count(i) == 2 for i in SHARED)


@pytest.mark.parametrize("row", ROWS, ids=lambda r: r["slug"])
def test_a_row_points_at_what_exists(row: dict) -> None:
    assert set(row) <= KEYS, f"unknown keys {set(row) - KEYS}"
    assert row["name"] and row["source"] and row["ids"]
    assert all(ID.match(i) for i in (*row["ids"], *row.get("parts", [])))
    assert (ROOT / row["module"]).is_file(), row["module"]
    assert (ROOT / row["test"]).is_file(), row["test"]
    if row.get("exhibit"):
        assert (ROOT / row["exhibit"]).is_file(), row["exhibit"]
    if row.get("setting"):
        assert row["setting"] in setting_names(), row["setting"]
    if row.get("overlay"):
        from game.view.overlays.lenses import REGISTRY

        assert row["overlay"] in REGISTRY, row["overlay"]


def test_the_readme_has_the_table_of_the_register() -> None:
    from tools.techniques import README, updated

    text = README.read_text(encoding="utf-8")
    assert updated(text) == text, "run python -m tools.techniques"
