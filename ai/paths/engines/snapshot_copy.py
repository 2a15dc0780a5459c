"""Snapshot copy: copies cluster graphs from a world to its copy.

A copied world is restored from its saved state, which omits structures that follow from the terrain. Building them
again takes seconds; copying them from the original takes a moment. The graph of clusters (Journal of Game Development
1, near-optimal hierarchical path-finding) and its layout are copied. Only rows in use are copied, because most of the
allocated memory is never written.
"""

from __future__ import annotations

import copy

import numpy as np

from ai.core.serialization import compare
from ai.search.hierarchy.cluster_graph import ClusterGraph, ClusterLevel
from ai.search.hierarchy.hpa_batch import HpaBatch
from ai.search.hierarchy.hpa_batch_answers import Layout


def copy_paths(into: HpaBatch, of: HpaBatch) -> bool:
    """Copy graph and layout to restored paths; return False if there are none.

    Nothing is shared: each world repairs its own structures.
    """
    graph, laid = of.graph_or_none, of.layout
    if graph is None or laid is None or into.graph_or_none is not None or into.revision != of.revision:
        return False
    if not np.array_equal(into.dirty, of.dirty) or compare(into.raising, of.raising):
        return False  # the same terrain, but another progress of the repair
    base = graph.base
    used = np.flatnonzero((np.arange(base.nodes.shape[1]) < base.counts[:, None]).reshape(-1))
    into.graph_or_none = ClusterGraph(
        graph.movement_class,
        graph.size,
        graph.revision,
        ClusterLevel(
            base.size, base.slots.copy(), base.nodes.copy(), base.crossings.copy(), base.counts.copy(),
            _rows(base.distances, used),
        ),
        graph.versions.copy(),
        copy.deepcopy(graph.upper),
        into.raising,
        _rows(graph.arrows, used),
        _rows(graph.away, used),
    )  # fmt: skip
    into.layout = Layout(into.graph_or_none)
    for name in ("tiles", "edges", "marks", "versions"):
        setattr(into.layout, name, getattr(laid, name).copy())
    into.layout.ends, into.layout.lengths = _rows(laid.ends, used), _rows(laid.lengths, used)
    return True


def _rows(array: np.ndarray, used: np.ndarray) -> np.ndarray:
    """Copy an array of node rows, writing only the rows in use."""
    made = np.zeros(array.shape, array.dtype)  # zeros_like would write all of it
    flat = made.reshape(-1, array.shape[-1])
    flat[used] = array.reshape(-1, array.shape[-1])[used]
    return made
