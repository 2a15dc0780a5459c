"""Possibility map of a lost raider: the end tiles of all unobserved paths.

The paths begin at the last seen position.
Oracle: trajectories sampled by tests/ai/perception/trajectories.py that avoid the tiles surely seen in each tick.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game.systems.stealth import side_knowledge
from game.world.orders import OrderKind
from tests.ai.perception.trajectories import sampled_end_tiles
from tests.game.sim.play import Play, guard, raider, yard

WALLED = [
    "ssssssssssss#sssss",
    "ssssssssssss#sssss",
    "ssssssssssss#sssss",
    "ssssssssssssssssss",
    "ssssssssssss#sssss",
    "ssssssssssss#sss##",
    "ssssssssssss#sssss",
]
RUN_PARTS = 5
"""Parts of a tile; a run of 4 tiles/s is one a tick."""


def test_the_possibility_map_equals_the_ends_of_unseen_trajectories(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    builder = yard("\n".join(WALLED))
    guard(builder, 3.5, 3.5, facing=0.0)
    raider(builder, 8.5, 3.5)
    play = Play(tmp_path, builder, minds__grace=0, vision__far_seconds=0.2)
    passable = play.world.terrain.passable
    looks: dict[int, np.ndarray] = {}
    honest = side_knowledge._surely_seen

    def noted(world: Any, unit: int) -> tuple[int, int, np.ndarray]:
        y0, x0, seen = honest(world, unit)
        mask = looks.setdefault(world.tick, np.zeros(passable.shape, bool))
        mask[y0 : y0 + seen.shape[0], x0 : x0 + seen.shape[1]] |= seen
        return y0, x0, seen

    monkeypatch.setattr(side_knowledge, "_surely_seen", noted)
    heard: dict[int, np.ndarray] = {}
    sure = side_knowledge.barriers_of

    def listened(world: Any, ears: Any) -> np.ndarray | None:
        barred = sure(world, ears)
        if barred is not None:
            heard[world.tick] = barred
        return barred

    monkeypatch.setattr(side_knowledge, "barriers_of", listened)
    play.run_until("identified", "Odo", 40)
    play.order("Ann", OrderKind.MOVE, x=13.5, y=3.5)
    play.order("Ann", OrderKind.MOVE, x=13.5, y=1.5, queued=True)
    charts: dict[int, set[tuple[int, int]]] = {}
    begun, place = 0, (0.0, 0.0)
    for _ in range(120):
        play.run()
        known = next((k for k in play.world.knowledge if k.maps and not k.maps[0].settled), None)
        if known is None:
            continue
        if not charts:
            belief = known.beliefs.about[play.unit("Ann")]
            begun, place = belief.tick, (belief.y, belief.x)
        charts[play.world.tick] = {(int(y), int(x)) for y, x in np.argwhere(known.maps[0].possible)}
        if len(charts) == 24:
            break
    nothing = np.zeros(passable.shape, bool)
    observed = [looks.get(t, nothing) | (heard.get(t, nothing) != 0) for t in range(begun + 1, max(charts) + 1)]
    start = 2 * int(place[0] * RUN_PARTS) + 1, 2 * int(place[1] * RUN_PARTS) + 1
    ends = sampled_end_tiles(passable & 1, {start}, observed, RUN_PARTS)
    assert charts == {tick: ends[tick - begun - 1] for tick in range(min(charts), max(charts) + 1)}
    assert len(charts) == 24 and len(ends[-1]) > 12, "the raider was lost and had room to run"
    assert any(seen[y, x] for seen, was in zip(observed[1:], ends, strict=False) for y, x in was), (
        "looks excluded tiles"
    )
