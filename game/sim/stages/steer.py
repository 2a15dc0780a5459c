"""Stage steer: how fast each may move now, and what following, whiskers and avoidance want."""

from __future__ import annotations

import numpy as np

from ai.steering.step import Bodies, Waypoints, steer
from game.world.units import Pace, Stance
from game.world.world import World


def run(world: World) -> None:
    """Set the speed column, then let the steering kernels fill in what units want."""
    set_speeds(world)
    bodies, way = columns(world)
    steer(world.steering, world.settings.steering, world.terrain.passable, world.tick, bodies, way)


def set_speeds(world: World) -> None:
    """``speed``: the type's, by stance and pace, less for carriers, less on slow ground."""
    u, n = world.units, world.units.count
    table = np.array([[t.walk, t.run, t.crouch, t.prone] for t in world.types])
    gait = np.where(
        u.stance[:n] == Stance.CROUCH, 2, np.where(u.stance[:n] == Stance.PRONE, 3, u.pace[:n] == Pace.RUN)
    ).astype(np.int64)
    speed = table[u.kind[:n], gait]
    speed[u.carrying[:n] >= 0] *= world.settings.rules.carry_speed
    t = world.terrain
    ty = np.clip(u.y[:n].astype(np.int64), 0, t.height - 1)
    tx = np.clip(u.x[:n].astype(np.int64), 0, t.width - 1)
    u.speed[:n] = speed * 8.0 / np.maximum(t.cost[ty, tx], 8)


def columns(world: World) -> tuple[Bodies, Waypoints]:
    """The columns in use, as the steering kernels take them (views, not copies)."""
    u, n, store = world.units, world.units.count, world.paths.store
    store.reserve(u.capacity)
    bodies = Bodies(
        u.id[:n], u.alive[:n], u.moving[:n], u.holding[:n], u.klass[:n], u.x[:n], u.y[:n], u.vx[:n], u.vy[:n],
        u.facing[:n], u.radius[:n], u.speed[:n], u.turn_rate[:n], u.turn_to[:n], u.goal_x[:n], u.goal_y[:n],
        u.stuck[:n], u.event[:n],
    )  # fmt: skip
    left = store.path_len[:n]
    # Who waits for a path wants to stay where it is.
    none = left == 0
    way = Waypoints(
        np.where(none, u.x[:n], store.wp_x[:n]),
        np.where(none, u.y[:n], store.wp_y[:n]),
        np.ascontiguousarray(store.next_x[:n]),
        np.ascontiguousarray(store.next_y[:n]),
        (left > 1).astype(np.uint8),
        ((left == 1) & (store.final[:n] == 1)).astype(np.uint8),
    )
    return bodies, way
