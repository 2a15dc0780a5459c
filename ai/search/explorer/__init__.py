"""Search explorer: shows the state of any search after any step.

A frame is the state after k expanded nodes. The game's own kernels produce it: they run from the start and stop after
k. So a step back is a shorter run, and the picture cannot differ from the game. Only the textbook A*, with adjustable
weight, tie order and costs, is written in Python.

A next-hop table does not search when it is read. Floods filled its columns before, and one step is one hop. For a
search with refinement, the steps are those of its abstract part.

Source: "AI Game Programming Wisdom", 3.1 (A* explorer, relative costing).
"""

from ai.search.explorer.break_conditions import Break, first_stop
from ai.search.explorer.explorer import ALGORITHMS, Explorer, build, why_not
from ai.search.explorer.search_frame import (
    CLOSED,
    OPEN,
    UNTOUCHED,
    Question,
    SearchFrame,
    cost_of_path,
    follow_parents,
    octile_map,
)
from ai.search.explorer.textbook_astar import TextbookSearch

__all__ = [
    "ALGORITHMS",
    "CLOSED",
    "OPEN",
    "UNTOUCHED",
    "Break",
    "Explorer",
    "Question",
    "SearchFrame",
    "TextbookSearch",
    "build",
    "cost_of_path",
    "first_stop",
    "follow_parents",
    "octile_map",
    "why_not",
]
