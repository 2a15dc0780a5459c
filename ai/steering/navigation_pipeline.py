"""Navigation pipelines: which stages make a body's velocity, and in which order, as data of its type.

A stage corrects what its predecessors wanted, and the last one has the final word: with avoidance last nobody walks
into anybody however he sways, with the swaying last he does.  All bodies are served by one call a stage; where types
differ a stage is called for those whose turn it is, as often as their orders contradict each other.

Source: "Game AI Pro 2", 20.3 (navigation pipeline: path following, a wounded one's noise, collision avoidance).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from ai.core.rand import Stream, uniform
from ai.core.scheduling.stage_order import stages_named


class PipelineStage(IntEnum):
    """What a stage of a pipeline does to the wanted velocity."""

    FOLLOW = 0
    """Along the path, or to the slot in the group.  Every pipeline begins with it."""
    BEHAVE = 1
    """The method chosen for the world: blended vectors, context maps, swarm."""
    GIVE_WAY = 2
    SWAY = 3
    """Noise: somebody who cannot walk straight."""
    WHISKERS = 4
    AVOID = 5
    DRIVE = 6
    """A turning circle: the shorter turn, then straight; slower and tighter where there is no room."""


USUAL = (
    PipelineStage.FOLLOW,
    PipelineStage.BEHAVE,
    PipelineStage.GIVE_WAY,
    PipelineStage.WHISKERS,
    PipelineStage.AVOID,
)

STRIDE = 24
"""Ticks from one random heading of a swaying body to the next; in between it swings over."""


@dataclass(frozen=True)
class Pipeline:
    """Stages in order; ``sway``: farthest that SWAY turns the velocity, radians; ``circle``: the radius of DRIVE,
    tiles."""

    stages: tuple[PipelineStage, ...] = USUAL
    sway: float = 0.0
    circle: float = 0.0


def read_stages(words: Sequence[str]) -> tuple[PipelineStage, ...]:
    """Stages by their names.  ValueError in a line when one is unknown, named twice, or FOLLOW is not the first."""
    return stages_named(words, tuple(PipelineStage), "a pipeline")


def rounds(pipelines: Sequence[tuple[PipelineStage, ...]]) -> list[tuple[PipelineStage, tuple[int, ...]]]:
    """The calls that serve all pipelines: a stage, and the numbers of the pipelines whose turn it is.

    Each pipeline finds its stages in its own order.  A stage is called once for all that have it unless two pipelines
    have stages the other way round.
    """
    left = [list(stages) for stages in pipelines]
    calls: list[tuple[PipelineStage, tuple[int, ...]]] = []
    while any(left):
        heads = sorted({rest[0] for rest in left if rest})
        # First what nobody needs later as well; when all are needed later, the first by number.
        free = [stage for stage in heads if not any(stage in rest[1:] for rest in left)]
        stage = (free or heads)[0]
        turn = tuple(k for k, rest in enumerate(left) if rest and rest[0] == stage)
        for k in turn:
            left[k].pop(0)
        calls.append((stage, turn))
    return calls


def sway(seed: int, tick: int, ids: np.ndarray, most: np.ndarray) -> np.ndarray:
    """Angles float64[n] by which bodies are turned from where they want to go, up to ``most`` radians each, smoothly
    from tick to tick."""
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
        "measure": "scrapes",
        "direction": "down",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
