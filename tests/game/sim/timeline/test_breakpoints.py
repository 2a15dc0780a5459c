"""Breakpoints: they fire at the ticks at which the world itself showed the condition."""

from game.level.reading import load_level
from game.sim.session import Session
from game.sim.timeline.breakpoints import DECIDES, ENTERS, EVENT, LEAVES, METER, Breakpoint, first_fired, last_fired
from game.sim.timeline.unit_tracks import METER_EVERY
from game.world.orders import Order, OrderKind
from tests.game.sim.small_levels import bridge_level

GUARD = 4


def test_breakpoints_fire_where_the_world_showed_it(tmp_path):
    session = Session(load_level(bridge_level(tmp_path, raiders=4, guards=2)), seed=5)
    history = session.remember()
    session.give(Order(int(OrderKind.ATTACK_MOVE), 0, tuple(range(4)), 20.5, 6.5))
    states, shots, full, filled = {}, [], [], 0.0
    for _ in range(200):
        session.advance()
        world = session.world
        mind = world.minds.get(GUARD)
        states[world.tick] = f"{mind.skill}.{mind.machine.state}" if mind is not None else ""
        shots += [world.tick] * any(fact.kind == "shot" for fact in world.events)
        if world.tick % METER_EVERY == 0:
            slot = world.units.slot(GUARD)
            about = world.units.meter[(world.units.meter_target == GUARD)]
            value = max([float(world.units.meter[slot]), *about.tolist()])
            full += [world.tick] * (filled < 0.5 <= value)
            filled = value
    what = next(state for state in states.values() if state.startswith("fight."))
    entered = [t for t, s in states.items() if s == what and states.get(t - 1) != what]
    left = [t for t, s in states.items() if s != what and states.get(t - 1) == what]
    assert shots and entered and full
    assert Breakpoint(ENTERS, GUARD, what).times(history) == entered
    assert Breakpoint(LEAVES, GUARD, what).times(history) == left
    assert Breakpoint(METER, GUARD, value=0.5).times(history) == full
    shot, enters = Breakpoint(EVENT, what="shot"), Breakpoint(ENTERS, GUARD, what)
    assert shot.times(history) == shots
    module = history.tracks.sources[0].rpartition(".")[0]
    decides = Breakpoint(DECIDES, what="some technique", module=module)
    noted = history.tracks.decided_in(module)
    assert noted and decides.times(history) == noted
    for tick in (noted[0] + 1, noted[0] + 1, noted[0]):
        history.note_run("some technique", tick)
    assert decides.times(history) == sorted({*noted, noted[0] + 1}), "a tick that is known is not noted again"
    assert history.branch(noted[0]).ran == {"some technique": []}
    both = (shot, enters)
    assert first_fired(both, history, 0, 200) == min((shots[0], shot), (entered[0], enters), key=lambda f: f[0])
    assert first_fired((shot,), history, shots[0], shots[1]) == (shots[1], shot)
    assert first_fired((shot,), history, shots[0], shots[0]) is None
    assert last_fired((shot,), history, shots[1]) == (shots[0], shot)
    assert last_fired((shot,), history, shots[0]) is None
