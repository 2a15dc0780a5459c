"""Overlays of sight: visible tiles, cones of watchers, and detection meters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pygame

from ai.perception.sight.simple_sight import sector_by
from ai.perception.sight.view_cone import MAX_REACH
from game.view.overlays.grid_overlay import GridOverlay, Scale
from game.view.overlays.overlay import (
    NUMBERS_FROM,
    Channel,
    LabContext,
    LegendRow,
    Overlay,
    Scope,
    overlay,
)
from game.view.painting.camera import Camera
from game.view.painting.palette import mix

MOST_OBSERVERS = 24


def _watchers(context: LabContext) -> int:
    """Return the number of shown units that are not on the player's side."""
    p, rows = context.playing.picture, context.rows(Scope.ALL)
    return int((p.side[rows] != context.playing.side).sum())


@overlay
class Sight(GridOverlay):
    """Tiles in sight of the selected units, or of the player's side."""

    name, title, channel, scope = "sight", "Sight", Channel.FILL, Scope.SELECTED
    question = "Which tiles are in sight, and how many see them?"
    crisp, strength = True, 100

    def stamp(self, context: LabContext) -> Any:
        """Return a key that changes every tick and with the selection."""
        return context.playing.picture.tick, context.selected

    def _seen(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return uint8[h, w]: number of selected units that see each tile.

        While no unit is selected, it is 1 on the tiles in sight of the player's side.
        """
        world, p = context.world, context.playing.picture
        out = np.zeros((y1 - y0, x1 - x0), np.uint8)
        rows = context.rows(Scope.SELECTED) if context.selected else np.zeros(0, np.int64)
        if len(rows) == 0 or world.sight.bits is None:
            return world.sight.visible_mask(context.playing.side, y0, x0, y1, x1).astype(np.uint8)
        rule = world.settings.vision.line_of_sight
        for r in rows[:MOST_OBSERVERS].tolist():
            kind = world.types[int(p.kind[r])]
            own = int(p.side[r]) == context.playing.side
            reach = min(kind.sight if own else kind.cone_range, MAX_REACH)
            half = 4.0 if own else kind.cone_half_angle
            wy, wx, seen = sector_by(
                rule,
                world.sight.bits,
                world.terrain.opaque,
                float(p.x[r]),
                float(p.y[r]),
                float(p.head[r]),
                half,
                reach,
            )
            ay, ax = max(y0, wy), max(x0, wx)
            by, bx = min(y1, wy + seen.shape[0]), min(x1, wx + seen.shape[1])
            if ay < by and ax < bx:
                out[ay - y0 : by - y0, ax - x0 : bx - x0] += seen[ay - wy : by - wy, ax - wx : bx - wx]
        return out

    def scale(self, context: LabContext) -> Scale:
        """Return one step for each number of observers, the last for four and more."""
        light, dark = context.palette.ramps["okabe_ito"][0], context.palette.ramps["okabe_ito"][4]
        ramp = tuple(mix(light, dark, k / 3) for k in range(4))
        return Scale(ramp, 0.5, 4.5, ((1.0, "1"), (2.0, "2"), (3.0, "3"), (4.0, "4+")))

    def values(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return the number of observers; nothing on unseen tiles, opaque ones are hatched."""
        seen = self._seen(context, y0, x0, y1, x1).astype(np.float64)
        opaque = context.world.terrain.opaque[y0:y1, x0:x1] != 0
        return np.where(seen > 0, seen, np.where(opaque, np.inf, np.nan))

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the number of observers and the hatching."""
        scale = self.scale(context)
        seen = scale.row("", "observers") if context.selected else LegendRow("in sight", scale.ramp[0], "of the side")
        return [seen, LegendRow("blocks sight", context.palette["ink"], "tiles", "hatch")]

    def empty(self, context: LabContext) -> str:
        """Return why nothing is shown."""
        height, width = context.world.terrain.passable.shape
        return "" if self._seen(context, 0, 0, height, width).any() else "nobody of yours is there to see"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the number of observers of the tile."""
        ty, tx = int(y), int(x)
        count = int(self._seen(context, ty, tx, ty + 1, tx + 1)[0, 0])
        blocks = "; blocks sight" if context.world.terrain.opaque[ty, tx] else ""
        return (f"seen by {count}" if context.selected else "in sight" if count else "out of sight") + blocks


@overlay
class Cones(Overlay):
    """Cone in which each watcher identifies units."""

    name, title, channel, scope = "cones", "Cones", Channel.LINE, Scope.ALL
    question = "Where would each watcher notice a unit?"

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw the cone of each watcher on screen, as in Play."""
        p, world = context.playing.picture, context.world
        x, y, _ = p.between(alpha)
        context.scene.eyes.cones.begin()
        for r in context.on_screen(camera, Scope.ALL, alpha)[:MOST_OBSERVERS].tolist():
            if p.side[r] == context.playing.side or p.asleep[r]:
                continue
            eyes, at = context.scene.eyes, (float(x[r]), float(y[r]))
            watch, who = eyes.watch(context.playing, r), int(p.id[r])
            eyes.cones.draw(surface, camera, world, watch, context.palette["cone"], at=at, who=who)

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the meaning of outline and hatching."""
        return [
            LegendRow("cone of a watcher", context.palette["cone"], "reach in tiles", "line"),
            LegendRow("seen only standing", context.palette["cone"], "tiles", "hatch"),
        ]

    def empty(self, context: LabContext) -> str:
        """Return a message while no watcher is shown."""
        return "" if _watchers(context) else "no watcher is in sight"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the reach and width of the nearest watcher's cone."""
        p, r = context.playing.picture, context.row_at(Scope.ALL, x, y)
        if r < 0 or p.side[r] == context.playing.side:
            return ""
        kind = context.world.types[int(p.kind[r])]
        return f"{kind.cone_range:g} tiles, {kind.cone_half_angle * 2 * 57.29578:.0f} degrees wide"


@overlay
class Detection(Overlay):
    """Detection meter of each watcher: a bar below it.

    A number is added from 32 px a tile.
    """

    name, title, channel, scope = "detection", "Detection", Channel.MARK, Scope.ALL
    question = "How full is each watcher's detection meter?"

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw a bar below each watcher; an empty bar is a meter at 0.

        A crossed bar belongs to a unit that is asleep; such a unit keeps no meter.
        """
        p, palette = context.playing.picture, context.palette
        if camera.zoom < 12:
            return
        x, y, _ = p.between(alpha)
        wide, high = max(camera.zoom * 3 // 4, 14), max(camera.zoom // 6, 5)
        for r in context.on_screen(camera, Scope.ALL, alpha).tolist():
            if p.side[r] == context.playing.side:
                continue
            px, py = camera.to_screen(float(x[r]), float(y[r]))
            bar = pygame.Rect(px - wide // 2, py + max(camera.zoom // 2, 10), wide, high)
            context.labels.reserve(bar.inflate(4, 4))
            pygame.draw.rect(surface, palette["rim"], bar.inflate(4, 4))
            pygame.draw.rect(surface, palette["ink"], bar.inflate(2, 2), 1)
            meter = float(p.meter[r])
            if p.asleep[r]:
                pygame.draw.line(surface, palette["ink"], bar.topleft, bar.bottomright)
                pygame.draw.line(surface, palette["ink"], bar.bottomleft, bar.topright)
            elif meter > 0:
                pygame.draw.rect(surface, palette["meter"], (bar.x, bar.y, max(round(wide * meter), 2), high))
            if camera.zoom >= NUMBERS_FROM and meter > 0 and not p.asleep[r]:
                context.labels.put(
                    surface, context.text, f"{meter:.2f}", (px, py), bar.bottom - py + 2, palette["ink"], palette["rim"]
                )

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the scale of the meter."""
        ink = context.palette["ink"]
        return [
            LegendRow("meter, full: identified", context.palette["meter"], "0 to 1"),
            LegendRow("crossed: asleep", ink, "no meter", "hatch"),
        ]

    def empty(self, context: LabContext) -> str:
        """Return a message while no watcher is shown."""
        return "" if _watchers(context) else "no watcher is in sight"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the meter of the watcher under the cursor."""
        p, r = context.playing.picture, context.row_at(Scope.ALL, x, y)
        if r < 0 or p.side[r] == context.playing.side:
            return ""
        return "asleep: no meter" if p.asleep[r] else f"meter {float(p.meter[r]):.2f}"
