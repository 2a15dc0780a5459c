"""Danger memory: witnesses, ways round against a flood, time of refusal."""

import heapq
from pathlib import Path

import numpy as np

from ai.perception.memory.danger_regions import (
    AFTER_DEATH,
    AFTER_HIT,
    SIDE,
    DangerRegions,
    enters,
    region_at,
    region_box,
    wary_cost,
)
from game.level.level_writer import LevelBuilder
from game.level.reading import load_level
from game.minds.squad.coordinator import passages
from game.sim.session import Session
from game.systems.tactics.danger_memory import Passage, passage, witness_hit
from game.world.orders import Order, OrderKind

ROWS = """
........................
........................
.######.###########.###.
.#....................#.
.#....................#.
.######.###########.###.
........................
........................
""".strip("\n")


def _session(tmp_path: Path) -> Session:
    """Return four soldiers in a corridor, one outside, and an enemy."""
    level = LevelBuilder.from_letters(ROWS, title="Corridor")
    for x, y in ((3.5, 3.5), (4.5, 3.5), (5.5, 4.5), (12.5, 3.5), (3.5, 0.5)):
        level.add("spawn", x, y, kind="soldier", side="raiders")
    level.add("spawn", 22.5, 7.5, kind="soldier", side="guards")
    level.write(tmp_path / "corridor.tmx")
    return Session(load_level(tmp_path / "corridor.tmx"), 1, recording=False)


def _crosses(world, unit: int, goal: tuple[int, int]) -> tuple[bool, bool]:
    """Return whether a way avoids refused tiles, and whether there is any."""
    slot = world.units.slot(unit)
    refused = np.zeros(world.terrain.passable.shape, bool)
    for region, _ in world.tactics.dangers.of(unit):
        y0, x0, y1, x1 = region_box(region)
        refused[y0:y1, x0:x1] = True
    found = []
    for closed in (refused, np.zeros_like(refused)):
        start = int(world.units.y[slot]), int(world.units.x[slot])
        seen, heap = {start}, [(0, start)]
        while heap:
            cost, (y, x) = heapq.heappop(heap)
            for ny, nx in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)):
                inside = 0 <= ny < refused.shape[0] and 0 <= nx < refused.shape[1]
                if inside and (ny, nx) not in seen and world.terrain.passable[ny, nx] & 1 and not closed[ny, nx]:
                    seen.add((ny, nx))
                    heapq.heappush(heap, (cost + 1, (ny, nx)))
        found.append(goal in seen)
    return found[0], found[1]


def test_only_witnesses_remember_and_pass_round_or_refuse_until_the_time_is_over(tmp_path: Path) -> None:
    world = _session(tmp_path).world
    world.settings.tactics.danger_memory = True
    dangers, tick = world.tactics.dangers, world.tick
    witness_hit(world, 3, killed=False)
    assert sorted(dangers.until) == [0, 1, 2, 3], "behind the wall nothing was seen, and an enemy does not care"
    assert dangers.of(0) == [(region_at(3, 12), tick + AFTER_HIT)]
    assert passage(world, 4, (20.5, 3.5)) == Passage.FREE and passage(world, 0, (7.5, 0.5)) == Passage.FREE
    for goal in ((20, 3), (16, 3), (13, 4), (2, 4), (23, 0)):
        round_it, any_way = _crosses(world, 0, (goal[1], goal[0]))
        got = passage(world, 0, (goal[0] + 0.5, goal[1] + 0.5))
        assert any_way and (got == Passage.REFUSED) == (not round_it), goal
    assert passage(world, 0, (20.5, 3.5)) == Passage.ROUND, "out of the corridor by one gap, in by the other"

    witness_hit(world, 3, killed=True)
    dangers.forget(tick + AFTER_HIT)
    assert dangers.of(0) == [(region_at(3, 12), tick + AFTER_DEATH)], "a death is remembered longer"
    version = dangers.version
    dangers.forget(tick + AFTER_DEATH)
    assert not dangers.until and dangers.version > version
    assert passage(world, 0, (20.5, 3.5)) == Passage.FREE, "after its time the old way is taken again"
    world.settings.tactics.danger_memory = False
    witness_hit(world, 3, killed=True)
    assert not dangers.until


def test_a_squad_holds_members_back_and_sends_them_when_the_memory_ends(tmp_path: Path) -> None:
    session = _session(tmp_path)
    world, u = session.world, session.world.units
    world.settings.tactics.danger_memory = True
    session.give(Order(int(OrderKind.EDIT), points=(19.0, 5.0, 20.0, 6.0, 0.0, -1.0, 1.0, -1.0)))
    session.give(Order(int(OrderKind.EDIT), points=(19.0, 2.0, 20.0, 3.0, 0.0, -1.0, 1.0, -1.0)))
    session.give(Order(int(OrderKind.SQUAD), 0, (0, 1), 20.5, 3.5, name="hold"))
    said = []
    for _ in range(12):
        session.advance()
    assert u.moving[:2].all()
    witness_hit(world, 3, killed=False)
    for _ in range(AFTER_HIT - 20):
        session.advance()
        said += [e.text for e in world.events if "refuses" in e.text]
    squad = world.squads.rows[0]
    assert len(said) == 2 and set(passages(world, squad, squad.task).values()) == {Passage.REFUSED}
    assert (u.x[:2] < region_box(region_at(3, 12))[1]).all() and not u.moving[:2].any()
    for _ in range(120):
        session.advance()
    assert (u.x[:2] > 12).all(), "the memory is over and the goal is reached by the direct way"


def test_costs_and_paths_of_refused_ground_are_those_of_a_table() -> None:
    cost = np.array([[8, 8, 40], [0, 8, 8]], np.uint8)
    refused = np.array([[True, False, True], [True, False, False]])
    assert wary_cost(cost, refused).tolist() == [[240, 8, 255], [0, 8, 8]]
    path = np.array([(0, 1), (1, 1), (1, 2)], np.int32)
    assert not enters(path, refused) and not enters(path[:1], refused)
    assert enters(np.array([(0, 1), (0, 2)], np.int32), refused)
    assert not enters(np.array([(0, 0), (0, 1)], np.int32), refused), "leaving is allowed"
    regions = DangerRegions()
    regions.stamp(7, region_at(SIDE, 0), 100, 50)
    regions.stamp(7, region_at(SIDE, 0), 110, 20)
    assert regions.of(7) == [(region_at(SIDE, 0), 150)], "a shorter refusal does not end a longer one"
    tiles = regions.tiles(7, (2 * SIDE, SIDE + 1))
    assert tiles.sum() == SIDE * SIDE and tiles[SIDE:, :SIDE].all()


def test_refusals_and_entered_ground_equal_tables_over_random_stamps() -> None:
    rng = np.random.default_rng(2)
    for _ in range(20):
        regions, ends, changes = DangerRegions(), dict[tuple[int, int], int](), 0
        for tick in np.cumsum(rng.integers(0, 9, 25)).tolist():
            unit, region, ticks = (int(v) for v in rng.integers((0, 0, 1), (3, 4, 60)))
            regions.stamp(unit, region, tick, ticks)
            if tick + ticks > ends.get((unit, region), 0):
                ends[unit, region], changes = tick + ticks, changes + 1
            assert regions.version == changes
            for one in range(3):
                assert regions.of(one) == sorted((r, end) for (u, r), end in ends.items() if u == one)
        refused = rng.random((4, 5)) < 0.4
        path = rng.integers((0, 0), (4, 5), (int(rng.integers(1, 7)), 2)).astype(np.int32)
        steps = zip(path[:-1].tolist(), path[1:].tolist(), strict=True)
        assert enters(path, refused) == any(refused[tuple(b)] and not refused[tuple(a)] for a, b in steps)
