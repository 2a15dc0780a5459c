"""Spaces of Gymnasium for one agent's observation and action."""

from __future__ import annotations

import gymnasium
import numpy as np

from game.env.action_table import COUNT
from game.env.agent_observation import COLUMNS, ORDER_KINDS, PLANES, SIZE, TARGET_COLUMNS, TARGETS


def observation_space(units: int | None = None) -> gymnasium.spaces.Dict:
    """Return the space of an observation, or of so many stacked."""
    lead = () if units is None else (units,)

    def box(low: float, high: float, *shape: int, dtype: type = np.float32) -> gymnasium.spaces.Box:
        return gymnasium.spaces.Box(low, high, (*lead, *shape), dtype)

    return gymnasium.spaces.Dict(
        {
            "planes": box(0.0, 1.0, len(PLANES), SIZE, SIZE),
            "targets": box(-1.0, 1.0, TARGETS, len(TARGET_COLUMNS)),
            "own": box(-1.0, 1.0, len(COLUMNS)),
            "order": box(0, 1, ORDER_KINDS, dtype=np.int8),
            "action_mask": box(0, 1, COUNT, dtype=np.int8),
        }
    )


def action_space() -> gymnasium.spaces.Discrete:
    """Return the space of one agent's action."""
    return gymnasium.spaces.Discrete(COUNT)
