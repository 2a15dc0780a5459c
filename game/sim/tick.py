"""The life of a tick, a line a stage.

orders   what players and scripts want enters the world
perceive eyes and ears write percepts and raise event bits
think    minds that were woken decide and write intents
plan     the path manager serves requests under its budget
steer    following, whiskers and avoidance make a wanted velocity
move     bodies move, slide along walls and are pushed apart
fight    weapons fire, wounds are dealt
body     gait and the acts of bodies go on; what they finish takes effect
analyse  mission rules, triggers and slow structures
publish  timers for the next tick, the world is whole again

A tick may be spread over frames: stages run in order and what they read is what the last stage left.  The clock
decides when work is done, never what.
"""

from __future__ import annotations

from collections.abc import Callable

from game.sim.stages import (
    analyse_stage,
    body_stage,
    fight_stage,
    move_stage,
    orders_stage,
    perceive_stage,
    plan_stage,
    publish_stage,
    steer_stage,
    think_stage,
)
from game.world.faults import StageFault
from game.world.world import World

TickStage = Callable[[World], None]

STAGES: tuple[tuple[str, TickStage], ...] = (
    ("orders", orders_stage.run),
    ("perceive", perceive_stage.run),
    ("think", think_stage.run),
    ("plan", plan_stage.run),
    ("steer", steer_stage.run),
    ("move", move_stage.run),
    ("fight", fight_stage.run),
    ("body", body_stage.run),
    ("analyse", analyse_stage.run),
    ("publish", publish_stage.run),
)


def tick(world: World, after_stage: Callable[[str], None] | None = None) -> None:
    """Advance the world by one tick.

    ``after_stage(name)`` is for measurement; the world never sees it.
    """
    for name, stage in STAGES:
        with StageBoundary(name, world):
            stage(world)
        if after_stage is not None:
            after_stage(name)


class StageBoundary:
    """Boundary of a stage: an error in it becomes a StageFault."""

    def __init__(self, name: str, world: World) -> None:
        self.name, self.world = name, world

    def __enter__(self) -> None:
        """Begin the stage."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """End the stage."""
        if isinstance(error, Exception) and not isinstance(error, StageFault):
            raise StageFault(self.name, self.world.tick, error) from error


class SpreadTick:
    """A tick spread over frames: :meth:`advance` runs stages until ``time_is_up()`` says so.

    At least one stage runs a call, so a slow frame cannot stop the world.
    """

    def __init__(self) -> None:
        self.next_stage = 0

    @property
    def whole(self) -> bool:
        """Return True between ticks.

        Then the world may be saved, hashed, drawn or given orders.
        """
        return self.next_stage == 0

    def advance(
        self, world: World, time_is_up: Callable[[], bool], after_stage: Callable[[str], None] | None = None
    ) -> bool:
        """Run stages; returns True when the tick is finished."""
        while True:
            name, stage = STAGES[self.next_stage]
            with StageBoundary(name, world):
                stage(world)
            if after_stage is not None:
                after_stage(name)
            self.next_stage = (self.next_stage + 1) % len(STAGES)
            if self.next_stage == 0:
                return True
            if time_is_up():
                return False
