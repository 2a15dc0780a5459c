"""Frag map: learns from observed hits where standing is deadly, and forgets.

Source: Ian Millington and John Funge, AI for Games, 6.2.4 (learning with tactical analyses). Each hit takes from the
victim's tile and adds to the attacker's. Before each hit all older knowledge is multiplied by ``keep``. One number
holds that factor for the whole map, because hits are far more frequent than readings of every tile.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ai.influence.convolution import blurred

KEEP = 0.9
"""Share of older knowledge that a new hit leaves, from the source."""
_SMALLEST = 1e-9
"""Scale below which stored values are rescaled, against overflow."""


@dataclass
class FragMap:
    """Hits as one side saw them.

    ``stored: float64[H, W]`` times ``scale`` is the value of a tile.
    """

    stored: NDArray[np.float64]
    keep: float = KEEP
    scale: float = 1.0

    def log(self, victim: tuple[int, int], attacker: tuple[int, int] | None, amount: float = 1.0) -> None:
        """Count one observed hit at tiles (y, x); an unseen attacker is None.

        Raises ValueError for a share ``keep`` outside (0, 1].
        """
        if not 0 < self.keep <= 1:
            raise ValueError(f"keep is above 0 and at most 1, got {self.keep}")
        self.scale *= self.keep
        if self.scale < _SMALLEST:
            self.stored *= self.scale
            self.scale = 1.0
        self.stored[victim] -= amount / self.scale
        if attacker is not None:
            self.stored[attacker] += amount / self.scale

    def value(self, y: int, x: int) -> float:
        """Return what is known of one tile: positive is profitable, negative is deadly."""
        return float(self.stored[y, x] * self.scale)

    def spread(self, reach: int = 2) -> NDArray[np.float64]:
        """Return the map blurred over ``reach`` tiles, for tiles without a hit."""
        return blurred(self.stored * self.scale, reach)


TECHNIQUES = (
    {
        "slug": "frag-map",
        "name": "Frag map with unlearning",
        "ids": ("AFG6.2.10",),
        "source": "AI for Games, 6.2.4",
        "functions": ("FragMap.log", "FragMap.spread"),
        "test": "tests/ai/influence/test_frag_map.py",
        "exhibit": "levels/exhibits/tactics/field.frags.toml",
        "overlay": "layer_danger",
        "setting": "tactics.frags",
        "measure": "exposed",
        "direction": "down",
        "claim": "Off in the shipped game (weight 0); the map starts empty, none is trained before.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
