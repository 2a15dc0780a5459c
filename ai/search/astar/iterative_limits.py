"""Not to search in vain: small limits that grow.

Most failed searches fail because somebody stands in the way for a moment.  A search with a small limit finds the nearly
straight ways already, and fails cheaply when there is none yet; after a delay it is tried again with a larger limit.
Where the ground itself has no way there is nothing to try: components know (:mod:`ai.grid.components`).

Source: "AI Game Programming Wisdom", 3.5 (iterative deepening; Tim Cain).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Deepening:
    """Limits of one seeker's tries, in revolutions: ``first``, then ``step`` more each time, at most ``most``.

    Between two tries ``delay`` ticks pass, so that whoever stands in the way can go.  What a seeker has to remember is
    how many tries have failed on end, and when the next one is due.
    """

    first: int = 64
    step: int = 64
    most: int = 16384
    delay: int = 10

    def __post_init__(self) -> None:
        if self.first < 1 or self.step < 1 or self.most < self.first or self.delay < 0:
            raise ValueError("limits must start at 1 or more, grow, and not end below the first")

    def limit(self, failed: int) -> int:
        """Revolutions of the next try after so many have failed."""
        return min(self.first + self.step * failed, self.most)

    @property
    def most_tries(self) -> int:
        """How many tries there are; after so many failures the seeker gives up."""
        return 1 - (self.first - self.most) // self.step


TECHNIQUES = (
    {
        "slug": "search-patience",
        "name": "Small limits that grow",
        "ids": ("AW-3.5-1",),
        "source": "AI Game Programming Wisdom, 3.5",
        "functions": ("Deepening",),
        "test": "tests/ai/paths/replanning/test_local_replanning.py",
        "exhibit": "levels/exhibits/search/doorway.toml",
        "overlay": "troubles",
        "setting": "paths.deepening",
        "measure": "walked",
        "direction": "down",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
