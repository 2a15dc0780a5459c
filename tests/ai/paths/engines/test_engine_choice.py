"""Engine choice: one rule for each value of the setting, and no other switch."""

import re
from pathlib import Path

import numpy as np
import pytest

from ai.grid.terrain import Terrain
from ai.paths.engines.engine_choice import (
    ASTAR,
    BOUNDS,
    CLUSTERS,
    FORCED,
    JPS,
    REGIONS,
    RULES,
    choose_engines,
    full_smoother,
)  # fmt: skip
from ai.paths.settings import CostModifier, Engine, PathSettings

ROOT = Path(__file__).resolve().parents[4]
EVEN = Terrain.build(np.ones((100, 100), bool))
UNEVEN = Terrain.build(np.ones((100, 100), bool), np.full((100, 100), 8, np.uint8) + np.eye(100, dtype=np.uint8))
NEAR, FAR = (0, 1), (0, 90)


def codes(terrain: Terrain, engine: Engine, *, tabled: bool = False) -> list[int]:
    """Return the codes of a near and of a far path."""
    starts, goals = np.zeros((2, 2), int), np.array([NEAR, FAR])
    marks = np.ones(2, bool) if tabled else None
    return choose_engines(terrain, PathSettings(engine=engine), starts, goals, np.zeros(2, np.uint8), marks).tolist()


def test_every_value_of_the_setting_has_a_rule() -> None:
    assert set(RULES) == set(Engine)


@pytest.mark.parametrize(
    ("engine", "even", "uneven", "even_static", "uneven_static"),
    [
        (Engine.AUTO, [JPS, JPS], [ASTAR, CLUSTERS], [BOUNDS, BOUNDS], [ASTAR, REGIONS]),
        (Engine.FLOW, [JPS, JPS], [ASTAR, CLUSTERS], [BOUNDS, BOUNDS], [ASTAR, REGIONS]),
        (Engine.ASTAR, [ASTAR, ASTAR], [ASTAR, ASTAR], [ASTAR, ASTAR], [ASTAR, ASTAR]),
        (Engine.JPS, [JPS, JPS], [ASTAR, ASTAR], [JPS, JPS], [ASTAR, ASTAR]),
        (Engine.JPS_PLUS_GB, [JPS, JPS], [ASTAR, ASTAR], [BOUNDS, BOUNDS], [ASTAR, ASTAR]),
        (Engine.HPA, [CLUSTERS, CLUSTERS], [CLUSTERS, CLUSTERS], [CLUSTERS, CLUSTERS], [CLUSTERS, CLUSTERS]),
        (Engine.THETA, [FORCED, FORCED], [ASTAR, ASTAR], [FORCED, FORCED], [ASTAR, ASTAR]),
        (Engine.MACHINE, [FORCED, FORCED], [FORCED, FORCED], [FORCED, FORCED], [FORCED, FORCED]),
    ],
)
def test_the_rule_selects_by_ground_distance_and_tables(
    engine: Engine, even: list, uneven: list, even_static: list, uneven_static: list
) -> None:
    assert codes(EVEN, engine) == even and codes(UNEVEN, engine) == uneven
    assert codes(EVEN, engine, tabled=True) == even_static and codes(UNEVEN, engine, tabled=True) == uneven_static


def test_paths_over_changed_costs_are_not_smoothed() -> None:
    scout = str(CostModifier.SCOUT)
    assert full_smoother(PathSettings(engine=Engine.MACHINE, modifier=scout)) == ""
    assert full_smoother(PathSettings(engine=Engine.MACHINE)) == full_smoother(PathSettings(modifier=scout)) != ""
    assert full_smoother(PathSettings(smooth=False)) == ""


def test_engines_are_named_only_where_they_live() -> None:
    """Other stages ask the rule of the engine."""
    named = [p for folder in ("ai", "game") for p in (ROOT / folder).rglob("*.py") if "Engine." in p.read_text("utf-8")]
    naming = {p.relative_to(ROOT).as_posix() for p in named if re.search(r"\bEngine\.[A-Z_]+\b", p.read_text("utf-8"))}
    outside = {name for name in naming if not name.startswith("ai/paths/engines/")}
    assert outside == {"ai/paths/settings.py"}, "the default of the setting"
