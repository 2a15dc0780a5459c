"""Map of The Crossing: units, objectives, crossings and sight lines of the mission."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import ndimage

from game.level import Level, load_level
from game.level.level_writer import LEVELS
from game.level.model import GROUND
from game.level.passability_masks import WALK


@pytest.fixture(scope="module")
def level() -> Level:
    return load_level(LEVELS / "the_crossing.tmx")


def tiles_of(level: Level, region: str) -> np.ndarray:
    found = level.region(region)
    assert found is not None
    return np.array([[found.contains(x + 0.5, y + 0.5) for x in range(level.width)] for y in range(level.height)])


def joined(passable: np.ndarray, a: tuple[float, float], b: tuple[float, float]) -> bool:
    """Return whether walkers get from a to b, by flood fill."""
    labels, _ = ndimage.label((passable & WALK) != 0)
    return bool(labels[int(a[1]), int(a[0])] == labels[int(b[1]), int(b[0])] != 0)


def test_two_groups_of_four_raiders_face_twelve_guards_and_two_sleeping_patrols(level: Level) -> None:
    raiders = [s for s in level.spawns if s.side == 0]
    guards = [s for s in level.spawns if s.side == 1]
    assert sorted(s.group for s in raiders) == [1] * 4 + [2] * 4
    assert len({s.name for s in raiders}) == 8
    assert len([s for s in guards if not s.asleep]) == 12
    assert all(level.route(s.route) for s in guards)
    sleeping = {s.route for s in guards if s.asleep}
    woken = {t.target for t in level.triggers if t.on == "lifted" and t.source == "pay chest" and t.does == "wake"}
    assert len(sleeping) == 2 and sleeping == woken


def test_mission_is_to_take_the_chest_and_bring_it_home(level: Level) -> None:
    assert [(o.kind, o.target, o.region) for o in level.objectives] == [
        ("take", "pay chest", ""),
        ("bring", "pay chest", "home"),
    ]
    assert {t.text for t in level.texts} >= {"River Aln", "The Depot", "winch", "to the ford"}


def test_only_bridge_ford_reeds_and_drawbridge_lead_over_the_river(level: Level) -> None:
    start, chest = level.spawns[0], level.prop("pay chest")
    assert chest is not None
    a, b = (start.x, start.y), (chest.x, chest.y)
    bridge, ford = tiles_of(level, "stone bridge"), tiles_of(level, "ford")
    reeds = level.ground == GROUND["reeds"]
    paths = {"bridge": bridge, "ford": ford, "reeds": reeds}
    for name in paths:
        only = level.passable.copy()
        for other, mask in paths.items():
            if other != name:
                only[mask] = 0
        assert joined(only, a, b), f"no path over the {name}"
    none = level.passable.copy()
    for mask in paths.values():
        none[mask] = 0
    assert not joined(none, a, b)
    door = level.door("drawbridge")
    assert door is not None and not door.open and door.opens_for == ()
    none[door.y0 : door.y1, door.x0 : door.x1] = door.passable(True)
    assert joined(none, a, b), "the lowered drawbridge leads over the river"
    winch = level.prop("winch")
    assert winch is not None and winch.door == "drawbridge" and winch.x > door.x1


def test_all_route_points_and_named_regions_are_reachable(level: Level) -> None:
    start = level.spawns[0]
    for route in level.routes:
        for point in route.points:
            assert joined(level.passable, (start.x, start.y), point), route.name
    for name in ("home", "depot", "ford", "stone bridge", "winch bank"):
        region = level.region(name)
        assert region is not None and joined(level.passable, (start.x, start.y), region.centre)


def test_first_patrol_is_in_view_at_the_start_but_does_not_see_the_raiders(level: Level) -> None:
    """Sample the line between raider and patrol.

    A raider sees 14 tiles; a guard's cone reaches 11 tiles.
    """
    raiders = [s for s in level.spawns if s.side == 0]
    patrol = next(s for s in level.spawns if s.route == "west road")

    def clear(ax: float, ay: float, bx: float, by: float) -> bool:
        steps = np.linspace(0, 1, 400)[1:-1]
        ys, xs = (ay + (by - ay) * steps).astype(int), (ax + (bx - ax) * steps).astype(int)
        return not level.opaque[ys, xs].any()

    seen = [
        r for r in raiders if math.dist((r.x, r.y), (patrol.x, patrol.y)) < 14 and clear(r.x, r.y, patrol.x, patrol.y)
    ]
    assert seen
    route = level.route("west road")
    assert route is not None
    for a, b in zip(route.points, route.points[1:], strict=False):
        for t in np.linspace(0, 1, 30):
            x, y = a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t
            assert min(math.dist((r.x, r.y), (x, y)) for r in raiders) > 11


def test_map_is_painted_and_has_its_size(level: Level) -> None:
    assert level.painted
    assert (level.width, level.height) == (96, 64)
