"""Command styles: obey an order, or turn to a threat.

Source: William van der Sterren, AI Game Programming Wisdom, 5.4 (authoritarian orders are always obeyed: fast, but bad
for a member with an enemy of its own; coached members do as they see fit and report; in a mix each command carries a
value, and a greater threat goes before it). The values are ours. Distances are in tiles.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ai.squad.manoeuvres.manoeuvre import MemberTask

AUTHORITARIAN, COACHING, MIXED = "authoritarian", "coaching", "mixed"
COMMAND_STYLES = (AUTHORITARIAN, COACHING, MIXED)
ORDER_VALUE: Mapping[int, float] = MappingProxyType(
    {int(MemberTask.COVER): 0.3, int(MemberTask.RUN): 0.6, int(MemberTask.ASSAULT): 0.9}
)
"""Value of each task, 0 to 1: loose in cover, immediate in an assault."""


def threat_value(distance: float, reach: float) -> float:
    """Return the value of a visible enemy for a member, 0 to 1.

    It is 1 at arm's length and 0 from the reach of its weapon on.
    """
    return max(0.0, 1.0 - distance / reach) if reach > 0.0 else 0.0


def obeys(style: str, order: float, threat: float) -> bool:
    """Return whether a member carries its order out in spite of a threat.

    Raises ValueError for a style that does not exist.
    """
    if style not in COMMAND_STYLES:
        raise ValueError(f"there is no command style {style!r}; one of {', '.join(COMMAND_STYLES)}")
    if style == AUTHORITARIAN or threat <= 0.0:
        return True
    return style == MIXED and order >= threat


TECHNIQUES = (
    {
        "slug": "command-styles",
        "name": "Command styles of a squad",
        "ids": ("AW-5.4-1",),
        "source": "AI Game Programming Wisdom, 5.4",
        "functions": ("obeys", "threat_value"),
        "test": "tests/ai/squad/command/test_command_styles.py",
        "exhibit": "levels/exhibits/tactics/killing_ground.styles.toml",
        "overlay": "minds",
        "setting": "tactics.command_style",
        "measure": "events",
        "direction": "up",
        "claim": (
            "Authoritarian in the shipped game. A member that turns away covers; nothing is reassigned. The "
            "values of tasks and threats are ours."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
