"""What minds tell each other and what they hear: the shout of alarm and the noise of shots.

Both go through the message router with a reaction delay of 0.3 to 0.5 s, another for each receiver, so that a
patrol does not turn as one man.  A shout carries what its sender knows, no more.
"""

from __future__ import annotations

import numpy as np

from ai.rand import Stream, uniform
from game.minds.body import Body
from game.minds.settings import MindSettings
from game.world.world import World

ALARM, NOISE = "ALARM", "NOISE"

FASTEST, SLOWEST = 6, 10
"""Reaction delay in ticks: 0.3 to 0.5 s."""


def reaction(world: World, unit: int, n: int = 0) -> int:
    """Ticks until ``unit`` reacts to what it hears in this tick."""
    return FASTEST + int(uniform(world.seed, Stream.GUARD, world.tick, unit, 100 + n) * (SLOWEST - FASTEST + 1))


def shout(body: Body, x: float, y: float, who: int, since: int) -> int:
    """Cry alarm: comrades within earshot learn where ``who`` was last seen; returns how many will hear it."""
    world = body.world
    if world.router is None or not body.settings.alarm_spreads:
        return 0
    told = 0
    for slot in _near(world, body.x, body.y, body.settings.earshot):
        unit = int(world.units.id[slot])
        if unit == body.id or int(world.units.side[slot]) != body.side:
            continue
        data: dict[str, float | int | str] = {"x": x, "y": y, "who": who, "since": since}
        told += world.router.send(ALARM, body.id, unit, world.tick, reaction(world, unit), data=data)
    return told


def spread_noise(world: World, settings: MindSettings, listeners: np.ndarray) -> int:
    """Let the shots published in the last tick be heard by their targets and, of other sides, by ``listeners``.

    ``listeners`` is bool[slots]: those who would go and look.  Returns the messages sent.
    """
    if world.router is None or not settings.hears_shots:
        return 0
    sent = 0
    u = world.units
    for happening in world.events:
        if happening.kind != "shot" or happening.unit < 0:
            continue
        shooter = u.slot(happening.unit)
        loud = world.weapons[int(u.weapon[shooter])].noise
        for slot in _near(world, happening.x, happening.y, loud):
            unit = int(u.id[slot])
            if u.side[slot] == u.side[shooter] or not (listeners[slot] or happening.other == unit):
                continue
            data: dict[str, float | int | str] = {
                "x": happening.x,
                "y": happening.y,
                "at_me": int(happening.other == unit),
            }
            sent += world.router.send(NOISE, happening.unit, unit, world.tick, reaction(world, unit, 1), data=data)
    return sent


def _near(world: World, x: float, y: float, radius: float) -> list[int]:
    """Slots of living units within ``radius`` tiles, by unit id."""
    u = world.units
    live = u.living()
    near = live[(u.x[live] - x) ** 2 + (u.y[live] - y) ** 2 <= radius * radius]
    return [int(s) for s in near[np.argsort(u.id[near], kind="stable")]]
