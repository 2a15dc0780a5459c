"""The register of techniques: generated files, descriptors, and what they name."""

import csv
from functools import cache
from pathlib import Path

import pytest

from ai.core.register import Technique, described, scan
from game.checks.metrics.metric import MEASURES
from tools.techniques import README, REGISTER, register, updated

ROOT = Path(__file__).resolve().parent.parent
ROWS = scan(ROOT)
SHARED = {"GP2-17.4", "GP2-20.2", "AW-5.6-8", "JOGD-2.7"}
"""Catalogue ids that stand in two rows.

One row serves units and the other groups; a group breaks at chokes by another module than elsewhere; feet have places
in a turn by one module and stay there by another.
"""
with (ROOT / "ai" / "catalogue_ids.csv").open(encoding="utf-8", newline="") as file:
    CATALOGUE = {row["id"]: row["title"] for row in csv.DictReader(file)}


@cache
def setting_names() -> set[str]:
    from game.world.rules.world_settings import default_settings
    from game.world.settings import walk_settings

    return {name for name, _, _ in walk_settings(default_settings())}


def test_the_catalogue_lists_each_entry_once_with_a_title() -> None:
    lines = (ROOT / "ai" / "catalogue_ids.csv").read_text(encoding="utf-8").splitlines()
    assert len(CATALOGUE) == len(lines) - 1 == 832 and all(CATALOGUE.values())


def test_slugs_and_ids_are_given_once() -> None:
    slugs = [row.slug for row in ROWS]
    assert len(slugs) == len(set(slugs))
    rows = {(i, row.module) for row in ROWS for i in (*row.ids, *row.parts)}
    ids = [i for row in ROWS for i in (*row.ids, *row.parts)]
    assert len(ids) == len(rows), "an id stands twice for one module"
    assert {i for i in ids if ids.count(i) > 1} == SHARED and all(ids.count(i) == 2 for i in SHARED)


@pytest.mark.parametrize("row", ROWS, ids=lambda r: r.slug)
def test_a_descriptor_names_what_exists(row: Technique) -> None:
    assert set(row.ids) | set(row.parts) <= set(CATALOGUE)
    assert (ROOT / row.test).is_file(), row.test
    assert not row.exhibit or (ROOT / row.exhibit).is_file(), row.exhibit
    assert not row.level or (ROOT / row.level).is_file(), row.level
    assert not row.setting or row.setting in setting_names(), row.setting
    assert not row.measure or row.measure in MEASURES, row.measure
    if row.overlay:
        from game.view.overlays.lenses import REGISTRY

        assert row.overlay in REGISTRY, row.overlay


@pytest.mark.parametrize("row", ROWS, ids=lambda r: r.slug)
def test_a_row_says_in_one_sentence_what_of_its_source_is_there(row: Technique) -> None:
    assert row.claim.endswith(".") and "|" not in row.claim, "write what is there, left out or different"


def test_the_generated_files_are_those_of_the_descriptors() -> None:
    assert REGISTER.read_text(encoding="utf-8") == register(ROWS), "run python -m tools.techniques"
    text = README.read_text(encoding="utf-8")
    assert updated(text, ROWS) == text, "run python -m tools.techniques"


GOOD = {"slug": "a", "name": "A", "ids": ("AW-3.1-1",), "source": "S", "functions": ("find",), "test": "t.py"}
WRONG = {
    "colour": ("red", "ai/low.py: colour: no key of a technique"),
    "ids": ("AW-3.1-1", "ai/low.py: ids: takes a tuple of texts"),
    "slug": (3, "ai/low.py: slug: takes a text"),
    "source": ("", "ai/low.py: source: is missing"),
    "functions": (("lose",), "ai/low.py: functions: there is no 'lose' in the module"),
    "direction": ("left", "ai/low.py: direction: is up, down or empty, not 'left'"),
    "exhibit": ("x.toml", "ai/low.py: direction: a promises none, so it needs a reason"),
}


def _module(root: Path, text: str) -> Path:
    path = root / "ai" / "low.py"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"import nothing_of_this_name\n\n\ndef find():\n    pass\n\n\nTECHNIQUES = ({text})\n", "utf-8")
    return path


@pytest.mark.parametrize("key", WRONG)
def test_a_wrong_key_is_reported_in_one_line_with_its_file(key: str, tmp_path: Path) -> None:
    value, message = WRONG[key]
    path = _module(tmp_path, f"{ {**GOOD, key: value}!r},")
    with pytest.raises(ValueError) as error:
        list(described(tmp_path, path))
    assert str(error.value).startswith(message) and "\n" not in str(error.value)


def test_a_descriptor_is_read_without_importing_its_module(tmp_path: Path) -> None:
    _module(tmp_path, f"{GOOD!r},")
    assert [(t.slug, t.module, t.functions) for t in scan(tmp_path)] == [("a", "ai/low.py", ("find",))]
    _module(tmp_path, "dict(slug='a'),")
    with pytest.raises(ValueError, match=r"ai/low.py: TECHNIQUES: takes literals only"):
        scan(tmp_path)
    _module(tmp_path, f"{GOOD!r}, {GOOD!r}")
    with pytest.raises(ValueError, match=r"ai/low.py: slug: 'a' stands twice"):
        scan(tmp_path)
