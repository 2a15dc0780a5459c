"""Act layers: the act that goes on beside the act in the column ``action``.

A body may do two things at once, such as fire while a hit shakes it. Acts that own torso or weapon are looked up by
region; see :mod:`ai.animation.animation_layers`. This is read by pictures and measures and changes nothing.
"""

from __future__ import annotations

import numpy as np

from ai.animation.animation_layers import owners
from ai.animation.tracks.act_kinds import ActStage, Track
from ai.animation.tracks.track_controller import BEGUN, KIND, LENGTH, PRIORITY, STAGE, TRACKS, UNIT
from game.world.rules.act_table import SHOWN
from game.world.world import World


def shown_rows(world: World) -> np.ndarray:
    """Return the orders in flight that a figure can show, int64[k, 12]."""
    rows = world.acts.rows[: world.acts.count]
    found: np.ndarray = rows[(rows[:, STAGE] < ActStage.STOP) & np.isin(rows[:, KIND], SHOWN)]
    return found


def acts_under(world: World) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return code, first tick and length of the second act of every slot.

    They are uint8[n], int32[n] and int16[n]. Code 0 is none.
    """
    u, n = world.units, world.units.count
    under, start, length = np.zeros(n, np.uint8), np.zeros(n, np.int32), np.zeros(n, np.int16)
    rows = shown_rows(world)
    if world.settings.figures.layers and len(rows) > 1:
        for region in (Track.TORSO, Track.WEAPON):
            top = rows[owners(region, *(rows[:, column] for column in (UNIT, TRACKS, PRIORITY, BEGUN)))]
            slots = u.slots(top[:, UNIT])
            other = (top[:, KIND] != u.action[slots]) & (u.action[slots] != 0)
            slots, top = slots[other], top[other]
            under[slots], start[slots], length[slots] = top[:, KIND], top[:, BEGUN], top[:, LENGTH]
    return under, start, length
