"""Room of bodies: units that lie or aim part, in reach and cover."""

from pathlib import Path

import numpy as np
import pytest

from game.level.reading import load_level
from game.sim.session import Session
from game.systems.movement.body_room import AT_EASE, REACH_KEPT, SLACK, step_apart
from game.world.units import Stance

LEVEL = Path(__file__).resolve().parents[4] / "levels/regression/fights/fight_twenty.tmx"


def heap() -> Session:
    """Return the field with six raiders in one heap and nobody else."""
    session = Session(load_level(LEVEL), 1, {}, None, recording=False)
    u = session.world.units
    u.alive[6 : u.count] = 0
    u.x[:6] = 4.5 + 0.61 * np.array([0, 1, 2, 0, 1, 2])
    u.y[:6] = 12.5 + 0.61 * np.array([0, 0, 0, 1, 1, 1])
    return session


def nearest(session: Session, units: list[int]) -> float:
    """Return the least distance of two of these units."""
    u = session.world.units
    slots = u.slots(units)
    d = np.hypot(u.x[slots, None] - u.x[slots], u.y[slots, None] - u.y[slots])
    return float(d[~np.eye(len(slots), dtype=bool)].min())


def test_those_who_lie_part_and_those_who_stand_at_ease_keep_their_place() -> None:
    lying, standing = [0, 1, 2, 3, 4], 5
    session = heap()
    u, rules = session.world.units, session.world.settings.rules
    room, rules.body_room = rules.body_room, 0.0
    u.stance[u.slots(lying)] = Stance.PRONE
    place = float(u.x[u.slot(standing)]), float(u.y[u.slot(standing)])
    session.advance()
    assert nearest(session, lying) == pytest.approx(0.61), "the rule is off"
    rules.body_room = room
    for _ in range(70):
        session.advance()
    assert (float(u.x[u.slot(standing)]), float(u.y[u.slot(standing)])) == place
    assert nearest(session, [*lying, standing]) > AT_EASE - 2 * SLACK
    resting = u.x[: u.count].copy()
    session.advance()
    assert np.abs(u.x[: u.count] - resting).max() < 1e-3, "they come to rest"


def test_a_step_aside_ends_no_fight() -> None:
    session = heap()
    session.advance()
    world = session.world
    u, terrain = world.units, world.terrain
    enemy = int(u.id[20])
    assert u.side[20] != u.side[0]
    u.alive[20] = 1
    reach = world.weapons[int(u.weapon[0])].reach
    # Two in file at the end of their reach: the one behind does not go back.
    u.alive[2:6] = 0
    u.target[:2] = enemy
    u.x[20], u.y[20] = 12.5, 12.5
    u.x[0], u.y[0] = 12.5 - 0.95 * reach, 12.5
    u.x[1], u.y[1] = u.x[0] + 0.6, 12.5
    world.steering.reserve(u.count)
    world.steering.want_x[:] = world.steering.want_y[:] = 0.0
    step_apart(world)
    assert world.steering.want_x[0] == pytest.approx(0.0) and world.steering.want_x[1] > 0.2
    u.x[0] += 0.95 * reach - REACH_KEPT * reach + 0.1  # well in reach, and it does
    u.x[1] = u.x[0] + 0.6
    step_apart(world)
    assert world.steering.want_x[0] < -0.2
    # No step to a tile of less cover.
    u.x[0], u.y[0] = np.ceil(u.x[0]) + 0.01, 12.5
    u.x[1] = u.x[0] + 0.6
    here, there = (12, int(u.x[0])), (12, int(u.x[0]) - 1)
    terrain.cover[here], world.steering.want_x[:] = 2, 0.0
    step_apart(world)
    assert world.steering.want_x[0] == 0.0
    terrain.cover[there] = 2
    step_apart(world)
    assert world.steering.want_x[0] < -0.2
