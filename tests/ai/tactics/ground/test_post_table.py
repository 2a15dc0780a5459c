"""Post table: budgets, rejection by rays, and selection without any work."""

import math
import tomllib

import numpy as np
import pytest

from ai.grid.terrain import Terrain
from ai.tactics.ground.post_table import BLOCKED, CLEAR, PostTable, rays_of
from ai.tactics.ground.tactical_facts import Ask, TacticalGround, tactical_ground
from ai.tactics.ground.tactical_query import selector_from
from tests.ai.tactics.ground.test_tactical_query import DATA

ROWS = tomllib.loads(DATA.read_text("utf-8"))["selector"]


def _ground() -> TacticalGround:
    opaque = (np.random.default_rng(5).random((48, 48)) < 0.12).astype(np.uint8)
    opaque[20:28, 20:28] = 0
    return tactical_ground(Terrain.build(opaque == 0, None, opaque))


ASK = Ask(21.5, 22.5, np.array([[34.5, 22.5, math.pi]]))
PANIC = selector_from("panic", {**ROWS["panic"], "otherwise": ""})


def test_budgets_hold_and_every_set_is_complete_in_time() -> None:
    ground, table = _ground(), PostTable()
    places = {unit: (21.5 + unit, 22.5) for unit in range(6)}
    for unit, (x, y) in places.items():
        table.want(unit, ground, Ask(x, y, ASK.threats), tick=0)
    posts = sum(len(s.tiles) for s in table.growing.values())
    ticks = 0
    while table.growing:
        table.step(ground, places)
        ticks += 1
        assert table.rays <= 160 and table.paths <= 20
    assert ticks <= max(math.ceil(posts * 4 / 160), math.ceil(posts / 20)) + 1
    assert set(table.sets) == set(places)


def test_small_budgets_give_the_same_facts_later() -> None:
    ground, fast, slow = _ground(), PostTable(), PostTable(rays_a_tick=7, paths_a_tick=2)
    for table in (fast, slow):
        table.want(3, ground, ASK, 0)
    ticks = [0, 0]
    for k, table in enumerate((fast, slow)):
        while table.growing:
            table.step(ground, {3: (ASK.x, ASK.y)})
            ticks[k] += 1
    n = len(fast.sets[3].tiles)
    assert ticks == [1, max(math.ceil(4 * n / 7), math.ceil(n / 2))] and n == 20
    assert np.array_equal(fast.sets[3].rays, slow.sets[3].rays) and np.array_equal(fast.sets[3].path, slow.sets[3].path)


def test_units_take_turns_and_none_is_two_turns_ahead() -> None:
    """Measure one path a tick; the rays are cast in the first few."""
    ground, table = _ground(), PostTable(rays_a_tick=40, paths_a_tick=1)
    places = {unit: (21.5 + unit, 22.5) for unit in (2, 5, 9)}
    for unit, (x, y) in places.items():
        table.want(unit, ground, Ask(x, y, ASK.threats), tick=0)
    measured = [0] * 3
    while max(measured) < 18:
        table.step(ground, places)
        before, measured = measured, [int((~np.isnan(table.growing[u].path)).sum()) for u in (2, 5, 9)]
        assert sum(measured) == sum(before) + 1 and max(measured) - min(measured) <= 1


def test_stored_lines_answer_the_facts_that_need_rays() -> None:
    ground, table = _ground(), PostTable()
    table.want(1, ground, ASK, 0)
    table.step(ground, {1: (ASK.x, ASK.y)})
    posts = table.sets[1]
    assert 0 < (posts.rays[:, 0] == CLEAR).sum() < len(posts.tiles)
    for fact, fits in (("sees_target", posts.rays[:, 0] == CLEAR), ("fire_point", (posts.rays == CLEAR).any(axis=1))):
        chosen = selector_from("x", {"gather": "cover", "radius": 16.0, "limits": {fact: [1, 1]}, "criteria": {}})
        place = table.best(chosen, 1, ground, ASK)
        assert place is not None
        assert fits[(posts.tiles == (int(place.y), int(place.x))).all(axis=1)].all()


def test_a_post_is_rejected_exactly_when_all_four_rays_are_blocked() -> None:
    ground, table = _ground(), PostTable()
    table.want(1, ground, ASK, 0)
    table.step(ground, {1: (ASK.x, ASK.y)})
    posts = table.sets[1]
    for k, tile in enumerate(posts.tiles):
        each = [bool(rays_of(ground, tile[None], np.array([w]), posts.threat)[0]) for w in range(4)]
        assert (posts.rays[k] == [CLEAR if clear else BLOCKED for clear in each]).all()
    place = table.best(PANIC, 1, ground, ASK)
    assert place is not None
    at = int(np.flatnonzero((posts.tiles == (int(place.y), int(place.x))).all(axis=1))[0])
    assert (posts.rays[at] == CLEAR).any()


def test_selection_reads_facts_only_and_never_waits() -> None:
    ground, table = _ground(), PostTable()
    assert table.best(PANIC, 1, ground, ASK) is None
    table.want(1, ground, ASK, 0)
    table.step(ground, {1: (ASK.x, ASK.y)})
    table.step(ground, {1: (ASK.x, ASK.y)})
    for _ in range(50):
        assert table.best(PANIC, 1, ground, ASK) is not None and (table.rays, table.paths) == (0, 0)
    with pytest.raises(ValueError, match="rays that the table of posts does not keep"):
        table.best(selector_from("x", ROWS["hide"]), 1, ground, ASK)


def test_facts_of_a_threat_that_moved_are_dropped_and_units_that_left_too() -> None:
    ground, table = _ground(), PostTable()
    table.want(1, ground, ASK, 0)
    table.step(ground, {1: (ASK.x, ASK.y)})
    table.want(1, ground, Ask(ASK.x, ASK.y, np.array([[38.5, 30.5, 0.0]])), 5)
    assert 1 not in table.sets and 1 in table.growing
    table.step(ground, {})
    assert not table.growing and not table.sets
