"""Vector environments: several games in processes of their own."""

from __future__ import annotations

import os
from functools import partial
from typing import Any

import gymnasium

from game.env.side_env import SideEnv


def _make(arguments: dict[str, Any]) -> SideEnv:
    return SideEnv(**arguments)


def vector_env(count: int, **arguments: Any) -> gymnasium.vector.AsyncVectorEnv:
    """Return ``count`` environments of a side in processes that are spawned.

    ``arguments`` are those of :class:`game.env.side_env.SideEnv`. Each process uses one thread of numba and the same
    cache of kernels. Raises ValueError for a count below 1.
    """
    if count < 1:
        raise ValueError(f"vector_env: count must be at least 1, not {count}")
    before = os.environ.get("NUMBA_NUM_THREADS")
    os.environ["NUMBA_NUM_THREADS"] = "1"  # the children read it when they start
    try:
        return gymnasium.vector.AsyncVectorEnv([partial(_make, arguments)] * count, context="spawn")
    finally:
        if before is None:
            del os.environ["NUMBA_NUM_THREADS"]
        else:
            os.environ["NUMBA_NUM_THREADS"] = before
