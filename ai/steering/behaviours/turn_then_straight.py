"""Turn, then straight: the shortest way with a turning radius (AI Game Programming Wisdom, 4.4).

From a place and a heading a vehicle drives on a circle to its right or to its left until it faces the destination,
then straight.  Both ways are tried.  Angles are radians clockwise on screen (y down), so a right turn adds to the
heading; lengths do not care.  The sums are those by which units drive, slower and tighter where there is no room
(:mod:`ai.steering.behaviours.turning_circle`); here a route is a thing to look at.
"""

from __future__ import annotations

import math

from ai.core.serialization import record
from ai.steering.behaviours.turning_circle import path_length, turn_left_over

TAU = 2.0 * math.pi

LEFT, RIGHT = -1, 1


@record
class TurnRoute:
    """One route: an arc of ``arc`` tiles about (cx, cy), then ``straight`` tiles; ``side`` +1 right, -1 left."""

    side: int
    radius: float
    cx: float
    cy: float
    start: float  # angle from the centre to where the arc begins
    arc: float
    straight: float
    heading: float  # after the turn

    @property
    def length(self) -> float:
        """Tiles in all."""
        return self.arc + self.straight


def turn_route(
    x: float, y: float, heading: float, to_x: float, to_y: float, radius: float, side: int
) -> TurnRoute | None:
    """The route that turns to one side; None when the destination lies inside that turning circle."""
    if radius <= 0.0:
        raise ValueError(f"a turning radius is positive, got {radius}")
    if side not in (LEFT, RIGHT):
        raise ValueError(f"side is {RIGHT} (right) or {LEFT} (left), not {side}")
    turn = turn_left_over(x, y, heading, to_x, to_y, radius, side)
    if turn < 0.0:
        return None
    to_centre = heading + side * math.pi / 2
    cx, cy = x + radius * math.cos(to_centre), y + radius * math.sin(to_centre)
    straight = path_length(x, y, heading, to_x, to_y, radius, side, turn) - radius * turn
    end = (heading + side * turn + math.pi) % TAU - math.pi
    return TurnRoute(side, radius, cx, cy, to_centre + math.pi, radius * turn, straight, end)


def shortest_turn(x: float, y: float, heading: float, to_x: float, to_y: float, radius: float) -> TurnRoute | None:
    """The shorter of the right and the left route (the right one when equal), None when neither exists."""
    found = [turn_route(x, y, heading, to_x, to_y, radius, side) for side in (RIGHT, LEFT)]
    real = [route for route in found if route is not None]
    return min(real, key=lambda route: route.length) if real else None


def pose_at(route: TurnRoute, path: float) -> tuple[float, float, float]:
    """(x, y, heading) after ``way`` tiles; beyond the end it goes on straight."""
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
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
