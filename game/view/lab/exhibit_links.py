"""Links from an overlay to the exhibit that shows it."""

from __future__ import annotations

from functools import cache

from game.view.exhibits.gallery_rows import Technique, read_techniques
from game.view.overlays.overlay import REGISTRY


@cache
def exhibit_of(name: str) -> Technique | None:
    """Return the technique whose exhibit shows an overlay; None if no exhibit does.

    It is the first with the overlay in the register. An overlay without one has that of the overlay that it is like.
    """
    rows = [row for row in read_techniques() if row.overlay == name and row.kind != "none"]
    if rows:
        return next((row for row in rows if row.kind == "exhibit"), rows[0])
    like = REGISTRY[name].like if name in REGISTRY else ""
    return exhibit_of(like) if like else None
