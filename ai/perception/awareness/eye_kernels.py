"""Kernels of a guard's eyes: range, angle, line of sight.

The cheapest test comes first.

Sources: Steve Rabin, "Vision Zones and Object Identification Certainty", Game AI Pro 2, ch. 4 (4.1, the tests in order
of cost); Martin Walsh, "Modeling Perception and Awareness in Splinter Cell Blacklist", Game AI Pro 2, ch. 28 (28.2,
body points); Travis McIntosh, "Human Enemy AI in The Last of Us", Game AI Pro 2, ch. 34 (34.3, one sample point over
low walls).

Watchers call ``look`` about targets; maps, HUD and paths call ``predict`` about places. Both use the same steps,
:func:`distance_in_reach`, :func:`seconds_in_gaze` and :func:`points_in_sight`. So the prediction for a place equals the
later result. All units are as in ``ai.perception.awareness.vision``.
"""

from __future__ import annotations

import numpy as np

from ai.core.kernels import device, kernel
from ai.perception.awareness.detection_meter import progress_on
from ai.perception.awareness.vision_shapes import CONE, ZONES, extent_device, seconds_in_shape
from ai.perception.settings import (
    BODY_POINTS,
    DARK_REACH,
    HEAD_IN_COMBAT,
    JOINTS_COUNT,
    SHAPE,
    SIGHT_RULE,
    TOUCH,
)
from ai.perception.sight.simple_sight import sees
from ai.perception.sight.wall_heights import shows_over
from ai.perception.spatial_bins import PER_TILE

BODY_RADIUS = 0.27
"""Tiles from the middle of a body to its sight points.

It is a soldier's radius less a tenth.
"""
_POINTS = BODY_RADIUS * np.array([(np.cos(k * np.pi / 4), np.sin(k * np.pi / 4)) for k in range(8)])
_POINTS_NEEDED = np.array([1, 3, 4])
"""Visible points needed, of eight, by stance: standing, crouching, lying."""


@device
def body_points_seen(opaque, rule, wx, wy, tx, ty):  # type: ignore[no-untyped-def]
    """Return how many of a body's eight points the watcher sees.

    A point counts when the watcher's tile has a clear line to its tile.
    """
    height, width = opaque.shape
    seen = 0
    for k in range(8):
        px = tx + _POINTS[k, 0]
        py = ty + _POINTS[k, 1]
        if px >= 0 and py >= 0 and px < width and py < height:
            tile_y, tile_x = int(py), int(px)
            # No part of a body is inside a wall; a part beyond the wall's border is behind it.
            own = tile_y == int(ty) and tile_x == int(tx)
            if (own or opaque[tile_y, tile_x] == 0) and sees(opaque, rule, int(wy), int(wx), tile_y, tile_x):
                seen += 1
    return seen


@device
def light_on(light, opaque, x, y):  # type: ignore[no-untyped-def]
    """Return the light 0..1 on the best lit part of a body.

    The parts are its middle and four sides; a side inside a wall does not count.
    """
    height, width = light.shape
    ty = int(y)
    tx = int(x)
    best = light[ty, tx]
    off = max(abs(x - tx - 0.5), abs(y - ty - 0.5))
    if off + BODY_RADIUS >= 0.5:  # otherwise all of it is on one tile
        for k in range(4):
            px = x + BODY_RADIUS * ((k == 0) - (k == 1))
            py = y + BODY_RADIUS * ((k == 2) - (k == 3))
            if px >= 0 and py >= 0 and px < width and py < height and opaque[int(py), int(px)] == 0:
                best = max(best, light[int(py), int(px)])
    return best / 255.0


@device
def distance_in_reach(  # type: ignore[no-untyped-def]
    dx, dy, look_x, look_y, cos_half, reach, stance, ground, hiding, numbers, counts
):
    """Run test one, and the free part of test two.

    Returns the tiles to a target, or -1 when it is out of range or outside a plain cone. ``dx, dy`` lead from the
    watcher to the target. ``ground`` is the cover on the target's tile, a row of ``hiding``.
    """
    square = dx * dx + dy * dy
    limit = min(reach * extent_device(numbers[SHAPE]), hiding[ground, stance])
    if square > limit * limit:
        return -1.0
    counts[1] += 1
    distance = np.sqrt(square)
    beside = dx * look_x + dy * look_y < cos_half * distance
    if beside and numbers[SHAPE] == CONE and distance > numbers[TOUCH + stance]:
        # Most targets in range end here, before any further look-up.
        return -1.0
    return distance


@device
def seconds_in_gaze(  # type: ignore[no-untyped-def]
    dx, dy, distance, look_x, look_y, cos_half, reach, alert, stance, moving, ground, lit, hiding, numbers, counts
):
    """Run test two: seconds to identify a target in range in clear view.

    Returns -1 when the target is outside the gaze or too dark.
    """
    if numbers[SHAPE] != ZONES and distance > reach * (numbers[DARK_REACH] + (1.0 - numbers[DARK_REACH]) * lit):
        return -1.0
    ahead = dx * look_x + dy * look_y
    aside = abs(dy * look_x - dx * look_y)
    camouflage = ground / max(1, hiding.shape[0] - 1)
    touched = distance <= numbers[TOUCH + stance]
    seconds = seconds_in_shape(
        ahead, aside, distance, reach, cos_half, touched, stance, moving, lit, camouflage, alert, numbers
    )
    if seconds >= 0:
        counts[2] += 1
    return seconds


@device
def ground_at(cover, hiding, x, y):  # type: ignore[no-untyped-def]
    """Return the row of ``hiding`` for a place.

    An unknown cover reads the last row of the table, not beyond it.
    """
    return min(int(cover[int(y), int(x)]), hiding.shape[0] - 1)


@device
def points_in_sight(opaque, wx, wy, tx, ty, numbers):  # type: ignore[no-untyped-def]
    """Return how many points 0..8 of a body the walls leave in view.

    Without body points it is all or none, by the body's middle. It is the same for every stance.
    """
    rule = int(numbers[SIGHT_RULE])
    if numbers[BODY_POINTS] != 0:
        return body_points_seen(opaque, rule, wx, wy, tx, ty)
    return len(_POINTS) if sees(opaque, rule, int(wy), int(wx), int(ty), int(tx)) else 0


@device
def shown(low, wx, wy, tx, ty, stance, alert, points, numbers, watcher_stance):  # type: ignore[no-untyped-def]
    """Return whether the points suffice for a stance.

    The body must also show over the low walls between. A watcher that crouches or lies behind one sees over it only
    where a standing watcher would see it.
    """
    if points < _POINTS_NEEDED[stance]:
        return False
    if low.size > 1 and numbers[SIGHT_RULE] == 0:
        fights = 1 if alert > 0 and numbers[HEAD_IN_COMBAT] != 0 else 0
        joints = numbers[JOINTS_COUNT] != 0
        if stance > 0 and not shows_over(low, int(wy), int(wx), int(ty), int(tx), stance, fights, joints):
            return False
        if watcher_stance > 0:
            return shows_over(low, int(ty), int(tx), int(wy), int(wx), watcher_stance, fights, joints)
    return True


@device
def _cos_half(half_angle):  # type: ignore[no-untyped-def]
    # All round: rounding of a cosine must not leave a blind gap behind the watcher.
    return -2.0 if half_angle >= np.pi else np.cos(half_angle)


@kernel(
    "void(uint8[:,::1], uint8[:,::1], uint8[:,::1], uint8[:,::1], int32[::1], uint8[::1], uint8[::1], float64[::1], "
    "float64[::1], uint8[::1], float64[::1], float64[::1], uint8[::1], float64[::1], float64[::1], uint8[::1], "
    "float64[::1], int32[::1], int32[:,::1], float64[:,::1], float64[:,::1], float64[::1], int32[::1], int32[::1], "
    "int32[:,::1], float64[:,::1], float64[::1], int64[::1])"
)
def look(  # type: ignore[no-untyped-def]
    opaque, cover, light, low, ids, alive, side, x, y, stance, moving, head, watching, reach, half_angle, alert,
    meter, meter_target, others, progress, hiding, numbers, starts, members, seen, seconds, ranks, counts,
):  # fmt: skip
    """Find the visible slots of every watcher, soonest identified first.

    The order includes each meter's progress. ``seen: int32[n, m]`` gets the slots (-1 none); ``seconds``, of the same
    shape, the identification times from the beginning. Of more than ``m`` the latest are left out. For a unit that does
    not watch only the first entry is written. ``ranks: float64[m]`` is scratch. ``others, progress``: see
    :mod:`ai.perception.awareness.detection_meter`.
    """
    height, width = opaque.shape
    across = int(width * PER_TILE) + 1
    down = int(height * PER_TILE) + 1
    seen[:, 0] = -1
    seconds[:, 0] = np.inf
    # Watchers and candidates come in the order of the bins: neighbours in space are neighbours in memory.
    living = starts[len(starts) - 1]
    px = np.empty(living, np.float64)
    py = np.empty(living, np.float64)
    team = np.empty(living, np.uint8)
    for m in range(living):
        px[m] = x[members[m]]
        py[m] = y[members[m]]
        team[m] = side[members[m]]
    for w in range(living):
        i = members[w]
        if watching[i] == 0:
            continue
        seen[i] = -1
        seconds[i] = np.inf
        look_x = np.cos(head[i])
        look_y = np.sin(head[i])
        cos_half = _cos_half(half_angle[i])
        # An unknown stance or mood reads the last row of its table, not beyond it.
        mood = min(int(alert[i]), 2)
        # A watcher that has identified a target keeps its eyes on it while it can.
        held = meter_target[i] if meter[i] >= 1.0 else -1
        far = reach[i] * extent_device(numbers[SHAPE])
        left = max(0, int((px[w] - far) * PER_TILE))
        right = min(across - 1, int((px[w] + far) * PER_TILE))
        for by in range(max(0, int((py[w] - far) * PER_TILE)), min(down - 1, int((py[w] + far) * PER_TILE)) + 1):
            # The bins of a row follow each other.
            for m in range(starts[by * across + left], starts[by * across + right + 1]):
                if team[m] == team[w]:
                    continue
                counts[0] += 1
                dx = px[m] - px[w]
                dy = py[m] - py[w]
                if dx * dx + dy * dy > far * far:
                    continue
                j = members[m]
                pose = min(int(stance[j]), 2)
                dx = x[j] - x[i]
                dy = y[j] - y[i]
                ground = ground_at(cover, hiding, x[j], y[j])
                distance = distance_in_reach(
                    dx, dy, look_x, look_y, cos_half, reach[i], pose, ground, hiding, numbers, counts
                )
                if distance < 0:
                    continue
                s = seconds_in_gaze(
                    dx, dy, distance, look_x, look_y, cos_half, reach[i], mood, pose, moving[j], ground,
                    light_on(light, opaque, x[j], y[j]), hiding, numbers, counts,
                )  # fmt: skip
                if s < 0:
                    continue
                counts[3] += 1
                points = points_in_sight(opaque, x[i], y[i], x[j], y[j], numbers)
                if not shown(low, x[i], y[i], x[j], y[j], pose, mood, points, numbers, min(int(stance[i]), 2)):
                    continue
                counts[4] += 1
                rank = s * (1.0 - progress_on(ids[j], meter[i], meter_target[i], others[i], progress[i]))
                if ids[j] == held:
                    rank = -1.0
                # Insert the target among those seen so far; from there on each moves up by one.
                for k in range(len(ranks)):
                    other = seen[i, k]
                    if other < 0 or rank < ranks[k] or (rank == ranks[k] and ids[j] < ids[other]):
                        seen[i, k], j = j, other
                        seconds[i, k], s = s, seconds[i, k]
                        rank, ranks[k] = ranks[k], rank
                        if j < 0:
                            break


@kernel(
    "void(uint8[:,::1], uint8[:,::1], uint8[:,::1], uint8[:,::1], float64, float64, float64, float64, float64, int64, "
    "int64, float64, float64[:,::1], float64[::1], int64, int64, float64[:,:,::1])"
)
def predict(  # type: ignore[no-untyped-def]
    opaque, cover, light, low, x, y, head, reach, half_angle, alert, stance, moving, hiding, numbers, y0, x0, out
):
    """Predict the identification seconds for the tiles of a window.

    A target stands in the middle of each tile. The window is ``out[k]``, with top left tile (y0, x0), in the stances
    from ``stance`` on. The result is infinite where the target is not seen. Walls are tested once for all stances.
    """
    counts = np.zeros(5, np.int64)
    look_x = np.cos(head)
    look_y = np.sin(head)
    cos_half = _cos_half(half_angle)
    mood = min(alert, 2)
    for j in range(out.shape[1]):
        ty = y0 + j + 0.5
        for i in range(out.shape[2]):
            tx = x0 + i + 0.5
            ground = ground_at(cover, hiding, tx, ty)
            lit = -1.0
            points = -1
            for k in range(out.shape[0]):
                out[k, j, i] = np.inf
                pose = min(stance + k, 2)
                distance = distance_in_reach(
                    tx - x, ty - y, look_x, look_y, cos_half, reach, pose, ground, hiding, numbers, counts
                )
                if distance < 0:
                    continue
                if lit < 0:
                    lit = light_on(light, opaque, tx, ty)
                s = seconds_in_gaze(
                    tx - x, ty - y, distance, look_x, look_y, cos_half, reach, mood, pose, moving, ground, lit,
                    hiding, numbers, counts,
                )  # fmt: skip
                if s < 0:
                    continue
                if points < 0:
                    points = points_in_sight(opaque, x, y, tx, ty, numbers)
                if shown(low, x, y, tx, ty, pose, mood, points, numbers, 0):
                    out[k, j, i] = s


TECHNIQUES = (
    {
        "slug": "body-points",
        "name": "Body points and stance thresholds",
        "ids": ("GP2-28.3",),
        "source": "Game AI Pro 2, ch. 28",
        "functions": ("body_points_seen",),
        "test": "tests/ai/perception/awareness/test_vision_shapes.py",
        "exhibit": "levels/exhibits/senses/sight_corners.body_points.toml",
        "overlay": "zones",
        "setting": "vision.body_points",
        "measure": "noticed",
        "direction": "down",
        "claim": "Eight points of a disc, thresholds of ours for three stances; off in the shipped game.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
