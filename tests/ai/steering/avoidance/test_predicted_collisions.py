"""Predicted collisions: the displayed ones add up to the applied force."""

import numpy as np

from ai.steering.avoidance.predicted_collisions import meetings_of
from tests.ai.steering.arena import Arena
from tests.ai.steering.collision.test_crowds import room
from tests.ai.steering.test_methods import crossing


def met(arena: Arena) -> dict[int, np.ndarray]:
    return meetings_of(arena.state, arena.settings.packed(), arena.b, np.arange(len(arena.b.id)))


def test_forces_add_up_to_the_avoidance_force_and_peers_count_only_if_imminent():
    arena, longest = crossing(calm=10**9), {-1: 0.0, 0: 0.0}
    for tick in range(120):
        band = -1 if tick < 80 else 0
        arena.b.band[:] = band
        arena.step()
        shown = met(arena)
        for i in np.flatnonzero(arena.b.moving).tolist():
            force = shown[i][:, 3:].sum(axis=0) if i in shown else np.zeros(2)
            assert np.allclose(force, (arena.state.force_x[i], arena.state.force_y[i]), atol=1e-6)
        for rows in shown.values():
            assert (np.diff(rows[:, 0]) >= 0.0).all(), "soonest first"
            longest[band] = max(longest[band], rows[-1, 0])
    assert 1.5 < longest[-1] <= arena.settings.horizon
    assert 0.0 < longest[0] <= arena.settings.peer_horizon


def test_a_meeting_is_where_two_discs_touch_first():
    arena = crossing()
    for _ in range(90):
        arena.step()
    spatial_hash, found = arena.state.spatial_hash, 0
    for i, rows in met(arena).items():
        j = int(spatial_hash.rank[i])
        x, y, vx, vy = (spatial_hash.body[k, j] for k in (0, 1, 7, 8))
        for tau, ox, oy, _, _ in rows[rows[:, 0] > 0.0].tolist():
            found += 1
            assert abs(np.hypot(ox - x - vx * tau, oy - y - vy * tau) - 0.6) < 0.02
    assert found >= 5


def test_two_that_all_but_touch_meet_when_they_touch():
    arena = Arena(room(12, 30), [(4.5, 6.0), (5.108, 6.0)], [(25.5, 6.0), (1.5, 6.0)])
    arena.step()
    spatial_hash = arena.state.spatial_hash
    closing = spatial_hash.body[7, spatial_hash.rank[0]] - spatial_hash.body[7, spatial_hash.rank[1]]
    assert np.isclose(met(arena)[0][0, 0], 0.008 / closing, rtol=0.01)


def test_without_foresight_there_are_no_predicted_collisions():
    for avoidance in (0, 1, 3, 4):
        arena = crossing(avoidance=avoidance)
        for _ in range(80):
            arena.step()
        assert met(arena) == {}
