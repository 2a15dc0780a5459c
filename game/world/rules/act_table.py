"""Table of acts: tracks, priorities and stages of each act of a body.

A row is a value of ``Act``. Priorities follow "AI Game Programming Wisdom", 2.4: 5 for ambient acts, 10 for attacks and
work, 20 for reactions, 100 for death. With ``layers`` off every act takes the whole body, legs included: the variant
that an exhibit compares with.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from ai.animation.tracks.act_kinds import TRACKS_OF, WHOLE_BODY, ActKind, Track, kind_table
from game.world.units import Act

HANDS = Track.TORSO | Track.WEAPON
TELL_TICKS = 5
"""Ticks of a wind-up that others can see before the act begins."""
KINDS = (
    ActKind("nothing", Track.HEAD, 0),
    ActKind("shoot", Track.WEAPON, 10),
    ActKind("hit", Track.TORSO | Track.HEAD, 20),
    ActKind("die", WHOLE_BODY, 100),
    ActKind("use", HANDS, 10, reports=True),
    ActKind("throw", HANDS, 10, start=TELL_TICKS, reports=True),
    ActKind("whistle", Track.HEAD, 10, reports=True),
    ActKind("take down", HANDS, 10, start=TELL_TICKS, reports=True),
    ActKind("lift", HANDS, 10, reports=True),
    ActKind("look", Track.HEAD, 5),
    ActKind("shrug", Track.TORSO, 5, stop=4),
    ActKind("reload", Track.WEAPON, 5),
)
SHOWN = (Act.SHOOT, Act.HIT, Act.DIE, Act.USE, Act.THROW, Act.WHISTLE, Act.TAKE_DOWN, Act.LIFT, Act.SHRUG)
"""Acts that stand in the column ``action``; of several, the one that began last."""


@cache
def _table(layers: bool) -> np.ndarray:
    assert len(KINDS) == len(Act), "each act has a row"
    table = kind_table(KINDS)
    if not layers:
        table[:, TRACKS_OF] = int(WHOLE_BODY)
    table.setflags(write=False)
    return table


def act_table(layers: bool = True) -> np.ndarray:
    """Return a copy of the table, int64[acts, 5]."""
    return _table(layers).copy()
