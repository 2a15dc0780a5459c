"""The examples of agents run, and each shows what it is for."""

from pathlib import Path

import numpy as np
import pytest

from examples import clone_recorder, random_agent, scripted_agent, tree_search
from game.checks.headless import run_level
from game.checks.scripts.script import load_script
from game.env.action_table import COUNT
from game.level.finding import find_level
from game.sim.replay import save_replay


def test_the_random_agents_earn_less_than_nothing() -> None:
    assert random_agent.main(steps=10) < 0.0


@pytest.mark.long
def test_the_scripted_agent_wins_the_crossing() -> None:
    status, tick = scripted_agent.main()
    assert status == "won" and tick > 1000


@pytest.mark.long
def test_the_tree_search_sees_more_than_random_actions() -> None:
    by_search, at_random = tree_search.main(seed=3)
    assert by_search > 1.5 * at_random


def test_the_recorder_writes_a_pair_for_each_order_and_unit(tmp_path: Path) -> None:
    script = load_script(Path("levels/the_crossing.rush.toml"))
    run = run_level(find_level(Path("the_crossing")), ticks=60, script=script)
    save_replay(run.session, tmp_path / "game.json")
    count = clone_recorder.main(tmp_path / "game.json", tmp_path / "pairs.npz")
    pairs = np.load(tmp_path / "pairs.npz")
    assert count == sum(len(order.units) for _, order in run.session.log) == len(pairs["planes"])
    assert pairs["action"].min() > 0 and pairs["action"].max() < COUNT
