"""Check of a world that comes from a file, before a kernel reads it.

Three layers: every array has the type and the number of dimensions of a new world's; columns of one record have one
length; ids, rows and tiles lie in their tables, and places on the map. The components of the map are built anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ai.animation.tracks.act_kinds import TRACKS_OF, WHOLE_BODY, ActStage, Reason, Status
from ai.animation.tracks.track_controller import (
    END_KIND,
    END_REASON,
    END_STATUS,
    END_UNIT,
    HANDLE,
    KIND,
    SLOT,
    STAGE,
    TARGET,
    UNIT,
)
from ai.core.serialization import StateError
from ai.grid.components import Components
from ai.paths.requests.request_columns import Phase
from ai.paths.store.path_store import PathStore
from ai.perception.awareness.vision import STANCES
from game.level.model import GROUNDS
from game.world.units import LabMark
from game.world.world import World

MARGIN = 2000.0
"""Tiles outside the map that a place may have.

Orders are clamped to 1,000."""
FAST = 1000.0
"""No speed, angle or weight of a unit is beyond this number."""

EQUAL_LENGTHS: dict[str, tuple[str, ...]] = {
    "Units": (),
    "Hearing": (),
    "Passages": (),
    "Requests": (),
    "Vision": ("seconds", "certainty"),
    "SteeringState": ("traffic",),
    "TeamSight": ("explored", "visible"),
    "PathStore": ("nodes", "points", "arena", "aim"),
    "CongestionMap": (),
    "Crowding": (),
    "Terrain": ("log", "cost_counts"),
    "Comrades": (),
}
"""Records whose arrays have one length, and the arrays that are none of them."""

NOT_A_NUMBER = {"turn_to"}
"""Columns of such a record in which NaN means that there is no value."""
FINITE = {"Units", "LightField"}
"""Records whose numbers must be finite: kernels make tiles of them."""


def check_world(world: World, fresh: World) -> None:
    """Raise StateError, in one line, when a world from a file cannot be played.

    ``fresh`` is a new world of the same level, seed and settings. The components of the map are built anew.
    """
    if not isinstance(world, World):
        raise StateError("the state file is damaged: it holds no world")
    kinds = _kinds_of(fresh)
    for place, owner, name, array in _arrays(world, "world"):
        _check_kind(place, kinds.get((type(owner).__name__, name)) or _default_kind(owner, name), array)
        if array.dtype.kind == "f" and name not in NOT_A_NUMBER and type(owner).__name__ in FINITE:
            _need(np.isfinite(array).all() and (np.abs(array) <= 1e9).all(), place, "holds what is no number to go by")
    for place, record in _records(world, "world"):
        _check_lengths(place, record)
        _check_plain(place, record)
    shape = fresh.terrain.passable.shape
    _need(world.terrain.passable.shape == shape, "world.terrain", f"is not of {shape[0]} x {shape[1]} tiles")
    for name in ("cost", "opaque", "cover"):
        _need(getattr(world.terrain, name).shape == shape, f"world.terrain.{name}", "has another size than the map")
    for name in ("loudness", "low"):
        _need(getattr(world, name).shape in (shape, (0, 0)), f"world.{name}", "has another size than the map")
    _need(world.light.level.shape == shape, "world.light.level", "has another size than the map")
    _need(world.sight.visible.shape == fresh.sight.visible.shape, "world.sight.visible", "has another size")
    _need(world.sight.explored.shape == fresh.sight.explored.shape, "world.sight.explored", "has another size")
    for known in world.sightings:
        for side in (known.chart.front, known.chart.back):
            _need(side.shape == (STANCES, *shape), "world.sightings.chart", "has another size than the map")
    for mine, new in (
        (world.turns.timeline, fresh.turns.timeline),
        (world.turns.groups_timeline, fresh.turns.timeline),
    ):
        _need(mine.count.shape == new.count.shape and len(mine.ran) == len(new.ran), "world.turns", "has other parts")
    _check_units(world, fresh)
    _check_acts(world, fresh)
    _check_strokes(world, shape)
    _check_columns(world, shape)
    _check_store(world.paths.store, shape[0] * shape[1])
    world.components = Components.build(world.terrain)


def _need(holds: bool | np.bool_, place: str, wrong: str) -> None:
    if not holds:
        raise StateError(f"the state file is damaged: {place} {wrong}")


def _records(node: Any, place: str) -> Iterator[tuple[str, Any]]:
    """Yield every record of a tree with its place."""
    if is_dataclass(node) and not isinstance(node, type):
        yield place, node
        for f in fields(node):
            if not f.metadata.get("derived"):
                yield from _records(getattr(node, f.name), f"{place}.{f.name}")
    elif isinstance(node, list | tuple):
        for item in node:
            if is_dataclass(item):
                yield from _records(item, place)
    elif isinstance(node, dict):
        for item in node.values():
            if is_dataclass(item):
                yield from _records(item, place)


def _arrays(node: Any, place: str) -> Iterator[tuple[str, Any, str, NDArray[Any]]]:
    """Yield every array of a tree: its place, its record, its name."""
    for where, record in _records(node, place):
        for f in fields(record):
            value = getattr(record, f.name)
            if isinstance(value, np.ndarray) and not f.metadata.get("derived"):
                yield f"{where}.{f.name}", record, f.name, value


def _kinds_of(fresh: World) -> dict[tuple[str, str], tuple[np.dtype[Any], int]]:
    """Return type and number of dimensions of each array of a new world."""
    found: dict[tuple[str, str], tuple[np.dtype[Any], int]] = {}
    for _, record in _records(fresh, "world"):
        for f in fields(record):
            value = getattr(record, f.name)
            if isinstance(value, np.ndarray):
                found[type(record).__name__, f.name] = value.dtype, value.ndim
    return found


def _default_kind(record: Any, name: str) -> tuple[np.dtype[Any], int] | None:
    """Return type and dimensions of an array field's default, None when it has none."""
    found = next(f for f in fields(record) if f.name == name)
    value = found.default_factory() if found.default_factory is not MISSING else None
    return (value.dtype, value.ndim) if isinstance(value, np.ndarray) else None


def _check_kind(place: str, kind: tuple[np.dtype[Any], int] | None, array: NDArray[Any]) -> None:
    if kind is not None:
        _need(array.dtype == kind[0], place, f"is of type {array.dtype}, not {kind[0]}")
        _need(array.ndim == kind[1], place, f"has {array.ndim} dimensions, not {kind[1]}")


PLAIN: dict[str, Any] = {"int": int, "float": (int, float), "bool": bool, "str": str}


def _check_plain(place: str, record: Any) -> None:
    """Refuse numbers, words and truth values of another type than the record declares."""
    for f in fields(record):
        kind = PLAIN.get(str(f.type))
        if kind is None or f.metadata.get("derived"):
            continue
        value = getattr(record, f.name)
        right = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
        _need(right, f"{place}.{f.name}", f"is of type {type(value).__name__}, not {f.type}")
        if isinstance(value, int) and not isinstance(value, bool):
            _need(-(1 << 63) <= value < 1 << 64, f"{place}.{f.name}", "is too large a number")


def _check_lengths(place: str, record: Any) -> None:
    """Refuse columns of different lengths in one record."""
    name = type(record).__name__
    if name not in EQUAL_LENGTHS:
        return
    lengths = {
        f.name: len(value)
        for f in fields(record)
        if isinstance(value := getattr(record, f.name), np.ndarray)
        and value.ndim
        and f.name not in EQUAL_LENGTHS[name]
        and not f.metadata.get("derived")
    }
    _need(len(set(lengths.values())) <= 1, place, f"has columns of different lengths ({_odd(lengths)})")


def _odd(lengths: dict[str, int]) -> str:
    """Return the column whose length is unlike most others."""
    values = list(lengths.values())
    usual = max(set(values), key=values.count)
    return next((f"{name}: {length}, not {usual}" for name, length in lengths.items() if length != usual), "none")


def _within(place: str, values: NDArray[Any], low: float, high: float) -> None:
    """Refuse values outside ``low <= value < high``."""
    if len(values) and not ((values >= low) & (values < high)).all():
        wrong = values[~((values >= low) & (values < high))].reshape(-1)[0]
        raise StateError(f"the state file is damaged: {place} holds {wrong}, which is not in {low:g} to {high:g}")


def _check_units(world: World, fresh: World) -> None:
    u = world.units
    n, height, width = u.count, *fresh.terrain.passable.shape
    _need(isinstance(n, int) and 0 <= n <= u.capacity, "world.units.count", "is more than there are slots")
    _need(isinstance(u.next_id, int) and n <= u.next_id <= len(u.slot_of), "world.units.next_id", "fits no table")
    ids = u.id[:n]
    _within("world.units.id", ids, 0, u.next_id)
    _need(len(np.unique(ids)) == n, "world.units.id", "names a unit twice")
    _within("world.units.slot_of", u.slot_of[: u.next_id], -1, max(n, 1))
    _need((u.slot_of[ids] == np.arange(n)).all(), "world.units.slot_of", "does not lead to the units")
    for name in ("target", "meter_target", "dragging"):
        _within(f"world.units.{name}", getattr(u, name)[:n], -1, u.next_id)
    tables = {
        "kind": len(world.types), "weapon": len(world.weapons), "side": world.sight.sides, "movement_class": 4,
        "stance": 3, "alive": 2, "moving": 2, "drill": max(1, len(world.groups.drills)), "mood": 3, "asleep": 2,
        "hidden": 3, "holding": 2, "lab": 2 * int(max(LabMark)),
    }  # fmt: skip
    for name, size in tables.items():
        _within(f"world.units.{name}", getattr(u, name)[:n], 0, size)
    for name in ("x", "prev_x"):
        _within(f"world.units.{name}", getattr(u, name)[:n], 0.0, width)
    for name in ("y", "prev_y"):
        _within(f"world.units.{name}", getattr(u, name)[:n], 0.0, height)
    for name in ("goal_x", "ordered_x", "slot_x", "lead_x", "seen_x"):
        _within(f"world.units.{name}", getattr(u, name)[:n], -MARGIN, width + MARGIN)
    for name in ("goal_y", "ordered_y", "slot_y", "lead_y", "seen_y"):
        _within(f"world.units.{name}", getattr(u, name)[:n], -MARGIN, height + MARGIN)
    for name in ("vx", "vy", "speed", "turn_rate", "facing", "head", "slot_f", "slot_r", "slot_a"):
        _within(f"world.units.{name}", getattr(u, name)[:n], -FAST, FAST)
    _within("world.units.radius", u.radius[:n], 0.0, 0.5)
    _within("world.units.ordered_at", u.ordered_at[:n], -1, height * width)
    known = {int(i) for i in ids}
    for place, keys in (("minds", world.minds), ("names", world.names), ("queues", world.queues)):
        _need(all(isinstance(k, int) and 0 <= k < u.next_id for k in keys), f"world.{place}", "names no unit")
    _need(set(world.minds) <= known, "world.minds", "has a mind without a unit")


def _check_columns(world: World, shape: tuple[int, ...]) -> None:
    height, width = shape
    n = world.units.count
    requests = world.paths.requests
    _within("world.paths.requests.phase", requests.phase, 0, max(Phase) + 1)
    _within("world.paths.requests.unit", requests.unit, -1, max(1, world.units.next_id))
    _within("world.paths.requests.movement_class", requests.movement_class, 0, 4)
    for name in ("ordered_at", "place", "nearest_tile", "goal"):
        rows = getattr(requests, name)
        _within(f"world.paths.requests.{name}", rows[:, 0], -1, height)
        _within(f"world.paths.requests.{name}", rows[:, 1], -1, width)
    for name in ("same_from", "same_to"):
        _within(f"world.paths.requests.{name}", getattr(requests, name), -1, height * width)
    sight = world.sight
    _within("world.sight.seen_y", sight.seen_y, -1, height)
    _within("world.sight.seen_x", sight.seen_x, -1, max(width, 1))
    _within("world.sight.seen_radius", sight.seen_radius, 0, sight.max_radius + 1)
    _within("world.sight.seen_side", sight.seen_side, 0, sight.sides)
    _within("world.vision.others", world.vision.others, -1, max(1, world.units.next_id))
    for array, place in ((world.vision.watcher, "vision.watcher"), (world.steering.give_to, "steering.give_to")):
        _within(f"world.{place}", array, -1, max(1, world.units.next_id))
    _within("world.steering.pipeline", world.steering.pipeline, 0, 256)
    _need(len(world.passages.act) <= max(n, world.units.capacity), "world.passages", "has more rows than units")
    for place, rows in (
        ("passages.post", world.passages.post),
        ("paths.store.points", world.paths.store.points),
        ("paths.store.end_point", world.paths.store.end_point),
    ):
        none = np.isnan(rows)
        _need((none[:, 0] == none[:, 1]).all(), f"world.{place}", "holds half a place")
        there = rows[~none[:, 0]]
        _within(f"world.{place}", there[:, 0], -MARGIN, width + MARGIN)
        _within(f"world.{place}", there[:, 1], -MARGIN, height + MARGIN)
    if len(world.light.lamps):
        _within("world.light.lamps", world.light.lamps[:, :2], -MARGIN, max(height, width) + MARGIN)
        _within("world.light.lamps", world.light.lamps[:, 2], 0.0, 256.0)
    if world.crowding is not None:
        for crowd in (world.crowding.map, *world.crowding.others.values()):
            size = crowd.density.shape
            same = crowd.vx.shape == size and crowd.vy.shape == size and size == world.crowding.map.density.shape
            _need(same, "world.crowding", "has maps of different sizes")


def _check_acts(world: World, fresh: World) -> None:
    """Refuse orders of bodies with an unknown unit, kind or stage."""
    acts, units = world.acts, max(1, world.units.next_id)
    place = "world.acts"
    for name, table in ((f"{place}.kinds", acts.kinds), ("world.act_rows", world.act_rows)):
        _need(table.shape == fresh.acts.kinds.shape, name, "is not a table of this version's acts")
        _within(name, table[:, TRACKS_OF], 1, WHOLE_BODY + 1)
        _within(name, table, 0, 1001)
    _need(acts.rows.shape[1:] == fresh.acts.rows.shape[1:], f"{place}.rows", "has another number of columns")
    _need(acts.ends.shape[1:] == fresh.acts.ends.shape[1:], f"{place}.ends", "has another number of columns")
    _need(len(acts.values) == len(acts.rows), f"{place}.values", "has another length than the rows")
    _need(0 <= acts.count <= len(acts.rows), f"{place}.count", "is more than there are rows")
    _need(acts.total.shape == (1,) and len(acts.ends) > 0, f"{place}.total", "counts no ring of ends")
    live, total = acts.rows[: acts.count], int(acts.total[0])
    _need(0 <= acts.read <= total <= acts.given, f"{place}.total", "fits no orders given")
    _within(f"{place}.rows", live[:, UNIT], 0, units)
    _within(f"{place}.rows", live[:, KIND], 0, len(acts.kinds))
    _within(f"{place}.rows", live[:, STAGE], 0, len(ActStage))
    _within(f"{place}.rows", live[:, SLOT], 0, 2)
    _within(f"{place}.rows", live[:, TARGET], -1, units)
    _within(f"{place}.rows", live[:, HANDLE], 0, max(1, acts.given))
    ends = acts.ends[np.arange(max(0, total - len(acts.ends)), total) % len(acts.ends)]
    _within(f"{place}.ends", ends[:, END_UNIT], 0, units)
    _within(f"{place}.ends", ends[:, END_KIND], 0, len(acts.kinds))
    _within(f"{place}.ends", ends[:, END_STATUS], 0, len(Status))
    _within(f"{place}.ends", ends[:, END_REASON], 0, len(Reason))
    _need(bool(np.isfinite(acts.values[: acts.count]).all()), f"{place}.values", "holds what is no number to go by")


def _check_strokes(world: World, shape: tuple[int, ...]) -> None:
    """Refuse strokes of the sandbox whose tiles do not lie on the map."""
    work, place = world.brushwork, "world.brushwork"
    for patch in (patch for stroke in (*work.done, *work.undone) for patch in stroke.patches):
        size = patch.before.shape
        _need(len(size) == 3 and size[0] == 6 and patch.after.shape == size, place, "has tiles without six values")
        _need(patch.before.dtype == np.uint8 == patch.after.dtype, place, "has values that are no bytes")
        inside = 0 <= patch.y0 <= shape[0] - size[1] and 0 <= patch.x0 <= shape[1] - size[2]
        _need(inside and 0 not in size, place, "has tiles outside the map")
        grounds = np.stack([patch.before[5], patch.after[5]])
        _need(((grounds < len(GROUNDS)) | (grounds == 255)).all(), place, "has tiles of an unknown ground")
        values = np.stack([patch.before[:4], patch.after[:4]])
        _need((values[:, 2] <= 1).all() and (values[:, 1] >= 1).all(), place, "has tiles with impossible values")


def _check_store(store: PathStore, tiles: int) -> None:
    """Refuse a store whose waypoint lists leave it, share rows, or do not end."""
    rows, place = len(store.nodes), "world.paths.store"
    _need(store.nodes.ndim == 2 and store.nodes.shape[1] == 3, f"{place}.nodes", "has no three columns")
    _need(store.points.shape == (rows, 2) or not len(store.points), f"{place}.points", "fits no waypoints")
    _need(store.arena.shape == (2,), f"{place}.arena", "has no two numbers")
    _within(f"{place}.nodes", store.nodes[:, 0], 0, tiles)
    _within(f"{place}.nodes", store.nodes[:, 1], -1, rows)
    _within(f"{place}.arena", store.arena, -1, rows + 1)
    _within(f"{place}.ends", store.ends, -1, max(rows, 1))
    _within(f"{place}.path_len", store.path_len, 0, rows + 1)
    _within(f"{place}.goal", store.goal, -1, tiles)
    _need(store.aim.shape == (6, len(store.path_len)), f"{place}.aim", "has not one column a slot")
    visited = np.zeros(rows, np.int64)
    slots = np.flatnonzero(store.path_len > 0)
    row, left = store.ends[slots, 0], store.path_len[slots].copy()
    while len(slots):
        _need((row >= 0).all(), place, "has a path that ends too soon")
        np.add.at(visited, row, 1)
        _need(visited.max(initial=0) <= 1, place, "has paths that share a waypoint")
        last = left == 1
        _need((row[last] == store.ends[slots[last], 1]).all(), place, "has a path whose end is another's")
        left -= 1
        slots, row, left = slots[~last], store.nodes[row[~last], 1], left[~last]
    free, count = int(store.arena[0]), 0
    while free >= 0:
        _need(free < rows and not visited[free] and count <= rows, place, "has a list of free rows that does not end")
        visited[free] = 1
        free, count = int(store.nodes[free, 1]), count + 1
