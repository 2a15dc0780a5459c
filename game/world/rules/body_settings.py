"""Settings of the acts of bodies."""

from __future__ import annotations

from dataclasses import field

from ai.core.serialization import record


@record
class BodySettings:
    """Settings of acts, on as in the game."""

    layers: bool = field(
        default=True, metadata={"doc": "acts share a body by parts; off: every act takes the whole body, legs included"}
    )
    time_outs: bool = field(
        default=True, metadata={"doc": "an act without success ends after twice its length, and the mind does another"}
    )
    spam: bool = field(default=True, metadata={"doc": "minds that order their body too often are named"})
    merging: bool = field(
        default=True, metadata={"doc": "an order of an act that goes on merges into it; off: the act begins anew"}
    )
    tells: bool = field(default=True, metadata={"doc": "a throw or takedown begins with a wind-up that others can see"})
