"""Tools of the sandbox: what is chosen, and the rows of the palette."""

from __future__ import annotations

from dataclasses import dataclass

from game.level.model import SIDES
from game.systems.sandbox.brushes import BRUSHES
from game.systems.sandbox.path_test import RADII

SIZES = (1, 2, 3, 5, 9)
"""Widths of a brush in tiles."""
COUNTS = (1, 4, 8, 20, 50)
"""Units that one click places."""


@dataclass(frozen=True)
class ToolButton:
    """Button of the palette; ``key`` presses it while the palette is open.

    The ``words`` of some buttons are replaced by the present choice, see :meth:`ToolBox.words`.
    """

    name: str
    words: str
    key: str = ""
    tip: str = ""


@dataclass
class ToolBox:
    """Choices of the palette.

    The mouse holds ``tool``; it is empty for none.
    """

    tool: str = ""
    size: int = SIZES[0]
    side: int = 1
    kind: str = "guard"
    count: int = COUNTS[0]
    skill: str = ""
    """Skill that *Force* gives the selected units; empty before one was chosen."""
    radius: float = RADII[0]

    def words(self, button: ToolButton) -> str:
        """Return the words on a button."""
        shown = {
            "size": f"Size {self.size}",
            "side": SIDES[self.side].capitalize(),
            "kind": self.kind.replace("_", " ").capitalize(),
            "count": f"x {self.count}",
            "skill": self.skill.capitalize() or "Skill",
            "radius": f"{self.radius:g} m",
        }.get(button.name, button.words)
        return f"{button.key} {shown}" if button.key else shown


SECTIONS: tuple[tuple[str, tuple[ToolButton, ...]], ...] = (
    (
        "Map",
        (
            ToolButton("wall", "Wall", "1", "Paint walls: they stop feet and eyes"),
            ToolButton("door", "Door", "2", "Click: a shut door, as wide as the brush, along the wall"),
            ToolButton("water", "Water", "3", "Paint water: only units that wade cross it"),
            ToolButton("cover", "Cover", "4", "Paint reeds: units in them are hard to hit"),
            ToolButton("wood", "Wood", "5", "Paint woods: slow, and they stop eyes"),
            ToolButton("floor", "Floor", "6", "Paint a floor"),
            ToolButton("lamp", "Lamp", "7", "Click: a lamp that is lit at night"),
            ToolButton("erase", "Eraser", "8", "Back to open ground; takes doors and lamps away"),
            ToolButton("size", "Size", "9", "Width of the brush in tiles"),
            ToolButton("undo", "Undo", "", "Take the last stroke back"),
            ToolButton("redo", "Redo", "", "Lay it again"),
        ),
    ),
    (
        "Units",
        (
            ToolButton("side", "Side", "", "Side of the units that you place"),
            ToolButton("kind", "Type", "", "Their type"),
            ToolButton("count", "Number", "", "How many a click places"),
            ToolButton("place", "Place", "0", "Click: units stand on the tiles nearest to it"),
            ToolButton("play_as", "Play as", "", "Command the next side, and see what it sees"),
        ),
    ),
    (
        "Selected units",
        (
            ToolButton("freeze", "Freeze", "", "They neither move nor think; again: they go on"),
            ToolButton("blind", "Blind", "", "They see nothing; again: they see"),
            ToolButton("deafen", "Deafen", "", "They hear nothing; again: they hear"),
            ToolButton("invisible", "Invisible", "", "No eye finds them; again: visible"),
            ToolButton("invulnerable", "Safe", "", "No shot, trap or take-down harms them; again: it does"),
            ToolButton("possess", "Possess", "", "They decide nothing and obey orders of their side; again: free"),
            ToolButton("heal", "Heal", "", "Whole and calm"),
            ToolButton("duplicate", "Copy", "", "A copy of each beside it"),
            ToolButton("teleport", "Teleport", "", "Click: they stand there at once"),
            ToolButton("patrol", "Patrol", "", "Click points: guards walk them to and fro, soldiers to the last one"),
            ToolButton("target", "Target", "", "Click an enemy: they know of it, and fight it or look for it"),
            ToolButton("forget", "Forget", "", "They forget what they know and intend"),
            ToolButton("skill", "Skill", "", "Skill of their mind to force"),
            ToolButton("state", "Force it", "", "Put their minds into that skill"),
            ToolButton("side_of", "Swap", "", "They go over to the next side"),
            ToolButton("kill", "Kill", "", "They fall and leave bodies"),
            ToolButton("delete", "Delete", "", "They are gone and leave nothing"),
        ),
    ),
    (
        "Path test",
        (
            ToolButton("path", "Path", "", "Click start, then goal: the path, its cost and its searches"),
            ToolButton("radius", "Body", "", "Radius of the body in tiles"),
            ToolButton("clear", "Clear", "", "Take the test away"),
        ),
    ),
    ("This map", (ToolButton("save", "Save as", "", "Write it as a .tmx file, with the units where they stand"),)),
)
"""Headings of the palette and their buttons, three in a row."""

BUTTONS = {button.name: button for _, buttons in SECTIONS for button in buttons}
SWITCHES = ("freeze", "blind", "deafen", "invisible", "invulnerable", "possess")
"""Verbs that a second press takes back."""
AT_ONCE = ("heal", "duplicate", "forget", "kill", "delete")
"""Verbs that change the selected units at once."""
CLICKED = ("teleport", "patrol", "target")
"""Verbs that wait for a place on the map."""
TOOLS = frozenset((*BRUSHES, *CLICKED, "place", "path"))
"""Buttons that put a tool into the mouse's hand."""
