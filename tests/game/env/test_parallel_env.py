"""The parallel environment: PettingZoo's own tests, determinism, death, states, and bad input."""

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test, parallel_seed_test

from game.env import parallel_env
from game.env.action_table import COUNT, FIRST_PLACE
from game.world.orders import Order, OrderKind


def test_it_passes_the_interface_test_of_pettingzoo() -> None:
    parallel_api_test(parallel_env("skirmish_small"), num_cycles=20)


def test_it_passes_the_seed_test_of_pettingzoo() -> None:
    parallel_seed_test(lambda: parallel_env("skirmish_small"), num_cycles=5)


def play(env, steps: int, seed: int) -> list[str]:
    """Return the hashes of a game with random actions of the masks."""
    observations, _ = env.reset(seed=seed)
    dice, hashes = np.random.default_rng(seed), []
    for _ in range(steps):
        actions = {a: int(dice.choice(np.flatnonzero(observations[a]["action_mask"]))) for a in env.agents}
        observations, *_ = env.step(actions)
        hashes.append(env.state_hash())
    return hashes


def test_equal_seeds_and_actions_give_equal_hashes() -> None:
    first, again, other = (play(parallel_env("the_depot"), 6, seed) for seed in (3, 3, 4))
    assert first == again
    assert first != other


def test_observations_lie_in_their_space() -> None:
    env = parallel_env("the_depot")
    observations, _ = env.reset(seed=1)
    for _ in range(10):
        for agent, found in observations.items():
            assert env.observation_space(agent).contains(found)
        observations, *_ = env.step(dict.fromkeys(env.agents, 0))


def test_a_loaded_state_plays_on_as_before() -> None:
    """Oracle: the hashes of the first play, from the middle of a fight."""
    env = parallel_env("skirmish_small", sides=(0, 1))
    env.reset(seed=2)
    charge = {a: Order(int(OrderKind.ATTACK_MOVE), int(a > "unit_5"), (int(a[5:]),), 22.0, 13.0) for a in env.agents}
    env.step(charge)
    for _ in range(15):
        env.step({})
    saved = env.save_state()
    hashes = [env.step({}) and env.state_hash() for _ in range(6)]
    for _ in range(2):
        env.load_state(saved)
        assert [env.step({}) and env.state_hash() for _ in range(6)] == hashes


def test_units_that_fall_leave_and_the_last_side_ends_the_game() -> None:
    env = parallel_env("skirmish_small", sides=(0, 1))
    env.reset(seed=1)
    assert len(env.agents) == 12
    env.step({a: Order(int(OrderKind.ATTACK_MOVE), int(int(a[5:]) > 5), (int(a[5:]),), 22.0, 13.0) for a in env.agents})
    left = 0
    for _ in range(150):
        before = set(env.agents)
        _, _, ended, cut, _ = env.step({})
        assert set(ended) == before and not any(cut.values())
        left += len(before) - len(env.agents)
        assert all(ended[a] for a in before - set(env.agents))
        if not env.agents:
            break
    assert left >= 4, "a fight of six against six has losses"


def test_guards_of_an_agents_side_have_no_mind_of_their_own() -> None:
    """Sentries patrol by themselves; played by agents they wait for orders."""

    def moved(sides: tuple[int, ...]) -> int:
        env = parallel_env("the_depot", sides=sides)
        env.reset(seed=1)
        u = env.game.session.world.units
        start = u.x.copy(), u.y.copy()
        for _ in range(10):
            env.step({})
        guards = u.living(1)
        return int((np.hypot(u.x - start[0], u.y - start[1])[guards] > 0.5).sum())

    assert moved((0,)) > 0
    assert moved((1,)) == 0


def test_a_time_limit_truncates() -> None:
    env = parallel_env("skirmish_small", limit=20)
    env.reset(seed=1)
    env.step({})
    _, _, ended, cut, _ = env.step({})
    assert all(cut.values()) and not any(ended.values()) and env.agents == []


def test_rewards_are_data() -> None:
    weights = {"tick": -1.0}
    env = parallel_env("skirmish_small", rewards=weights)
    env.reset(seed=1)
    _, rewards, *_ = env.step({})
    assert set(rewards.values()) == {-10.0}
    env = parallel_env("skirmish_small", rewards=lambda facts, unit: float(unit))
    env.reset(seed=1)
    _, rewards, *_ = env.step({})
    assert rewards["unit_3"] == 3.0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"level": "no_such_level"}, "no_such_level"),
        ({"level": "skirmish_small", "sides": (3,)}, "side 3 has no units"),
        ({"level": "skirmish_small", "settings": {"paths.nothing": 1}}, "paths.nothing"),
        ({"level": "skirmish_small", "rewards": {"fame": 1.0}}, "no term is called 'fame'"),
        ({"level": "skirmish_small", "step_ticks": 0}, "at least 1"),
        ({"level": "skirmish_small", "render_mode": "text"}, "render_mode"),
    ],
)
def test_bad_arguments_end_in_one_line(arguments: dict, words: str) -> None:
    with pytest.raises(ValueError, match=words) as caught:
        parallel_env(**arguments)
    assert "\n" not in str(caught.value)


def test_an_action_outside_the_table_is_refused_in_one_line() -> None:
    env = parallel_env("skirmish_small")
    env.reset(seed=1)
    with pytest.raises(ValueError, match=f"0 to {COUNT - 1}"):
        env.step({"unit_0": COUNT})
    with pytest.raises(ValueError, match="unit_99"):
        env.step({"unit_99": 0})


def test_a_move_goes_to_the_cell_that_its_number_names() -> None:
    """Oracle: row 6, column 12 of 13 is 12 tiles to the east."""
    env = parallel_env("skirmish_small")
    env.reset(seed=1)
    world = env.game.session.world
    slot = world.units.slot(2)
    x, y = np.floor(world.units.x[slot]) + 12.5, np.floor(world.units.y[slot]) + 0.5
    env.step({"unit_2": FIRST_PLACE + 6 * 13 + 12})
    for _ in range(12):
        env.step({})
    assert np.hypot(world.units.x[slot] - x, world.units.y[slot] - y) < 0.6
