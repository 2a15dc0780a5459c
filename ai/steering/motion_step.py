"""The two motion stages of a tick, one kernel per step.

``steer`` reads the columns of the last tick and writes wanted velocities, whisker pushes and avoidance forces. ``move``
turns these into new positions, resolves collisions, publishes the result and measures progress. The order of slots
changes neither stage.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ai.core.thread_pool import threads_for
from ai.steering.behaviours.pipeline_stages import AVOIDANCES, STAGES
from ai.steering.behaviours.steering_behaviour import SteeringBehaviour, SteeringTick
from ai.steering.behaviours.steering_methods import METHODS
from ai.steering.behaviours.waypoint_following import follow
from ai.steering.collision.collision_resolution import correct
from ai.steering.collision.progress import watch_progress
from ai.steering.navigation_pipeline import USUAL, Pipeline, PipelineStage, rounds
from ai.steering.settings import SteeringSettings
from ai.steering.steering_columns import Bodies, SteeringState, Waypoints
from ai.steering.traffic.traffic_lanes import CELL, HEADINGS, count_traffic
from ai.steering.velocity_integration import integrate


def steer(
    state: SteeringState,
    settings: SteeringSettings,
    passable: np.ndarray,
    tick: int,
    bodies: Bodies,
    path: Waypoints,
    mapped: bool = False,
    awake: np.ndarray | None = None,
    pipelines: Sequence[Pipeline] = (Pipeline(),),
    seed: int = 0,
    bias: tuple[float, float] = (0.0, 0.0),
) -> None:
    """Run the steer stage: find neighbours, then run each unit's navigation pipeline.

    ``passable`` uint8[H, W] is the class bitmask of the terrain. ``mapped`` says that :meth:`SteeringState.follow_map`
    has already seen this map. Afterwards ``state.reached`` marks the units whose path advances to the next waypoint.

    ``awake`` uint8[n] marks the units that look for others in this tick; the rest keep a share of their last force. All
    methods other than plain following and context maps need every unit awake.

    ``state.pipeline`` holds the row of ``pipelines`` of each slot. ``seed`` is the seed for the SWAY stage. ``bias``
    (x, y) in tiles/s pulls every moving unit that has whiskers.

    Call :func:`move` with the same arguments in the same tick.
    """
    n = len(bodies.id)
    state.reserve(n)
    if not mapped:
        state.follow_map(passable)
    p = settings.packed()
    b, s, lat = bodies, state, state.spatial_hash
    threads = threads_for(n, settings.threads_from)
    rows, columns = -(-passable.shape[0] // CELL), -(-passable.shape[1] // CELL)
    if s.traffic.shape[:2] != (rows, columns):
        s.traffic = np.zeros((rows, columns, HEADINGS), np.int32)
    count_traffic(b.alive, b.moving, b.x, b.y, b.facing, s.traffic)
    lat.pool.run(
        follow, n, threads, passable, s.around, s.traffic, tick, p, b.id, b.alive, b.moving, b.movement_class, b.x,
        b.y, b.vx,
        b.vy, b.radius, b.speed, path.x, path.y, path.next_x, path.next_y, path.has_next, path.final,
        s.gain[:n], s.turn[:n], s.want_x[:n], s.want_y[:n], s.course_x[:n], s.course_y[:n], s.ahead[:n], s.lane_off[:n],
        s.reached[:n], s.roomy[:n],
    )  # fmt: skip
    lat.build(b.id, b.alive, b.x, b.y, b.vx, b.vy, b.radius, s.want_x[:n], s.want_y[:n], b.moving, b.holding, threads)
    method, avoidance = METHODS[settings.method], AVOIDANCES[settings.avoidance]
    if awake is None or method.needs_all_awake or avoidance.needs_all_awake:
        looks, awake = b.moving, np.ones(n, np.uint8)
    else:
        looks = b.moving & awake
    sees = method.needs_neighbours or avoidance.needs_neighbours
    lat.gather(settings.sense_radius, settings.neighbours if sees else 0, threads, looks)
    used = np.flatnonzero(np.bincount(s.pipeline[:n], minlength=1)).tolist() if len(pipelines) > 1 else [0]
    for k in used:
        # A stage that a pipeline lacks contributes zero.
        for stage in set(USUAL) - set(pipelines[k].stages):
            for name in STAGES[stage].writes:
                if name not in ("want_x", "want_y"):
                    getattr(s, name)[:n][s.pipeline[:n] == k] = 0
    now = SteeringTick(s, settings, passable, tick, b, path, p, threads, awake, pipelines, seed, bias)
    stages = [_driven(pipelines[k].stages, settings) for k in used]
    circles = np.array(
        [each.circle if PipelineStage.DRIVE in each.stages else settings.turning_radius for each in pipelines]
    )
    s.circle[:n] = circles[s.pipeline[:n]] if len(pipelines) > 1 else circles[0]
    if path.shunts is not None:
        s.circle[:n][path.shunts] = 0.0
    ran: set[PipelineStage] = set()
    s.told = []
    for stage, which in rounds(stages):
        turn = None if len(which) == len(used) else np.isin(s.pipeline[:n], [used[k] for k in which])
        now.turn = turn
        if turn is None:
            STAGES[stage].steer(now)
        else:
            _for_some(STAGES[stage], now, turn)
        if n <= TRACED:
            ran.add(stage)
            _trace(now, stage, ran)


def _driven(stages: tuple[PipelineStage, ...], settings: SteeringSettings) -> tuple[PipelineStage, ...]:
    """Insert a turning circle after the method if the settings give every unit one."""
    if settings.turning_radius <= 0.0 or PipelineStage.DRIVE in stages:
        return stages
    at = stages.index(PipelineStage.BEHAVE) + 1 if PipelineStage.BEHAVE in stages else 1
    return (*stages[:at], PipelineStage.DRIVE, *stages[at:])


def _for_some(stage: SteeringBehaviour, now: SteeringTick, turn: np.ndarray) -> None:
    """Run a stage for the slots with ``turn`` bool[n] only.

    The others keep the columns that it writes.
    """
    columns = [getattr(now.state, name)[: len(turn)] for name in stage.writes]
    before = [column.copy() for column in columns]
    stage.steer(now)
    for column, old in zip(columns, before, strict=True):
        column[~turn] = old[~turn]


TRACED = 1024
"""Largest number of units for which each stage's result is kept, for overlays."""


def _trace(now: SteeringTick, stage: PipelineStage, ran: set[PipelineStage]) -> None:
    """Record the velocity after a stage, float64[2, n], that the body would reach."""
    s, settings, n = now.state, now.settings, len(now.bodies.id)
    own = 1.0 - settings.whisker_attract if settings.whiskers and PipelineStage.WHISKERS in ran else 1.0
    told = own * np.array([s.want_x[:n], s.want_y[:n]])
    if PipelineStage.WHISKERS in ran:
        told += np.array([s.push_x[:n], s.push_y[:n]])
    if PipelineStage.AVOID in ran:
        told += settings.avoid_weight * np.array([s.force_x[:n], s.force_y[:n]]) / (settings.gain * s.gain[:n])
    s.told.append((int(stage), told))


def move(
    state: SteeringState,
    settings: SteeringSettings,
    passable: np.ndarray,
    bodies: Bodies,
    final: np.ndarray,
) -> None:
    """Run the move stage: integrate, resolve collisions, measure progress and publish.

    ``final`` uint8[n] marks units whose next waypoint is the destination.

    Units that arrive stop (``moving`` 0, event ARRIVED). A unit without progress raises BLOCKED every
    ``blocked_ticks``.
    """
    n = len(bodies.id)
    p = settings.packed()
    b, s, lat = bodies, state, state.spatial_hash
    new_x, new_y, new_vx, new_vy = s.new[:, :n] if s.new.shape[1] == n else (row[:n] for row in s.new)
    threads = threads_for(n, settings.threads_from)
    lat.pool.run(
        integrate, n, threads, passable, s.around, s.roomy, lat.rank, lat.contact_count, p, b.alive, b.moving,
        b.holding, b.movement_class, b.x, b.y, b.vx, b.vy, b.facing, b.radius, b.speed, b.turn_rate, b.turn_to, s.gain,
        s.want_x, s.want_y, s.push_x, s.push_y, s.force_x, s.force_y, s.turn, new_x, new_y, new_vx, new_vy, s.wishing,
        s.circle,
    )  # fmt: skip
    correct(
        lat, threads, passable, s.around, s.roomy, p, s.wishing, b.radius, b.movement_class, b.moving, b.holding,
        b.goal_x,
        b.goal_y, b.x, b.y, new_x, new_y, new_vx, new_vy, b.speed, s.work,
    )  # fmt: skip
    watch_progress(
        p, lat.order, lat.rank, lat.contacts, lat.contact_count, lat.body, b.alive, b.moving, b.goal_x, b.goal_y,
        final, s.reached, s.course_x, s.course_y, b.x, b.y, new_x, new_y, s.lag, b.stuck, s.settled, b.event,
    )  # fmt: skip
    b.x[:] = new_x
    b.y[:] = new_y
    b.vx[:] = new_vx
    b.vy[:] = new_vy
    # The home of a moving or holding unit is its present position.
    rooted = (b.moving | b.holding) != 0
    np.copyto(s.home_x[:n], b.x, where=rooted)
    np.copyto(s.home_y[:n], b.y, where=rooted)
    arrived = s.settled[:n] != 0
    b.moving[arrived] = 0
    b.vx[arrived] = 0.0
    b.vy[arrived] = 0.0
