"""Missions, requests and boards of a squad: a guard of an exit falls."""

from pathlib import Path

import numpy as np

from ai.decision.blackboards.open_missions import all_missions
from ai.decision.blackboards.scoped_boards import BoardScope
from game.level.reading import load_level
from game.minds.squad.boards.squad_boards import board_of, boards_of, report_threat, threat_of, tidy_boards
from game.minds.squad.squad_mind import form_squad, think
from game.sim.session import Session
from game.systems.interaction.bodies import kill
from game.world.groups.command_posts import ChainLink
from game.world.orders import Order, OrderKind
from game.world.world import World, restore_world

HOUSE = load_level(Path(__file__).resolve().parents[5] / "levels" / "exhibits" / "squads" / "house.tmx")


def _takers(world: World) -> dict[str, list[int]]:
    return {one.text: one.takers for one in all_missions(board_of(world, world.squads.rows[0]).missions)}


def test_the_reserve_takes_over_from_a_guard_that_falls_and_a_saved_world_goes_on_the_same() -> None:
    session = Session(HOUSE, 1, recording=False)
    world = session.world
    u = world.units
    for unit in (4, 5):
        u.alive[u.slot(unit)] = 0
    session.give(Order(int(OrderKind.SQUAD), 0, (0, 1, 2, 3), 18.5, 10.5, name="cover_exits"))
    for _ in range(102):
        session.advance()
    assert sorted(unit for rows in _takers(world).values() for unit in rows) == [0, 1], "the guards keep their exits"
    lost = next(key for key, rows in _takers(world).items() if rows == [0])
    kill(world, u.slot(0))
    other = Session(HOUSE, 1, recording=False)
    other.world = restore_world(world.snapshot())
    played: list[str] = []
    for tick in range(125):
        session.advance()
        if tick < 10:
            other.advance()
        if tick == 9:
            assert world.hash() == other.world.hash()
        requests = boards_of(world, 0).own[2].requests
        if tick > 5 and requests:
            played.append(requests[-1].act)
            assert requests[0].act == "watch", "the mission asks for the same all the time"
    assert _takers(world)[lost] == [2], "the nearest of the reserve, and nobody else"
    turn = played.index("watch")
    assert set(played[:turn]) == {"run"} and set(played[turn:]) == {"watch"}, "it runs until it is there"
    exit_at = board_of(world, world.squads.rows[0]).entries[lost]
    slot = u.slot(2)
    assert np.hypot(u.x[slot] - exit_at.x, u.y[slot] - exit_at.y) <= 5.5
    squad = form_squad(world, 0, [1, 2, 3], "clear", 18.5, 10.5)
    think(world, squad, True)
    assert squad.task is not None and not _takers(world), "a manoeuvre has no use for missions"


def test_a_member_reads_its_own_threat_then_its_squads_then_the_net_of_its_commander() -> None:
    world = Session(HOUSE, 1, recording=False).world
    u = world.units
    squad = form_squad(world, 0, [0, 1, 2], "hold", 10.5, 10.5)
    alone = form_squad(world, 0, [3], "hold", 1.5, 15.5)
    for one in (squad, alone):
        think(world, one, False)
    report_threat(world, 0, 0, 40.0, 2.0, 3)
    assert threat_of(world, squad, 1) is None, "it has no commander, so no net"
    squad.chain = ChainLink(0)
    found = threat_of(world, squad, 1)
    assert found is not None and (found[0], found[1].x) == (BoardScope.ALL, 40.0)
    slot = u.slot(0)
    u.meter[slot], u.meter_target[slot], u.seen_tick[slot], u.seen_x[slot], u.seen_y[slot] = 1.0, 5, 0, 25.5, 10.5
    think(world, squad, False)
    scopes = [threat_of(world, squad, unit) for unit in (0, 1)]
    assert [(one[0], one[1].x) for one in scopes if one] == [(BoardScope.OWN, 25.5), (BoardScope.GROUP, 25.5)]
    world.settings.tactics.board_reach = "own"
    assert threat_of(world, squad, 1) is None and threat_of(world, squad, 0) is not None
    world.settings.tactics.board_reach = "side"
    assert threat_of(world, alone, 3) is None, "another squad does not read that board"
    world.squads.release([1])
    think(world, squad, False)
    assert boards_of(world, 0).joined[1] == []
    tidy_boards(world)
    assert 1 not in boards_of(world, 0).joined
