"""Not to search in vain: small limits that grow.

Most failed searches fail because somebody stands in the way for a moment.  A search with a small limit finds the nearly
straight ways already, and fails cheaply when there is none yet; after a delay it is tried again with a larger limit.
Where the ground itself has no way there is nothing to try: components know (:mod:`ai.grid.components`).

Source: "AI Game Programming Wisdom", 3.5 (iterative deepening; Tim Cain).
"""

from __future__ import annotations

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
