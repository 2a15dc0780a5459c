"""Overlays of crowds: predicted collisions and forces, context maps, and congestion."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pygame

from ai.paths.congestion.congestion_map import CELL
from ai.steering.avoidance.predicted_collisions import meetings_of
from ai.steering.settings_columns import Avoidance
from game.sim.stages.steer_stage import bodies_of
from game.view.overlays.grid_overlay import GridOverlay, Scale, even_scale
from game.view.overlays.motion.motion_overlays import LONGEST, MOST_UNITS, _arrow
from game.view.overlays.overlay import Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.painting.camera import Camera

PER_FORCE = 0.08
"""Length in tiles of an arrow for one tile/s2, up to LONGEST."""
MOST_MET = 4
INNER, OUTER = 0.55, 1.0
"""Distance of a rosette's bars and length of a full bar, in tiles."""
FULL = 1.5
"""Density in bodies a square tile at which the ramp ends."""
DRIFTS, PER_DRIFT = 0.3, 0.2
"""Smallest drift with an arrow, and half its length for each drift.

Drifts are in tiles/s, arrows in tiles for one tile/s.
"""
ARROWS_FROM, MOST_ARROWS = 12, 400
"""Smallest zoom with arrows, in pixels a tile; largest number of arrows.

The densest cells get them first.
"""


@overlay
class Forces(Overlay):
    """Predicted collisions of each unit and the force that avoids them (GP2 19)."""

    name, title, channel, scope = "forces", "Foreseen meetings", Channel.MARK, Scope.ALL
    question = "Which collisions does each unit predict, and how is it pushed?"

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw a line to each predicted contact, and the force as an arrow.

        The line is thick when the contact is less than a second away.
        """
        world, palette = context.world, context.palette
        x, y, _ = context.playing.picture.between(alpha)
        state = world.steering
        lines, rim = palette.ramps["okabe_ito"][4], palette["rim"]
        shown = context.on_screen(camera, self.scope, alpha, margin=LONGEST)[:MOST_UNITS]
        met = self._met(context, shown)
        for r in shown.tolist():
            if r >= len(state.force_x):
                continue
            at = camera.to_screen(float(x[r]), float(y[r]))
            for tau, ox, oy in met.get(r, [])[:MOST_MET]:
                pygame.draw.line(surface, lines, at, camera.to_screen(ox, oy), 3 if tau < 1.0 else 1)
            fx, fy = float(state.force_x[r]) * PER_FORCE, float(state.force_y[r]) * PER_FORCE
            size = math.hypot(fx, fy)
            if size > 0.05 and world.units.moving[r]:
                s = min(1.0, LONGEST / size)
                end = camera.to_screen(float(x[r]) + fx * s, float(y[r]) + fy * s)
                _arrow(surface, at, end, palette.overlay["whisker"], rim)

    def _met(self, context: LabContext, rows: np.ndarray) -> dict[int, list[tuple[float, float, float]]]:
        """Return row -> (seconds until contact, x, y of the other), soonest first."""
        world = context.world
        found = meetings_of(world.steering, world.settings.steering.packed(), bodies_of(world), rows)
        return {r: [(tau, ox, oy) for tau, ox, oy, _, _ in every.tolist()] for r, every in found.items()}

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the meaning of lines and arrow.

        Lines exist only while units predict collisions.
        """
        foresee = context.world.settings.steering.avoidance == Avoidance.TTC
        return [
            *(
                [LegendRow("contact there, thick: within 1 s", context.palette.ramps["okabe_ito"][4], "s", "line")]
                if foresee
                else []
            ),
            LegendRow("pushed", context.palette.overlay["whisker"], "tiles/s2", "line"),
        ]

    def empty(self, context: LabContext) -> str:
        """Return a message while no unit is pushed."""
        avoidance = context.world.settings.steering.avoidance
        if avoidance == Avoidance.NONE:
            return "no unit avoids others now (steering.avoidance)"
        state, rows = context.world.steering, context.rows(self.scope)
        rows = rows[rows < len(state.force_x)]
        pushed = np.any(state.force_x[rows] ** 2 + state.force_y[rows] ** 2 > 0.25)
        if avoidance == Avoidance.TTC:
            return "" if pushed else "no unit shown predicts a collision"
        return "" if pushed else "no unit shown is pushed"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the force on the nearest unit and its soonest contact."""
        r = context.row_at(self.scope, x, y)
        state = context.world.steering
        if not 0 <= r < len(state.force_x):
            return ""
        met = self._met(context, np.array([r])).get(r)
        soon = f", contact in {met[0][0]:.1f} s" if met else ""
        return f"pushed by {math.hypot(float(state.force_x[r]), float(state.force_y[r])):.1f} tiles/s2{soon}"


@overlay
class ContextMapRosettes(Overlay):
    """Interest and danger of each direction, and the chosen heading (GP2 18)."""

    name, title, channel, scope = "context_maps", "Context maps", Channel.MARK, Scope.SELECTED
    question = "How do interest and danger choose each unit's heading?"

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw a bar of interest and a bar of danger for each direction.

        Interest is green, danger orange, and the chosen heading an arrow in ink.
        """
        maps, palette = context.world.steering.maps, context.palette
        n = maps.interest.shape[1]
        if n == 0 or camera.zoom < 12:
            return
        x, y, _ = context.playing.picture.between(alpha)
        green, orange, rim, ink = (
            palette.ramps["okabe_ito"][1],
            palette.overlay["whisker"],
            palette["rim"],
            palette["ink"],
        )
        for r in context.on_screen(camera, self.scope, alpha, margin=LONGEST)[:MOST_UNITS].tolist():
            if r >= len(maps.interest) or math.isnan(float(maps.heading[r])):
                continue
            at = float(x[r]), float(y[r])
            least = float(maps.danger[r].min())
            for s in range(n):
                a = math.tau * s / n
                for value, colour, side in (
                    (float(maps.kept[r, s]), green, -0.06),
                    (float(maps.danger[r, s]), orange, 0.06),
                ):
                    if value < 0.02:
                        continue
                    # A direction with more than the least danger is barred; its interest does not count and is drawn
                    # thin.
                    barred = side < 0 and float(maps.danger[r, s]) > least
                    ux, uy = math.cos(a), math.sin(a)
                    px, py = at[0] - uy * side, at[1] + ux * side
                    end = INNER + OUTER * min(value, 1.0)
                    p0 = camera.to_screen(px + ux * INNER, py + uy * INNER)
                    p1 = camera.to_screen(px + ux * end, py + uy * end)
                    if not barred:
                        pygame.draw.line(surface, rim, p0, p1, 5)
                    pygame.draw.line(surface, colour, p0, p1, 1 if barred else 3)
            a = float(maps.heading[r])
            length = INNER + OUTER + 0.3
            start = camera.to_screen(at[0] + math.cos(a) * INNER, at[1] + math.sin(a) * INNER)
            end_at = camera.to_screen(at[0] + math.cos(a) * length, at[1] + math.sin(a) * length)
            _arrow(surface, start, end_at, ink, rim)

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the meaning of bars and arrow."""
        palette = context.palette
        return [
            LegendRow("interest (thin: barred by danger)", palette.ramps["okabe_ito"][1], "0 to 1", "line"),
            LegendRow("danger", palette.overlay["whisker"], "0 to 1", "line"),
            LegendRow("heading chosen", palette["ink"], "", "line"),
        ]

    def empty(self, context: LabContext) -> str:
        """Return a message while no unit steers by context maps."""
        if context.world.steering.maps.interest.shape[1] == 0:
            return "no unit steers by context maps now"
        return super().empty(context)

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the strongest interest and danger of the nearest unit."""
        maps, r = context.world.steering.maps, context.row_at(self.scope, x, y, 1.5)
        if not 0 <= r < len(maps.interest) or maps.interest.shape[1] == 0:
            return ""
        return f"interest up to {maps.kept[r].max():.2f}, danger up to {maps.danger[r].max():.2f}"


@overlay
class Congestion(GridOverlay):
    """Crowd density by the last published congestion map (GP2 17)."""

    name, title, channel, scope = "congestion", "Congestion", Channel.FILL, Scope.ALL
    question = "Where is it crowded, and where does the crowd move?"

    def stamp(self, context: LabContext) -> Any:
        """Return a key that changes with the published map."""
        return context.world.crowding.map.tick if context.world.crowding is not None else -1

    def scale(self, context: LabContext) -> Scale:
        """Return steps of density."""
        return even_scale(tuple(context.palette.ramps["cividis"]), 0.0, FULL, more=True, parts=2)

    def values(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return the density between the middles of cells; nothing on empty ground."""
        crowd = context.world.crowding
        if crowd is None:
            return np.full((y1 - y0, x1 - x0), np.nan)
        gy = np.clip((np.arange(y0, y1) + 0.5) / 2.0 - 0.5, 0, crowd.map.density.shape[0] - 1.001)
        gx = np.clip((np.arange(x0, x1) + 0.5) / 2.0 - 0.5, 0, crowd.map.density.shape[1] - 1.001)
        iy, ix = gy.astype(int), gx.astype(int)
        fy, fx = (gy - iy)[:, None], (gx - ix)[None]
        d = crowd.map.density
        here = (d[iy][:, ix] * (1 - fx) + d[iy][:, ix + 1] * fx) * (1 - fy)
        here += (d[iy + 1][:, ix] * (1 - fx) + d[iy + 1][:, ix + 1] * fx) * fy
        return np.where(here > 0.02, here, np.nan)

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw an arrow in each cell along the mean velocity of its bodies."""
        crowd = context.world.crowding
        if crowd is None or camera.zoom < ARROWS_FROM:
            return
        y0, x0, y1, x1 = camera.visible_tiles()
        part = slice(y0 // CELL, y1 // CELL + 1), slice(x0 // CELL, x1 // CELL + 1)
        density, vx, vy = crowd.map.density[part], crowd.map.vx[part], crowd.map.vy[part]
        here = np.flatnonzero((density > 0.1) & (np.hypot(vx, vy) > DRIFTS))
        here = here[np.argsort(-density.ravel()[here], kind="stable")][:MOST_ARROWS]
        ink, rim = context.palette["ink"], context.palette["rim"]
        for cy, cx in zip(*np.unravel_index(here, density.shape), strict=True):
            x, y = (cx + part[1].start + 0.5) * CELL, (cy + part[0].start + 0.5) * CELL
            dx, dy = float(vx[cy, cx]) * PER_DRIFT, float(vy[cy, cx]) * PER_DRIFT
            _arrow(surface, camera.to_screen(x - dx, y - dy), camera.to_screen(x + dx, y + dy), ink, rim)

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the meaning of ramp and arrows."""
        return [
            self.scale(context).row("", "bodies a square tile"),
            LegendRow("drift of the crowd", context.palette["ink"], "tiles/s", "line"),
        ]

    def empty(self, context: LabContext) -> str:
        """Return a message while paths do not avoid crowds.

        Without that switch no congestion map is made.
        """
        return "" if context.world.crowding is not None else "paths do not avoid crowds now (crowding.on)"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return density and mean velocity of the cell."""
        crowd = context.world.crowding
        if crowd is None:
            return "not computed"
        cy, cx = int(y) // 2, int(x) // 2
        vx, vy = float(crowd.map.vx[cy, cx]), float(crowd.map.vy[cy, cx])
        return f"{crowd.map.density[cy, cx]:.2f} bodies a square tile, drift {vx:+.1f}, {vy:+.1f} tiles/s"
