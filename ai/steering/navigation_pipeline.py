"""Navigation pipelines: the steering stages of a unit type and their order.

A stage corrects the velocity of the stages before it, so the last stage has the final word. With avoidance last, a
swaying unit still avoids others; with SWAY last, it may walk into them.

One call of a stage serves all units. If two types order their stages differently, a stage is called several times, each
time for the units that need it then.

Source: "Game AI Pro 2", 20.3 (navigation pipeline: path following, noise of a wounded unit, collision avoidance).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

import numpy as np

from ai.core.rand import Stream, uniform
from ai.core.scheduling.stage_order import stages_named


class PipelineStage(IntEnum):
    """Names what a pipeline stage does to the wanted velocity."""

    FOLLOW = 0
    """Follows the path, or the slot in the group. Every pipeline begins with it."""
    BEHAVE = 1
    """Applies the method selected for the world: blended vectors, context maps or swarm."""
    GIVE_WAY = 2
    SWAY = 3
    """Adds noise to the heading of a unit that cannot walk straight."""
    WHISKERS = 4
    AVOID = 5
    DRIVE = 6
    """Drives a turning circle: the shorter turn, then straight.

    In narrow places it is slower and tighter.
    """


USUAL = (
    PipelineStage.FOLLOW,
    PipelineStage.BEHAVE,
    PipelineStage.GIVE_WAY,
    PipelineStage.WHISKERS,
    PipelineStage.AVOID,
)

STRIDE = 24
"""Ticks between two random headings of a swaying unit.

The heading is interpolated between them.
"""


@dataclass(frozen=True)
class Pipeline:
    """Stages of a pipeline, in order, and their two parameters.

    ``sway`` is the largest rotation by SWAY in radians; ``circle`` is the turning radius of DRIVE in tiles.
    """

    stages: tuple[PipelineStage, ...] = USUAL
    sway: float = 0.0
    circle: float = 0.0


def read_stages(words: Sequence[str]) -> tuple[PipelineStage, ...]:
    """Return the stages with these names.

    Raises ValueError if a name is unknown or repeated, or if FOLLOW is not the first.
    """
    return stages_named(words, tuple(PipelineStage), "a pipeline")


def rounds(pipelines: Sequence[tuple[PipelineStage, ...]]) -> list[tuple[PipelineStage, tuple[int, ...]]]:
    """Return the calls that serve all pipelines: (stage, numbers of its pipelines).

    Each pipeline runs its stages in its own order. A stage is called once for all its pipelines, unless two pipelines
    order a pair of stages differently.
    """
    return list(_rounds(tuple(pipelines)))


@lru_cache(maxsize=64)
def _rounds(pipelines: tuple[tuple[PipelineStage, ...], ...]) -> tuple[tuple[PipelineStage, tuple[int, ...]], ...]:
    left = [list(stages) for stages in pipelines]
    calls: list[tuple[PipelineStage, tuple[int, ...]]] = []
    while any(left):
        heads = sorted({rest[0] for rest in left if rest})
        # Prefer a stage that no pipeline needs later as well. Without one, take the lowest number.
        free = [stage for stage in heads if not any(stage in rest[1:] for rest in left)]
        stage = (free or heads)[0]
        turn = tuple(k for k, rest in enumerate(left) if rest and rest[0] == stage)
        for k in turn:
            left[k].pop(0)
        calls.append((stage, turn))
    return tuple(calls)


def sway(seed: int, tick: int, ids: np.ndarray, most: np.ndarray) -> np.ndarray:
    """Return rotations float64[n] of the wanted velocities, radians.

    Each lies within ``most`` radians and changes smoothly from tick to tick.
    """
    beat, share = tick // STRIDE, tick % STRIDE / STRIDE
    turn = np.empty(len(ids))
    for i, unit in enumerate(ids.tolist()):
        a, b = (2.0 * uniform(seed, int(Stream.STEERING), beat + k, unit) - 1.0 for k in (0, 1))
        turn[i] = a + (b - a) * share
    return turn * most


TECHNIQUES = (
    {
        "slug": "navigation-pipeline",
        "name": "Navigation pipelines as data of unit types",
        "ids": ("GP2-20.2",),
        "source": "Game AI Pro 2, ch. 20",
        "functions": ("read_stages",),
        "test": "tests/ai/steering/test_navigation_pipeline.py",
        "exhibit": "levels/exhibits/motion/pipelines.toml",
        "overlay": "stages",
        "setting": "steering.pipelines",
        "measure": "turned",
        "direction": "up",
        "claim": "As told: data of a unit type, with sway as the wounded unit's noise.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
