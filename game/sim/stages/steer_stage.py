"""Stage steer: speed limits, and results of following, whiskers and avoidance."""

from __future__ import annotations

import numpy as np

from ai.core.kernels import kernel
from ai.core.scheduling.update_timeline import Part
from ai.core.thread_pool import halves
from ai.formation.slot_following import BY_FIELD, OWN_WAY
from ai.steering.motion_step import steer
from ai.steering.navigation_pipeline import USUAL, Pipeline, read_stages
from ai.steering.steering_columns import Bodies, Waypoints
from game.systems.body.acts import rooted
from game.systems.groups.march import group_steering
from game.systems.movement.body_room import step_apart
from game.systems.movement.posture import adapt_stances
from game.systems.passages import passage_right_of_way
from game.systems.stealth.perception_lod import walkers
from game.systems.timeline_notes import note
from game.world.passage_claims import GOES
from game.world.units import Pace, Stance
from game.world.world import World


def run(world: World) -> None:
    """Set the speed column, then let the steering kernels fill in what units want."""
    adapt_stances(world)
    set_speeds(world)
    bodies, path = bodies_of(world), paths_of(world)
    group_steering.lead(world, path)
    bodies = passage_right_of_way.run(world, bodies, path)
    terrain, steering = world.terrain, world.steering
    steering.follow_terrain(terrain)
    u = world.units
    steering.reserve(u.count)
    awake = walkers(world)
    moving = (u.moving[: u.count] == 1) & (u.alive[: u.count] == 1)
    note(world, Part.STEER, moving if awake is None else moving & (awake == 1))
    own = world.settings.rules.unit_horizons
    steering.foresight[: u.count] = np.array([t.foresight if own else 0.0 for t in world.types])[u.kind[: u.count]]
    steer(
        steering,
        world.settings.steering,
        terrain.passable,
        world.tick,
        bodies,
        path,
        True,
        awake,
        _pipelines(world),
        world.seed,
        (world.settings.rules.bias_east, world.settings.rules.bias_south),
    )
    step_apart(world)
    # The place to which a unit clears a passage is not on its own path.
    steering.reached[: u.count][world.passages.act[: u.count] != GOES] = 0


_USUAL = tuple(stage.name.lower() for stage in USUAL)


def _pipelines(world: World) -> tuple[Pipeline, ...]:
    """Return the pipelines of all unit types and assign them in the motion state.

    One serves all when types do not matter.
    """
    u, usual = world.units, (Pipeline(),)
    own = [kind for kind, t in enumerate(world.types) if tuple(t.stages) != _USUAL]
    kinds = u.kind[: u.count]
    if not world.settings.steering.pipelines or not any((kinds == kind).any() for kind in own):
        world.steering.pipeline[: u.count] = 0
        return usual
    counts = np.bincount(kinds, minlength=len(world.types))
    rows = tuple(
        Pipeline(read_stages(t.stages), t.sway, t.circle) if count and tuple(t.stages) != _USUAL else usual[0]
        for t, count in zip(world.types, counts.tolist(), strict=True)
    )
    # Types with the same pipeline share a row.
    shared = list(dict.fromkeys(rows))
    world.steering.pipeline[: u.count] = np.array([shared.index(row) for row in rows], np.uint8)[kinds]
    return tuple(shared)


ROOTED = 0.01
"""Speed in tiles/s of a unit whose legs an act holds.

It is above 0, so that times of arrival stay finite.
"""
SHARED_UNITS = 2000
"""Units from which a separate thread finds the ground they stand on."""


@kernel(
    "void(uint8[:,::1], float64[:,::1], float64, uint8[::1], uint8[::1], uint8[::1], int32[::1], float64[::1],"
    " float64[::1], float64[::1])"
)
def speeds(
    cost: np.ndarray,
    table: np.ndarray,
    carry: float,
    kind: np.ndarray,
    stance: np.ndarray,
    pace: np.ndarray,
    carrying: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    speed: np.ndarray,
) -> None:
    """Compute unit speeds (``speed``) by type, stance and ground.

    ``table`` float64[types, 4]: tiles/s walking, running, crouched, prone; ``cost`` in eighths of plain ground.
    """
    for i in range(x.size):
        column = 1 + stance[i] if stance[i] > 0 else (1 if pace[i] == 1 else 0)
        v = table[kind[i], column]
        if carrying[i] >= 0:
            v *= carry
        ty = min(max(int(y[i]), 0), cost.shape[0] - 1)
        tx = min(max(int(x[i]), 0), cost.shape[1] - 1)
        speed[i] = v * 8.0 / max(cost[ty, tx], 8)


def set_speeds(world: World) -> None:
    """Set the speed of each unit by type, stance, pace, load and ground."""
    assert (Stance.CROUCH, Stance.PRONE, Pace.RUN) == (1, 2, 1), "the kernel counts on these"
    u, n = world.units, world.units.count
    table = np.array([[t.walk, t.run, t.crouch, t.prone] for t in world.types])
    load = np.maximum(u.carrying[:n], u.dragging[:n])
    columns = (u.kind, u.stance, u.pace, load, u.x, u.y, u.speed)
    ground = (world.terrain.cost, table, world.settings.rules.carry_speed)
    calls = [(*ground, *(column[first:last] for column in columns)) for first, last in halves(n, SHARED_UNITS)]
    world.paths.store.pool.share(speeds, calls)
    if not world.settings.body.layers:
        u.speed[rooted(world)] = ROOTED


def bodies_of(world: World) -> Bodies:
    """Return views of the columns in use, for the steering kernels."""
    u, n = world.units, world.units.count
    # A unit on the way to its slot may come near its peers; one on its own path keeps clear of all.
    alone = (u.slot_mode[:n] == OWN_WAY) | (u.slot_mode[:n] == BY_FIELD)
    peers = np.where(alone, np.int32(-1), u.band[:n]) if alone.any() else u.band[:n]
    return Bodies(
        u.id[:n], u.alive[:n], u.moving[:n], u.holding[:n], u.movement_class[:n], u.x[:n], u.y[:n], u.vx[:n], u.vy[:n],
        u.facing[:n], u.radius[:n], u.speed[:n], u.turn_rate[:n], u.turn_to[:n], u.goal_x[:n], u.goal_y[:n],
        u.stuck[:n], u.event[:n], peers,
    )  # fmt: skip


def paths_of(world: World) -> Waypoints:
    """Return the next waypoints of all units."""
    u, n, store = world.units, world.units.count, world.paths.store
    store.reserve(u.capacity)
    left = store.path_len[:n]
    # A unit that waits for a path wants to stay in place.
    none = left == 0
    return Waypoints(
        np.where(none, u.x[:n], store.wp_x[:n]),
        np.where(none, u.y[:n], store.wp_y[:n]),
        np.ascontiguousarray(store.next_x[:n]),
        np.ascontiguousarray(store.next_y[:n]),
        (left > 1).view(np.uint8),
        at_last(world),
    )


def at_last(world: World) -> np.ndarray:
    """Return uint8[count]: units whose next waypoint is their destination."""
    n, store = world.units.count, world.paths.store
    return ((store.path_len[:n] == 1) & (store.final[:n] == 1)).view(np.uint8)
