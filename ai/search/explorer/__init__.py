"""One search looked at from outside: any algorithm, any step, forwards and backwards.

A search is asked for its state after k expanded nodes.  The kernels that play the game answer themselves: they run
from the start and stop after k.  So a step back is a shorter run, and nothing that is shown can differ from what the
game does.  Only the textbook A*, whose weight, order of ties and costs can be turned, is written out in Python.

A next-hop table searches nothing when it is asked: its columns are floods that were done before, and a step is one
hop, read off it.  Of a search that was refined, the steps are those of its abstract part.

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
