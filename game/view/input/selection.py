"""Selected units and nine control groups, as ids."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from game.view.painting.unit_picture import Picture

DOUBLE_CLICK_MS = 350
DRAG_PX = 5


@dataclass
class Selection:
    """Selected ids in ascending order, and control groups 1 to 9."""

    ids: tuple[int, ...] = ()
    groups: dict[int, tuple[int, ...]] = field(default_factory=dict)
    last_recall: tuple[int, int] = (0, -10_000)

    def choose(self, ids: Iterable[int], add: bool = False) -> None:
        """Select ``ids``; with ``add`` they join the selection.

        With ``add``, units that are all selected already leave it.
        """
        new = set(ids)
        if not add:
            self.ids = tuple(sorted(new))
        elif new and new <= set(self.ids):
            self.ids = tuple(sorted(set(self.ids) - new))
        else:
            self.ids = tuple(sorted(set(self.ids) | new))

    def set_group(self, number: int) -> None:
        """Make the selection control group ``number``."""
        self.groups[number] = self.ids

    def add_to_group(self, number: int) -> None:
        """Add the selection to control group ``number``."""
        self.groups[number] = tuple(sorted({*self.groups.get(number, ()), *self.ids}))

    def recall(self, number: int, now_ms: int) -> bool:
        """Select a control group; return True on a double tap.

        A double tap asks the camera to centre on the group.
        """
        self.ids = self.groups.get(number, ())
        again = self.last_recall[0] == number and now_ms - self.last_recall[1] <= DOUBLE_CLICK_MS
        self.last_recall = (number, now_ms)
        return again and bool(self.ids)

    def forget_dead(self, picture: Picture) -> None:
        """Remove dead units from the selection."""
        living = picture.living_ids
        if any(i not in living for i in self.ids):
            self.ids = tuple(i for i in self.ids if i in living)


def unit_at(picture: Picture, x: float, y: float, rows: np.ndarray, reach: float) -> int:
    """Return the id of the unit nearest to a world position, or -1.

    Only units of ``rows`` within ``reach`` tiles count. Ties go to the lower id.
    """
    if len(rows) == 0:
        return -1
    d = (picture.x[rows] - x) ** 2 + (picture.y[rows] - y) ** 2
    best = np.lexsort((picture.id[rows], d))[0]
    return int(picture.id[rows[best]]) if d[best] <= reach * reach else -1


def units_in_box(picture: Picture, a: tuple[float, float], b: tuple[float, float], rows: np.ndarray) -> list[int]:
    """Return the ids among ``rows`` inside the world rectangle of two corners."""
    x, y = picture.x[rows], picture.y[rows]
    inside = (x >= min(a[0], b[0])) & (x <= max(a[0], b[0])) & (y >= min(a[1], b[1])) & (y <= max(a[1], b[1]))
    return [int(i) for i in picture.id[rows[inside]]]
