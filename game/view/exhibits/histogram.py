"""Histogram of the values behind an exhibit's number, with mean and interval."""

from __future__ import annotations

import math

import numpy as np
import pygame

from game.checks.metrics.metric import Metric
from game.view.painting.palette import RGB, mix

BINS = 24


def draw_histogram(
    surface: pygame.Surface, rect: pygame.Rect, samples: tuple[float, ...], top: float, paper: RGB, ink: RGB
) -> None:
    """Draw columns of the samples from 0 to ``top``.

    The commonest column has the full height.
    """
    pygame.draw.rect(surface, mix(paper, ink, 0.08), rect)
    counts, _ = np.histogram(samples, BINS, (0.0, top))
    most = max(int(counts.max()), 1)
    for i, count in enumerate(counts.tolist()):
        left, right = rect.x + i * rect.width // BINS, rect.x + (i + 1) * rect.width // BINS
        high = math.ceil((rect.height - 2) * count / most)
        if high:
            pygame.draw.rect(surface, ink, (left, rect.bottom - high, max(right - left - 1, 1), high))
    pygame.draw.line(surface, ink, rect.bottomleft, rect.bottomright)


def draw_interval(surface: pygame.Surface, rect: pygame.Rect, mean: Metric, top: float, colour: RGB) -> None:
    """Draw the mean as a line, with its interval as a bar."""
    if not mean.samples:
        return
    x = rect.x + round(rect.width * min(mean.value / top, 1.0))
    if math.isfinite(mean.half_interval):
        half = max(round(rect.width * mean.half_interval / top), 1)
        pygame.draw.line(surface, colour, (x - half, rect.y + 2), (x + half, rect.y + 2), 3)
    pygame.draw.line(surface, colour, (x, rect.y), (x, rect.bottom), 2)
