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

from game.sim.stages import analyse, body, fight, move, orders, perceive, plan, publish, steer, think
from game.world.world import World

Stage = Callable[[World], None]

STAGES: tuple[tuple[str, Stage], ...] = (
    ("orders", orders.run),
    ("perceive", perceive.run),
    ("think", think.run),
    ("plan", plan.run),
    ("steer", steer.run),
    ("move", move.run),
    ("fight", fight.run),
    ("body", body.run),
    ("analyse", analyse.run),
    ("publish", publish.run),
)


def tick(world: World, after_stage: Callable[[str], None] | None = None) -> None:
    """Advance the world by one tick.  ``after_stage(name)`` is for whoever measures; the world never sees it."""
    for name, stage in STAGES:
        stage(world)
        if after_stage is not None:
            after_stage(name)


class SpreadTick:
    """A tick spread over frames: :meth:`advance` runs stages until ``time_is_up()`` says so.

    At least one stage runs a call, so a slow frame cannot stop the world.
    """

    def __init__(self) -> None:
        self.next_stage = 0

    @property
    def whole(self) -> bool:
        """True between ticks: the world may be saved, hashed, drawn or given orders."""
        return self.next_stage == 0

    def advance(self, world: World, time_is_up: Callable[[], bool]) -> bool:
        """Run stages; returns True when the tick is finished."""
        while True:
            STAGES[self.next_stage][1](world)
            self.next_stage = (self.next_stage + 1) % len(STAGES)
            if self.next_stage == 0:
                return True
            if time_is_up():
                return False
