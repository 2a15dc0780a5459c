"""Grid overlays: a number for each tile, in steps of colour with contour lines.

All fills of quantities share this: an overlay gives values and a scale, and the painter of fills smooths, steps and
lines them. A value that is not a number is drawn as nothing, +inf as not computed, and -inf as closed ground.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from game.view.overlays.overlay import NOT_COMPUTED, LabContext, LegendRow, Overlay
from game.view.painting.palette import RGB

CLOSED_ALPHA = 150


@dataclass(frozen=True)
class Scale:
    """Steps of equal width, one for each colour of the ramp.

    ``marks`` holds the values that the legend names, each with its words. Values beyond the ends have the end colours.
    """

    ramp: tuple[RGB, ...]
    low: float
    high: float
    marks: tuple[tuple[float, str], ...] = ()

    def places(self, values: np.ndarray) -> np.ndarray:
        """Return the place of each value on the scale, float64.

        It is 0 at the low end and grows by 1 with each step.
        """
        filled = np.nan_to_num(values, nan=self.low, posinf=self.low, neginf=self.low)
        place: np.ndarray = (filled - self.low) / (self.high - self.low) * len(self.ramp)
        return np.clip(place, 0.0, float(len(self.ramp)))

    def steps(self, values: np.ndarray) -> np.ndarray:
        """Return the step of each finite value, int64."""
        found: np.ndarray = np.minimum(self.places(values) + 1e-9, len(self.ramp) - 1).astype(np.int64)
        return found

    def row(self, words: str, unit: str) -> LegendRow:
        """Return the legend's row: the ramp with its ticks, words and unit."""
        span = self.high - self.low
        marks = tuple(((value - self.low) / span, told) for value, told in self.marks)
        return LegendRow(words, self.ramp[-1], unit, "ramp", self.ramp, marks=marks)


def even_scale(ramp: tuple[RGB, ...], low: float, high: float, more: bool = False, parts: int = 4) -> Scale:
    """Return a scale with ticks at equal distances.

    ``more`` puts a + behind the last one.
    """
    values = [low + (high - low) * k / parts for k in range(parts + 1)]
    told = [f"{value:g}" for value in np.round(values, 2)]
    if more:
        told[-1] += "+"
    return Scale(ramp, low, high, tuple(zip(values, told, strict=True)))


class GridOverlay(Overlay):
    """Base of fills with one number a tile."""

    strength = 140
    """Alpha of the colours."""
    crisp = False
    """True for kinds instead of amounts.

    Between two kinds lies one line and no third colour.
    """

    def scale(self, context: LabContext) -> Scale:
        """Return the steps of the values."""
        raise NotImplementedError

    def values(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return the values of the tiles of a window, float64[h, w]."""
        raise NotImplementedError

    def fill(self, context: LabContext, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
        """Return the colour of each tile's step, uint8[h, w, 4]."""
        values, scale = self.values(context, y0, x0, y1, x1), self.scale(context)
        out = np.zeros((*values.shape, 4), np.uint8)
        known = np.isfinite(values)
        out[..., :3] = np.array(scale.ramp, np.uint8)[scale.steps(values)]
        out[..., 3] = self.strength
        out[~known] = 0
        out[np.isposinf(values)] = NOT_COMPUTED
        out[np.isneginf(values)] = (*context.palette["ink"], CLOSED_ALPHA)
        return out
