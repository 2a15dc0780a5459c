"""Working map: combines influence layers by a recipe in a window around a unit.

Source: Dave Mark, Game AI Pro 2, 30.6 to 30.8 (working maps, information queries), and Ian Millington and John Funge,
AI for Games, 6.2.5 (analysis server). A layer is ``float64[H, W]``. A recipe is data: steps ``(verb, layer, weight)``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

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


TECHNIQUES = (
    {
        "slug": "influence-recipes",
        "name": "Working maps and recipes",
        "ids": ("GP2-30.6", "GP2-30.7", "GP2-30.11", "GP2-30.12"),
        "source": "Game AI Pro 2, 30.6 to 30.8",
        "functions": ("cook", "highest", "interest"),
        "test": "tests/ai/influence/test_working_map.py",
        "exhibit": "levels/exhibits/influence/front.spacing.toml",
        "overlay": "layer_front",
        "setting": "tactics.recipe_spacing",
        "measure": "spread",
        "direction": "up",
        "claim": (
            "Recipes are data. Maps are divided by their highest value, not stretched from lowest to highest. "
            "Ties go to the nearest tile on foot."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
