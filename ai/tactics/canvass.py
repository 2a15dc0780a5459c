"""Canvassing: a look around a place that always shows the most unseen tiles next.

Source: Mark Botta, "Infected AI in The Last of Us", Game AI Pro 2, ch. 33, 33.4.1 (a grid of cells around the start,
clips with an end pose, unseen cells counted in a wedge before it). The clips on tiles and the penalty are our
additions.

A unit at a hiding place turns on the spot (:func:`look_about`, each turn once). The first unit at a place uses the
turns and steps of ``FAR``, where there is room, with a penalty for recent clips (:func:`go_about`). It stays within the
given time, and includes the hiding places of the shared search that it cannot see from its position.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ai.perception.sight.shadowcast import SightBits
from ai.perception.sight.view_cone import in_sector, sector
from ai.tactics.glances import reach_of_ray

NEAR = tuple((0.0, 0.0, k * math.pi / 4) for k in range(1, 8))
"""Turns on the spot, ``(ahead, aside, turn)`` in tiles and radians.

They are relative to the body.
"""
FAR = (*NEAR, *((math.cos(a) * 2.0, math.sin(a) * 2.0, a) for a in (k * math.pi / 4 for k in range(8))))
"""Turns on the spot, and steps of two tiles."""
WIDE = 60
"""Tiles in view within six tiles that leave room for steps.

A full circle has 113.
"""
SPOT_WORTH = 12
"""Number of tiles that a visible hiding place counts as."""
FORGET = 3.0
"""Choices after which a played clip counts two thirds again."""


@dataclass(frozen=True)
class Pose:
    """End of a clip: position in tiles, heading in radians, and unseen tiles.

    The count of unseen tiles includes ``SPOT_WORTH`` for each hiding place among them.
    """

    x: float
    y: float
    heading: float
    clip: int
    unseen: int
    spots: int = 0
    """Number of hiding places among them."""


class Canvass:
    """Look around a place.

    ``seen: bool[h, w]`` covers the square around the start at ``(y0, x0)``.
    """

    def __init__(
        self,
        opaque: NDArray[np.uint8],
        x: float,
        y: float,
        radius: float,
        spots: Iterable[tuple[float, float]] = (),
    ) -> None:
        """Start with ``spots``: hiding places, ``(x, y)`` in tiles."""
        height, width = opaque.shape
        self.y0, self.x0 = max(0, int(y - radius)), max(0, int(x - radius))
        y1, x1 = min(height, int(y + radius) + 1), min(width, int(x + radius) + 1)
        self.opaque = opaque
        part = opaque[self.y0 : y1, self.x0 : x1]
        ys, xs = np.arange(self.y0, y1)[:, None] + 0.5, np.arange(self.x0, x1)[None, :] + 0.5
        self.seen = (part != 0) | (np.hypot(xs - x, ys - y) > radius)
        self.worth = np.ones(self.seen.shape, np.int64)
        for sx, sy in spots:
            if self.x0 <= sx < x1 and self.y0 <= sy < y1:
                self.worth[int(sy) - self.y0, int(sx) - self.x0] = SPOT_WORTH
        self.age: dict[int, int] = {}
        self.choices = 0

    def options(
        self,
        bits: SightBits,
        x: float,
        y: float,
        heading: float,
        clips: Sequence[tuple[float, float, float]] = NEAR,
        half_angle: float = 0.6,
        reach: float = 6.0,
    ) -> list[Pose]:
        """Return the end poses of all clips without a collision, in clip order."""
        found = []
        views: dict[tuple[float, float], tuple[int, int, NDArray[np.bool_]]] = {}
        for number, (ahead, aside, turn) in enumerate(clips):
            px = x + ahead * math.cos(heading) - aside * math.sin(heading)
            py = y + ahead * math.sin(heading) + aside * math.cos(heading)
            if ahead or aside:
                px, py = math.floor(px) + 0.5, math.floor(py) + 0.5  # a unit walks to the middle of a tile
            if not self._free(x, y, px, py):
                continue
            if (px, py) not in views:
                views[px, py] = sector(bits, self.opaque, px, py, 0.0, math.pi, reach)
            towards = math.remainder(heading + turn, math.tau)
            fresh = self._wedge(views[px, py], px, py, towards, half_angle, reach) & ~self.seen
            worth = self.worth[fresh]
            shows = int(np.count_nonzero(worth > 1))
            found.append(Pose(px, py, towards, number, int(worth.sum()), shows))
        return found

    def choose(self, options: Sequence[Pose]) -> Pose | None:
        """Return the option that shows the most, or None when none shows new tiles.

        Recently played clips count less.
        """
        best, score = None, 0.0
        for pose in options:
            ago = self.choices - self.age.get(pose.clip, -1_000_000)
            worth = pose.unseen * (1.0 - math.exp(-ago / FORGET))
            if worth > score:
                best, score = pose, worth
        return best

    def play(self, bits: SightBits, pose: Pose, half_angle: float = 0.6, reach: float = 6.0) -> None:
        """Mark the tiles in the wedge of ``pose`` as seen, after a clip."""
        view = sector(bits, self.opaque, pose.x, pose.y, 0.0, math.pi, reach)
        self.seen |= self._wedge(view, pose.x, pose.y, pose.heading, half_angle, reach)
        self.choices += 1
        self.age[pose.clip] = self.choices

    def _wedge(
        self,
        view: tuple[int, int, NDArray[np.bool_]],
        x: float,
        y: float,
        heading: float,
        half_angle: float,
        reach: float,
    ) -> NDArray[np.bool_]:
        vy, vx, seen = view
        out = np.zeros_like(self.seen)
        ay, ax = max(vy, self.y0), max(vx, self.x0)
        by = min(vy + seen.shape[0], self.y0 + out.shape[0])
        bx = min(vx + seen.shape[1], self.x0 + out.shape[1])
        if ay < by and ax < bx:
            dy, dx = np.arange(ay, by)[:, None] + 0.5 - y, np.arange(ax, bx)[None, :] + 0.5 - x
            part = seen[ay - vy : by - vy, ax - vx : bx - vx] & in_sector(dx, dy, heading, half_angle, reach)
            out[ay - self.y0 : by - self.y0, ax - self.x0 : bx - self.x0] = part
        return out

    def _free(self, x: float, y: float, px: float, py: float) -> bool:
        """Return whether a pose and the path to it are clear of walls."""
        height, width = self.opaque.shape
        steps = max(1, math.ceil(math.hypot(px - x, py - y) / 0.25))
        for k in range(steps + 1):
            qx, qy = x + (px - x) * k / steps, y + (py - y) * k / steps
            if not (0 <= qx < width and 0 <= qy < height) or (self.opaque[int(qy), int(qx)] and (k or steps > 1)):
                return False
        return True


def faces_wall(opaque: NDArray[np.uint8], x: float, y: float, heading: float, hair: float = 0.0) -> bool:
    """Return whether a wall is directly in front of the eyes.

    The unit looks along ``heading`` from (x, y), or from ``hair`` beside it; the wall is one tile away.
    """
    if hair:
        corners = ((x + dx, y + dy) for dx in (-hair, hair) for dy in (-hair, hair))
        return any(faces_wall(opaque, cx, cy, heading) for cx, cy in corners)
    x, y = x + math.cos(heading), y + math.sin(heading)
    height, width = opaque.shape
    return not (0 <= x < width and 0 <= y < height) or bool(opaque[int(y), int(x)])


def openest(opaque: NDArray[np.uint8], x: float, y: float, heading: float) -> float:
    """Return the heading with the longest view of sixteen.

    Of equal headings the nearest to ``heading`` is taken.
    """
    headings = [heading + k * math.pi / 8 for k in (0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6, 7, -7, 8)]
    return max(headings, key=lambda a: reach_of_ray(opaque, x, y, math.cos(a), math.sin(a)))


def look_about(
    bits: SightBits, opaque: NDArray[np.uint8], x: float, y: float, heading: float, looks: int = 4, reach: float = 6.0
) -> list[float]:
    """Return headings for a look around on the spot.

    Each shows the most of the tiles not shown before.
    """
    canvass = Canvass(opaque, x, y, reach)
    found: list[float] = []
    at = heading
    clips = ((0.0, 0.0, 0.0), *NEAR)
    for _ in range(looks):
        options = canvass.options(bits, x, y, at, clips, reach=reach)
        pose = canvass.choose([p for p in options if not faces_wall(opaque, p.x, p.y, p.heading)])
        if pose is None:
            break
        canvass.play(bits, pose, reach=reach)
        canvass.age.clear()
        found.append(pose.heading)
        at = pose.heading
    return found


def go_about(
    bits: SightBits,
    opaque: NDArray[np.uint8],
    standing: NDArray[np.bool_],
    x: float,
    y: float,
    heading: float,
    time: float,
    look: float,
    tile: float,
    spots: Iterable[tuple[float, float]] = (),
    seen: NDArray[np.bool_] | None = None,
    reach: float = 6.0,
) -> list[Pose]:
    """Return poses for a look around by turns and steps.

    Each shows the most of the tiles not shown before. The list is empty where there is no room for steps. ``standing:
    bool[H, W]`` are the tiles where a unit can stand. All poses end within ``time`` ticks, with ``look`` ticks for each
    pose and ``tile`` ticks for each tile of a step. ``spots``: hiding places ``(x, y)`` to inspect; where some are
    near, every step must show at least one. ``seen: bool[H, W]``: tiles that need no look. Tiles in view now count as
    seen.
    """
    _, _, view = sector(bits, opaque, x, y, 0.0, math.pi, reach)
    if np.count_nonzero(view) < WIDE:
        return []
    canvass, found = Canvass(opaque, x, y, 1.5 * reach, spots), []
    canvass.play(bits, Pose(x, y, heading, -1, 0), reach=reach)
    if seen is not None:
        height, width = canvass.seen.shape
        canvass.seen |= seen[canvass.y0 : canvass.y0 + height, canvass.x0 : canvass.x0 + width]
    while time >= look:
        options = canvass.options(bits, x, y, heading, FAR, reach=reach)
        fits = [p for p in options if look + tile * math.hypot(p.x - x, p.y - y) <= time]
        if canvass.worth.max() > 1:
            fits = [p for p in fits if p.spots or (p.x, p.y) == (x, y)]
        pose = canvass.choose([p for p in fits if standing[int(p.y), int(p.x)] and _looks_free(opaque, p)])
        if pose is None:
            break
        canvass.play(bits, pose, reach=reach)
        found.append(pose)
        time -= look + tile * math.hypot(pose.x - x, pose.y - y)
        x, y, heading = pose.x, pose.y, pose.heading
    return found


def _looks_free(opaque: NDArray[np.uint8], pose: Pose) -> bool:
    """Return whether no wall is in front of the eyes, anywhere in the tile."""
    around = ((0.0, 0.0), (0.3, 0.0), (-0.3, 0.0), (0.0, 0.3), (0.0, -0.3))
    return not any(faces_wall(opaque, pose.x + dx, pose.y + dy, pose.heading) for dx, dy in around)


TECHNIQUES = (
    {
        "slug": "canvass",
        "name": "Canvassing unseen ground",
        "ids": ("GP2-33.8",),
        "source": "Game AI Pro 2, ch. 33",
        "functions": ("Canvass.options", "Canvass.choose"),
        "test": "tests/ai/tactics/test_canvass.py",
        "exhibit": "levels/exhibits/minds/canvass.toml",
        "overlay": "cones",
        "setting": "minds.canvass",
        "measure": "looked_over",
        "direction": "up",
        "claim": "Turns and steps between tiles take the place of clips.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
