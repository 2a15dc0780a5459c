"""Stimulus board: sounds, changed things and bodies, brought to agents.

Sources: Jeff Orkin, "A General-Purpose Trigger System", AI Game Programming Wisdom, 2.2 (records with a type, a
priority, a radius and an end; agents updated at a rate of their own; at most one answered an update); Martin Walsh,
Game AI Pro 2, 28.3.2 (a changed object is claimed by the first unit that sees it).

The board tests in order of cost: the type, then the distance. The caller tests last whether the agent really sees it. A
sound is over at once: the ears are asked about it one time, and its stimulus carries the ids of the agents that heard
it. An agent answers the stimulus with the highest priority, and the next one at its next update.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable
from dataclasses import field
from enum import IntFlag

import numpy as np
from numpy.typing import NDArray

from ai.core.scheduling.periods import whose_turn
from ai.core.serialization import record, unhashed


class StimulusKind(IntFlag):
    """Kinds of stimuli; an agent's interests are a mask of kinds."""

    IMPACT = 1
    VOICE = 2
    DOOR_NOISE = 4
    FALL = 8
    DOOR = 16
    LAMP = 32
    BODY = 64
    MISSING = 128
    STEPS = 256
    SHOT = 512


SOUNDS = (
    StimulusKind.IMPACT
    | StimulusKind.VOICE
    | StimulusKind.DOOR_NOISE
    | StimulusKind.FALL
    | StimulusKind.STEPS
    | StimulusKind.SHOT
)
SIGHTS = StimulusKind.DOOR | StimulusKind.LAMP | StimulusKind.BODY

PRIORITY = {
    StimulusKind.BODY: 90,
    StimulusKind.SHOT: 80,
    StimulusKind.MISSING: 70,
    StimulusKind.FALL: 60,
    StimulusKind.IMPACT: 50,
    StimulusKind.VOICE: 50,
    StimulusKind.STEPS: 50,
    StimulusKind.DOOR_NOISE: 40,
    StimulusKind.DOOR: 30,
    StimulusKind.LAMP: 30,
}

MOST = 512
"""Most stimuli kept; beyond that the least important and oldest are dropped."""


@record
class Stimulus:
    """Stimulus on the board.

    ``radius`` is in tiles, ``expires`` a tick (0 never), ``audience`` bit k for side k. ``source`` is the unit that
    made it, ``thing`` its subject (a door, a lamp, a body); -1 none. A ``single`` stimulus is claimed by the first
    agent that answers.
    """

    id: int
    kind: int
    priority: int
    x: float
    y: float
    radius: float
    created: int
    expires: int
    source: int
    thing: int
    audience: int
    single: bool
    answered: list[int] = field(default_factory=list)
    hearers: list[int] = field(default_factory=list)
    """Ids of the agents that heard a sound; the others never learn of it."""
    asked: bool = False
    """True if the hearing system has processed a sound."""


@record
class StimulusBoard:
    """All stimuli, the most important first."""

    rate: int = 4
    """Ticks between two updates of one agent; agents take turns by id."""
    next_id: int = 1
    items: list[Stimulus] = field(default_factory=list)
    distances: int = unhashed(int)
    """Distances compared in the last update."""

    def register(
        self,
        kind: StimulusKind,
        tick: int,
        x: float,
        y: float,
        radius: float,
        *,
        lasts: int = 0,
        source: int = -1,
        thing: int = -1,
        audience: int = 255,
        single: bool = False,
        priority: int | None = None,
    ) -> int:
        """Add a stimulus for ``lasts`` ticks (0: until removed); return its id.

        ValueError for a bad radius.
        """
        if not radius >= 0:
            raise ValueError(f"the radius of a stimulus must be 0 tiles or more, not {radius}")
        rank = PRIORITY[kind] if priority is None else priority
        made = Stimulus(
            self.next_id, int(kind), rank, x, y, radius, tick, tick + lasts if lasts else 0, source, thing, audience,
            single,
        )  # fmt: skip
        self.next_id += 1
        insort(self.items, made, key=lambda s: (-s.priority, s.id))
        if len(self.items) > MOST:
            self.items.remove(min(self.items, key=lambda s: (s.priority, s.id)))
        return made.id

    def unheard(self) -> list[Stimulus]:
        """Return the sounds that no ears were asked about yet.

        The caller fills ``hearers`` and sets ``asked``.
        """
        return [s for s in self.items if s.kind & SOUNDS and not s.asked]

    def heard_by(self, number: int, hearers: list[int]) -> None:
        """Note the ids of the agents that heard a sound.

        Nothing happens when the sound is not on the board.
        """
        for stimulus in self.items:
            if stimulus.id == number:
                stimulus.hearers, stimulus.asked = hearers, True

    def remove(self, number: int) -> None:
        """Remove a stimulus, if it exists."""
        self.items = [s for s in self.items if s.id != number]

    def about(self, kind: StimulusKind, thing: int, side: int = -1) -> Stimulus | None:
        """Return the stimulus of a kind about a thing, or None.

        ``side``: one that this side can perceive, -1 any.
        """
        for_side = 255 if side < 0 else 1 << side
        return next((s for s in self.items if s.kind == kind and s.thing == thing and s.audience & for_side), None)

    def forget(self, kind: StimulusKind, thing: int, side: int = -1) -> None:
        """Remove the stimuli about a thing that is normal again.

        ``side``: for this side only, -1 all.
        """
        for_side = 255 if side < 0 else 1 << side
        for stimulus in [s for s in self.items if s.kind == kind and s.thing == thing]:
            stimulus.audience &= ~for_side
        self.items = [s for s in self.items if s.audience]

    def update(
        self,
        tick: int,
        ids: NDArray[np.int32],
        side: NDArray[np.uint8],
        interest: NDArray[np.int64],
        x: NDArray[np.float64],
        y: NDArray[np.float64],
        handle: Callable[[int, Stimulus], bool],
        stretch: NDArray[np.float64] | None = None,
    ) -> list[tuple[int, Stimulus]]:
        """Let the agents in turn answer one stimulus each.

        Returns (row, stimulus), by rank and agent id. The columns have one row per agent. ``interest`` is its mask of
        kinds; ``stretch`` multiplies radii (keen ears). ``handle(row, stimulus)`` returns whether the agent really
        perceives it and responds.
        """
        self.items = [s for s in self.items if not s.expires or s.expires > tick]
        self.distances = 0
        free = whose_turn(tick, -ids, self.rate) & (interest != 0)
        order = np.argsort(ids, kind="stable")
        found: list[tuple[int, Stimulus]] = []
        for stimulus in list(self.items):
            rows = order[free[order]]
            asked = stimulus.audience >> np.minimum(side[rows], 7).astype(np.int64) & 1
            rows = rows[(interest[rows] & stimulus.kind != 0) & (asked != 0)]
            rows = rows[ids[rows] != stimulus.source]
            if not len(rows):
                continue
            if stimulus.kind & SOUNDS and stimulus.asked:
                near = np.isin(ids[rows], stimulus.hearers)
            else:
                self.distances += len(rows)
                reach = stimulus.radius * (1.0 if stretch is None else stretch[rows])
                near = (x[rows] - stimulus.x) ** 2 + (y[rows] - stimulus.y) ** 2 <= np.square(reach)
            for row in rows[near].tolist():
                unit = int(ids[row])
                if unit in stimulus.answered or not handle(row, stimulus):
                    continue
                stimulus.answered.append(unit)
                free[row] = False
                found.append((row, stimulus))
                if stimulus.single:
                    self.remove(stimulus.id)
                    break
        return found


TECHNIQUES = (
    {
        "slug": "stimuli",
        "name": "Central prioritised stimulus system",
        "ids": ("AW-2.2-1",),
        "source": "AI Game Programming Wisdom, 2.2",
        "functions": ("StimulusBoard.update",),
        "test": "tests/ai/perception/stimuli/test_stimulus_board.py",
        "exhibit": "levels/exhibits/senses/two_things.toml",
        "overlay": "minds",
        "setting": "minds.priorities",
        "measure": "walked",
        "reason": "The distance walked shows that the runs differ; the technique promises no shorter or longer walk.",
        "claim": "As told; the mind's reaction comes after a delay, and a changed thing goes to one unit only.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
