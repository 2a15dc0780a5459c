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
    blackboard: bool = field(
        default=True, metadata={"doc": "a gesture waits while a neighbour begins the same one; off: twins are allowed"}
    )
    exemption: float = field(
        default=8.0,
        metadata={"doc": "tiles from which two figures may begin the same gesture together", "low": 0.0, "high": 100.0},
    )
    variants: bool = field(
        default=True, metadata={"doc": "a gesture of a scene draws one of its variants; off: the first one alone"}
    )
    layers: bool = field(
        default=True, metadata={"doc": "two acts of a body show at once; off: the one that began last"}
    )
    starts: bool = field(
        default=True,
        metadata={"doc": "a figure that starts spreads its turn evenly over the clip; off: it snaps round"},
    )
    blends: bool = field(
        default=True, metadata={"doc": "a figure fades from the pose it shows to the next; off: it jumps"}
    )
    planted_feet: bool = field(
        default=True,
        metadata={"doc": "a foot that is down stays at its print; off: it slides as speed and turn change"},
    )
