"""Animation graph: clips as leaves, blends and selections as inner nodes, all data.

A leaf names a clip, its length in ticks and its marks: names with a phase from 0 to 1, such as a foot that comes down.
A blend interpolates between the two children next to the value of a parameter. A selection takes the child whose number
is the parameter, rounded. A node may have several parents, but never itself as an ancestor.

All leaves of one graph play at one phase, so that a blend of walk and run keeps its feet together. Their marks must
therefore be equal. The cycle of a graph lasts the weighted mean of its leaves' lengths. A mark reaches the root once a
cycle, also across a change of weights, and also if a step in time passes several marks.

Arrays: parameters float64[n] by name, weights float64[n, leaves], phases float64[n], mark counts int64[n, marks].

Source: "Game AI Pro 2", 12.2 (blend trees, control parameters, animation events).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np


@dataclass(frozen=True)
class ClipLeaf:
    """Clip of a graph; ``marks`` are pairs of a name and a phase."""

    name: str
    ticks: float
    marks: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class Blend:
    """Node between children that stand at ascending values of a parameter."""

    name: str
    parameter: str
    children: tuple[tuple[float, str], ...]


@dataclass(frozen=True)
class Select:
    """Node that takes one child by number."""

    name: str
    parameter: str
    children: tuple[str, ...]


Node = ClipLeaf | Blend | Select


def _children(node: Node) -> tuple[str, ...]:
    if isinstance(node, ClipLeaf):
        return ()
    return tuple(name for _, name in node.children) if isinstance(node, Blend) else node.children


class AnimationGraph:
    """Graph of nodes below a root; a ValueError names a node with a fault."""

    def __init__(self, nodes: tuple[Node, ...], root: str) -> None:
        self.nodes = {node.name: node for node in nodes}
        self.root = root
        if len(self.nodes) < len(nodes):
            raise ValueError(f"animation graph {root!r}: two nodes have one name")
        self.order = self._sorted()
        """Names of all nodes below the root; each stands before its children."""
        leaves = [n for n in (self.nodes[name] for name in self.order) if isinstance(n, ClipLeaf)]
        for leaf in leaves:
            if sorted(leaf.marks) != sorted(leaves[0].marks):
                raise ValueError(
                    f"animation graph {root!r}: clip {leaf.name!r} has other marks than {leaves[0].name!r}"
                )
            if leaf.ticks <= 0.0 or any(not 0.0 <= phase < 1.0 for _, phase in leaf.marks):
                raise ValueError(f"animation graph {root!r}: clip {leaf.name!r} needs ticks above 0, marks from 0 to 1")
        self.leaves = tuple(leaf.name for leaf in leaves)
        self.ticks = np.array([leaf.ticks for leaf in leaves])
        self.marks = tuple(name for name, _ in leaves[0].marks)
        self.mark_phases = np.array([phase for _, phase in leaves[0].marks])

    def _sorted(self) -> tuple[str, ...]:
        done: list[str] = []
        open_nodes: list[str] = []

        def visit(name: str, parent: str) -> None:
            if name not in self.nodes:
                raise ValueError(f"animation graph {self.root!r}: node {parent!r} has no child {name!r}")
            if name in open_nodes:
                raise ValueError(f"animation graph {self.root!r}: node {name!r} is its own ancestor")
            if name in done:
                return
            node = self.nodes[name]
            if not isinstance(node, ClipLeaf) and not node.children:
                raise ValueError(f"animation graph {self.root!r}: node {name!r} has no children")
            values = [value for value, _ in node.children] if isinstance(node, Blend) else []
            if any(a >= b for a, b in pairwise(values)):
                raise ValueError(f"animation graph {self.root!r}: values of blend {name!r} must ascend")
            open_nodes.append(name)
            for child in _children(node):
                visit(child, name)
            open_nodes.pop()
            done.append(name)

        visit(self.root, "the root")
        return tuple(reversed(done))

    def weights(self, parameters: Mapping[str, np.ndarray], n: int) -> np.ndarray:
        """Return the weights of the leaves, float64[n, leaves]; each row sums to 1."""
        share = {name: np.zeros(n) for name in self.order}
        share[self.root] = np.ones(n)
        for name in self.order:
            node = self.nodes[name]
            if isinstance(node, ClipLeaf):
                continue
            value = np.asarray(parameters[node.parameter], np.float64)
            if isinstance(node, Select):
                chosen = np.clip(np.rint(value), 0, len(node.children) - 1)
                for k, child in enumerate(node.children):
                    share[child] += share[name] * (chosen == k)
                continue
            at = np.array([v for v, _ in node.children])
            for k, (_, child) in enumerate(node.children):
                share[child] += share[name] * np.interp(value, at, np.eye(len(at))[k])
        return np.stack([share[leaf] for leaf in self.leaves], axis=1)

    def cycle(self, parameters: Mapping[str, np.ndarray], n: int) -> np.ndarray:
        """Return the length of a cycle in ticks, float64[n]."""
        length: np.ndarray = self.weights(parameters, n) @ self.ticks
        return length

    def advance(self, phase: np.ndarray, parameters: Mapping[str, np.ndarray], ticks: np.ndarray | float) -> np.ndarray:
        """Advance phases in place; return how often each mark was passed, int64[n, marks]."""
        now = phase + ticks / self.cycle(parameters, len(phase))
        passed = np.floor(now[:, None] - self.mark_phases) - np.floor(phase[:, None] - self.mark_phases)
        phase[:] = now - np.floor(now)
        counts: np.ndarray = passed.astype(np.int64)
        return counts


TECHNIQUES = (
    {
        "slug": "animation-graph",
        "name": "Animation graph with parameters and marks",
        "ids": ("GP2-12.1",),
        "source": "Game AI Pro 2, 12.2",
        "functions": ("AnimationGraph.weights", "AnimationGraph.advance"),
        "test": "tests/ai/animation/test_animation_graph.py",
        "reason": "no figure uses it: 20 states of 1,000 bodies take 3.8 ms a tick, the kernel of figures 1 ms",
        "claim": (
            "In the library only: figures choose frames by a table of clips. All clips of a graph share one phase "
            "and the same marks."
        ),
    },
)
