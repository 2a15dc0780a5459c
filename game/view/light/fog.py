"""Visible and explored tiles of a side, faded over 200 ms.

`game.view.light.fog_painter` paints them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

FADE_MS = 200
UPDATE_MS = 45


class FogMask:
    """Fog mask: visible and explored tiles of a side, faded over time.

    ``version`` grows with each change. ``houses`` are rectangles of tiles (y0, x0, y1, x1); a house shows as a whole
    when one of its tiles is seen.
    """

    def __init__(
        self, height: int, width: int, opaque: np.ndarray, houses: Sequence[tuple[int, int, int, int]] = ()
    ) -> None:
        self.opaque = opaque.astype(bool)
        self.sighted = np.zeros((height, width), bool)
        """Tiles that the side sees; ``visible`` also has walls and houses behind them."""
        self._house = np.zeros((height, width), np.int32)
        for number, (y0, x0, y1, x1) in enumerate(houses, 1):
            self._house[max(y0, 0) : y1, max(x0, 0) : x1] = number
        self._houses = len(houses)
        ys, xs = np.mgrid[:height, :width]
        self._ragged = ((ys * 7 + xs * 13 + (ys // 3) * (xs // 2) * 5) % 11) < 5
        """Tiles that make the edge of opaque areas ragged.

        A straight edge would cut tree crowns along a line.
        """
        self.visible = np.zeros((height, width), bool)
        self.explored = np.zeros((height, width), bool)
        self.shown_visible = np.zeros((height, width), np.float32)
        self.shown_explored = np.zeros((height, width), np.float32)
        self.version = 0
        self._settled = True
        self._due = 0

    def set_target(self, visible: np.ndarray, explored: np.ndarray, at_once: bool = False) -> None:
        """Set the tiles that the side sees now and has seen, bool[H, W]."""
        self.sighted = visible
        # Blocking tiles are shown to two tiles of depth. Otherwise each wall would have a half-fogged stripe.
        through = visible | self._through(visible)
        explored = explored | self._through(explored)
        if not at_once and np.array_equal(through, self.visible) and np.array_equal(explored, self.explored):
            return
        self.visible = through
        self.explored = explored | through | self.explored if not at_once else explored | through
        self._settled = False
        if at_once:
            self.update(FADE_MS * 10)

    def _through(self, seen: np.ndarray) -> np.ndarray:
        """Return blocking tiles near seen ones, and the tiles of houses seen in part.

        Blocking tiles count up to two tiles behind a seen one.
        """
        from scipy.ndimage import binary_dilation  # slow to import, and the first frame needs this module

        through = np.asarray(binary_dilation(seen & self.opaque, np.ones((3, 3)), 2, self.opaque))
        fringe = binary_dilation(through, np.ones((3, 3)), 2, self.opaque & self._ragged)
        through |= np.asarray(fringe) & self.opaque
        if self._houses:
            touched = np.zeros(self._houses + 1, bool)
            touched[self._house[seen]] = True
            touched[0] = False
            through |= touched[self._house]
        return through

    def update(self, dt_ms: int) -> None:
        """Continue the fade by real time, about twenty times a second."""
        if self._settled:
            return
        self._due += dt_ms
        if self._due < UPDATE_MS:
            return
        step = self._due / FADE_MS
        self._due = 0
        for shown, target in ((self.shown_visible, self.visible), (self.shown_explored, self.explored)):
            np.clip(target, shown - step, shown + step, out=shown)
        self.version += 1
        self._settled = bool(
            (self.shown_visible == self.visible).all() and (self.shown_explored == self.explored).all()
        )
