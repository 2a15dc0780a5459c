"""Own places: points inside walls become distinct open tiles near them."""

import math
from pathlib import Path

import numpy as np
import pytest

from game.level.level_writer import LevelBuilder
from game.level.reading import load_level
from game.sim.session import Session
from game.world.orders import Order, OrderKind
from tests.game.sim.small_levels import write

WIDE, HIGH = 44, 36
HOUSE = (18, 14, 30, 24)
"""Solid block x0, y0, x1, y1 in tiles."""


def field_with_house(folder: Path, units: int) -> Session:
    """Return a meadow with a solid house and rows of raiders west of it."""
    builder = LevelBuilder(WIDE, HIGH)
    builder.fill("wall", *HOUSE)
    for i in range(units):
        builder.add("spawn", 2.5 + i % 8, 2.5 + i // 8, side="raiders", kind="raider")
    return Session(load_level(write(folder, builder)), seed=3)


def inside_house(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    x0, y0, x1, y1 = HOUSE
    return (x >= x0) & (x < x1) & (y >= y0) & (y < y1)


@pytest.mark.parametrize("spread", [0.0, 3.0], ids=["one point", "points all over the house"])
def test_points_inside_a_wall_become_distinct_open_tiles_near_them(tmp_path: Path, spread: float) -> None:
    n = 60
    session = field_with_house(tmp_path, n)
    points = np.array([24.0, 19.0]) + np.random.default_rng(2).uniform(-spread, spread, (n, 2))
    session.give(Order(int(OrderKind.MOVE_EACH), 0, tuple(range(n)), points=tuple(points.ravel().tolist())))
    session.advance()
    u = session.world.units
    goals = np.column_stack([u.goal_x[:n], u.goal_y[:n]])
    assert len({tuple(g) for g in goals.tolist()}) == n
    assert not inside_house(goals[:, 0], goals[:, 1]).any()
    x0, y0, x1, y1 = HOUSE
    out = np.minimum.reduce([points[:, 0] - x0, x1 - points[:, 0], points[:, 1] - y0, y1 - points[:, 1]])
    far = np.hypot(*(goals - points).T) - out
    assert far.max() <= math.sqrt(2.0 * n / math.pi) + 2.0, "half a disc of tiles beside the wall holds them all"
    gave_up = []
    for _ in range(900):
        session.advance()
        gave_up += [e for e in session.world.events if e.kind == "gave_up"]
        if not u.moving[:n].any():
            break
    assert gave_up == [] and not u.moving[:n].any()
    left = np.hypot(u.x[:n] - goals[:, 0], u.y[:n] - goals[:, 1])
    assert np.median(left) < 0.2
    assert left.max() < 2.5, "a unit may settle behind a neighbour that stands before its place"


def test_a_reachable_point_keeps_its_tile(tmp_path: Path) -> None:
    session = field_with_house(tmp_path, 2)
    session.give(Order(int(OrderKind.MOVE_EACH), 0, (0, 1), points=(9.37, 7.81, 24.0, 19.0)))
    session.advance()
    u = session.world.units
    assert (math.floor(u.goal_x[0]), math.floor(u.goal_y[0])) == (9, 7)
    assert session.world.paths.requests.ordered_at[1].tolist() == [19, 24], "the path manager knows the ordered tile"
    assert not inside_house(u.goal_x[1:2], u.goal_y[1:2]).any()
