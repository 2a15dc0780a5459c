"""Blocking properties of other games, on tiles, layers and objects.

A layer with a role by its name keeps the role beside further properties.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from game.level import load_level
from game.level.passability_masks import WALK
from tests.game.level.foreign import layer, properties, tileset, tmx, write

ROW = [[0] * 4, [2] * 4, [0] * 4]
MARKS = ("solid", "collides", "collidable", "blocked", "unwalkable", "impassable")


def shut_rows(folder: Path, body: str) -> list[int]:
    """Count the shut tiles of each row."""
    level = load_level(write(folder, tmx(body)))
    return [int(n) for n in ((level.passable & WALK) == 0).sum(axis=1)]


@pytest.mark.parametrize("value", [True, False])
@pytest.mark.parametrize("place", ["tile", "layer", "object", "object layer"])
@pytest.mark.parametrize("mark", MARKS)
def test_a_blocking_property_blocks_on_tiles_layers_and_objects(
    tmp_path: Path, mark: str, place: str, value: bool
) -> None:
    said = properties(**{mark: value})
    tile = f'<tile id="1">{said}</tile>' if place == "tile" else ""
    body = tileset(inner=tile)
    if place in ("tile", "layer"):
        body += layer("Things", ROW, inner=said if place == "layer" else "")
    else:
        outer, inner = (said, "") if place == "object layer" else ("", said)
        body += f'<objectgroup name="Things">{outer}<object id="3" x="0" y="16" width="64" height="16">{inner}</object></objectgroup>'  # noqa: E501
    assert shut_rows(tmp_path, body) == [0, 4 if value else 0, 0]


@pytest.mark.parametrize("name", ["Walls", "Water", "Collision"])
@pytest.mark.parametrize("extra", [{"noise": 1.5}, {"cover": 1}, {"blocks_sight": False}])
def test_a_role_layer_with_a_further_property_keeps_its_role(
    tmp_path: Path, name: str, extra: dict[str, float]
) -> None:
    assert shut_rows(tmp_path, tileset() + layer(name, ROW, inner=properties(**extra))) == [0, 4, 0]
