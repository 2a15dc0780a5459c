"""Animation states: a state machine apart from the machine that decides.

A state plays one animation graph, in a loop or once. States may lie in a container, such as all states of walking. A
transition leads from a state or from a container to a state. Its conditions are all of: a parameter compared with a
number, a mark that was passed in this step, the mark passed last, or the end of a state that plays once. The first
transition that holds is taken, those of the outermost container first, so that a death leads out of every state. Only
parameters go in, so the mind knows no state, and another set of states serves the same mind.

Two ways to stop show the use: the mark passed last tells which foot is on the ground.

Arrays: state int64[n], phase float64[n], last mark int64[n] (-1 none), parameters float64[n] by name.

Source: "Game AI Pro 2", 12.3 and 12.4 (separate animation state machine).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from ai.animation.animation_graph import AnimationGraph

COMPARES: dict[str, Callable[[np.ndarray, float], np.ndarray]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
}


@dataclass(frozen=True)
class AnimationState:
    """State with its graph; ``inside`` is a container or empty."""

    name: str
    graph: AnimationGraph
    once: bool = False
    inside: str = ""


@dataclass(frozen=True)
class Transition:
    """Change of state; all conditions that are given must hold.

    ``when`` holds triples of parameter, comparison and number. ``passed`` and ``last`` name marks.
    """

    source: str
    to: str
    when: tuple[tuple[str, str, float], ...] = ()
    passed: str = ""
    last: str = ""
    over: bool = False
    keeps_phase: bool = False


class AnimationStates:
    """States of n bodies; ``containers`` gives the outer container of each container."""

    def __init__(
        self,
        states: tuple[AnimationState, ...],
        transitions: tuple[Transition, ...],
        containers: Mapping[str, str] | None = None,
    ) -> None:
        self.states = states
        self.number = {state.name: k for k, state in enumerate(states)}
        outer = dict(containers or {})
        known = {*self.number, *outer, *(state.inside for state in states)}
        self.marks = tuple(sorted({mark for state in states for mark in state.graph.marks}))
        for t in transitions:
            if t.source not in known or t.to not in self.number:
                raise ValueError(f"animation states: transition {t.source!r} to {t.to!r} names no state")
            if any(mark and mark not in self.marks for mark in (t.passed, t.last)):
                raise ValueError(f"animation states: transition {t.source!r} to {t.to!r} names no mark of a graph")
            if any(compare not in COMPARES for _, compare, _ in t.when):
                raise ValueError(
                    f"animation states: transition {t.source!r} to {t.to!r} compares by none of < <= > >= =="
                )
        self.ways = [
            [t for place in reversed(_places(state, outer)) for t in transitions if t.source == place]
            for state in states
        ]
        """Transitions of each state in the order of their test."""

    def advance(
        self,
        state: np.ndarray,
        phase: np.ndarray,
        last: np.ndarray,
        parameters: Mapping[str, np.ndarray],
        ticks: float = 1.0,
    ) -> np.ndarray:
        """Advance all bodies in place; return the marks passed, int64[n, marks]."""
        counts = np.zeros((len(state), len(self.marks)), np.int64)
        before = state.copy()
        for k, place in enumerate(self.states):
            rows = np.flatnonzero(before == k)
            if not len(rows):
                continue
            mine = {name: np.asarray(values)[rows] for name, values in parameters.items()}
            shown, old = phase[rows], phase[rows].copy()
            over, step = np.zeros(len(rows), bool), np.full(len(rows), ticks)
            if place.once:
                left = (1.0 - old) * place.graph.cycle(mine, len(rows))
                over = ticks >= left - 1e-9
                step = np.minimum(ticks, left * (1.0 - 1e-12))  # a clip that plays once does not wrap
            passed = place.graph.advance(shown, mine, step)
            phase[rows] = shown
            for m, mark in enumerate(place.graph.marks):
                counts[rows, self.marks.index(mark)] = passed[:, m]
            last[rows] = self._last(place.graph, old, passed, last[rows])
            self._change(k, rows, over, counts[rows], mine, state, phase, last)
        return counts

    def _last(self, graph: AnimationGraph, old: np.ndarray, passed: np.ndarray, last: np.ndarray) -> np.ndarray:
        """Return the number of the mark that was passed last."""
        if not graph.marks:
            return last
        ahead = (graph.mark_phases - old[:, None]) % 1.0
        ahead = np.where(ahead == 0.0, 1.0, ahead) + passed - 1.0
        latest = np.argmax(np.where(passed > 0, ahead, -1.0), axis=1)
        number = np.array([self.marks.index(mark) for mark in graph.marks])
        found: np.ndarray = np.where(passed.any(axis=1), number[latest], last)
        return found

    def _change(
        self,
        k: int,
        rows: np.ndarray,
        over: np.ndarray,
        counts: np.ndarray,
        parameters: Mapping[str, np.ndarray],
        state: np.ndarray,
        phase: np.ndarray,
        last: np.ndarray,
    ) -> None:
        """Take the first transition that holds for each row."""
        free = np.ones(len(rows), bool)
        for t in self.ways[k]:
            holds = free & (over | (not t.over))
            for parameter, compare, value in t.when:
                holds &= COMPARES[compare](parameters[parameter], value)
            if t.passed:
                holds &= counts[:, self.marks.index(t.passed)] > 0
            if t.last:
                holds &= last[rows] == self.marks.index(t.last)
            state[rows[holds]] = self.number[t.to]
            if not t.keeps_phase:
                phase[rows[holds]] = 0.0
            free &= ~holds


def _places(state: AnimationState, outer: Mapping[str, str]) -> list[str]:
    """Return a state's name and its containers, from the inside out."""
    places, inside = [state.name], state.inside
    while inside:
        if inside in places:
            raise ValueError(f"animation states: container {inside!r} lies in itself")
        places.append(inside)
        inside = outer.get(inside, "")
    return places


TECHNIQUES = (
    {
        "slug": "animation-states",
        "name": "State machine of animations, apart from decisions",
        "ids": ("GP2-12.2",),
        "source": "Game AI Pro 2, 12.3 and 12.4",
        "functions": ("AnimationStates.advance",),
        "test": "tests/ai/animation/test_animation_states.py",
        "reason": "no figure uses it: 20 states of 1,000 bodies take 3.8 ms a tick, the kernel of figures 1 ms",
        "claim": (
            "In the library only: figures choose frames by a table of clips. Containers and stops by the last "
            "footfall are built; crossfades are not."
        ),
    },
)
