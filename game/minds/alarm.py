"""The shout of alarm: a message from mind to mind that carries what its sender knows, and no more.

It goes through the message router with a reaction delay of 0.3 to 0.5 s, another for each receiver, so that a patrol
does not turn as one man.  Noises are no messages of minds: see ``game/systems/noise.py``.
"""

from __future__ import annotations

import numpy as np

from ai.core.rand import Stream, uniform
from game.minds.agent_view import AgentView
from game.systems.noise import paths_of_sound
from game.systems.stealth.stimulus_system import keenness
from game.world.world import World

ALARM = "ALARM"

FASTEST, SLOWEST = 6, 10
"""Reaction delay in ticks: 0.3 to 0.5 s."""


def reaction(world: World, unit: int, n: int = 0) -> int:
    """Ticks until ``unit`` reacts to what it hears in this tick."""
    return FASTEST + int(uniform(world.seed, Stream.GUARD, world.tick, unit, 100 + n) * (SLOWEST - FASTEST + 1))


def shout(body: AgentView, x: float, y: float, who: int, since: int) -> int:
    """Cry alarm: comrades within earshot learn where ``who`` was last seen; returns how many will hear it."""
    world = body.world
    if world.router is None or not body.settings.alarm_spreads:
        return 0
    told = 0
    for slot in _in_earshot(world, body.x, body.y, body.settings.earshot):
        unit = int(world.units.id[slot])
        if unit == body.id or int(world.units.side[slot]) != body.side:
            continue
        data: dict[str, float | int | str] = {"x": x, "y": y, "who": who, "since": since}
        told += world.router.send(ALARM, body.id, unit, world.tick, reaction(world, unit), data=data)
    return told


def _in_earshot(world: World, x: float, y: float, radius: float) -> list[int]:
    """Slots of the living units that hear what carries ``radius`` tiles for an unaware guard, by unit id.

    By the law of all sounds: its way round walls and through doors, the ears of who listens, whether he sleeps, and
    the machines beside him.
    """
    if radius <= 0:
        return []
    u = world.units
    live = u.living()
    live = live[np.argsort(u.id[live], kind="stable")]
    reach = radius * keenness(world, live)
    near = (u.x[live] - x) ** 2 + (u.y[live] - y) ** 2 <= reach * reach
    live, reach = live[near], reach[near]
    if not len(live):
        return []
    return [int(s) for s in live[paths_of_sound(world, x, y, u.x[live], u.y[live]) <= reach]]
