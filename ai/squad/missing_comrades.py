"""Missing comrades: a companion that falls silent is searched for.

The companion was within earshot for long, then stays silent.

Source: Martin Walsh, Game AI Pro 2, ch. 28, 28.5.3 (ten seconds of company, five of silence, a long pause after).
"""

from __future__ import annotations

from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from ai.core.serialization import record

COMPANY = 200
"""Ticks within earshot that make two units companions."""
SILENCE = 100
"""Ticks of silence after which a comrade is missed."""
PAUSE = 1400
"""Ticks after which the same unit can miss a comrade again."""


@record
class Comrades:
    """Companionship of each pair of one side's watchers, by position in ``ids``."""

    side: int
    ids: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    company: NDArray[np.int32] = field(default_factory=lambda: np.zeros((0, 0), np.int32))
    """``[a, b]``: ticks that a has heard b."""
    silent: NDArray[np.int32] = field(default_factory=lambda: np.zeros((0, 0), np.int32))
    """Ticks that a has waited for a sound of b, ``[a, b]``.

    It is -1 when a does not wait.
    """
    missed: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))
    """Tick at which each unit last missed a comrade."""
    x: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    """Last position of each unit while it lived and moved normally.

    It is not a number for a unit that never did.
    """
    y: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))

    def hear(
        self, ids: NDArray[np.int32], noisy: NDArray[np.bool_], x: NDArray[np.float64], y: NDArray[np.float64]
    ) -> None:
        """Store the current positions of the ``noisy`` units (:attr:`x`, :attr:`y`).

        Silent units keep their last position. If a silent unit was carried away, no listener hears it.
        """
        self._meet(ids)
        self.x[noisy], self.y[noisy] = x[noisy], y[noisy]

    def _meet(self, ids: NDArray[np.int32]) -> None:
        n = len(ids)
        if len(self.ids) != n or (self.ids != ids).any():
            self.ids = np.array(ids, np.int32)
            self.company, self.silent = np.zeros((n, n), np.int32), np.full((n, n), -1, np.int32)
            self.missed = np.full(n, -PAUSE, np.int32)
            self.x, self.y = np.full(n, np.nan), np.full(n, np.nan)

    def update(
        self,
        tick: int,
        step: int,
        ids: NDArray[np.int32],
        noisy: NDArray[np.bool_],
        near: NDArray[np.bool_],
        company: int = COMPANY,
        silence: int = SILENCE,
    ) -> list[tuple[int, int]]:
        """Advance by ``step`` ticks; return (unit that misses, missed unit) by id.

        ``noisy[b]``: b lives and moves normally. ``near[a, b]``: the position of b, or its last heard position, is
        within earshot of a. The ids must be the same from call to call, otherwise the record starts anew. ``company``,
        ``silence``: ticks.
        """
        self._meet(ids)
        heard = near & noisy[None, :]
        self.company[heard] += step
        self.silent[heard] = -1
        self.company[~near & noisy[None, :]] = 0
        waits = near & ~noisy[None, :] & noisy[:, None] & (self.company >= company)
        np.fill_diagonal(waits, False)
        self.silent[waits] = np.maximum(self.silent[waits], 0) + step
        self.silent[~waits] = -1
        found = []
        for a, b in np.argwhere(self.silent >= silence).tolist():
            self.company[a, b] = 0
            self.silent[a, b] = -1
            if tick - int(self.missed[a]) >= PAUSE:
                self.missed[a] = tick
                found.append((int(ids[a]), int(ids[b])))
        return found


TECHNIQUES = (
    {
        "slug": "missing-comrade",
        "name": "Missing comrade detection",
        "ids": ("GP2-28.17",),
        "source": "Game AI Pro 2, ch. 28",
        "functions": ("Comrades.update",),
        "test": "tests/ai/squad/test_missing_comrades.py",
        "exhibit": "levels/exhibits/stealth/missed.toml",
        "overlay": "minds",
        "setting": "minds.misses",
        "measure": "walked",
        "direction": "up",
        "claim": "Ten seconds of company and five of silence, as told; the pause is the unit's, not the place's.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
