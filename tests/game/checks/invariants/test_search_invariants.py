"""The law of searches finds out who searches badly: it is kept by the game and broken by one small betrayal.

Oracle: the same search without the betrayal.
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
    """Two guards of one search; Odo stands for a look between a wall in the west and a wood in the east."""
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
    """Nine ticks apart, where ten are the least."""
    for unit, later in zip(search.searchers, (0, 9), strict=True):
        world.happen("calm", unit)
        world.events[-1].tick += later


def _apart(world: World, search: Search) -> None:
    _clear(world, search)
    for unit, later in zip(search.searchers, (0, 10), strict=True):
        world.happen("calm", unit)
        world.events[-1].tick += later


def _second(world: World, search: Search, x: float, searcher: bool = False) -> Search:
    """Another search of the same side ``x`` tiles further east."""
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
    """One that is over may still be there, and the rings of two may hold the same place as long as one goes there."""
    _clear(world, search)
    _second(world, search, 12.0).spots = [Spot(12.5, 3.5)]
    other = _second(world, search, 1.0)
    other.phase, other.until = 2, 0


def look_into(world: World, spot: Spot) -> None:
    """Whoever claimed the place has come to it."""
    slot = world.units.slot(spot.by)
    world.units.prev_x[slot], world.units.prev_y[slot] = spot.x - 1.0, spot.y
    spot.state = SpotState.SEARCHED


def _clear(world: World, search: Search) -> None:
    search.phase = 2
    for spot in search.spots:
        look_into(world, spot)


def _from_behind(world: World, search: Search) -> None:
    """Udo stands eight tiles off and looks the other way."""
    search.spots[1].state = SpotState.SEARCHED


def _by_a_look_not_taken(world: World, search: Search) -> None:
    """Odo looks about, but not there: the place is in the north, his head has been in the east and in the south."""
    spot, slot = search.spots[0], world.units.slot(search.searchers[0])
    spot.x, spot.state, world.units.head[slot] = 6.5, SpotState.SEARCHED, math.pi / 2


def _idle(world: World, search: Search) -> None:
    search.phase = 2
    world.tick += 60


def _rules_out(world: World, search: Search) -> None:
    search.rule_out(search.spots[1], search.searchers[1], world.tick)


@pytest.mark.parametrize(
    ("betrayal", "told"),
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
        (_rules_out, "a way leads to (12.5, 3.5)"),
    ],
)
def test_searchers_who_search_badly_are_found(
    tmp_path: Path, betrayal: Callable[[World, Search], None], told: str | None
) -> None:
    """And those who look at both their hiding places are not."""
    world, search, law = searching(tmp_path)
    law.watch(world)
    betrayal(world, search)
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
def test_who_gives_up_early_is_found_unless_there_is_a_fight(
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


def test_the_law_has_its_numbers_from_no_mind() -> None:
    imports = re.findall(
        r"^from (\S+) import", Path(search_invariants.__file__).read_text(encoding="utf-8"), re.MULTILINE
    )
    assert "game.checks.expectations" in imports and not any(name.startswith("game.minds") for name in imports)


@pytest.mark.parametrize(("ticks", "late"), [(216, False), (217, True)])
def test_two_have_one_round_for_two_places(tmp_path: Path, ticks: int, late: bool) -> None:
    """Twelve tiles at a tile and a half a second, and a look about of 56 ticks."""
    world, search, _ = searching(tmp_path)
    law = SearchesWell(Expect(kind="searches_well"), world)
    search.phase = 2
    law.watch(world)
    world.tick += ticks
    law.watch(world)
    assert ("2 hiding places are left" in str(law.verdict(world))) == late


def test_a_pool_that_is_widened_as_its_last_place_is_looked_at_counts_as_clear(tmp_path: Path) -> None:
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
def test_a_wall_is_stared_at_and_a_wood_is_looked_into(tmp_path: Path, facing: float, stares: bool) -> None:
    """In the west a wall, in the east a wood that hides and can be walked into, in the south open ground."""
    world, _, law = searching(tmp_path, facing)
    assert world.terrain.opaque[7, 5] and world.terrain.opaque[7, 7], "both block sight"
    law.watch(world)
    assert ("stares at a wall" in str(law.verdict(world))) == stares


@pytest.mark.parametrize(("facing", "stares"), [(180.0, True), (90.0, False)])
def test_who_only_stands_may_have_a_wall_before_his_eyes_for_a_second(
    tmp_path: Path, facing: float, stares: bool
) -> None:
    """At a post or giving up, not looking about: twenty ticks are let pass, one more is staring."""
    world, search, law = searching(tmp_path, facing)
    world.minds[search.searchers[0]].machine.state = "Shrug"
    world.minds[search.searchers[0]].stack.clear()
    for tick in range(1, 22):
        law.watch(world)
        assert ("stares at a wall" in str(law.verdict(world))) == (stares and tick > 20)
