"""Stepped versions of the game's abstract searches.

They are HPA*, the batch search with landmarks, the search over regions, and next hops. Their nodes are tiles too: the
tiles at which a border is crossed. A finished search shows its path refined to tiles.
"""

from __future__ import annotations

import numpy as np

from ai.grid.moves import COST_UNIT, DIAGONAL, STRAIGHT
from ai.grid.terrain import Terrain
from ai.search.explorer.search_frame import (
    CLOSED,
    OPEN,
    Question,
    SearchFrame,
    cost_of_path,
    follow_parents,
    octile_map,
)
from ai.search.explorer.stepped_astar import Stepped
from ai.search.hierarchy.hpa import ClusterGraph, HierarchicalSearch
from ai.search.hierarchy.hpa_batch import WAY, HpaBatch
from ai.search.hierarchy.hpa_kernels import FARTHEST, UNIT
from ai.search.regions.next_hop import NextHops, centres_of
from ai.search.regions.region_graph import Regions
from ai.search.regions.region_kernels import UNREACHED
from ai.search.regions.region_path import RegionSearch

HEURISTIC_WEIGHT = 2
"""Heuristic weight above 1 of the batch search, in 1/64; the game's default."""

Arrays = tuple[np.ndarray, np.ndarray]


class _SteppedOverTiles(Stepped):
    """Base for logs of flat tiles and costs in terrain units."""

    def _prepare(self) -> None:
        self._h = octile_map(self.height, self.width, self.question.goal, self.terrain.lowest_cost / 8.0)

    def _tile_of(self, logged: np.ndarray) -> np.ndarray:
        return logged

    def _unit_of(self, logged: np.ndarray) -> np.ndarray:
        return logged / COST_UNIT

    def _blank(self) -> Arrays:
        """Return g and parents of a search that has only its start."""
        g, parent = np.full((self.height, self.width), np.inf), np.full((self.height, self.width), -1, np.int32)
        g[self.question.start] = 0.0
        return g, parent

    @property
    def _start(self) -> int:
        return self.question.start[0] * self.width + self.question.start[1]


class SteppedHPA(_SteppedOverTiles):
    """Abstract search of HPA*: its nodes are the tiles of block crossings."""

    looked_unit = "tiles in clusters"
    levels = 1

    def _prepare(self) -> None:
        super()._prepare()
        self.graph = ClusterGraph.build(self.terrain, self.question.movement_class, self.question.cluster, self.levels)
        self.search = HierarchicalSearch(self.graph)

    def _run(self, log: np.ndarray) -> bool:
        self.search.log = log
        self._found = self.search.find_abstract(self.terrain, self.question.start, self.question.goal)
        return self._found is not None

    def _read(self) -> tuple[np.ndarray, np.ndarray]:
        s = self.search
        shape = (self.height, self.width)
        reached = (s._stamps == s._stamp).reshape(shape)
        g = np.where(reached, s._g.reshape(shape) / COST_UNIT, np.inf)
        parent = np.where(reached, s._parent.reshape(shape), -1).astype(np.int32)
        parent[self.question.start] = -1
        return g, parent

    def _looked(self, step: int) -> int:
        # The only other work is connecting the ends, which comes before the first step.
        return 0 if step == 0 else self.search.local_revolutions

    def _whole_path(self) -> tuple[np.ndarray, float]:
        assert self._found is not None
        path = self.search.refine(self.terrain, self._found)
        path = self.search.smooth(self.terrain, path)
        return path, cost_of_path(self.terrain, path)


class SteppedHPA2(SteppedHPA):
    """HPA* on two levels; clusters of the second are two by two clusters."""

    levels = 2


class SteppedHpaBatch(_SteppedOverTiles):
    """The path manager's batch search: cluster graph with landmarks as the heuristic.

    ``h`` of a node is the estimate that ordered it, including landmarks and heuristic weight. It is infinite where the
    landmarks show that no path leads on. A node that is only passed inside its cluster, on the path to a border, is
    shown open but has no entry of its own in the list.
    """

    looked_unit = "tiles written"

    def _prepare(self) -> None:
        super()._prepare()
        self.paths = HpaBatch.build(self.terrain, self.question.movement_class, self.question.cluster)
        self._nodes = self.paths.laid_out(self.terrain).tiles.astype(np.int64)
        self._estimate()

    def _estimate(self) -> None:
        """Write the kernel's integer estimate from each node to the goal into h."""
        graph, (y, x) = self.paths.graph, self.question.goal
        most, size = graph.nodes.shape[1], graph.size
        rows = np.flatnonzero(np.arange(graph.nodes.size) % most < np.repeat(graph.counts, most))
        marks = self.paths.laid_out(self.terrain).marks.astype(np.int64)
        cluster = y // size * -(-self.width // size) + x // size
        beside = rows[rows // most == cluster]
        rest = graph.away[beside, y % size * size + x % size].astype(np.int64)
        beside, rest = beside[rest < FARTHEST], rest[rest < FARTHEST, None]
        known = marks[beside] < FARTHEST
        goal_marks = np.where(known, marks[beside] + rest, FARTHEST).min(axis=0, initial=FARTHEST)
        useful = goal_marks < FARTHEST
        apart = np.abs(marks[rows][:, useful] - goal_marks[useful]).max(axis=1, initial=0)
        dy, dx = np.abs((self._nodes[rows] >> 16) - y), np.abs((self._nodes[rows] & 0xFFFF) - x)
        octile = np.maximum(dy, dx) * STRAIGHT + np.minimum(dy, dx) * (DIAGONAL - STRAIGHT)
        estimate = np.maximum(2 * self.terrain.lowest_cost * octile, (apart - 2) << UNIT)
        h = (estimate + (estimate * HEURISTIC_WEIGHT >> 6)) / COST_UNIT
        h[(marks[rows][:, useful] == FARTHEST).any(axis=1)] = np.inf
        self._h.reshape(-1)[self._tile_of(rows)] = h
        # The goal is never estimated, and the start is alone on the list.
        self._h[y, x] = 0.0

    def _run(self, log: np.ndarray) -> bool:
        q = self.question
        ends = np.array([q.start], np.int32), np.array([q.goal], np.int32)
        self._found = self.paths.plan(self.terrain, *ends, 1 << 60, HEURISTIC_WEIGHT, log=log)
        return bool(self._found.outcome[0] == WAY)

    def _tile_of(self, logged: np.ndarray) -> np.ndarray:
        """Return flat tiles of graph rows; the last two rows are start and goal."""
        goal = self.question.goal[0] * self.width + self.question.goal[1]
        flat = np.append((self._nodes >> 16) * self.width + (self._nodes & 0xFFFF), (self._start, goal))
        return flat[logged]

    def _read(self) -> Arrays:
        scratch = self.paths.laid_out(self.terrain).scratch[0]
        g, parent = self._blank()
        # The goal may stand on a node. The shorter path counts, so the goal is written last there.
        rows = np.flatnonzero(np.abs(scratch.stamps) == scratch.stamp)
        rows = rows[np.argsort(-scratch.g[rows], kind="stable")]
        tiles = self._tile_of(rows)
        g.reshape(-1)[tiles] = scratch.g[rows] / COST_UNIT
        parent.reshape(-1)[tiles] = self._tile_of(scratch.parent[rows].astype(np.int64))
        at = self.question.start
        g[at], parent[at] = 0.0, -1
        return g, parent

    def _looked(self, step: int) -> int:
        return 0 if step < self.total else len(self._found.tiles)

    def _whole_path(self) -> tuple[np.ndarray, float]:
        return self._found.tiles, cost_of_path(self.terrain, self._found.tiles)


class SteppedRegions(_SteppedOverTiles):
    """Search over the borders of regions.

    Its path is that of a unit that heads for the furthest visible centre.
    """

    looked_unit = "tiles of the path"

    def _prepare(self) -> None:
        super()._prepare()
        self.regions = Regions.build(self.terrain, self.question.movement_class)
        self.search = RegionSearch(self.regions)

    def _run(self, log: np.ndarray) -> bool:
        self.search.log = log
        return self.search.route(self.question.start, self.question.goal) is not None

    def _read(self) -> Arrays:
        s, q = self.search, self.question
        g, parent = self._blank()
        reached = np.flatnonzero(s._g < UNREACHED)
        came_from = np.append(s._doors, self._start)
        g.reshape(-1)[s._doors[reached]] = s._g[reached] / COST_UNIT
        parent.reshape(-1)[s._doors[reached]] = came_from[s._parent[reached]]
        if s._answer[2] >= 0 and q.goal != q.start and s._answer[0] / COST_UNIT < g[q.goal]:
            g[q.goal], parent[q.goal] = s._answer[0] / COST_UNIT, came_from[s._answer[2]]
        return g, parent

    def _looked(self, step: int) -> int:
        return 0 if step < self.total else len(self._whole_path()[0])

    def _whole_path(self) -> tuple[np.ndarray, float]:
        self.search.log = np.zeros((0, 3), np.int64)
        path = self.search.find(self.terrain, self.question.start, self.question.goal)
        if path is None:
            return follow_parents(self._read()[1], self.question.start), np.inf
        return path, cost_of_path(self.terrain, path)


class SteppedNextHops:
    """Hops of a next-hop table: each step reads the next region.

    Regions are shown at their centres, the first and last at start and goal. Only the next region is ever open. g is
    the length of the hops so far, h the rest by the table, so f is the estimate of the whole path throughout. Where the
    table does not lead, neither is known.
    """

    looked_unit = "tiles of the path"

    def __init__(self, terrain: Terrain, question: Question) -> None:
        self.terrain, self.question = terrain, question
        q, regions = question, Regions.build(terrain, question.movement_class)
        self._search = RegionSearch(regions, NextHops.build(regions))
        route = self._search.route(q.start, q.goal)
        self._leads = route is not None
        self._tiles, lengths = [q.start], [0.0]
        if route is not None and q.start != q.goal:
            self._tiles += [(int(y), int(x)) for y, x in centres_of(regions, route, q.goal)]
            felt = regions.cost[route if len(route) > 1 else np.repeat(route, 2)].astype(np.int64)
            dy, dx = np.abs(np.diff(np.array(self._tiles), axis=0)).T
            hops = np.maximum(dy, dx) * STRAIGHT + np.minimum(dy, dx) * (DIAGONAL - STRAIGHT)
            lengths += (np.cumsum(hops * (felt[:-1] + felt[1:])) / COST_UNIT).tolist()
        self._lengths = lengths
        self._h = np.full((terrain.height, terrain.width), np.inf)
        self._whole: tuple[np.ndarray, float] | None = None
        for tile, length in zip(self._tiles, lengths, strict=True):
            self._h[tile] = lengths[-1] - length

    @property
    def total(self) -> int:
        """Steps to the end."""
        return len(self._tiles)

    def frame(self, step: int) -> SearchFrame:
        """Return the state after ``step`` hops were read, or at the end."""
        step, shape = min(step, self.total), self._h.shape
        ended, found = step == self.total, step == self.total and self._leads
        status, g = np.zeros(shape, np.uint8), np.full(shape, np.inf)
        parent = np.full(shape, -1, np.int32)
        for k, tile in enumerate(self._tiles[: step + 1]):
            status[tile] = CLOSED if k < step else OPEN
            g[tile] = self._lengths[k]
            if k:
                before = self._tiles[k - 1]
                parent[tile] = before[0] * shape[1] + before[1]
        current = self._tiles[step - 1] if step else None
        path, cost = np.array(self._tiles[: max(step, 1)], np.int32), self._lengths[max(step - 1, 0)]
        if found:
            path, cost = self._path_along()
        looked = len(path) if ended else 0
        return SearchFrame(
            step, status, g, self._h, parent, current, path, cost, ended, found, looked, self.looked_unit
        )

    def _path_along(self) -> tuple[np.ndarray, float]:
        """Return the path of a unit that heads for the furthest visible centre."""
        if self._whole is None:
            path = self._search.find(self.terrain, self.question.start, self.question.goal)
            assert path is not None
            self._whole = path, cost_of_path(self.terrain, path)
        return self._whole
