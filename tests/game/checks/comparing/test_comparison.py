"""Comparisons: two games in step, their first difference, and their figures.

Oracles: two sessions that this file advances itself, and numbers worked out by hand.
"""

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from game.checks.comparing.comparison import Comparison, GameSetup
from game.checks.comparing.many_seeds import SeedResult, SeedRuns, summary
from game.checks.comparing.run_figures import STANDARD, Figure
from game.checks.metrics.metric import Metric
from game.checks.scripts.script import Script, TimedOrder
from game.level.model import Level
from game.level.reading import load_level
from game.sim.session import Session
from game.world.orders import Order, OrderKind
from tests.game.sim.small_levels import bridge_level

GO = TimedOrder(tick=5, units="raiders", kind="move", at=(20.5, 6.5))
SLOW = "steering.acceleration"


@pytest.fixture
def level(tmp_path: Path) -> Level:
    return load_level(bridge_level(tmp_path))


def test_the_first_difference_is_that_of_two_sessions_played_by_hand(level: Level) -> None:
    comparison = Comparison.begin(GameSetup(level, Script(seed=3, ticks=40, order=[GO]), {}, {SLOW: 2.0}))
    comparison.to_the_end()
    a, b = Session(level, 3), Session(level, 3)
    b.world.settings.steering.acceleration = 2.0
    ids = tuple(range(4))
    first, apart, walked = -1, -1, np.zeros((2, 4))
    for tick in range(1, 41):
        for row, session in enumerate((a, b)):
            if tick == 5:
                session.give(Order(int(OrderKind.MOVE), 0, ids, 20.5, 6.5))
            session.advance()
            u = session.world.units
            walked[row] += np.hypot(u.x[:4] - u.prev_x[:4], u.y[:4] - u.prev_y[:4])
        keep = b.world.settings
        b.world.settings = a.world.settings
        if first < 0 and a.world.hash() != b.world.hash():
            first = tick
        if apart < 0 and not np.array_equal(a.world.units.x[:4], b.world.units.x[:4]):
            apart = tick
        b.world.settings = keep
    assert comparison.difference is not None and comparison.parting is not None
    assert (comparison.difference.tick, comparison.parting.tick) == (first, apart) and first >= 5
    assert any(place.startswith("units.vx of Raider 1 (id 0)") for place in comparison.difference.places)
    lengths = [figures.values["path_length"] for figures in comparison.figures]
    assert lengths == pytest.approx(walked.mean(axis=1)) and lengths[0] != lengths[1]
    report = comparison.report()
    assert report["a"]["hash"] == a.world.hash() and report["b"]["ticks"] == 40
    assert report["b"]["figures"]["seconds_to_arrive"] is None, "nobody is there yet"


def test_equal_settings_never_differ_and_a_setting_alone_is_no_difference(level: Level) -> None:
    for name, value in ((SLOW, None), ("rules.carry_speed", 0.25)):
        setup = GameSetup(level, Script(ticks=25, order=[GO]), {}, {} if value is None else {name: value})
        comparison = Comparison.begin(setup)
        comparison.to_the_end()
        assert comparison.difference is None and comparison.parting is None and comparison.tick == 25


@pytest.mark.parametrize(("name", "value"), [("nothing.here", 1), ("paths.budget", -4), ("paths.engine", "magic")])
def test_a_bad_setting_is_refused_in_one_line(level: Level, name: str, value: int | str) -> None:
    with pytest.raises(ValueError, match=name) as error:
        Comparison.begin(GameSetup(level, None, {}, {name: value}))
    assert "\n" not in str(error.value)


def test_seeds_are_paired_and_a_pair_without_a_value_is_left_out() -> None:
    walked, reacted = STANDARD[2], STANDARD[-1]
    a = [10.0, 12.0, 11.0, 30.0]
    b = [11.0, 14.0, 11.5, 31.0]
    rows = [
        SeedResult(seed, {walked.name: x, reacted.name: 1.0}, {walked.name: y, reacted.name: 2.0 if seed else None})
        for seed, (x, y) in enumerate(zip(a, b, strict=True))
    ]
    got = {row.figure.name: row for row in summary((walked, reacted), rows[::-1])}
    wanted = stats.ttest_rel(b, a).confidence_interval(0.95)
    assert (got[walked.name].low, got[walked.name].high) == pytest.approx((wanted.low, wanted.high))
    assert (got[walked.name].a, got[walked.name].b) == (15.75, 16.875)
    assert got[reacted.name].difference.count == 3 and got[reacted.name].difference.half == 0.0


def test_seeds_that_play_the_same_pair_count_once(level: Level) -> None:
    same = SeedResult(1, {"path_length": 2.0}, {"path_length": 3.0})
    runs = SeedRuns(GameSetup(level, None, {}, {SLOW: 2.0}), range(3), results=[same, same, same])
    row = next(row for row in runs.table() if row.figure.name == "path_length")
    assert runs.alike and row.difference.count == 1 and row.low != row.low, "one pair has no interval"
    assert runs.report()["figures"]["path_length"] | {"a": 2.0, "low": None} == runs.report()["figures"]["path_length"]
    runs.results[1] = SeedResult(2, {"path_length": 2.5}, {"path_length": 3.0})
    assert not runs.alike and runs.table()[2].difference.count == 3


def test_a_path_that_leads_back_is_a_flip_and_a_new_order_is_none(level: Level) -> None:
    session = Session(level)
    session.give(Order(int(OrderKind.MOVE), 0, (0,), 20.5, 6.5))
    for _ in range(20):
        session.advance()
    world, metric = session.world, Metric("flips", (0,))
    u, store = world.units, world.paths.store
    metric.watch(world)
    y, x = int(u.y[0]), int(u.x[0])

    def lay(step: int) -> None:
        tiles = np.array([[y, x + step * k] for k in range(4 if step > 0 else 3)], np.int32)
        store.write(world.terrain, np.array([0]), u.movement_class[:1], tiles, np.array([len(tiles)]), 0)
        metric.watch(world)

    assert u.vx[0] > 1.0
    for step, flips in ((1, 0), (-1, 1), (1, 1), (-1, 2)):
        lay(step)
        assert metric.value == flips
    u.ordered_x[0] += 3.0
    lay(1)
    u.ordered_x[0] += 3.0
    lay(-1)
    assert metric.value == 2, "the destination is another one"


def test_a_figure_is_told_in_digits() -> None:
    figure = Figure("n", "arrived", "words", "units", whole=True)
    assert [figure.text(v) for v in (None, 1234.0, 0.5)] == ["-", "1,234", "0.5"]
