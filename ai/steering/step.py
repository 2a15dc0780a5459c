"""The two motion stages of a tick, each a line a kernel.

``steer`` reads the last published columns and writes what units want: velocities, pushes, forces.  ``move`` turns
that into new places, corrects them, publishes them and watches progress.  Slot order has no influence on either.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields

import numpy as np

from ai.state import derived, record, unhashed
from ai.steering.avoid import avoid, foresee
from ai.steering.behave import (
    ContextMaps,
    Method,
    maps_settings,
    steer_as_swarm,
    steer_by_maps,
    steer_by_vectors,
    turn_then_straight,
)
from ai.steering.correct import correct
from ai.steering.crew import threads_for
from ai.steering.follow import REACHED_WAYPOINT, follow
from ai.steering.integrate import integrate
from ai.steering.lattice import S_WX, S_WY, Lattice
from ai.steering.pipeline import USUAL, Pipeline, Stage, rounds, sway
from ai.steering.progress import watch_progress
from ai.steering.reciprocal import avoid_reciprocally
from ai.steering.right_of_way import give_way
from ai.steering.settings import Avoidance, SteeringSettings
from ai.steering.surroundings import look_again, look_around
from ai.steering.traffic import CELL, HEADINGS, count_traffic
from ai.steering.whiskers import MAX_WHISKERS, whiskers


@dataclass
class Bodies:
    """Columns of n slots that motion reads and writes; plain arrays (views of the game's columns).

    float64: x, y (tiles), vx, vy, speed (tiles/s), facing (radians), radius (tiles), turn_rate (radians/s), turn_to
    (radians or nan), goal_x, goal_y; uint8: alive, moving, holding, klass; int32: id, band (its group, -1 none);
    int16: stuck; uint32: event.
    """

    id: np.ndarray
    alive: np.ndarray
    moving: np.ndarray
    holding: np.ndarray
    klass: np.ndarray
    x: np.ndarray
    y: np.ndarray
    vx: np.ndarray
    vy: np.ndarray
    facing: np.ndarray
    radius: np.ndarray
    speed: np.ndarray
    turn_rate: np.ndarray
    turn_to: np.ndarray
    goal_x: np.ndarray
    goal_y: np.ndarray
    stuck: np.ndarray
    event: np.ndarray
    band: np.ndarray


@dataclass
class Waypoints:
    """What the path store tells of each slot's way: float64 x, y, next_x, next_y; uint8 has_next, final.

    ``final``: this waypoint is the destination.
    """

    x: np.ndarray
    y: np.ndarray
    next_x: np.ndarray
    next_y: np.ndarray
    has_next: np.ndarray
    final: np.ndarray

    @staticmethod
    def straight(goal_x: np.ndarray, goal_y: np.ndarray) -> Waypoints:
        """Everybody walks straight to its goal."""
        n = len(goal_x)
        return Waypoints(goal_x, goal_y, np.zeros(n), np.zeros(n), np.zeros(n, np.uint8), np.ones(n, np.uint8))


@record
class SteeringState:
    """Columns of motion that live from tick to tick, and the recordings that overlays read.

    Kept: ``gain`` (predictive gain factor), ``turn`` (radians turned last tick), ``lag`` (tiles behind the farthest
    point), ``whisker`` float64[n, 8], ``give_left``, ``give_angle``, ``give_to`` (ticks of giving way left, where to,
    for which id), ``home_x``, ``home_y`` (where an idle unit came to rest; nan: not known yet), avoidance force.
    Shown: wanted velocity, whisker push, course (unit vector of the way), ``ahead`` (tiles to the destination on
    its last leg, else 1e9), ``lane_off`` (tiles out of the right-hand lane), ``foresight`` (seconds it looks ahead, 0
    as the settings say), ``pipeline`` (whose stages it obeys), ``touched`` (a bit a whisker), ``reached`` (1 waypoint,
    2 goal: the path store moves on by it), ``settled``.
    """

    gain: np.ndarray = field(default_factory=lambda: np.ones(0))
    turn: np.ndarray = field(default_factory=lambda: np.zeros(0))
    lag: np.ndarray = field(default_factory=lambda: np.zeros(0))
    whisker: np.ndarray = field(default_factory=lambda: np.zeros((0, MAX_WHISKERS)))
    give_angle: np.ndarray = field(default_factory=lambda: np.zeros(0))
    give_left: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int32))
    give_to: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int32))
    home_x: np.ndarray = field(default_factory=lambda: np.zeros(0))
    home_y: np.ndarray = field(default_factory=lambda: np.zeros(0))
    foresight: np.ndarray = unhashed(lambda: np.zeros(0))
    pipeline: np.ndarray = unhashed(lambda: np.zeros(0, np.uint8))
    maps: ContextMaps = field(default_factory=ContextMaps)
    want_x: np.ndarray = unhashed(lambda: np.zeros(0))
    want_y: np.ndarray = unhashed(lambda: np.zeros(0))
    push_x: np.ndarray = unhashed(lambda: np.zeros(0))
    push_y: np.ndarray = unhashed(lambda: np.zeros(0))
    force_x: np.ndarray = field(default_factory=lambda: np.zeros(0))
    force_y: np.ndarray = field(default_factory=lambda: np.zeros(0))
    course_x: np.ndarray = unhashed(lambda: np.zeros(0))
    course_y: np.ndarray = unhashed(lambda: np.zeros(0))
    ahead: np.ndarray = unhashed(lambda: np.zeros(0))
    lane_off: np.ndarray = unhashed(lambda: np.zeros(0))
    touched: np.ndarray = unhashed(lambda: np.zeros(0, np.uint8))
    reached: np.ndarray = unhashed(lambda: np.zeros(0, np.uint8))
    settled: np.ndarray = unhashed(lambda: np.zeros(0, np.uint8))
    traffic: np.ndarray = derived(lambda: np.zeros((0, 0, HEADINGS), np.int32))
    lattice: Lattice = derived(lambda: Lattice(64))
    roomy: np.ndarray = unhashed(lambda: np.zeros(0, np.uint8))
    around: np.ndarray = derived(lambda: np.zeros((0, 0, 2), np.uint8))
    map_revision: int = derived(lambda: -1)
    new: np.ndarray = derived(lambda: np.zeros((4, 0)))
    work: np.ndarray = derived(lambda: np.zeros((5, 0)))

    def follow_map(
        self, passable: np.ndarray, revision: int = -1, changes: Sequence[tuple[int, int, int, int]] | None = None
    ) -> None:
        """Bring ``around`` up to the map of this revision.

        ``changes``: rectangles edited since the last call; None when they are not known and all is looked at again.
        """
        if changes is None or self.around.shape[:2] != passable.shape:
            self.around = look_around(passable)
        elif revision != self.map_revision:
            look_again(self.around, passable, changes)
        self.map_revision = revision

    def reserve(self, slots: int) -> None:
        """Grow to at least ``slots``; existing values stay."""
        if self.new.shape[1] < slots:
            self.new = np.zeros((4, slots))
            self.work = np.zeros((5, slots))
        have = len(self.gain)
        if have >= slots:
            return
        for f in fields(self):
            if f.metadata.get("derived"):
                continue
            old = getattr(self, f.name)
            if not isinstance(old, np.ndarray):
                continue
            fill = {"gain": 1.0, "home_x": np.nan, "home_y": np.nan}.get(f.name, 0.0)
            grown = np.full((slots,) + old.shape[1:], fill, old.dtype)
            grown[:have] = old
            setattr(self, f.name, grown)


def steer(
    state: SteeringState,
    settings: SteeringSettings,
    passable: np.ndarray,
    tick: int,
    bodies: Bodies,
    way: Waypoints,
    mapped: bool = False,
    awake: np.ndarray | None = None,
    pipelines: Sequence[Pipeline] = (Pipeline(),),
    seed: int = 0,
) -> None:
    """The steer stage: who is near, where to, what is felt, whom to avoid, each by the pipeline of its slot.

    ``passable`` uint8[H, W] is the class bitmask of the terrain, ``mapped``: that
    :meth:`SteeringState.follow_map` knows it as it is.  Afterwards ``state.reached`` says whose path moves
    on.  ``awake`` uint8[n]: who looks out for others in this tick; the others keep some of the force they felt last.
    Methods other than plain following need everybody awake.  Call :func:`move` with the same arguments in the same
    tick.  ``state.pipeline`` has the row of ``pipelines`` of each slot; ``seed`` is for those that sway.
    """
    n = len(bodies.id)
    state.reserve(n)
    if not mapped:
        state.follow_map(passable)
    p = settings.packed()
    b, s, lat = bodies, state, state.lattice
    threads = threads_for(n, settings.threads_from)
    rows, columns = -(-passable.shape[0] // CELL), -(-passable.shape[1] // CELL)
    if s.traffic.shape[:2] != (rows, columns):
        s.traffic = np.zeros((rows, columns, HEADINGS), np.int32)
    count_traffic(b.alive, b.moving, b.x, b.y, b.facing, s.traffic)
    lat.crew.run(
        follow, n, threads, passable, s.around, s.traffic, tick, p, b.id, b.alive, b.moving, b.klass, b.x, b.y, b.vx,
        b.vy, b.radius, b.speed, way.x, way.y, way.next_x, way.next_y, way.has_next, way.final,
        s.gain[:n], s.turn[:n], s.want_x[:n], s.want_y[:n], s.course_x[:n], s.course_y[:n], s.ahead[:n], s.lane_off[:n],
        s.reached[:n], s.roomy[:n],
    )  # fmt: skip
    lat.build(b.id, b.alive, b.x, b.y, b.vx, b.vy, b.radius, s.want_x[:n], s.want_y[:n])
    sees = settings.avoidance != Avoidance.NONE or settings.method in (Method.VECTORS, Method.CONTEXT)
    if awake is None or settings.method != Method.PLAIN or settings.avoidance == Avoidance.RECIPROCAL:
        looks, awake = b.moving, np.ones(n, np.uint8)
    else:
        looks = b.moving & awake
    lat.gather(settings.sense_radius, settings.neighbours if sees else 0, threads, looks)
    used = np.flatnonzero(np.bincount(s.pipeline[:n], minlength=1)).tolist() if len(pipelines) > 1 else [0]
    for k in used:
        # What a pipeline lacks says nothing.
        for stage in set(USUAL) - set(pipelines[k].stages):
            for name in _WRITTEN[stage]:
                if name not in ("want_x", "want_y"):
                    getattr(s, name)[:n][s.pipeline[:n] == k] = 0
    now = _Now(s, settings, passable, tick, b, way, p, threads, awake, pipelines, seed)
    for stage, which in rounds([pipelines[k].stages for k in used]):
        turn = None if len(which) == len(used) else np.isin(s.pipeline[:n], [used[k] for k in which])
        run = _STAGES[stage]
        if turn is None:
            run(now)
        else:
            _for_some(run, now, stage, turn)


@dataclass
class _Now:
    """What the stages of one tick work on."""

    state: SteeringState
    settings: SteeringSettings
    passable: np.ndarray
    tick: int
    bodies: Bodies
    way: Waypoints
    p: np.ndarray
    threads: int
    awake: np.ndarray
    pipelines: Sequence[Pipeline]
    seed: int
    foreseen: bool = False


_WRITTEN = {
    Stage.BEHAVE: ("want_x", "want_y"),
    Stage.GIVE_WAY: ("want_x", "want_y", "give_angle", "give_left", "give_to"),
    Stage.WHISKERS: ("push_x", "push_y", "whisker", "touched"),
    Stage.AVOID: ("force_x", "force_y"),
}
"""Columns of the state that a stage writes: for those whose turn it is not they stay as they are."""


def _for_some(run: Callable[[_Now], None], now: _Now, stage: Stage, turn: np.ndarray) -> None:
    """A stage for the slots with ``turn`` bool[n] only."""
    if stage == Stage.SWAY:
        run(now)  # looks itself who sways
        return
    columns = [getattr(now.state, name)[: len(turn)] for name in _WRITTEN.get(stage, ())]
    before = [column.copy() for column in columns]
    run(now)
    for column, old in zip(columns, before, strict=True):
        column[~turn] = old[~turn]


def _sway(now: _Now) -> None:
    """Who cannot walk straight: all that his stages have made so far is turned; others foresee of him what he wants
    now."""
    s, n, lat = now.state, len(now.bodies.id), now.state.lattice
    most = np.array([each.sway if Stage.SWAY in each.stages else 0.0 for each in now.pipelines])[s.pipeline[:n]]
    at = np.flatnonzero((most > 0.0) & (now.bodies.moving == 1))
    turn = sway(now.seed, now.tick, now.bodies.id[at], most[at])
    c, sine = np.cos(turn), np.sin(turn)
    for vx, vy in ((s.want_x, s.want_y), (s.push_x, s.push_y), (s.force_x, s.force_y)):
        vx[at], vy[at] = vx[at] * c - vy[at] * sine, vx[at] * sine + vy[at] * c
    rows = lat.rank[at]
    lat.body[S_WX, rows], lat.body[S_WY, rows] = s.want_x[at], s.want_y[at]


def _give_way(now: _Now) -> None:
    b, s, lat = now.bodies, now.state, now.state.lattice
    give_way(
        now.passable, now.p, lat.count, lat.ids, lat.order, lat.body, lat.contacts, lat.contact_count, b.klass,
        b.moving, b.holding, b.stuck, s.lane_off, b.speed, b.goal_x, b.goal_y,
        s.want_x, s.want_y, s.give_angle, s.give_left, s.give_to, s.home_x, s.home_y,
        s.work,
    )  # fmt: skip


def _feel(now: _Now) -> None:
    b, s, lat, n = now.bodies, now.state, now.state.lattice, len(now.bodies.id)
    lat.crew.run(
        whiskers, n, now.threads, now.passable, s.roomy, now.p, lat.rank, lat.contacts, lat.contact_count, lat.body,
        b.alive, b.klass, b.moving, b.holding, b.x, b.y, s.want_x, s.want_y, s.whisker, s.touched, s.push_x, s.push_y,
    )  # fmt: skip


def _avoid(now: _Now) -> None:
    b, s, lat, settings = now.bodies, now.state, now.state.lattice, now.settings
    if settings.avoidance == Avoidance.RECIPROCAL:
        avoid_reciprocally(
            settings.horizon, 1.0, settings.gain, lat.count, lat.order, lat.body, lat.nearest, lat.near_count, b.moving,
            s.ahead, b.speed, s.force_x, s.force_y,
        )  # fmt: skip
        return
    if not now.foreseen:
        lat.crew.run(foresee, lat.count, now.threads, now.p, lat.body)
        now.foreseen = True
    lat.crew.run(
        avoid, lat.count, now.threads, now.p, lat.ids, lat.order, lat.body, lat.nearest, lat.near_count, b.moving,
        b.holding, now.awake, b.band, b.stuck, s.foresight, s.ahead, s.force_x, s.force_y,
    )  # fmt: skip


def _behave(now: _Now) -> None:
    """What the chosen method makes of the wanted velocities."""
    settings, passable, tick, b, way = now.settings, now.passable, now.tick, now.bodies, now.way
    n, s, lat = len(b.id), now.state, now.state.lattice
    if settings.method == Method.CONTEXT:
        s.maps.reserve(len(s.gain), settings.context_slots)
        steer_by_maps(
            passable, maps_settings(settings), lat.count, lat.order, lat.body, lat.nearest, lat.near_count, b.moving,
            b.holding, b.goal_x, b.goal_y, b.klass, b.stuck, s.ahead, s.want_x, s.want_y, s.maps.interest,
            s.maps.danger, s.maps.kept, s.maps.heading,
        )  # fmt: skip
    elif settings.method == Method.VECTORS:
        steer_by_vectors(
            passable, maps_settings(settings), lat.count, lat.order, lat.body, lat.nearest, lat.near_count, b.moving,
            b.holding, b.goal_x, b.goal_y, b.klass, s.ahead, s.want_x, s.want_y,
        )  # fmt: skip
    elif settings.method == Method.SWARM:
        steer_as_swarm(
            tick, settings.swarm_range, b.id, b.moving, b.x, b.y, b.vx, b.vy, b.facing, b.speed, b.goal_x, b.goal_y,
            s.reached[:n], b.stuck, s.want_x[:n], s.want_y[:n],
        )  # fmt: skip
    if settings.turning_radius > 0.0:
        passed = (s.reached[:n] == REACHED_WAYPOINT) & (way.has_next != 0)
        turn_then_straight(
            passable, settings.turning_radius, settings.gain, settings.dt, s.gain[:n], b.moving, b.klass, b.x, b.y,
            b.facing, np.where(passed, way.next_x, way.x), np.where(passed, way.next_y, way.y), s.want_x[:n],
            s.want_y[:n], b.stuck,
        )  # fmt: skip


_STAGES: dict[Stage, Callable[[_Now], None]] = {
    Stage.FOLLOW: lambda now: None,  # done for everybody before the lattice is built
    Stage.BEHAVE: _behave,
    Stage.GIVE_WAY: _give_way,
    Stage.SWAY: _sway,
    Stage.WHISKERS: _feel,
    Stage.AVOID: _avoid,
}


def move(
    state: SteeringState,
    settings: SteeringSettings,
    passable: np.ndarray,
    bodies: Bodies,
    final: np.ndarray,
) -> None:
    """The move stage: integrate, correct, watch progress, publish.

    ``final`` uint8[n]: whose next waypoint is its destination.

    Arrived units stop (``moving`` 0, event ARRIVED); a unit that gets no nearer raises BLOCKED every
    ``blocked_ticks``.
    """
    n = len(bodies.id)
    p = settings.packed()
    b, s, lat = bodies, state, state.lattice
    new_x, new_y, new_vx, new_vy = s.new[:, :n] if s.new.shape[1] == n else (row[:n] for row in s.new)
    threads = threads_for(n, settings.threads_from)
    lat.crew.run(
        integrate, n, threads, passable, s.roomy, p, b.alive, b.moving, b.holding, b.klass, b.x, b.y, b.vx, b.vy,
        b.facing, b.radius, b.speed, b.turn_rate, b.turn_to, s.gain, s.want_x, s.want_y, s.push_x, s.push_y,
        s.force_x, s.force_y, s.turn, new_x, new_y, new_vx, new_vy,
    )  # fmt: skip
    correct(
        lat.crew, threads, passable, s.around, s.roomy, p, lat.count, b.alive, lat.ids, lat.order, lat.rank, lat.body,
        b.radius, lat.contacts, lat.contact_count, b.klass, b.moving, b.holding, b.goal_x, b.goal_y, b.x, b.y, new_x,
        new_y, new_vx, new_vy, b.speed, s.work,
    )  # fmt: skip
    watch_progress(
        p, lat.order, lat.rank, lat.contacts, lat.contact_count, lat.body, b.alive, b.moving, b.goal_x, b.goal_y,
        final, s.reached, s.course_x, s.course_y, b.x, b.y, new_x, new_y, s.lag, b.stuck, s.settled, b.event,
    )  # fmt: skip
    b.x[:] = new_x
    b.y[:] = new_y
    b.vx[:] = new_vx
    b.vy[:] = new_vy
    # Whoever walks or is held there has its place where it is now.
    rooted = (b.moving | b.holding) != 0
    np.copyto(s.home_x[:n], b.x, where=rooted)
    np.copyto(s.home_y[:n], b.y, where=rooted)
    arrived = s.settled[:n] != 0
    b.moving[arrived] = 0
    b.vx[arrived] = 0.0
    b.vy[arrived] = 0.0
