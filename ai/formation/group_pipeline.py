"""Pipelines of groups: the stages that compute a group's speed, in order.

The pipeline is data of the members' unit type. Pipelines of units are in :mod:`ai.steering.navigation_pipeline`; their
stages compute a velocity. Each stage corrects the speed that the stages before it wanted. This module holds names and
numbers only; :func:`ai.formation.group_entity.advance_groups` runs the stages.

Source: "Game AI Pro 2", 20.3 (navigation pipeline; groups have pipelines as well).
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from ai.core.scheduling.stage_order import stages_named

MOST_STAGES = 4


class GroupStage(IntEnum):
    """Stages of a group's pipeline; each changes the speed wanted so far.

    Source: Game AI Pro 2, 20.3 (groups have pipelines as well).
    """

    NONE = 0
    FOLLOW = 1
    """Moves along the path at the cruise speed, within the members' limit.

    Every pipeline begins with it.
    """
    WAIT = 2
    """Slows down while members are behind, and stops while they are far behind."""
    BRAKE = 3
    """Brakes before the path's end and before groups with right of way."""
    WHEEL = 4
    """Limits the speed in a turn to that of members on the outer wing."""


def read_group_stages(words: Sequence[str]) -> tuple[GroupStage, ...]:
    """Return the stages with these names.

    ValueError in one line when a name is unknown or given twice, or when FOLLOW is not the first.
    """
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
        "measure": "seconds",
        "direction": "down",
        "claim": "Four stages that set a group's speed; the avoidance of a group is its shape's.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
