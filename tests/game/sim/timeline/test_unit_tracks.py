"""Tracks of units: at each tick they tell the state of the mind."""

from itertools import pairwise

import numpy as np

from ai.decision.decision_trace import DECISION, TRANSITION
from game.level.reading import load_level
from game.sim.session import Session
from game.sim.timeline.unit_tracks import AT_REST, DEAD, GONE, METER_EVERY, SQUADS
from game.world.orders import Order, OrderKind
from tests.game.sim.small_levels import bridge_level


def test_bars_and_meters_are_those_of_the_world_at_each_tick(tmp_path):
    session = Session(load_level(bridge_level(tmp_path, raiders=4, guards=2)), seed=5)
    tracks = session.remember().tracks
    session.give(Order(int(OrderKind.ATTACK_MOVE), 0, tuple(range(4)), 20.5, 6.5))
    states, meters, decided, written = {}, {}, [], session.world.trace.written
    assert tracks.bars(0) == []  # no change is noted yet
    for _ in range(240):
        session.advance()
        world = session.world
        u = world.units
        decided += [e for e in world.trace.since(written) if e.kind in (DECISION, TRANSITION)]
        written = world.trace.written
        for slot in range(u.count):
            unit, mind = int(u.id[slot]), world.minds.get(int(u.id[slot]))
            if not u.alive[slot]:
                states[unit, world.tick] = DEAD
            elif mind is not None and mind.machine.state:
                states[unit, world.tick] = mind.machine.state
            if world.tick % METER_EVERY == 0 and u.meter[slot] > 0 and u.meter_target[slot] >= 0:
                for about in (unit, int(u.meter_target[slot])):
                    meters[about, world.tick] = max(meters.get((about, world.tick), 0.0), float(u.meter[slot]))
    assert DEAD in states.values() and len(set(states.values())) > 4
    for unit in range(u.count):
        bars = tracks.bars(unit)
        assert all(a.end == b.start for a, b in pairwise(bars))
        said = {t: bar.step for bar in bars for t in range(bar.start, bar.end + (bar is bars[-1]))}
        known = {tick: state for (of, tick), state in states.items() if of == unit}
        assert {tick: said.get(tick) for tick in known} == known
        ticks, values = tracks.meter(unit)
        expected = {tick: value for (of, tick), value in meters.items() if of == unit}
        assert ticks.tolist() == sorted(expected)
        assert np.allclose(values, [expected[t] for t in sorted(expected)])
    for unit in range(u.count):
        assert tracks.decisions(unit) == sorted({e.tick for e in decided if e.unit == unit})
    modules = {e.function.rpartition(".")[0] for e in decided}
    assert len(modules) > 2
    for module in modules:
        of = [e for e in decided if e.function.startswith(f"{module}.")]
        assert tracks.decided_in(module) == sorted({e.tick for e in of})
        assert tracks.decided_in(module, 4) == sorted({e.tick for e in of if e.unit == 4})
    half = tracks.until(120)
    assert half.decisions(4) == [tick for tick in tracks.decisions(4) if tick <= 120]
    assert half.last == 120 and [b for b in half.bars(0) if b.end < 120] == [b for b in tracks.bars(0) if b.end < 120]


def test_a_squad_has_a_row_of_its_manoeuvres(tmp_path):
    session = Session(load_level(bridge_level(tmp_path, raiders=4, guards=2)), seed=5)
    tracks = session.remember().tracks
    session.give(Order(int(OrderKind.SQUAD), 0, tuple(range(4)), 20.5, 6.5, name="hold"))
    seen = {}
    for _ in range(60):
        session.advance()
        for squad in session.world.squads.rows.values():
            seen[session.world.tick] = squad.task.kind if squad.task is not None else AT_REST
    assert len(set(seen.values())) > 1, "it has begun a manoeuvre"
    bars = tracks.bars(SQUADS)
    said = {t: bar.state for bar in bars for t in range(bar.start, bar.end + (bar is bars[-1]))}
    assert said == seen
    again = tracks.until(30)
    assert again.squads == {SQUADS: seen[30]}
    session.give(Order(int(OrderKind.MOVE), 0, tuple(range(4)), 3.5, 6.5))
    session.advance()
    session.advance()
    assert not session.world.squads.rows and tracks.bars(SQUADS)[-1].state == GONE
