"""Overlay of abstract paths over clusters: refined and remaining hops."""

from __future__ import annotations

import pygame

from ai.search.hierarchy.hpa_walk import HierarchicalWalk
from game.view.overlays.overlay import Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.overlays.pencil import centre, dot
from game.view.painting.camera import Camera
from game.view.painting.palette import RGB
from game.view.units.order_marks import dashed

MOST = 16
"""Largest number of abstract paths drawn at once."""

NEAR = 4
"""Largest distance in tiles from the cursor to a hop that it shows."""


@overlay
class Plans(Overlay):
    """Remaining hops of abstract paths, and the number of refined tiles (JOGD 1)."""

    name, title, channel, scope = "plans", "Abstract paths", Channel.LINE, Scope.SELECTED
    question = "How much of the abstract path is refined into tiles?"

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw a dashed line over the hops after the refined tiles."""
        palette, store = context.palette, context.world.paths.store
        for row, walk in self._walks(context):
            left = self._left(context, walk)
            end = int(store.end_of(row))
            if end < 0 or not left:
                continue
            points = [centre(camera, tile) for tile in [divmod(end, context.world.terrain.width), *left]]
            dashed(surface, points, palette["rim"], None, 7, 12, 7)
            dashed(surface, points, palette["ink"], None, 5, 12, 7)
            dashed(surface, points, self._colour(context), None, 3, 12, 7)
            for at in points[1:]:
                dot(surface, context, at, palette["white"], 4)

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the numbers of remaining hops, refined tiles and plans."""
        walks = [walk for _, walk in self._walks(context)]
        hops = sum(max(len(walk.hops) - 1, 0) for walk in walks)
        begun = sum(walk.hops_begun for walk in walks)
        tiles = sum(walk.refined for walk in walks)
        plans = sum(walk.replans + 1 for walk in walks)
        return [
            LegendRow("not refined yet", self._colour(context), f"{hops - begun} of {hops} hops", "dash"),
            LegendRow("refined", context.palette.overlay["full"], f"{tiles} tiles", "line"),
            LegendRow("plans made", context.palette["white"], f"{plans} for {len(walks)} units", "ring"),
        ]

    def empty(self, context: LabContext) -> str:
        """Return a message while no shown unit follows an abstract path."""
        if self._walks(context):
            return ""
        if context.world.settings.paths.hierarchy == "whole":
            return "paths are refined in full (setting paths.hierarchy)"
        return "no unit shown follows an abstract path now"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the nearest hop of a shown abstract path within NEAR tiles."""
        best, words = float(NEAR), ""
        for row, walk in self._walks(context):
            for i, (ty, tx) in enumerate(self._left(context, walk)):
                away = max(abs(ty + 0.5 - y), abs(tx + 0.5 - x))
                if away < best:
                    unit = context.world.name_of(int(context.playing.picture.id[row]))
                    best, words = away, f"hop {walk.hops_begun + i + 1} of {len(walk.hops) - 1} of {unit}"
        return words

    def _walks(self, context: LabContext) -> list[tuple[int, HierarchicalWalk]]:
        walks = context.world.paths.legs.walks
        return [(row, walks[row]) for row in context.rows(self.scope)[:MOST].tolist() if row in walks]

    @staticmethod
    def _left(context: LabContext, walk: HierarchicalWalk) -> list[tuple[int, int]]:
        """Return the remaining hops (y, x), nearest first: lower levels, then the highest."""
        width = context.world.terrain.width
        flat = [tile for level in walk.left for tile in level[1:]]
        return [divmod(tile, width) for tile in flat]

    @staticmethod
    def _colour(context: LabContext) -> RGB:
        return context.palette.overlay["full"]
