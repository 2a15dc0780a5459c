"""Tools of the sandbox: what is chosen, and the rows of the palette."""

from __future__ import annotations

from dataclasses import dataclass

from game.systems.sandbox.brushes import BRUSHES

SIZES = (1, 2, 3, 5, 9)
"""Widths of a brush in tiles."""


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
    size: int = 1

    def words(self, button: ToolButton) -> str:
        """Return the words on a button."""
        shown = {"size": f"Size {self.size}"}.get(button.name, button.words)
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
)
"""Headings of the palette and their buttons, three in a row."""

BUTTONS = {button.name: button for _, buttons in SECTIONS for button in buttons}
TOOLS = frozenset(BRUSHES)
"""Buttons that put a tool into the mouse's hand."""
