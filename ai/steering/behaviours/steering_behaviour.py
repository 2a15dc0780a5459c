"""Steering behaviours: what a stage of a navigation pipeline is, and what it reads.

A behaviour corrects the wanted velocities of all units, in kernels. :mod:`ai.steering.behaviours.pipeline_stages` holds
the stages, :mod:`ai.steering.behaviours.steering_methods` the methods among which a world selects one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ai.steering.navigation_pipeline import Pipeline
from ai.steering.settings import SteeringSettings
from ai.steering.steering_columns import Bodies, SteeringState, Waypoints


@dataclass
class SteeringTick:
    """Inputs and state shared by the behaviours of one tick."""

    state: SteeringState
    settings: SteeringSettings
    passable: np.ndarray
    tick: int
    bodies: Bodies
    path: Waypoints
    p: np.ndarray
    threads: int
    awake: np.ndarray
    pipelines: Sequence[Pipeline]
    seed: int
    bias: tuple[float, float]
    foreseen: bool = False
    turn: np.ndarray | None = None
    """bool[n]: slots for which the current stage runs; None: all slots."""


class SteeringBehaviour(Protocol):
    """Part of a steer stage that corrects the wanted velocities."""

    @property
    def writes(self) -> tuple[str, ...]:
        """Columns of the state that it writes.

        Slots outside the current turn keep their values.
        """

    @property
    def needs_neighbours(self) -> bool:
        """Return True if it reads the nearest units."""

    @property
    def needs_all_awake(self) -> bool:
        """Return True if it must run for every unit in each tick."""

    def steer(self, now: SteeringTick) -> None:
        """Correct the wanted velocities, or write forces and pushes beside them."""
