"""Invariant ``searches_well``: it accepts a sound search and reports each fault put into one.

Each fault is one small change of the state of a search; the oracle is the same search without the change.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from ai.squad.squad_search import Search, Spot, SpotState
from game.checks.invariants import search_invariants
from game.checks.invariants.search_invariants import SearchesWell
from game.checks.scripts.script import Expect
from game.systems.stealth import side_knowledge
from game.world.world import World
from tests.game.sim.play import Play, guard, raider, yard


def searching(folder: Path, facing: float = 0.0) -> tuple[World, Search, SearchesWell]:
    """Return a world, a search of Odo and Udo and its invariant.

    Odo stands and looks about between a wall in the west and a wood in the east.
    """
    rows = ["s" * 30] * 6 + ["s" * 5 + "#s" + "T" * 5 + "s" * 18] * 3 + ["s" * 30] * 5
    builder = yard("\n".join(rows))
    guard(builder, 6.5, 7.5, facing=facing)
    guard(builder, 20.5, 3.5, "Udo")
    raider(builder, 28.5, 12.5)
    play = Play(folder, builder).run(1)
    world, ids = play.world, [play.unit("Odo"), play.unit("Udo")]
    world.units.head[play.slot("Odo")] = math.radians(facing)
    search = Search(1, 1, play.unit("Ann"), 10.5, 7.5, 0, 400, 1, 12.0, searchers=ids)
    search.spots = [Spot(8.5, 3.5, SpotState.CLAIMED, ids[0]), Spot(12.5, 3.5, SpotState.CLAIMED, ids[1])]
    search.investigators = ids[:1]
    world.searches.append(search)
    mind = SimpleNamespace(
        skill="search", machine=SimpleNamespace(state="Sweep"), stack=[SimpleNamespace(name="look about")]
    )
    world.minds[ids[0]] = mind  # type: ignore[assignment]
    law = SearchesWell(Expect(kind="searches_well", by=50, count=2), world)
    world.events.clear()
    return world, search, law


def _greedy(world: World, search: Search) -> None:
    search.spots[1].by = search.spots[0].by


def _same_place(world: World, search: Search) -> None:
    search.spots[1].x = search.spots[0].x


def _crowd(world: World, search: Search) -> None:
    search.investigators = list(search.searchers)


def _together(world: World, search: Search) -> None:
    for unit in search.searchers:
        world.happen("calm", unit)


def _nearly_together(world: World, search: Search) -> None:
    """End the search of two guards 9 ticks apart; the least is 10 ticks."""
    for unit, later in zip(search.searchers, (0, 9), strict=True):
        world.happen("calm", unit)
        world.events[-1].tick += later


def _apart(world: World, search: Search) -> None:
    _clear(world, search)
    for unit, later in zip(search.searchers, (0, 10), strict=True):
        world.happen("calm", unit)
        world.events[-1].tick += later


def _second(world: World, search: Search, x: float, searcher: bool = False) -> Search:
    """Add another search of the same side ``x`` tiles further east."""
    other = Search(2, 1, -1, search.x + x, search.y, 0, 400, 1, 12.0, searchers=search.searchers[: int(searcher)])
    world.searches.append(other)
    return other


def _off_the_mark(world: World, search: Search) -> None:
    side_knowledge.report(world, search.side, search.target, search.x, search.y - 2.0, world.tick, search.searchers[0])


def _in_two(world: World, search: Search) -> None:
    _second(world, search, 12.0, searcher=True)


def _about_one_place(world: World, search: Search) -> None:
    _second(world, search, 9.5)


def _claimed_in_two(world: World, search: Search) -> None:
    _second(world, search, 12.0).spots = [Spot(12.5, 3.5, SpotState.CLAIMED, 99)]


def _two_apart(world: World, search: Search) -> None:
    """Add a finished search nearby and one that lists a spot of the first."""
    _clear(world, search)
    _second(world, search, 12.0).spots = [Spot(12.5, 3.5)]
    other = _second(world, search, 1.0)
    other.phase, other.until = 2, 0


def look_into(world: World, spot: Spot) -> None:
    """Put the claiming guard beside its spot and mark the spot as searched."""
    slot = world.units.slot(spot.by)
    world.units.prev_x[slot], world.units.prev_y[slot] = spot.x - 1.0, spot.y
    spot.state = SpotState.SEARCHED


def _clear(world: World, search: Search) -> None:
    search.phase = 2
    for spot in search.spots:
        look_into(world, spot)


def _from_behind(world: World, search: Search) -> None:
    """Mark Udo's spot as searched; Udo is eight tiles off and looks away."""
    search.spots[1].state = SpotState.SEARCHED


def _by_a_look_not_taken(world: World, search: Search) -> None:
    """Mark a spot in the north as searched.

    Odo's head was only turned east and south.
    """
    spot, slot = search.spots[0], world.units.slot(search.searchers[0])
    spot.x, spot.state, world.units.head[slot] = 6.5, SpotState.SEARCHED, math.pi / 2


def _idle(world: World, search: Search) -> None:
    search.phase = 2
    world.tick += 60


def _rules_out(world: World, search: Search) -> None:
    search.rule_out(search.spots[1], search.searchers[1], world.tick)


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (_clear, None),
        (_greedy, "two spots for one"),
        (_same_place, "one for two"),
        (_crowd, "2 investigators, 1 allowed"),
        (_together, "two of one search went home within 0 ticks"),
        (_nearly_together, "two of one search went home within 9 ticks"),
        (_apart, None),
        (_off_the_mark, "a search is 2.0 tiles off"),
        (_in_two, "Odo is in two searches"),
        (_about_one_place, "two searches about one place"),
        (_claimed_in_two, "one place is claimed in two searches"),
        (_two_apart, None),
        (_from_behind, "Udo has not seen into (12.5, 3.5)"),
        (_by_a_look_not_taken, "Odo has not seen into (6.5, 3.5)"),
        (_idle, "2 hiding places are left"),
        (_rules_out, "a path leads to (12.5, 3.5)"),
    ],
)
def test_each_fault_of_a_search_is_reported_and_sound_searches_are_not(
    tmp_path: Path, fault: Callable[[World, Search], None], told: str | None
) -> None:
    world, search, law = searching(tmp_path)
    law.watch(world)
    fault(world, search)
    law.watch(world)
    assert (law.verdict(world) is None) if told is None else told in str(law.verdict(world))


@pytest.mark.parametrize(
    ("searched", "why", "told"),
    [
        (2, "round", None),
        (1, "round", "given up with 1 hiding places left"),
        (0, "round", "given up with 2 hiding places left"),
        (1, "fight", "no search has looked at all its hiding places"),
        (1, "fallen", "no search has looked at all its hiding places"),
    ],
)
def test_a_search_given_up_early_is_reported_unless_a_guard_fights_or_falls(
    tmp_path: Path, searched: int, why: str, told: str | None
) -> None:
    world, search, law = searching(tmp_path)
    search.phase = 2
    law.watch(world)
    for spot in search.spots[:searched]:
        look_into(world, spot)
    world.tick += 5
    law.watch(world)
    world.searches.clear()
    udo = search.searchers[1]
    if why == "fallen":
        world.units.alive[world.units.slots([udo])] = 0
    else:
        world.minds[udo] = SimpleNamespace(skill=why)  # type: ignore[assignment]
    law.watch(world)
    assert law.verdict(world) is None if told is None else told in str(law.verdict(world))


def test_the_invariant_imports_nothing_from_the_minds() -> None:
    imports = re.findall(
        r"^from (\S+) import", Path(search_invariants.__file__).read_text(encoding="utf-8"), re.MULTILINE
    )
    assert "game.checks.expectations" in imports and not any(name.startswith("game.minds") for name in imports)


@pytest.mark.parametrize(("ticks", "late"), [(216, False), (217, True)])
def test_two_guards_have_216_ticks_for_two_spots(tmp_path: Path, ticks: int, late: bool) -> None:
    """Derive the limit by hand.

    Twelve tiles at 1.5 tiles/s take 160 ticks; a look about takes 56 ticks.
    """
    world, search, _ = searching(tmp_path)
    law = SearchesWell(Expect(kind="searches_well"), world)
    search.phase = 2
    law.watch(world)
    world.tick += ticks
    law.watch(world)
    assert ("2 hiding places are left" in str(law.verdict(world))) == late


def test_a_search_counts_as_clear_when_spots_are_added_after_the_last_one_is_searched(tmp_path: Path) -> None:
    world, search, law = searching(tmp_path)
    search.phase = 2
    law.watch(world)
    for spot in search.spots:
        look_into(world, spot)
    search.refills, world.tick = 1, world.tick + 40
    search.spots.append(Spot(14.5, 3.5))
    law.watch(world)
    world.tick += 40
    law.watch(world)
    assert law.verdict(world) is None


@pytest.mark.parametrize(("facing", "stares"), [(180.0, True), (0.0, False), (90.0, False)])
def test_looking_about_into_a_wall_is_reported_but_not_into_a_wood(tmp_path: Path, facing: float, stares: bool) -> None:
    """Turn Odo to a wall (west), a wood (east) or open ground (south).

    Units can enter the wood.
    """
    world, _, law = searching(tmp_path, facing)
    assert world.terrain.opaque[7, 5] and world.terrain.opaque[7, 7], "both block sight"
    law.watch(world)
    assert ("stares at a wall" in str(law.verdict(world))) == stares


@pytest.mark.parametrize(("facing", "stares"), [(180.0, True), (90.0, False)])
def test_a_guard_that_only_stands_may_face_a_wall_for_twenty_ticks(tmp_path: Path, facing: float, stares: bool) -> None:
    """Watch a guard in the state Shrug, without a look about, for 21 ticks."""
    world, search, law = searching(tmp_path, facing)
    world.minds[search.searchers[0]].machine.state = "Shrug"
    world.minds[search.searchers[0]].stack.clear()
    for tick in range(1, 22):
        law.watch(world)
        assert ("stares at a wall" in str(law.verdict(world))) == (stares and tick > 20)
