"""First path: three units of another game find paths with `ai/` alone.  Run ``python -m examples.first_path``."""

import numpy as np

from ai.grid.components import Components
from ai.grid.terrain import Terrain
from ai.paths import PathManager, PathSettings

STEP = 0.2
"""Tiles a unit walks per tick: 4 tiles/s at 20 ticks a second."""


def main(ticks: int = 400) -> tuple[int, float, float]:
    """Walk three units round a wall; return the tick of the last arrival and its position in tiles."""
    open_tiles = np.ones((24, 40), bool)  # arrays are [y, x]
    open_tiles[4:24, 20] = False  # a wall with a gap at its top
    terrain = Terrain.build(open_tiles)
    components = Components.build(terrain)  # which tiles can reach which
    manager, settings = PathManager.build(terrain), PathSettings()
    x, y = np.array([5.5, 5.5, 5.5]), np.array([18.5, 19.5, 20.5])  # positions in tiles, centres at .5
    units = np.arange(3)
    manager.request(units, units, (20, 35), movement_class=0, tick=0)  # the goal as (y, x)
    last = 0
    for tick in range(1, ticks + 1):
        components.update(terrain)
        news = manager.update(terrain, components, x, y, tick, settings)
        last = tick if len(news.arrived) else last
        dx, dy = manager.store.wp_x[:3] - x, manager.store.wp_y[:3] - y  # the waypoint of each unit
        share = STEP / np.maximum(np.hypot(dx, dy), STEP)
        walks = manager.store.path_len[:3] > 0
        x, y = x + dx * share * walks, y + dy * share * walks
    return last, float(x[0]), float(y[0])


if __name__ == "__main__":
    tick, end_x, end_y = main()
    print(f"arrived at tick {tick}; the first unit stands at {end_x:.1f}, {end_y:.1f}")
