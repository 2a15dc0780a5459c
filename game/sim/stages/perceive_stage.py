"""Stage perceive: fog of each side, watcher meters, and derived facts."""

from __future__ import annotations

import numpy as np

from ai.core.scheduling.update_timeline import Part
from game.systems.lights import shine
from game.systems.stealth.look_terms import tell_looks
from game.systems.stealth.perception_lod import watchers
from game.systems.stealth.side_knowledge import learn
from game.systems.stealth.stimulus_system import notice
from game.systems.timeline_notes import note
from game.world.units import Event, LabMark
from game.world.world import World

_FACTS = (
    (Event.GLIMPSED, "glimpsed"),
    (Event.NOTICED, "noticed"),
    (Event.SAW, "identified"),
    (Event.LOST_SIGHT, "lost_sight"),
)


def run(world: World) -> None:
    """Bring team sight up to date, then look with every watcher once."""
    u, n = world.units, world.units.count
    if not n:
        return
    see(world)
    shine(world)
    # The fallen count: eyes that stop must not reveal that the last enemy is dead.
    if (u.side[:n] != u.side[0]).any():
        _look(world)
        notice(world)
        learn(world)
    else:
        u.meter[:n] = 0.0
        u.meter_target[:n] = -1


def see(world: World) -> None:
    """Update each side's map view.

    It is also called once when the world is made, so that tick 0 is not blank.
    """
    u, n = world.units, world.units.count
    terrain = world.terrain
    changes = world.sight.changes_of(terrain)
    radius = np.array([int(t.sight) for t in world.types], np.int32)[u.kind[:n]]
    radius[u.lab[:n] & int(LabMark.BLIND) != 0] = 0
    world.sight.update(
        terrain.opaque, changes, u.id[:n], u.alive[:n], u.side[:n], u.x[:n], u.y[:n], radius,
        world.settings.rules.sight_budget,
    )  # fmt: skip


def motion(world: World) -> np.ndarray:
    """Return float64[n]: speed as a share of the type's running speed."""
    u, n = world.units, world.units.count
    run = np.array([t.run for t in world.types])[u.kind[:n]]
    return np.minimum(1.0, np.hypot(u.vx[:n], u.vy[:n]) / run)


def _look(world: World) -> None:
    u, n = world.units, world.units.count
    kinds = u.kind[:n]
    world.vision.settings = world.settings.vision
    before, meters = u.event[:n].copy(), u.meter[:n].copy()
    watching = watchers(world)
    note(world, Part.LOOK, watching)
    world.vision.update(
        world.tick,
        world.terrain.opaque,
        world.terrain.cover,
        ids=u.id[:n],
        alive=u.alive[:n],
        side=u.side[:n],
        x=u.x[:n],
        y=u.y[:n],
        stance=u.stance[:n],
        head=u.head[:n],
        watching=watching,
        reach=np.array([t.cone_range for t in world.types])[kinds],
        half_angle=np.array([t.cone_half_angle for t in world.types])[kinds],
        meter=u.meter[:n],
        meter_target=u.meter_target[:n],
        seen_x=u.seen_x[:n],
        seen_y=u.seen_y[:n],
        seen_tick=u.seen_tick[:n],
        event=u.event[:n],
        moving=motion(world),
        alert=u.mood[:n],
        light=world.light.level,
        low=world.low,
        seed=world.seed,
        shown=(u.alive[:n] & (u.lab[:n] & int(LabMark.UNSEEN) == 0)).astype(np.uint8),
    )
    tell_looks(world, meters)
    told = np.flatnonzero(u.event[:n] != before)
    raised = list(zip(told.tolist(), (u.event[told] & ~before[told]).tolist(), strict=True))
    for bit, kind in _FACTS:
        for slot, bits in raised:
            if bits & bit:
                world.happen(kind, int(u.id[slot]), int(u.meter_target[slot]))
    for slot, target in world.vision.found:
        world.happen("identified", int(u.id[slot]), target)
