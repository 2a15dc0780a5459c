"""The register of techniques points at things that exist, and every exhibit passes headless."""

import re
import tomllib
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from game.sim.exhibit import ExhibitRun, exhibit_script
from game.sim.headless import run_level
from game.sim.script import load_script, scripts_of
from game.world.settings import walk_settings

ROOT = Path(__file__).resolve().parent.parent
ROWS = tomllib.loads((ROOT / "ai" / "techniques.toml").read_text(encoding="utf-8"))["technique"]
KEYS = {"slug", "name", "ids", "source", "module", "test", "exhibit", "overlay", "setting", "parts"}
ID = re.compile(r"^(AW|AFG|GP2|JOGD|IA)[-.0-9A-Za-z]+$")


@cache
def setting_names() -> set[str]:
    from game.sim.create import default_settings
    from game.world.settings import walk_settings

    return {name for name, _, _ in walk_settings(default_settings())}


def test_slugs_and_ids_are_given_once() -> None:
    slugs = [row["slug"] for row in ROWS]
    assert len(slugs) == len(set(slugs))
    ids = [i for row in ROWS for i in (*row["ids"], *row.get("parts", []))]
    assert len(ids) == len(set(ids)), sorted(i for i in ids if ids.count(i) > 1)


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


EXHIBITS = sorted(p for p in (ROOT / "levels" / "exhibits").glob("*.tmx") if exhibit_script(p) is not None)
"""Maps with an ``[exhibit]``."""
SMALL = [p for p in EXHIBITS if p.stat().st_size < 50_000]
"""Maps of a few hundred tiles: quick enough to run both worlds several times."""


@pytest.mark.parametrize("path", SMALL, ids=lambda p: p.stem)
def test_an_exhibit_passes_headless_within_600_ticks(path: Path) -> None:
    for file in scripts_of(path):
        script = load_script(file)
        assert script.ticks <= 600 and script.expect
        run = run_level(path, script=script)
        assert run.failures() == []
        assert run.session.world.tick <= 600


@pytest.mark.parametrize("path", EXHIBITS, ids=lambda p: p.stem)
def test_an_exhibit_asks_a_short_question_about_a_registered_technique(path: Path) -> None:
    from game.view.overlays.lenses import REGISTRY

    script = exhibit_script(path)
    assert script is not None and script.exhibit is not None
    e = script.exhibit
    assert e.question.endswith("?") and len(e.question.split()) <= 8
    assert e.line and e.try_this and len(e.knobs) <= 3
    row = next(row for row in ROWS if row["slug"] == e.technique)
    assert row["exhibit"] == str(path.relative_to(ROOT))
    assert set(e.overlays) <= set(REGISTRY)


@pytest.mark.parametrize("path", SMALL, ids=lambda p: p.stem)
def test_the_two_runs_part_within_ten_seconds_and_begin_again(path: Path) -> None:
    """The technique is what parts them: with equal settings their hashes are the same."""
    run = ExhibitRun.open(path)
    hashes = [(s.world.hash(), s.world.tick) for s in (run.twin.shown, run.twin.ghost)]
    assert hashes[0] == hashes[1] and hashes[0][1] == 0
    for _ in range(min(200, run.exhibit.repeat - 1)):
        run.advance()
    shown, ghost = run.twin.shown.world, run.twin.ghost.world
    assert shown.tick == ghost.tick
    assert not np.array_equal(shown.units.x, ghost.units.x) or not np.array_equal(shown.units.meter, ghost.units.meter)
    assert run.gauges[0].value != run.gauges[1].value
    first = shown.hash()
    while not run.advance():
        pass
    assert run.rounds == 1 and run.twin.shown.world.tick == run.twin.ghost.world.tick == 0
    for _ in range(min(200, run.exhibit.repeat - 1)):
        run.advance()
    assert run.twin.shown.world.hash() == first, "a repeat is the same run again"


@pytest.mark.parametrize("path", SMALL, ids=lambda p: p.stem)
def test_t_parts_the_runs_at_one_tick_and_swaps_which_is_shown(path: Path) -> None:
    run = ExhibitRun.open(path)
    for _ in range(20):
        run.advance()
    run.switch()
    shown, ghost = run.twin.shown, run.twin.ghost
    assert not run.shows_on
    assert shown.world.tick == ghost.world.tick
    assert np.array_equal(shown.world.units.x, ghost.world.units.x)
    assert shown.world.hash() == ghost.world.hash()
    run.advance()
    of = {name: value for name, value, _ in walk_settings(shown.world.settings)}
    other = {name: value for name, value, _ in walk_settings(ghost.world.settings)}
    assert {n for n in of if of[n] != other[n]} == {run.exhibit.setting}
    assert of[run.exhibit.setting] == run.exhibit.off and other[run.exhibit.setting] == run.exhibit.on
    assert run.twin.shown.world.hash() != run.twin.ghost.world.hash()


@pytest.mark.parametrize("path", SMALL, ids=lambda p: p.stem)
def test_every_knob_turns_both_worlds_and_is_kept_over_a_repeat(path: Path) -> None:
    run = ExhibitRun.open(path)
    for knob in (*run.exhibit.knobs, *run.exhibit.more_knobs):
        values = knob.choices or [knob.low, knob.high]
        value = next(v for v in values if v != run.value_of(knob.setting))
        run.turn(knob.setting, value)
        for again in range(2):
            run.advance()
            for session in (run.twin.shown, run.twin.ghost):
                now = {name: v for name, v, _ in walk_settings(session.world.settings)}[knob.setting]
                assert now == value, (knob.setting, again)
            run.restart()
