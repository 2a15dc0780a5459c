"""Working map: combines influence layers by a recipe in a window around a unit.

Source: Dave Mark, Game AI Pro 2, 30.6 to 30.8 (working maps, information queries), and Ian Millington and John Funge,
AI for Games, 6.2.5 (analysis server). A layer is ``float64[H, W]``. A recipe is data: steps ``(verb, layer, weight)``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Step = tuple[str, str, float]

VERBS = ("add", "add_inverse", "multiply", "normalise")

RECIPES: dict[str, tuple[Step, ...]] = {
    "safer_spot": (("add_inverse", "enemy_threat", 1.0), ("multiply", "interest", 1.0)),
    "attack_point": (("add", "enemy_nearness", 1.0), ("multiply", "own_threat", 1.0), ("multiply", "interest", 1.0)),
    "front": (("add", "enemy_threat", 1.0), ("multiply", "own_threat", 1.0), ("normalise", "", 1.0),
              ("add", "ally_nearness", -0.5), ("multiply", "interest", 1.0)),
}  # fmt: skip
"""Recipes of the source by name.

The spacing weight of the front is 0.5, as in 30.8.3.
"""


@dataclass(frozen=True)
class Window:
    """Rectangle of tiles, ``y0 <= y < y1`` and ``x0 <= x < x1``."""

    y0: int
    x0: int
    y1: int
    x1: int


def window_around(y: int, x: int, reach: int, shape: tuple[int, int]) -> Window:
    """Return the square of ``reach`` tiles each way, clipped to the map."""
    return Window(max(0, y - reach), max(0, x - reach), min(shape[0], y + reach + 1), min(shape[1], x + reach + 1))


def normalised(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return values divided by their highest magnitude; zeros stay zeros."""
    peak = float(np.abs(values).max()) if values.size else 0.0
    return np.asarray(values / peak if peak else values.copy())


def interest(y: int, x: int, reach: int, window: Window) -> NDArray[np.float64]:
    """Return the interest of a unit in tiles.

    It is 1 on its own tile and falls linearly to 0 one tile beyond ``reach``.
    """
    distance = np.hypot(np.arange(window.y0, window.y1)[:, None] - y, np.arange(window.x0, window.x1)[None, :] - x)
    return np.asarray(np.maximum(0.0, 1.0 - distance / (reach + 1)))


def cook(
    recipe: Sequence[Step], layers: Mapping[str, NDArray[np.float64]], window: Window, name: str = "recipe"
) -> NDArray[np.float64]:
    """Return a recipe's map over the window.

    A layer has the shape of the window or of the whole map. The inverse of a layer is 1 less its normalised values.
    Raises ValueError that names the recipe and its step for an unknown verb or layer.
    """
    shape = window.y1 - window.y0, window.x1 - window.x0
    out = np.zeros(shape)
    for k, (verb, layer, weight) in enumerate(recipe, 1):
        if verb not in VERBS:
            raise ValueError(f"{name}, step {k}: no verb {verb!r}; one of {', '.join(VERBS)}")
        if verb == "normalise":
            out = normalised(out)
            continue
        if layer not in layers:
            raise ValueError(f"{name}, step {k}: no layer {layer!r}; one of {', '.join(sorted(layers))}")
        values = layers[layer]
        if values.shape != shape:
            values = values[window.y0 : window.y1, window.x0 : window.x1]
        if verb == "add":
            out = out + weight * values
        elif verb == "add_inverse":
            out = out + weight * (1.0 - normalised(values))
        else:
            out = out * (weight * values)
    return out


def highest(values: NDArray[np.float64], window: Window, allowed: NDArray[np.bool_]) -> tuple[int, int] | None:
    """Return the best allowed tile (y, x) of the map, or None.

    Among equal tiles the first in reading order is chosen.
    ``allowed: bool[H, W]`` covers the whole map, for instance the tiles that the asker can reach.
    """
    inside = allowed[window.y0 : window.y1, window.x0 : window.x1]
    if not inside.any():
        return None
    y, x = np.unravel_index(np.argmax(np.where(inside, values, -np.inf)), values.shape)
    return int(y) + window.y0, int(x) + window.x0


@dataclass
class SlicedSum:
    """Sliced update: stamps a counted number of sources a tick, then publishes.

    Readers use ``published`` meanwhile. An update takes its list of sources when it begins.
    """

    published: NDArray[np.float64]
    pending: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 3)))
    growing: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 0)))
    done: int = 0
    updates: int = 0

    def step(self, sources: NDArray[np.float64], stamp: NDArray[np.float64], budget: int) -> bool:
        """Stamp up to ``budget`` sources; return whether a layer was published.

        ``sources: float64[n, 3]`` are x, y and strength.
        ``stamp: float64[2 r + 1, 2 r + 1]`` is the template of a source of strength 1.
        """
        if budget < 1:
            raise ValueError(f"the budget is at least 1 source a tick, got {budget}")
        if not self.growing.size:
            self.pending, self.growing, self.done = sources.copy(), np.zeros_like(self.published), 0
        for x, y, strength in self.pending[self.done : self.done + budget].tolist():
            add_stamp(self.growing, stamp, int(y), int(x), strength)
        self.done = min(self.done + budget, len(self.pending))
        if self.done < len(self.pending):
            return False
        self.published, self.growing = self.growing, np.zeros((0, 0))
        self.updates += 1
        return True


def add_stamp(field_: NDArray[np.float64], stamp: NDArray[np.float64], y: int, x: int, strength: float) -> None:
    """Add a template to a map, centred at (y, x) and clipped."""
    r = stamp.shape[0] // 2
    y0, y1 = max(0, y - r), min(field_.shape[0], y + r + 1)
    x0, x1 = max(0, x - r), min(field_.shape[1], x + r + 1)
    if y0 < y1 and x0 < x1:
        field_[y0:y1, x0:x1] += strength * stamp[y0 - y + r : y1 - y + r, x0 - x + r : x1 - x + r]


TECHNIQUES = (
    {
        "slug": "influence-recipes",
        "name": "Working maps and recipes",
        "ids": ("GP2-30.11", "GP2-30.12"),
        "source": "Game AI Pro 2, 30.6 to 30.8",
        "functions": ("cook", "highest", "SlicedSum.step"),
        "test": "tests/ai/influence/test_working_map.py",
        "reason": "no exhibit yet",
        "claim": "In the library only: no unit asks a recipe, and the own template of the asker is not subtracted.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
