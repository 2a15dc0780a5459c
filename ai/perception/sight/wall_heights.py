"""Looking over low walls: who stands looks over a table, who crouches behind it is hidden until it is far behind.

Source: Travis McIntosh, "Human Enemy AI in The Last of Us", Game AI Pro 2, ch. 34 (34.2: cells with heights as bytes,
compared by cross-multiplication; 34.3, figure 34.4: from weighted joints to one sample point whose height depends on
the phase).  Heights in half metres and the weights of the joints are ours.

Full walls are the business of the one rule of sight (``ai.perception.sight.line_of_sight``); this is asked
afterwards, about
what is lower
than a man.  On the way from the eye to the top of the target the line must not pass below the height of a tile it
crosses: the walk of that rule itself, over heights.  Behind a low wall a crouching target is hidden up to where
similar triangles bring it back.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ai.core.kernels import device
from ai.perception.sight.line_of_sight import clear_over

LOW_WALL = 2
EYE = 3
TOPS = np.array([[3, 1, 0], [3, 2, 1]], np.int64)
"""``TOPS[fights, stance]``: height of the one sample point on who stands, crouches, lies.

Before the first shot it favours who hides (his chest), in a fight who looks (the top of his head)."""
JOINTS = np.array([[0.0, 1.0, 2.0, 2.6, 3.0], [0.0, 0.4, 0.8, 1.2, 1.6], [0.0, 0.1, 0.2, 0.3, 0.4]])
"""``JOINTS[stance]``: heights of feet, knees, hips, shoulders and head."""
WEIGHTS = np.array([0.1, 0.15, 0.25, 0.3, 0.2])
MOSTLY = 0.6
"""A body is in view when joints of more than this share of the weight are."""


@device
def shows_over(low, wy, wx, ty, tx, stance, fights, joints):  # type: ignore[no-untyped-def]
    """Whether a body of a stance shows over the low walls ``low: uint8[H, W]`` (heights): by its one sample point, or
    by more than ``MOSTLY`` of its ``joints``."""
    if not joints:
        return clear_over(low, wy, wx, float(EYE), ty, tx, float(TOPS[fights, stance]))
    shown = 0.0
    for k in range(5):
        if clear_over(low, wy, wx, float(EYE), ty, tx, JOINTS[stance, k]):
            shown += WEIGHTS[k]
    return shown > MOSTLY + 1e-9


def low_walls(height: int, width: int, boxes: list[tuple[float, float, float, float]]) -> NDArray[np.uint8]:
    """Heights ``uint8[H, W]``: ``LOW_WALL`` on tiles whose centre lies in a box ``(x0, y0, x1, y1)`` of tiles."""
    out = np.zeros((height, width), np.uint8)
    for x0, y0, x1, y1 in boxes:
        rows = np.arange(height) + 0.5
        columns = np.arange(width) + 0.5
        out[np.ix_((rows >= y0) & (rows <= y1), (columns >= x0) & (columns <= x1))] = LOW_WALL
    return out


TECHNIQUES = (
    {
        "slug": "one-sample-point",
        "name": "One sample point over low walls",
        "ids": ("GP2-34.6",),
        "source": "Game AI Pro 2, ch. 34",
        "functions": ("shows_over",),
        "test": "tests/ai/perception/awareness/test_exposure_map.py",
        "exhibit": "levels/exhibits/senses/low_wall.toml",
        "overlay": "exposure",
        "setting": "vision.sampling",
        "measure": "noticed",
        "direction": "down",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
