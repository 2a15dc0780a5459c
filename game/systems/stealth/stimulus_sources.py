"""Stimulus sources besides enemies: changed things, bodies, silent comrades.

They enter the board of stimuli as they happen; the first watcher that sees or hears one answers it.
"""

from __future__ import annotations

import numpy as np

from ai.perception.stimuli.stimulus_board import StimulusKind
from game.world.mind_kinds import mind_can, minds_that
from game.world.world import World

LOOKS_ODD = 1200
"""Ticks for which a changed thing looks odd: a minute."""
SEEN_FROM = 14.0
"""Tiles at which a changed thing or body is noticeable, light and cover allowing."""


def changed(world: World, kind: StimulusKind, thing: int, x: float, y: float, by: int) -> None:
    """Record a thing changed by unit ``by`` (-1: none) as odd for other sides.

    It looks odd until it is back in its known state. Each side remembers the state in which it changed or noticed
    the thing last. A side without eyes and ears for such things ignores it.
    """
    u, n = world.units, world.units.count
    own = int(u.side[u.slot(by)]) if by >= 0 else -1
    minds = minds_that(world.types, "watches")[u.kind[:n]]
    for side in np.unique(u.side[:n][minds]).tolist():
        if world.stimuli.about(kind, thing, side) is not None:
            world.stimuli.forget(kind, thing, side)
        elif by >= 0 and side != own:
            world.stimuli.register(
                kind, world.tick, x, y, SEEN_FROM, lasts=LOOKS_ODD, thing=thing, audience=1 << side, single=True
            )


def fallen(world: World, slot: int) -> None:
    """Register the body of a dead watcher; its side raises the alarm at it."""
    u = world.units
    if not mind_can(world.types[int(u.kind[slot])], "watches"):
        return
    side = int(u.side[slot])
    world.stimuli.register(
        StimulusKind.BODY, world.tick, float(u.x[slot]), float(u.y[slot]), SEEN_FROM,
        thing=int(u.id[slot]), audience=1 << side, single=True,
    )  # fmt: skip


def move_bodies(world: World) -> None:
    """Enter bodies at their dragged places; hidden ones make no stimulus."""
    u = world.units
    for stimulus in world.stimuli.items:
        if stimulus.kind == StimulusKind.BODY:
            slot = u.slot(stimulus.thing)
            stimulus.x, stimulus.y = float(u.x[slot]), float(u.y[slot])
            stimulus.radius = 0.0 if u.hidden[slot] else SEEN_FROM
