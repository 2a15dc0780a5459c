"""Columns of the motion stages, and the part of them that persists between ticks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields

import numpy as np

from ai.core.serialization import derived, record, unhashed
from ai.grid.terrain import Terrain
from ai.steering.behaviours.swarm import SwarmMinds
from ai.steering.behaviours.wanted_velocity import ContextMaps
from ai.steering.behaviours.whiskers import MAX_WHISKERS
from ai.steering.spatial_hash import SpatialHash
from ai.steering.tile_surroundings import look_again, look_around
from ai.steering.traffic.traffic_lanes import HEADINGS


@dataclass
class Bodies:
    """Columns of n slots that motion reads and writes: views of the game's arrays.

    float64: x, y, goal_x, goal_y, radius (tiles), vx, vy, speed (tiles/s), facing (radians), turn_rate (radians/s),
    turn_to (radians or nan). uint8: alive, moving, holding, movement_class. int32: id, band (its group; -1: none).
    int16: stuck. uint32: event.
    """

    id: np.ndarray
    alive: np.ndarray
    moving: np.ndarray
    holding: np.ndarray
    movement_class: np.ndarray
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
    """The next two waypoints of each slot, from the path store.

    float64 x, y, next_x, next_y (tiles); uint8 has_next, final. ``final`` says that this waypoint is the destination.
    ``shunts`` bool marks units that ignore their turning circle in this tick.
    """

    x: np.ndarray
    y: np.ndarray
    next_x: np.ndarray
    next_y: np.ndarray
    has_next: np.ndarray
    final: np.ndarray
    shunts: np.ndarray | None = None

    @staticmethod
    def straight(goal_x: np.ndarray, goal_y: np.ndarray) -> Waypoints:
        """Return waypoints that lead every unit straight to its goal."""
        n = len(goal_x)
        return Waypoints(goal_x, goal_y, np.zeros(n), np.zeros(n), np.zeros(n, np.uint8), np.ones(n, np.uint8))


@record
class SteeringState:
    """Columns of motion that persist between ticks, and recordings for overlays.

    Kept columns:

    - ``gain``: factor of predictive gain.
    - ``turn``: radians turned in the last tick.
    - ``lag``: tiles behind the farthest point reached.
    - ``whisker``: float64[n, 8], whisker weights, tiles/s.
    - ``give_left``, ``give_angle``, ``give_to``: ticks left of giving way, its direction (radians), and the id that
      passes.
    - ``home_x``, ``home_y``: position at which an idle unit came to rest, tiles; nan: not known yet.
    - ``force_x``, ``force_y``: avoidance force, tiles/s2.

    Recorded columns:

    - ``want_x``, ``want_y``, ``push_x``, ``push_y``: wanted velocity and whisker push, tiles/s.
    - ``course_x``, ``course_y``: unit vector along the path.
    - ``ahead``: tiles to the destination on the last leg, else 1e9.
    - ``lane_off``: tiles out of the right-hand lane.
    - ``foresight``: seconds that the unit looks ahead; 0: as in the settings.
    - ``pipeline``: row of the unit's navigation pipeline.
    - ``circle``: turning radius, tiles; 0: the unit turns on the spot.
    - ``touched``: one bit per whisker.
    - ``reached``: 1 waypoint, 2 goal; the path store advances by it.
    - ``settled``: 1 if the unit arrived in this tick.
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
    still: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int32))
    """Ticks in which no unit of the connected crowd made progress.

    :mod:`ai.steering.collision.crowd_progress` counts them.
    """
    queued: np.ndarray = field(default_factory=lambda: np.zeros(0, np.uint8))
    """1 for a unit that touches, or waits for, a unit that moves."""
    foresight: np.ndarray = unhashed(lambda: np.zeros(0))
    pipeline: np.ndarray = unhashed(lambda: np.zeros(0, np.uint8))
    circle: np.ndarray = unhashed(lambda: np.zeros(0))
    maps: ContextMaps = field(default_factory=ContextMaps)
    swarm: SwarmMinds = field(default_factory=SwarmMinds)
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
    told: list[tuple[int, np.ndarray]] = unhashed(list)
    """Stages of the last tick, with the velocity after each.

    An entry is (stage of ai.steering.navigation_pipeline, velocity float64[2, n]).
    """
    traffic: np.ndarray = unhashed(lambda: np.zeros((0, 0, HEADINGS), np.int32))
    """Headings per traffic cell at the last steer stage.

    Saved, because the choice of a path in the next tick reads it. Not hashed: it follows from the tick before.
    """
    spatial_hash: SpatialHash = derived(lambda: SpatialHash(64))
    roomy: np.ndarray = unhashed(lambda: np.zeros(0, np.uint8))
    around: np.ndarray = derived(lambda: np.zeros((0, 0, 2), np.uint8))
    map_revision: int = derived(lambda: -1)
    new: np.ndarray = derived(lambda: np.zeros((4, 0)))
    work: np.ndarray = derived(lambda: np.zeros((5, 0)))
    wishing: np.ndarray = derived(lambda: np.zeros(0, np.uint8))
    room: int = derived(lambda: 0)

    def follow_map(
        self, passable: np.ndarray, revision: int = -1, changes: Sequence[tuple[int, int, int, int]] | None = None
    ) -> None:
        """Update ``around`` to this revision of the map.

        ``changes`` lists the rectangles edited since the last call; None recomputes the whole map.
        """
        if changes is None or self.around.shape[:2] != passable.shape:
            self.around = look_around(passable)
        elif revision != self.map_revision:
            look_again(self.around, passable, changes)
        self.map_revision = revision

    def follow_terrain(self, terrain: Terrain) -> None:
        """Update ``around`` from the edits of ``terrain`` since the last call."""
        known = self.map_revision >= 0
        changes = terrain.changes_since(self.map_revision, ("passable",)) if known else None
        self.follow_map(terrain.passable, terrain.revision, changes)

    def make_room(self, slots: int, passable: np.ndarray, revision: int) -> None:
        """Scan the map and allocate memory for ``slots``, so that no tick has to."""
        self.follow_map(passable, revision)
        self.reserve(slots)
        self.spatial_hash.make_room(slots)
        for array in (self.new, self.work, self.wishing):
            array.fill(0)

    def reserve(self, slots: int) -> None:
        """Grow to at least ``slots``; existing values stay."""
        if self.new.shape[1] < slots:
            self.new = np.zeros((4, slots))
            self.work = np.zeros((5, slots))
            self.wishing = np.zeros(slots, np.uint8)
        if self.room >= slots:
            return
        # Each column grows by its own length: a column that an older state lacks is loaded empty.
        for f in fields(self):
            if f.metadata.get("derived"):
                continue
            old = getattr(self, f.name)
            if f.name == "traffic" or not isinstance(old, np.ndarray) or len(old) >= slots:
                continue
            have = len(old)
            fill = {"gain": 1.0, "home_x": np.nan, "home_y": np.nan}.get(f.name, 0.0)
            grown = np.full((slots,) + old.shape[1:], fill, old.dtype)
            grown[:have] = old
            setattr(self, f.name, grown)
        self.room = slots
