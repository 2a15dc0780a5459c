"""Run crowd scenes with the headless game and with RVO2.

RVO2 (ORCA) is used through its binding pyrvo.

RVO2 gets the goals that the game gave out and, where there are walls, the waypoints of a shortest path.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import dijkstra
from scipy.spatial import cKDTree

from ai.grid.terrain import Terrain
from ai.search.smoothing.straight_walk import line_walkable
from game.level.model import GROUND, Level, Spawn
from game.level.passability_masks import ALL
from game.sim.session import Session
from game.world.orders import Order, OrderKind
from tools.bench.crowds.scenes import WALK, Scene

RADIUS = 0.3
SPEED_WORTH = 0.4
"""Tiles/s below which a step has no direction, as in the law ``steady``."""
TICKS_A_SECOND = 20


def level_of(scene: Scene) -> Level:
    """The scene as a level, without a file."""
    height, width = scene.open.shape
    ones = np.ones((height, width), np.uint8)
    spawns = tuple(Spawn(k, float(x), float(y), 0, "soldier") for k, (x, y) in enumerate(scene.start))
    return Level(
        name=scene.name, title=scene.name, path=Path(scene.name), digest="", width=width, height=height,
        tile_size=(32.0, 32.0), passable=(scene.open * np.uint8(ALL)).astype(np.uint8), cost=8 * ones,
        opaque=(~scene.open).astype(np.uint8), cover=0 * ones, noise=8 * ones,
        ground=np.where(scene.open, GROUND["grass"], GROUND["wall"]).astype(np.uint8), spawns=spawns,
    )  # fmt: skip


@dataclass
class Watch:
    """Counts over a run what the table shows."""

    scene: Scene
    goal: np.ndarray
    arrived: np.ndarray = field(init=False)
    last: np.ndarray | None = None
    turned: int = 0
    deepest: float = 0.0
    deep: dict[tuple[int, int], int] = field(default_factory=dict)
    longest: int = 0
    times: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.arrived = np.full(self.scene.count, -1)

    def there(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """bool[n]: at its place now."""
        if self.scene.inside is not None:
            x0, y0, x1, y1 = self.scene.inside
            return np.asarray((x >= x0) & (x <= x1) & (y >= y0) & (y <= y1))
        return np.asarray(np.hypot(x - self.goal[:, 0], y - self.goal[:, 1]) <= self.scene.radius)

    def look(self, tick: int, before: np.ndarray, now: np.ndarray) -> None:
        """After a tick; places float64[n, 2]."""
        there = self.there(now[:, 0], now[:, 1])
        self.arrived[there & (self.arrived < 0)] = tick
        self.arrived[~there] = -1
        step = now - before
        worth = np.hypot(step[:, 0], step[:, 1]) * TICKS_A_SECOND > SPEED_WORTH
        if self.last is None:
            self.last = np.zeros_like(step)
        self.turned += int((worth & ((step * self.last).sum(axis=1) < 0.0)).sum())
        self.last[worth] = step[worth]
        pairs = cKDTree(now).query_pairs(2 * RADIUS * 0.95, output_type="ndarray")
        share = 2.0 - np.hypot(*(now[pairs[:, 0]] - now[pairs[:, 1]]).T) / RADIUS if len(pairs) else np.zeros(0)
        if tick > 5:
            self.deepest = max(self.deepest, float(share.max(initial=0.0)))
        held = {(int(a), int(b)) for a, b in pairs[share > 0.1]}
        self.deep = {pair: self.deep.get(pair, 0) + 1 for pair in held}
        self.longest = max(self.longest, max(self.deep.values(), default=0))

    def row(self, algorithm: str, free: float, **more: Any) -> dict[str, Any]:
        """The figures of a run; ``free``: ticks of the longest unobstructed walk."""
        ms = np.array(self.times) * 1000.0
        done = self.arrived[self.arrived >= 0]
        return {
            "scenario": self.scene.name,
            "algorithm": algorithm,
            "mode": "single",
            "us_mean": float(ms.mean() * 1000.0),
            "threads": 1,
            "units": self.scene.count,
            "arrived": len(done),
            "last_over_free": round(float(done.max(initial=0) / free), 2),
            "overlap": round(self.deepest, 3),
            "overlap_ticks": self.longest,
            "reversals": round(self.turned / self.scene.count, 2),
            "ms_tick": round(float(ms.mean()), 2),
            **more,
        }


def play(scene: Scene, settings: dict[str, Any] | None = None, name: str = "Fogline") -> dict[str, Any]:
    """Play a scene by the game's own session until no unit moves."""
    session = Session(level_of(scene), 1, settings, recording=False)
    u = session.world.units
    ids = u.id[: u.count]
    session.give(Order(int(OrderKind.PACE), 0, tuple(ids.tolist()), value=0.0))
    session.advance()
    for move in scene.moves:
        who = tuple(ids[move.units].tolist())
        if move.shape:
            session.give(Order(int(OrderKind.FORMATION), 0, who, name="shape", text=move.shape))
        if move.at is None:
            session.give(Order(int(OrderKind.MOVE_EACH), 0, who, points=tuple(scene.goal[move.units].ravel().tolist())))
        else:
            session.give(Order(int(OrderKind.MOVE), 0, who, *move.at))
    watch: Watch | None = None
    gave_up, reasons = 0, dict[str, int]()
    settled = -1
    for tick in range(1, scene.ticks + 1):
        start = time.perf_counter()
        session.advance()
        spent = time.perf_counter() - start
        world = session.world
        if watch is None:
            own = np.column_stack([u.ordered_x[: u.count], u.ordered_y[: u.count]])
            watch = Watch(scene, own if all(move.at for move in scene.moves) else scene.goal)
        watch.times.append(spent)
        n = u.count
        now = np.column_stack([u.x[:n], u.y[:n]])
        watch.look(tick, np.column_stack([u.prev_x[:n], u.prev_y[:n]]), now)
        for event in world.events:
            if event.kind == "gave_up":
                gave_up += 1
                reasons[event.text] = reasons.get(event.text, 0) + 1
        if tick > 40 and not u.moving[:n].any():
            settled = tick
            break
    assert watch is not None
    return watch.row(
        name, longest_walk(scene, scene.goal), gave_up=gave_up, settled=settled,
        told=", ".join(f"{count} {text}" for text, count in sorted(reasons.items())),
    )  # fmt: skip


_GRAPHS: dict[bytes, Any] = {}


def _graph(opened: np.ndarray) -> Any:
    """Grid of eight moves without cut corners as a sparse matrix."""
    height, width = opened.shape
    number = np.arange(height * width).reshape(height, width)
    rows, columns, lengths = [], [], []
    for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
        ys, xs = slice(0, height - dy), slice(max(0, -dx), width - max(0, dx))
        ty, tx = slice(dy, height), slice(max(0, dx), width - max(0, -dx))
        free = opened[ys, xs] & opened[ty, tx]
        if dx and dy:
            free = free & opened[ys, tx] & opened[ty, xs]
        rows.append(number[ys, xs][free])
        columns.append(number[ty, tx][free])
        lengths.append(np.full(int(free.sum()), np.hypot(dx, dy)))
    r, c, d = np.concatenate(rows), np.concatenate(columns), np.concatenate(lengths)
    n = height * width
    return coo_matrix((np.r_[d, d], (np.r_[r, c], np.r_[c, r])), shape=(n, n)).tocsr()


def paths_of(scene: Scene, goal: np.ndarray) -> list[np.ndarray]:
    """Return a path float64[k, 2] per unit.

    It is the straight line if that is open, else the corners of a shortest path.
    """
    height, width = scene.open.shape
    terrain = Terrain.build(
        scene.open.astype(np.uint8), np.full((height, width), 8, np.uint8), np.zeros((height, width), np.uint8)
    )

    def clear(lines: np.ndarray) -> np.ndarray:
        return line_walkable(terrain, lines, 0, 0.25)[0]

    straight = clear(np.column_stack([scene.start, goal]))
    out: list[np.ndarray] = [goal[k : k + 1] for k in range(scene.count)]
    bent = np.flatnonzero(~straight)
    if not len(bent):
        return out
    tiles = np.floor(goal).astype(int)
    ends = tiles[:, 1] * width + tiles[:, 0]
    wanted, which = np.unique(ends[bent], return_inverse=True)
    _, before = dijkstra(_graph(scene.open), indices=wanted, return_predecessors=True)
    for k, row in zip(bent.tolist(), which.tolist(), strict=True):
        at = int(scene.start[k, 1]) * width + int(scene.start[k, 0])
        tile_list = []
        while at != ends[k] and at >= 0:
            at = int(before[row, at])
            tile_list.append((at % width + 0.5, at // width + 0.5))
        points = np.array([*tile_list[:-1], tuple(goal[k])]) if tile_list else goal[k : k + 1]
        here, kept, i = scene.start[k], [], 0
        while i < len(points):
            lines = np.column_stack([np.repeat(here[None], len(points) - i, 0), points[i:]])
            seen = clear(lines)
            far = int(np.flatnonzero(seen)[-1]) if seen.any() else 0
            kept.append(points[i + far])
            here, i = points[i + far], i + far + 1
        out[k] = np.array(kept)
    return out


def longest_walk(scene: Scene, goal: np.ndarray) -> float:
    """Ticks that the longest walk takes when no unit is in the way."""
    far = 1.0
    for k, path in enumerate(paths_of(scene, goal)):
        far = max(far, float(np.hypot(*np.diff(np.vstack([scene.start[k : k + 1], path]), axis=0).T).sum()))
    return far / WALK * TICKS_A_SECOND


def peer(scene: Scene) -> dict[str, Any] | None:
    """Play a scene by RVO2; None without its binding."""
    if importlib.util.find_spec("pyrvo") is None:
        return None
    pyrvo = importlib.import_module("pyrvo")
    simulator = pyrvo.RVOSimulator()
    simulator.set_time_step(1.0 / TICKS_A_SECOND)
    # RVO2's own numbers of its examples, in bodies of 0.3 tiles.
    simulator.set_agent_defaults(3.0, 10, 2.7, 2.7, RADIUS, WALK)
    for x, y in scene.start:
        simulator.add_agent((float(x), float(y)))
    for x0, y0, x1, y1 in _walls(scene.open):
        simulator.add_obstacle([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    simulator.process_obstacles()
    paths = paths_of(scene, scene.goal)
    watch, n = Watch(scene, scene.goal), scene.count
    most = max(len(path) for path in paths)
    table = np.zeros((n, most, 2))
    length = np.array([len(path) for path in paths])
    for k, path in enumerate(paths):
        table[k, : len(path)] = path
        table[k, len(path) :] = path[-1]
    at, rng = np.zeros(n, int), np.random.default_rng(1)
    now = scene.start.copy()
    everybody = np.arange(n)
    quiet = 0
    for tick in range(1, scene.ticks + 1):
        aim = table[everybody, at]
        near = (np.hypot(*(aim - now).T) < 0.6) & (at < length - 1)
        at[near] += 1
        aim = table[everybody, at]
        way = aim - now
        d = np.hypot(way[:, 0], way[:, 1])
        want = way * np.minimum(WALK, d * TICKS_A_SECOND)[:, None] / np.maximum(d, 1e-9)[:, None]
        turn = rng.uniform(0.0, 2.0 * np.pi, n)
        want += 1e-3 * np.column_stack([np.cos(turn), np.sin(turn)])
        for k in range(n):
            simulator.set_agent_pref_velocity(k, (float(want[k, 0]), float(want[k, 1])))
        start = time.perf_counter()
        simulator.do_step()
        watch.times.append(time.perf_counter() - start)
        before = now
        now = np.array([(p.x, p.y) for p in map(simulator.get_agent_position, range(n))])
        watch.look(tick, before, now)
        quiet = quiet + 1 if (watch.arrived >= 0).all() else 0
        if quiet > 20:
            break
    return watch.row(f"RVO2 (pyrvo {importlib.metadata.version('pyrvo')})", longest_walk(scene, scene.goal))


def _walls(opened: np.ndarray) -> list[tuple[float, float, float, float]]:
    """Rectangles of closed tiles, rows of runs joined downwards where they are alike."""
    out: list[tuple[float, float, float, float]] = []
    live: dict[tuple[int, int], int] = {}
    for y in range(opened.shape[0] + 1):
        runs: set[tuple[int, int]] = set()
        if y < opened.shape[0]:
            edge = np.flatnonzero(np.diff(np.r_[0, (~opened[y]).astype(int), 0]))
            runs = {(int(a), int(b)) for a, b in edge.reshape(-1, 2)}
        for run in [run for run in live if run not in runs]:
            out.append((float(run[0]), float(live.pop(run)), float(run[1]), float(y)))
        for run in runs:
            live.setdefault(run, y)
    return out
