"""Committed pictures and sounds equal the output of the bake, byte for byte.

Every indexed file exists, and the total size is limited.
"""

import tomllib
import wave

import numpy as np
import pygame
import pytest

from game.level.model import GROUNDS
from game.view.ground import prop_sprites
from game.view.painting.palette import ASSETS, palette
from tools.art import index, marks, sounds
from tools.art import props as drawn_props
from tools.art.drawing import png
from tools.art.ground import edges, grounds, trees
from tools.art.icons import icons


def committed(name: str) -> np.ndarray:
    """Return a committed picture, uint8[H, W, 4]."""
    image = pygame.image.load(ASSETS / name).convert_alpha() if pygame.display.get_surface() else None
    image = image or pygame.image.load(ASSETS / name)
    rgb = pygame.surfarray.array3d(image).transpose(1, 0, 2)
    return np.dstack([rgb, pygame.surfarray.array_alpha(image).T])


def test_a_png_reads_back_as_it_was_written(tmp_path):
    rng = np.random.default_rng(3)
    for channels in (1, 2, 3, 4):
        picture = rng.integers(0, 256, (17, 23, channels), dtype=np.uint8)
        png.write(tmp_path / "a.png", picture)
        image = pygame.image.load(tmp_path / "a.png")
        back = pygame.surfarray.array3d(image).transpose(1, 0, 2)
        assert np.array_equal(back, picture[..., :1].repeat(3, 2) if channels < 3 else picture[..., :3])
        if channels in (2, 4):
            assert np.array_equal(pygame.surfarray.array_alpha(image).T, picture[..., -1])


def test_icons_are_what_the_code_draws():
    strip = np.concatenate([icons.icon(name, "day", 36) for name in icons.ICONS], axis=1)
    assert png.encode(strip) == (ASSETS / "icons" / "day_36.png").read_bytes()


def test_cursors_are_what_the_code_draws():
    for scale in (1, 2):
        strip = np.concatenate([marks.cursor(name, scale) for name in marks.CURSORS], axis=1)
        assert png.encode(strip) == (ASSETS / "marks" / f"cursors_{scale}x.png").read_bytes()


@pytest.mark.parametrize("name", ["crate", "lamp", "drawbridge"])
def test_props_are_what_the_code_draws(name):
    assert png.encode(drawn_props.prop(name)) == (ASSETS / "props" / f"{name}.png").read_bytes()


def test_edge_tiles_and_crowns_are_what_the_code_draws():
    from game.view.ground.dual_grid import catalogue

    water = next(m for m in grounds.MATERIALS if m.name == "water")
    sheet = committed("tiles/edge_water_wash.png")
    assert water.hand is not None
    for number in (5, 60, 131):
        tile = catalogue()[number]
        wash, _ = grounds.wash_and_ink(water, grounds.planes(water, edges.drawn(tile, water.hand), number))
        y, x = number // grounds.SHEET_COLUMNS * 64, number % grounds.SHEET_COLUMNS * 64
        part = sheet[y : y + 64, x : x + 64]
        assert np.array_equal(part[..., 3], wash[..., 1])
        assert np.array_equal(part[..., 0][wash[..., 1] > 0], wash[..., 0][wash[..., 1] > 0])
    crown, _ = trees.crown(0)
    assert np.array_equal(committed("tiles/crowns_wash.png")[: trees.CELL, : trees.CELL, 3], crown[..., 3])


@pytest.mark.parametrize("name", sounds.SOUNDS)
def test_sounds_are_what_the_code_makes_and_none_is_loud(name):
    heard = []
    for variant in range(sounds.VARIANTS):
        samples = sounds.samples(name, variant)
        with wave.open(str(ASSETS / "sounds" / f"{name}_{variant + 1}.wav")) as file:
            assert file.getframerate() == sounds.RATE
            assert file.readframes(file.getnframes()) == samples.tobytes()
        heard.append(samples)
        assert np.abs(samples.astype(int)).max() <= 0.71 * 32767
        assert abs(int(samples[-1])) < 40  # a click would be heard at the end otherwise
    assert all(not np.array_equal(heard[0], other) for other in heard[1:])


def test_every_indexed_file_is_there_and_all_is_small():
    for name in ("icons", "marks", "tiles", "sounds", "fonts"):
        with (ASSETS / "data" / f"{name}.toml").open("rb") as file:
            data = tomllib.load(file)
        texts = [str(v) for rows in data.values() if isinstance(rows, list) for row in rows for v in _flat(row)]
        texts += list(data.get("face", {}).values())
        for text in texts:
            if text.endswith((".png", ".wav", ".ttf")):
                assert (ASSETS / text).is_file(), text
    assert sum(f.stat().st_size for f in ASSETS.rglob("*") if f.is_file()) < 25e6


def _flat(row):
    for value in row.values() if isinstance(row, dict) else []:
        yield from value if isinstance(value, list) else [value]


def test_an_index_reads_back(tmp_path):
    tables = {"smallest": 14, "face": {"a": 'b"c'}, "row": [{"n": [1, 2.5], "s": {"x": True}}, {"n": []}]}
    index.write(tmp_path / "i.toml", "about\nthis", tables)
    assert tomllib.loads((tmp_path / "i.toml").read_text()) == tables


def test_every_ground_has_a_colour_and_every_prop_a_picture():
    assert list(palette().grounds) == list(GROUNDS)
    for name in drawn_props.PROPS:
        assert prop_sprites.known(name)
