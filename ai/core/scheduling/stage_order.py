"""Pipelines as data: an order of named stages, the first one fixed.

Each stage comes once. Bodies (:mod:`ai.steering.navigation_pipeline`) and groups (:mod:`ai.formation.group_pipeline`)
have such orders in the data of their types.

Source: "Game AI Pro 2", 20.3 (navigation pipeline; groups have pipelines as well).
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import TypeVar

Kind = TypeVar("Kind", bound=IntEnum)


def stages_named(words: Sequence[str], among: Sequence[Kind], whose: str) -> tuple[Kind, ...]:
    """Return the stages of ``among`` with these names, in the order of ``words``.

    ``whose`` names the pipeline in messages. ValueError when a name is unknown, comes twice, or the first of ``among``
    is not the first.
    """
    known = {stage.name.lower(): stage for stage in among}
    for word in words:
        if word not in known:
            raise ValueError(f"{whose} has no stage {word!r}; known are {', '.join(known)}")
    stages = tuple(known[word] for word in words)
    if not stages or stages[0] != among[0]:
        raise ValueError(f"{whose} begins with the stage {among[0].name.lower()}")
    if len(set(stages)) < len(stages):
        raise ValueError(f"{whose} lists a stage twice")
    return stages
