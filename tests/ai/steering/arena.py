"""Small world for motion tests: a walled map, units with paths, and invariants.

It runs the two motion stages. Paths come from a plain Dijkstra field of the tests, so that these tests need no other
package of the library.
"""

import functools
import heapq
import math

import numpy as np
from scipy.spatial import cKDTree

from ai.steering.collision.progress import EVENT_BLOCKED, connected_groups
from ai.steering.motion_step import move, steer
from ai.steering.settings import SteeringSettings
from ai.steering.steering_columns import Bodies, SteeringState, Waypoints


def grid(text):
    """Return uint8[H, W] from a drawing: '#' blocks, all else is open.

    Open tiles are open to class 0.
    """
    rows = text.strip("\n").splitlines()
    return np.array([[0 if c == "#" else 1 for c in row] for row in rows], np.uint8)


def field_to(passable, ty, tx):
    """Return the distance to a tile and the next tiles, by Dijkstra.

    The distance is octile, without corner cutting.
    """
    h, w = passable.shape
    dist = np.full((h, w), np.inf)
    step = {}
    dist[ty, tx] = 0.0
    heap = [(0.0, ty, tx)]
    while heap:
        d, y, x = heapq.heappop(heap)
        if d > dist[y, x]:
            continue
        for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)):
            v, u = y + dy, x + dx
            if not (0 <= v < h and 0 <= u < w) or not passable[v, u]:
                continue
            if dy and dx and not (passable[y, u] and passable[v, x]):
                continue
            e = d + math.hypot(dx, dy)
            if e < dist[v, u] - 1e-9:
                dist[v, u] = e
                step[v, u] = (y, x)
                heapq.heappush(heap, (e, v, u))
    return dist, step


@functools.lru_cache(maxsize=2000)
def _kept_field(tiles, shape, goal):
    """Return the field of a map given as bytes.

    Scenes of one map and one goal share it.
    """
    return field_to(np.frombuffer(tiles, np.uint8).reshape(shape), *goal)


class Arena:
    def __init__(self, passable, places, goals, ids=None, settings=None, **columns):
        self.passable = np.ascontiguousarray(passable, np.uint8)
        self.settings = settings or SteeringSettings()
        places = np.asarray(places, float).reshape(-1, 2)
        goals = np.asarray(goals, float).reshape(-1, 2)
        n = len(places)
        full = {
            "id": np.arange(n, dtype=np.int32) if ids is None else np.asarray(ids, np.int32),
            "alive": np.ones(n, np.uint8),
            "moving": np.ones(n, np.uint8),
            "holding": np.zeros(n, np.uint8),
            "movement_class": np.zeros(n, np.uint8),
            "x": places[:, 0].copy(),
            "y": places[:, 1].copy(),
            "vx": np.zeros(n),
            "vy": np.zeros(n),
            "facing": np.zeros(n),
            "radius": np.full(n, 0.3),
            "speed": np.full(n, 1.5),
            "turn_rate": np.full(n, 7.0),
            "turn_to": np.full(n, np.nan),
            "goal_x": goals[:, 0].copy(),
            "goal_y": goals[:, 1].copy(),
            "stuck": np.zeros(n, np.int16),
            "event": np.zeros(n, np.uint32),
            "band": np.full(n, -1, np.int32),
        }
        for name, value in columns.items():
            full[name][:] = value
        self.b = Bodies(**full)
        self.state = SteeringState()
        self.n = n
        self.tick = 0
        self._mapped = b""
        self.paths = [self.plan(i) for i in range(n)]
        self.at = [0] * n
        self.blocked = 0
        self.offenders = []
        self.overlap_ticks = np.zeros(n, int)
        self.worst_overlap_ticks = 0
        self.worst_overlap = 0.0

    def field(self, i):
        goal = int(self.b.goal_y[i]), int(self.b.goal_x[i])
        return _kept_field(self.passable.tobytes(), self.passable.shape, goal)

    def plan(self, i):
        _, step = self.field(i)
        tile = int(self.b.y[i]), int(self.b.x[i])
        waypoints = []
        while tile in step:
            tile = step[tile]
            waypoints.append((tile[1] + 0.5, tile[0] + 0.5))
        return waypoints[:-1] + [(self.b.goal_x[i], self.b.goal_y[i])]

    def waypoints_now(self):
        waypoints = Waypoints.straight(self.b.goal_x.copy(), self.b.goal_y.copy())
        for i in range(self.n):
            path, k = self.paths[i], self.at[i]
            waypoints.x[i], waypoints.y[i] = path[k]
            left = len(path) - 1 - k
            waypoints.final[i] = left == 0
            waypoints.has_next[i] = left > 0
            if left > 0:
                waypoints.next_x[i], waypoints.next_y[i] = path[k + 1]
        return waypoints

    def step(self):
        waypoints = self.waypoints_now()
        self.b.event[:] = 0
        tiles = self.passable.tobytes()
        steer(self.state, self.settings, self.passable, self.tick, self.b, waypoints, mapped=tiles == self._mapped)
        self._mapped = tiles
        move(self.state, self.settings, self.passable, self.b, waypoints.final)
        for i in np.flatnonzero(self.state.reached[: self.n] == 1):
            self.at[i] += 1
        for i in np.flatnonzero(self.b.event & EVENT_BLOCKED):
            self.blocked += 1
            self.paths[i] = self.plan(i)
            self.at[i] = 0
        self.tick += 1
        self.watch_overlap()

    def watch_overlap(self):
        at, depth = np.column_stack((self.b.x, self.b.y)), np.zeros(self.n)
        i, j = cKDTree(at).query_pairs(2 * self.b.radius.max(), output_type="ndarray").T
        deep = self.b.radius[i] + self.b.radius[j] - np.hypot(*(at[i] - at[j]).T)
        np.maximum.at(depth, np.concatenate((i, j)), np.concatenate((deep, deep)))
        self.worst_overlap = max(self.worst_overlap, float(depth.max()))
        deep = depth > 0.1 * self.b.radius
        self.overlap_ticks = np.where(deep, self.overlap_ticks + 1, 0)
        self.worst_overlap_ticks = max(self.worst_overlap_ticks, int(self.overlap_ticks.max()))

    def in_wall(self):
        return int((self.passable[self.b.y.astype(int), self.b.x.astype(int)] == 0).sum())

    def left(self):
        """Path distance to the goal of every unit, tiles."""
        out = np.zeros(self.n)
        for i in range(self.n):
            dist, step = self.field(i)
            tile = int(self.b.y[i]), int(self.b.x[i])
            out[i] = math.hypot(self.b.x[i] - self.b.goal_x[i], self.b.y[i] - self.b.goal_y[i])
            if tile in step:
                # As far as the best of the nine tiles about it.
                y, x = tile
                near = [
                    dist[v, u] + math.hypot(u + 0.5 - self.b.x[i], v + 0.5 - self.b.y[i])
                    for v in range(max(0, y - 1), y + 2)
                    for u in range(max(0, x - 1), x + 2)
                    if v < dist.shape[0] and u < dist.shape[1] and np.isfinite(dist[v, u])
                ]
                out[i] = min(near)
        return out

    def run(self, ticks, law=True, until_all_arrive=True):
        """Run up to ``ticks``; return the windows that broke the progress invariant.

        A window is 100 ticks; one begins every 10 ticks.
        """
        broken = 0
        history = []  # (path left, wanting), every ten ticks
        for k in range(ticks):
            self.step()
            assert self.in_wall() == 0, f"tick {self.tick}: a centre is in a wall"
            if law and k % 10 == 0:
                history.append((self.left(), self.b.moving == 1))
                wanted = np.all([w for _, w in history[-11:]], axis=0) & (len(history) > 10)
                groups = connected_groups(self.b.x, self.b.y, self.b.radius, wanted)
                nearer = history[-1][0] < history[max(0, len(history) - 11)][0] - 0.05
                for g in range(groups.max() + 1):
                    if not nearer[groups == g].any():
                        broken += 1
                        self.offenders.append((self.tick, np.flatnonzero(groups == g)))
            if until_all_arrive and not self.b.moving.any():
                break
        return broken
