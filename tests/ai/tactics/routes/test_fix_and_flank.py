"""Fix and flank: places in sight, their angle, and a less exposed path."""

import math

import numpy as np
import pytest

from ai.grid.terrain import Terrain
from ai.perception.sight.line_of_sight import line_clear
from ai.search.fields.bounded_flood import bounded_flood
from ai.tactics.ground.tactical_facts import TacticalGround, tactical_ground
from ai.tactics.routes.approach_zone import zone_tiles
from ai.tactics.routes.fix_and_flank import bearing, exposure_cost, flank_plan, pin_place, turn_between
from ai.tactics.unseen_paths import weighted_path

ENEMY = (44.5, 24.5)


def _ground() -> TacticalGround:
    opaque = np.zeros((50, 64), np.uint8)
    opaque[8:20, 30] = opaque[30:42, 30] = opaque[10, 30:40] = opaque[40, 30:40] = 1
    return tactical_ground(Terrain.build(opaque == 0, None, opaque))


def test_the_pin_is_the_cheapest_tile_with_a_line_in_range() -> None:
    ground = _ground()
    pin = pin_place(ground, (24, 10), ENEMY, 12.0)
    assert pin is not None
    tiles = [
        (y, x) for y, x in np.argwhere(ground.standing).tolist()
        if math.hypot(x - 44, y - 24) <= 12 and line_clear(ground.terrain.opaque, 24, 44, y, x)
    ]  # fmt: skip
    walk = bounded_flood(ground.terrain, 0, 24, 10, 60.0)
    far = {t: float(walk.at(np.array([t]))[0]) for t in tiles}
    assert pin in tiles and far[pin] == pytest.approx(min(far.values()))
    assert pin_place(ground, (24, 10), ENEMY, 12.0, limit=3.0) is None
    assert pin_place(ground, (24, 10), (30.5, 14.5), 0.4) is None, "an enemy inside a wall has no line"


def test_the_flank_is_60_to_120_degrees_off_and_less_exposed_than_the_shortest_path() -> None:
    ground = _ground()
    plan = flank_plan(ground, (24, 10), (26, 10), ENEMY, 12.0)
    assert plan is not None
    assert math.radians(60) <= plan.turn <= math.radians(120)
    assert plan.turn == pytest.approx(turn_between(bearing(ENEMY, plan.pin), bearing(ENEMY, plan.goal)))
    assert tuple(plan.flank_path[0]) == (26, 10) and tuple(plan.flank_path[-1]) == plan.goal
    _, seen = exposure_cost(ground, ENEMY)
    plain = weighted_path(ground.terrain, ground.terrain.cost, 0, (26, 10), plan.goal)
    assert plain is not None and plan.exposed < int(seen[plain[:, 0], plain[:, 1]].sum())
    middle = plan.goal[1] + 0.5, plan.goal[0] + 0.5
    closed = zone_tiles(plan.zone, ground.standing.shape, ((middle, 3.0), ((10.5, 26.5), 3.0)))
    assert not closed[plan.flank_path[:, 0], plan.flank_path[:, 1]].any()


def test_in_a_corridor_there_is_no_flank() -> None:
    opaque = np.ones((11, 64), np.uint8)
    opaque[4:7] = 0
    ground = tactical_ground(Terrain.build(opaque == 0, None, opaque))
    assert flank_plan(ground, (5, 5), (5, 6), (50.5, 5.5), 12.0) is None
