"""Every strip there is; importing a module fills the registry."""

from __future__ import annotations

from game.view.exhibits.exhibit_playing import ExhibitPlaying
from game.view.exhibits.strips import step_strip
from game.view.exhibits.strips.strip import STRIPS, Strip

MODULES = (step_strip,)


def strip_of(show: ExhibitPlaying) -> Strip | None:
    """The strip an exhibit names; raises ValueError in one line naming the strips there are."""
    name = show.run.exhibit.strip
    if not name:
        return None
    if name not in STRIPS:
        raise ValueError(f"there is no strip {name!r}; there are {', '.join(sorted(STRIPS))}")
    return STRIPS[name](show)
