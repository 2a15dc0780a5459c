"""Settings of the picture of figures; no state of the world depends on them."""

from __future__ import annotations

from dataclasses import field

from ai.core.serialization import record


@record
class FigureSettings:
    """Settings of decoration, saved but not part of the hash."""

    lod: bool = field(
        default=True, metadata={"doc": "figures out of view or small are posed less; off: all in full, in every tick"}
    )
