"""Two ways not to search in vain: small limits that grow, and remembered failures.

Most failed searches fail because somebody stands in the way for a moment.  A search with a small limit finds the nearly
straight ways already, and fails cheaply when there is none yet; after a delay it is tried again with a larger limit.
Where nobody stands in the way and there is still no way, the failure is remembered until the ground opens.

Source: "AI Game Programming Wisdom", 3.5 (iterative deepening, failure caching; Tim Cain).
"""

from __future__ import annotations

import numpy as np

from ai.grid.terrain import Terrain
from ai.state import record


@record
class Deepening:
    """Limits of one seeker's tries, in revolutions: ``first``, then ``step`` more each time, at most ``most``.

    Between tries he waits ``delay`` ticks, so that whoever stands in the way can go.  After a try with the largest
    limit he has :attr:`given_up`.
    """

    first: int = 64
    step: int = 64
    most: int = 16384
    delay: int = 10
    limit: int = 0
    due: int = 0
    tries: int = 0
    given_up: bool = False

    def __post_init__(self) -> None:
        if self.first < 1 or self.step < 1 or self.most < self.first or self.delay < 0:
            raise ValueError("limits must start at 1 or more, grow, and not end below the first")
        self.limit = self.limit or self.first

    def may_try(self, tick: int) -> bool:
        """Whether the next try is due."""
        return not self.given_up and tick >= self.due

    def failed(self, tick: int) -> None:
        """A try with :attr:`limit` came to nothing: wait, then look farther."""
        self.tries += 1
        self.given_up = self.limit >= self.most
        self.limit = min(self.limit + self.step, self.most)
        self.due = tick + self.delay

    def succeeded(self) -> None:
        """A way was found: the next search starts small again."""
        self.limit, self.tries, self.given_up = self.first, 0, False

    @property
    def most_tries(self) -> int:
        """How many tries there are before it is given up."""
        return 1 - (self.first - self.most) // self.step


def _no_rows() -> np.ndarray:
    return np.full((16, 6), -1, np.int64)


@record
class FailureCache:
    """The last few questions that were proved to have no way: class, start, goal and the terrain's revision.

    A row holds until passability changes anywhere; it is no larger than what is quicker to read than a search to begin.
    ``rows`` int64[n, 6].
    """

    rows: np.ndarray = None  # type: ignore[assignment]
    next_row: int = 0
    hits: int = 0
    misses: int = 0

    def __post_init__(self) -> None:
        if self.rows is None:
            self.rows = _no_rows()

    def hopeless(self, terrain: Terrain, movement_class: int, start: tuple[int, int], goal: tuple[int, int]) -> bool:
        """Whether this very question failed before and nothing has opened or shut since."""
        same = (self.rows[:, :5] == (movement_class, *start, *goal)).all(axis=1)
        for row in np.flatnonzero(same).tolist():
            if terrain.changes_since(int(self.rows[row, 5]), ("passable",)) == []:
                self.hits += 1
                return True
            self.rows[row] = -1
        self.misses += 1
        return False

    def note(self, terrain: Terrain, movement_class: int, start: tuple[int, int], goal: tuple[int, int]) -> None:
        """A search that was not cut short found no way; the oldest row makes room."""
        self.rows[self.next_row] = (movement_class, *start, *goal, terrain.revision)
        self.next_row = (self.next_row + 1) % len(self.rows)
