"""Overlays of how guards reckon: where he is likeliest, who is strong where, and which openings they watch."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pygame

from game.systems.noise import rooms
from game.systems.stealth.side_balance import balance_of
from game.view.overlays.overlay import Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.painting.camera import Camera

STRONGEST = 2.0
"""Influence at which the colours end."""


@overlay
class Chances(Overlay):
    """How likely each lost enemy is to be on a tile."""

    name, title, channel, scope = "chances", "Likeliest places", Channel.FILL, Scope.ALL
    question = "Where is he likeliest to be, as guards reckon?"

    def _chance(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        out = np.zeros((y1 - y0, x1 - x0))
        for known in context.world.knowledge:
            for likely in known.chances:
                out = np.maximum(out, likely.chance[y0:y1, x0:x1])
        return out

    def fill(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Cividis by the root of the chance over the highest in sight; nothing where he cannot be."""
        chance = self._chance(context, y0, x0, y1, x1)
        ramp = np.array(context.palette.ramps["cividis"], np.uint8)
        out = np.zeros((*chance.shape, 4), np.uint8)
        some = chance > 0
        if some.any():
            at = np.sqrt(chance[some] / chance.max()) * (len(ramp) - 1)
            out[..., :3][some] = ramp[at.astype(np.int64)]
            out[..., 3][some] = 140
        return out

    def legend(self, context: LabContext) -> list[LegendRow]:
        """The ramp."""
        ramp = tuple(context.palette.ramps["cividis"])
        return [LegendRow("hardly to most likely", ramp[-1], "share of the highest", "ramp", ramp)]

    def empty(self, context: LabContext) -> str:
        """Nobody is lost."""
        return "" if any(k.chances for k in context.world.knowledge) else "the guards have lost nobody"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Chance on the tile under the cursor."""
        chance = float(self._chance(context, int(y), int(x), int(y) + 1, int(x) + 1)[0, 0])
        return f"{100 * chance:.1f} % here"


@overlay
class Influence(Overlay):
    """Who is strong where, as the guards believe (or the side of whoever is selected)."""

    name, title, channel, scope = "influence", "Influence by side", Channel.FILL, Scope.ALL
    question = "Who holds which ground, as this side believes?"

    def _side(self, context: LabContext) -> int:
        rows = context.playing.picture.rows(context.selected[:1])
        return int(context.playing.picture.side[rows[0]]) if len(rows) else int(context.playing.side)

    def stamp(self, context: LabContext) -> Any:
        """Four times a second, and with the side."""
        return context.playing.picture.tick // 5, self._side(context)

    def fill(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Blue own, orange theirs, white balanced."""
        field = balance_of(context.world, self._side(context))[y0:y1, x0:x1]
        ramp = np.array(context.palette.ramps["diverging"], np.uint8)
        at = np.clip((field / STRONGEST + 1) / 2, 0, 1) * (len(ramp) - 1)
        out = np.empty((*field.shape, 4), np.uint8)
        out[..., :3] = ramp[np.rint(at).astype(np.int64)]
        out[..., 3] = 130
        return out

    def legend(self, context: LabContext) -> list[LegendRow]:
        """The two ends."""
        ramp = tuple(context.palette.ramps["diverging"])
        return [LegendRow("its enemies', balanced, its own", ramp[0], "soldiers", "ramp", ramp)]

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Of the tile under the cursor."""
        return f"{balance_of(context.world, self._side(context))[int(y), int(x)]:+.2f} soldiers"


@overlay
class Posts(Overlay):
    """Who watches which opening of the room that is searched."""

    name, title, channel, scope = "posts", "Openings watched", Channel.LINE, Scope.ALL
    question = "Which guard watches which opening?"

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """A diamond an opening, a line from each post to its own; the exit's keeper has a double line."""
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
        """Openings and lines."""
        palette = context.palette
        return [
            LegendRow("opening; hollow: seen past", palette["ink"], "chokes"),
            LegendRow("from post to opening", palette["blue"], "tiles", "line"),
        ]

    def empty(self, context: LabContext) -> str:
        """Nobody seals anything."""
        return "" if any(s.posts for s in context.world.searches) else "no opening is watched now"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Who watches the opening, or stands at the post, under the cursor."""
        graph = rooms(context.world)
        for search in context.world.searches:
            for unit, (choke, px, py, _) in sorted(search.posts.items()):
                at = graph.chokes[choke] if 0 <= choke < len(graph.chokes) else None
                if math.hypot(px - x, py - y) < 0.8 or (at is not None and math.hypot(at.x - x, at.y - y) < 0.8):
                    return f"watched by {context.world.name_of(unit)}"
        return ""
