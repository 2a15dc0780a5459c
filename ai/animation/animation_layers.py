"""Animation layers: clips of one character that share its body by region and priority.

A clip has a category, a set of bits of body regions, and a priority. A request meets every layer that plays. The same
clip refuses it. A layer of the same category refuses it if its priority is higher, and gives way otherwise. A layer of
a part that the request encompasses gives way if its priority is lower. All other layers coexist. Layers are drawn from
the largest category to the smallest, so a part overwrites the body that it belongs to.

The published listing stops at the first encompassed layer; here all of them are met before anything changes.

Source: "AI Game Programming Wisdom", 2.4 (prioritised, categorised animation).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np

LEFT_LEG, RIGHT_LEG, WAIST, TAIL = 1 << 0, 1 << 1, 1 << 2, 1 << 3
TORSO, RIGHT_ARM, LEFT_ARM, HEAD = 1 << 8, 1 << 9, 1 << 10, 1 << 11
LOWER_BODY, UPPER_BODY, FULL_BODY = 0x00FF, 0xFF00, 0xFFFFFFFF
"""Composite categories; each is a larger number than its parts."""


class Priority(IntEnum):
    """Priorities of clips by what they show."""

    IDLE = 0
    WALK = 5
    ATTACK = 10
    REACT = 20
    DEATH = 100


@dataclass(frozen=True)
class Layer:
    """Clip on a category of the body."""

    clip: str
    category: int
    priority: int


@dataclass
class AnimationLayers:
    """Layers that play, by category, at most one each."""

    playing: dict[int, Layer] = field(default_factory=dict)

    def play(self, wanted: Layer) -> bool:
        """Start a layer and remove those that give way; false if refused."""
        there = self.playing.get(wanted.category)
        if any(layer.clip == wanted.clip for layer in self.playing.values()):
            return False
        if there is not None and there.priority > wanted.priority:
            return False
        for category, layer in list(self.playing.items()):
            part = category & wanted.category and category < wanted.category
            if category == wanted.category or (part and layer.priority < wanted.priority):
                del self.playing[category]
        self.playing[wanted.category] = wanted
        return True

    def stop(self, clip: str) -> None:
        """Remove the layer of a clip, if it plays."""
        self.playing = {c: layer for c, layer in self.playing.items() if layer.clip != clip}

    def drawn(self) -> list[Layer]:
        """Return the layers in the order in which they are drawn."""
        return [self.playing[c] for c in sorted(self.playing, reverse=True)]

    def shown(self, region: int) -> Layer | None:
        """Return the layer that shows on one region: the last one drawn there."""
        owners = [layer for layer in self.drawn() if layer.category & region]
        return owners[-1] if owners else None


def owners(region: int, unit: np.ndarray, parts: np.ndarray, priority: np.ndarray, begun: np.ndarray) -> np.ndarray:
    """Return the layers that show on a region, by ascending unit.

    The highest priority shows, then the latest start. All arrays are int64[n], a layer each; ``parts`` are bits of
    regions. The result is rows, int64[k].
    """
    rows = np.flatnonzero(parts & region)
    rows = rows[np.lexsort((begun[rows], priority[rows], unit[rows]))]
    last = np.ones(len(rows), bool)
    last[:-1] = unit[rows[1:]] != unit[rows[:-1]]
    return rows[last]


TECHNIQUES = (
    {
        "slug": "animation-layers",
        "name": "Animation layers by body region and priority",
        "ids": ("AW-2.4-1",),
        "source": "AI Game Programming Wisdom, 2.4",
        "functions": ("AnimationLayers.play", "AnimationLayers.shown", "owners"),
        "test": "tests/ai/animation/test_animation_layers.py",
        "exhibit": "levels/exhibits/minds/layer_mixer.toml",
        "setting": "figures.layers",
        "reason": "the exhibit of pose layers shows it as well",
        "claim": (
            "The game looks up by it which act shows on torso and weapon. The rules of a request are in the "
            "library only; requests in the game go to the tracks of the body."
        ),
    },
)
