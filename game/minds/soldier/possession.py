"""Possession: a unit whose own skills are replaced by the player's orders.

A possessed unit keeps its body and its behaviours; it decides nothing itself. It obeys orders of its side and stands
when it has none. So movement and acts can be tried apart from decisions.

Source: Game AI Pro 2, ch. 33 (Mark Botta), 33.3.4: the skills of a selected unit give way to a debug skill.
"""

from __future__ import annotations

from ai.decision.skills import Skill, SkillList
from game.minds.shared_behaviours import SHARED
from game.minds.soldier.obey import OBEY, has_order
from game.minds.soldier.soldier import STAND, always

POSSESSED = SkillList(
    "possessed",
    (
        Skill("obey", OBEY, has_order, "obeying its possessor"),
        Skill("stand", STAND, always, "standing possessed"),
    ),
    SHARED,
)
"""Skills of a possessed unit of any kind."""


def skills_for(own: SkillList, possessed: bool) -> SkillList:
    """Return the skills of a unit: its own ones unless it is possessed."""
    return POSSESSED if possessed else own


TECHNIQUES = (
    {
        "slug": "possession",
        "name": "Possession of a unit's mind",
        "ids": ("GP2-33.6",),
        "source": "Game AI Pro 2, ch. 33",
        "functions": ("skills_for",),
        "test": "tests/game/systems/sandbox/test_unit_verbs.py",
        "reason": "A tool of Lab: it is used on any level, and no setting switches it.",
        "claim": "Orders of the player take the place of the menu; gestures and looks are not in it.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
