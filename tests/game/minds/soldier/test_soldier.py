"""Soldiers: orders, queues, fire discipline and the messages of orders given up."""

import numpy as np
import pytest

from ai.animation.tracks.act_kinds import Reason
from ai.steering.steering_columns import SteeringState
from game.minds import mind_turns
from game.minds.explain import sentence_of, table_of
from game.minds.mind_turns import wake_minds
from game.sim.orders.order_table import HANDLERS
from game.systems.body.acts import begin_act, is_doing
from game.world.orders import Order, OrderKind
from game.world.places import Prop
from game.world.rules.mind_settings import MindSettings
from game.world.units import Act, Event, Fire
from tests.game.minds.stage import Stage


@pytest.fixture
def stage():
    return Stage()


def slot_of(stage, unit):
    return stage.units.slot(unit)


def test_a_plain_walk_needs_no_mind(stage):
    soldier = stage.add("raider", 5.0, 5.0)
    stage.order(soldier, OrderKind.MOVE, 9.0, 5.0)
    stage.step()
    assert stage.world.minds == {}
    stage.until(lambda: stage.units.order[slot_of(stage, soldier)] == OrderKind.NONE)
    assert stage.at(soldier) == (9.0, 5.0)
    assert [h.unit for h in stage.said("arrived")] == [soldier]
    assert stage.world.minds == {}
    assert sentence_of(stage.world, soldier) == f"Raider {soldier} stands and waits."


def test_queued_orders_are_carried_out_in_order(stage):
    soldier = stage.add("raider", 5.0, 5.0)
    stops = [(8.0, 5.0), (8.0, 8.0), (5.0, 8.0)]
    stage.order(soldier, OrderKind.MOVE, *stops[0])
    stage.world.queues[soldier] = [Order(OrderKind.MOVE, 0, (soldier,), x, y) for x, y in stops[1:]]
    seen = []
    for _ in range(600):
        stage.step()
        if stage.at(soldier) in stops and (not seen or seen[-1] != stage.at(soldier)):
            seen.append(stage.at(soldier))
    assert seen == stops
    assert stage.world.queues == {}
    assert stage.units.order[slot_of(stage, soldier)] == OrderKind.NONE


def test_a_patrol_goes_to_and_fro_until_another_order(stage):
    soldier = stage.add("raider", 5.0, 5.0)
    stage.order(soldier, OrderKind.PATROL, 8.0, 5.0)
    ends = []
    for _ in range(600):
        stage.step()
        x = stage.at(soldier)[0]
        if x in (5.0, 8.0) and (not ends or ends[-1] != x):
            ends.append(x)
    assert ends[:5] == [8.0, 5.0, 8.0, 5.0, 8.0]
    stage.order(soldier, OrderKind.STOP)
    stage.step()
    assert stage.units.moving[slot_of(stage, soldier)] == 0
    assert stage.units.order[slot_of(stage, soldier)] == OrderKind.NONE


def test_attack_move_stops_to_fire_and_then_goes_on(stage):
    soldier, foe = stage.add("soldier", 5.0, 5.0, side=0), stage.add("guard", 12.0, 5.0, asleep=True)
    mine = slot_of(stage, soldier)
    stage.order(soldier, OrderKind.ATTACK_MOVE, 20.0, 5.0)
    stage.step(5)
    stage.see(soldier, foe)
    stage.step()
    assert stage.units.target[mine] == foe
    assert stage.units.moving[mine] == 0
    stage.units.alive[slot_of(stage, foe)] = 0
    stage.hide(soldier)
    stage.units.event[mine] |= int(Event.KILLED_ENEMY)
    stage.step(25)
    assert stage.units.moving[mine] == 1
    assert stage.units.goal_x[mine] == 20.0
    stage.until(lambda: stage.at(soldier) == (20.0, 5.0))


def test_attack_move_steps_up_to_an_enemy_out_of_reach(stage):
    soldier, foe = stage.add("soldier", 5.0, 5.0, side=0), stage.add("guard", 17.0, 9.0, asleep=True)
    stage.order(soldier, OrderKind.ATTACK_MOVE, 30.0, 5.0)
    stage.step(2)
    stage.see(soldier, foe)
    stage.until(lambda: stage.units.target[slot_of(stage, soldier)] == foe)
    x, y = stage.at(soldier)
    musket = next(w for w in stage.world.weapons if w.name == "musket")
    assert ((x - 17.0) ** 2 + (y - 9.0) ** 2) ** 0.5 <= musket.reach


def test_a_walk_is_not_interrupted_by_enemies(stage):
    soldier, foe = stage.add("soldier", 5.0, 5.0, side=0), stage.add("guard", 9.0, 5.0, asleep=True)
    stage.order(soldier, OrderKind.MOVE, 20.0, 5.0)
    stage.see(soldier, foe)
    stage.units.event[slot_of(stage, soldier)] |= int(Event.HIT)
    stage.until(lambda: stage.at(soldier) == (20.0, 5.0))
    assert stage.units.target[slot_of(stage, soldier)] == -1


@pytest.mark.parametrize(
    ("at_will", "hit", "fires"),
    [(1, False, True), (0, False, False), (0, True, True), (2, False, False), (2, True, False)],
)
def test_fire_discipline_of_a_standing_soldier(stage, at_will, hit, fires):
    """Return fire means after a hit; hold fire means not even then."""
    soldier, foe = stage.add("raider", 5.0, 5.0), stage.add("guard", 9.0, 5.0, asleep=True)
    mine = slot_of(stage, soldier)
    stage.units.fire_at_will[mine] = at_will
    stage.see(soldier, foe)
    if hit:
        stage.units.event[mine] |= int(Event.HIT)
    stage.step(3)
    assert (stage.units.target[mine] == foe) == fires
    assert stage.at(soldier) == (5.0, 5.0)


def test_the_fire_order_sets_the_discipline_of_its_units_alone(stage):
    first, second = (stage.add("raider", x, 5.0) for x in (5.0, 9.0))
    stage.units.fire_at_will[:2] = Fire.AT_WILL
    HANDLERS[OrderKind.FIRE].enter(
        stage.world, stage.units.slots([second]), Order(OrderKind.FIRE, units=(second,), value=2.0)
    )
    assert stage.units.fire_at_will[stage.units.slots([first, second])].tolist() == [Fire.AT_WILL, Fire.HOLD]


def test_holding_fires_without_moving(stage):
    soldier, foe = stage.add("soldier", 5.0, 5.0, side=0), stage.add("guard", 9.0, 5.0, asleep=True)
    mine = slot_of(stage, soldier)
    stage.units.fire_at_will[mine] = 0
    stage.order(soldier, OrderKind.HOLD)
    stage.see(soldier, foe)
    stage.step(20)
    assert stage.units.target[mine] == foe
    assert stage.units.holding[mine] == 1
    stage.units.x[slot_of(stage, foe)] = 30.0
    stage.step(50)
    assert stage.at(soldier) == (5.0, 5.0)
    assert stage.units.target[mine] == -1
    assert stage.units.order[mine] == OrderKind.HOLD


def test_an_ordered_attack_closes_in_and_fires(stage):
    soldier, foe = stage.add("raider", 5.0, 5.0), stage.add("guard", 25.0, 5.0, asleep=True)
    mine = slot_of(stage, soldier)
    stage.see(soldier, foe)
    stage.order(soldier, OrderKind.ATTACK, target=foe)
    stage.until(lambda: stage.units.target[mine] == foe)
    assert 25.0 - stage.at(soldier)[0] <= 7.0
    stage.units.alive[slot_of(stage, foe)] = 0
    stage.step(10)
    assert stage.units.order[mine] == OrderKind.NONE
    assert stage.said("gave_up") == []


def test_an_attack_on_an_unseen_target_is_given_up_with_a_message(stage):
    soldier, foe = stage.add("raider", 5.0, 5.0), stage.add("guard", 25.0, 5.0, asleep=True)
    stage.order(soldier, OrderKind.ATTACK, target=foe)
    stage.until(lambda: stage.said("gave_up"), 200)
    assert stage.said("gave_up")[0].text == f"no unit sees guard {foe} any more"
    assert stage.at(soldier) == (5.0, 5.0)


def test_an_unreachable_goal_gives_a_message_and_the_queue_goes_on(stage):
    soldier = stage.add("raider", 5.0, 5.0)
    stage.unreachable.add((9.0, 9.0))
    stage.order(soldier, OrderKind.MOVE, 9.0, 9.0)
    stage.world.queues[soldier] = [Order(OrderKind.MOVE, 0, (soldier,), 6.0, 5.0)]
    stage.until(lambda: stage.said("gave_up"))
    assert [h.text for h in stage.said("gave_up")] == ["no path there"]
    stage.until(lambda: stage.at(soldier) == (6.0, 5.0))


def test_a_unit_gives_up_when_its_whole_crowd_has_stood_for_ten_seconds(stage):
    soldier = stage.add("raider", 5.0, 5.0)
    mine = slot_of(stage, soldier)
    stage.order(soldier, OrderKind.MOVE, 50.0, 5.0)
    stage.world.steering = SteeringState()
    stage.world.steering.reserve(stage.units.count)
    for still in (40, 80, 120, 160, 199):
        stage.step(5)
        assert stage.said("gave_up") == []
        stage.units.event[mine] |= int(Event.BLOCKED)
        stage.world.steering.still[mine] = still
    stage.step()
    assert stage.said("gave_up") == []
    stage.units.event[mine] |= int(Event.BLOCKED)
    stage.world.steering.still[mine] = 200
    stage.step()
    assert [h.text for h in stage.said("gave_up")] == ["it cannot get through the crowd"]
    assert stage.units.moving[mine] == 0


def test_a_unit_in_a_queue_that_moves_does_not_give_up(stage):
    soldier = stage.add("raider", 5.0, 5.0)
    mine = slot_of(stage, soldier)
    stage.order(soldier, OrderKind.MOVE, 50.0, 5.0)
    stage.world.steering = SteeringState()
    stage.world.steering.reserve(stage.units.count)
    for _ in range(20):
        stage.units.event[mine] |= int(Event.BLOCKED)
        stage.step(40)
    assert stage.said("gave_up") == []


def chest(stage, x, y):
    stage.world.props.append(Prop(77, "chest", "chest", x, y, 1.0, 1.0, 0.0, ""))
    return stage.world.props[-1]


def test_using_a_chest_goes_there_and_lifts_it_after_its_time(stage):
    soldier, prop = stage.add("raider", 5.0, 5.0), chest(stage, 10.0, 5.0)
    mine = slot_of(stage, soldier)
    stage.order(soldier, OrderKind.USE, 10.0, 5.0, target=77)
    began = stage.until(lambda: stage.units.action[mine] == 4)
    assert abs(stage.at(soldier)[0] - 10.0) <= 0.5 + 1.2
    lifted = stage.until(lambda: stage.units.carrying[mine] == 77)
    assert 29 <= lifted - began <= 31
    assert prop.carrier == soldier
    stage.until(lambda: stage.units.order[mine] == OrderKind.NONE, 5)
    assert stage.said("gave_up") == []


def test_an_interrupted_use_is_tried_again(stage):
    soldier, prop = stage.add("raider", 9.0, 5.0), chest(stage, 10.0, 5.0)
    mine = slot_of(stage, soldier)
    stage.order(soldier, OrderKind.USE, 10.0, 5.0, target=77)
    stage.step(10)
    begin_act(stage.world, mine, Act.HIT, 10)
    stage.step(30)
    assert prop.carrier == -1
    stage.until(lambda: prop.carrier == soldier, 60)


def test_a_mind_with_a_body_that_fails_shrugs_and_takes_its_next_order(stage):
    soldier, prop = stage.add("raider", 9.0, 5.0), chest(stage, 10.0, 5.0)
    stage.ends[Act.USE] = Reason.REFUSED
    stage.order(soldier, OrderKind.USE, 10.0, 5.0, target=77)
    stage.world.queues[soldier] = [Order(OrderKind.MOVE, 0, (soldier,), 5.0, 5.0)]
    stage.until(lambda: stage.said("gave_up"), 4 * 40)
    assert stage.said("gave_up")[0].text == "it does not work" and prop.carrier == -1
    assert is_doing(stage.world, slot_of(stage, soldier), Act.SHRUG)
    stage.until(lambda: stage.at(soldier)[0] < 6.0, 80)


def test_an_order_to_use_a_carried_chest_is_refused_at_once(stage):
    soldier, prop = stage.add("raider", 5.0, 5.0), chest(stage, 10.0, 5.0)
    prop.carrier = stage.add("raider", 10.0, 5.0)
    stage.order(soldier, OrderKind.USE, 10.0, 5.0, target=77)
    stage.step(2)
    assert stage.said("gave_up")[0].text == f"Raider {prop.carrier} carries it"


def test_no_more_minds_than_the_budget_think_in_a_tick_and_none_is_left_out():
    """Order 300 soldiers to hold: all obey within five ticks of the budget.

    The budget is ``minds.per_tick`` and ``minds.round_robin`` together.
    """
    stage = Stage()
    units = [stage.add("raider", 1.0 + k % 20, 1.0 + k // 20) for k in range(300)]
    for unit in units:
        stage.order(unit, OrderKind.HOLD)
    counts = []
    for _ in range(5):
        stage.step()
        counts.append(stage.world.recording["minds_woken"])
    limit = MindSettings().per_tick + MindSettings().round_robin
    assert max(counts) <= limit
    assert all(stage.state(unit) == "obey/Hold" for unit in units)


def test_every_order_has_its_sentence_and_table(stage):
    soldier, foe = stage.add("raider", 5.0, 5.0), stage.add("guard", 9.0, 5.0, asleep=True)
    stage.see(soldier, foe)
    chest(stage, 10.0, 5.0)
    expected = {
        OrderKind.ATTACK: f"attacks guard {foe}: it was ordered to just now",
        OrderKind.ATTACK_MOVE: "advances to (7, 7)",
        OrderKind.PATROL: "patrols",
        OrderKind.HOLD: "holds its place",
        OrderKind.USE: "goes to the chest",
    }
    for kind, words in expected.items():
        stage.hide(soldier)
        stage.units.meter[slot_of(stage, soldier)] = 0.0
        stage.order(soldier, kind, 7.0, 7.0, target=foe if kind == OrderKind.ATTACK else 77)
        stage.step()
        assert words in sentence_of(stage.world, soldier), kind
        assert dict(table_of(stage.world, soldier))["order"] == kind.name.lower()


def test_an_order_given_as_a_use_ends_is_carried_out(stage):
    """Order a move in the tick in which the chest is lifted.

    The timer of the old order must not stop the unit.
    """
    soldier, prop = stage.add("raider", 9.0, 5.0), chest(stage, 10.0, 5.0)
    mine = slot_of(stage, soldier)
    stage.order(soldier, OrderKind.USE, 10.0, 5.0, target=77)
    stage.until(lambda: prop.carrier == soldier)
    stage.order(soldier, OrderKind.MOVE, 3.0, 5.0)
    stage.until(lambda: stage.at(soldier) == (3.0, 5.0), 100)
    stage.step()
    assert stage.said("gave_up") == []
    assert stage.units.order[mine] == OrderKind.NONE


def test_an_arrival_of_an_earlier_order_does_not_end_the_new_one(stage):
    soldier = stage.add("raider", 5.0, 5.0)
    chest(stage, 15.0, 5.0)
    stage.order(soldier, OrderKind.ATTACK_MOVE, 8.0, 5.0)
    stage.until(lambda: stage.units.event[slot_of(stage, soldier)] & int(Event.ARRIVED))
    stage.order(soldier, OrderKind.USE, 15.0, 5.0, target=77)
    stage.until(lambda: stage.units.carrying[slot_of(stage, soldier)] == 77)
    assert stage.said("gave_up") == []


SPOKEN = ("ORDERED", "ARRIVED", "BLOCKED", "PATH_LOST", "NOTICED", "SAW", "LOST_SIGHT", "HIT", "KILLED_ENEMY")
OF_A_WALK = {"ARRIVED", "BLOCKED", "PATH_LOST"}


@pytest.mark.parametrize("moving", [0, 1])
def test_events_of_the_body_come_as_messages_in_one_order(stage, monkeypatch, moving):
    """A walk that another one or an order replaces tells no end."""
    soldier = stage.add("raider", 5.0, 5.0)
    mine, heard = slot_of(stage, soldier), []
    monkeypatch.setattr(mind_turns, "hear", lambda turn, message: heard.append(message))
    rng = np.random.default_rng(moving)
    for tick in range(2, 60):
        stage.world.tick = tick
        if tick == 2:
            stage.order(soldier, OrderKind.HOLD)
            wake_minds(stage.world)
            assert not heard, "a mind that begins reads its order"
            stage.units.order[mine] = OrderKind.HOLD
        names = [event.name for event in Event if rng.random() < 0.3]
        stage.units.event[mine] = sum(int(Event[name]) for name in names)
        stage.units.moving[mine] = moving
        heard.clear()
        wake_minds(stage.world)
        told = [n for n in SPOKEN if n in names and not (n in OF_A_WALK and "ORDERED" in names)]
        told = [n for n in told if not (n == "ARRIVED" and moving)]
        assert [message.name for message in heard] == told
        for message in heard:
            assert (message.sender, message.receiver, message.sent_at, message.due) == (soldier, soldier, tick, tick)
            assert message.serial < 0, "it was never in the router's queue"
        assert stage.units.event[mine] == 0


@pytest.mark.parametrize("tick", [0, 1, 2, 9])
def test_guards_decide_at_the_start_of_a_game_and_soldiers_when_something_happens(stage, tick):
    stage.world.settings.minds.round_robin = stage.world.settings.minds.reaction = 0
    stage.route("beat", (10.0, 10.0), (14.0, 10.0))
    on_beat, soldier, dead = (
        stage.add("guard", 8.0, 10.0, route="beat"),
        stage.add("raider", 4.0, 4.0),
        stage.add("guard", 9.0, 9.0),
    )
    stage.units.alive[slot_of(stage, dead)] = 0
    stage.world.tick = tick
    wake_minds(stage.world)
    assert set(stage.world.minds) == ({on_beat} if tick <= 1 else set())
    stage.units.event[slot_of(stage, soldier)] = int(Event.HIT)
    wake_minds(stage.world)
    assert stage.world.recording["minds_woken"] >= 1
    assert not stage.units.event[slot_of(stage, soldier)]
