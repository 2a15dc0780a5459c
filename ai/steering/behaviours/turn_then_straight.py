"""Shortest path with a turning radius: turn, then straight.

From a position and a heading, a vehicle drives on a circle to its right or left until it faces the destination, then
straight. Both sides are tested. Angles are radians, clockwise on screen (y down), so a right turn adds to the heading.
Any unit of length will do.

This module computes a whole path, for display. Units drive by the same formulas, slower and tighter in narrow places
(:mod:`ai.steering.behaviours.turning_circle`).

Source: AI Game Programming Wisdom, 4.4.
"""

from __future__ import annotations

import math

from ai.core.serialization import record
from ai.steering.behaviours.turning_circle import path_length, turn_left_over

TAU = 2.0 * math.pi

LEFT, RIGHT = -1, 1


@record
class TurnRoute:
    """An arc of ``arc`` tiles about (cx, cy), then ``straight`` tiles.

    ``side`` is +1 for right, -1 for left.
    """

    side: int
    radius: float
    cx: float
    cy: float
    start: float  # angle from the centre to the start of the arc, radians
    arc: float
    straight: float
    heading: float  # after the turn, radians

    @property
    def length(self) -> float:
        """Length of arc and straight part, tiles."""
        return self.arc + self.straight


def turn_route(
    x: float, y: float, heading: float, to_x: float, to_y: float, radius: float, side: int
) -> TurnRoute | None:
    """Return the path that turns to one side.

    Returns None if the destination lies inside that turning circle.
    """
    if radius <= 0.0:
        raise ValueError(f"the turning radius must be positive, got {radius}")
    if side not in (LEFT, RIGHT):
        raise ValueError(f"side must be {RIGHT} (right) or {LEFT} (left), not {side}")
    turn = turn_left_over(x, y, heading, to_x, to_y, radius, side)
    if turn < 0.0:
        return None
    to_centre = heading + side * math.pi / 2
    cx, cy = x + radius * math.cos(to_centre), y + radius * math.sin(to_centre)
    straight = path_length(x, y, heading, to_x, to_y, radius, side, turn) - radius * turn
    end = (heading + side * turn + math.pi) % TAU - math.pi
    return TurnRoute(side, radius, cx, cy, to_centre + math.pi, radius * turn, straight, end)


def shortest_turn(x: float, y: float, heading: float, to_x: float, to_y: float, radius: float) -> TurnRoute | None:
    """Return the shorter of the right and the left path; None if neither exists.

    If both are equally long, the right path is returned.
    """
    found = [turn_route(x, y, heading, to_x, to_y, radius, side) for side in (RIGHT, LEFT)]
    real = [route for route in found if route is not None]
    return min(real, key=lambda route: route.length) if real else None


def pose_at(route: TurnRoute, path: float) -> tuple[float, float, float]:
    """Return (x, y, heading) after ``path`` tiles; beyond the end it goes on straight."""
    if path < route.arc:
        a = route.start + route.side * path / route.radius
        turned = a + route.side * math.pi / 2
        x, y = route.cx + route.radius * math.cos(a), route.cy + route.radius * math.sin(a)
        return x, y, (turned + math.pi) % TAU - math.pi
    a = route.start + route.side * route.arc / route.radius
    x, y = route.cx + route.radius * math.cos(a), route.cy + route.radius * math.sin(a)
    on = path - route.arc
    return x + on * math.cos(route.heading), y + on * math.sin(route.heading), route.heading


TECHNIQUES = (
    {
        "slug": "turn-then-straight",
        "name": "Turn, then straight",
        "ids": ("AW-4.4-1", "AW-4.4-2"),
        "source": "AI Game Programming Wisdom, 4.4",
        "functions": ("shortest_turn",),
        "test": "tests/ai/steering/behaviours/test_turn_then_straight.py",
        "exhibit": "levels/exhibits/motion/turning_circles.toml",
        "overlay": "motion",
        "setting": "steering.turning_radius",
        "measure": "walked",
        "direction": "up",
        "claim": (
            "As told, with the misprinted start angle corrected. Here the route serves the overlay; bodies drive by "
            "a kernel of the same rule."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
