# ruff: noqa: E501 - maps are easier to read on one line
"""Meaning of layers, tiles and objects: passability, sight, cost and game objects."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from game.level import LevelError, load_level
from game.level.level_writer import LevelBuilder
from game.level.model import GROUND, LevelDoor, LevelRegion
from game.level.passability_masks import ALL, OPENS_DOORS, WADE, WALK
from tests.game.level.foreign import layer, properties, tileset, tmx, write

OPEN = [[1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1]]
SPOT = [[0, 0, 0, 0], [0, 2, 0, 0], [0, 0, 0, 0]]


def blocked(path: Path) -> list[tuple[int, int]]:
    level = load_level(path)
    return [(int(y), int(x)) for y, x in np.argwhere((level.passable & WALK) == 0)]


@pytest.mark.parametrize(
    ("name", "blocks", "opaque"),
    [("Walls", True, True), ("collision", True, False), ("Collision Layer", True, False), ("wallTop_2", True, True),
     ("obstacles", True, False), ("Water", True, False), ("Tile Layer 1", False, False), ("wallpaper", False, False),
     ("no-collision", False, False), ("Décor", False, False)],
)  # fmt: skip
def test_layer_names_have_sensible_defaults(tmp_path: Path, name: str, blocks: bool, opaque: bool) -> None:
    level = load_level(write(tmp_path, tmx(tileset() + layer("base", OPEN) + layer(name, SPOT))))
    assert bool(level.passable[1, 1] & WALK) is not blocks
    assert bool(level.opaque[1, 1]) is opaque
    assert np.count_nonzero((level.passable & WALK) == 0) == int(blocks)


def test_the_property_named_by_the_card_changes_the_layer(tmp_path: Path) -> None:
    body = tileset() + layer("base", OPEN)
    before = write(tmp_path, tmx(body + layer("Walls", SPOT)), "before.tmx")
    after = write(tmp_path, tmx(body + layer("Walls", SPOT, inner=properties(walkable=True))), "after.tmx")
    card = load_level(before).card
    assert (card.layers[1].name, card.layers[1].tiles, card.layers[1].blocking) == ("Walls", 1, 1)
    assert "walkable to true" in card.layers[1].change
    assert blocked(before) == [(1, 1)]
    assert blocked(after) == []
    assert load_level(after).card.layers[1].blocking == 0


def test_layer_property_beats_tile_property_beats_ground(tmp_path: Path) -> None:
    inner = (
        f'<tile id="1">{properties(ground="water")}</tile><tile id="2">{properties(ground="water", walkable=True)}</tile>'
        f'<tile id="3">{properties(ground="wall", walkable=False)}</tile>'
    )
    rows = [[1, 2, 3, 4]] * 3
    plain = load_level(write(tmp_path, tmx(tileset(inner=inner) + layer("x", rows)), "a.tmx"))
    assert plain.passable[0].tolist() == [ALL, WADE, ALL, 0]
    forced = load_level(
        write(tmp_path, tmx(tileset(inner=inner) + layer("x", rows, inner=properties(walkable=True))), "b.tmx")
    )
    assert forced.passable[0].tolist() == [ALL] * 4


def test_the_topmost_layer_with_a_meaning_decides(tmp_path: Path) -> None:
    """Open the water below a bridge; a decoration above the water changes nothing."""
    inner = f'<tile id="1">{properties(ground="water")}</tile><tile id="2">{properties(ground="bridge_stone")}</tile>'
    body = tileset(inner=inner) + layer("base", [[2] * 4] * 3) + layer("bridge", [[0] * 4, [3] * 4, [0] * 4])
    body += layer("lilies", [[5] * 4] * 3)
    level = load_level(write(tmp_path, tmx(body)))
    assert (level.passable & WALK).any(axis=1).tolist() == [False, True, False]
    assert level.ground[1, 0] == GROUND["bridge_stone"]


def test_land_over_water_is_open_but_land_over_walls_is_not(tmp_path: Path) -> None:
    land = [[0, 1, 1, 0]] * 3
    body = tileset() + layer("water", OPEN) + layer("Walls", SPOT) + layer("Land", land)
    assert set(blocked(write(tmp_path, tmx(body)))) == {(y, x) for y in range(3) for x in (0, 3)} | {(1, 1)}


def test_collision_shapes_of_tiles_and_marks_of_other_games_block(tmp_path: Path) -> None:
    inner = (
        '<tile id="1"><objectgroup><object x="0" y="0" width="16" height="16"/></objectgroup></tile>'
        '<tile id="2"><objectgroup><object x="0" y="0" width="16" height="3"/></objectgroup></tile>'
        f'<tile id="3">{properties(collides=True)}</tile>'
    )
    assert blocked(write(tmp_path, tmx(tileset(inner=inner) + layer("x", [[1, 2, 3, 4], [1] * 4, [1] * 4])))) == [
        (0, 1),
        (0, 3),
    ]


def test_shapes_in_a_collision_layer_block_the_tiles_whose_centre_they_cover(tmp_path: Path) -> None:
    shapes = (
        '<objectgroup name="Collisions"><object id="1" x="7" y="7" width="18" height="10"/>'
        '<object id="2" x="40" y="24"><polygon points="0,0 20,0 20,20 0,20"/></object>'
        '<object id="3" x="2" y="40" width="3" height="3"/></objectgroup>'
    )
    path = write(tmp_path, tmx(tileset() + layer("base", OPEN) + shapes))
    # Centres are at 8, 24, 40, 56: the first covers (0, 0) and (0, 1); the last is smaller than a tile.
    assert blocked(path) == [(0, 0), (0, 1), (1, 2), (1, 3), (2, 0), (2, 2), (2, 3)]


def test_eight_raiders_stand_on_the_largest_area(tmp_path: Path) -> None:
    """Place raiders in the left room of 21 tiles; the right one has 20.

    The rooms touch only diagonally, which does not connect them.
    """
    text = "############\n#....#.....#\n#....#.....#\n#....#.....#\n#....#.....#\n#.....######\n############"
    LevelBuilder.from_letters(text).write(tmp_path / "m.tmx")
    level = load_level(tmp_path / "m.tmx")
    assert len({(s.x, s.y) for s in level.spawns}) == 8
    assert all(s.x < 6 for s in level.spawns)
    assert load_level(tmp_path / "m.tmx").spawns == level.spawns


def test_cost_cover_and_sight_are_stored_in_their_units(tmp_path: Path) -> None:
    inner = properties(cost=2.5, cover=2, blocks_sight=True)
    level = load_level(write(tmp_path, tmx(tileset() + layer("base", OPEN) + layer("x", SPOT, inner=inner))))
    assert (level.cost[1, 1], level.cover[1, 1], level.opaque[1, 1]) == (20, 2, 1)
    assert (level.cost[0, 0], level.cover[0, 0], level.opaque[0, 0]) == (8, 0, 0)


def test_empty_tiles_can_be_closed(tmp_path: Path) -> None:
    gids = [[1, 1, 0, 0]] * 3
    assert blocked(write(tmp_path, tmx(tileset() + layer("x", gids)), "a.tmx")) == []
    shut = tmx(properties(empty_walkable=False) + tileset() + layer("x", gids))
    assert len(blocked(write(tmp_path, shut, "b.tmx"))) == 6


# objects ----------------------------------------------------------------------------------------------------------


def test_a_shut_door_stops_classes_that_cannot_open_it_and_a_raised_drawbridge_all(tmp_path: Path) -> None:
    b = LevelBuilder.from_letters("......\n~~~~~~\n......")
    b.add("door", 0, 0, 1, 1, name="shut")
    b.add("door", 1, 0, 2, 1, name="open", open=True, opens_for="guards")
    b.add("door", 2, 1, 2, 1, name="bridge", kind="drawbridge", opens_for="nobody")
    b.add("door", 4, 1, 1, 1, name="lowered", kind="drawbridge", open=True)
    b.add("spawn", 5.5, 2.5)
    b.write(tmp_path / "m.tmx")
    level = load_level(tmp_path / "m.tmx")
    shut, is_open, bridge, lowered = level.doors
    assert level.passable[0].tolist() == [OPENS_DOORS, ALL, ALL, ALL, ALL, ALL]
    assert level.opaque[0].tolist() == [1, 0, 0, 0, 0, 0]
    assert level.passable[1].tolist() == [WADE, WADE, 0, 0, ALL, WADE]
    assert not level.opaque[1].any()
    assert (is_open.x0, is_open.x1, is_open.opens_for) == (1, 3, (1,))
    assert (bridge.opens_for, shut.opens_for, lowered.open) == ((), (0, 1, 2, 3), True)
    assert isinstance(bridge, LevelDoor) and bridge.passable(True) == ALL and bridge.passable(False) == 0


def test_regions_contain_by_even_odd(tmp_path: Path) -> None:
    b = LevelBuilder(12, 12)
    b.add("region", 2, 3, 4, 2, name="box")
    b.add("region", name="kite", points=((6, 6), (9, 8), (6, 11), (5, 8)), closed=True)
    b.write(tmp_path / "m.tmx")
    level = load_level(tmp_path / "m.tmx")
    box, kite = level.region("box"), level.region("kite")
    assert isinstance(box, LevelRegion) and isinstance(kite, LevelRegion)
    assert box.bounds == (2, 3, 6, 5)
    assert box.contains(2.5, 4.9) and not box.contains(6.1, 4)
    assert kite.contains(7, 8) and not kite.contains(8.9, 6.5)


def test_blocking_props_cover_their_tiles(tmp_path: Path) -> None:
    b = LevelBuilder(8, 6)
    b.add("prop", 1, 1, 3, 2, kind="house", name="mill")
    b.add("prop", 6.5, 4.5, kind="barrel")
    b.add("prop", 6.5, 0.5, kind="chest", name="chest")
    b.write(tmp_path / "m.tmx")
    level = load_level(tmp_path / "m.tmx")
    shut = (level.passable & WALK) == 0
    expected = np.zeros((6, 8), dtype=bool)
    expected[1:3, 1:4] = True
    expected[4, 6] = True
    assert shut.tolist() == expected.tolist()
    assert level.opaque[1, 1] == 1 and level.opaque[4, 6] == 0
    mill = level.prop("mill")
    assert mill is not None and (mill.x, mill.y, mill.width, mill.height) == (2.5, 2.0, 3.0, 2.0)


def slip(tmp_path: Path, build: object) -> str:
    """Return the error of a level with one mistake.

    A project file beside the level declares Fogline's classes.
    """
    from game.level.schema import tiled_project

    (tmp_path / ".tiled-project").write_text(tiled_project())
    b = LevelBuilder.from_letters("......\n.####.\n......")
    build(b)  # type: ignore[operator]
    b.write(tmp_path / "m.tmx", overwrite=True)
    with pytest.raises(LevelError) as caught:
        load_level(tmp_path / "m.tmx")
    return str(caught.value)


SLIPS = {
    "spawn in a wall": (lambda b: b.add("spawn", 1.5, 1.5), "tile 1,1"),
    "spawn off the map": (lambda b: b.add("spawn", 90, 1), "outside the map"),
    "unknown route": (lambda b: b.add("spawn", 0.5, 0.5, route="nowhere"), "'nowhere' does not exist"),
    "route through a wall": (
        lambda b: b.add("route", name="r", points=((0.5, 0.5), (2.5, 1.5))),
        "point 2 at tile 2,1",
    ),
    "route without name": (lambda b: b.add("route", points=((0.5, 0.5), (2.5, 0.5))), "no name"),
    "route as a box": (lambda b: b.add("route", 0, 0, 1, 1, name="r"), "cannot be a rectangle"),
    "two doors of one name": (
        lambda b: (b.add("door", 0, 0, 1, 1, name="d"), b.add("door", 2, 0, 1, 1, name="d")),
        "called 'd' already",
    ),
    "door as a point": (lambda b: b.add("door", 0, 0, name="d"), "cannot be a point"),
    "take without target": (lambda b: b.add("objective", 0, 0, kind="take"), "target is empty"),
    "bring to nowhere": (lambda b: b.add("objective", 0, 0, kind="bring", region="home"), "'home' does not exist"),
    "winch of no door": (lambda b: b.add("prop", 0.5, 0.5, kind="winch", door="gate"), "'gate' does not exist"),
    "wake nobody": (lambda b: b.add("trigger", 0, 0, does="wake", target="them"), "'them' does not exist"),
}


@pytest.mark.parametrize("name", SLIPS)
def test_mistakes_in_fogline_levels_are_reported_with_object_and_tile(tmp_path: Path, name: str) -> None:
    build, said = SLIPS[name]
    line = slip(tmp_path, build)
    assert said in line
    assert "object" in line and "tile" in line


def test_an_unknown_property_is_reported_with_the_known_ones(tmp_path: Path) -> None:
    from game.level.schema import tiled_project

    thing = f'<objectgroup name="o"><object id="1" type="spawn" x="8" y="8"><point/>{properties(fasing=3)}</object></objectgroup>'
    path = write(tmp_path, tmx(thing))
    assert len(load_level(path).spawns) == 1, "spawns of other games may have other properties"
    (path.parent / ".tiled-project").write_text(tiled_project())
    with pytest.raises(LevelError, match=r"no property 'fasing'.*facing"):
        load_level(path)


def test_objects_of_other_games_that_do_not_fit_are_left_out_and_noted(tmp_path: Path) -> None:
    things = (
        '<objectgroup name="o"><object id="1" type="door" x="8" y="8"><point/></object>'
        '<object id="2" type="spawn" x="9999" y="8"><point/></object></objectgroup>'
    )
    level = load_level(write(tmp_path, tmx(tileset() + layer("x", OPEN) + things)))
    assert level.doors == () and len(level.spawns) == 8
    assert [n for n in level.card.notes if n.startswith("Object 1")]
    assert [n for n in level.card.notes if n.startswith("Object 2")]
