"""Influence pipeline: source, falloff, spread and schedule of each layer of a side.

Sources: Dave Mark, Game AI Pro 2, 30.4 and 30.5 (proximity and threat of each faction; cleared and stamped anew about
once a second, into a back buffer that is swapped when it is complete); Kevin Dill, Game AI Pro 2, 31.4.1 (sides are
stored apart and never subtracted at storage); Ian Millington and John Funge, AI for Games, 6.2.2 (a pass over many
frames, readers use the last complete map).

A layer is a row of data. A side takes its list of sources when a pass begins: its own units, and the enemies that it
knows of. A counted number of stamps is made each tick. Readers see the maps of the last complete pass, all of one tick.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from ai.core.serialization import digested_by, record
from ai.influence.falloff_curves import CURVES
from ai.influence.limited_spread import SPREADS, SpreadGround, add_scaled, reach_in_tiles, stamp_of

OWN, ENEMIES = "own", "enemies"
SETS = (OWN, ENEMIES)
REACHES = ("run", "weapon", "fixed")
"""Units of a row's ``reach``: seconds of running, weapon ranges, or tiles."""
WORK = {"open": 1, "sight": 1, "path": 6}
"""Work of a stamp by its law of spread.

A walk over paths takes about six times as long as a look.
"""
COLUMNS = 6
"""Columns of sources.

They are x, y, strength, run speed (tiles/s), weapon range (tiles), unit id.
"""


@record
class LayerRow:
    """Layer as data: whose units, how strong, how far, by which law."""

    name: str
    of: str = OWN
    curve: str = "linear"
    reach_of: str = "run"
    reach: float = 2.0
    spread: str = "open"
    strength: float = 1.0


def _map() -> NDArray[np.float32]:
    return np.zeros((0, 0), np.float32)


@record
class Layer:
    """Maps of one layer: the published one, and the one that grows."""

    published: NDArray[np.float32] = digested_by("digest")
    growing: NDArray[np.float32] = digested_by("growing_digest")
    digest: int = 0
    """Digest of the published map's sources.

    A digest of its tiles took a millisecond a side.
    """
    growing_digest: int = 0
    progress: int = 0
    """Number of stamps in the growing map."""


@record
class SideInfluence:
    """All layers of one side, and the state of its pass.

    ``sources`` maps OWN and ENEMIES to ``float64[n, 6]`` as the pass began; ``cursor`` counts its stamps.
    """

    side: int
    layers: dict[str, Layer] = field(default_factory=dict)
    sources: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    stamped: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    """Sources of the published maps."""
    cursor: int = -1
    began: int = -1
    published_at: int = -1
    """Tick of the published sources; -1 before the first pass."""
    passes: int = 0
    asked_at: int = -1
    """Tick of the last reader."""

    def maps(self) -> dict[str, NDArray[np.float32]]:
        """Return the published maps by name; none before the first pass ends."""
        return {name: layer.published for name, layer in self.layers.items()} if self.published_at >= 0 else {}


@record
class InfluenceMaps:
    """Influence of all sides that have readers."""

    rows: list[LayerRow] = field(default_factory=list)
    sides: list[SideInfluence] = field(default_factory=list)
    work: int = 0
    """Work of the last tick."""
    most_work: int = 0
    """Most work in one tick so far."""
    total: int = 0
    """Stamps since the start."""

    def of(self, side: int) -> SideInfluence | None:
        """Return the maps of a side, None when it never had a reader."""
        return next((s for s in self.sides if s.side == side), None)

    def want(self, side: int, tick: int) -> SideInfluence:
        """Return the maps of a side, which are updated from now on."""
        found = self.of(side)
        if found is None:
            found = SideInfluence(side)
            self.sides.append(found)
            self.sides.sort(key=lambda s: s.side)
        found.asked_at = tick
        return found


def check_rows(rows: Sequence[LayerRow], where: str = "influence") -> None:
    """Raise ValueError that names the row and the wrong key."""
    for row in rows:
        for key, value, allowed in (
            ("of", row.of, SETS), ("curve", row.curve, tuple(CURVES)), ("reach_of", row.reach_of, REACHES),
            ("spread", row.spread, SPREADS),
        ):  # fmt: skip
            if value not in allowed:
                raise ValueError(f"{where}: [{row.name}] {key}: {value!r} is none of {', '.join(allowed)}")
        if not 0 < row.reach <= 64:
            raise ValueError(f"{where}: [{row.name}] reach: must lie above 0 and at most 64, got {row.reach}")
    names = [row.name for row in rows]
    if len(set(names)) < len(names):
        raise ValueError(f"{where}: a layer stands twice: {', '.join(sorted(n for n in names if names.count(n) > 1))}")


def reach_of(row: LayerRow, source: Sequence[float]) -> int:
    """Return the reach of a source in a layer, in whole tiles."""
    factor = {"run": source[3], "weapon": source[4], "fixed": 1.0}[row.reach_of]
    return min(reach_in_tiles(row.reach * factor), 64)


def direct_map(row: LayerRow, sources: Mapping[str, NDArray[np.float64]], ground: SpreadGround) -> NDArray[np.float32]:
    """Return a layer's map in one pass, for tests, benches and views."""
    out = np.zeros((ground.height, ground.width), np.float32)
    for source in sources.get(row.of, np.zeros((0, COLUMNS))).tolist():
        _stamp(out, row, source, ground)
    return out


def advance(
    maps: InfluenceMaps,
    take: Callable[[int], dict[str, NDArray[np.float64]]],
    ground: SpreadGround,
    tick: int,
    period: int = 20,
    budget: int = 48,
    idle: int = 200,
) -> list[int]:
    """Make stamps for ``budget`` units of work; return the sides with new maps.

    ``take(side)`` returns the sources of a side now. A pass begins ``period`` ticks after the last one began. At most
    one side begins in a tick. A side without a reader for ``idle`` ticks begins no pass. A tick makes one stamp at
    least. ValueError for a budget below 1.
    """
    if budget < 1:
        raise ValueError(f"the budget is at least 1 a tick, got {budget}")
    maps.work, done, began = 0, [], False
    for state in maps.sides:
        if state.cursor < 0:
            if began or tick - state.asked_at > idle or (state.began >= 0 and tick - state.began < period):
                continue
            _begin(state, maps.rows, take(state.side), ground, tick)
            began = True
        _continue(state, maps, ground, budget)
        if state.cursor >= _stamps_of(state, maps.rows):
            _publish(state)
            done.append(state.side)
    maps.most_work = max(maps.most_work, maps.work)
    return done


def _stamps_of(state: SideInfluence, rows: Sequence[LayerRow]) -> int:
    return sum(len(state.sources[row.of]) for row in rows)


def _begin(
    state: SideInfluence, rows: Sequence[LayerRow], sources: dict[str, NDArray[np.float64]], ground: SpreadGround,
    tick: int,
) -> None:  # fmt: skip
    shape = ground.height, ground.width
    state.sources = {of: np.ascontiguousarray(sources.get(of, np.zeros((0, COLUMNS)))) for of in SETS}
    state.began, state.cursor = tick, 0
    for row in rows:
        layer = state.layers.get(row.name)
        if layer is None or layer.published.shape != shape:
            layer = state.layers[row.name] = Layer(np.zeros(shape, np.float32), np.zeros(shape, np.float32))
        layer.growing, layer.progress = np.zeros(shape, np.float32), 0
        layer.growing_digest = _digest(tick, 0, row, state.sources[row.of])
    state.layers = {row.name: state.layers[row.name] for row in rows}


def _continue(state: SideInfluence, maps: InfluenceMaps, ground: SpreadGround, budget: int) -> None:
    for row in maps.rows:
        sources = state.sources[row.of]
        layer = state.layers[row.name]
        work = WORK[row.spread]
        while layer.progress < len(sources):
            if maps.work and maps.work + work > budget:
                return
            _stamp(layer.growing, row, sources[layer.progress].tolist(), ground)
            layer.progress += 1
            layer.growing_digest += 1
            state.cursor += 1
            maps.work += work
            maps.total += 1


def _stamp(out: NDArray[np.float32], row: LayerRow, source: Sequence[float], ground: SpreadGround) -> None:
    x, y, strength = source[:3]
    stamp = stamp_of(ground, row.spread, row.curve, int(y), int(x), reach_of(row, source))
    add_scaled(out, stamp, row.strength * strength)


def _digest(tick: int, progress: int, row: LayerRow, sources: NDArray[np.float64]) -> int:
    """Return a number that differs for maps of other sources, rows or ticks."""
    return (tick << 64) + (zlib.crc32(repr(row).encode() + sources.tobytes()) << 32) + progress


def _publish(state: SideInfluence) -> None:
    for layer in state.layers.values():
        layer.published, layer.growing = layer.growing, _map()
        layer.digest, layer.growing_digest, layer.progress = layer.growing_digest, 0, 0
    state.published_at, state.cursor, state.stamped = state.began, -1, state.sources
    state.passes += 1


TECHNIQUES = (
    {
        "slug": "influence-pipeline",
        "name": "Influence layers in time slices",
        "ids": ("AFG6.2.4", "GP2-30.1", "GP2-30.5", "IA.2"),
        "source": "Game AI Pro 2, 30.4 and 30.5; AI for Games, 6.2.2",
        "functions": ("advance", "direct_map"),
        "test": "tests/ai/influence/test_influence_pipeline.py",
        "exhibit": "levels/exhibits/influence/front.slices.toml",
        "overlay": "layer_control",
        "setting": "tactics.work",
        "measure": "statistic",
        "direction": "down",
        "claim": (
            "Layers of proximity and threat from what a side knows; a pass begins each second. Maps of tension "
            "and vulnerability are not made."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
