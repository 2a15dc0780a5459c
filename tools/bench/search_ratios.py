"""Ratios of search rows against what they should reach: what the figures come to, a line each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_SKETCH = {"brc202d": (36, 161, 1112), "maze512-8-0": (82, 1086, 6873), "16room_000": (77, 389, 2502),
           "random512-30-0": (705, 586, 1066)}  # fmt: skip
"""What quick sketches reached: JPS, A* and pyastar2d of their run, in us; we may be a tenth slower than that ratio."""

GOALS: list[tuple[str, str, str, str, str, float]] = [
    ("brc202d", "astar", "single", "pyastar2d", "at least", 6.0),
    ("brc202d", "astar", "single", "tcod", "at least", 25.0),
    ("brc202d", "jps", "single", "pyastar2d", "at least", 30.0),
    ("maze512-8-0", "jps", "single", "pyastar2d", "at least", 60.0),
    ("brc202d", "jps_plus_gb", "single", "pyastar2d", "at least", 600.0),
    *(
        (f"{name}+costs", "astar_weighted", "single", "pyastar2d", "at least", 3.0)
        for name in ("brc202d", "Archipelago", "maze512-8-0", "16room_000", "random512-30-0")
    ),
    *(
        (name, "astar", "single", "pyastar2d", "at least", 0.9 * peer / ours)
        for name, (_, ours, peer) in _SKETCH.items()
    ),
    *((name, "jps", "single", "pyastar2d", "at least", 0.9 * peer / ours) for name, (ours, _, peer) in _SKETCH.items()),
]
"""Map, algorithm, mode, peer, and how many times as fast we must be."""

AUTHORS_US, AUTHORS_S = 2.5, 54.0
"""JPS+ with goal bounding by its authors, C++, one thread, on brc202d: us a question and s of preprocessing."""


def _judged(text: str, value: float, good: bool, goal: str) -> str:
    return f"{'ok  ' if good else 'MISS'} {text}: {value:.3g} (goal {goal})"


def ratio_lines(found: list[dict[str, Any]]) -> Iterator[str]:
    """A line for each goal whose rows are there."""
    by = {(row["map"], row["algorithm"], row["mode"]): row for row in found}
    for name, algorithm, mode, peer, _, goal in dict.fromkeys(GOALS):
        ours, theirs = by.get((name, algorithm, mode)), by.get((name, peer, "single"))
        if ours and theirs and theirs["us_mean"] > 0:
            ratio = theirs["us_mean"] / ours["us_mean"]
            yield _judged(f"{name}: {algorithm} against {peer}", ratio, ratio >= goal, f"at least {goal:.3g}x")
    batch = by.get(("brc202d", "jps_plus_gb", "batch"))
    if batch:
        share = batch["us_mean"] / AUTHORS_US
        yield _judged("brc202d: jps_plus_gb batch over its authors' time", share, share <= 0.45, "at most 0.45")
        share = batch["preprocess_s"] / AUTHORS_S
        yield _judged("brc202d: jps_plus_gb preprocessing over its authors'", share, share <= 0.2, "at most 0.2")
    for (name, algorithm, mode), row in by.items():
        if not mode.startswith("repair_"):
            continue
        if algorithm == "components_hpa" and mode == "repair_door":
            yield _judged(
                f"{name}: a door, components and HPA*, median us",
                row["us_median"],
                row["us_median"] < 1000,
                "under 1000",
            )
            yield _judged(
                f"{name}: a door, components and HPA*, p99 us", row["us_p99"], row["us_p99"] < 3000, "under 3000"
            )
        if algorithm == "jps_plus":
            yield _judged(f"{name}: jump tables, {mode}, p99 us", row["us_p99"], row["us_p99"] < 20_000, "under 20000")
        if algorithm == "flow_field":
            longest = row["slice_max_us"]
            yield _judged(f"{name}: flow field, {mode}, longest slice us", longest, longest < 1000, "under 1000")
