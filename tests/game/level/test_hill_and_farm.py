"""Map of Hill and Farm: forces, cover, ways round, and commander."""

from __future__ import annotations

from pathlib import Path

import pytest
from scipy import ndimage

from game.level import Level, load_level
from game.level.level_writer import LEVELS, LevelBuilder
from game.sim.session import Session
from game.world.orders import Order, OrderKind


@pytest.fixture(scope="module")
def level() -> Level:
    return load_level(LEVELS / "hill_and_farm.tmx")


def test_three_squads_of_six_meet_a_hill_a_farm_and_a_reserve(level: Level) -> None:
    """Both places have cover; each is reached without crossing the other."""
    groups = lambda side: sorted(s.group for s in level.spawns if s.side == side)  # noqa: E731
    assert groups(0) == [1] * 6 + [2] * 6 + [3] * 6
    assert {group: groups(1).count(group) for group in (1, 2, 3)} == {1: 7, 2: 7, 3: 7}
    regions = {r.name: r for r in level.regions}
    for name, other in (("hill", "farm"), ("farm", "hill")):
        passable = level.passable != 0
        xs, ys = zip(*regions[other].points, strict=True)
        passable[int(min(ys)) : int(max(ys)), int(min(xs)) : int(max(xs))] = False
        labels, _ = ndimage.label(passable)
        xs, ys = zip(*regions[name].points, strict=True)
        inside = labels[int(min(ys)) : int(max(ys)), int(min(xs)) : int(max(xs))]
        assert (inside == labels[24, 8]).any()
        covered = level.cover[int(min(ys)) : int(max(ys)), int(min(xs)) : int(max(xs))] >= 2
        assert covered.sum() >= 10


def test_the_guards_get_a_commander_with_a_squad_in_reserve(level: Level) -> None:
    """The squad at each place is ordered to hold it; the third one waits."""
    session = Session(level, 1, recording=False)
    for _ in range(4):
        session.advance()
    world = session.world
    (post,) = world.squads.posts.values()
    assert post.side == 1 and [(one.x, one.y) for one in post.objectives] == [(44.0, 13.0), (51.0, 36.0)]
    groups = [{int(world.units.group[world.units.slot(m)]) for m in world.squads.rows[one.by].members} for one in
              post.objectives]  # fmt: skip
    assert groups == [{1}, {2}]
    assert sorted(known.task for known in post.reports.values()) == ["attack", "attack", "reserve"]


def _small(tmp_path: Path, target: str) -> Level:
    level = LevelBuilder.from_letters("\n".join(["." * 14] * 8), title="Yard")
    level.add("spawn", 2.5, 4.5, kind="soldier", side="raiders", layer="objects")
    level.add("spawn", 10.5, 1.5, kind="soldier", side="guards", layer="objects")
    level.add("region", 9.0, 3.0, 4.0, 4.0, name="yard", layer="objects")
    level.add("objective", 10.5, 4.5, kind="hold", region="yard", text="Take the yard", layer="objects")
    level.add("trigger", 1.0, 1.0, on="start", does="command", target=target, layer="objects")
    level.write(tmp_path / "yard.tmx")
    return load_level(tmp_path / "yard.tmx")


def test_a_place_is_held_by_a_unit_inside_without_an_enemy(tmp_path: Path) -> None:
    """An empty region, and one with both sides in it, are not held."""
    session = Session(_small(tmp_path, "yard"), 1, recording=False)
    u, mission = session.world.units, session.world.mission
    guard, raider = (int(u.living(side)[0]) for side in (1, 0))
    for unit in (guard, raider):
        session.give(Order(int(OrderKind.FIRE), int(u.side[unit]), (int(u.id[unit]),), value=2.0))
    session.advance()
    assert mission.status == "running"
    u.x[guard], u.y[guard], u.x[raider], u.y[raider] = 10.5, 3.5, 10.5, 6.5
    session.advance()
    assert mission.status == "running"
    u.x[guard], u.y[guard] = 1.5, 1.5
    session.advance()
    assert mission.status == "won"


def test_a_command_at_a_region_that_does_not_exist_is_noted(tmp_path: Path) -> None:
    """The card names the wrong region; the other one is commanded."""
    level = _small(tmp_path, "yard, shed")
    assert any("shed" in note for note in level.card.notes)
    session = Session(level, 1, recording=False)
    for _ in range(3):
        session.advance()
    (post,) = session.world.squads.posts.values()
    assert [(one.x, one.y) for one in post.objectives] == [(11.0, 5.0)]
