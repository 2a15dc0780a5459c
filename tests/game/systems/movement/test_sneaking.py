"""Order SNEAK: the path includes stances and is planned again during the walk.

Oracles: positions, two runs that differ in one condition, and the worked example of the source.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ai.grid.movement_classes import MovementClass
from ai.tactics.unseen_paths import cost_by_stance, cost_of_path
from game.systems.movement.sneaking import sneak_path
from game.systems.stealth.watcher_intel import sightings_of
from game.world.orders import Order, OrderKind
from game.world.units import Pace, Stance
from tests.ai.tactics.test_unseen_paths import dijkstra
from tests.game.sim.play import Play, guard, raider, yard

WALL = "\n".join(["s" * 30] * 6 + ["s" * 8 + "#" * 12 + "s" * 10] * 2 + ["s" * 30] * 8)


def test_the_sneak_path_changes_when_the_watcher_changes_sides(tmp_path: Path) -> None:
    """Watch a wall from the north, then let the guard move to the south.

    The raider sneaks south of the wall in the first run and north of it in the second.
    """
    paths = []
    for turned in (False, True):
        builder = yard(WALL)
        guard(builder, 14.5, 0.5, facing=270.0 if turned else 90.0)
        raider(builder, 4.5, 6.5)
        play = Play(tmp_path, builder, noise__steps=False, rules__sneak_weight=6.0).run(8)
        play.order("Ann", OrderKind.SNEAK, x=24.5, y=6.5)
        play.run(40)
        if turned:
            u, slot = play.world.units, play.slot("Odo")
            # The guard moves to the other side of the wall.
            u.y[slot] = u.prev_y[slot] = 12.5
            play.world.minds[play.unit("Odo")].beliefs.patrol.post = (14.5, 12.5)
        play.run(230)
        path = play.world.recording["sneaks"][play.unit("Ann")]
        paths.append(float(path[:, 0].max()))
        assert play.world.units.x[play.slot("Ann")] > 14
    assert paths[0] >= 8 > paths[1], "south of the wall, then north of it"


def test_a_sneak_path_has_the_least_cost_by_dijkstra(tmp_path: Path) -> None:
    """Compute the costs in the test and compare the path with Dijkstra.

    The cost of a tile is that of the cheapest stance: its slowness plus the weighted number of watchers.
    """
    builder = yard(WALL)
    guard(builder, 14.5, 0.5, facing=90.0)
    raider(builder, 4.5, 6.5)
    play = Play(tmp_path, builder, noise__steps=False, rules__sneak_weight=6.0).run(8)
    world, known = play.world, sightings_of(play.world, 0)
    assert known is not None and known.chart.front.any()
    kind = world.types[int(world.units.kind[play.slot("Ann")])]
    each = [
        kind.walk / v + 6.0 * known.chart.front[s].astype(float)
        for s, v in enumerate((kind.walk, kind.crouch, kind.prone))
    ]
    cost = np.clip(np.rint(world.terrain.cost * np.minimum.reduce(each)), 1, 255).astype(np.int64)
    for goal in ((6, 24), (14, 24), (1, 28)):
        path = sneak_path(world, play.slot("Ann"), (6, 4), goal)
        expected = dijkstra(world.terrain.passable & 1, cost, (6, 4), goal)
        assert path is not None and cost_of_path(path, cost.astype(np.uint8)) == pytest.approx(expected, rel=1e-4)


def test_a_watcher_out_of_sight_is_remembered_until_its_place_is_seen_empty(
    tmp_path: Path,
) -> None:
    builder = yard("\n".join(["s" * 30] * 14))
    guard(builder, 12.5, 7.5, facing=0.0)
    raider(builder, 4.5, 7.5)
    play = Play(tmp_path, builder).run(8)
    known = sightings_of(play.world, 0)
    odo = play.unit("Odo")
    assert known is not None and known.chart.rounds > 0
    assert (known.about[odo].x, known.about[odo].y) == (12.5, 7.5)
    u, slot = play.world.units, play.slot("Odo")
    play.world.sight.visible[0] = 0
    u.x[slot] = u.prev_x[slot] = 28.5
    u.x[play.slot("Ann")] = u.prev_x[play.slot("Ann")] = 1.5
    u.y[play.slot("Ann")] = u.prev_y[play.slot("Ann")] = 1.5
    tick, forgotten = play.world.tick, 0
    while odo in known.about:
        assert known.about[odo].tick <= tick and known.about[odo].x == 12.5, "where it was, not where it is"
        play.run(1)
        forgotten += 1
    assert 1 <= forgotten <= 48
    assert odo not in known.about, "the place is in sight, and the guard is not there"


def test_a_crawler_lies_in_a_vent_in_each_tick_and_rises_behind_it(tmp_path: Path) -> None:
    builder = yard("\n".join(["s" * 24] * 10))
    raider(builder, 3.5, 4.5, kind="crawler")
    play = Play(tmp_path, builder)
    vent = np.zeros((10, 24), bool)
    vent[:, 8:12] = True
    play.world.terrain.edit(0, 8, 10, 12, passable=1 << MovementClass.CRAWL)
    play.run()
    play.order("Ann", OrderKind.MOVE, x=20.5, y=4.5)
    slot = play.slot("Ann")
    inside, after = 0, []
    for _ in range(400):
        play.run()
        u = play.world.units
        x, y = float(u.x[slot]), float(u.y[slot])
        if vent[int(y), int(x)]:
            inside += 1
            assert u.stance[slot] == Stance.PRONE, f"upright in the vent at {x:.2f}"
        elif x > 13.0:
            after.append(int(u.stance[slot]))
    assert inside > 20 and after and set(after[1:]) == {Stance.STAND}


def test_a_crawler_ordered_to_crouch_in_a_vent_crouches_behind_it(tmp_path: Path) -> None:
    builder = yard("\n".join(["s" * 24] * 10))
    raider(builder, 9.5, 4.5, kind="crawler")
    play = Play(tmp_path, builder)
    play.world.terrain.edit(0, 8, 10, 12, passable=1 << MovementClass.CRAWL)
    play.run(2)
    slot = play.slot("Ann")
    assert play.world.units.stance[slot] == Stance.PRONE
    play.order("Ann", OrderKind.STANCE, value=1.0)
    play.run(2)
    assert play.world.units.stance[slot] == Stance.PRONE
    play.order("Ann", OrderKind.MOVE, x=16.5, y=4.5)
    play.run(160)
    assert play.world.units.stance[slot] == Stance.CROUCH


def test_the_stance_on_each_tile_is_the_cheapest_by_the_formula() -> None:
    noticed = np.array([[[2, 0, 1]], [[0, 0, 1]], [[0, 0, 0]]])
    cost, stance = cost_by_stance(np.full((1, 3), 8, np.uint8), noticed, (1.0, 1.25, 2.5), 3.0)
    # The costs with V watchers: standing 1 + 3V, crouched 1.25 + 3V, lying 2.5 + 3V.
    assert stance.tolist() == [[1, 0, 2]]
    assert cost.tolist() == [[10, 8, 20]]


def test_a_sneaking_unit_crouches_behind_a_fence_and_then_resumes_stance_and_pace(tmp_path: Path) -> None:
    for hides in (True, False):
        builder = yard("\n".join(["s" * 30] * 4 + ["s" * 6 + "#" + "s" * 16 + "#" + "s" * 6] + ["s" * 30] * 4))
        guard(builder, 14.5, 1.5, facing=90.0)
        raider(builder, 3.5, 6.5)
        for x in range(7, 23):
            if hides:
                builder.add("prop", x + 0.5, 4.5, kind="fence", blocks="no")
        play = Play(tmp_path, builder, noise__steps=False, rules__sneak_weight=6.0).run(8)
        play.order("Ann", OrderKind.SNEAK, x=26.5, y=6.5)
        low = 0
        for _ in range(560 if hides else 260):
            if hides and play.happened("arrived", "Ann"):
                break
            play.run()
            low += int(play.world.units.stance[play.slot("Ann")] > 0)
        play.run(2)
        assert (low > 100) == hides
        assert bool(play.happened("identified", "Odo")) != hides
        if hides:
            u = play.world.units
            assert u.stance[play.slot("Ann")] == Stance.STAND and u.pace[play.slot("Ann")] == Pace.RUN
            assert not play.world.sneaks


def test_units_sneak_behind_the_same_wall_with_and_without_a_formation(tmp_path: Path) -> None:
    """Order four units to sneak past a guard in the north of a wall.

    With a formation the units report that they go alone; in both runs they go south of the wall.
    """
    behind = {}
    for shape in ("", "column"):
        builder = yard("\n".join(["s" * 40] * 12 + ["s" * 8 + "#" * 24 + "s" * 8] + ["s" * 40] * 11))
        for k in range(4):
            raider(builder, 4.5, 10.5 + k, name=f"Ann{k}")
        guard(builder, 20.5, 3.5, facing=90.0)
        play = Play(tmp_path, builder).run(2)
        ids = tuple(play.unit(f"Ann{k}") for k in range(4))
        if shape:
            play.session.give(Order(int(OrderKind.FORMATION), 0, ids, name="shape", text=shape))
        play.run(78)
        play.session.give(Order(int(OrderKind.SNEAK), 0, ids, 35.5, 9.5))
        u, south, inside = play.world.units, 0, 0
        for _ in range(240):
            play.run()
            middle = (u.x[:4] > 10) & (u.x[:4] < 30)
            south, inside = south + int((middle & (u.y[:4] > 13)).sum()), inside + int(middle.sum())
        assert bool(play.happened("loose")) == bool(shape)
        assert len(play.world.recording["sneaks"]) == 4
        behind[shape] = south / inside
    assert min(behind.values()) > 2 / 3, "most of the path, although the guard moves when it hears them"


def test_two_hundred_sneaking_units_share_one_budget_and_each_gets_a_path(tmp_path: Path) -> None:
    """Charge at most the budget to each tick; all have paths within 100 ticks."""
    builder = yard("\n".join(["s" * 60] * 40))
    for k in range(200):
        raider(builder, 3.5 + k % 10, 3.5 + k // 10, name=f"Ann{k}")
    guard(builder, 50.5, 20.5, facing=0.0)
    budget = 3000
    play = Play(tmp_path, builder, rules__sneak_budget=budget, noise__steps=False).run(2)
    play.session.give(Order(int(OrderKind.SNEAK), 0, tuple(play.unit(f"Ann{k}") for k in range(200)), 40.5, 36.5))
    line, laid, charged = play.world.sneak_line, set(), 0
    for _ in range(100):
        play.run()
        laid |= {unit for unit, path in play.world.sneaks.items() if len(path.tiles)}
        assert play.world.paths.statistics.groups_this_tick <= budget
        charged += play.world.paths.statistics.groups_this_tick
        if len(laid) == 200:
            break
    assert len(laid) == 200 and charged + line.spent > 200 * 30, (
        "a path of thirty tiles takes at least thirty revolutions"
    )
