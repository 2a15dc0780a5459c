"""Environment of Gymnasium: one learner plays all units of a side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from game.env.action_table import COUNT
from game.env.agent_game import Action, AgentGame
from game.env.agent_picture import AgentPicture
from game.env.env_services import EnvServices
from game.env.rewards import Reward
from game.env.spaces import observation_space

Observation = dict[str, NDArray[np.generic]]


class SideEnv(EnvServices, gymnasium.Env[Observation, NDArray[np.int64]]):
    """Environment of a side.

    An action is one number of the action table for each unit, in order of id. Observations are those of the units,
    stacked; the rows of dead units are zero. The reward is the sum over the units. ``info["action_mask"]`` is
    int8[units, actions]. See :class:`game.env.agent_game.AgentGame` for the arguments.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array", "human"], "render_fps": 10}

    def __init__(
        self,
        level: str | Path,
        side: int = 0,
        script: str | Path | None = None,
        settings: Mapping[str, Any] | None = None,
        step_ticks: int = 10,
        limit: int = 12_000,
        rewards: Mapping[str, float] | Reward | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.game = AgentGame(level, (side,), script, settings, step_ticks, limit, rewards)
        self.side, self.render_mode = side, render_mode
        self.picture = AgentPicture(self.game, render_mode)
        self.units = self.game.units_of(side)
        self._spaces = observation_space(len(self.units))
        self.observation_space = self._spaces  # type: ignore[assignment]
        self.action_space = gymnasium.spaces.MultiDiscrete([COUNT] * len(self.units))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Any]:
        """Start again.

        The same seed gives the same game. Raises ValueError for a level with another number of units.
        """
        super().reset(seed=seed)
        self.game.reset(seed, options)
        self.picture.forget()
        if len(self.game.units_of(self.side)) != len(self.units):
            raise ValueError("reset: the level has another number of units; make a new environment for it")
        self.units = self.game.units_of(self.side)
        found = self._observe()
        return found, self._info(found)

    def step(self, action: NDArray[np.int64] | Sequence[Action]) -> tuple[Observation, float, bool, bool, Any]:
        """Give each living unit its action and advance.

        An entry may be the game's own orders."""
        living = set(self.game.living(self.side))
        given = {unit: one for unit, one in zip(self.units, action, strict=True) if unit in living}
        facts = self.game.step(given)[self.side]
        reward = sum(self.game.reward(facts, unit) for unit in self.units if unit in living)
        ended = self.game.over or not self.game.living(self.side)
        cut = not ended and self.game.tick >= self.game.limit
        found = self._observe()
        if self.render_mode == "human":
            self.picture.show()
        return found, float(reward), ended, cut, self._info(found)

    def _observe(self) -> Observation:
        living = set(self.game.living(self.side))
        seen = {unit: self.game.observe(unit) for unit in self.units if unit in living}
        out: Observation = {}
        for name, space in self._spaces.items():
            stacked = np.zeros(space.shape or (), space.dtype)
            for row, unit in enumerate(self.units):
                if unit in seen:
                    stacked[row] = seen[unit][name]
            out[name] = stacked
        return out

    def _info(self, found: Observation) -> dict[str, Any]:
        return {"tick": self.game.tick, "action_mask": found["action_mask"]}
