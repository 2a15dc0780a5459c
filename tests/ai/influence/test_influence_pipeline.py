"""Influence pipeline: sliced passes equal one pass, and readers see whole maps only."""

from functools import partial

import numpy as np
import pytest

from ai.core.serialization import digest, restore, snapshot
from ai.influence.influence_pipeline import (
    ENEMIES,
    OWN,
    WORK,
    InfluenceMaps,
    LayerRow,
    advance,
    check_rows,
    direct_map,
    reach_of,
)
from ai.influence.limited_spread import SpreadGround
from tests.ai.influence.test_limited_spread import _ground, _walls

ROWS = [
    LayerRow("own_nearness", OWN, "linear", "run", 2.0, "path"),
    LayerRow("own_threat", OWN, "quartic", "weapon", 1.0, "sight"),
    LayerRow("enemy_nearness", ENEMIES, "linear", "run", 2.0, "open"),
    LayerRow("enemy_threat", ENEMIES, "quartic", "weapon", 1.0, "sight", strength=2.0),
]
GROUND = _ground(_walls())


def _sources(seed: int, side: int = 0) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed + 100 * side)

    def some(n: int) -> np.ndarray:
        return np.column_stack(
            [
                rng.integers(0, 40, n) + 0.5,
                rng.integers(0, 32, n) + 0.5,
                rng.random(n),
                np.full(n, 4.0),
                np.full(n, 9.0),
            ]
        )

    return {OWN: some(5), ENEMIES: some(3)}


def _now(tick: int, side: int) -> dict[str, np.ndarray]:
    return _sources(tick)


def _run(budget: int, until: int = 1) -> tuple[InfluenceMaps, int]:
    maps, tick = InfluenceMaps(list(ROWS)), 0
    state = maps.want(0, 0)
    while state.passes < until:
        tick += 1
        maps.want(0, tick)
        advance(maps, lambda side: _sources(1), GROUND, tick, budget=budget)
        assert maps.work <= max(budget, WORK["path"])
        if state.passes == 0:
            assert state.maps() == {}, "a reader never sees a map that is not complete"
    return maps, tick


@pytest.mark.parametrize("budget", [1, 3, 7, 100])
def test_every_budget_publishes_the_maps_of_one_pass(budget: int) -> None:
    maps, tick = _run(budget)
    state = maps.of(0)
    assert state is not None and state.published_at == 1 and maps.total == 16
    assert tick <= 16 and (budget > 1 or tick == 16) and (budget < 100 or tick == 1)
    for row in ROWS:
        assert np.array_equal(state.maps()[row.name], direct_map(row, _sources(1), GROUND))


def test_moving_between_updates_changes_nothing_and_updates_come_once_a_period() -> None:
    maps, at = InfluenceMaps(list(ROWS)), []
    state = maps.want(0, 0)
    for tick in range(1, 101):
        maps.want(0, tick)
        if advance(maps, partial(_now, tick), GROUND, tick, period=20):
            at.append(tick)
            assert np.array_equal(state.maps()["own_threat"], direct_map(ROWS[1], _sources(state.published_at), GROUND))
    assert at == [1, 21, 41, 61, 81]


def test_sides_share_one_budget_and_each_publishes() -> None:
    maps = InfluenceMaps(list(ROWS))
    for side in (2, 0, 1):
        maps.want(side, 0)
    for tick in range(1, 60):
        advance(maps, lambda side: _sources(1, side), GROUND, tick, budget=4, period=100)
        assert maps.work <= WORK["path"]
    assert [s.side for s in maps.sides] == [0, 1, 2] and all(s.passes == 1 for s in maps.sides)
    layers = [s.maps()["enemy_threat"] for s in maps.sides]
    assert not np.array_equal(layers[0], layers[1]), "each side has its own knowledge"


def test_a_side_without_a_reader_is_left_alone() -> None:
    maps = InfluenceMaps(list(ROWS))
    maps.want(0, 0)
    for tick in range(1, 400):
        advance(maps, lambda side: _sources(1), GROUND, tick, idle=50)
        assert maps.sides[0].passes == min((tick + 19) // 20, 3)
    maps.want(0, 400)
    for tick in range(401, 600):
        advance(maps, lambda side: _sources(1), GROUND, tick, idle=50)
    assert maps.sides[0].passes == 6, "a late reader wakes the side for 50 ticks"
    assert InfluenceMaps().of(1) is None


def test_an_open_pass_is_saved_and_goes_on_the_same() -> None:
    maps = InfluenceMaps(list(ROWS))
    maps.want(0, 0)
    advance(maps, lambda side: _sources(1), GROUND, 1, budget=5)
    other = restore(snapshot(maps))
    assert digest(other) == digest(maps)
    for tick in range(2, 12):
        for each in (maps, other):
            advance(each, lambda side: _sources(9), GROUND, tick, budget=5)
    assert digest(other) == digest(maps) and other.sides[0].passes == 1
    assert np.array_equal(other.sides[0].maps()["own_threat"], maps.sides[0].maps()["own_threat"])


def test_reaches_come_from_speed_and_weapon() -> None:
    source = [0.0, 0.0, 1.0, 4.0, 11.5, 3.0]
    assert [reach_of(row, source) for row in ROWS[:2]] == [8, 12]
    assert reach_of(LayerRow("x", reach_of="fixed", reach=5.0), source) == 5


def test_wrong_rows_and_budgets_are_named() -> None:
    check_rows(ROWS)
    for row, told in (
        (LayerRow("a", of="friends"), r"\[a\] of: 'friends' is none of own, enemies"),
        (LayerRow("a", curve="cubic"), r"\[a\] curve"),
        (LayerRow("a", reach=0.0), r"\[a\] reach: must lie above 0"),
    ):
        with pytest.raises(ValueError, match=told):
            check_rows([row])
    with pytest.raises(ValueError, match="stands twice: a"):
        check_rows([LayerRow("a"), LayerRow("a")])
    with pytest.raises(ValueError, match="at least 1 a tick"):
        advance(InfluenceMaps(), lambda side: {}, SpreadGround(4, 4), 1, budget=0)
