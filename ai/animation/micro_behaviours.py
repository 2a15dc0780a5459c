"""Micro behaviours: small behaviours beside a core behaviour, or in a gap of it.

A core behaviour has a list of micro behaviours: facts that must hold, a chance a tick, a cool-down, a length, and
whether it interrupts. One that runs beside changes nothing. One that interrupts takes the place of the core, and gives
it back unchanged. A change of the core that must be announced waits until its announcement is over; so others see a
signal before the body moves. Dice are drawn by unit, so bodies do not act together.

State per body: ``core`` int64[n], ``micro`` int64[n] (-1 for none), ``since`` int64[n] in ticks, ``last``
int64[micros, n], ``announced`` int64[n], the core that was announced or -1.

Source: "Game AI Pro 2", ch. 36 (36.6.1.2 micro behaviours).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ai.core.rand import Stream, uniform

NONE = -1
NEVER = -1_000_000


@dataclass(frozen=True)
class Micro:
    """Micro behaviour: chance is 0 to 1 a tick, times are ticks.

    It belongs to the core behaviours ``cores``. With ``before`` at 0 or more it announces the change into that core.
    """

    name: str
    cores: frozenset[int]
    facts: int = 0
    chance: float = 1.0
    cooldown: int = 0
    length: int = 10
    interrupts: bool = False
    before: int = NONE


class MicroBehaviours:
    """Micro behaviours of some bodies that begin in one core."""

    def __init__(self, micros: list[Micro], bodies: int, core: int = 0) -> None:
        for micro in micros:
            if micro.before != NONE and not micro.interrupts:
                raise ValueError(f"micro {micro.name!r}: an announcement interrupts its core; set interrupts")
        self.micros = micros
        self.core = np.full(bodies, core)
        self.micro, self.since = np.full(bodies, NONE), np.zeros(bodies, np.int64)
        self.last = np.full((len(micros), bodies), NEVER)
        self.announced = np.full(bodies, NONE)

    def advance(self, tick: int, unit: np.ndarray, facts: np.ndarray, wanted: np.ndarray, seed: int = 0) -> np.ndarray:
        """Return the core that each body acts by in a tick, -1 if interrupted.

        ``unit`` are ids, ``facts`` int64[n] bits that hold, ``wanted`` int64[n] the core that the mind chooses.
        """
        for i, u in enumerate(unit.tolist()):
            self._end(i, tick)
            want = int(wanted[i])
            herald = self._herald(int(self.core[i]), want)
            if self.announced[i] not in (NONE, want):
                self.announced[i] = NONE
            if want != self.core[i] and (herald == NONE or self.announced[i] == want):
                if self.micro[i] == NONE or not self.micros[int(self.micro[i])].interrupts:
                    self.core[i], self.announced[i] = want, NONE
            elif want != self.core[i] and self.micro[i] != herald:
                self._begin(i, herald, tick)
            elif want == self.core[i] and self.micro[i] == NONE:
                self._choose(i, u, int(facts[i]), tick, seed)
        stops = np.array([micro.interrupts for micro in self.micros] + [False])
        acts: np.ndarray = np.where(stops[self.micro], NONE, self.core)
        return acts

    def _end(self, i: int, tick: int) -> None:
        """End a micro behaviour that is over; an announcement is then made."""
        k = int(self.micro[i])
        if k != NONE and tick - self.since[i] >= self.micros[k].length:
            if self.micros[k].before != NONE:
                self.announced[i] = self.micros[k].before
            self.micro[i] = NONE

    def _herald(self, core: int, wanted: int) -> int:
        """Return the micro behaviour that announces a change, or -1."""
        found = (k for k, m in enumerate(self.micros) if m.before == wanted and core in m.cores and core != wanted)
        return next(found, NONE)

    def _choose(self, i: int, unit: int, facts: int, tick: int, seed: int) -> None:
        for k, micro in enumerate(self.micros):
            if micro.before != NONE or int(self.core[i]) not in micro.cores or facts & micro.facts != micro.facts:
                continue
            rested = tick - self.last[k, i] >= micro.length + micro.cooldown
            if rested and uniform(seed, Stream.DECORATION, tick, unit, k) < micro.chance:
                self._begin(i, k, tick)
                return

    def _begin(self, i: int, micro: int, tick: int) -> None:
        self.micro[i], self.since[i] = micro, tick
        self.last[micro, i] = tick


TECHNIQUES = (
    {
        "slug": "micro-behaviours",
        "name": "Micro behaviours beside and within a core behaviour",
        "ids": ("GP2-36.16",),
        "source": "Game AI Pro 2, 36.6.1.2",
        "functions": ("MicroBehaviours.advance",),
        "test": "tests/ai/animation/test_micro_behaviours.py",
        "reason": "no exhibit yet",
        "claim": "In the library only: idle gestures and tells of the game are chosen elsewhere.",
    },
)
