"""Parallel environment of PettingZoo: each unit is an agent."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray
from pettingzoo import ParallelEnv

from game.env.agent_game import Action, AgentGame, SavedGame
from game.env.agent_picture import AgentPicture
from game.env.env_services import EnvServices
from game.env.rewards import Reward
from game.env.spaces import action_space, observation_space

Observation = dict[str, NDArray[np.generic]]


class FoglineParallel(EnvServices, ParallelEnv):
    """See :func:`parallel_env`."""

    metadata: dict[str, Any] = {"render_modes": ["rgb_array", "human"], "name": "fogline_v0", "render_fps": 10}

    def __init__(self, game: AgentGame, render_mode: str | None = None) -> None:
        self.game = game
        self.render_mode = render_mode
        self.picture = AgentPicture(game, render_mode)
        self.possible_agents = [_name(unit) for side in game.sides for unit in game.units_of(side)]
        self.agents = list(self.possible_agents)
        self._observation, self._action = observation_space(), action_space()

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """Return the space of observations, the same object at each call."""
        return self._observation

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """Return the space of actions, the same object at each call."""
        return self._action

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Start again; see :meth:`game.env.agent_game.AgentGame.reset`."""
        self.game.reset(seed, options)
        self.picture.forget()
        self.possible_agents = [_name(unit) for side in self.game.sides for unit in self.game.units_of(side)]
        self.agents = [_name(unit) for side in self.game.sides for unit in self.game.living(side)]
        return {a: self.game.observe(_unit(a)) for a in self.agents}, {a: self._info() for a in self.agents}

    def step(
        self, actions: Mapping[str, Action]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Advance all agents by one step.

        Agents that died or whose game is over leave. Raises ValueError for an agent that is not in the game.
        """
        strangers = sorted(set(actions) - set(self.agents))
        if strangers:
            raise ValueError(f"step: {strangers[0]} is not among the agents; they are {', '.join(self.agents)}")
        game = self.game
        facts = game.step({_unit(agent): action for agent, action in actions.items()})
        acted = list(self.agents)
        living = {unit for side in game.sides for unit in game.living(side)}
        arrived = [_name(unit) for unit in sorted(living) if _name(unit) not in acted]
        self.possible_agents += [agent for agent in arrived if agent not in self.possible_agents]
        rewards = {a: game.reward(facts[game.side_of(_unit(a))], _unit(a)) for a in acted}
        ended = {a: game.over or _unit(a) not in living for a in acted}
        cut = {a: not ended[a] and game.tick >= game.limit for a in acted}
        observations = {a: game.observe(_unit(a)) for a in acted}
        infos = {a: self._info() for a in acted}
        self.agents = [a for a in acted if not ended[a] and not cut[a]]
        if self.agents:
            self.agents += arrived
            for agent in arrived:
                observations[agent], infos[agent] = game.observe(_unit(agent)), self._info()
                rewards[agent], ended[agent], cut[agent] = 0.0, False, False
        if self.render_mode == "human":
            self.picture.show()
        return observations, rewards, ended, cut, infos

    def _info(self) -> dict[str, Any]:
        return {"tick": self.game.tick}

    def load_state(self, saved: SavedGame) -> None:
        """Go back to a saved state."""
        super().load_state(saved)
        self.agents = [_name(unit) for side in self.game.sides for unit in self.game.living(side)]

    def state_hash(self) -> str:
        """Return the hash of the world."""
        return self.game.hash()


def parallel_env(
    level: str | Path,
    script: str | Path | None = None,
    settings: Mapping[str, Any] | None = None,
    *,
    sides: tuple[int, ...] = (0,),
    step_ticks: int = 10,
    limit: int = 12_000,
    rewards: Mapping[str, float] | Reward | None = None,
    render_mode: str | None = None,
) -> FoglineParallel:
    """Return the environment in which each unit of ``sides`` is an agent called ``unit_ID``.

    See :class:`game.env.agent_game.AgentGame` for the arguments. Raises ValueError in one line for bad ones.
    """
    return FoglineParallel(AgentGame(level, sides, script, settings, step_ticks, limit, rewards), render_mode)


def _name(unit: int) -> str:
    return f"unit_{unit}"


def _unit(agent: str) -> int:
    return int(agent.removeprefix("unit_"))
