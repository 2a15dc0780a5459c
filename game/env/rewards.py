"""Rewards: terms as data, each a fact of a step times a weight.

A caller replaces weights by name, or gives a function of the facts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

DEFAULT_WEIGHTS: dict[str, float] = {
    "won": 1.0,  # the mission is won for the side
    "lost": -1.0,  # or lost
    "objective": 0.25,  # each objective that was reached
    "died": -0.3,  # the unit itself
    "loss": -0.05,  # each other unit of the side
    "killed": 0.05,  # each enemy that the side killed or took down
    "identified": -0.05,  # each time a watcher identified a unit of the side
    "alarm": -0.05,  # each alarm of the other side
    "tick": -0.0001,  # each tick
}
"""Weight of each fact; the units are those of the reward."""


@dataclass
class StepFacts:
    """Facts of one step, counted from the happenings of its ticks.

    ``shared`` holds counts for the whole side by name of the term; ``died`` the ids of units that fell.
    """

    shared: dict[str, float] = field(default_factory=dict)
    died: list[int] = field(default_factory=list)

    def add(self, term: str, count: float = 1.0) -> None:
        """Count a fact."""
        self.shared[term] = self.shared.get(term, 0.0) + count


Reward = Callable[[StepFacts, int], float]
"""Function of the facts of a step and a unit's id."""


def reward_function(given: Mapping[str, float] | Reward | None) -> Reward:
    """Return the reward of a step: defaults, changed weights, or the caller's own function.

    Raises ValueError, in one line, for a weight that no term has.
    """
    if given is None or isinstance(given, Mapping):
        weights = {**DEFAULT_WEIGHTS, **(given or {})}
        unknown = sorted(set(weights) - set(DEFAULT_WEIGHTS))
        if unknown:
            raise ValueError(f"rewards: no term is called {unknown[0]!r}; use one of {', '.join(DEFAULT_WEIGHTS)}")

        def weighted(facts: StepFacts, unit: int) -> float:
            own = weights["died"] * (unit in facts.died)
            others = weights["loss"] * sum(other != unit for other in facts.died)
            return own + others + sum(weights[term] * count for term, count in facts.shared.items())

        return weighted
    return given
