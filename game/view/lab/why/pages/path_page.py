"""Page of a path: its stretches, the search behind each, and the cost."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import numpy as np

from ai.paths.requests.request_columns import Phase
from ai.paths.state.path_trace import Decision, PathTraceRow
from ai.paths.store.path_store import PathSource
from game.view.lab.why.pages.page import Page, PageRow, place, section
from game.view.lab.why.pages.page_numbers import AHEAD, COST
from game.view.lab.why.pages.place_readings import path_points
from game.view.lab.why.pages.tile_page import tile_subject

LOOKED_BACK = 60
"""Decisions of the path trace that are read."""
REVOLUTIONS_AT = {
    Decision.QUICK: 1, Decision.QUICK_ONLY: 1, Decision.FULL: 1, Decision.SPLICED: 2, Decision.SPLICE_REFUSED: 1,
    Decision.PRIORITY: 0, Decision.PRIORITY_PARTIAL: 0, Decision.GAVE_UP: 0, Decision.LED_BACK: 1,
    Decision.JOINED: 1, Decision.LOCAL: 2, Decision.REJOINED: 2, Decision.TOO_DEAR: 0, Decision.LONG_AFTER_ALL: 0,
}  # fmt: skip
"""Place of the revolutions among the three numbers of a decision."""
FOUND_BY = {
    PathSource.QUICK: (Decision.QUICK, Decision.QUICK_ONLY),
    PathSource.FULL: (Decision.FULL, Decision.JOINED),
    PathSource.SPLICE: (Decision.SPLICED,),
    PathSource.PRIORITY: (Decision.PRIORITY, Decision.PRIORITY_PARTIAL),
    PathSource.LOCAL: (Decision.LOCAL,),
}  # fmt: skip
"""Decisions that write a stretch of a source."""
WORDS = {
    PathSource.NONE: "straight line", PathSource.QUICK: "quick path", PathSource.FULL: "full path",
    PathSource.SPLICE: "splice path", PathSource.PRIORITY: "priority path", PathSource.LOCAL: "local search",
}  # fmt: skip
PHASES = {
    Phase.IDLE: "has no path", Phase.NEW: "asks for a path", Phase.WAITING: "walks its quick path and waits",
    Phase.OPEN: "walks its quick path while the full search runs", Phase.READY: "has a path to its goal",
    Phase.PARTIAL: "walks a partial path", Phase.PARKED: "is as near as it can get",
    Phase.FLOWING: "follows a shared flow field", Phase.LEGS: "has a plan over clusters and its present leg",
}  # fmt: skip


def path_page(world: Any, unit: int) -> Page:
    """Return the page of a unit's path."""
    slot, store, requests = world.units.slot(unit), world.paths.store, world.paths.requests
    phase = Phase(int(requests.phase[slot])) if slot < requests.capacity else Phase.IDLE
    rows = last_request(world.paths.trace.of(unit, LOOKED_BACK))
    goal = int(store.goal[slot]) if slot < store.capacity else -1
    where = ""
    if goal >= 0 and phase != Phase.IDLE:
        y, x = divmod(goal, world.terrain.width)
        where = f"; the goal is tile {x}, {y}"
    costs = [revolutions_of(row) for row in rows]
    told = [
        PageRow(row.sentence, tick=row.tick, beside=f"{cost} rev" if cost else "")
        for row, cost in zip(rows, costs, strict=True)
    ]
    total = f"{sum(costs)} revolutions"
    return Page(
        f"Path of {world.name_of(unit)}",
        f"{world.name_of(unit)} {PHASES[phase]}{where}.",
        (
            section("Stretches ahead", stretches(world, slot, rows), "found by, cost", "no waypoint is left"),
            section("Numbers", [PageRow(name, number=name) for name in (AHEAD, COST)], "click one to pin it"),
            section("How it was found", told[::-1], total, "no request is recorded"),
        ),
    )


def last_request(rows: list[PathTraceRow]) -> list[PathTraceRow]:
    """Return the decisions since the unit last asked for a path."""
    starts = [k for k, row in enumerate(rows) if row.decision == Decision.REQUESTED]
    return rows[starts[-1] :] if starts else rows


def revolutions_of(row: PathTraceRow) -> int:
    """Return the revolutions that a decision tells of, 0 for none."""
    at = REVOLUTIONS_AT.get(row.decision, -1)
    return row.numbers[at] if at >= 0 else 0


def stretches(world: Any, slot: int, rows: list[PathTraceRow]) -> list[PageRow]:
    """Return a row for each stretch ahead of one source.

    It tells the length in tiles, the end, and the revolutions of the search that wrote it last.
    """
    store = world.paths.store
    if slot >= store.capacity or not store.path_len[slot]:
        return []
    points = path_points(world, slot)
    lengths = np.hypot(*np.diff(points, axis=0).T)
    sources = store.waypoints(slot)[:, 2].tolist()
    whole = max(float(lengths.sum()), 1e-9)
    made, at = [], 0
    for source, part in groupby(sources):
        count = len(list(part))
        far, (x, y) = float(lengths[at : at + count].sum()), points[at + count]
        at += count
        kind = PathSource(int(source))
        cost = next((revolutions_of(row) for row in rows[::-1] if row.decision in FOUND_BY.get(kind, ())), 0)
        made.append(
            PageRow(
                WORDS[kind],
                f"{far:.1f} tiles to {place(x, y)}",
                f"{cost} rev" if cost else "",
                share=far / whole,
                link=tile_subject(x, y),
            )
        )
    return made
