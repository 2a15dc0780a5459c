"""Ways walked leg by leg, as state: which plans there are, and whose an edit has touched.

Source: "Journal of Game Development" 1, near-optimal hierarchical path-finding (path refinement).
"""

from __future__ import annotations

from dataclasses import field

from ai.core.serialization import derived, record
from ai.search.hierarchy.hpa import HierarchicalSearch
from ai.search.hierarchy.hpa_walk import HierarchicalWalk


@record
class RefinementPlans:
    """Plans by unit slot, true to the edits up to ``revision`` but for the slots that are ``stale``."""

    walks: dict[int, HierarchicalWalk] = field(default_factory=dict)
    stale: dict[int, int] = field(default_factory=dict)
    revision: int = 0
    searches: dict[int, HierarchicalSearch] = derived(dict)  # scratch, by movement class
