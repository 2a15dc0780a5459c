"""The environment of a side: Gymnasium's own test, registration, pictures, and vectors."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import game.env
from game.env.vector_env import vector_env


def test_it_passes_the_check_of_gymnasium() -> None:
    check_env(game.env.SideEnv("skirmish_small", limit=200), skip_render_check=True)


@pytest.mark.parametrize("name", sorted(game.env.LEVELS))
def test_registered_environments_are_made_by_name(name: str) -> None:
    env = gymnasium.make(name, disable_env_checker=True)
    found, info = env.reset(seed=1)
    assert env.observation_space.contains(found)
    found, reward, ended, cut, info = env.step(np.zeros(len(info["action_mask"]), np.int64))
    assert info["tick"] == 10 and not ended and not cut and reward < 0


def test_the_same_seed_and_actions_give_the_same_hash() -> None:
    hashes = []
    for _ in range(2):
        env = game.env.SideEnv("the_crossing", side=1)
        env.reset(seed=5)
        for step in range(5):
            env.step(np.full(len(env.units), 12 + 31 * step))
        hashes.append(env.game.hash())
    assert hashes[0] == hashes[1]


def test_a_picture_is_an_array_and_does_not_reach_the_game() -> None:
    hashes = []
    for mode in ("rgb_array", None):
        env = game.env.SideEnv("skirmish_small", render_mode=mode)
        env.reset(seed=1)
        for _ in range(2):
            env.step([0] * 6)
            picture = env.render()
        hashes.append(env.game.hash())
        if mode is not None:
            assert picture.shape == (540, 960, 3) and picture.dtype == np.uint8 and picture.std() > 10
        env.close()
    assert hashes[0] == hashes[1]


def test_a_vector_of_games_steps_in_other_processes() -> None:
    """Oracle: a game in this process with the same seed and actions."""
    alone = game.env.SideEnv("skirmish_small")
    alone.reset(seed=7)
    many = vector_env(2, level="skirmish_small")
    try:
        many.reset(seed=[7, 8])
        for _ in range(2):
            expected, *_ = alone.step([11] * 6)
            found, *_ = many.step(np.full((2, 6), 11))
        assert np.array_equal(found["own"][0], expected["own"])
    finally:
        many.close()
