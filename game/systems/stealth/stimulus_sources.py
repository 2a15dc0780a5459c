"""What comes to a watcher's attention besides enemies: things that changed, bodies, comrades who fell silent.

These are entered on the board of stimuli as they happen; whoever sees or hears one first answers it.
"""

from __future__ import annotations

import numpy as np

from ai.perception.stimuli.stimulus_board import StimulusKind
from game.world.mind_kinds import mind_can, minds_that
from game.world.world import World

LOOKS_ODD = 1200
"""Ticks for which a changed thing looks odd: a minute."""
SEEN_FROM = 14.0
"""Tiles from which a changed thing or a body may be noticed, light and cover allowing."""


def changed(world: World, kind: StimulusKind, thing: int, x: float, y: float, by: int) -> None:
    """Unit ``by`` (-1 nobody) changed a thing; to other sides it looks odd until it is as they know it again.

    Each side knows how a thing was when it changed it or noticed it last.  A side without ears and eyes for such
    things minds nothing.
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
    """A watcher lies dead: its side raises the alarm when it finds the body."""
    u = world.units
    if not mind_can(world.types[int(u.kind[slot])], "watches"):
        return
    side = int(u.side[slot])
    world.stimuli.register(
        StimulusKind.BODY, world.tick, float(u.x[slot]), float(u.y[slot]), SEEN_FROM,
        thing=int(u.id[slot]), audience=1 << side, single=True,
    )  # fmt: skip


def move_bodies(world: World) -> None:
    """Bodies lie where they were dragged; hidden ones come to nobody's attention."""
    u = world.units
    for stimulus in world.stimuli.items:
        if stimulus.kind == StimulusKind.BODY:
            slot = u.slot(stimulus.thing)
            stimulus.x, stimulus.y = float(u.x[slot]), float(u.y[slot])
            stimulus.radius = 0.0 if u.hidden[slot] else SEEN_FROM
