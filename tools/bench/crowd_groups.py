"""Group orders: ticks of one order to 1,000 units and of 100 orders.

The ticks after the order are timed as well. Units are scattered on the map of levels/exhibits/motion/ten_thousand.tmx.
A group is the units of one square, each in a box, and is sent two squares on. ``order`` is the tick in which the
orders are carried out, ``march`` are the ticks that follow.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from ai.core import kernels
from game.level.level_writer import LEVELS
from game.level.reading import load_level
from game.sim.session import Session
from game.sim.stage_clock import settle
from game.world.orders import Order, OrderKind

SQUARES = 10
"""Groups stand in so many squares along each side of the map."""
AFTER = 60
"""Ticks measured after the orders."""


def rows(most: int = 100, each: int = 1000) -> list[dict[str, Any]]:
    """Return rows for 1 and for ``most`` groups of about ``each`` units.

    Keys: us_mean, us_min, us_p99 and the number of requested paths.
    """
    kernels.import_all()
    for _ in kernels.warm_up(("mission", "lab")):
        pass
    level = load_level(LEVELS / "exhibits/motion/ten_thousand.tmx")
    found: list[dict[str, Any]] = []
    session = Session(level, 7, units=each * SQUARES * SQUARES, recording=False)
    for _ in range(2):
        session.advance()
    settle()
    u = session.world.units
    side = level.width / SQUARES
    square = (u.y[: u.count] // side).astype(int) * SQUARES + (u.x[: u.count] // side).astype(int)
    given = 0
    for groups in (1, most):
        asked = session.world.paths.statistics.requested
        for k in range(given, groups):
            ids = tuple(np.sort(u.id[: u.count][square == k]).tolist())
            row, column = divmod(k, SQUARES)
            x, y = ((column + 2) % SQUARES + 0.5) * side, (row + 0.5) * side
            session.give(Order(int(OrderKind.FORMATION), 0, ids, name="shape", text="box"))
            session.give(Order(int(OrderKind.MOVE), 0, ids, x, y))
        given = groups
        times = []
        for _ in range(AFTER + 1):
            start = time.perf_counter()
            session.advance()
            times.append(time.perf_counter() - start)
        asked = session.world.paths.statistics.requested - asked
        for name, part in (("order", times[:1]), ("march", times[1:])):
            us = np.array(part) * 1e6
            found.append(
                {
                    "algorithm": f"group {name}",
                    "mode": "batch",
                    "us_mean": float(us.mean()),
                    "us_min": float(us.min()),
                    "us_p99": float(np.percentile(us, 99)),
                    "threads": 1,
                    "units": int(u.count),
                    "groups": groups,
                    "paths": int(asked),
                }
            )
    return found
