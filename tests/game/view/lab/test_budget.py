"""AI budget against a clock that is turned by hand, and the trace file."""

import cProfile
import json
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from game.view.exhibits.gallery_rows import register_rows
from game.view.lab.measures.chrome_trace import trace_of, traces_folder
from game.view.lab.measures.technique_meter import TechniqueMeter, deciding_functions
from game.view.lab.measures.tick_meter import KEPT, NAMES, PROFILED_EVERY, TRACED, TickMeter
from tests.game.sim.small_levels import bridge_level


class Clock:
    """Clock that stands still unless it is turned; seconds."""

    now = 100.0

    def __call__(self):
        return self.now


def run_tick(meter, clock, tick, lengths, away=0.0):
    """Run a tick of given stages; a frame of ``away`` seconds follows the third."""
    meter.begin()
    for at, (name, length) in enumerate(zip(NAMES, lengths, strict=True)):
        clock.now += length
        meter.after_stage(name)
        if away and at == 2:
            meter.end()
            clock.now += away
            meter.begin()
    meter.end()
    meter.finished(tick)


def test_figures_are_those_of_the_last_hundred_ticks_without_the_frames_between():
    clock = Clock()
    meter = TickMeter(clock)
    rng = np.random.default_rng(3)
    lengths = rng.uniform(0.0001, 0.004, (TRACED + 30, len(NAMES)))
    for tick, row in enumerate(lengths, 1):
        run_tick(meter, clock, tick, row.tolist(), away=0.5 * (tick % 7 == 0))
    whole, stages = meter.figures()
    last = lengths[-KEPT:] * 1000
    for at, name in enumerate(NAMES):
        got = (stages[name].now, stages[name].mean, stages[name].p99)
        assert got == pytest.approx((last[-1, at], last[:, at].mean(), np.quantile(last[:, at], 0.99)), rel=1e-6)
    assert whole.mean == pytest.approx(last.sum(1).mean(), rel=1e-6)
    assert meter.ticks[meter.rows()].tolist() == list(range(31, TRACED + 31))


def test_a_tick_that_ended_elsewhere_leaves_no_sample():
    clock = Clock()
    meter = TickMeter(clock)
    run_tick(meter, clock, 1, [0.001] * len(NAMES))
    meter.begin()
    for name in NAMES[:4]:
        meter.after_stage(name)
    run_tick(meter, clock, 3, [9.0] * len(NAMES))  # tick 2 was finished by a save, without the meter
    run_tick(meter, clock, 4, [0.003] * len(NAMES))
    assert meter.ticks[meter.rows()].tolist() == [1, 4]
    assert meter.figures()[0].mean == pytest.approx(2.0 * len(NAMES))


CLOCK = Clock()


def leaf(seconds):
    CLOCK.now += seconds


def outer(seconds):
    CLOCK.now += seconds
    leaf(seconds)


def other(seconds):
    outer(seconds)


def test_techniques_cost_what_their_functions_take_and_nothing_twice():
    rows = [
        {"module": "test_budget.py", "functions": ["leaf", "outer"], "slug": "both"},
        {"module": "test_budget.py", "functions": ["leaf"], "slug": "leaf"},
        {"module": "test_budget.py", "functions": ["other"], "slug": "other"},
        {"module": "test_budget.py", "functions": ["never"], "slug": "never"},
    ]
    meter = TechniqueMeter(deciding_functions(Path(__file__).parent, rows), CLOCK)
    for tick, seconds in ((5, 0.002), (10, 0.001)):
        meter.begin()
        outer(seconds)
        leaf(seconds)
        other(seconds)
        meter.end()
        CLOCK.now += 77.0
        meter.take(tick)
    found = {row.slug: row for row in meter.rows()}
    assert list(found) == ["both", "leaf", "other"], "the dearest first; one that never ran is left out"
    assert (found["both"].now, found["both"].mean, found["both"].most) == pytest.approx((5.0, 7.5, 10.0))
    assert (found["leaf"].now, found["leaf"].calls, found["leaf"].call_us) == pytest.approx((3.0, 6, 1500.0))
    assert (found["other"].now, found["other"].calls) == pytest.approx((2.0, 2))
    assert meter.sample(5) == pytest.approx({"both": 10.0, "leaf": 6.0, "other": 4.0}) and not meter.sample(6)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="before 3.12 a second profiler takes the place of the first")
def test_another_profiler_is_named_and_left_alone():
    meter, theirs = TechniqueMeter({}), cProfile.Profile()
    with theirs:
        meter.begin()
    assert meter.fault and not meter.rows()


@pytest.fixture
def play(player, tmp_path):
    screen = player.open(bridge_level(tmp_path, raiders=2, guards=1))
    screen.playing.clock.paused = True
    player.frames()
    yield screen
    while player.app.screens:
        player.app.screens.pop().leave()


def run(player, play, ticks):
    play.playing.clock.paused = True
    for _ in range(ticks):
        play.playing.clock.steps = 1
        player.app.top.update(0)


def test_a_key_opens_the_panel_and_another_writes_a_trace_that_nests(player, play):
    player.press("trace")
    assert "No tick ran yet" in play.notice and not traces_folder().exists()
    before = play.playing.restart()
    before.run_ticks(11)
    player.press("budget")
    assert play.view.lab and play.budget.shows
    run(player, play, 11)
    player.frames(2, dt_ms=300)
    assert play.playing.world.hash() == before.world.hash(), "measuring changes nothing"
    assert [key for _, key in play.budget.panel.rows][: len(NAMES)] == list(NAMES)
    slugs = {row["slug"] for row in register_rows()}
    shown = {key for _, key in play.budget.panel.rows} - set(NAMES)
    assert "path-queue" in shown and shown <= slugs
    inside = play.app.window.get_rect()
    assert all(play.budget.panel.box.contains(rect) for rect, _ in play.budget.panel.rows)
    assert inside.contains(play.budget.panel.box)
    meter = play.playing.meter
    assert meter.techniques.numbers == list(range(0, 11, PROFILED_EVERY))
    player.press("trace")
    path = next(traces_folder().iterdir())
    assert str(path) in play.notice
    check_trace(json.loads(path.read_text(encoding="utf-8")), range(1, 12))
    player.press("budget")
    run(player, play, 1)
    assert meter.techniques is None, "nothing is profiled while nobody looks"
    player.press("why")
    player.press("budget")
    assert not play.view.why and play.budget.shows
    path.unlink()
    traces_folder().rmdir()
    traces_folder().write_text("in the way", encoding="utf-8")
    player.press("trace")
    assert "cannot be written" in play.notice and "\n" not in play.notice


def check_trace(trace, ticks):
    """Check a trace against its format: events nest, counters are numbers."""
    events = trace["traceEvents"]
    assert {e["ph"] for e in events} == {"M", "X", "C"}
    for e in events:
        assert isinstance(e["name"], str) and isinstance(e["pid"], int) and isinstance(e["args"], dict)
        if e["ph"] != "M":
            assert e["ts"] >= 0
    whole = [e for e in events if e["ph"] == "X" and e["cat"] == "tick"]
    assert [e["args"]["tick"] for e in whole] == list(ticks)
    for tick in whole:
        number = tick["args"]["tick"]
        inner = [e for e in events if e["ph"] == "X" and e["cat"] == "stage" and e["args"]["tick"] == number]
        assert [e["name"] for e in inner] == list(NAMES)
        edges = [tick["ts"], *(t for e in inner for t in (e["ts"], e["ts"] + e["dur"])), tick["ts"] + tick["dur"]]
        assert all(a <= b + 0.0015 for a, b in pairwise(edges)), "stages follow within their tick"
    counters = [e for e in events if e["ph"] == "C"]
    assert counters and all(isinstance(v, float) for e in counters for v in e["args"].values())


def test_stages_of_a_trace_start_where_the_clock_says():
    clock = Clock()
    meter = TickMeter(clock)
    run_tick(meter, clock, 7, [0.001] * len(NAMES), away=0.02)
    events = [e for e in trace_of(meter, "x")["traceEvents"] if e["ph"] == "X"]
    assert (events[0]["name"], events[0]["ts"], events[0]["dur"]) == ("tick 7", 0.0, pytest.approx(30000, abs=0.1))
    starts = [at * 1000.0 + 20000.0 * (at > 2) for at in range(len(NAMES))]
    assert [e["ts"] for e in events[1:]] == pytest.approx(starts, abs=0.1)
