"""Zoom of the timeline: the ticks that its axis shows."""

from __future__ import annotations

FACTOR = 1.5
"""Growth of the axis by a notch of the wheel."""
CLOSEST = 100
"""Least ticks on the axis: five seconds."""


class TimelineZoom:
    """Part of the game on the axis; the whole game at first."""

    def __init__(self) -> None:
        self._first = 0
        self._wide = 0
        """Ticks on the axis, 0 for the whole game."""
        self._followed = -1

    @property
    def closer(self) -> bool:
        """Return whether less than the whole game is shown."""
        return self._wide > 0

    def span(self, end: int) -> tuple[int, int]:
        """Return the first and the last tick on the axis."""
        if not 0 < self._wide < end:
            return 0, max(end, 1)
        first = min(max(self._first, 0), end - self._wide)
        return first, first + self._wide

    def turn(self, notches: int, share: float, end: int) -> None:
        """Zoom in by notches, or out.

        The tick at ``share`` of the axis stays there.
        """
        first, last = self.span(end)
        at, wide = first + share * (last - first), (last - first) / FACTOR**notches
        wide = max(round(wide), CLOSEST)
        self._wide = 0 if wide >= end else wide
        self._first = round(at - share * wide)

    def move(self, notches: int, end: int) -> None:
        """Move to later ticks by an eighth of the axis a notch."""
        first, last = self.span(end)
        self._first = min(max(first + notches * (last - first) // 8, 0), max(end - self._wide, 0))

    def whole(self) -> None:
        """Show the whole game."""
        self._wide = 0

    def follow(self, shown: int, end: int) -> None:
        """Move so that a tick that was gone to is on the axis.

        While the shown tick stays, the axis stays too: you may look elsewhere.
        """
        if shown == self._followed:
            return
        self._followed = shown
        first, last = self.span(end)
        wide = last - first
        if shown > last:
            self._first = shown - wide if shown - last <= wide // 4 else shown - wide // 2
        elif shown < first:
            self._first = shown if first - shown <= wide // 4 else shown - wide // 2
