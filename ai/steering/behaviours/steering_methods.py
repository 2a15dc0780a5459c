"""Steering methods: from the direction of the path to a wanted velocity.

A world selects one by the setting ``steering.method``: plain following, blended vectors, context maps or a swarm.
"""

from __future__ import annotations

import numpy as np

from ai.steering.behaviours.context_steering import context_settings
from ai.steering.behaviours.steering_behaviour import SteeringBehaviour, SteeringTick
from ai.steering.behaviours.swarm import steer_as_swarm
from ai.steering.behaviours.wanted_velocity import Method, steer_by_maps, steer_by_vectors
from ai.steering.settings import SteeringSettings
from ai.steering.spatial_hash import S_WX, S_WY

_WANTED = ("want_x", "want_y")


class Plain:
    """Follows the path as it is."""

    writes, needs_neighbours, needs_all_awake = _WANTED, False, False

    def steer(self, now: SteeringTick) -> None:
        """Leave the velocities as they are."""
        _forget_swarm(now)


class BlendedVectors:
    """Adds vectors to the goal and away from others."""

    writes, needs_neighbours, needs_all_awake = _WANTED, True, True

    def steer(self, now: SteeringTick) -> None:
        """Blend the vectors of every moving unit."""
        b, s, lat = now.bodies, now.state, now.state.spatial_hash
        lat.pool.run(
            steer_by_vectors, lat.count, now.threads, now.passable, _maps_settings(now.settings), lat.order, lat.body,
            lat.nearest, lat.near_count, b.moving, b.holding, b.goal_x, b.goal_y, b.movement_class, s.ahead,
            s.want_x, s.want_y,
        )  # fmt: skip
        _publish(now)
        _forget_swarm(now)


class ContextSteering:
    """Selects a direction from maps of interest and danger."""

    writes, needs_neighbours, needs_all_awake = _WANTED, True, False

    def steer(self, now: SteeringTick) -> None:
        """Fill the maps of awake units and take the best direction."""
        b, s, lat = now.bodies, now.state, now.state.spatial_hash
        s.maps.reserve(len(s.gain), now.settings.context_slots)
        lat.pool.run(
            steer_by_maps, lat.count, now.threads, now.passable, _maps_settings(now.settings), lat.order, lat.body,
            lat.nearest, lat.near_count, b.moving, now.awake, b.holding, b.goal_x, b.goal_y, b.movement_class,
            b.stuck, s.ahead,
            s.want_x, s.want_y, s.maps.interest, s.maps.danger, s.maps.kept, s.maps.heading, s.maps.turn, s.maps.share,
        )  # fmt: skip
        _publish(now)
        _forget_swarm(now)


class Swarm:
    """Moves units as a swarm of insects."""

    writes, needs_neighbours, needs_all_awake = _WANTED, False, True

    def steer(self, now: SteeringTick) -> None:
        """Give every unit of the swarm its heading.

        The swarm owns heading, age, reached and stuck. Its kernel treats units outside the swarm as standing.
        """
        b, s, settings, n = now.bodies, now.state, now.settings, len(now.bodies.id)
        s.swarm.reserve(len(s.gain))
        swarms = b.moving if now.turn is None else b.moving * now.turn.view(np.uint8)
        steer_as_swarm(
            now.passable, now.seed, now.tick, settings.swarm_range, settings.swarm_life, settings.dt, b.id, swarms,
            b.movement_class,
            b.x, b.y, b.radius, b.facing, b.speed, b.goal_x, b.goal_y, s.reached[:n], b.stuck, s.want_x[:n],
            s.want_y[:n], s.swarm.heading, s.swarm.pace, s.swarm.age,
        )  # fmt: skip


def _maps_settings(settings: SteeringSettings) -> np.ndarray:
    """Return the context settings of a world's motion settings."""
    return context_settings(
        falloff=settings.context_falloff,
        keep_away=settings.context_keep_away,
        look=settings.context_look,
        blur=settings.context_blur,
        blend=settings.context_blend,
    )


def _publish(now: SteeringTick) -> None:
    """Let others predict these units by their new wanted velocity."""
    s, lat = now.state, now.state.spatial_hash
    lat.body[S_WX, : lat.count] = s.want_x[lat.order[: lat.count]]
    lat.body[S_WY, : lat.count] = s.want_y[lat.order[: lat.count]]


def _forget_swarm(now: SteeringTick) -> None:
    """Set ages back: a unit that joins a swarm again starts at age 0."""
    if now.state.swarm.age.any():
        now.state.swarm.age[:] = 0


METHODS: dict[int, SteeringBehaviour] = {
    Method.PLAIN: Plain(),
    Method.VECTORS: BlendedVectors(),
    Method.CONTEXT: ContextSteering(),
    Method.SWARM: Swarm(),
}
"""Methods by the code of the setting ``steering.method``."""
