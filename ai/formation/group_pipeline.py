"""Pipelines of groups: which stages make a group's speed, and in which order, as data of its members' type.

Those of bodies are in :mod:`ai.steering.navigation_pipeline`, whose stages make a velocity.  Each stage corrects
what the ones
before it wanted.  Words and numbers only: what they do is :func:`ai.formation.group_entity.advance_groups`.

Source: "Game AI Pro 2", 20.3 (navigation pipeline; groups have pipelines as well).
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from ai.core.scheduling.stage_order import stages_named

MOST_STAGES = 4


class GroupStage(IntEnum):
    """What a stage of a group's pipeline does to the speed that the ones before it wanted (Game AI Pro 2, 20.3: groups
    have pipelines as well)."""

    NONE = 0
    FOLLOW = 1
    """As fast as its members can, or as it has been told, along its way.  Every pipeline begins with it."""
    WAIT = 2
    """Slower while members are behind, at rest when they are far behind."""
    BRAKE = 3
    """For the end of the way, and where another group has the right of way."""
    WHEEL = 4
    """No faster than those on the outer wing can walk while it turns."""


def read_group_stages(words: Sequence[str]) -> tuple[GroupStage, ...]:
    """Stages by their names.  ValueError in a line when one is unknown, named twice, or FOLLOW is not the first."""
    return stages_named(words, tuple(GroupStage)[1:], "a group's pipeline")


USUAL_STAGES = (GroupStage.FOLLOW, GroupStage.WAIT, GroupStage.BRAKE, GroupStage.WHEEL)


TECHNIQUES = (
    {
        "slug": "group-pipeline",
        "name": "Pipelines of groups as data of unit types",
        "ids": ("GP2-20.2",),
        "source": "Game AI Pro 2, ch. 20",
        "functions": ("read_group_stages",),
        "test": "tests/ai/formation/test_slot_following.py",
        "exhibit": "levels/exhibits/formation/train.toml",
        "overlay": "group",
        "setting": "formation.pipelines",
        "measure": "walked",
        "reason": "The distance walked shows that the runs differ; the technique promises no shorter or longer walk.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
