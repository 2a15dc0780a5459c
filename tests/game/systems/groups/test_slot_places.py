"""Slot places near walls: on free ground without a long detour for the group."""

import heapq

import numpy as np
import pytest

from ai.formation.formation_shapes import Shape, form, place
from ai.grid.components import Components
from ai.grid.terrain import Terrain
from game.systems.groups.slot_places import FAR, detours, slots_on_ground


def steps_by_dijkstra(free, y, x):
    """Return steps over four neighbours by a plain Dijkstra search."""
    out = np.full(free.shape, 10**6)
    out[y, x], heap = 0, [(0, y, x)]
    while heap:
        d, cy, cx = heapq.heappop(heap)
        for ny, nx in ((cy - 1, cx), (cy + 1, cx), (cy, cx - 1), (cy, cx + 1)):
            if 0 <= ny < len(free) and 0 <= nx < len(free[0]) and free[ny, nx] and d + 1 < out[ny, nx]:
                out[ny, nx] = d + 1
                heapq.heappush(heap, (d + 1, ny, nx))
    return out


@pytest.mark.parametrize("seed", range(4))
def test_steps_with_and_without_walls_equal_those_of_dijkstra(seed):
    rng = np.random.default_rng(seed)
    free = rng.random((17, 23)) > 0.35
    free[8, 11] = True
    for most in (500, 14):
        known = steps_by_dijkstra(free, 8, 11)
        steps, straight = detours(free, 8, 11, most)
        assert np.array_equal(steps, np.where(known <= most, known, FAR))
        assert np.array_equal(straight, steps_by_dijkstra(np.ones_like(free), 8, 11))


def walls(gate: int) -> tuple[Terrain, Components, np.ndarray]:
    """Return a map with a wall along row 6 from column 30 minus ``gate``."""
    passable = np.full((24, 40), 255, np.uint8)
    passable[6, 30 - gate :] = 0
    terrain = Terrain.build(passable, np.full_like(passable, 8))
    return terrain, Components.build(terrain), passable


def test_slots_lie_beyond_a_wall_only_when_the_path_round_it_is_short():
    for gate, across in ((12, False), (1, True)):
        terrain, components, passable = walls(gate)
        table = form(Shape.LINE, 9, 1.2)
        label = components.label(0, 9, 30)
        there = slots_on_ground(terrain, components, 0, label, table, 30.5, 9.5, 0.0)
        tiles = np.floor(there[:, :2]).astype(int)
        assert passable[tiles[:, 1], tiles[:, 0]].all()
        assert (there[:, 1] < 6.0).any() == across
        away = np.hypot(*(there[:, None, :2] - there[None, :, :2]).transpose(2, 0, 1)) + 9.0 * np.eye(9)
        assert away.min() > 0.6, "no two bodies in one place"


def test_on_open_ground_slots_lie_at_the_places_of_the_shape():
    terrain, components, _ = walls(1)
    table = form(Shape.WEDGE, 7, 1.2)
    there = slots_on_ground(terrain, components, 0, components.label(0, 16, 16), table, 16.5, 16.5, 0.7)
    assert np.allclose(there, place(table, 16.5, 16.5, 0.7))
