"""Alarm shout: a message between minds that carries only the sender's knowledge.

It goes through the message router with a reaction delay of 0.3 to 0.5 s, different for each receiver, so that a
patrol does not turn in one tick. Noises are no messages of minds: see ``game/systems/noise.py``.
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
    """Shout an alarm with ``who``'s last seen position to comrades within earshot.

    Returns how many will hear it.
    """
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
    """Return slots of living units within earshot of a sound, by unit id.

    ``radius`` is the tiles at which an unaware guard hears it. The rule is that of all sounds: its path round
    walls and through doors, the ears of the listener, its sleep, and the machines beside it.
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
