"""Overlay of plans over clusters: what of a long way is tiles by now, and what is only planned."""

from __future__ import annotations

import pygame

from ai.search.hierarchy.hpa_walk import HierarchicalWalk
from game.view.overlays.overlay import Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.overlays.pencil import centre, dot
from game.view.painting.camera import Camera
from game.view.painting.palette import RGB
from game.view.units.order_marks import dashed

MOST = 16
"""Plans drawn at once."""

NEAR = 4
"""Tiles from the cursor to a hop that it asks for."""


@overlay
class Plans(Overlay):
    """The hops that are left of plans over clusters, and how many are tiles by now (JOGD 1)."""

    name, title, channel, scope = "plans", "Plans over clusters", Channel.LINE, Scope.SELECTED
    question = "What of the long way is tiles by now?"

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Dashed from hop to hop, from where the tiles end; below it lies what is tiles, of another overlay."""
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
        """How much is planned, how much is tiles, how many plans there were."""
        walks = [walk for _, walk in self._walks(context)]
        hops = sum(max(len(walk.hops) - 1, 0) for walk in walks)
        begun = sum(walk.hops_begun for walk in walks)
        tiles = sum(walk.refined for walk in walks)
        plans = sum(walk.replans + 1 for walk in walks)
        return [
            LegendRow("planned, no tiles yet", self._colour(context), f"{hops - begun} of {hops} hops", "dash"),
            LegendRow("made into tiles", context.palette.overlay["full"], f"{tiles} tiles", "line"),
            LegendRow("plans made", context.palette["white"], f"{plans} for {len(walks)} units", "ring"),
        ]

    def empty(self, context: LabContext) -> str:
        """Whole ways, or nobody on one."""
        if self._walks(context):
            return ""
        if context.world.settings.paths.hierarchy == "whole":
            return "ways over clusters are laid whole now"
        return "nobody shown walks leg by leg now"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """The nearest hop of a shown plan within some tiles."""
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
        """Tiles (y, x) of what is left of a plan, the nearest first: of the lower levels, then of the highest."""
        width = context.world.terrain.width
        flat = [tile for level in walk.left for tile in level[1:]]
        return [divmod(tile, width) for tile in flat]

    @staticmethod
    def _colour(context: LabContext) -> RGB:
        return context.palette.overlay["full"]
