"""Observations hold what the side knows: unseen enemies may be anywhere."""

import numpy as np
import pytest

from game.env import parallel_env
from game.env.agent_observation import PLANES
from game.env.side_memory import side_memory


def observations(game) -> dict[int, dict[str, np.ndarray]]:
    return {unit: game.observe(unit) for side in game.sides for unit in game.living(side)}


@pytest.mark.parametrize(("level", "seed"), [("the_depot", 1), ("the_depot", 5), ("the_crossing", 1)])
def test_unseen_enemies_do_not_change_an_observation(level: str, seed: int) -> None:
    """Oracle: the same world with every unseen enemy on another unseen tile."""
    env = parallel_env(level, sides=(0,))
    env.reset(seed=seed)
    moved = 0
    for step in range(8):
        env.step(dict.fromkeys(env.agents, 20 + step))
        game = env.game
        world, memory = game.session.world, game.memories[0]
        honest, kept = observations(game), env.save_state()
        u = world.units
        foes = np.flatnonzero((u.side[: u.count] != 0) & ~world.sight.sees_positions(0, u.x[: u.count], u.y[: u.count]))
        unseen = np.argwhere(~memory.visible & (world.terrain.passable & 1 == 1))
        places = unseen[(np.arange(len(foes)) * 977 + step * 131) % len(unseen)]
        u.x[foes], u.y[foes] = places[:, 1] + 0.5, places[:, 0] + 0.5
        u.facing[foes] += 1.0
        u.hp[foes] = 1
        memory.look(world)
        moved += len(foes)
        for unit, seen in observations(game).items():
            for name, values in seen.items():
                assert np.array_equal(values, honest[unit][name]), f"{name} of unit {unit} at step {step}"
        env.load_state(kept)
    assert moved > 50


def test_a_seen_enemy_stands_in_its_plane_and_is_remembered_out_of_sight() -> None:
    env = parallel_env("skirmish_small")
    env.reset(seed=1)
    world, memory = env.game.session.world, env.game.memories[0]
    u = world.units
    me, foe = u.slot(0), u.slot(6)
    u.x[foe], u.y[foe] = u.x[me] + 5.0, u.y[me]
    memory.look(world)
    row, column = 12, 12 + 5
    planes = env.game.observe(0)["planes"]
    assert planes[PLANES.index("enemies"), row, column] == 1.0
    u.x[foe], u.y[foe] = 42.5, 1.5  # behind the wood
    world.sight.visible[:] = 0
    world.tick += 100
    memory.look(world)
    planes = env.game.observe(0)["planes"]
    assert planes[PLANES.index("enemies")].sum() == 0.0
    assert planes[PLANES.index("remembered"), row, column] == pytest.approx(0.75)


def test_ground_is_kept_as_it_was_last_seen() -> None:
    """A wall built out of sight stays unknown until the side looks there."""
    env = parallel_env("skirmish_small")
    env.reset(seed=1)
    world = env.game.session.world
    memory = side_memory(world, 0)
    memory.look(world)
    seen = np.argwhere(memory.visible & (world.terrain.passable & 1 == 1))
    y, x = seen[len(seen) // 2]
    world.sight.visible[:] = 0
    world.terrain.passable[y, x] = 0
    memory.look(world)
    assert memory.passable[y, x] & 1
    world.sight.visible[:] = np.uint64(0xFFFFFFFFFFFFFFFF)
    memory.look(world)
    assert not memory.passable[y, x] & 1
