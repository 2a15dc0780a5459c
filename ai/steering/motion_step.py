"""The two motion stages of a tick, one kernel per step.

``steer`` reads the columns of the last tick and writes wanted velocities, whisker pushes and avoidance forces. ``move``
turns these into new positions, resolves collisions, publishes the result and measures progress. The order of slots
changes neither stage.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ai.core.thread_pool import threads_for
from ai.steering.avoidance.anticipatory_avoidance import avoid, foresee
from ai.steering.avoidance.reciprocal_avoidance import avoid_reciprocally
from ai.steering.behaviours.context_steering import context_settings
from ai.steering.behaviours.swarm import steer_as_swarm
from ai.steering.behaviours.turning_circle import turn_then_straight
from ai.steering.behaviours.wanted_velocity import (
    Method,
    steer_by_maps,
    steer_by_vectors,
)
from ai.steering.behaviours.waypoint_following import REACHED_WAYPOINT, follow
from ai.steering.behaviours.whiskers import whiskers
from ai.steering.collision.collision_resolution import correct
from ai.steering.collision.progress import watch_progress
from ai.steering.navigation_pipeline import USUAL, Pipeline, PipelineStage, rounds, sway
from ai.steering.settings import SteeringSettings
from ai.steering.settings_columns import Avoidance
from ai.steering.spatial_hash import S_WX, S_WY
from ai.steering.steering_columns import Bodies, SteeringState, Waypoints
from ai.steering.traffic.right_of_way import give_way, take_path
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
    sees = settings.avoidance != Avoidance.NONE or settings.method in (Method.VECTORS, Method.CONTEXT)
    turns = settings.method in (Method.PLAIN, Method.CONTEXT) and settings.avoidance != Avoidance.RECIPROCAL
    if awake is None or not turns:
        looks, awake = b.moving, np.ones(n, np.uint8)
    else:
        looks = b.moving & awake
    lat.gather(settings.sense_radius, settings.neighbours if sees else 0, threads, looks)
    used = np.flatnonzero(np.bincount(s.pipeline[:n], minlength=1)).tolist() if len(pipelines) > 1 else [0]
    for k in used:
        # A stage that a pipeline lacks contributes zero.
        for stage in set(USUAL) - set(pipelines[k].stages):
            for name in _WRITTEN[stage]:
                if name not in ("want_x", "want_y"):
                    getattr(s, name)[:n][s.pipeline[:n] == k] = 0
    now = _Now(s, settings, passable, tick, b, path, p, threads, awake, pipelines, seed, bias)
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
        run = _STAGES[stage]
        now.turn = turn
        if turn is None:
            run(now)
        else:
            _for_some(run, now, stage, turn)
        if n <= TRACED:
            ran.add(stage)
            _trace(now, stage, ran)


def _maps_settings(settings: SteeringSettings) -> np.ndarray:
    """The context settings of a world's motion settings."""
    return context_settings(
        falloff=settings.context_falloff,
        keep_away=settings.context_keep_away,
        look=settings.context_look,
        blur=settings.context_blur,
        blend=settings.context_blend,
    )


def _driven(stages: tuple[PipelineStage, ...], settings: SteeringSettings) -> tuple[PipelineStage, ...]:
    """Insert a turning circle after the method if the settings give every unit one."""
    if settings.turning_radius <= 0.0 or PipelineStage.DRIVE in stages:
        return stages
    at = stages.index(PipelineStage.BEHAVE) + 1 if PipelineStage.BEHAVE in stages else 1
    return (*stages[:at], PipelineStage.DRIVE, *stages[at:])


@dataclass
class _Now:
    """Inputs and state shared by the stages of one tick."""

    state: SteeringState
    settings: SteeringSettings
    passable: np.ndarray
    tick: int
    bodies: Bodies
    path: Waypoints
    p: np.ndarray
    threads: int
    awake: np.ndarray
    pipelines: Sequence[Pipeline]
    seed: int
    bias: tuple[float, float]
    foreseen: bool = False
    turn: np.ndarray | None = None
    """bool[n]: slots for which the current stage runs; None: all slots."""


_WRITTEN = {
    PipelineStage.BEHAVE: ("want_x", "want_y"),
    PipelineStage.GIVE_WAY: ("want_x", "want_y", "give_angle", "give_left", "give_to"),
    PipelineStage.WHISKERS: ("push_x", "push_y", "whisker", "touched"),
    PipelineStage.AVOID: ("force_x", "force_y"),
    PipelineStage.DRIVE: ("want_x", "want_y"),
}
"""Columns that a stage writes; slots outside the current turn keep their values."""


def _for_some(run: Callable[[_Now], None], now: _Now, stage: PipelineStage, turn: np.ndarray) -> None:
    """Run a stage for the slots with ``turn`` bool[n] only."""
    if stage == PipelineStage.SWAY:
        run(now)  # selects the swaying units itself
        return
    columns = [getattr(now.state, name)[: len(turn)] for name in _WRITTEN.get(stage, ())]
    before = [column.copy() for column in columns]
    run(now)
    for column, old in zip(columns, before, strict=True):
        column[~turn] = old[~turn]


def _sway(now: _Now) -> None:
    """Rotate the velocities of units with sway; others predict the rotated velocity."""
    s, n, lat = now.state, len(now.bodies.id), now.state.spatial_hash
    most = np.array([each.sway if PipelineStage.SWAY in each.stages else 0.0 for each in now.pipelines])[s.pipeline[:n]]
    at = np.flatnonzero((most > 0.0) & (now.bodies.moving == 1))
    turn = sway(now.seed, now.tick, now.bodies.id[at], most[at])
    c, sine = np.cos(turn), np.sin(turn)
    for vx, vy in ((s.want_x, s.want_y), (s.push_x, s.push_y), (s.force_x, s.force_y)):
        vx[at], vy[at] = vx[at] * c - vy[at] * sine, vx[at] * sine + vy[at] * c
    rows = lat.rank[at]
    lat.body[S_WX, rows], lat.body[S_WY, rows] = s.want_x[at], s.want_y[at]


def _give_way(now: _Now) -> None:
    b, s, lat = now.bodies, now.state, now.state.spatial_hash
    lat.pool.run(
        give_way, lat.count, now.threads, now.passable, now.p, lat.ids, lat.order, lat.body, lat.contacts,
        lat.contact_count, b.movement_class, b.moving, b.holding, b.stuck, s.lane_off, b.speed, b.goal_x, b.goal_y,
        s.want_x, s.want_y, s.give_angle, s.give_left, s.give_to, s.home_x, s.home_y,
        s.work,
    )  # fmt: skip
    lat.pool.run(
        take_path, lat.count, now.threads, lat.order, lat.body, b.speed, s.want_x, s.want_y, s.give_angle, s.give_left,
        s.give_to, s.work,
    )  # fmt: skip


def _feel(now: _Now) -> None:
    b, s, lat, n = now.bodies, now.state, now.state.spatial_hash, len(now.bodies.id)
    want_x, want_y, pulled = s.want_x, s.want_y, now.bias if now.settings.whiskers else (0.0, 0.0)
    share = now.settings.whisker_attract
    biased = pulled != (0.0, 0.0)
    if biased and share > 0.0:
        # Biases are added to the whisker weights, beside the attraction to the goal.
        want_x, want_y = want_x.copy(), want_y.copy()
        want_x[:n] += b.moving * (pulled[0] / share)
        want_y[:n] += b.moving * (pulled[1] / share)
    lat.pool.run(
        whiskers, n, now.threads, now.passable, s.roomy, now.p, lat.rank, lat.contacts, lat.contact_count, lat.body,
        b.alive, b.movement_class, b.moving, b.holding, b.x, b.y, want_x, want_y, s.whisker, s.touched, s.push_x,
        s.push_y,
    )  # fmt: skip
    if biased and share == 0.0:
        s.push_x[:n] += b.moving * pulled[0]
        s.push_y[:n] += b.moving * pulled[1]


def _avoid(now: _Now) -> None:
    b, s, lat, settings = now.bodies, now.state, now.state.spatial_hash, now.settings
    if settings.avoidance == Avoidance.RECIPROCAL:
        avoid_reciprocally(
            settings.horizon, 1.0, settings.gain, float(settings.calm), lat.count, lat.order, lat.body, lat.nearest,
            lat.near_count, b.moving, s.ahead, b.stuck, s.force_x, s.force_y,
        )  # fmt: skip
        return
    if not now.foreseen:
        lat.pool.run(foresee, lat.count, now.threads, now.p, lat.body)
        now.foreseen = True
    lat.pool.run(
        avoid, lat.count, now.threads, now.p, lat.ids, lat.order, lat.body, lat.nearest, lat.near_count, b.moving,
        b.holding, now.awake, b.band, b.stuck, s.foresight, s.ahead, s.force_x, s.force_y,
    )  # fmt: skip


def _behave(now: _Now) -> None:
    """Apply the selected steering method to the wanted velocities."""
    settings, passable, tick, b = now.settings, now.passable, now.tick, now.bodies
    n, s, lat = len(b.id), now.state, now.state.spatial_hash
    if settings.method == Method.CONTEXT:
        s.maps.reserve(len(s.gain), settings.context_slots)
        lat.pool.run(
            steer_by_maps, lat.count, now.threads, passable, _maps_settings(settings), lat.order, lat.body,
            lat.nearest, lat.near_count, b.moving, now.awake, b.holding, b.goal_x, b.goal_y, b.movement_class,
            b.stuck, s.ahead,
            s.want_x, s.want_y, s.maps.interest, s.maps.danger, s.maps.kept, s.maps.heading, s.maps.turn, s.maps.share,
        )  # fmt: skip
    elif settings.method == Method.VECTORS:
        lat.pool.run(
            steer_by_vectors, lat.count, now.threads, passable, _maps_settings(settings), lat.order, lat.body,
            lat.nearest, lat.near_count, b.moving, b.holding, b.goal_x, b.goal_y, b.movement_class, s.ahead,
            s.want_x, s.want_y,
        )  # fmt: skip
    elif settings.method == Method.SWARM:
        s.swarm.reserve(len(s.gain))
        # The swarm owns heading, age, reached and stuck. Its kernel treats units outside the swarm as standing.
        swarms = b.moving if now.turn is None else b.moving * now.turn.view(np.uint8)
        steer_as_swarm(
            passable, now.seed, tick, settings.swarm_range, settings.swarm_life, settings.dt, b.id, swarms,
            b.movement_class,
            b.x, b.y, b.radius, b.facing, b.speed, b.goal_x, b.goal_y, s.reached[:n], b.stuck, s.want_x[:n],
            s.want_y[:n], s.swarm.heading, s.swarm.pace, s.swarm.age,
        )  # fmt: skip
    if settings.method in (Method.CONTEXT, Method.VECTORS):
        # Others predict these units by their new wanted velocity.
        lat.body[S_WX, : lat.count] = s.want_x[lat.order[: lat.count]]
        lat.body[S_WY, : lat.count] = s.want_y[lat.order[: lat.count]]
    if settings.method != Method.SWARM and s.swarm.age.any():
        s.swarm.age[:] = 0  # a unit that joins a swarm again starts at age 0


def _drive(now: _Now) -> None:
    """Make units that have a turning circle drive on it."""
    b, path, s, settings = now.bodies, now.path, now.state, now.settings
    n = len(b.id)
    passed = (s.reached[:n] == REACHED_WAYPOINT) & (path.has_next != 0)
    turn_then_straight(
        now.passable, s.circle[:n], settings.gain, settings.dt, s.gain[:n], b.moving, b.movement_class, b.x, b.y,
        b.facing,
        b.radius, np.where(passed, path.next_x, path.x), np.where(passed, path.next_y, path.y), s.want_x[:n],
        s.want_y[:n], b.stuck,
    )  # fmt: skip


TRACED = 1024
"""Largest number of units for which each stage's result is kept, for overlays."""


def _trace(now: _Now, stage: PipelineStage, ran: set[PipelineStage]) -> None:
    """Record the velocity after a stage, float64[2, n], that the body would reach."""
    s, settings, n = now.state, now.settings, len(now.bodies.id)
    own = 1.0 - settings.whisker_attract if settings.whiskers and PipelineStage.WHISKERS in ran else 1.0
    told = own * np.array([s.want_x[:n], s.want_y[:n]])
    if PipelineStage.WHISKERS in ran:
        told += np.array([s.push_x[:n], s.push_y[:n]])
    if PipelineStage.AVOID in ran:
        told += settings.avoid_weight * np.array([s.force_x[:n], s.force_y[:n]]) / (settings.gain * s.gain[:n])
    s.told.append((int(stage), told))


_STAGES: dict[PipelineStage, Callable[[_Now], None]] = {
    PipelineStage.FOLLOW: lambda now: None,  # already done for all units before the spatial hash is built
    PipelineStage.BEHAVE: _behave,
    PipelineStage.GIVE_WAY: _give_way,
    PipelineStage.SWAY: _sway,
    PipelineStage.WHISKERS: _feel,
    PipelineStage.AVOID: _avoid,
    PipelineStage.DRIVE: _drive,
}


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
