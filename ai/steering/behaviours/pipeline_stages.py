"""Pipeline stages: the behaviours of a navigation pipeline, by their codes.

Avoidance is a stage whose method the setting ``steering.avoidance`` selects.
"""

from __future__ import annotations

import numpy as np

from ai.steering.avoidance.anticipatory_avoidance import avoid, foresee
from ai.steering.avoidance.reciprocal_avoidance import avoid_reciprocally
from ai.steering.behaviours.steering_behaviour import SteeringBehaviour, SteeringTick
from ai.steering.behaviours.steering_methods import METHODS
from ai.steering.behaviours.turning_circle import turn_then_straight
from ai.steering.behaviours.waypoint_following import REACHED_WAYPOINT
from ai.steering.behaviours.whiskers import whiskers
from ai.steering.navigation_pipeline import PipelineStage, sway
from ai.steering.settings_columns import Avoidance
from ai.steering.spatial_hash import S_WX, S_WY
from ai.steering.traffic.right_of_way import give_way, take_path

_FORCE = ("force_x", "force_y")
_WANTED = ("want_x", "want_y")


class FollowPath:
    """Follows the path, which has happened before the spatial hash is built."""

    writes: tuple[str, ...] = ()
    needs_neighbours, needs_all_awake = False, False

    def steer(self, now: SteeringTick) -> None:
        """Leave the velocities as they are."""


class ApplyMethod:
    """Applies the steering method of the settings."""

    writes, needs_neighbours, needs_all_awake = _WANTED, False, False

    def steer(self, now: SteeringTick) -> None:
        """Run the method."""
        METHODS[now.settings.method].steer(now)


class GiveWay:
    """Lets one of two units that meet pass."""

    writes = ("want_x", "want_y", "give_angle", "give_left", "give_to")
    needs_neighbours, needs_all_awake = False, False

    def steer(self, now: SteeringTick) -> None:
        """Choose who gives way, then take the path."""
        b, s, lat = now.bodies, now.state, now.state.spatial_hash
        lat.pool.run(
            give_way, lat.count, now.threads, now.passable, now.p, lat.ids, lat.order, lat.body, lat.contacts,
            lat.contact_count, b.movement_class, b.moving, b.holding, b.stuck, s.lane_off, b.speed, b.goal_x, b.goal_y,
            s.want_x, s.want_y, s.give_angle, s.give_left, s.give_to, s.home_x, s.home_y,
            s.work,
        )  # fmt: skip
        lat.pool.run(
            take_path, lat.count, now.threads, lat.order, lat.body, b.speed, s.want_x, s.want_y, s.give_angle,
            s.give_left, s.give_to, s.work,
        )  # fmt: skip


class Sway:
    """Rotates the velocities of units with sway, which it selects itself."""

    writes: tuple[str, ...] = ()
    needs_neighbours, needs_all_awake = False, False

    def steer(self, now: SteeringTick) -> None:
        """Rotate; others predict the rotated velocity."""
        s, n, lat = now.state, len(now.bodies.id), now.state.spatial_hash
        most = np.array([each.sway if PipelineStage.SWAY in each.stages else 0.0 for each in now.pipelines])
        most = most[s.pipeline[:n]]
        at = np.flatnonzero((most > 0.0) & (now.bodies.moving == 1))
        turn = sway(now.seed, now.tick, now.bodies.id[at], most[at])
        c, sine = np.cos(turn), np.sin(turn)
        for vx, vy in ((s.want_x, s.want_y), (s.push_x, s.push_y), (s.force_x, s.force_y)):
            vx[at], vy[at] = vx[at] * c - vy[at] * sine, vx[at] * sine + vy[at] * c
        rows = lat.rank[at]
        lat.body[S_WX, rows], lat.body[S_WY, rows] = s.want_x[at], s.want_y[at]


class Whiskers:
    """Feels walls and bodies by whiskers."""

    writes = ("push_x", "push_y", "whisker", "touched")
    needs_neighbours, needs_all_awake = False, False

    def steer(self, now: SteeringTick) -> None:
        """Write the push of the whiskers; biases are added to their weights."""
        b, s, lat, n = now.bodies, now.state, now.state.spatial_hash, len(now.bodies.id)
        want_x, want_y, pulled = s.want_x, s.want_y, now.bias if now.settings.whiskers else (0.0, 0.0)
        share = now.settings.whisker_attract
        biased = pulled != (0.0, 0.0)
        if biased and share > 0.0:
            # They stand beside the attraction to the goal.
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


class Avoid:
    """Avoids others by the method of the settings."""

    writes, needs_neighbours, needs_all_awake = _FORCE, False, False

    def steer(self, now: SteeringTick) -> None:
        """Run the method."""
        AVOIDANCES[now.settings.avoidance].steer(now)


class NoAvoidance:
    """Avoids no unit before it touches."""

    writes, needs_neighbours, needs_all_awake = _FORCE, False, False

    def steer(self, now: SteeringTick) -> None:
        """Write forces of zero."""
        _avoid_by_forces(now)


class ForcesOfOthers:
    """Adds forces away from others; the kernel selects which by the setting's code."""

    writes, needs_neighbours, needs_all_awake = _FORCE, True, False

    def steer(self, now: SteeringTick) -> None:
        """Write the forces of awake units."""
        _avoid_by_forces(now)


class ReciprocalAvoidance:
    """Shares the avoidance with the other, by half planes of velocities."""

    writes, needs_neighbours, needs_all_awake = _FORCE, True, True

    def steer(self, now: SteeringTick) -> None:
        """Write the force to the nearest velocity that avoids all."""
        b, s, lat, settings = now.bodies, now.state, now.state.spatial_hash, now.settings
        avoid_reciprocally(
            settings.horizon, 1.0, settings.gain, float(settings.calm), lat.count, lat.order, lat.body, lat.nearest,
            lat.near_count, b.moving, s.ahead, b.stuck, s.force_x, s.force_y,
        )  # fmt: skip


def _avoid_by_forces(now: SteeringTick) -> None:
    b, s, lat = now.bodies, now.state, now.state.spatial_hash
    if not now.foreseen:
        lat.pool.run(foresee, lat.count, now.threads, now.p, lat.body)
        now.foreseen = True
    lat.pool.run(
        avoid, lat.count, now.threads, now.p, lat.ids, lat.order, lat.body, lat.nearest, lat.near_count, b.moving,
        b.holding, now.awake, b.band, b.stuck, s.foresight, s.ahead, s.force_x, s.force_y,
    )  # fmt: skip


class Drive:
    """Makes units that have a turning circle drive on it."""

    writes, needs_neighbours, needs_all_awake = _WANTED, False, False

    def steer(self, now: SteeringTick) -> None:
        """Turn on the circle, then drive straight."""
        b, path, s, settings = now.bodies, now.path, now.state, now.settings
        n = len(b.id)
        passed = (s.reached[:n] == REACHED_WAYPOINT) & (path.has_next != 0)
        turn_then_straight(
            now.passable, s.circle[:n], settings.gain, settings.dt, s.gain[:n], b.moving, b.movement_class, b.x, b.y,
            b.facing,
            b.radius, np.where(passed, path.next_x, path.x), np.where(passed, path.next_y, path.y), s.want_x[:n],
            s.want_y[:n], b.stuck,
        )  # fmt: skip


STAGES: dict[PipelineStage, SteeringBehaviour] = {
    PipelineStage.FOLLOW: FollowPath(),
    PipelineStage.BEHAVE: ApplyMethod(),
    PipelineStage.GIVE_WAY: GiveWay(),
    PipelineStage.SWAY: Sway(),
    PipelineStage.WHISKERS: Whiskers(),
    PipelineStage.AVOID: Avoid(),
    PipelineStage.DRIVE: Drive(),
}
"""Stages by their codes."""

AVOIDANCES: dict[int, SteeringBehaviour] = {
    Avoidance.NONE: NoAvoidance(),
    Avoidance.SEPARATION: ForcesOfOthers(),
    Avoidance.TTC: ForcesOfOthers(),
    Avoidance.SOCIAL: ForcesOfOthers(),
    Avoidance.RECIPROCAL: ReciprocalAvoidance(),
}
"""Methods of avoidance by the code of the setting ``steering.avoidance``."""
