"""Slot assignment (AI Game Programming Wisdom, 5.6; Game AI Pro 2, ch. 20).

All functions take positions float64[n, 2] of units in order of id and of m slots. They return the slot of each unit,
int64[n], -1 for a unit left over when there are more units than slots. Ties go to the lower id and the lower slot.

Slots are assigned with the order, by the units' positions, or one by one as units arrive (:func:`assign_arrived`).
Where walls make paths circuitous, the nearest unit is not always the first to arrive.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.optimize import linear_sum_assignment


def _checked(units: np.ndarray, slots: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    made = [np.asarray(a, float) for a in (units, slots)]
    for name, a in zip(("units", "slots"), made, strict=True):
        if a.ndim != 2 or a.shape[1] != 2:
            raise ValueError(f"{name} must be [n, 2], got {a.shape}")
    return made[0], made[1]


def _distances(units: np.ndarray, slots: np.ndarray) -> np.ndarray:
    return np.hypot(units[:, None, 0] - slots[None, :, 0], units[:, None, 1] - slots[None, :, 1])


def assign_nearest(units: np.ndarray, slots: np.ndarray) -> np.ndarray:
    """Assign slots greedily: units nearest to any slot choose first.

    Each takes the nearest free slot.
    """
    units, slots = _checked(units, slots)
    taken = np.full(len(units), -1, np.int64)
    if not len(units) or not len(slots):
        return taken
    away = _distances(units, slots)
    free = np.ones(len(slots), bool)
    for i in np.argsort(away.min(axis=1), kind="stable"):
        if not free.any():
            break
        k = int(np.argmin(np.where(free, away[i], np.inf)))
        taken[i] = k
        free[k] = False
    return taken


def assign_sorted(units: np.ndarray, slots: np.ndarray, ranks: int | None = None) -> np.ndarray:
    """Parallel lanes: pair units and slots by order along the path, then across it.

    The path leads from the centre of the units to the centre of the slots. Both are cut into ``ranks`` (default:
    the square root of their number) from the front. Each rank is paired from left to right, so that no unit
    crosses or overtakes its neighbour.
    """
    units, slots = _checked(units, slots)
    n = min(len(units), len(slots))
    taken = np.full(len(units), -1, np.int64)
    if n == 0:
        return taken
    path = slots.mean(axis=0) - units.mean(axis=0)
    length = float(np.hypot(*path))
    ahead = path / length if length > 1e-9 else np.array([1.0, 0.0])
    aside = np.array([-ahead[1], ahead[0]])
    # Positions are rounded, so that a rank that is straight but for the last bit stays one rank.
    front_units = np.lexsort((np.arange(len(units)), np.round(units @ aside, 6), -np.round(units @ ahead, 6)))[:n]
    front_slots = np.lexsort((np.arange(len(slots)), np.round(slots @ aside, 6), -np.round(slots @ ahead, 6)))[:n]
    rows = max(1, ranks if ranks is not None else round(np.sqrt(n)))
    # The first ranks are one longer where the number does not divide evenly.
    length_of_rank, longer = divmod(n, rows)
    rank = np.repeat(np.arange(rows), length_of_rank + (np.arange(rows) < longer))
    left_units = front_units[np.lexsort((front_units, np.round(units[front_units] @ aside, 6), rank))]
    left_slots = front_slots[np.lexsort((front_slots, np.round(slots[front_slots] @ aside, 6), rank))]
    taken[left_units] = left_slots
    return taken


def assign_optimal(units: np.ndarray, slots: np.ndarray, squared: bool = False) -> np.ndarray:
    """Assign slots with the least sum of distances, or of squared distances.

    With distances straight paths never cross; with squared distances the longest path is short.
    """
    units, slots = _checked(units, slots)
    taken = np.full(len(units), -1, np.int64)
    if len(units) and len(slots):
        away = _distances(units, slots)
        rows, columns = linear_sum_assignment(away**2 if squared else away)
        taken[rows] = columns
    return taken


def inside_out(slots: np.ndarray, centre: np.ndarray) -> np.ndarray:
    """Return slots (float64[m, 2]) in order of distance from the centre, int64[m]."""
    away = np.hypot(slots[:, 0] - centre[0], slots[:, 1] - centre[1])
    return np.lexsort((np.arange(len(slots)), np.round(away, 6)))


def assign_arrived(
    units: np.ndarray,
    slots: np.ndarray,
    taken: np.ndarray,
    came: np.ndarray,
    centre: np.ndarray,
    body: float = 0.0,
    mobile: np.ndarray | None = None,
) -> np.ndarray:
    """Assign slots in order of arrival: units walk to ``centre`` and get slots there.

    ``taken`` int64[n] is the slot of each unit that arrived before, -1 for all others. ``came`` int64[k] are the
    units that arrived now, in order. Together they take the open slots nearest to the centre, so the first to
    arrive takes the centre itself. Units that arrive in the same tick take slots with the least total distance.

    A unit in its slot can be nearer than ``body`` tiles to a newcomer's straight line. If it is ``mobile`` bool[n]
    (default: all are), it is pushed aside. The newcomer takes that slot, and the pushed unit moves towards the
    open one, where it may push the next.
    """
    units, slots = _checked(units, slots)
    taken = np.array(taken, np.int64)
    free = np.ones(len(slots), bool)
    free[taken[taken >= 0]] = False
    inner = inside_out(slots, centre)
    new = inner[free[inner]][: len(came)]
    goes = assign_optimal(units[came], slots[new], squared=True)
    for unit, k in zip(np.asarray(came).tolist(), goes.tolist(), strict=True):
        if k < 0:
            continue
        open_, here = int(new[k]), units[unit]
        line = slots[open_] - here
        length = float(np.hypot(*line))
        holders = np.flatnonzero(taken >= 0)
        if mobile is not None:
            holders = holders[mobile[holders]]
        if length > 1e-9 and len(holders):
            off = slots[taken[holders]] - here
            along, aside = off @ line / length, np.abs(off[:, 0] * line[1] - off[:, 1] * line[0]) / length
            in_the_way = (aside < body) & (along > 0.0) & (along < length)
            holders = holders[in_the_way][np.lexsort((holders[in_the_way], along[in_the_way]))]
        else:
            holders = holders[:0]
        left = unit
        for pushed in holders.tolist():
            taken[left], left = taken[pushed], pushed
        taken[left] = open_
    return taken


@dataclass(frozen=True)
class Merits:
    """Merits of units that decide on their slots, one row for each unit.

    ``toughness``, ``reach`` (tiles of the weapon) and ``speed`` (tiles/s) are float64[n]; ``hurt`` bool[n].
    """

    toughness: np.ndarray
    reach: np.ndarray
    speed: np.ndarray
    hurt: np.ndarray


def order_by_type(merits: Merits, forward: np.ndarray, right: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Assign slots by type, int64[n].

    Hurt units stand inside, tough ones in front, fast ones on the flanks.

    There are as many slots as units. ``forward``, ``right`` and ``weight`` are the slots' columns; of slots equally
    far ahead the more important goes first. Of equally tough units a long reach stands behind. Of the units that
    share a rank the faster take its ends, unless all are equally fast.
    """
    n = len(merits.toughness)
    columns = merits.reach, merits.speed, merits.hurt, forward, right, weight
    if any(len(column) != n for column in columns):
        raise ValueError(f"{n} units, {len(forward)} slots, {len(weight)} weights: numbers must agree")
    ids, hurt = np.arange(n), np.asarray(merits.hurt, bool)
    inner = np.lexsort((ids, -np.asarray(weight, float), np.round(np.hypot(forward, right), 6)))[: int(hurt.sum())]
    outer = np.setdiff1d(ids, inner)
    tough = np.asarray(merits.toughness, float)
    taken = np.empty(n, np.int64)
    taken[np.flatnonzero(hurt)[np.lexsort((ids[hurt], tough[hurt]))]] = inner
    order = np.lexsort((ids, np.asarray(merits.reach, float), -tough))
    front = outer[np.lexsort((outer, -np.asarray(weight, float)[outer], -np.round(forward, 6)[outer]))]
    taken[order[~hurt[order]]] = front
    for ahead in np.unique(np.round(forward, 6)[outer]):
        row = np.flatnonzero(~hurt & (np.round(forward, 6)[taken] == ahead))
        if np.ptp(merits.speed[row]) > 0:
            ends = taken[row][np.lexsort((taken[row], -np.abs(np.round(right[taken[row]], 6))))]
            taken[row[np.lexsort((row, -np.asarray(merits.speed, float)[row]))]] = ends
    return taken


@dataclass(frozen=True)
class Roster:
    """Columns of a group that needs slots, as many slots as units.

    ``units`` and ``slots`` float64[n, 2] (x, y) are places in the world; ``merits`` are the units'. ``forward``,
    ``right``, ``weight`` float64[n] and ``rank`` int32[n] are the slots' columns in the group's frame. ``optimal`` is
    the largest number of units for the least sum of distances, which takes cubic time.
    """

    units: np.ndarray
    slots: np.ndarray
    merits: Merits
    forward: np.ndarray
    right: np.ndarray
    weight: np.ndarray
    rank: np.ndarray
    optimal: int


class SlotAssignment(Protocol):
    """Method that gives all units of a group their slots at once."""

    def __call__(self, roster: Roster) -> np.ndarray:
        """Return the slot of each unit, int64[n]."""


def _optimal(roster: Roster) -> np.ndarray:
    if len(roster.units) > roster.optimal:
        return _sorted(roster)
    # Squared distances: no member walks a long path so that others may stay.
    return assign_optimal(roster.units, roster.slots, squared=True)


def _sorted(roster: Roster) -> np.ndarray:
    ranks = len(np.unique(roster.rank))
    return assign_sorted(roster.units, roster.slots, ranks=min(ranks, len(roster.units)))


def _nearest(roster: Roster) -> np.ndarray:
    return assign_nearest(roster.units, roster.slots)


def _by_type(roster: Roster) -> np.ndarray:
    return order_by_type(roster.merits, roster.forward, roster.right, roster.weight)


SLOT_ASSIGNMENTS: dict[int, SlotAssignment] = {0: _optimal, 1: _sorted, 2: _nearest, 3: _by_type}
"""Methods by the code that drills and saves hold.

A code without a row assigns slots as units arrive.
"""


TECHNIQUES = (
    {
        "slug": "slot-assignment",
        "name": "Slot assignment: five methods",
        "ids": ("AW-5.6-3", "AW-5.6-4", "GP2-20.11"),
        "source": "AI Game Programming Wisdom, 5.6; Game AI Pro 2, ch. 20",
        "functions": ("assign_nearest", "assign_sorted", "assign_optimal"),
        "test": "tests/ai/formation/test_slot_assignment.py",
        "exhibit": "levels/exhibits/formation/scattered.assign.toml",
        "overlay": "slots",
        "setting": "formation.matching",
        "measure": "crossings",
        "direction": "down",
        "claim": "Greedy, sorted, optimal, by arrival and by type; roles are matched by the playbook.",
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
