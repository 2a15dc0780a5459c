"""Retries a failed search with a larger limit of revolutions.

Most searches fail because a unit blocks the path for a moment. A search with a small limit finds nearly straight paths
and fails cheaply when there is none yet. After a delay it is tried again with a larger limit. Where the terrain itself
has no path, no try is made: the components know this (:mod:`ai.grid.components`).

Source: "AI Game Programming Wisdom", 3.5 (iterative deepening; Tim Cain).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Deepening:
    """Limits of successive tries, in revolutions.

    The first limit is ``first``. Each further one is ``step`` larger, up to ``most``. Between two tries ``delay`` ticks
    pass, so that the blocking unit can leave. A request stores the number of failed tries in a row and the tick of the
    next try.
    """

    first: int = 64
    step: int = 64
    most: int = 16384
    delay: int = 10

    def __post_init__(self) -> None:
        if self.first < 1 or self.step < 1 or self.most < self.first or self.delay < 0:
            raise ValueError("limits must start at 1 or more, grow, and not end below the first")

    def limit(self, failed: int) -> int:
        """Return the revolutions of the next try after ``failed`` failures."""
        return min(self.first + self.step * failed, self.most)

    @property
    def most_tries(self) -> int:
        """Number of tries; after so many failures the request is given up."""
        return 1 - (self.first - self.most) // self.step


TECHNIQUES = (
    {
        "slug": "search-patience",
        "name": "Iterative node limits",
        "ids": ("AW-3.5-1",),
        "source": "AI Game Programming Wisdom, 3.5",
        "functions": ("Deepening",),
        "test": "tests/ai/paths/replanning/test_local_replanning.py",
        "exhibit": "levels/exhibits/search/doorway.toml",
        "overlay": "troubles",
        "setting": "paths.deepening",
        "measure": "walked",
        "direction": "down",
        "claim": "Limits grow for the local search round bodies only: components answer where the terrain has no path.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
