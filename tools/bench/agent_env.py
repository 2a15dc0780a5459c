"""Environment benchmark: steps a second in one and two processes, and saved states."""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

from game.env import SideEnv, parallel_env, vector_env
from tools.bench import positive

LEVELS = ("skirmish_small", "the_crossing", "the_depot")
STATE_CALLS = 40
WARM = 15


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this bench."""
    parser.add_argument("--steps", type=positive, default=60, help="steps of ten ticks for each row")


def rows(args: argparse.Namespace) -> list[dict[str, Any]]:
    """A row for each level and number of processes, and for its states.

    ``us_mean`` is microseconds a step of one game, or a call; ``steps_per_second`` counts all games, and
    ``agent_steps_per_second`` their units as well.
    """
    out = []
    for level in LEVELS:
        out.append(_one_process(level, args.steps))
        out.append(_two_processes(level, args.steps))
        out += _states(level)
    return out


def _actions(masks: np.ndarray, dice: np.random.Generator) -> np.ndarray:
    """Return random allowed actions, 0 for rows without any; ``masks: int8[..., actions]``."""
    weights = masks * dice.random(masks.shape)
    return np.asarray(weights.argmax(axis=-1))


def _row(level: str, processes: int, units: int, steps: int, seconds: float) -> dict[str, Any]:
    return {
        "algorithm": f"env_step_{level}",
        "mode": "batch" if processes > 1 else "single",
        "us_mean": round(seconds / steps * 1e6),
        "threads": processes,
        "steps_per_second": round(steps * processes / seconds, 1),
        "agent_steps_per_second": round(steps * processes * units / seconds, 1),
        "ticks_per_step": 10,
    }


def _one_process(level: str, steps: int) -> dict[str, Any]:
    env, dice = SideEnv(level), np.random.default_rng(1)
    found, _ = env.reset(seed=1)
    for _ in range(WARM):  # the first ones load kernels
        found, *_ = env.step(_actions(found["action_mask"], dice))
    start = time.perf_counter()
    for _ in range(steps):
        found, _, ended, cut, _ = env.step(_actions(found["action_mask"], dice))
        if ended or cut:
            found, _ = env.reset(seed=1)
    return _row(level, 1, len(env.units), steps, time.perf_counter() - start)


def _two_processes(level: str, steps: int) -> dict[str, Any]:
    env, dice = vector_env(2, level=level), np.random.default_rng(1)
    try:
        found, _ = env.reset(seed=[1, 2])
        for _ in range(WARM):
            found, *_ = env.step(_actions(found["action_mask"], dice))
        start = time.perf_counter()
        for _ in range(steps):
            found, *_ = env.step(_actions(found["action_mask"], dice))
        return _row(level, 2, found["own"].shape[1], steps, time.perf_counter() - start)
    finally:
        env.close()


def _states(level: str) -> list[dict[str, Any]]:
    env = parallel_env(level)
    env.reset(seed=1)
    for _ in range(5):
        env.step({})
    base = env.save_state()
    env.step({})
    times: dict[str, list[float]] = {"env_save": [], "env_load": []}
    for _ in range(STATE_CALLS):
        start = time.perf_counter()
        saved = env.save_state(base)
        middle = time.perf_counter()
        env.load_state(saved)
        times["env_save"].append(middle - start)
        times["env_load"].append(time.perf_counter() - middle)
    units = env.game.session.world.units.count
    return [
        {
            "algorithm": f"{name}_{level}",
            "mode": "single",
            "us_mean": round(float(np.mean(seconds)) * 1e6),
            "threads": 1,
            "units": int(units),
        }
        for name, seconds in times.items()
    ]
