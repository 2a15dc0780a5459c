"""What minds tell each other and what they hear: the shout of alarm and the noise of shots.

Both go through the message router with a reaction delay of 0.3 to 0.5 s, another for each receiver, so that a
patrol does not turn as one man.  A shout carries what its sender knows, no more.
"""

from __future__ import annotations

import numpy as np

from ai.core.rand import Stream, uniform
from game.minds.agent_view import AgentView
from game.minds.settings import settings_of
from game.systems.noise import paths_of_sound, record_sound
from game.systems.stealth.stimulus_system import keenness
from game.world.mind_kinds import minds_that
from game.world.world import World

ALARM, NOISE = "ALARM", "NOISE"

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


def spread_noise(world: World) -> int:
    """Let the shots of this tick be heard: by their targets, and by guards of other sides who would go and look.

    Called after the fight stage; what is heard arrives as messages some ticks later.  Returns the messages sent.
    """
    shots = [h for h in world.events if h.kind == "shot" and h.unit >= 0]
    if world.router is None or not shots:
        return 0
    u = world.units
    guards = minds_that(world.types, "watches")[u.kind[: u.count]]
    sent = 0
    for shot in shots:
        shooter = u.slot(shot.unit)
        loud = world.weapons[int(u.weapon[shooter])].noise if settings_of(world).hears_shots else 0.0
        near = _in_earshot(world, shot.x, shot.y, loud)
        hearers = [s for s in near if guards[s] and not _fights(world, int(u.id[s]))]
        record_sound(world, 2, shot.x, shot.y, loud, shot.unit)
        if shot.other >= 0 and u.alive[u.slot(shot.other)]:
            hearers.append(u.slot(shot.other))
        for slot in sorted(set(hearers), key=lambda s: int(u.id[s])):
            if u.side[slot] != u.side[shooter]:
                unit = int(u.id[slot])
                data: dict[str, float | int | str] = {"x": shot.x, "y": shot.y, "at_me": int(shot.other == unit)}
                sent += world.router.send(NOISE, shot.unit, unit, world.tick, reaction(world, unit, 1), data=data)
    return sent


def _fights(world: World, unit: int) -> bool:
    mind = world.minds.get(unit)
    return mind is not None and mind.skill == "fight"


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
