"""Sight shapes: seconds to identify a target at a position in the eyes' view.

Sources: Steve Rabin, "Vision Zones and Object Identification Certainty", Game AI Pro 2, ch. 4 (cone, 4.1; nested zones
with certainty, 4.2; motion and camouflage, 4.3; time from certainty, 4.4.1); Martin Walsh, "Modeling Perception and
Awareness in Splinter Cell Blacklist", Game AI Pro 2, ch. 28 (cone, periphery and coffin box with a time range each);
Travis McIntosh, "Human Enemy AI in The Last of Us", Game AI Pro 2, ch. 34 (angle inverse to distance). The sources give
the shapes; sizes and most seconds are our choice.

A target is described in the watcher's frame: ``ahead`` along the gaze, ``aside`` (not negative) across it, in tiles.
"""

from __future__ import annotations

import numpy as np

from ai.core.kernels import device
from ai.perception.settings import (
    ALERT_FACTOR,
    CAMOUFLAGE,
    CLOSE,
    DARK_FACTOR,
    FAR_SECONDS,
    INVERSE,
    MIDDLE,
    MOTION,
    NEAR_SECONDS,
    NEAR_TILES,
    PERIPHERY,
    RUN_FACTOR,
    SHAPE,
    STANCE_FACTOR,
    SWEET_SECONDS,
    SWEET_WIDTH,
)

CONE, ZONES, COFFIN, INVERSE_ANGLE = range(4)

MIDDLE_REACH = 1.15
"""Reach of the middle zone, as a multiple of the range."""
PERIPHERY_REACH = 0.45
CLOSE_TILES = 1.25
_MIDDLE_WIDER = 1.6
_NOSE_WIDTH = 0.5
"""Half width of the sweet spot at the eyes, in tiles."""

COFFIN_LENGTH = 18.0
"""Range, in tiles, for which the coffin is drawn; it scales with the range."""
COFFIN_HALF_WIDTHS = (1.0, 4.0, 1.5)
"""Half widths at the eyes, the widest place and the far end."""
COFFIN_WIDEST = 8.0
COFFIN_CONE = (np.cos(np.radians(35.0)), 7.0, 0.3, 1.0)
"""Parameters of the coffin's cone.

They are the cosine of the half angle, the reach in tiles of 18, and the seconds at the eyes and at that reach.
"""
COFFIN_PERIPHERY = (3.0, 0.8, 1.6)
COFFIN_BOX = (1.5, 4.0)
_ANGLE_LIMITS = (np.radians(10.0), np.radians(110.0))


def extent(shape: float) -> float:
    """Return the farthest reach of a shape, as a multiple of the watcher's range."""
    return MIDDLE_REACH if shape == ZONES else 1.0


extent_device = device(extent)


@device
def spindle(distance, length, width):  # type: ignore[no-untyped-def]
    """Return the half width of a zone that widens, then narrows to ``length``.

    It is zero at ``length``.
    """
    half = 0.5 * length
    if distance <= half:
        return _NOSE_WIDTH + (width - _NOSE_WIDTH) * distance / half
    return width * (length - distance) / half


@device
def zone_certainty(ahead, aside, distance, reach, numbers):  # type: ignore[no-untyped-def]
    """Return the highest certainty of the zones at a position; 0 outside all."""
    width = numbers[SWEET_WIDTH] * reach
    best = 0.0
    if ahead >= 0:
        if distance <= reach and aside <= spindle(distance, reach, width):
            return 1.0
        if distance <= MIDDLE_REACH * reach and aside <= _MIDDLE_WIDER * spindle(distance, MIDDLE_REACH * reach, width):
            best = max(best, numbers[MIDDLE])
        if distance <= PERIPHERY_REACH * reach:
            best = max(best, numbers[PERIPHERY])
    if distance <= CLOSE_TILES:
        best = max(best, numbers[CLOSE])
    return best


@device
def coffin_seconds(ahead, aside, distance, reach):  # type: ignore[no-untyped-def]
    """Return the fastest time of the cone, the periphery and the box.

    It is -1 outside all of them.
    """
    scale = reach / COFFIN_LENGTH
    best = np.inf
    cone_cos, cone_reach, cone_near, cone_far = COFFIN_CONE
    cone_reach *= scale
    if distance <= cone_reach and ahead >= cone_cos * distance:
        best = cone_near + (cone_far - cone_near) * distance / cone_reach
    side_reach, side_near, side_far = COFFIN_PERIPHERY
    side_reach *= scale
    if distance <= side_reach and ahead >= 0:
        best = min(best, side_near + (side_far - side_near) * distance / side_reach)
    first, widest, last = COFFIN_HALF_WIDTHS
    if 0 <= ahead <= reach and distance <= reach:
        along = ahead / scale
        if along <= COFFIN_WIDEST:
            half = first + (widest - first) * along / COFFIN_WIDEST
        else:
            half = widest + (last - widest) * (along - COFFIN_WIDEST) / (COFFIN_LENGTH - COFFIN_WIDEST)
        if aside <= half * scale:
            best = min(best, COFFIN_BOX[0] + (COFFIN_BOX[1] - COFFIN_BOX[0]) * distance / reach)
    return best if best < np.inf else -1.0


@device
def _ranged_seconds(distance, reach, numbers):  # type: ignore[no-untyped-def]
    near = numbers[NEAR_TILES]
    seconds = numbers[NEAR_SECONDS]
    if distance > near and reach > near:
        seconds += (numbers[FAR_SECONDS] - seconds) * (distance - near) / (reach - near)
    return seconds


@device
def seconds_in_shape(  # type: ignore[no-untyped-def]
    ahead, aside, distance, reach, cos_half, touched, stance, moving, light, camouflage, alert, numbers
):
    """Return the seconds to identify a target in clear view.

    The result is -1 where the eyes do not reach. ``touched``: so near that the angle does not matter. ``moving, light,
    camouflage``: 0 to 1.
    """
    shape = numbers[SHAPE]
    seconds = -1.0
    if shape == ZONES:
        certainty = zone_certainty(ahead, aside, distance, reach, numbers)
        if touched:
            certainty = max(certainty, numbers[CLOSE])
        if certainty <= 0:
            return -1.0
        hidden = max(camouflage, 1.0 - light)
        certainty = min(1.0, certainty + numbers[MOTION] * moving - numbers[CAMOUFLAGE] * hidden)
        # Thirds that cancel leave a rounding error, which must not give an endless time.
        if certainty <= 1e-9:
            return -1.0
        seconds = numbers[SWEET_SECONDS] / certainty
    elif shape == COFFIN:
        seconds = coffin_seconds(ahead, aside, distance, reach)
    elif shape == INVERSE_ANGLE:
        if distance > 0:
            angle = min(max(numbers[INVERSE] / distance, _ANGLE_LIMITS[0]), _ANGLE_LIMITS[1])
            if ahead >= np.cos(angle) * distance:
                seconds = _ranged_seconds(distance, reach, numbers)
        else:
            seconds = _ranged_seconds(distance, reach, numbers)
    elif ahead >= cos_half * distance:
        seconds = _ranged_seconds(distance, reach, numbers)
    if seconds < 0:
        if not touched:
            return -1.0
        seconds = _ranged_seconds(distance, reach, numbers)
    if shape != ZONES:
        seconds *= 1.0 + (numbers[RUN_FACTOR] - 1.0) * moving
        seconds *= 1.0 / (light + (1.0 - light) / numbers[DARK_FACTOR])
    return seconds * numbers[STANCE_FACTOR + stance] * numbers[ALERT_FACTOR + alert]


TECHNIQUES = (
    {
        "slug": "vision-zones",
        "name": "Vision zones with certainty",
        "ids": ("GP2-4.2",),
        "source": "Game AI Pro 2, ch. 4",
        "functions": ("zone_certainty", "spindle"),
        "test": "tests/ai/perception/awareness/test_vision_shapes.py",
        "exhibit": "levels/exhibits/senses/eyes_at_work.toml",
        "overlay": "zones",
        "setting": "vision.shape",
        "parts": ("GP2-4.3",),
        "measure": "noticed",
        "reason": "Zones identify sooner in front and later at the edge than a cone.",
        "claim": "Sizes of the zones and the close circle are ours; camouflage is the ground's cover.",
    },
    {
        "slug": "coffin-vision",
        "name": "Cone, periphery and coffin box",
        "ids": ("GP2-28.4",),
        "source": "Game AI Pro 2, ch. 28",
        "functions": ("coffin_seconds",),
        "test": "tests/ai/perception/awareness/test_vision_shapes.py",
        "exhibit": "levels/exhibits/senses/eyes_at_work.toml",
        "overlay": "zones",
        "setting": "vision.shape",
        "reason": "The exhibit is that of another technique.",
        "claim": "Of several shapes the fastest time counts; the sizes are ours.",
    },
    {
        "slug": "inverse-angle-vision",
        "name": "View angle inverse to distance",
        "ids": ("GP2-34.4",),
        "source": "Game AI Pro 2, ch. 34",
        "functions": ("seconds_in_shape",),
        "test": "tests/ai/perception/awareness/test_vision_shapes.py",
        "exhibit": "levels/exhibits/senses/eyes_at_work.toml",
        "overlay": "zones",
        "setting": "vision.shape",
        "reason": "The exhibit is that of another technique.",
        "claim": "Limits and constant of the law are ours.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
