"""Searches in the running game: approach, one search a place, exits, hiding places.

Oracle: the tests note positions, speeds and lines of sight in each tick.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from ai.perception.sight.line_of_sight import line_clear
from ai.squad.squad_search import Spot, SpotState
from game.checks.invariants.search_invariants import SearchesWell
from game.checks.scripts.script import Expect, MapEdit
from game.checks.scripts.scripted_player import make_edit
from game.minds import alarm
from game.minds.agent_view import AgentView
from game.minds.guard.belief_records import SearchState
from game.minds.guard.search.pursuit import looks_into
from game.systems.lights import shine, switch
from tests.game.sim.play import Play, guard, raider, yard

CORNER = "\n".join(["s" * 15 + "#" + "s" * 14] * 10 + ["s" * 30] * 4)
"""Map with a wall from the north; the path east goes round its end."""


def sent(play: Play, x: float, y: float, *names: str) -> None:
    """Tell the named guards that a raider was seen at (x, y)."""
    for name in names:
        mind = play.world.minds[play.unit(name)]
        mind.beliefs.search = SearchState(x, y, 1, 1, "it saw raider 4")
        play.world.units.event[play.slot(name)] |= 256


def test_a_guard_runs_to_a_place_and_walks_once_it_has_the_place_in_view(tmp_path: Path) -> None:
    builder = yard(CORNER)
    guard(builder, 8.5, 6.5, facing=0.0)
    raider(builder, 28.5, 1.5)
    play = Play(tmp_path, builder).run(2)
    sent(play, 19.5, 8.5, "Odo")
    u, slot, paces = play.world.units, play.slot("Odo"), []
    while play.world.minds[play.unit("Odo")].machine.state in ("Post", "Begin", "Go"):
        far = math.hypot(u.x[slot] - 19.5, u.y[slot] - 8.5)
        view = far <= 6.0 and line_clear(play.world.terrain.opaque, int(u.y[slot]), int(u.x[slot]), 8, 19)
        play.run()
        paces.append((view, math.hypot(u.vx[slot], u.vy[slot])))
    before = [speed for view, speed in paces if not view]
    after = [speed for view, speed in paces if view]
    assert np.median(before) > 3.5, "running, four tiles a second"
    assert len(after) > 40 and max(after[12:]) < 1.6, "at a walk after the next thought"


def four_about(folder: Path, **settings: object) -> tuple[Play, Callable[[float, float], None]]:
    """Return a play with five guards in a yard, and a function to call.

    The fifth guard calls where a raider was seen; the other four hear it.
    """
    builder = yard("\n".join(["s" * 40] * 14))
    for k in range(5):
        guard(builder, 8.5 + k, 6.5, f"G{k}", facing=math.pi)
    raider(builder, 38.5, 1.5)
    play = Play(folder, builder, **settings).run(2)
    crier = AgentView(play.world, play.slot("G4"), 0)

    def cry(x: float, y: float) -> None:
        assert alarm.shout(crier, x, y, play.unit("Ann"), play.world.tick) == 4

    return play, cry


def watched(play: Play, law: SearchesWell, until: Callable[[], bool]) -> None:
    while not until():
        play.run()
        law.watch(play.world)
        assert law.first is None and play.world.tick < 400


def test_an_alarm_after_the_end_of_a_search_begins_one_search_for_all(tmp_path: Path) -> None:
    """Raise a second alarm while guards of the first search have not gone home.

    The second search keeps to its limit of investigators, and its guards go home at least 10 ticks apart.
    """
    play, cry = four_about(tmp_path, minds__give_up=40)
    world, law = play.world, SearchesWell(Expect(kind="searches_well"), play.world)
    cry(16.5, 8.5)
    watched(play, law, lambda: bool(world.searches) and world.tick >= world.searches[0].until + 5)
    (first,) = world.searches
    assert first.searchers, "the guards have not gone home yet"
    cry(16.5, 8.5)
    before = len(play.seen)
    watched(play, law, lambda: any(len(s.searchers) == 4 for s in world.searches if s.id != first.id))
    (second,) = (s for s in world.searches if s.id != first.id)
    assert len(second.investigators) == second.cap == 2 and not first.searchers
    watched(play, law, lambda: not world.searches)
    homes = [e.tick for e in play.seen[before:] if e.kind == "calm"]
    assert len(homes) == 4 and min(np.diff(homes)) >= 10


def test_two_searches_that_an_alarm_moves_to_one_place_become_one(tmp_path: Path) -> None:
    play, cry = four_about(tmp_path)
    world, law = play.world, SearchesWell(Expect(kind="searches_well"), play.world)
    sent(play, 14.5, 8.5, "G0", "G1")
    sent(play, 26.5, 8.5, "G2", "G3")
    watched(play, law, lambda: world.tick > 50)
    assert [len(s.searchers) for s in world.searches] == [2, 2]
    cry(20.5, 8.5)
    watched(play, law, lambda: world.tick > 65)
    (search,) = world.searches
    assert (search.x, search.y) == (20.5, 8.5) and len(search.searchers) == 4 and len(search.investigators) == 2


DEAD_END = "\n".join(
    ["#" * 32]
    + ["#" + "s" * 17 + "#" + "s" * 9 + "#" + "s" * 2 + "#"] * 6
    + ["#" + "s" * 17 + "s" + "s" * 9 + "#" + "s" * 2 + "#"]
    + ["#" + "s" * 17 + "#" + "s" * 9 + "#" + "s" * 2 + "#"] * 6
    + ["#" * 32]
)
"""Map with a yard, a room with one doorway (18, 7) and a cell."""
DOOR, BEFORE, WITHIN = (18.5, 7.5), (7, 17), (7, 20)


@pytest.mark.parametrize("seals", [True, False])
def test_guards_enter_a_dead_end_only_after_one_guard_watches_its_exit(tmp_path: Path, seals: bool) -> None:
    """Send three guards into a room with one doorway, with ``minds.seals`` on and off.

    The watching guard sees the tile before the doorway but not the room, and keeps its post to the end.
    """
    builder = yard(DEAD_END)
    for k, y in enumerate((2.5, 7.5, 12.5)):
        guard(builder, 8.5, y, f"G{k}", facing=0.0)
    raider(builder, 30.5, 1.5)
    play = Play(tmp_path, builder, minds__seals=seals, minds__give_up=300).run(2)
    sent(play, 22.5, 5.5, "G0", "G1", "G2")
    u, opaque = play.world.units, play.world.terrain.opaque
    slots = [play.slot(f"G{k}") for k in range(3)]
    kept_at, entered_at, kept_in_phase_2 = -1, -1, 0
    while play.world.tick < 275 and (seals or entered_at < 0):
        play.run()
        if entered_at < 0 and (u.x[slots] > 18.0).any():
            entered_at = play.world.tick
        if not play.world.searches:
            continue
        (search,) = play.world.searches
        row = search.posts.get(search.keeper)
        if row is None or len(search.searchers) < 2:
            continue
        keeper, (_, x, y, facing) = u.slot(search.keeper), row
        at_post = math.hypot(u.x[keeper] - x, u.y[keeper] - y) < 1.0
        if at_post and kept_at < 0:
            kept_at = play.world.tick
            assert line_clear(opaque, int(y), int(x), *BEFORE) and not line_clear(opaque, int(y), int(x), *WITHIN)
        assert at_post or kept_at < 0, "the guard does not leave its post"
        if play.world.tick > kept_at + 40 and kept_at > 0:
            off = math.atan2(DOOR[1] - u.y[keeper], DOOR[0] - u.x[keeper])
            assert abs(math.remainder(float(u.facing[keeper]) - off, math.tau)) < math.radians(15)
            assert abs(math.remainder(facing - off, math.tau)) < math.radians(15)
            kept_in_phase_2 += search.phase == 2
    assert entered_at > 0
    if seals:
        assert 0 < kept_at <= entered_at and kept_in_phase_2 > 40
    else:
        assert kept_at < 0


@pytest.mark.parametrize("wide", [True, False])
def test_a_searcher_looks_about_from_several_places_and_in_an_alley_from_one(tmp_path: Path, wide: bool) -> None:
    pillars = ["s" * 30] * 3 + ["sss##sssss##" + "s" * 18] * 2 + ["s" * 30] * 4 + ["sss##sssss##" + "s" * 18] * 2
    rows = [*pillars, *["s" * 30] * 3] if wide else ["#" * 30] * 6 + ["s" * 30] * 2 + ["#" * 30] * 6
    builder = yard("\n".join(rows))
    guard(builder, 8.5, 6.5, facing=0.0)
    raider(builder, 28.5, 12.5 if wide else 6.5)
    play = Play(tmp_path, builder).run(2)
    sent(play, 8.5, 6.5, "Odo")
    u, slot, mind = play.world.units, play.slot("Odo"), None
    places, headings = set(), []
    while play.world.tick < 8 or (mind is not None and mind.machine.state == "Sweep"):
        play.run()
        mind = play.world.minds[play.unit("Odo")]
        if mind.machine.state == "Sweep" and not u.moving[slot]:
            places.add((int(u.x[slot]), int(u.y[slot])))
            headings += [round(float(u.head[slot]), 2)] if round(float(u.head[slot]), 2) not in headings[-1:] else []
            x, y = u.x[slot] + math.cos(u.head[slot]), u.y[slot] + math.sin(u.head[slot])
            assert not (0 <= x < 30 and 0 <= y < 14) or not play.world.terrain.opaque[int(y), int(x)]
        cleared = [s for s in play.world.searches[0].spots if s.state == SpotState.SEARCHED] if wide else []
    assert (places != {(8, 6)}) == wide and len(headings) >= 2
    assert bool(cleared) == wide, "steps reveal hiding places that the first place does not show"


def test_a_search_sees_all_its_hiding_places_except_one_that_becomes_unreachable(tmp_path: Path) -> None:
    """Search six or more places with ``minds.give_up`` at one second.

    A wall is built round the farthest place, which counts as out of reach; each other one must be seen.
    """
    rows = ["s" * 30 for _ in range(14)]
    for y in (2, 5, 8, 11):
        rows[y] = "ssss##ssss##ssss##ssss##ssssss"
    builder = yard("\n".join(rows))
    guard(builder, 12.5, 6.5, facing=0.0)
    raider(builder, 28.5, 12.5)
    play = Play(tmp_path, builder, minds__give_up=20).run(2)
    sent(play, 14.5, 6.5, "Odo")
    world, law, pool = play.world, SearchesWell(Expect(kind="searches_well"), play.world), [Spot(0.5, 0.5)]
    while world.tick < 20 or world.searches:
        play.run()
        law.watch(world)
        pool = world.searches[0].spots if world.searches else pool
        if world.tick == 20:
            spot = max(pool, key=lambda s: math.hypot(s.x - 14.5, s.y - 6.5))
            x, y = int(spot.x), int(spot.y)
            box = (x - 1, y - 1, x + 2, y + 2)
            edit = MapEdit(tick=world.tick, box=box, ground="wall", walkable=False, blocks_sight=True)
            play.session.give(make_edit(edit, world))
            inside = MapEdit(tick=world.tick, box=(x, y, x + 1, y + 1), ground="floor", walkable=True)
            play.session.give(make_edit(inside, world))
        assert law.first is None and world.tick < 1400
    states = sorted(s.state for s in pool)
    assert len(states) >= 6 and states == [SpotState.SEARCHED] * (len(states) - 1) + [SpotState.OUT_OF_REACH]


def test_a_thicket_counts_as_searched_only_from_nearer_than_2_6_tiles(
    tmp_path: Path,
) -> None:
    """Let a guard look at reeds from afar and then approach.

    A unit that crouches in reeds is seen from 2.5 tiles in any light.
    """
    builder = yard("\n".join(["s" * 30] * 14))
    builder.fill("reeds", 12, 6, 13, 7)
    guard(builder, 7.5, 6.5, facing=0.0)
    raider(builder, 28.5, 12.5)
    play = Play(tmp_path, builder).run(2)
    sent(play, 7.5, 6.5, "Odo")
    u, slot, stared, far = play.world.units, play.slot("Odo"), 0, math.inf
    for _ in range(400):
        play.run()
        places = [s for search in play.world.searches for s in search.spots if (s.x, s.y) == (12.5, 6.5)]
        if places and places[0].state == SpotState.SEARCHED:
            break
        far = math.hypot(u.x[slot] - 12.5, u.y[slot] - 6.5)
        faces = abs(math.remainder(math.atan2(6.5 - u.y[slot], 12.5 - u.x[slot]) - u.head[slot], math.tau)) < 0.3
        stared += bool(places) and faces and 2.6 < far < 8.0
    assert stared > 20 and far < 2.6


def test_a_dark_corner_is_not_searched_from_afar_until_a_lamp_shines_into_it(tmp_path: Path) -> None:
    builder = yard("\n".join(["s" * 30] * 14), night=True)
    guard(builder, 4.5, 6.5, facing=0.0)
    builder.add("light", 12.5, 6.5, name="lamp", radius=4.0, on=False)
    world = Play(tmp_path, builder).run(2).world
    corner = Spot(12.5, 6.5)
    assert not looks_into(world, 0, corner, 0.0)
    switch(world, world.lights[0], True)
    shine(world)
    assert looks_into(world, 0, corner, 0.0) and not looks_into(world, 0, corner, math.pi)
