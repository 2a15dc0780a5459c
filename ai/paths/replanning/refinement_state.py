"""State of incremental refinement: plans, and slots whose plan an edit touched.

Source: "Journal of Game Development" 1, near-optimal hierarchical path-finding (path refinement).
"""

from __future__ import annotations

from dataclasses import field

from ai.core.serialization import derived, record
from ai.search.hierarchy.hpa import HierarchicalSearch
from ai.search.hierarchy.hpa_walk import HierarchicalWalk


@record
class RefinementPlans:
    """Plans by unit slot, valid at ``revision`` except for the slots in ``stale``."""

    walks: dict[int, HierarchicalWalk] = field(default_factory=dict)
    stale: dict[int, int] = field(default_factory=dict)
    revision: int = 0
    searches: dict[int, HierarchicalSearch] = derived(dict)  # scratch, by movement class
