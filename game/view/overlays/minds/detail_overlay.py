"""Overlay of the level of detail of each figure."""

from __future__ import annotations

import numpy as np
import pygame

from ai.animation.animation_lod import OUT, PART_NAMES
from game.view.overlays.overlay import Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.painting.camera import Camera
from game.view.painting.palette import RGB
from game.view.units.figure_levels import FigureLevels
from game.view.units.order_marks import dashed

COLOURS = (3, 1, 5)
"""Category colours of the levels, the finest first.

A level beyond them takes the last.
"""


@overlay
class DetailOverlay(Overlay):
    """Level of detail of each figure, as a ring."""

    name, title, channel, scope = "detail", "Level of detail", Channel.MARK, Scope.ALL
    question = "Which parts of each figure are posed, and how often?"
    zoom = 32

    def _levels(self, context: LabContext) -> FigureLevels:
        levels: FigureLevels = context.scene.figures.levels
        return levels

    def _colour(self, context: LabContext, level: int) -> RGB:
        colour: RGB = context.palette.ramps["okabe_ito"][COLOURS[min(level, len(COLOURS) - 1)]]
        return colour

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw a ring round each posed figure, and the box of the window."""
        p, levels = context.playing.picture, self._levels(context)
        self.zoom = camera.zoom
        rows = context.on_screen(camera, self.scope, alpha)
        x, y, _ = p.between(alpha)
        if levels.window is not None:
            corners = [camera.to_screen(*at) for at in levels.window.points]
            dashed(surface, [*corners, corners[0]], self._colour(context, 0), context.palette["rim"], 2, 9, 6)
        found = levels.levels(p, rows, camera.zoom)[1] if levels.on else np.zeros(len(rows), np.int64)
        radius = max(camera.zoom * 5 // 8, 4)
        for r, level in zip(rows.tolist(), found.tolist(), strict=True):
            if level == OUT:
                continue
            at = camera.to_screen(float(x[r]), float(y[r]))
            pygame.draw.circle(surface, context.palette["rim"], at, radius + 1, 4)
            pygame.draw.circle(surface, self._colour(context, level), at, radius, 2)

    def _words(self, context: LabContext, klass: int, level: int) -> tuple[str, str]:
        sets = self._levels(context).detail.sets
        bits = int(sets.parts[klass, level])
        parts = ", ".join(name for k, name in enumerate(PART_NAMES) if bits >> k & 1)
        every = int(sets.every[klass, level])
        return parts, "each tick" if every == 1 else f"every {every} ticks"

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the parts of each level of a person."""
        number = self._levels(context).detail.sets.least.shape[1]
        rows = [
            LegendRow(parts, self._colour(context, level), often, "ring")
            for level in range(number)
            for parts, often in (self._words(context, 0, level),)
        ]
        return [*rows, LegendRow("nothing: out of view", context.palette["ink"], "no ring")]

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the parts of the figure under the cursor."""
        r = context.row_at(self.scope, x, y)
        if r < 0:
            return ""
        levels = self._levels(context)
        if not levels.on:
            return "all, in every tick"
        klass, level = levels.levels(context.playing.picture, np.array([r]), self.zoom)
        if level[0] == OUT:
            return "nothing is posed"
        return " ".join(self._words(context, int(klass[0]), int(level[0])))
