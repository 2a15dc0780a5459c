"""Guards: round, investigation, alarm, pursuit and the end of a search.

Oracles: times calculated from distances and speeds, and positions and states noted in each tick.
"""

import math
from itertools import pairwise

import pytest

from ai.core.serialization import compare, restore, snapshot
from ai.decision.decision_trace import TRANSITION, line_of
from game.minds.agent_view import AgentView
from game.minds.explain import sentence_of, table_of
from game.world.rules.mind_settings import MindSettings
from game.world.units import Event, Pace
from tests.game.minds.stage import Stage


def watch():
    stage = Stage()
    stage.route("round", (10.0, 10.0), (16.0, 10.0), (16.0, 13.0), wait=40)
    return stage, stage.add("guard", 10.0, 10.0, route="round")


def visits(stage, unit, ticks, points):
    """Return (tick, point) for each arrival of the unit at a point."""
    found = []
    for _ in range(ticks):
        stage.step()
        x, y = stage.at(unit)
        for k, (px, py) in enumerate(points):
            if math.hypot(x - px, y - py) < 0.05 and (not found or found[-1][1] != k):
                found.append((stage.world.tick, k))
    return found


def test_a_patrol_walks_to_and_fro_with_its_waits():
    """Compare the times between arrivals with a calculation.

    A leg of 6 tiles at 1.5 tiles/s takes 80 ticks, one of 3 tiles 40 ticks.
    Each point adds 40 ticks of waiting and at most 6 ticks for the turns of the mind.
    """
    stage, guard = watch()
    points = stage.world.routes[0].points
    found = visits(stage, guard, 700, points)
    assert [k for _, k in found][:7] == [0, 1, 2, 1, 0, 1, 2]
    gaps = [b - a for (a, _), (b, _) in pairwise(found[1:])]
    for gap, legs in zip(gaps, (40, 40, 80, 80), strict=False):
        assert legs + 40 <= gap <= legs + 46


def test_a_waiting_guard_looks_ahead_and_to_both_sides():
    stage, guard = watch()
    slot = stage.units.slot(guard)
    stage.until(lambda: stage.state(guard) == "round/Wait")
    ahead, turns = float(stage.units.facing[slot]), set()
    while stage.state(guard) == "round/Wait":
        turns.add(round(float(stage.units.head[slot]) - ahead, 2))
        stage.step()
    assert turns == {0.0, 0.75, -0.75}


def test_a_looped_route_goes_round():
    stage = Stage()
    stage.route("loop", (10.0, 10.0), (13.0, 10.0), (13.0, 13.0), loop=True)
    guard = stage.add("guard", 10.0, 10.0, route="loop")
    found = visits(stage, guard, 500, stage.world.routes[0].points)
    assert [k for _, k in found][:6] == [1, 2, 0, 1, 2, 0]


def test_a_guard_without_a_route_keeps_its_post_and_comes_back_to_it():
    stage = Stage()
    guard, raider = stage.add("guard", 10.0, 10.0), stage.add("raider", 14.0, 10.0)
    stage.step(200)
    assert stage.at(guard) == (10.0, 10.0)
    stage.see(guard, raider, 0.5)
    stage.step(100)
    stage.hide(guard)
    assert stage.at(guard) != (10.0, 10.0)
    stage.until(lambda: stage.state(guard) == "round/Post" and stage.at(guard) == (10.0, 10.0))


def test_comrades_on_one_route_do_not_stand_on_the_same_spot():
    stage = Stage()
    stage.route("round", (10.0, 10.0), (16.0, 10.0), wait=20)
    pair = [stage.add("guard", 9.0 + k, 10.0, route="round") for k in range(3)]
    stage.step(300)
    goals = {
        (float(stage.units.goal_x[stage.units.slot(g)]), float(stage.units.goal_y[stage.units.slot(g)])) for g in pair
    }
    assert len(goals) == 3


def test_an_unreachable_point_of_the_round_is_skipped():
    stage, guard = watch()
    stage.unreachable.add((16.0, 10.0))
    found = visits(stage, guard, 600, stage.world.routes[0].points)
    assert [k for _, k in found][:4] == [0, 2, 0, 2]


@pytest.mark.parametrize("graded", [True, False])
def test_a_glimpse_turns_the_head_for_a_second_while_the_feet_go_on(graded):
    """Without grades the guard walks its round as if nothing had been there."""
    stage, guard = watch()
    stage.world.settings.minds.graded = graded
    raider, slot = stage.add("raider", 13.0, 16.0), stage.units.slot(guard)
    stage.until(lambda: stage.state(guard) == "round/Walk")
    stage.step(5)
    x, y = stage.at(guard)
    stage.units.meter_target[slot], stage.units.seen_x[slot], stage.units.seen_y[slot] = raider, 13.0, 16.0
    stage.units.event[slot] |= int(Event.GLIMPSED)
    ahead = float(stage.units.head[slot])
    heads, walked, glances = [], [x], 0
    for _ in range(30):
        stage.step()
        heads.append(float(stage.units.head[slot]))
        glances += AgentView(stage.world, slot, 0).glancing
        walked.append(stage.at(guard)[0])
        assert stage.state(guard) == "round/Walk"
    assert all(b - a == pytest.approx(1.5 / 20) for a, b in pairwise(walked)), "it walks on at the same speed"
    aside = math.atan2(16.0 - y, 13.0 - x) if graded else ahead
    assert heads[:20] == pytest.approx([aside] * 20) and glances == (20 if graded else 0)
    assert stage.said("bark", guard) == [] and stage.said("alarm") == []


def test_a_guard_that_notices_a_raider_investigates_and_returns_to_its_round():
    """Follow the steps: stop, watch for a second, approach, look round, return."""
    stage, guard = watch()
    raider = stage.add("raider", 14.0, 16.0)
    slot = stage.units.slot(guard)
    stage.step(20)
    stage.see(guard, raider, 0.5)
    stage.step(2)
    stage.hide(guard)
    assert stage.state(guard) == "investigate/Watch"
    before = stage.at(guard)
    stage.step(15)
    assert stage.at(guard) == before
    turned = float(stage.units.head[slot])
    assert turned == pytest.approx(math.atan2(16.0 - before[1], 14.0 - before[0]))
    stage.until(lambda: stage.state(guard) == "investigate/Approach")
    assert stage.units.pace[slot] == Pace.WALK
    stage.until(lambda: stage.state(guard) == "investigate/LookAround")
    assert math.dist(stage.at(guard), (14.0, 16.0)) <= 1.6
    stage.until(lambda: stage.state(guard) == "round/Walk")
    assert [h.text for h in stage.said("bark", guard)] == ["glimpse", "nothing"]
    assert stage.said("alarm") == []
    assert len(stage.said("noticed", guard)) == 1
    assert visits(stage, guard, 400, stage.world.routes[0].points)


def test_an_identified_enemy_is_shot_at_after_a_moment_of_surprise():
    stage, guard = watch()
    raider = stage.add("raider", 14.0, 12.0)
    slot = stage.units.slot(guard)
    stage.step(20)
    stage.see(guard, raider)
    stage.step()
    assert stage.state(guard) == "fight/Start"
    assert stage.units.moving[slot] == 0
    seen = stage.world.tick
    aimed = stage.until(lambda: stage.units.target[slot] == raider)
    assert 6 <= aimed - seen <= 10
    assert len(stage.said("alarm", guard)) == 1
    assert len(stage.said("identified", guard)) == 1


def test_a_raider_out_of_reach_is_chased_lost_searched_for_and_forgotten():
    """Move the raider out of sight.

    The guard runs to the last seen position, not to the true one.
    """
    stage, guard = watch()
    raider = stage.add("raider", 20.0, 10.0)
    slot, his = stage.units.slot(guard), stage.units.slot(raider)
    stage.step(20)
    stage.see(guard, raider)
    stage.until(lambda: stage.state(guard) == "fight/Chase")
    assert stage.units.pace[slot] == Pace.RUN
    stage.step(10)
    last_seen = stage.at(raider)
    stage.hide(guard)
    stage.units.x[his], stage.units.y[his] = 60.0, 60.0
    lost_at = stage.world.tick
    stage.until(lambda: stage.state(guard) == "fight/Run")
    assert (stage.units.goal_x[slot], stage.units.goal_y[slot]) == last_seen
    stage.until(lambda: stage.state(guard).startswith("search"))
    places = set()
    farthest = 0.0
    while stage.state(guard).startswith("search"):
        stage.step()
        places.add((float(stage.units.goal_x[slot]), float(stage.units.goal_y[slot])))
        farthest = max(farthest, math.dist(stage.at(guard), last_seen))
        assert stage.world.tick < lost_at + 600
    assert 3 <= len(places) <= 5
    assert 2.0 < farthest < 9.0
    assert stage.world.tick - lost_at < 400 + 120
    stage.until(lambda: stage.state(guard) == "round/Wait")
    assert len(stage.said("lost_sight", guard)) == 1
    assert len(stage.said("calm", guard)) == 1
    assert stage.said("killed") == []


def test_a_guard_fights_again_in_the_tick_in_which_it_sees_the_target_during_a_search():
    stage, guard = watch()
    raider = stage.add("raider", 14.0, 12.0)
    stage.see(guard, raider)
    stage.until(lambda: stage.state(guard) == "fight/Shoot")
    stage.hide(guard)
    stage.until(lambda: stage.state(guard) == "search/Sweep")
    stage.see(guard, raider)
    stage.step()
    assert stage.state(guard).startswith("fight")


@pytest.mark.parametrize("on", [True, False])
@pytest.mark.parametrize(
    ("warned", "mate", "far", "seconds"),
    [
        (True, False, 4.0, 0.2),
        (True, True, 4.0, 0.4),
        (False, False, 4.0, 0.4),
        (True, False, 8.0, 0.2),
        (False, False, 8.0, 0.4),
    ],
)
def test_reaction_time_depends_on_expectation_and_distance(warned, mate, far, seconds, on):
    """Compare the reaction time with the formula.

    It is 0.2 s when only an enemy can appear and 0.4 s when a friend might; distance adds up to half of it.
    With the setting off it is 0.3 to 0.5 s in all cases.
    """
    stage, guard = watch()
    stage.world.settings.minds = MindSettings(reactions=on, lapses=0.0)
    raider = stage.add("raider", 10.0 + far, 10.0)
    if mate:
        stage.add("guard", 10.0 + far, 12.0)
    stage.step(4)
    x, y = stage.at(guard)
    reach = stage.world.types[int(stage.units.kind[stage.units.slot(guard)])].cone_range
    if warned:
        stage.world.minds[guard].beliefs.combat.warned = stage.world.tick
    stage.see(guard, raider)
    began = stage.until(lambda: stage.state(guard) == "fight/Start")
    expected = math.ceil(20 * seconds * (1 + 0.5 * math.hypot(10.0 + far - x, 10.0 - y) / reach) - 1e-9)
    took = stage.until(lambda: stage.state(guard) != "fight/Start") - began
    assert took == expected if on else 6 <= took <= 10


def company(seed=1, count=6):
    stage = Stage(seed)
    guards = [stage.add("guard", 10.0 + 3 * k, 10.0) for k in range(count)]
    raider = stage.add("raider", 10.0, 14.0)
    stage.step(10)
    stage.see(guards[0], raider)
    return stage, guards


def test_the_alarm_reaches_guards_within_earshot_after_their_own_reaction_times():
    """Line up guards 3 tiles apart; an earshot of 13 tiles reaches four.

    They react 6 to 11 ticks after the alarm, not all in the same tick.
    """
    stage, guards = company()
    stage.until(lambda: stage.said("alarm"))
    shouted = stage.world.tick
    stage.hide(guards[0])
    reacted = {}
    for _ in range(30):
        stage.step()
        for g in guards[1:]:
            if stage.state(g).startswith("search"):
                reacted.setdefault(g, stage.world.tick - shouted)
    assert sorted(reacted) == guards[1:5]
    assert all(6 <= delay <= 11 for delay in reacted.values())
    assert len(set(reacted.values())) > 1


def test_traces_of_an_alarm_are_equal_for_equal_seeds_and_differ_for_another():
    logs = []
    for seed in (1, 1, 2):
        stage, _ = company(seed)
        stage.step(300)
        logs.append("\n".join(line_of(entry) for entry in stage.world.trace.since(0)))
    assert logs[0] == logs[1]
    assert logs[0] != logs[2]
    assert len(logs[0]) > 1000


def test_searchers_go_home_one_after_the_other():
    stage, guards = company(count=5)
    stage.until(lambda: stage.said("alarm"))
    stage.hide(guards[0])
    stage.until(lambda: len(stage.said("calm")) == 5, 1500)
    ticks = sorted(h.tick for h in stage.said("calm"))
    assert len(set(ticks)) == 5
    assert ticks[-1] - ticks[0] > 20


def test_a_sleeping_guard_sees_nothing_and_is_woken_by_an_alarm():
    """Put the waker 1.5 tiles from the sleeper.

    A sleeper hears an alarm within 0.15 of its 13 tiles: 1.95 tiles.
    """
    stage = Stage()
    sleeper, waker = stage.add("guard", 10.0, 10.0, asleep=True), stage.add("guard", 11.5, 10.0)
    raider = stage.add("raider", 12.0, 12.0)
    stage.see(sleeper, raider)
    stage.step(100)
    assert stage.state(sleeper) == "sleep/Sleep"
    stage.hide(sleeper)
    stage.see(waker, raider)
    stage.until(lambda: stage.state(sleeper).startswith("search"), 40)
    assert stage.units.asleep[stage.units.slot(sleeper)] == 0
    assert len(stage.said("woken", sleeper)) == 1


def test_a_trigger_or_a_blow_wakes_a_sleeper():
    stage = Stage()
    stage.route("round", (10.0, 10.0), (16.0, 10.0))
    woken, hit = (stage.add("guard", 10.0 + k, 10.0, route="round", asleep=True) for k in range(2))
    stage.step(50)
    assert stage.at(woken) == (10.0, 10.0)
    stage.units.asleep[stage.units.slot(woken)] = 0
    stage.units.event[stage.units.slot(woken)] |= int(Event.MESSAGE)
    stage.units.event[stage.units.slot(hit)] |= int(Event.HIT)
    stage.step(3)
    assert stage.state(woken).startswith("round")
    assert stage.units.asleep[stage.units.slot(hit)] == 0


def test_a_raider_out_of_sight_does_not_change_the_minds_of_guards():
    """Run twice from one snapshot, once with an unseen raider moved.

    Minds and decision traces are equal.
    """
    stage, guards = company()
    far = stage.add("raider", 50.0, 50.0)
    stage.step(60)
    stage.hide(guards[0])
    saved = snapshot(stage.world)
    stage.step(100)
    with_him = snapshot(stage.world)
    stage.world = restore(saved)
    stage.units.x[stage.units.slot(far)] = 11.0
    stage.units.y[stage.units.slot(far)] = 11.0
    stage.step(100)
    assert compare(restore(with_him).minds, stage.world.minds) == []
    assert compare(restore(with_him).trace, stage.world.trace) == []


def test_a_world_restored_during_a_pursuit_continues_equally():
    stage, guards = company()
    stage.step(40)
    stage.hide(guards[0])
    stage.step(30)
    saved = snapshot(stage.world)
    stage.step(200)
    first = stage.world.hash()
    stage.world = restore(saved)
    stage.step(200)
    assert stage.world.hash() == first


def test_the_trace_holds_each_transition_of_a_guard():
    """Note skill and state after each tick: the trace names each change in order.

    Consecutive entries fit together, so that transitions within one tick are included.
    """
    stage, guard = watch()
    raider = stage.add("raider", 14.0, 12.0)
    probe = []
    for tick in range(900):
        if tick == 100:
            stage.see(guard, raider, 0.5)
        elif tick == 130:
            stage.see(guard, raider, 1.0)
        elif tick == 200:
            stage.hide(guard)
        stage.step()
        state = stage.state(guard).replace("/", ".")
        if not probe or probe[-1] != state:
            probe.append(state)
    told = [e.after for e in stage.world.trace.since(0) if e.kind == TRANSITION and e.unit == guard]
    assert {p.split(".")[0] for p in probe} == {"round", "investigate", "fight", "search"}
    rest = iter(told)
    assert all(state in rest for state in probe), "each noted state follows in the order of the trace"
    entries = [e for e in stage.world.trace.since(0) if e.kind == TRANSITION and e.unit == guard]
    for earlier, later in pairwise(entries):
        assert later.before in (earlier.after, ""), "no transition is missing between two entries"


def test_the_inspector_has_a_sentence_for_every_state():
    stage, guard = watch()
    raider = stage.add("raider", 14.0, 12.0)
    sentences = set()
    for tick in range(900):
        if tick == 130:
            stage.see(guard, raider, 1.0)
        elif tick == 200:
            stage.hide(guard)
        stage.step()
        sentence = sentence_of(stage.world, guard)
        assert sentence.startswith("Guard ") and sentence.endswith(".")
        assert "_" not in sentence
        sentences.add(sentence)
        table_of(stage.world, guard)
    searching = [s for s in sentences if "searches the place: it saw raider 1" in s]
    assert any("s ago; next best was going home." in s for s in searching), sorted(sentences)
