"""Own places: exact points for units, and open tiles for points in walls."""

import math
from pathlib import Path

import numpy as np
import pytest

from game.level.level_writer import LevelBuilder
from game.level.reading import load_level
from game.sim.orders.order_places import crowded_points
from game.sim.saves import load_game, save_game
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


def test_points_in_many_walls_become_open_tiles_beside_each_of_them(tmp_path: Path) -> None:
    """Give 200 units points in many walls.

    Crowds with more than 32 distinct points in walls once shared a few tiles, up to 26 tiles off.
    """
    n = 200
    builder = LevelBuilder(64, 64)
    for y in range(12, 60, 8):
        for x in range(12, 60, 8):
            builder.fill("wall", x, y, x + 3, y + 3)
    for i in range(n):
        builder.add("spawn", 2.5 + i % 8, 2.5 + i // 8, side="raiders", kind="raider")
    session = Session(load_level(write(tmp_path, builder)), seed=3)
    rng = np.random.default_rng(4)
    walls = np.argwhere(session.world.terrain.passable[10:, 10:] == 0)[:, ::-1] + 10
    points = walls[rng.integers(0, len(walls), n)] + rng.uniform(0.0, 1.0, (n, 2))
    session.give(Order(int(OrderKind.MOVE_EACH), 0, tuple(range(n)), points=tuple(points.ravel().tolist())))
    session.advance()
    u = session.world.units
    goals = np.column_stack([u.goal_x[:n], u.goal_y[:n]])
    assert len({tuple(g) for g in goals.tolist()}) == n
    assert np.hypot(*(goals - points).T).max() < 6.0


@pytest.mark.parametrize("spread", [0.0, 0.5], ids=["one point", "one tile"])
def test_two_hundred_points_of_one_tile_become_places_for_two_hundred(tmp_path: Path, spread: float) -> None:
    """Two bodies may share a point; each further one gets the nearest free tile."""
    n = 200
    session = field_with_house(tmp_path, n)
    points = np.array([34.5, 28.5]) + np.random.default_rng(2).uniform(-spread, spread, (n, 2))
    session.give(Order(int(OrderKind.MOVE_EACH), 0, tuple(range(n)), points=tuple(points.ravel().tolist())))
    session.advance()
    u, news = session.world.units, [e.kind for e in session.world.events]
    goals = np.column_stack([u.goal_x[:n], u.goal_y[:n]])
    tiles, counts = np.unique(np.floor(goals), axis=0, return_counts=True)
    assert counts.max() <= 8 and len(tiles) >= n - 8
    assert np.hypot(*(goals - points).T).max() <= math.sqrt(2.0 * n / math.pi) + 2.0
    assert goals[0].tolist() == pytest.approx(points[0].tolist()), "the lowest id keeps its point"
    assert news.count("nearest") == 1, "the others are told"


def settle(session: Session, points: np.ndarray, ticks: int) -> tuple[np.ndarray, list[str]]:
    """Send units 0, 1, ... to their points.

    Returns the distances at rest and the kinds of the news on the path.
    """
    n = len(points)
    session.give(Order(int(OrderKind.MOVE_EACH), 0, tuple(range(n)), points=tuple(points.ravel().tolist())))
    u, news = session.world.units, []
    for tick in range(ticks):
        session.advance()
        news += [e.kind for e in session.world.events]
        if tick > 2 and not u.moving[:n].any():
            break
    assert not u.moving[:n].any()
    return np.hypot(u.x[:n] - points[:, 0], u.y[:n] - points[:, 1]), news


def test_sixty_units_reach_jittered_points_on_a_circle_exactly(tmp_path: Path) -> None:
    """A tile's centre is up to 0.7 tiles from the point."""
    builder = LevelBuilder(WIDE, HIGH)
    for i in range(60):
        builder.add("spawn", 2.5 + i % 12, 2.5 + i // 12, side="raiders", kind="raider")
    session = Session(load_level(write(tmp_path, builder)), seed=3)
    angle = 2.0 * math.pi * np.arange(60) / 60
    points = np.array([28.0, 20.0]) + 13.0 * np.column_stack([np.cos(angle), np.sin(angle)])
    points += np.random.default_rng(1).uniform(-0.2, 0.2, points.shape)
    far, news = settle(session, points, 900)
    tolerance = session.world.settings.paths.arrive
    centres = np.floor(points) + 0.5
    assert np.hypot(*(points - centres).T).max() > 4.0 * tolerance, "else centres would do"
    # A unit that has arrived may be nudged by one that passes.
    assert far.max() <= 1.5 * tolerance and np.median(far) <= tolerance, np.flatnonzero(far > tolerance)
    assert "gave_up" not in news and "nearest" not in news


def test_two_units_stand_at_two_points_of_one_tile(tmp_path: Path) -> None:
    far, news = settle(field_with_house(tmp_path, 2), np.array([[12.15, 7.5], [12.85, 7.5]]), 300)
    assert far.max() <= 0.35 and "gave_up" not in news


def test_a_unit_beside_a_neighbour_that_stands_in_its_place_has_arrived_and_stays_calm(tmp_path: Path) -> None:
    """Two bodies cannot both be exact at points 0.3 tiles apart.

    The points lie on both sides of a shared edge. A body has a radius of 0.3 tiles.
    """
    session = field_with_house(tmp_path, 2)
    points = np.array([[11.85, 7.5], [12.15, 7.5]])
    far, news = settle(session, points, 300)
    u = session.world.units
    assert math.hypot(u.x[0] - u.x[1], u.y[0] - u.y[1]) >= 0.6 - 0.03
    assert far.max() <= 0.6 + 0.35 and "gave_up" not in news
    rest = u.x[:2].copy(), u.y[:2].copy()
    for _ in range(60):
        session.advance()
        assert not u.moving[:2].any()
    assert np.hypot(u.x[:2] - rest[0], u.y[:2] - rest[1]).max() < 0.05


def test_a_point_too_near_to_a_wall_moves_off_it_and_is_reported(tmp_path: Path) -> None:
    session = field_with_house(tmp_path, 1)
    far, news = settle(session, np.array([[17.95, 18.4]]), 400)
    u = session.world.units
    assert (float(u.ordered_x[0]), float(u.ordered_y[0])) == (pytest.approx(17.7), 18.4)
    assert far[0] <= 0.25 + 0.35 and math.hypot(u.x[0] - 17.7, u.y[0] - 18.4) <= 0.35
    assert news.count("nearest") == 1 and "gave_up" not in news


def test_a_game_saved_during_a_walk_continues_with_the_same_hashes(tmp_path: Path) -> None:
    session = field_with_house(tmp_path, 3)
    points = (33.21, 20.83, 32.4, 21.9, 6.12, 30.77)
    session.give(Order(int(OrderKind.MOVE_EACH), 0, (0, 1, 2), points=points))
    for _ in range(60):
        session.advance()
    save_game(session, tmp_path / "game.fog")
    hashes = []
    for _ in range(200):
        session.advance()
        hashes.append(session.world.hash())
    loaded, again = load_game(tmp_path / "game.fog"), []
    for _ in range(200):
        loaded.advance()
        again.append(loaded.world.hash())
    assert again == hashes


@pytest.mark.parametrize("n", [40, 400])
def test_a_third_body_at_a_point_moves_whatever_the_number_of_points(n: int) -> None:
    """Compare with all pairs: a body moves when it touches two earlier ones."""
    rng = np.random.default_rng(n)
    places, radius = rng.uniform(0, 4.0, (n, 2)), rng.choice([0.3, 0.45], n)
    places[: n // 4] = places[0]
    stays: list[int] = []
    for k in range(n):
        gap = np.hypot(*(places[stays] - places[k]).T) - radius[stays] - radius[k]
        if (gap < -1e-9).sum() < 2:
            stays.append(k)
    moved = crowded_points(places, radius)
    assert np.flatnonzero(~moved).tolist() == stays and 0 < len(stays) < n
