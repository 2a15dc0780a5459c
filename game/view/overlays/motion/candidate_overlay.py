"""Overlay of candidate formations with the cost of each.

Source: Game AI Pro 2, 20.8.2.
"""

from __future__ import annotations

import math

import numpy as np
import pygame

from ai.formation.formation_adaptation import FORMATIONS, STEPS
from ai.formation.group_entity import G_DEPTH, G_HALF, G_HEADING, G_X, G_Y, GroupState
from game.view.overlays.motion.group_overlays import NUMBERS_FROM_HERE, rows_of
from game.view.overlays.overlay import Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.painting.camera import Camera
from game.view.units.order_marks import dashed

CHOSEN = 4
"""Index of the colour of the chosen candidate among the categories."""
TERMS = (("speed", "speed"), ("walls", "collision"), ("shape", "shape"))
SHAPES = ("preferred", "square", "half of it", "two files", "single file")


@overlay
class Candidates(Overlay):
    """Candidate formations of the last choice as boxes with costs (GP2 20.8.2)."""

    name, title, channel, scope = "candidates", "Candidate formations", Channel.LINE, Scope.SELECTED
    question = "Which of fifteen formations was the cheapest, and why?"

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw the boxes of all candidates and a table of their costs.

        The chosen box is thick, the others are dashed.
        """
        groups, palette = context.world.groups, context.palette
        colour = palette.ramps["okabe_ito"][CHOSEN]
        for row in rows_of(context):
            told = groups.judged.get(row)
            if told is None or groups.state(row) != GroupState.MARCHING:
                continue
            best, every = int(told["best"][0]), list[tuple[int, int]]()
            rings = []
            for box in told["boxes"].tolist():
                points = [camera.to_screen(x, y) for x, y in _corners(groups.num[row], *box)]
                rings.append([*points, points[0]])
                every += points
            for k, ring in enumerate(rings):
                if k != best:
                    # A full step towards a shape has the longest dashes, a third of a step the shortest.
                    dashed(surface, ring, palette["ink"], None, 1, 2 + 2 * (k % len(STEPS)), 4)
            pygame.draw.lines(surface, palette["rim"], False, rings[best], 6)
            pygame.draw.lines(surface, colour, False, rings[best], 3)
            if camera.zoom >= NUMBERS_FROM_HERE:
                self._table(surface, context, told["costs"].tolist(), best, every)

    @staticmethod
    def _table(
        surface: pygame.Surface, context: LabContext, costs: list[float], best: int, boxes: list[tuple[int, int]]
    ) -> None:
        """Write the costs of three steps towards each of five shapes.

        The table is below the boxes, or above them when there is no room.
        """
        text, palette, room = context.text, context.palette, surface.get_clip()
        first, column, line = text.px(92), text.px(44), text.px(17)
        width, height = first + column * len(STEPS), line * FORMATIONS
        bottom = max(y for _, y in boxes) + 6
        top = bottom if bottom + height <= room.bottom else min(y for _, y in boxes) - 6 - height
        left = min(max(min(x for x, _ in boxes), room.left + 4), max(room.left + 4, room.right - width - 4))
        context.labels.reserve(pygame.Rect(left, top, width, height))
        for k, cost in enumerate(costs):
            shape, step = divmod(k, len(STEPS))
            at = top + line * shape
            if step == 0:
                chosen = shape == best // len(STEPS)
                style = "sans_bold" if chosen else "sans"
                text.draw(surface, (left, at), SHAPES[shape], palette["ink"], style, 14, "topleft", palette["rim"])
            ink = palette.ramps["okabe_ito"][CHOSEN] if k == best else palette["ink"]
            style, right = ("sans_bold" if k == best else "sans"), left + first + column * (step + 1) - 6
            text.draw(surface, (right, at), f"{cost:.2f}", ink, style, 14, "topright", palette["rim"])

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the meaning of the lines."""
        palette = context.palette
        return [
            LegendRow("chosen", palette.ramps["okabe_ito"][CHOSEN], "cost", "line"),
            LegendRow("1/3, 2/3 and full step to each", palette["ink"], "cost", "dash"),
        ]

    def empty(self, context: LabContext) -> str:
        """Return a message while no marching group has judged candidates."""
        groups = context.world.groups
        weighed = [r for r in rows_of(context) if r in groups.judged and groups.state(r) == GroupState.MARCHING]
        return "" if weighed else "no group shown compares formations now"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the costs of the formation chosen by the group here."""
        groups = context.world.groups
        for row in rows_of(context):
            num, told = groups.num[row], groups.judged.get(row)
            if told is None or (num[G_X] - x) ** 2 + (num[G_Y] - y) ** 2 > max(num[G_HALF], num[G_DEPTH] / 2, 1.0) ** 2:
                continue
            best = int(told["best"][0])
            terms = ", ".join(f"{word} {told[name][best]:.2f}" for word, name in TERMS)
            return f"{SHAPES[best // len(STEPS)]}, step {best % len(STEPS) + 1} of 3: {terms}"
        return ""


def _corners(num: np.ndarray, left: float, right: float, front: float, rear: float) -> list[tuple[float, float]]:
    """Return the corners of a candidate's box, 0.4 tiles outside its slots."""
    c, s = math.cos(num[G_HEADING]), math.sin(num[G_HEADING])
    edge = 0.4
    return [
        (float(num[G_X]) + f * c - r * s, float(num[G_Y]) + f * s + r * c)
        for f, r in ((front + edge, -left - edge), (front + edge, right + edge), (-rear - edge, right + edge),
                     (-rear - edge, -left - edge))
    ]  # fmt: skip
