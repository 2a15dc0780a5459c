"""Areas and chokes: rooms, and the openings that connect them.

Sources: Martin Walsh, "Modeling Perception and Awareness in Splinter Cell Blacklist", Game AI Pro 2, ch. 28 (tactical
environment graph, 28.3.1; chokes first, then flood fill; sound distance, 28.4.1); Kevin Dill, Game AI Pro 2, ch. 31
(cul-de-sacs, choke points by depth-limited search, 31.3.7). The rule for narrow passages on tiles is our addition.

An *open* tile lets sound and sight pass. A *choke* is a door, or a passage between walls that is at most two tiles
wide; windows are chokes that no unit walks through. The rest falls apart into *areas*. A choke that joins an area only
with itself does not count, and its tiles belong to that area.

Sound travels straight within an area. Between areas it travels from choke to choke, along the shortest path over the
choke graph. A shut door adds to the path. So a wall silences, a corridor carries, and closing a door changes the set of
units that hear a sound.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ai.core.kernels import device, kernel

WIDEST = 2
"""Largest width of a choke between its walls, in tiles."""

MOST_CHOKES = 1024
"""Largest number of chokes with sound paths; more narrow passages are left out.

Doors are never left out.
"""

Box = tuple[int, int, int, int]
Places = float | NDArray[np.float64]


@dataclass(frozen=True)
class Choke:
    """An opening between areas.

    ``x, y`` is its middle in tiles. ``areas`` are the areas it joins (ascending). ``door`` is its index or -1.
    """

    x: float
    y: float
    tiles: tuple[tuple[int, int], ...]
    areas: tuple[int, ...]
    walkable: bool
    door: int = -1


@dataclass(eq=False)
class AreaGraph:
    """The areas of a map.

    ``area: int32[H, W]`` is the number of an area, -1 in walls, ``-2 - k`` on choke ``k``.
    """

    area: NDArray[np.int32]
    count: int
    chokes: tuple[Choke, ...]
    dissolved: int
    """Number of narrow passages that joined an area only with itself."""
    first: NDArray[np.int32]
    member: NDArray[np.int32]
    """Chokes of area ``a`` are ``member[first[a]:first[a + 1]]``."""
    first_area: NDArray[np.int32]
    area_of: NDArray[np.int32]
    """Areas of choke ``k`` are ``area_of[first_area[k]:first_area[k + 1]]``."""
    place: NDArray[np.float64]
    """Position and sound cost of each choke, ``float64[K, 3]``.

    A row is x, y, and the tiles that a passage adds to a sound's path.
    """
    far: NDArray[np.float64]
    """``float64[K, K]``: path lengths between chokes; infinite without a path.

    Half of what passing each end adds is included.
    """

    def areas_at(self, x: float, y: float) -> tuple[int, ...]:
        """Return the areas at (x, y).

        There is one area, those that a choke joins, or none in a wall or off the map.
        """
        height, width = self.area.shape
        ty, tx = int(np.floor(y)), int(np.floor(x))
        if not (0 <= ty < height and 0 <= tx < width):
            return ()
        code = int(self.area[ty, tx])
        if code <= -2:
            return self.chokes[-2 - code].areas
        return (code,) if code >= 0 else ()

    def chokes_of(self, area: int) -> list[int]:
        """Return the chokes of an area, ascending."""
        return [int(k) for k in self.member[self.first[area] : self.first[area + 1]]]

    def neighbours(self, area: int, walkable: bool = False) -> list[int]:
        """Return the areas one choke away, ascending.

        With ``walkable``, only those reachable on foot.
        """
        found = {
            other
            for k in self.chokes_of(area)
            if self.chokes[k].walkable or not walkable
            for other in self.chokes[k].areas
        }
        return sorted(found - {area})

    def path(self, start: int, goal: int, walkable: bool = False) -> list[int] | None:
        """Return the areas from ``start`` to ``goal`` with the fewest chokes, or None.

        Ties go to smaller numbers.
        """
        parents = {start: start}
        todo = deque([start])
        while todo:
            at = todo.popleft()
            if at == goal:
                path = [at]
                while path[-1] != start:
                    path.append(parents[path[-1]])
                return path[::-1]
            for other in self.neighbours(at, walkable):
                if other not in parents:
                    parents[other] = at
                    todo.append(other)
        return None

    def between(self, one: int, other: int, walkable: bool = False) -> list[int]:
        """Return the chokes that join two areas directly, ascending."""
        return [
            k
            for k in self.chokes_of(one)
            if other in self.chokes[k].areas and (self.chokes[k].walkable or not walkable)
        ]

    def dead_end(self, area: int) -> bool:
        """Return whether a single choke is the only walkable access to an area."""
        return sum(self.chokes[k].walkable for k in self.chokes_of(area)) == 1

    def mute(self, adds: Sequence[float]) -> None:
        """Set the tiles that each door adds to the path of a sound.

        ``adds`` is in the order of door indices; 0 is open.
        """
        extra = np.array([adds[c.door] if c.door >= 0 else 0.0 for c in self.chokes], np.float64)
        if self.far.size == 0 or not np.array_equal(extra, self.place[:, 2]):
            self.place[:, 2] = extra
            self.far = _paths_found(self)

    def distance(self, ax: float, ay: float, bx: float, by: float) -> float:
        """Return the tiles that a sound travels from (ax, ay) to (bx, by).

        The result is infinite when the sound does not arrive.
        """
        return float(self.distances(ax, ay, np.array([bx]), np.array([by]))[0])

    def distances(
        self, ax: Places, ay: Places, bx: NDArray[np.float64], by: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return :meth:`distance` to many positions, ``float64[n]``.

        The sounds start at one position, or at one per row. ValueError when the shapes do not fit.
        """
        to_x, to_y = (np.ascontiguousarray(v, np.float64) for v in (bx, by))
        from_x, from_y = (np.array(np.broadcast_to(v, to_x.shape), np.float64) for v in (ax, ay))
        if to_x.ndim != 1 or to_y.shape != to_x.shape:
            raise ValueError(f"bx and by must both be [n], got {to_x.shape} and {to_y.shape}")
        out = np.empty(len(to_x))
        sound_paths(
            self.area, self.first, self.member, self.first_area, self.area_of, self.place, self.far, from_x, from_y,
            to_x, to_y, out,
        )  # fmt: skip
        return out

    def adjacency(self) -> list[list[int]]:
        """Return the areas joined on foot, by area.

        For cul-de-sacs and choke areas.
        """
        return [self.neighbours(a, walkable=True) for a in range(self.count)]


def area_graph(is_open: NDArray[np.bool_], walkable: NDArray[np.bool_], doors: Sequence[Box] = ()) -> AreaGraph:
    """Build the graph: chokes first, then areas.

    ``is_open, walkable: bool[H, W]``; ``doors`` are boxes ``(y0, x0, y1, x1)``. A door of any width is a choke, shut or
    open. Raises ValueError for shapes that differ.
    """
    from scipy.ndimage import label  # slow to import, and some levels have no sound

    if is_open.shape != walkable.shape or is_open.ndim != 2:
        raise ValueError(f"is_open and walkable must be of one shape, got {is_open.shape} and {walkable.shape}")
    height, width = is_open.shape
    passage = np.array(is_open, np.bool_)
    owner = np.full((height, width), -1, np.int32)
    groups: list[tuple[list[tuple[int, int]], int]] = []
    for number, (y0, x0, y1, x1) in enumerate(doors):
        tiles = [(y, x) for y in range(max(0, y0), min(height, y1)) for x in range(max(0, x0), min(width, x1))]
        if tiles:
            at = _index(tiles)
            passage[at], owner[at] = True, len(groups)
            groups.append((tiles, number))
    narrow = _narrow(passage)
    narrow &= owner < 0
    marks, found = label(narrow, np.ones((3, 3)))
    if found and found + len(groups) <= MOST_CHOKES:
        order = np.argsort(marks, axis=None, kind="stable")
        order = order[np.searchsorted(marks.reshape(-1)[order], 1) :]
        for part in np.split(order, np.flatnonzero(np.diff(marks.reshape(-1)[order])) + 1):
            tiles = [divmod(int(i), width) for i in part]
            owner[_index(tiles)] = len(groups)
            groups.append((tiles, -1))
    areas, count = label(passage & (owner < 0))
    area = areas.astype(np.int32) - 1
    chokes: list[Choke] = []
    dissolved = 0
    kept: list[tuple[list[tuple[int, int]], int, tuple[int, ...]]] = []
    for tiles, door in groups:
        touched = set()
        for y, x in tiles:
            for ny, nx in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
                if 0 <= ny < height and 0 <= nx < width and area[ny, nx] >= 0 and owner[ny, nx] < 0:
                    touched.add(int(area[ny, nx]))
        kept.append((tiles, door, tuple(sorted(touched))))
    for tiles, door, touches in kept:
        rows, columns = _index(tiles)
        if len(touches) < 2:
            # It joins an area only with itself, so it is no choke.
            dissolved += 1
            if touches:
                area[rows, columns] = touches[0]
            else:
                area[rows, columns] = count
                count += 1
            continue
        area[rows, columns] = -2 - len(chokes)
        middle_y, middle_x = float(np.mean(rows)) + 0.5, float(np.mean(columns)) + 0.5
        on_foot = bool(walkable[rows, columns].any()) or door >= 0
        chokes.append(Choke(middle_x, middle_y, tuple(sorted(tiles)), touches, on_foot, door))
    by_area: list[list[int]] = [[] for _ in range(count)]
    for k, choke in enumerate(chokes):
        for a in choke.areas:
            by_area[a].append(k)
    first, member = _ragged(by_area)
    first_area, area_of = _ragged([list(c.areas) for c in chokes])
    place = np.array([(c.x, c.y, 0.0) for c in chokes], np.float64).reshape(-1, 3)
    none = np.zeros((0, 0))
    made = AreaGraph(area, count, tuple(chokes), dissolved, first, member, first_area, area_of, place, none)
    made.far = _paths_found(made)
    return made


def _index(tiles: Sequence[tuple[int, int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    rows, columns = np.array(tiles, np.int64).T
    return rows, columns


def _ragged(rows: Sequence[Sequence[int]]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    starts = np.concatenate([[0], np.cumsum([len(r) for r in rows])]).astype(np.int32)
    return starts, np.array([v for r in rows for v in r], np.int32)


def _narrow(passage: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return tiles of narrow passages at their narrow ends.

    A passage is at most ``WIDEST`` wide and narrower there than on at least one of its two sides. In a corridor these
    are its mouths; a doorway in a wall is one mouth.
    """
    out = np.zeros_like(passage)
    for turned in (False, True):
        grid = passage.T if turned else passage
        wide = _run_widths(grid)
        here = (wide > 0) & (wide <= WIDEST)
        before, after = np.zeros_like(wide), np.zeros_like(wide)
        before[1:], after[:-1] = wide[:-1], wide[1:]
        # Open on both sides along the passage, and wider on at least one of them.
        through = here & (before > 0) & (after > 0) & ((before > wide) | (after > wide))
        out |= through.T if turned else through
    return out


def _run_widths(grid: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Return the run length of open tiles along a row.

    Each open tile gets the length of its run; walls get 0.
    """
    height, width = grid.shape
    padded = np.zeros((height, width + 2), np.int8)
    padded[:, 1:-1] = grid
    step = np.diff(padded, axis=1)
    starts, ends = np.argwhere(step == 1), np.argwhere(step == -1)
    lengths = (ends[:, 1] - starts[:, 1]).astype(np.int32)
    out = np.zeros((height, width), np.int32)
    out[grid] = np.repeat(lengths, lengths)
    return out


def _paths_found(graph: AreaGraph) -> NDArray[np.float64]:
    """Return all shortest paths between chokes over legs within one area."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import shortest_path

    n = len(graph.chokes)
    if n == 0:
        return np.zeros((0, 0))
    best: dict[tuple[int, int], float] = {}
    for area in range(graph.count):
        chokes = graph.chokes_of(area)
        for i in chokes:
            for j in chokes:
                if i < j:
                    leg = np.hypot(*(graph.place[i, :2] - graph.place[j, :2]))
                    best[i, j] = float(leg) + (graph.place[i, 2] + graph.place[j, 2]) / 2
    if not best:
        far = np.full((n, n), np.inf)
    else:
        rows, columns = zip(*best, strict=True)
        links = coo_array((list(best.values()), (rows, columns)), shape=(n, n)).tocsr()
        far = shortest_path(links, method="D", directed=False)
    far[np.arange(n), np.arange(n)] = 0.0
    return np.ascontiguousarray(far, np.float64)


def code_at(area, x, y):  # type: ignore[no-untyped-def]
    """Return the area code at a position.

    For a sound in solid rock it is the code of the first open tile beside it; -1 when there is none.
    """
    height, width = area.shape
    if not (x >= 0 and y >= 0 and x < width and y < height):
        return -1
    ty = int(y)
    tx = int(x)
    if area[ty, tx] != -1:
        return area[ty, tx]
    for k in range(4):
        ny = ty + (k == 0) - (k == 1)
        nx = tx + (k == 2) - (k == 3)
        if ny >= 0 and nx >= 0 and ny < height and nx < width and area[ny, nx] != -1:
            return area[ny, nx]
    return -1


_code_at_device = device(code_at)


@device
def _touches(first_area, area_of, choke, code):  # type: ignore[no-untyped-def]
    """Return whether a choke joins an area.

    ``code`` may also stand for a choke; then any area joined by that choke counts.
    """
    if code <= -2:
        for m in range(first_area[-2 - code], first_area[-1 - code]):
            for k in range(first_area[choke], first_area[choke + 1]):
                if area_of[m] == area_of[k]:
                    return True
        return False
    for m in range(first_area[choke], first_area[choke + 1]):  # noqa: SIM110 (a kernel knows no generators)
        if area_of[m] == code:
            return True
    return False


@device
def sound_path(area, first, member, first_area, area_of, place, far, ax, ay, bx, by):  # type: ignore[no-untyped-def]
    """Return the tiles that a sound travels from (ax, ay) to (bx, by).

    The result is infinite when the sound does not arrive.
    """
    a = _code_at_device(area, ax, ay)
    b = _code_at_device(area, bx, by)
    if a == -1 or b == -1:
        return np.inf
    direct = np.sqrt((ax - bx) * (ax - bx) + (ay - by) * (ay - by))
    if a == b:
        return direct
    if a <= -2 and _touches(first_area, area_of, -2 - a, b):
        return direct
    if b <= -2 and _touches(first_area, area_of, -2 - b, a):
        return direct
    best = np.inf
    from_first = -2 - a if a <= -2 else first[a]
    from_last = -1 - a if a <= -2 else first[a + 1]
    to_first = -2 - b if b <= -2 else first[b]
    to_last = -1 - b if b <= -2 else first[b + 1]
    for i in range(from_first, from_last):
        p = i if a <= -2 else member[i]
        start = np.sqrt((ax - place[p, 0]) ** 2 + (ay - place[p, 1]) ** 2) + place[p, 2] / 2
        if start >= best:
            continue
        for j in range(to_first, to_last):
            q = j if b <= -2 else member[j]
            end = np.sqrt((bx - place[q, 0]) ** 2 + (by - place[q, 1]) ** 2) + place[q, 2] / 2
            path = start + far[p, q] + end
            if path < best:
                best = path
    return best


@kernel(
    "void(int32[:,::1], int32[::1], int32[::1], int32[::1], int32[::1], float64[:,::1], float64[:,::1], float64[::1], "
    "float64[::1], float64[::1], float64[::1], float64[::1])"
)
def sound_paths(area, first, member, first_area, area_of, place, far, ax, ay, bx, by, out):  # type: ignore[no-untyped-def]
    """Write :func:`sound_path` of each pair into ``out``."""
    for i in range(len(out)):
        out[i] = sound_path(area, first, member, first_area, area_of, place, far, ax[i], ay[i], bx[i], by[i])


TECHNIQUES = (
    {
        "slug": "sound-through-rooms",
        "name": "Sound through doors and openings",
        "ids": ("GP2-28.11",),
        "source": "Game AI Pro 2, ch. 28",
        "functions": ("sound_path", "AreaGraph.distance"),
        "test": "tests/ai/grid/test_areas.py",
        "exhibit": "levels/exhibits/search/through_doors.toml",
        "overlay": "areas",
        "setting": "noise.shut_door",
        "parts": ("GP2-28.6", "GP2-28.7"),
        "measure": "events",
        "direction": "down",
        "claim": (
            "The shortest path over chokes takes the place of the greedy chain; a shut door adds tiles. Chokes are "
            "doors, and passages at most two tiles wide."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
