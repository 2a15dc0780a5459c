"""Scenes in play: guards take roles, and what they notice ends the scene.

The oracle is the same yard without its zone, the posts written down here, and the hash of a saved and loaded world.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from game.level.level_writer import LevelBuilder
from game.minds.explain import sentence_of, table_of
from game.systems.interaction.bodies import kill
from game.world.groups.scene_zones import load_scenes
from game.world.orders import OrderKind
from game.world.unit_types import DATA
from game.world.world import restore_world
from tests.game.sim.play import Play, guard, raider, yard

POSTS = {"Odo": (5.5, 4.5), "Udo": (9.5, 4.5), "Ivo": (7.5, 8.5)}


def camp(zone: bool = True, **more: object) -> LevelBuilder:
    """Return three guards around a fire, and a fourth 17 tiles off."""
    builder = yard("\n".join(["." * 30] * 14))
    for name, (x, y) in POSTS.items():
        guard(builder, x, y, name, facing=90.0)
    guard(builder, 24.5, 6.5, "Max", facing=90.0)
    raider(builder, 29.5, 13.5)
    if zone:
        builder.add("zone", 4.5, 3.5, 6.0, 6.0, name="camp", scene="fire", **more)
    return builder


def seats(play: Play) -> dict[str, tuple[str, int]]:
    """Role and seat of each member of the cast by name."""
    (zone,) = play.world.scenes.zones
    script = play.world.scenes.script(zone)
    return {play.world.names[a.unit]: (script.roles[a.role].name, a.seat) for a in zone.state.cast}


def test_a_zone_gives_roles_and_a_world_without_it_is_as_ever(tmp_path: Path) -> None:
    """Compare the yard with the same one without a zone.

    A snapshot goes on to the bit.
    """
    (tmp_path / "a").mkdir()
    play = Play(tmp_path / "a", camp(), vision__far_seconds=60.0).run(60)
    assert sorted(role for role, _ in seats(play).values()) == ["companion", "warmer", "warmer"]
    assert "Max" not in seats(play)
    u = play.world.units
    for name in POSTS:
        assert np.hypot(u.x[play.slot(name)] - 7.5, u.y[play.slot(name)] - 6.5) < 1.5
    odo = play.unit("Odo")
    role, words = seats(play)["Odo"][0], sentence_of(play.world, odo)
    assert f"it is the {role} in warming at a fire" in words
    assert dict(table_of(play.world, odo))["scene"].startswith(f"warming at a fire: {role}, ")
    play.session.world = restore_world(play.world.snapshot())
    before, play.world = play.world, play.session.world
    hashes = [play.run().world.hash() for _ in range(20)]
    play.session.world = play.world = before
    assert hashes == [play.run().world.hash() for _ in range(20)]
    (tmp_path / "b").mkdir()
    bare = Play(tmp_path / "b", camp(zone=False), vision__far_seconds=60.0).run(60)
    for name, post in POSTS.items():
        slot = bare.slot(name)
        assert (bare.world.units.x[slot], bare.world.units.y[slot]) == pytest.approx(post, abs=0.3)


def test_two_zones_of_one_scene_run_apart_and_switching_off_frees_all(tmp_path: Path) -> None:
    builder = camp()
    guard(builder, 20.5, 4.5, "Kit", facing=90.0)
    guard(builder, 22.5, 6.5, "Jan", facing=90.0)
    builder.add("zone", 18.5, 3.5, 6.0, 6.0, name="other", scene="fire")
    play = Play(tmp_path, builder).run(80)
    one, two = (zone.state for zone in play.world.scenes.zones)
    assert one.running and two.running and not {a.unit for a in one.cast} & {a.unit for a in two.cast}
    kill(play.world, play.slot("Kit"))
    kill(play.world, play.slot("Jan"))
    play.run(2)
    assert not two.running and two.why.endswith("nobody takes its place") and one.running
    play.world.settings.scenes.enabled = False
    play.run(2)
    assert not one.running and not one.cast
    assert {play.world.minds[play.unit(name)].skill for name in POSTS} == {"round"}


def test_a_main_actor_that_is_called_away_is_replaced_by_the_companion_or_ends_the_scene(tmp_path: Path) -> None:
    """Call a main actor away, with and without recasting.

    The timeline goes on at its column, or ends in the same tick.
    """
    for recasts in (True, False):
        folder = tmp_path / str(recasts)
        folder.mkdir()
        play = Play(folder, camp(), scenes__recasts=recasts).run(70)
        (zone,) = play.world.scenes.zones
        leaver = next(name for name, (role, _) in seats(play).items() if role == "warmer")
        column, started = zone.state.column, zone.state.started
        play.order(leaver, OrderKind.MOVE, x=14.5, y=11.5)
        play.run(2)
        if recasts:
            assert leaver not in seats(play)
            assert sorted(seats(play).values()) == [("warmer", 0), ("warmer", 1)]
            assert (zone.state.column, zone.state.started) == (column, started)
        else:
            assert not zone.state.running and "was called away" in zone.state.why


@pytest.mark.parametrize(
    ("cause", "told"), [("noise", "heard something"), ("alarm", "cried alarm"), ("sight", "noticed")]
)
def test_what_they_notice_ends_the_scene_for_all(tmp_path: Path, cause: str, told: str) -> None:
    """Let an actor hear a stone, hear an alarm or see an enemy.

    All are free in the tick of its decision.
    """
    play = Play(tmp_path, camp(), noise__stone=20.0, **({} if cause == "sight" else {"vision__far_seconds": 60.0}))
    play.run(60)
    world, ann = play.world, play.slot("Ann")
    (zone,) = world.scenes.zones
    if cause != "alarm":
        world.units.x[ann] = world.units.prev_x[ann] = 19.5 if cause == "noise" else 11.5
    if cause == "sight":
        world.units.y[ann] = world.units.prev_y[ann] = 10.5
    if cause == "noise":
        play.order("Ann", OrderKind.THROW, x=12.5, y=9.5)
    elif cause == "alarm":
        data = {"x": 12.5, "y": 12.5, "who": play.unit("Ann"), "since": world.tick}
        world.router.send("ALARM", play.unit("Max"), play.unit("Odo"), world.tick, 6, data=data)
    for _ in range(150):
        if not zone.state.running:
            break
        play.run()
        alert = [m for m in world.minds.values() if m.skill in ("fight", "search", "investigate")]
        assert not (alert and zone.state.cast), "the cast is free in the tick of the first decision"
    assert not zone.state.running and told in zone.state.why
    assert [e for e in play.seen if e.kind == "scene" and told in e.text]
    play.run(1)
    assert all(world.minds[play.unit(name)].skill != "scene" for name in POSTS)


def test_the_relief_takes_over_post_and_route_and_the_sentry_its_own(tmp_path: Path) -> None:
    builder = yard("\n".join(["." * 30] * 14))
    guard(builder, 7.5, 6.5, "Odo", facing=0.0)
    guard(builder, 15.5, 9.5, "Udo", facing=180.0)
    raider(builder, 29.5, 13.5, kind="raider")
    builder.add("zone", 5.5, 4.5, 4.0, 4.0, name="gate", scene="relief", reach=12.0, every=1.0)
    play = Play(tmp_path, builder, vision__far_seconds=60.0)
    play.run_until("relieved", "Udo", 400)
    assert [(e.unit, e.other) for e in play.happened("relieved")] == [(play.unit("Udo"), play.unit("Odo"))]
    zone, scenes = play.world.scenes.zones[0], play.world.scenes
    zone.every = 100_000
    scenes.give(zone, scenes.script(zone))
    play.run(260)
    u = play.world.units
    for name, post in (("Udo", (7.5, 6.5)), ("Odo", (15.5, 9.5))):
        assert (u.x[play.slot(name)], u.y[play.slot(name)]) == pytest.approx(post, abs=0.8), name


def test_bad_data_ends_in_one_line_with_file_and_key(tmp_path: Path) -> None:
    text = (DATA / "scenes.toml").read_text("utf-8")
    assert set(load_scenes()) == {"fire", "cards", "piquet", "relief", "cheering"}
    for slip, told in (
        (('category = "main"', 'category = "extra"'), "[scene.fire] role: no role is main"),
        (("{ come = 1 }", "{ comes = 1 }"), "[scene.fire] column.gather.warmer: there is no behaviour 'comes'"),
        (('loop = "warm"', 'loop = "cold"'), "[scene.fire] loop: there is no column 'cold'"),
        (("pause = 8.0", "paus = 8.0"), "[scene.fire] paus: extra inputs"),
    ):
        (tmp_path / "scenes.toml").write_text(text.replace(*slip, 1), "utf-8")
        with pytest.raises(ValueError, match=r"scenes\.toml") as error:
            load_scenes(tmp_path)
        assert told.lower() in str(error.value).lower() and "\n" not in str(error.value)
    for x, scene, told in (
        (4.5, "feast", "scene 'feast' is not in assets/data/scenes.toml"),
        (0.0, "fire", "seat 1 of"),
    ):
        builder = camp(zone=False)
        builder.add("zone", x, 3.5, 1.0, 6.0, name="camp", scene=scene)
        (tmp_path / scene).mkdir()
        with pytest.raises(ValueError, match="zone 'camp'") as error:
            Play(tmp_path / scene, builder)
        assert told in str(error.value)
