"""Registry of all strips; importing their modules fills it."""

from __future__ import annotations

from game.view.exhibits.exhibit_playing import ExhibitPlaying
from game.view.exhibits.strips import step_strip
from game.view.exhibits.strips.strip import STRIPS, Strip

MODULES = (step_strip,)


def strip_of(show: ExhibitPlaying) -> Strip | None:
    """Return the strip that an exhibit names.

    Raises ValueError in one line with the known names.
    """
    name = show.run.exhibit.strip
    if not name:
        return None
    if name not in STRIPS:
        raise ValueError(f"there is no strip {name!r}; there are {', '.join(sorted(STRIPS))}")
    return STRIPS[name](show)
