"""Squad duel: two equal squads fight each other, one by each of two intents.

It shows whether manoeuvres pay. On odd seeds the squads change sides, so that the map favours neither.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from game.level.model import Level
from game.sim.session import Session
from game.world.orders import Order, OrderKind
from game.world.world import World

LONGEST = 2400
"""Ticks after which a duel is over: two minutes."""


@dataclass(frozen=True)
class Duel:
    """Result of a duel: living units of either squad, and the ticks it took."""

    ours: int
    theirs: int
    ticks: int

    @property
    def won(self) -> float:
        """Return 1 for a win, 0 for a loss, 0.5 for a draw."""
        return 0.5 if self.ours == self.theirs else float(self.ours > self.theirs)


def duel(
    level: Level,
    ours: str,
    theirs: str,
    seed: int,
    settings: dict[str, object] | None = None,
    watch: Callable[[World, int], None] | None = None,
) -> Duel:
    """Let the units of two sides fight by two intents.

    Each goes towards the other's start.

    ``watch`` gets the world and our side after each tick.
    """
    session = Session(level, seed, dict(settings or {}), recording=False)
    world = session.world
    u = world.units
    mine = seed % 2
    start = [(float(u.x[u.living(k)].mean()), float(u.y[u.living(k)].mean())) for k in (0, 1)]
    for side, intent in ((mine, ours), (1 - mine, theirs)):
        x, y = start[side if intent == "hold" else 1 - side]
        units = tuple(int(i) for i in u.id[u.living(side)])
        session.give(Order(int(OrderKind.SQUAD), side, units, x, y, name=intent))
    while world.tick < LONGEST and all(len(u.living(k)) for k in (0, 1)):
        session.advance()
        if watch is not None:
            watch(world, mine)
    return Duel(len(u.living(mine)), len(u.living(1 - mine)), world.tick)
