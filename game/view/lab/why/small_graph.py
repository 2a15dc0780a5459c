"""Small graph of a number over the last 30 s."""

from __future__ import annotations

import numpy as np
import pygame

from game.view.lab.why.decision_list import SECONDS
from game.view.painting.painter_services import PainterServices
from game.view.painting.palette import mix

SPAN = SECONDS * 20
"""Ticks from the left to the right edge."""


def draw_graph(
    surface: pygame.Surface, box: pygame.Rect, app: PainterServices, ticks: np.ndarray, values: np.ndarray
) -> None:
    """Draw a curve whose last value is at the right edge.

    Shares end at 1, so that two graphs of shares can be compared.
    """
    panels, palette = app.panels, app.palette
    pygame.draw.rect(surface, palette["white"], box)
    points = graph_points(box.inflate(-2, -4), ticks, values)
    if len(points) > 1:
        pygame.draw.lines(surface, palette["blue"], False, points, 2)
    elif points:
        pygame.draw.circle(surface, palette["blue"], points[0], 2)
    pygame.draw.rect(surface, mix(panels.paper, panels.ink, 0.6), box, 1)


def graph_points(box: pygame.Rect, ticks: np.ndarray, values: np.ndarray) -> list[tuple[int, int]]:
    """Return the pixels of a curve whose last tick lies at the right edge."""
    if not len(ticks):
        return []
    low, high = min(float(values.min()), 0.0), max(float(values.max()), 1.0)
    x = box.right - 1 - (ticks[-1] - ticks) * (box.width - 1) / SPAN
    y = box.bottom - 1 - (values - low) * (box.height - 1) / (high - low)
    return [(round(a), round(b)) for a, b in zip(x.tolist(), y.tolist(), strict=True)]
