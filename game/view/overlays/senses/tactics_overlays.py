"""Overlays of guards' beliefs: probable places, influence, and watched openings."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pygame

from game.systems.noise import rooms
from game.systems.stealth.side_balance import balance_of
from game.view.overlays.grid_overlay import GridOverlay, Scale
from game.view.overlays.overlay import Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.painting.camera import Camera

STRONGEST = 2.0
"""Influence at which the colours end, in soldiers."""


@overlay
class Chances(GridOverlay):
    """Probability of each tile to hold a lost enemy."""

    name, title, channel, scope = "chances", "Probable places", Channel.FILL, Scope.ALL
    question = "Where do guards expect the lost enemy?"

    def _chance(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        out = np.zeros((y1 - y0, x1 - x0))
        for known in context.world.knowledge:
            for likely in known.chances:
                out = np.maximum(out, likely.chance[y0:y1, x0:x1])
        return out

    def scale(self, context: LabContext) -> Scale:
        """Return steps of the root of the probability, as a share of the highest."""
        ramp = tuple(context.palette.ramps["cividis"])
        return Scale(ramp, 0.0, 1.0, ((0.0, "0"), (0.5, "1/4"), (1.0, "highest")))

    def values(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return the root of the share of the highest probability; nothing on impossible tiles."""
        chance = self._chance(context, y0, x0, y1, x1)
        return np.where(chance > 0, np.sqrt(chance / max(float(chance.max()), 1e-12)), np.nan)

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the ramp with its ticks."""
        height, width = context.world.terrain.passable.shape
        most = float(self._chance(context, 0, 0, height, width).max()) if context.world.knowledge else 0.0
        return [self.scale(context).row(f"highest: {100 * most:.1f} %", "a tile")]

    def empty(self, context: LabContext) -> str:
        """Return a message while no enemy is lost."""
        return "" if any(k.chances for k in context.world.knowledge) else "no guard has lost an enemy"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the probability of the tile under the cursor."""
        chance = float(self._chance(context, int(y), int(x), int(y) + 1, int(x) + 1)[0, 0])
        return f"{100 * chance:.1f} % here"


@overlay
class Influence(GridOverlay):
    """Influence of both sides, as the side of the first selected unit believes.

    While no unit is selected, it is the belief of the player's side.
    """

    name, title, channel, scope = "influence", "Influence by side", Channel.FILL, Scope.ALL
    question = "Which ground does each side hold, as this side believes?"

    def _side(self, context: LabContext) -> int:
        rows = context.playing.picture.rows(context.selected[:1])
        return int(context.playing.picture.side[rows[0]]) if len(rows) else int(context.playing.side)

    def stamp(self, context: LabContext) -> Any:
        """Return a key that changes four times a second and with the side."""
        return context.playing.picture.tick // 5, self._side(context)

    def scale(self, context: LabContext) -> Scale:
        """Return steps from orange for enemies to blue for the side."""
        most, ramp = STRONGEST, tuple(context.palette.ramps["diverging"])
        return Scale(ramp, -most, most, ((-most, f"enemies' {most:g}"), (0.0, "0"), (most, f"{most:g} its own")))

    def values(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return the influence of the side less that of its enemies."""
        return np.asarray(balance_of(context.world, self._side(context))[y0:y1, x0:x1], np.float64)

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the ramp with its ticks."""
        return [self.scale(context).row("", "soldiers")]

    def empty(self, context: LabContext) -> str:
        """Return why the whole map is white."""
        faintest = STRONGEST / len(context.palette.ramps["diverging"])
        seen = np.abs(balance_of(context.world, self._side(context))).max() > faintest
        return "" if seen else "this side knows of no unit now"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the influence on the tile under the cursor."""
        return f"{balance_of(context.world, self._side(context))[int(y), int(x)]:+.2f} soldiers"


@overlay
class Posts(Overlay):
    """Guards at their posts, and the opening that each watches."""

    name, title, channel, scope = "posts", "Openings watched", Channel.LINE, Scope.ALL
    question = "Which guard watches which opening?"

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw a diamond for each opening and a line from its guard's post.

        The guard that keeps the exit has a thicker line.
        """
        world, palette = context.world, context.palette
        if not any(search.posts for search in world.searches):
            return
        graph = rooms(world)
        size = max(camera.zoom // 3, 3)
        for search in world.searches:
            for unit, (choke, x, y, _) in sorted(search.posts.items()):
                if not 0 <= choke < len(graph.chokes):
                    continue
                at = graph.chokes[choke]
                cx, cy = camera.to_screen(at.x, at.y)
                corners = [(cx, cy - size), (cx + size, cy), (cx, cy + size), (cx - size, cy)]
                pygame.draw.polygon(surface, palette["ink"], corners, 0 if at.walkable else 2)
                start = camera.to_screen(x, y)
                pygame.draw.line(surface, palette["blue"], start, (cx, cy), 4 if search.keeper == unit else 2)
                pygame.draw.circle(surface, palette["blue"], start, max(size // 2, 2), 2)

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the meaning of openings and lines."""
        palette = context.palette
        return [
            LegendRow("opening; hollow: not walkable", palette["ink"], "chokes"),
            LegendRow("from post to opening", palette["blue"], "tiles", "line"),
        ]

    def empty(self, context: LabContext) -> str:
        """Return a message while no opening is watched."""
        return "" if any(s.posts for s in context.world.searches) else "no opening is watched now"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the guard that watches the opening or stands at the post here."""
        graph = rooms(context.world)
        for search in context.world.searches:
            for unit, (choke, px, py, _) in sorted(search.posts.items()):
                at = graph.chokes[choke] if 0 <= choke < len(graph.chokes) else None
                if math.hypot(px - x, py - y) < 0.8 or (at is not None and math.hypot(at.x - x, at.y - y) < 0.8):
                    return f"watched by {context.world.name_of(unit)}"
        return ""
