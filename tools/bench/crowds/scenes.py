"""Scenes of many bodies that the literature and other libraries use, as plain data.

Circle, blocks and roadmap are the examples of RVO2; corridors, crossings and bottlenecks are those of pedestrian
dynamics; the passages are those of strategy games.  Positions are (x, y) in tiles, ticks are 1/20 s.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

WALK = 1.5
"""Tiles/s of every unit."""


@dataclass
class Move:
    """Order to some units.

    ``units`` are row numbers. ``at`` is one place for all, or ``None`` for the goals of the scene.
    """

    units: np.ndarray
    at: tuple[float, float] | None = None
    shape: str = ""


@dataclass
class Scene:
    """Scene: ground, starts, goals, orders and limits.

    ``open`` is bool[H, W]; ``start`` and ``goal`` are float64[n, 2].

    A unit has arrived within ``radius`` tiles of its goal, or inside the rectangle ``inside`` (x0, y0, x1, y1).
    """

    name: str
    open: np.ndarray
    start: np.ndarray
    goal: np.ndarray
    moves: list[Move] = field(default_factory=list)
    radius: float = 1.0
    inside: np.ndarray | None = None
    ticks: int = 1600

    @property
    def count(self) -> int:
        """Units."""
        return len(self.start)


def ground(width: int, height: int) -> np.ndarray:
    """bool[H, W]: open ground inside a wall one tile thick."""
    out = np.zeros((height, width), bool)
    out[1:-1, 1:-1] = True
    return out


def block(x: float, y: float, columns: int, rows: int, gap: float = 1.0) -> np.ndarray:
    """float64[n, 2]: a block of places, its first one at (x, y)."""
    ys, xs = np.divmod(np.arange(columns * rows), columns)
    return np.column_stack([x + xs * gap, y + ys * gap])


def jittered(places: np.ndarray, by: float, seed: int) -> np.ndarray:
    """Places moved by at most ``by`` tiles each way; seed 0 leaves them."""
    if seed == 0:
        return places
    return places + np.random.default_rng(seed).uniform(-by, by, places.shape)


def each(scene: Scene) -> Scene:
    """Order every unit to its own goal."""
    scene.moves = [Move(np.arange(scene.count))]
    return scene


def circle(n: int, seed: int = 1) -> Scene:
    """Walkers on a circle change places; the arc between neighbours is 2.2 tiles."""
    r = max(8.0, 2.2 * n / (2.0 * math.pi))
    middle = r + 6.0
    a = 2.0 * math.pi * np.arange(n) / n
    ring = np.column_stack([middle + r * np.cos(a), middle + r * np.sin(a)])
    side = math.ceil(2 * middle) + 1
    start = jittered(ring, 0.5, seed)
    goal = 2 * middle - start if seed == 0 else 2 * middle - ring
    ticks = int(20 * 2 * r / WALK * 2.6) + 400
    return each(
        Scene(f"circle_{n}" + (f"_s{seed}" if seed else "_perfect"), ground(side, side), start, goal, ticks=ticks)
    )


def blocks(seed: int = 1, roadmap: bool = False) -> Scene:
    """Return four groups of 25 units that cross between four blocks.

    Streets are three tiles wide. ``roadmap``: each unit has its own goal.
    """
    size = 51
    opened = ground(size, size)
    for y0 in (15, 27):
        for x0 in (15, 27):
            opened[y0 : y0 + 9, x0 : x0 + 9] = False
    corners = [(9.0, 9.0), (37.0, 9.0), (9.0, 37.0), (37.0, 37.0)]
    start = jittered(np.vstack([block(x, y, 5, 5, 1.25) for x, y in corners]), 0.1, seed)
    goals = [corners[3], corners[2], corners[1], corners[0]]
    goal = np.vstack([block(x, y, 5, 5, 1.25) for x, y in goals])
    if roadmap:
        return each(Scene("roadmap", opened, start, goal, ticks=1600))
    moves = [Move(np.arange(25 * k, 25 * k + 25), (x + 2.5, y + 2.5)) for k, (x, y) in enumerate(goals)]
    return Scene("blocks", opened, start, goal, moves, radius=4.0, ticks=1600)


def corridor(seed: int = 1, n: int = 100) -> Scene:
    """Two streams through one corridor six tiles wide, 60 long, against each other."""
    opened = ground(80, 22)
    opened[1:8, 18:62] = False
    opened[14:21, 18:62] = False
    rows = 10
    left = block(4.0, 5.0, n // 2 // rows, rows, 1.1)
    right = block(72.0 - 1.1 * (n // 2 // rows - 5), 5.0, n // 2 // rows, rows, 1.1)
    start = jittered(np.vstack([left, right]), 0.1, seed)
    return each(Scene("corridor", opened, start, np.vstack([right, left]), ticks=2000))


def crossing(dense: bool, seed: int = 1) -> Scene:
    """Two streams cross at right angles on open ground."""
    gap, k = (0.9, 10) if dense else (2.2, 7)
    span = gap * k
    size = math.ceil(2 * span + 30)
    mid = size / 2 - span / 2
    west, north = block(3.0, mid, k, k, gap), block(mid, 3.0, k, k, gap)
    start = jittered(np.vstack([west, north]), 0.05 * gap, seed)
    goal = np.vstack([west + (size - 6.0 - span, 0.0), north + (0.0, size - 6.0 - span)])
    return each(Scene("crossing_dense" if dense else "crossing_sparse", ground(size, size), start, goal, ticks=1400))


def bottleneck(width: int, n: int = 150, seed: int = 1) -> Scene:
    """A room of ``n`` empties through a door ``width`` tiles wide into open ground."""
    opened = ground(60, 30)
    opened[1:29, 28:30] = False
    top = 15 - width // 2
    opened[top : top + width, 28:30] = True
    start = jittered(block(4.0, 5.0, 15, -(-n // 15), 1.3)[:n], 0.15, seed)
    goal = block(36.0, 5.0, 15, -(-n // 15), 1.3)[:n]
    name = f"bottleneck_{width}"
    inside = np.array([31.0, 0.0, 60.0, 30.0])
    return Scene(
        name, opened, start, goal, [Move(np.arange(n), (45.5, 14.5))], inside=inside, ticks=n * 24 // width + 900
    )


def antipodal_rooms(seed: int = 1) -> Scene:
    """Four rooms round a hall change people with the room across."""
    opened = ground(45, 45)
    opened[14, 1:44] = opened[30, 1:44] = False
    opened[1:44, 14] = opened[1:44, 30] = False
    for a, b in ((14, 22), (30, 22)):
        opened[a, b - 1 : b + 2] = True
        opened[b - 1 : b + 2, a] = True
    rooms = [(18.0, 3.5), (18.0, 33.5), (3.5, 18.0), (33.5, 18.0)]
    start = jittered(np.vstack([block(x, y, 5, 5, 1.6) for x, y in rooms]), 0.2, seed)
    order = (1, 0, 3, 2)
    goal = np.vstack([block(*rooms[k], 5, 5, 1.6) for k in order])
    return each(Scene("antipodal_rooms", opened, start, goal, ticks=1400))


def streams(kind: str, n: int = 100, seed: int = 1) -> Scene:
    """Return four streams of ``n`` units that cross in hallways ten tiles wide.

    ``kind`` is open, corners, pillar or rounded.
    """
    size, lo, hi = 90, 40, 50
    opened = ground(size, size)
    if kind != "open":
        for ys in (slice(0, lo), slice(hi, size)):
            for xs in (slice(0, lo), slice(hi, size)):
                opened[ys, xs] = False
    if kind == "pillar":
        opened[44:46, 44:46] = False
    if kind == "rounded":
        for y in range(lo - 4, hi + 4):
            for x in range(lo - 4, hi + 4):
                cy = lo - 4 if y < lo else hi + 4 if y >= hi else None
                cx = lo - 4 if x < lo else hi + 4 if x >= hi else None
                if cy is not None and cx is not None:
                    opened[y, x] = (y + 0.5 - cy) ** 2 + (x + 0.5 - cx) ** 2 > 16.0
    across, along = 8, -(-n // 8)
    west = block(2.0, 41.0, along, across, 1.15)[:n]
    east = west + (size - 4.0 - 1.15 * (along - 1), 0.0)
    north, south = west[:, ::-1].copy(), east[:, ::-1].copy()
    start = jittered(np.vstack([west, east, north, south]), 0.1, seed)
    goal = np.vstack([east, west, south, north])
    return each(Scene(f"streams_{kind}", opened, start, goal, radius=1.5, ticks=2600))


def room(n: int, doors: int, seed: int = 1) -> Scene:
    """Return a room that ``n`` units leave through one door or two.

    A door is one tile wide.
    """
    side = math.ceil(math.sqrt(n) * 1.25) + 4
    opened = ground(side + 30, side + 4)
    wall = side + 1
    opened[1:-1, wall] = False
    for row in [side // 2] if doors == 1 else [side // 4, side - side // 4]:
        opened[row, wall] = True
    k = math.ceil(math.sqrt(n))
    start = jittered(block(2.5, 2.5, k, k, 1.2)[:n], 0.15, seed)
    goal = block(wall + 4.0, 2.5, k, k, 1.2)[:n]
    inside = np.array([wall + 1.0, 0.0, side + 30.0, side + 4.0])
    at = (wall + 15.5, side / 2)
    return Scene(
        f"room_{n}_{doors}", opened, start, goal, [Move(np.arange(n), at)], inside=inside, ticks=n * 24 // doors + 900
    )


def office(seed: int = 1) -> Scene:
    """Return forty small rooms of ten units along two corridors.

    All units move to one place in a yard.
    """
    opened = ground(90, 40)
    rooms = []
    for y0, y1, door in ((2, 8, 8), (12, 18, 11), (22, 28, 28), (32, 38, 31)):
        opened[y0 - 1, 1:62] = opened[y1, 1:62] = False
        for k in range(10):
            x0 = 2 + 6 * k
            opened[y0:y1, x0 - 1] = opened[y0:y1, x0 + 5] = False
            rooms.append((x0, y0))
            opened[door, x0 + 2] = True
    start = np.vstack([block(x + 0.6, y + 0.8, 4, 3, 1.2)[:10] for x, y in rooms])
    opened[1:39, 62:89] = True
    spot = (75.5, 19.5)
    goal = block(65.0, 8.0, 20, 20, 1.1)
    n = len(start)
    return Scene("office_400", opened, jittered(start, 0.1, seed), goal[:n], [Move(np.arange(n), spot)], radius=0.0,
                 inside=np.array([62.0, 0.0, 90.0, 40.0]), ticks=3000)  # fmt: skip


def seats(fill: bool, seed: int = 1) -> Scene:
    """Return six rows of ten seats; units file in from the hall, or out."""
    opened = ground(40, 30)
    rows = np.vstack([[(8.5 + k, 4.5 + 3 * r) for k in range(10)] for r in range(6)])
    for r in range(7):
        opened[3 + 3 * r, 7:19] = False
    for r in range(6):
        opened[4 + 3 * r : 6 + 3 * r, 19] = True
        opened[4 + 3 * r : 6 + 3 * r, 6] = True
    hall = block(25.5, 8.5, 10, 6, 1.2)
    start, goal = (hall, rows) if fill else (rows, hall)
    return each(Scene("seats_fill" if fill else "seats_empty", opened, jittered(start, 0.1, seed), goal, ticks=1600))


def bridge_both(seed: int = 1) -> Scene:
    """Return a bridge on which thirty units from each side change sides.

    The bridge is one tile wide and six tiles long.
    """
    opened = ground(50, 24)
    opened[1:23, 22:28] = False
    opened[12, 22:28] = True
    left, right = block(4.0, 7.5, 5, 6, 1.5), block(38.0, 7.5, 5, 6, 1.5)
    start = jittered(np.vstack([left, right]), 0.1, seed)
    return each(Scene("bridge_both_60", opened, start, np.vstack([right, left]), ticks=2600))


def passage(n: int, shape: str = "", seed: int = 1) -> Scene:
    """``n`` one way through a passage of one tile, loose or in a formation."""
    opened = ground(90, 60)
    opened[1:59, 40] = False
    opened[30, 40] = True
    k = math.ceil(math.sqrt(n))
    start = jittered(block(16.0, 22.0, k, k, 1.2)[:n], 0.1, seed)
    goal = block(52.0, 22.0, k, k, 1.2)[:n]
    inside = np.array([41.0, 0.0, 90.0, 60.0])
    moves = [Move(np.arange(n), (64.5, 30.5), shape)]
    return Scene(f"passage_{n}_{shape or 'loose'}", opened, start, goal, moves, inside=inside, ticks=n * 20 + 1500)


def all_scenes() -> dict[str, Callable[[], Scene]]:
    """Name -> what makes the scene."""
    out: dict[str, Callable[[], Scene]] = {}
    for n in (60, 100, 250, 1000):
        for seed in (1, 2, 3) if n < 1000 else (1,):
            out[f"circle_{n}_s{seed}"] = lambda n=n, seed=seed: circle(n, seed)  # type: ignore[misc]
        if n < 1000:
            out[f"circle_{n}_perfect"] = lambda n=n: circle(n, 0)  # type: ignore[misc]
    out["blocks"] = blocks
    out["roadmap"] = lambda: blocks(roadmap=True)
    out["corridor"] = corridor
    out["crossing_dense"] = lambda: crossing(True)
    out["crossing_sparse"] = lambda: crossing(False)
    out["bottleneck_1"] = lambda: bottleneck(1)
    out["bottleneck_2"] = lambda: bottleneck(2)
    out["antipodal_rooms"] = antipodal_rooms
    for kind in ("open", "corners", "pillar", "rounded"):
        out[f"streams_{kind}"] = lambda kind=kind: streams(kind)  # type: ignore[misc]
    for n in (100, 400):
        for doors in (1, 2):
            out[f"room_{n}_{doors}"] = lambda n=n, doors=doors: room(n, doors)  # type: ignore[misc]
    out["office_400"] = office
    out["seats_empty"] = lambda: seats(False)
    out["seats_fill"] = lambda: seats(True)
    out["bridge_both_60"] = bridge_both
    for n in (40, 60, 150):
        out[f"passage_{n}_loose"] = lambda n=n: passage(n)  # type: ignore[misc]
    for shape in ("line", "column", "wedge", "vee", "box"):
        out[f"passage_60_{shape}"] = lambda shape=shape: passage(60, shape)  # type: ignore[misc]
    return out
