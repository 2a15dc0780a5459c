"""Switches of scenes in smart zones."""

from __future__ import annotations

from dataclasses import field

from ai.core.serialization import record


@record
class SceneSettings:
    """Switches of scenes."""

    enabled: bool = field(default=True, metadata={"doc": "units that are free take part in the scenes of zones"})
    recasts: bool = field(default=True, metadata={"doc": "a vacant main role is cast anew; else the scene ends"})
    sync: bool = field(default=True, metadata={"doc": "the cast of a scene goes from column to column together"})
