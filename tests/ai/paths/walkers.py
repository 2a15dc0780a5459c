"""Small world for path tests: points that walk at four tiles a second.

They walk to the waypoint that the store returns.
"""

from __future__ import annotations

import numpy as np

from ai.core.serialization import record
from ai.grid.components import Components
from ai.grid.terrain import Terrain
from ai.paths import PathManager, PathNews, PathSettings

STEP = 4.0 / 20.0


def from_rows(rows: list[str]) -> np.ndarray:
    """bool[h, w]: '#' is a wall."""
    return np.array([[c != "#" for c in row] for row in rows])


def walls(size: int, seed: int, share: int = 60) -> np.ndarray:
    """Return an open map with random straight walls.

    Its open tiles are not always connected.
    """
    rng = np.random.default_rng(seed)
    ground = np.ones((size, size), bool)
    for _ in range(size * size // share):
        y, x, length = int(rng.integers(size)), int(rng.integers(size)), int(rng.integers(2, 9))
        if rng.random() < 0.5:
            ground[y, x : x + length] = False
        else:
            ground[y : y + length, x] = False
    return ground


@record
class Walkers:
    """Everything that lives from tick to tick in these tests."""

    terrain: Terrain
    components: Components
    manager: PathManager
    settings: PathSettings
    x: np.ndarray
    y: np.ndarray
    tick: int = 0

    @classmethod
    def on(cls, ground: np.ndarray, starts: list[tuple[int, int]], **settings: object) -> Walkers:
        """Walkers on the centres of ``starts`` (y, x)."""
        terrain = Terrain.build(ground)
        at = np.array(starts, float).reshape(-1, 2)
        manager = PathManager.build(terrain, len(at))
        # Most of these tests are about searches that take many ticks.
        chosen = PathSettings(**{"engine": "astar", **settings})  # type: ignore[arg-type]
        return cls(terrain, Components.build(terrain), manager, chosen, at[:, 1] + 0.5, at[:, 0] + 0.5)

    def order(self, goals: object, favoured: object = 0, slots: object = None) -> None:
        """Order all walkers, or ``slots``, to ``goals``.

        Goals are one (y, x) for all, or one each.
        """
        chosen = np.arange(len(self.x)) if slots is None else np.asarray(slots)
        self.manager.request(chosen, chosen, np.asarray(goals), 0, self.tick, favoured)

    def think(self) -> PathNews:
        """Run one update of the path manager without movement."""
        self.tick += 1
        self.components.update(self.terrain)
        return self.manager.update(self.terrain, self.components, self.x, self.y, self.tick, self.settings)

    def walk(self) -> None:
        """Move every walker a step towards its waypoint."""
        store, n = self.manager.store, len(self.x)
        dx, dy = store.wp_x[:n] - self.x, store.wp_y[:n] - self.y
        far = np.hypot(dx, dy)
        share = np.where(store.path_len[:n] > 0, np.minimum(1.0, STEP / np.maximum(far, 1e-9)), 0.0)
        self.x += dx * share
        self.y += dy * share

    def live(self, ticks: int) -> tuple[set[int], set[int]]:
        """Return the (arrived, lost) slots of some ticks.

        No walker may ever stand in a wall.
        """
        arrived: set[int] = set()
        lost: set[int] = set()
        for _ in range(ticks):
            news = self.think()
            arrived.update(news.arrived.tolist())
            lost.update(news.lost.tolist())
            self.walk()
            inside = self.terrain.passable[self.y.astype(int), self.x.astype(int)] & 1
            assert inside.all(), f"tick {self.tick}: {np.flatnonzero(inside == 0)} stand in a wall"
            if len(arrived | lost) == len(self.x):
                break
        return arrived, lost

    def path(self, slot: int) -> list[tuple[int, int]]:
        """The rest of a path as (y, x) turning points."""
        return [(int(y), int(x)) for y, x, _ in self.manager.store.waypoints(slot)]

    def stages(self, slot: int) -> set[int]:
        """Stages of the waypoints that are left."""
        return {int(s) for s in self.manager.store.waypoints(slot)[:, 2]}

    def path_left(self, slot: int) -> float:
        """Tiles still to walk."""
        points = np.array([(self.y[slot] - 0.5, self.x[slot] - 0.5), *self.path(slot)])
        return float(np.hypot(*np.diff(points, axis=0).T).sum())
