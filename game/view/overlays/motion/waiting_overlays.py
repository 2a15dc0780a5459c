"""Overlays of standing crowds: density, and the unit that each unit waits for."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pygame

from game.view.overlays.grid_overlay import GridOverlay, Scale, even_scale
from game.view.overlays.motion.motion_overlays import LONGEST, _arrow
from game.view.overlays.overlay import Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.painting.camera import Camera
from game.view.units.order_marks import dashed
from game.world.world import World

PACKED = 2.0
"""Density in bodies a square tile at which the ramp ends.

Soldiers as dense as possible have 3.2.
"""
WAITS_FROM = 5
"""Ticks without progress from which a unit counts as waiting."""
AHEAD = 0.5
"""Cosine of the largest angle between wanted heading and a body ahead."""
MOST_WAITS = 200
LONGEST_CHAIN = 64
"""Largest number of units in a chain of waits that is followed."""
BEHIND, AT_PASSAGE, IN_CIRCLE = 4, 1, 5
"""Indices of the colours of the three kinds of waits among the categories."""


@overlay
class Density(GridOverlay):
    """Bodies a square tile of open ground around each tile."""

    name, title, channel, scope = "density", "Crowd density", Channel.FILL, Scope.ALL
    question = "How dense is the crowd here now?"
    like = "congestion"

    def scale(self, context: LabContext) -> Scale:
        """Return steps of density."""
        return even_scale(tuple(context.palette.ramps["cividis"]), 0.0, PACKED, more=True, parts=2)

    def values(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return the density; nothing on empty ground."""
        here = density_of(context, y0, x0, y1, x1)
        return np.where(here > 0.0, here, np.nan)

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the ramp with its ticks."""
        return [self.scale(context).row("", "bodies a square tile")]

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the density of the tile, and the mean speed of the bodies counted."""
        height, width = context.world.terrain.passable.shape
        if not (0 <= x < width and 0 <= y < height):
            return ""
        ty, tx = int(y), int(x)
        here = float(density_of(context, ty, tx, ty + 1, tx + 1)[0, 0])
        if here == 0.0:
            return "no unit here"
        p, rows = context.playing.picture, context.rows(self.scope)
        near = rows[(np.abs(np.floor(p.x[rows]) - tx) <= 1) & (np.abs(np.floor(p.y[rows]) - ty) <= 1)]
        speed = float(np.hypot(p.vx[near], p.vy[near]).mean())
        return f"{here:.2f} bodies a square tile, at {speed:.1f} tiles/s on average"


def density_of(context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
    """Return the density around each tile of a window, float64[h, w].

    It is the number of shown bodies on 3 by 3 tiles over the number of open ones of these tiles.
    """
    height, width = context.world.terrain.passable.shape
    p, rows = context.playing.picture, context.rows(Scope.ALL)
    bodies, open_tiles = np.zeros((2, y1 - y0 + 2, x1 - x0 + 2))
    ty, tx = np.floor(p.y[rows]).astype(int) - y0 + 1, np.floor(p.x[rows]).astype(int) - x0 + 1
    inside = (ty >= 0) & (ty < bodies.shape[0]) & (tx >= 0) & (tx < bodies.shape[1])
    np.add.at(bodies, (ty[inside], tx[inside]), 1.0)
    ys, xs = np.arange(y0 - 1, y1 + 1), np.arange(x0 - 1, x1 + 1)
    on_y, on_x = (ys >= 0) & (ys < height), (xs >= 0) & (xs < width)
    open_tiles[np.ix_(on_y, on_x)] = context.world.terrain.passable[np.ix_(ys[on_y], xs[on_x])] != 0
    count = _nine(bodies)
    return np.where(open_tiles[1:-1, 1:-1] > 0.0, count / np.maximum(_nine(open_tiles), 1.0), 0.0)


def _nine(values: np.ndarray) -> np.ndarray:
    """Return the sum of the 3 by 3 tiles around each inner tile."""
    rows = values[:-2] + values[1:-1] + values[2:]
    return np.asarray(rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:])


@overlay
class Waits(Overlay):
    """Wait of each unit: at a passage, behind a body, or in a circle."""

    name, title, channel, scope = "waits", "Waits", Channel.MARK, Scope.ALL
    question = "Which unit does each unit wait for?"
    like = "queue"

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw an arrow to the awaited unit, dashed at a passage.

        A unit that waits for no shown unit gets a ring.
        """
        palette = context.palette
        ramp, rim = palette.ramps["okabe_ito"], palette["rim"]
        p = context.playing.picture
        x, y, _ = p.between(alpha)
        for r in waiting_rows(context, camera, self.scope, alpha).tolist():
            at = camera.to_screen(float(x[r]), float(y[r]))
            awaited, kind = awaited_by(context, r)
            if awaited < 0:
                pygame.draw.circle(surface, palette["ink"], at, max(4, round(0.45 * camera.zoom)), 2)
                continue
            # The arrow ends at the edge of the awaited body.
            dx, dy = float(x[awaited] - x[r]), float(y[awaited] - y[r])
            far = math.hypot(dx, dy)
            share = max(0.0, far - 0.25) / max(far, 1e-9)
            to = camera.to_screen(float(x[r]) + dx * share, float(y[r]) + dy * share)
            if kind == AT_PASSAGE:
                dashed(surface, [at, to], ramp[kind], rim, 2, 6, 4)
            else:
                _arrow(surface, at, to, ramp[kind], rim)

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the meaning of the three kinds of waits, and of the ring."""
        ramp = context.palette.ramps["okabe_ito"]
        return [
            LegendRow("behind a unit", ramp[BEHIND], "", "line"),
            LegendRow("before a passage", ramp[AT_PASSAGE], "", "dash"),
            LegendRow("in a circle of waits", ramp[IN_CIRCLE], "", "line"),
            LegendRow("first of its queue", context.palette["ink"], "", "ring"),
        ]

    def empty(self, context: LabContext) -> str:
        """Return a message while no shown unit waits."""
        rows = context.rows(self.scope)
        return super().empty(context) or ("" if _waits(context.world, rows).any() else "no unit shown waits now")

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the wait of the nearest unit: awaited unit, kind and time.

        The time since a unit of its connected crowd made progress is added.
        """
        r, world = context.row_at(self.scope, x, y), context.world
        if r < 0 or not _waits(world, np.array([r]))[0]:
            return ""
        awaited, kind = awaited_by(context, r)
        p = context.playing.picture
        whom = "for no unit" if awaited < 0 else f"for {world.name_of(int(p.id[awaited]))}"
        how = {AT_PASSAGE: " before a passage", IN_CIRCLE: ", in a circle"}.get(kind, "")
        still = int(world.steering.still[r]) / 20.0
        return f"waits {whom}{how} for {int(world.units.stuck[r]) / 20.0:.1f} s; its crowd got on {still:.1f} s ago"


def _waits(world: World, rows: np.ndarray) -> np.ndarray:
    """Return bool[n]: units that want to move and make no progress.

    A unit that has to wait before a passage counts as well.
    """
    u, rows, at_passage = world.units, np.minimum(rows, world.units.count - 1), world.passages.waits_for
    told = np.isin(rows, np.flatnonzero(at_passage >= 0))
    return np.asarray((u.alive[rows] == 1) & (u.moving[rows] == 1) & ((u.stuck[rows] >= WAITS_FROM) | told))


def waiting_rows(context: LabContext, camera: Camera, scope: Scope, alpha: float) -> np.ndarray:
    """Return the rows of waiting units in the picture, at most ``MOST_WAITS``."""
    rows = context.on_screen(camera, scope, alpha, margin=LONGEST)
    rows = rows[rows < context.world.units.count]
    return np.asarray(rows[_waits(context.world, rows)][:MOST_WAITS])


def awaited_by(context: LabContext, row: int) -> tuple[int, int]:
    """Return (row of the awaited unit or -1, kind of the wait).

    Only shown units are awaited.
    """
    shown = set(context.shown.tolist())
    awaited, kind = _next(context.world, row, shown)
    if awaited >= 0 and kind == BEHIND:
        seen, at = {row}, awaited
        while at >= 0 and at not in seen and len(seen) < LONGEST_CHAIN:
            seen.add(at)
            at = _next(context.world, at, shown)[0]
        if at == row:
            kind = IN_CIRCLE
    return awaited, kind


def _next(world: World, row: int, shown: set[int]) -> tuple[int, int]:
    """Return (awaited row, kind): by the passage's choreographer, else the nearest body ahead."""
    u, passages, state = world.units, world.passages, world.steering
    if not _waits(world, np.array([row]))[0]:
        return -1, BEHIND
    if row < len(passages.waits_for) and passages.waits_for[row] >= 0:
        slot = u.slot(int(passages.waits_for[row]))
        if slot in shown:
            return slot, AT_PASSAGE
    wx, wy = (float(state.want_x[row]), float(state.want_y[row])) if row < len(state.want_x) else (0.0, 0.0)
    if math.hypot(wx, wy) < 0.05:
        wx, wy = float(u.goal_x[row] - u.x[row]), float(u.goal_y[row] - u.y[row])
    size, best, least = math.hypot(wx, wy), -1, math.inf
    for other in _contacts(state.spatial_hash, row):
        if other >= u.count or other not in shown or not u.alive[other]:
            continue
        dx, dy = float(u.x[other] - u.x[row]), float(u.y[other] - u.y[row])
        far = math.hypot(dx, dy)
        if dx * wx + dy * wy >= AHEAD * far * size and (far, other) < (least, best):
            best, least = other, far
    return best, BEHIND


def _contacts(lat: Any, row: int) -> list[int]:
    """Return the slots of bodies within contact distance at the last move."""
    if lat.count == 0 or row >= len(lat.rank) or not 0 <= lat.rank[row] < lat.count:
        return []
    j = int(lat.rank[row])
    if int(lat.order[j]) != row:
        return []
    return [int(lat.order[q]) for q in lat.contacts[j, : lat.contact_count[j]].tolist()]
