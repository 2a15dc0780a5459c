"""Stances of paths against their rules, unit by unit."""

from __future__ import annotations

import numpy as np
import pytest

from ai.grid.movement_classes import MovementClass
from game.systems.movement.posture import AS_IT_STANDS, adapt_stances, take_stance
from game.world.stealth.sneak_paths import SneakPath
from game.world.units import Stance
from tests.game.sim.play import Play, raider, yard

VENT = slice(8, 12)


@pytest.fixture(scope="module")
def play(tmp_path_factory: pytest.TempPathFactory) -> Play:
    """Make forty units, of which every fourth crawls, and a vent."""
    builder = yard("\n".join(["s" * 24] * 12))
    for k in range(40):
        raider(builder, 2.5 + k % 20, 3.5 + 3 * (k // 20), f"A{k}", kind="crawler" if k % 4 == 0 else "raider")
    made = Play(tmp_path_factory.mktemp("vent"), builder)
    made.world.terrain.edit(0, VENT.start, 12, VENT.stop, passable=1 << MovementClass.CRAWL)
    return made


def asks(play: Play, slot: int) -> int:
    """Return the lower of the stances that ground and path require."""
    u, unit = play.world.units, int(play.world.units.id[slot])
    low = Stance.STAND
    if u.movement_class[slot] == MovementClass.CRAWL and u.alive[slot]:
        speed = float(np.hypot(u.vx[slot], u.vy[slot]))
        ahead = u.x[slot] + (0.8 * u.vx[slot] / speed if speed > 0.05 else 0.0)
        if any(VENT.start <= int(x) < VENT.stop for x in (u.x[slot], ahead)):
            low = Stance.PRONE
    path = play.world.sneaks.get(unit)
    if path is not None and len(path.stances):
        low = max(low, path.stances[min(path.at + 1, len(path.stances) - 1)])
    return int(low)


@pytest.mark.parametrize("seed", range(6))
def test_each_unit_is_as_low_as_its_path_asks_and_no_lower_than_ordered(play: Play, seed: int) -> None:
    """Notes of ordered stances are dropped when units rise."""
    rng, world = np.random.default_rng(seed), play.world
    u, n = world.units, 40
    u.stance[:n] = rng.integers(0, 3, n)
    u.upright[:n] = np.where(rng.random(n) < 0.5, AS_IT_STANDS, rng.integers(0, 3, n))
    ducked = u.upright[:n] != AS_IT_STANDS
    u.stance[:n][ducked] = np.maximum(u.stance[:n], u.upright[:n])[ducked]
    u.alive[:n] = rng.random(n) < 0.9
    u.x[:n], u.vx[:n] = rng.uniform(5.0, 15.0, n), rng.choice([0.0, 0.04, 1.0, -2.0], n)
    world.sneaks.clear()
    for unit in rng.choice(n, 20, replace=False).tolist():
        length = int(rng.integers(0, 5))
        path = SneakPath((0, 0), 0, stances=rng.integers(0, 3, length).astype(np.uint8))
        path.at = int(rng.integers(0, max(1, length)))
        world.sneaks[int(u.id[unit])] = path
    ordered = np.where(u.upright[:n] == AS_IT_STANDS, u.stance[:n], u.upright[:n])
    adapt_stances(world)
    lowered = 0
    for slot in range(n):
        needed = asks(play, slot)
        assert u.stance[slot] == max(ordered[slot], needed)
        assert u.upright[slot] == (ordered[slot] if needed > ordered[slot] else AS_IT_STANDS)
        lowered += needed > ordered[slot]
    assert 3 < lowered < 37
    told = np.arange(0, n, 3)
    take_stance(world, told, int(Stance.CROUCH))
    world.sneaks.clear()
    u.x[:n] = 20.5
    adapt_stances(world)
    ordered[told] = Stance.CROUCH
    assert (u.stance[:n] == ordered).all() and (u.upright[:n] == AS_IT_STANDS).all(), "behind it each rises as ordered"
