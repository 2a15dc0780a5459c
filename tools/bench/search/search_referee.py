"""Independent referees of paths for ``--check``; none uses the searches it checks.

Lengths and legality of tile paths are computed by numpy, disputed optima by scipy's Dijkstra over the whole map.
Any-angle optima come from scipy's Dijkstra over visibility graphs: of a map's convex corners, and of all centres in
windows.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterator

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import dijkstra

from ai.grid.terrain import Terrain
from ai.search.any_angle.any_angle import CENTRES, CORNERS, sight
from ai.search.jps.uniform_ground import UniformGround

MOST_CORNERS = 14_000
"""Convex corners up to which a visibility graph is made.

Its edges grow by the square. With more corners, each optimum is searched among the corners that it can pass.
"""

WINDOW, WINDOWS, WINDOW_ENDS, WINDOW_AWAY = 32, 8, (4, 12), 10
"""Windows in which all centres see each other.

Side in tiles and number of the windows, starts per window and goals per start, and the distance between these in
tiles.
"""


def length_of(ground: np.ndarray, path: np.ndarray) -> float:
    """Length of a tile path in tiles; nan when a step is illegal."""
    tiles = path.astype(np.int64)
    if tiles.min() < 0 or np.any(tiles >= ground.shape) or not ground[tiles[:, 0], tiles[:, 1]].all():
        return np.nan
    steps = np.diff(tiles, axis=0)
    if len(steps) == 0:
        return 0.0
    diagonal = (steps != 0).all(axis=1)
    if np.abs(steps).max() > 1 or not (steps != 0).any(axis=1).all():
        return np.nan
    before, after = tiles[:-1][diagonal], tiles[1:][diagonal]
    if not (ground[before[:, 0], after[:, 1]] & ground[after[:, 0], before[:, 1]]).all():
        return np.nan
    return float(diagonal.sum() * np.sqrt(2) + (~diagonal).sum())


def line_length(ground: np.ndarray, path: np.ndarray) -> float:
    """Return the length in tiles of a path of straight lines.

    The lines connect tile centres. The length is nan when one meets a blocked tile. A line meets every tile that
    it shares a point with, including the two beside a corner that it passes through.
    """
    total = 0.0
    for (y0, x0), (y1, x1) in itertools.pairwise(path.astype(np.int64).tolist()):
        dy, dx = y1 - y0, x1 - x0
        if abs(dy) > abs(dx):
            (y0, x0), (dy, dx), turned = (x0, y0), (dx, dy), ground.T
        else:
            turned = ground
        # Units are half tiles: the line over [x - 1, x + 1] about a column's centre, as exact multiples of 1
        # / |dx|.
        sign = 1 if dx >= 0 else -1
        wide = abs(dx)
        if wide:
            along = np.arange(wide + 1)
            low = np.maximum(2 * along - 1, 0) * dy
            high = np.minimum(2 * along + 1, 2 * wide) * dy
            first, last = np.minimum(low, high), np.maximum(low, high)
            # Tile row r covers [2 r - 1, 2 r + 1] half tiles, its edges included where the line touches a corner.
            top = -((wide - first) // (2 * wide))
            bottom = (last + wide) // (2 * wide)
            for extra in range(int((bottom - top).max()) + 1):
                rows = np.minimum(top + extra, bottom)
                inside = y0 + rows
                columns = x0 + sign * along
                if (
                    np.any((inside < 0) | (inside >= turned.shape[0]))
                    or np.any((columns < 0) | (columns >= turned.shape[1]))
                    or not turned[inside, columns].all()
                ):
                    return np.nan
        elif not turned[y0, x0]:
            return np.nan
        total += float(np.hypot(dy, dx))
    return total


class Referee:
    """Settles rows whose published optimum is disputed.

    It runs scipy's Dijkstra over the whole map, prepared on first use.
    """

    def __init__(self, ground: np.ndarray) -> None:
        self._ground = ground
        self._graph: csr_matrix | None = None
        self._known: dict[int, float] = {}

    def length(self, row: int, start: tuple[int, int], goal: tuple[int, int]) -> float:
        """Return the length of a shortest path in tiles, by its scenario row.

        The length is infinite without a path.
        """
        if row not in self._known:
            if self._graph is None:
                self._graph = self._made()
            width = self._ground.shape[1]
            out = dijkstra(self._graph, indices=start[0] * width + start[1])
            self._known[row] = float(out[goal[0] * width + goal[1]]) if self._ground[start] else np.inf
        return self._known[row]

    def _made(self) -> csr_matrix:
        height, width = self._ground.shape
        padded = np.pad(self._ground, 1)
        ys, xs = np.nonzero(self._ground)
        rows, columns, weights = [], [], []
        for dy, dx in itertools.product((-1, 0, 1), repeat=2):
            if dy == 0 and dx == 0:
                continue
            legal = padded[ys + 1 + dy, xs + 1 + dx] & padded[ys + 1, xs + 1 + dx] & padded[ys + 1 + dy, xs + 1]
            y, x = ys[legal], xs[legal]
            rows.append(y * width + x)
            columns.append((y + dy) * width + x + dx)
            weights.append(np.full(len(y), np.hypot(dy, dx)))
        ends = np.concatenate(rows), np.concatenate(columns)
        return csr_matrix((np.concatenate(weights), ends), shape=(height * width,) * 2)


class Visibility:
    """Any-angle optima between tile corners.

    Shortest paths bend at convex corners of walls only.

    ``corners`` int32[n, 2] are those corners.
    """

    def __init__(self, ground: np.ndarray) -> None:
        wall = ~np.pad(ground, 1)
        nw, ne, sw, se = wall[:-1, :-1], wall[:-1, 1:], wall[1:, :-1], wall[1:, 1:]
        blocked = nw.astype(np.int8) + ne + sw + se
        convex = (blocked == 1) | ((blocked == 2) & (nw == se))
        # The map's border has a wall all around.
        self.corners = np.argwhere(convex).astype(np.int32)
        self._graph: csr_matrix | None = None

    def optimum(
        self, uniform: UniformGround, start: tuple[int, int], goal: tuple[int, int], at_most: float = np.inf
    ) -> float:
        """Return the length of a shortest path between two tile corners (y, x).

        It is infinite without a path. ``at_most`` is the length of a known path, which maps with very many
        corners need.
        """
        ends = np.array([start, goal], np.int32)
        if sight(uniform, np.array([[*start, *goal]]), CORNERS)[0]:
            return float(np.hypot(*(ends[0] - ends[1])))
        if len(self.corners) > MOST_CORNERS:
            return self._searched(uniform, ends, at_most + 1e-9)
        if self._graph is None:
            self._graph = self._made(uniform)
        to_start, to_goal = (self._seen(uniform, end) for end in ends)
        count = len(self.corners)
        # The start is one extra node; its edges lead to the corners that it sees.
        graph = csr_matrix(
            (
                np.concatenate((self._graph.data, to_start[to_start > 0])),
                np.concatenate((self._graph.indices, np.flatnonzero(to_start > 0))),
                np.append(self._graph.indptr, self._graph.nnz + np.count_nonzero(to_start)),
            ),
            shape=(count + 1, count + 1),
        )
        reached = dijkstra(graph, indices=count)[:count]
        return float((reached + to_goal)[to_goal > 0].min(initial=np.inf))

    def _searched(self, uniform: UniformGround, ends: np.ndarray, at_most: float) -> float:
        """Search best first over the corners that a path of this length can pass.

        Lines of sight are found when they are needed.
        """
        nodes = np.vstack((self.corners, ends))
        left = np.hypot(*(nodes - ends[1]).T)
        nodes = nodes[np.hypot(*(nodes - ends[0]).T) + left <= at_most]
        left = np.hypot(*(nodes - ends[1]).T)
        goal = len(nodes) - 1
        gone = np.full(len(nodes), np.inf)
        gone[goal - 1] = 0.0
        waiting = [(float(left[goal - 1]), goal - 1)]
        done = np.zeros(len(nodes), bool)
        while waiting:
            _, node = heapq.heappop(waiting)
            if node == goal:
                break
            if done[node]:
                continue
            done[node] = True
            length = gone[node] + np.hypot(*(nodes - nodes[node]).T)
            nearer = np.flatnonzero((length < gone) & (length + left <= at_most))
            pairs = np.hstack((np.broadcast_to(nodes[node], (len(nearer), 2)), nodes[nearer]))
            nearer = nearer[sight(uniform, pairs, CORNERS)]
            gone[nearer] = length[nearer]
            for other in nearer.tolist():
                heapq.heappush(waiting, (float(length[other] + left[other]), other))
        return float(gone[goal])

    def _seen(self, uniform: UniformGround, end: np.ndarray) -> np.ndarray:
        """Return distances ``float64[n]`` to the corners visible from a corner; 0 if hidden."""
        pairs = np.hstack((np.broadcast_to(end, self.corners.shape), self.corners))
        away = np.hypot(*(self.corners - end).T)
        return np.where(sight(uniform, pairs, CORNERS), np.maximum(away, 1e-9), 0.0)

    def _made(self, uniform: UniformGround) -> csr_matrix:
        data, indices, starts = [], [], [0]
        for n, corner in enumerate(self.corners):
            seen = self._seen(uniform, corner)
            seen[n] = 0.0
            found = np.flatnonzero(seen)
            data.append(seen[found])
            indices.append(found)
            starts.append(starts[-1] + len(found))
        count = len(self.corners)
        if count == 0:
            return csr_matrix((0, 0))
        return csr_matrix((np.concatenate(data), np.concatenate(indices), np.array(starts)), shape=(count, count))


def windows(ground: np.ndarray) -> Iterator[tuple[np.ndarray, list[tuple[tuple[int, int], tuple[int, int], float]]]]:
    """Return windows of a map, each with some questions and optimal paths.

    A question is (start, goal, shortest any-angle path between their centres). The corners of the path may be any
    centres of the window; all pairs that see each other are joined.
    """
    rng = np.random.default_rng(1)
    found = 0
    for _ in range(50 * WINDOWS):
        y, x = (int(rng.integers(max(side - WINDOW, 0) + 1)) for side in ground.shape)
        cut = np.ascontiguousarray(ground[y : y + WINDOW, x : x + WINDOW])
        if not 0.2 < cut.mean() < 0.95:
            continue
        found += 1
        uniform, centres = UniformGround.build(Terrain.build(cut)), np.argwhere(cut)
        a, b = np.triu_indices(len(centres), 1)
        seen = sight(uniform, np.hstack((centres[a], centres[b])), CENTRES)
        a, b = a[seen], b[seen]
        graph = csr_matrix((np.hypot(*(centres[a] - centres[b]).T), (a, b)), shape=(len(centres),) * 2)
        asked = []
        for start in rng.integers(len(centres), size=WINDOW_ENDS[0]).tolist():
            optima = dijkstra(graph, directed=False, indices=start)
            away = np.hypot(*(centres - centres[start]).T)
            goals = np.flatnonzero((away >= WINDOW_AWAY) & np.isfinite(optima))
            for goal in rng.permutation(goals)[: WINDOW_ENDS[1]].tolist():
                (sy, sx), (gy, gx) = centres[start].tolist(), centres[goal].tolist()
                asked.append(((sy, sx), (gy, gx), float(optima[goal])))
        yield cut, asked
        if found == WINDOWS:
            break
