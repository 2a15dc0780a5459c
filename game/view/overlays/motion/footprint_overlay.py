"""Overlay of footprints: the last prints of units, and their feet now."""

from __future__ import annotations

import math
from collections import deque

import numpy as np
import pygame

from ai.animation.walking.planted_feet import HEADING, LEFT_DOWN, ROWS, TICKS, plant_feet, stand_feet
from game.view.overlays.overlay import Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.painting.camera import Camera

MOST_UNITS = 40
PRINTS = 24
"""Prints that are kept of a unit."""
LONG, WIDE = 0.26, 0.11
"""Size of a print in tiles."""
LEFT, RIGHT = 4, 2
"""Category colours of the feet."""


@overlay
class Footprints(Overlay):
    """Footprints of the selected units, and their feet now."""

    name, title, channel, scope = "footprints", "Footprints", Channel.MARK, Scope.SELECTED
    question = "Where did each foot come down, and does it stay there?"

    def __init__(self) -> None:
        self.tick = -1
        self.feet: dict[int, np.ndarray] = {}
        """State of the feet by unit id."""
        self.prints: dict[int, deque[tuple[int, float, float, float]]] = {}
        """Foot, place and heading of the last prints by unit id, oldest first."""

    def _follow(self, context: LabContext, rows: np.ndarray) -> None:
        """Take up the ticks since the last frame; a jump in time begins anew."""
        p, rules = context.playing.picture, context.world.settings
        if p.tick == self.tick:
            return
        if p.tick != self.tick + 1:
            self.feet, self.prints = {}, {}
        self.tick = p.tick
        legs = np.full(len(rows), rules.rules.leg)
        old = stand_feet(p.prev_x[rows], p.prev_y[rows], p.facing[rows], p.gait[rows], legs)
        ids = p.id[rows].tolist()
        for k, unit in enumerate(ids):
            if unit in self.feet:
                old[:, k] = self.feet[unit]
        body = p.x[rows], p.y[rows], (p.x - p.prev_x)[rows] * TICKS, (p.y - p.prev_y)[rows] * TICKS
        new = plant_feet(old, body, p.gait[rows], legs, rules.figures.planted_feet)
        self.feet = {unit: new[:, k] for k, unit in enumerate(ids)}
        for k, unit in enumerate(ids):
            kept = self.prints.setdefault(unit, deque(maxlen=PRINTS))
            for foot in (0, 1):
                if new[LEFT_DOWN + foot, k] > 0.0 and old[LEFT_DOWN + foot, k] == 0.0:
                    x, y, heading = new[[2 * foot, 2 * foot + 1, HEADING], k].tolist()
                    kept.append((foot, x, y, heading))

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw the prints of each unit, and a ring at each planted foot."""
        rows = context.on_screen(camera, self.scope, alpha)[:MOST_UNITS]
        self._follow(context, rows)
        colours = [context.palette.ramps["okabe_ito"][k] for k in (LEFT, RIGHT)]
        for unit in context.playing.picture.id[rows].tolist():
            for foot, x, y, heading in self.prints.get(unit, ()):
                self._print(surface, camera, (x, y), heading, colours[foot])
            state = self.feet.get(unit, np.zeros(ROWS))
            for foot in (0, 1):
                if state[LEFT_DOWN + foot] > 0.0:
                    at = camera.to_screen(float(state[2 * foot]), float(state[2 * foot + 1]))
                    pygame.draw.circle(surface, context.palette["rim"], at, max(camera.zoom // 7, 3) + 1, 3)
                    pygame.draw.circle(surface, colours[foot], at, max(camera.zoom // 7, 3), 2)

    @staticmethod
    def _print(
        surface: pygame.Surface, camera: Camera, at: tuple[float, float], heading: float, colour: tuple[int, int, int]
    ) -> None:
        """Draw one print as an outline that points ahead."""
        c, s = math.cos(heading), math.sin(heading)
        outline = []
        for k in range(10):
            a, b = LONG / 2 * math.cos(k * math.tau / 10), WIDE / 2 * math.sin(k * math.tau / 10)
            outline.append(camera.to_screen(at[0] + c * a - s * b, at[1] + s * a + c * b))
        pygame.draw.polygon(surface, colour, outline)

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the colours of the feet."""
        left, right = (context.palette.ramps["okabe_ito"][k] for k in (LEFT, RIGHT))
        return [
            LegendRow("print of the left foot", left),
            LegendRow("print of the right foot", right),
            LegendRow("a foot that is down", left, "now", "ring"),
        ]

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the feet that the unit under the cursor has down."""
        r = context.row_at(self.scope, x, y)
        state = self.feet.get(int(context.playing.picture.id[r])) if r >= 0 else None
        if state is None:
            return ""
        down = [name for k, name in enumerate(("left", "right")) if state[LEFT_DOWN + k] > 0.0]
        return " and ".join(down) + " foot down" if down else "both feet in the air"
