"""Committed maps: each loads without notes, and regression maps suit their scripts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import ndimage

from game.checks.findings.map_findings import findings_of
from game.level import Level, load_level
from game.level.finding import find_level
from game.level.level_writer import LEVELS
from game.level.passability_masks import WALK

MAPS = sorted(LEVELS.rglob("*.tmx"))


def regression(name: str) -> Level:
    return load_level(find_level(name))


def areas(passable: np.ndarray) -> np.ndarray:
    """Return labels of connected walkable areas from 1; 0 is not walkable."""
    return ndimage.label((passable & WALK) != 0)[0]


def label_at(level: Level, labels: np.ndarray, region: str) -> int:
    found = level.region(region)
    assert found is not None
    x, y = found.centre
    return int(labels[int(y), int(x)])


@pytest.mark.parametrize("path", MAPS, ids=lambda p: p.relative_to(LEVELS).as_posix())
def test_map_is_painted_and_has_no_note_of_a_mistake(path: Path) -> None:
    level, findings = findings_of(path)
    assert [f.line() for f in findings] == []
    assert level is not None and level.painted
    assert all(s.name or s.group or s.side for s in level.spawns), "scripts call raiders by name or by group"
    names = [s.name for s in level.spawns if s.name]
    assert len(set(names)) == len(names)
    assert not [n for n in level.card.notes if "left out" in n or "No spawns" in n]


def test_island_and_keep_cannot_be_reached() -> None:
    for name, region, start in (("unreachable_island", "island", "R1"), ("hopeless_among_hopeful", "keep", "R1")):
        level = regression(name)
        labels = areas(level.passable)
        spawn = next(s for s in level.spawns if s.name == start)
        assert labels[int(spawn.y), int(spawn.x)] != label_at(level, labels, region)


def test_only_the_lowered_drawbridge_leads_to_the_goal() -> None:
    level = regression("drawbridge_under_way")
    door = level.door("drawbridge")
    assert door is not None and not door.open
    labels = areas(level.passable)
    assert label_at(level, labels, "goal") != label_at(level, labels, "west bank")
    lowered = level.passable.copy()
    lowered[door.y0 : door.y1, door.x0 : door.x1] = door.passable(True)
    assert label_at(level, areas(lowered), "goal") == label_at(level, areas(lowered), "west bank")


def test_bridge_60_has_two_groups_of_thirty_and_a_bridge_of_two_tiles() -> None:
    level = regression("bridge_60")
    assert sorted(s.group for s in level.spawns) == [1] * 30 + [2] * 30
    assert ((level.passable[:, 28] & WALK) != 0).sum() == 2


def test_the_great_gate_is_not_the_only_passage() -> None:
    level = regression("thousand_512")
    assert (level.width, level.height) == (512, 512)
    labels = areas(level.passable)
    square, south = label_at(level, labels, "square"), label_at(level, labels, "behind the gate")
    assert square == south != label_at(level, labels, "island")
    gate = level.door("great gate")
    assert gate is not None and gate.open
    shut = level.passable.copy()
    shut[gate.y0 : gate.y1, gate.x0 : gate.x1] = gate.passable(False)
    assert label_at(level, areas(shut), "square") == label_at(level, areas(shut), "behind the gate")
