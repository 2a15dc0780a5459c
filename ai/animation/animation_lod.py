"""Level of detail sets of animation: the posed parts of a figure.

A set belongs to a class of bodies. Its levels stand from the finest to the coarsest. A level holds from a width of the
body on the screen upwards; it names the parts that are posed and the ticks between two poses. A body that is smaller
than its coarsest level asks for, or out of view, has the level ``OUT``: nothing is posed. Its gait, its acts and its
position go on in the simulation, so a body that comes back resumes in the phase of its body. Large bodies keep their
extras longer, because their set asks for a smaller share of their width.

A coarse level takes turns: of ``every`` bodies one is posed in a tick, by its id.

Arrays: ``least`` float64[classes, levels] in pixels, ``parts`` int64[classes, levels] of bits, ``every``
int64[classes, levels] in ticks; per body ``klass`` int64[n], ``width`` float64[n] in pixels, ``in_view`` bool[n].

Source: "Game AI Pro 2", ch. 12 (12.8.3 level of detail sets). The source swaps behaviours for cheap ones; here the
simulation is shared by all levels, so a body out of view arrives in the same tick as a body in view.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

BODY, FRAMES, HEAD, GESTURES = 1, 2, 4, 8
"""Parts: legs and torso; all frames; all head directions; gestures."""
PART_NAMES = ("body", "frames", "head", "gestures")
"""Names of the parts by the position of their bit."""
OUT = -1
"""Level of a body of which nothing is posed."""


@dataclass(frozen=True)
class LodSets:
    """Levels of all classes of bodies."""

    least: np.ndarray
    parts: np.ndarray
    every: np.ndarray

    def __post_init__(self) -> None:
        """ValueError unless each level poses less than the level before it."""
        if not (np.diff(self.least, axis=1) < 0.0).all():
            raise ValueError("widths do not fall from one level to the next")
        if (self.parts[:, 1:] & ~self.parts[:, :-1]).any():
            raise ValueError("a level poses a part that the finer level before it does not pose")
        if (self.every < 1).any() or (np.diff(self.every, axis=1) < 0).any():
            raise ValueError("ticks between two poses fall from one level to the next, or are below 1")


def levels_of(sets: LodSets, klass: np.ndarray, width: np.ndarray, in_view: np.ndarray) -> np.ndarray:
    """Return the level of each body, 0 for the finest, int64[n]."""
    level = (width[:, None] < sets.least[klass]).sum(axis=1)
    found: np.ndarray = np.where(in_view & (level < sets.least.shape[1]), level, OUT)
    return found


def parts_of(sets: LodSets, klass: np.ndarray, level: np.ndarray) -> np.ndarray:
    """Return the bits of the parts that are posed, int64[n]."""
    found: np.ndarray = np.where(level == OUT, 0, sets.parts[klass, level])
    return found


def due(sets: LodSets, klass: np.ndarray, level: np.ndarray, unit: np.ndarray, tick: int) -> np.ndarray:
    """Return the bodies that are posed in a tick, bool[n]."""
    found: np.ndarray = (level != OUT) & ((unit + tick) % sets.every[klass, level] == 0)
    return found


def posed_parts(sets: LodSets, klass: np.ndarray, level: np.ndarray) -> np.ndarray:
    """Return the parts that are posed a tick, the mean over ticks, float64[n]."""
    bits = parts_of(sets, klass, level)
    count = sum((bits >> k) & 1 for k in range(len(PART_NAMES)))
    found: np.ndarray = count / sets.every[klass, level]
    return found


TECHNIQUES = (
    {
        "slug": "animation-lod",
        "name": "Level of detail sets of animation",
        "ids": ("GP2-12.12",),
        "source": "Game AI Pro 2, 12.8.3",
        "functions": ("levels_of", "parts_of", "due"),
        "test": "tests/ai/animation/test_animation_lod.py",
        "exhibit": "levels/exhibits/motion/crossing_crowds.detail.toml",
        "overlay": "detail",
        "setting": "figures.lod",
        "measure": "posed",
        "direction": "down",
        "claim": (
            "Levels go by size on the screen and by the view. No behaviour is swapped for a cheap one: only "
            "posing is left out, and the simulation is the same."
        ),
    },
)
