"""Sight over low walls: standing units look over, crouching units can hide.

Source: Travis McIntosh, "Human Enemy AI in The Last of Us", Game AI Pro 2, ch. 34 (34.2: cells with heights as bytes,
compared by cross-multiplication; 34.3, figure 34.4: from weighted joints to one sample point whose height depends on
the phase). Heights in half metres and the weights of the joints are our choice.

Full walls belong to the sight rule (``ai.perception.sight.line_of_sight``). This test follows it, for walls lower than
a man. On the line from the eye to the top of the target, the line must not pass below the height of a crossed tile: the
same walk as in that rule, over heights. Similar triangles give the distance at which a crouching target behind a low
wall becomes visible again.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ai.core.kernels import device
from ai.perception.sight.line_of_sight import clear_over

LOW_WALL = 2
EYE = 3
TOPS = np.array([[3, 1, 0], [3, 2, 1]], np.int64)
"""Height of the sample point on a body, ``TOPS[fights, stance]``.

The stances are standing, crouching, lying. Before the first shot the point favours the hiding unit (its chest), in a
fight the watcher (the top of the head).
"""
JOINTS = np.array([[0.0, 1.0, 2.0, 2.6, 3.0], [0.0, 0.4, 0.8, 1.2, 1.6], [0.0, 0.1, 0.2, 0.3, 0.4]])
"""Heights of feet, knees, hips, shoulders and head, ``JOINTS[stance]``."""
WEIGHTS = np.array([0.1, 0.15, 0.25, 0.3, 0.2])
MOSTLY = 0.6
"""Share of joint weight above which a body is in view."""


@device
def shows_over(low, wy, wx, ty, tx, stance, fights, joints):  # type: ignore[no-untyped-def]
    """Return whether a body of a stance shows over the low walls.

    ``low: uint8[H, W]`` are heights. The body shows by its one sample point, or by more than ``MOSTLY`` of its
    ``joints``.
    """
    if not joints:
        return clear_over(low, wy, wx, float(EYE), ty, tx, float(TOPS[fights, stance]))
    shown = 0.0
    for k in range(5):
        if clear_over(low, wy, wx, float(EYE), ty, tx, JOINTS[stance, k]):
            shown += WEIGHTS[k]
    return shown > MOSTLY + 1e-9


def low_walls(height: int, width: int, boxes: list[tuple[float, float, float, float]]) -> NDArray[np.uint8]:
    """Return heights ``uint8[H, W]`` with ``LOW_WALL`` inside the boxes.

    A tile counts when its centre lies in a box ``(x0, y0, x1, y1)`` of tiles.
    """
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
        "claim": "Both versions; the weights of five joints and the heights are ours.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
