"""Motor requests: a wish that the stages between mind and body may replace.

Source: Damian Isla and Bruce Blumberg, AI Game Programming Wisdom, 7.1 (the action selection writes a motor request;
the navigation after it replaces "pick up" by "walk" while the thing is out of reach; the body does whatever stands
there at the end). The wish is posted again in each pass, so that an interception ends by itself: nothing is planned
anew. No stage knows the other ones. Places are (x, y) in tiles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from ai.core.serialization import record

T = TypeVar("T", contravariant=True)


@record
class MotorRequest:
    """Request to a body: an act, its place, and the watched place.

    ``stage`` is the stage that wrote it; it serves the inspector alone.
    """

    stage: str
    act: str
    x: float
    y: float
    watch_x: float = float("nan")
    watch_y: float = float("nan")


class RequestStage(Protocol[T]):
    """Stage between mind and body."""

    @property
    def name(self) -> str:
        """Return the name."""

    def intercept(self, request: MotorRequest, at: T) -> MotorRequest | None:
        """Return the request in place of this one, None to let it pass."""


def pass_down(request: MotorRequest, stages: Sequence[RequestStage[T]], at: T) -> list[MotorRequest]:
    """Return the request as posted, and as each stage that replaced it wrote it.

    The body does the last one.
    """
    written = [request]
    for stage in stages:
        other = stage.intercept(written[-1], at)
        if other is not None:
            written.append(replace(other, stage=stage.name))
    return written


TECHNIQUES = (
    {
        "slug": "motor-requests",
        "name": "Interceptable motor requests",
        "ids": ("AW-7.1-2",),
        "source": "AI Game Programming Wisdom, 7.1",
        "functions": ("pass_down",),
        "test": "tests/ai/decision/blackboards/test_motor_requests.py",
        "exhibit": "levels/exhibits/squads/house.requests.toml",
        "overlay": "squads",
        "setting": "tactics.intercepts",
        "measure": "unwatched",
        "direction": "down",
        "claim": "All commands to squad members pass tokens, navigation and stuck reports; a guard's mind has none.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
