"""Open missions: the capacity holds, losses are refilled; counting better bids is the oracle."""

import math
import random

from ai.decision.blackboards.open_missions import (
    Bidder,
    Missions,
    OpenMission,
    all_missions,
    allot,
    application,
    close,
    grant,
    keep_takers,
    mission_of,
    post,
)


def _field(seed: int) -> tuple[Missions, list[Bidder]]:
    dice = random.Random(seed)
    missions: Missions = {}
    for number in range(6):
        place = dice.uniform(0, 20), dice.uniform(0, 20)
        post(
            missions,
            OpenMission(number, dice.choice(("watch", "tell")), *place, dice.randint(1, 3), dice.randint(1, 3)),
        )
    bidders = [
        Bidder(u, dice.uniform(0, 20), dice.uniform(0, 20), {"watch": dice.random(), "tell": dice.choice((0.0, 1.0))})
        for u in range(9)
    ]
    return missions, bidders


def _value(mission: OpenMission, bidder: Bidder) -> float:
    far = math.hypot(mission.x - bidder.x, mission.y - bidder.y)
    return mission.priority * bidder.skills[mission.skill] * (1.0 if far <= 1.0 else 1.0 / far)


def test_a_pass_grants_to_whoever_has_fewer_better_rivals_than_there_are_places() -> None:
    for seed in range(40):
        missions, bidders = _field(seed)
        chosen = {}
        for one in bidders:
            best = max(all_missions(missions), key=lambda m, one=one: (_value(m, one), -m.number))
            if _value(best, one) > 0.0:
                chosen[one.unit] = (best.number, _value(best, one))
        asked = [application(missions, one) for one in bidders]
        assert {a.unit: (a.mission, a.relevance) for a in asked if a is not None} == chosen
        places = {m.number: m.capacity for m in all_missions(missions)}
        expected = set()
        for unit, (number, value) in chosen.items():
            better = sum(n == number and (v > value or (v == value and u < unit)) for u, (n, v) in chosen.items())
            if better < places[number]:
                expected.add((unit, number))
        granted = grant(missions, [a for a in asked if a is not None])
        assert {(a.unit, a.mission) for a in granted} == expected


def test_the_capacity_holds_losses_are_refilled_in_one_pass_and_order_is_nothing() -> None:
    for seed in range(40):
        missions, bidders = _field(seed)
        allot(missions, bidders)
        takers = [unit for one in all_missions(missions) for unit in one.takers]
        assert len(takers) == len(set(takers)), "no unit has two missions"
        assert all(len(one.takers) <= one.capacity for one in all_missions(missions))
        other, _ = _field(seed)
        allot(other, bidders[::-1])
        assert other == missions
    missions = {}
    post(missions, OpenMission(0, "attack", 0.0, 0.0, 2.0, capacity=5))
    units = [Bidder(u, 2.0 + u, 0.0, {"attack": 1.0}) for u in range(9)]
    allot(missions, units)
    assert missions["attack"][0].takers == [0, 1, 2, 3, 4]
    lost = keep_takers(missions, [unit for unit in range(9) if unit not in (0, 2, 3)])
    assert lost == [0, 2, 3] and missions["attack"][0].places == 3
    allot(missions, [one for one in units if one.unit not in lost])
    assert sorted(missions["attack"][0].takers) == [1, 4, 5, 6, 7], "the nearest three of the others"


def test_a_better_mission_is_changed_for_a_barred_one_is_not_and_without_an_arbiter_all_take_it() -> None:
    missions: Missions = {}
    post(missions, OpenMission(0, "watch", 0.0, 10.0, 1.0))
    unit = Bidder(1, 0.0, 0.0, {"watch": 1.0})
    allot(missions, [unit])
    post(missions, OpenMission(1, "watch", 0.0, 5.0, 1.0, barred=[1]))
    assert application(missions, unit) is None
    missions["watch"][1].barred.clear()
    assert allot(missions, [unit])[0].mission == 1 and missions["watch"][0].places == 1
    held = mission_of(missions, 1)
    assert held is not None and held.number == 1
    close(missions, 1)
    assert mission_of(missions, 1) is None and list(missions) == ["watch"]
    crowd = [Bidder(u, float(u), 10.0, {"watch": 1.0}) for u in range(4)]
    allot(missions, crowd, arbiter=False)
    assert sorted(missions["watch"][0].takers) == [0, 1, 2, 3]
