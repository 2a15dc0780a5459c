"""Game of agents: one session, and steps of several ticks.

The environments of Gymnasium and PettingZoo are thin coats over it. It needs neither of them, and no pygame.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from game.checks.scripts.script import Script, load_script
from game.checks.scripts.scripted_player import ScriptedPlayer
from game.env.action_table import order_of
from game.env.agent_observation import observe
from game.env.rewards import Reward, StepFacts, reward_function
from game.env.side_memory import SideMemory, side_memory
from game.level.finding import find_level
from game.level.model import Level
from game.level.reading import load_level
from game.sim.session import Session
from game.world.mind_kinds import mind_can
from game.world.orders import Order
from game.world.world import BareSnapshot, bare_snapshot, revived

Action = int | Order | Sequence[Order]
"""A number of the action table, or the game's own orders."""


@dataclass(frozen=True)
class SavedGame:
    """State of a game of agents: world, memories, and orders to come."""

    world: BareSnapshot
    memories: tuple[SideMemory, ...]
    player: ScriptedPlayer
    waiting: tuple[Order, ...]


class AgentGame:
    """Game in which agents play the units of some sides.

    ``sides`` are played by agents; guards of such a side lose their own mind and obey like soldiers. ``script`` gives
    settings, and orders and events of the others. A step is ``step_ticks`` ticks; the game is cut off after
    ``limit`` ticks. Raises ValueError, in one line, for a level, script, side or setting that is not there.
    """

    def __init__(
        self,
        level: str | Path,
        sides: tuple[int, ...] = (0,),
        script: str | Path | None = None,
        settings: Mapping[str, Any] | None = None,
        step_ticks: int = 10,
        limit: int = 12_000,
        rewards: Mapping[str, float] | Reward | None = None,
    ) -> None:
        if step_ticks < 1 or limit < 1:
            raise ValueError(f"step_ticks and limit must be at least 1, not {step_ticks} and {limit}")
        self.step_ticks, self.limit = step_ticks, limit
        self.reward = reward_function(rewards)
        self.settings = dict(settings or {})
        self.sides = tuple(sides)
        self.level, self.script = self._load(level, script)
        self.seed = self.script.seed if self.script is not None else 1
        self.reset()

    @staticmethod
    def _load(level: str | Path, script: str | Path | None) -> tuple[Level, Script | None]:
        found = load_level(find_level(Path(level)))
        return found, load_script(Path(script)) if script is not None else None

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Start again; ``options`` may name another ``level``, ``script`` or ``settings``.

        Other options are ignored, as the test of PettingZoo's interface demands.
        """
        if options and {"level", "script"} & set(options):
            self.level, self.script = self._load(options.get("level", self.level.path), options.get("script"))
        if options and "settings" in options:
            self.settings = dict(options["settings"])
        if seed is not None:
            self.seed = int(seed)
        chosen = {**(dict(self.script.settings) if self.script else {}), **self.settings}
        units = self.script.units if self.script else None
        self.session = Session(self.level, self.seed, chosen, units, recording=False)
        self.player = ScriptedPlayer()
        self._take_over()
        self.memories = {side: side_memory(self.session.world, side) for side in self.sides}
        self._look()

    def _take_over(self) -> None:
        """Give the units of the agents' sides a mind that only obeys."""
        world = self.session.world
        u = world.units
        present = set(u.side[: u.count].tolist())
        for side in self.sides:
            if side not in present:
                raise ValueError(f"{self.level.path}: side {side} has no units; use one of {sorted(present)}")
        for row, kind in enumerate(list(world.types)):
            owned = (u.kind[: u.count] == row) & np.isin(u.side[: u.count], self.sides)
            if owned.any() and mind_can(kind, "patrols"):
                world.types.append(replace(kind, mind="soldier"))
                u.kind[: u.count][owned] = len(world.types) - 1

    @property
    def tick(self) -> int:
        """Ticks since the beginning."""
        return self.session.world.tick

    def units_of(self, side: int) -> list[int]:
        """Return the ids of all units of a side, the dead included, in order."""
        u = self.session.world.units
        return sorted(int(i) for i in u.id[: u.count][u.side[: u.count] == side])

    def living(self, side: int) -> list[int]:
        """Return the ids of the side's living units, in order."""
        u = self.session.world.units
        return sorted(int(i) for i in u.id[u.living(side)])

    def side_of(self, unit: int) -> int:
        """Return the side of a unit, -1 for no unit."""
        if unit < 0:
            return -1
        return int(self.session.world.units.side[self.session.world.units.slot(unit)])

    def observe(self, unit: int) -> dict[str, NDArray[np.generic]]:
        """Return the observation of a unit; see :func:`game.env.agent_observation.observe`."""
        return observe(self.session.world, self.memories[self.side_of(unit)], unit, self.limit)

    def step(self, actions: Mapping[int, Action]) -> dict[int, StepFacts]:
        """Give the actions of units by id, advance, and return facts by side."""
        world = self.session.world
        before = {side: self.living(side) for side in self.sides}
        reached = sum(o.done for o in world.mission.objectives)
        for unit in sorted(actions):
            for order in self._orders(unit, actions[unit]):
                self.session.give(order)
        facts = {side: StepFacts() for side in self.sides}
        for _ in range(self.step_ticks):
            self._advance()
            self._count(facts)
            if self.over:
                break
        for side, found in facts.items():
            found.died = sorted(set(before[side]) - set(self.living(side)))
            if side == 0:
                found.add("objective", float(sum(o.done for o in world.mission.objectives) - reached))
            found.add("tick", float(self.step_ticks))
        return facts

    def _orders(self, unit: int, action: Action) -> list[Order]:
        if isinstance(action, Order):
            return [action]
        if not isinstance(action, int | np.integer):
            return list(action)
        made = order_of(self.session.world, self.memories[self.side_of(unit)], unit, int(action))
        return [made] if made is not None else []

    def _advance(self) -> None:
        world = self.session.world
        if self.script is not None:
            for order in self.player.orders(self.script, world, world.tick + 1):
                self.session.give(order)
        self.session.advance()
        self._look()

    def _look(self) -> None:
        for memory in self.memories.values():
            memory.look(self.session.world)

    def _count(self, facts: dict[int, StepFacts]) -> None:
        """Count the happenings of a tick for each side."""
        world = self.session.world
        for event in world.events:
            for side, found in facts.items():
                if event.kind == "identified" and self.side_of(event.other) == side:
                    found.add("identified")
                elif event.kind == "alarm" and self.side_of(event.unit) != side:
                    found.add("alarm")
                elif event.kind in ("killed", "taken_down") and self.side_of(event.unit) != side:
                    found.add("killed")
                elif event.kind in ("won", "lost"):
                    found.add(event.kind if side == 0 else {"won": "lost", "lost": "won"}[event.kind])

    @property
    def over(self) -> bool:
        """Return True once the mission has ended.

        A skirmish without a mission ends when only one side is left.
        """
        status = self.session.world.mission.status
        if status != "sandbox":
            return status in ("won", "lost")
        return len(self.sides) > 1 and sum(bool(self.living(side)) for side in self.sides) < 2

    def hash(self) -> str:
        """Return the hash of the world's state."""
        return self.session.world.hash()

    def save(self, base: SavedGame | None = None) -> SavedGame:
        """Return the present state; what has not changed since ``base`` is shared with it."""
        return SavedGame(
            bare_snapshot(self.session.world, base.world if base is not None else None),
            tuple(memory.copy() for memory in self.memories.values()),
            copy.deepcopy(self.player),
            self.session.waiting,
        )

    def load(self, saved: SavedGame) -> None:
        """Go back to a saved state of this game.

        The same actions then give the same hashes."""
        self.session.world = revived(saved.world.again(self.session.world))
        self.session.forget_orders()
        for order in saved.waiting:
            self.session.give(order)
        self.memories = {memory.side: memory.copy() for memory in saved.memories}
        self.player = copy.deepcopy(saved.player)
