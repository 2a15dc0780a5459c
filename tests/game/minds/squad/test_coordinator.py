"""Coordinator: one member shoots while none does; tokens admit the nearest to an assault."""

from pathlib import Path

import numpy as np

from ai.squad.manoeuvres.manoeuvre import MemberTask, SquadTask
from game.level.reading import load_level
from game.minds.squad.coordinator import AGAIN, RUSH, held_back
from game.minds.squad.squad_mind import form_squad
from game.sim.session import Session

LEVEL = load_level(Path(__file__).resolve().parents[4] / "levels" / "exhibits" / "squads" / "firing_line.tmx")


def test_one_member_halts_to_shoot_and_two_at_most_assault() -> None:
    world = Session(LEVEL, 1, recording=False).world
    u, settings = world.units, world.settings.tactics
    members = [int(i) for i in u.id[u.living(0)]]
    enemy = int(u.id[u.living(1)][0])
    squad = form_squad(world, 0, members, "take", 28.5, 10.5)
    n = len(members)
    task = SquadTask("charge", members, 28.5, 10.5, task=np.full(n, MemberTask.RUN, np.int8), goal=np.zeros((n, 2)))
    slots = u.slots(members)
    u.moving[slots] = 1

    def see(*rows: int) -> None:
        u.meter[slots] = 0.0
        for k in rows:
            u.meter[slots[k]], u.meter_target[slots[k]], u.seen_tick[slots[k]] = 1.0, enemy, world.tick
            u.seen_x[slots[k]], u.seen_y[slots[k]] = u.x[slots[k]] + 5.0, u.y[slots[k]]

    see(2, 4)
    assert held_back(world, squad, task) == set(), "off by default"
    settings.one_shooter = True
    assert held_back(world, squad, task) == {2} == held_back(world, squad, task)
    u.blocked_by[slots[2]] = members[4]
    assert held_back(world, squad, task) == {4}, "a friend in the line ends the role"
    see()
    assert held_back(world, squad, task) == set() and not squad.roles.holders
    u.blocked_by[slots[2]] = -1
    see(1, 5)
    assert held_back(world, squad, task) == {1}
    u.alive[slots[1]] = 0
    assert held_back(world, squad, task) == {5}, "death frees the role within a thought"
    u.alive[slots[1]] = 1
    u.moving[slots[1]], u.target[slots[1]] = 0, enemy
    assert held_back(world, squad, task) == set(), "another one fires"

    settings.one_shooter, settings.assault_tokens = False, 2
    see()
    task.task[:] = MemberTask.ASSAULT
    task.goal[:] = 28.5, 10.5
    nearest = np.argsort(np.hypot(u.x[slots] - 28.5, u.y[slots] - 10.5), kind="stable").tolist()
    go = set(range(n)) - held_back(world, squad, task)
    assert go == set(nearest[:2])
    world.tick += RUSH
    assert set(range(n)) - held_back(world, squad, task) == set(nearest[2:4]), "the first two wait for their next one"
    world.tick += max(RUSH, AGAIN)
    third = set(range(n)) - held_back(world, squad, task)
    assert len(third) == 2 and not third & set(nearest[2:4])
