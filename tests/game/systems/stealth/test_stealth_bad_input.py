"""Wrong lights, sounds, sight zones and routes: reported in one line or corrected.

Oracle: the words of the error, or two seconds of the world with all units on the map.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game.level import LevelError, load_level
from game.level.level_writer import LevelBuilder
from game.level.schema import tiled_project
from game.sim.session import Session
from game.systems.noise import emit, path_of_sound
from game.world.unit_types import DATA, load_types
from tests.game.sim.play import ROOMS, Play, guard, raider, yard


def people(builder: LevelBuilder) -> None:
    guard(builder, 20.5, 7.5)
    raider(builder, 4.5, 7.5)


def light(**values: Any) -> Callable[[LevelBuilder], None]:
    at = values.pop("at", (5.5, 5.5))
    return lambda builder: builder.add("light", *at, name="lamp", **values) and None


def _slip(builder: LevelBuilder, radius: float) -> None:
    """Add a light with a radius that the level writer would refuse."""
    builder.add("light", 5.5, 5.5, name="lamp", radius=3.125)
    lamps = builder._groups["objects"]
    assert "3.125" in lamps[-1]
    lamps[-1] = lamps[-1].replace("3.125", str(radius))


TOLD = {
    "a light outside the map": (light(at=(-5.0, 3.0)), "outside the map"),
    "a light far outside": (light(at=(900.0, 3.0)), "outside the map"),
    "a light of negative radius": (lambda b: _slip(b, radius=-3.0), "radius"),
    "a light of no radius": (lambda b: _slip(b, radius=0.0), "radius"),
    "a route that is nowhere": (lambda b: guard(b, 9.5, 3.5, "Udo", route="nowhere"), "does not exist"),
    "a route outside the map": (
        lambda b: (guard(b, 9.5, 3.5, "Udo", route="r"), b.add("route", name="r", points=((300.5, 3.5), (9.5, 3.5)))),
        "cannot be walked",
    ),
}


@pytest.mark.parametrize("slip", TOLD)
def test_a_mistake_in_a_level_is_reported_in_one_line_with_the_file(tmp_path: Path, slip: str) -> None:
    make, words = TOLD[slip]
    builder = yard(night=True)
    people(builder)
    make(builder)
    (tmp_path / ".tiled-project").write_text(tiled_project())
    path = tmp_path / "slip.tmx"
    builder.write(path)
    with pytest.raises(LevelError, match=words) as error:
        load_level(path)
    assert "\n" not in str(error.value) and "slip.tmx" in str(error.value)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"radius": -2.0}, "radius must be"), ({"radius": 0.0}, "radius must be"),
        ({"radius": 400.0}, "radius must be"),
        ({"strength": 3.0}, "strength must be"), ({"angle": -10.0}, "angle must be"),
    ],
)  # fmt: skip
def test_numbers_of_a_light_have_bounds(values: dict[str, float], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        light(**values)(yard())


SETTINGS = {
    "vision.shape": "banana", "vision.meter": "guess", "vision.sampling": "nose", "vision.sweet_width": 0.0,
    "vision.far_seconds": -1.0, "noise.stone": -3.0, "minds.truth_bias": -1.0, "rules.exposure_rows": 0.0,
}  # fmt: skip


@pytest.mark.parametrize("name", SETTINGS)
def test_a_setting_out_of_its_bounds_is_refused_with_its_name(tmp_path: Path, name: str) -> None:
    builder = yard()
    people(builder)
    with pytest.raises(ValueError, match=name):
        Play(tmp_path, builder, **{name.replace(".", "__"): SETTINGS[name]})


def survives(play: Play) -> None:
    play.run(40)
    u, n = play.world.units, play.world.units.count
    assert np.isfinite(u.x[:n]).all() and ((u.x[:n] > 0) & (u.x[:n] < 30)).all()
    assert ((u.meter[:n] >= 0) & (u.meter[:n] <= 1)).all()


def test_a_sound_in_a_wall_comes_from_the_open_tile_beside_it_and_one_off_the_map_is_silent(tmp_path: Path) -> None:
    builder = yard(ROOMS)
    people(builder)
    play = Play(tmp_path, builder).run(2)
    assert math.isfinite(path_of_sound(play.world, 13.5, 2.5, 16.5, 2.5)), "a sound in a wall is heard beside it"
    assert math.isinf(path_of_sound(play.world, -7.0, 2.5, 16.5, 2.5))
    for x, y in ((13.5, 0.5), (-4.0, 2.0), (900.0, 900.0), (13.5, 2.5)):
        emit(play.world, 3, x, y, 9.0)
    emit(play.world, 3, 5.0, 5.0, 0.0)
    survives(play)


@pytest.mark.parametrize("shape", ["zones", "coffin", "inverse_angle", "cone"])
def test_eyes_without_range_identify_no_unit(tmp_path: Path, shape: str) -> None:
    builder = yard()
    people(builder)
    play = Play(tmp_path, builder, vision__shape=shape, vision__touch_stand=0.0, vision__touch_low=0.0)
    for kind in play.world.types:
        kind.cone_range = 1e-9
    survives(play)
    assert not play.happened("identified", "Odo")


@pytest.mark.parametrize(("row", "value"), [("cone_range", "0.0"), ("cone_range", "-4"), ("cone_half_angle", "0")])
def test_a_unit_type_whose_eyes_have_no_range_is_refused_with_file_row_and_key(
    tmp_path: Path, row: str, value: str
) -> None:
    for name in ("units.toml", "weapons.toml"):
        text = (DATA / name).read_text()
        if name == "units.toml":
            head, guards = text.split("[unit.guard]")
            text = head + "[unit.guard]" + re.sub(rf"(?m)^{row} = .*$", f"{row} = {value}", guards, count=1)
        (tmp_path / name).write_text(text)
    with pytest.raises(ValueError, match=rf"units\.toml.*guard.*{row}") as error:
        load_types(tmp_path)
    assert "\n" not in str(error.value)


def test_a_guard_without_a_route_keeps_its_post(tmp_path: Path) -> None:
    builder = yard()
    guard(builder, 9.5, 6.5)
    raider(builder, 25.5, 10.5)
    play = Play(tmp_path, builder)
    survives(play)
    slot = play.slot("Odo")
    assert math.hypot(play.world.units.x[slot] - 9.5, play.world.units.y[slot] - 6.5) < 0.1
    assert play.world.minds[play.unit("Odo")].machine.state == "Post"


def test_a_guard_whose_route_runs_into_a_wall_stays_on_the_map(tmp_path: Path) -> None:
    builder = yard(ROOMS)
    guard(builder, 9.5, 3.5, route="beat")
    builder.add("route", name="beat", points=((9.5, 3.5), (13.5, 2.5)))
    raider(builder, 20.5, 7.5)
    survives(Play(tmp_path, builder))


@pytest.mark.parametrize("path", [{}, {"wait": 2.0}, {"loop": True}])
@pytest.mark.parametrize("points", [((12.5, 4.5),) * 2, ((12.5, 4.5), (12.6, 4.5)), ((12.5, 4.5),) * 3])
def test_a_route_whose_points_lie_together_is_a_post_and_gives_a_note(tmp_path: Path, points, path) -> None:
    """Start the guard at the first of points that lie together."""
    builder = yard(ROOMS)
    guard(builder, 12.5, 4.5, route="beat")
    builder.add("route", name="beat", points=points, **path)
    raider(builder, 15.5, 1.5)
    play = Play(tmp_path, builder)
    survives(play)
    slot = play.slot("Odo")
    assert math.hypot(play.world.units.x[slot] - 12.5, play.world.units.y[slot] - 4.5) < 0.6
    assert play.world.minds[play.unit("Odo")].machine.state == "Wait", "the guard waits at the point"
    assert [note for note in play.session.level.card.notes if "'beat' does not lead anywhere" in note]


def test_a_guard_walled_in_on_all_sides_keeps_its_post(tmp_path: Path) -> None:
    builder = yard()
    builder.fill("wall", 8, 5, 11, 8)
    builder.fill("stone", 9, 6, 10, 7)
    guard(builder, 9.5, 6.5, route="beat")
    builder.add("route", name="beat", points=((9.5, 6.5), (20.5, 6.5)))
    raider(builder, 25.5, 10.5)
    play = Play(tmp_path, builder)
    survives(play)
    assert int(play.world.units.x[play.slot("Odo")]) == 9


def test_a_side_alone_on_the_map_perceives_nothing(tmp_path: Path) -> None:
    builder = yard(night=True)
    raider(builder, 4.5, 4.5)
    play = Play(tmp_path, builder)
    assert isinstance(play.session, Session)
    survives(play)
    assert not play.world.knowledge and not play.world.sightings
