"""Edges of the ground join: contours of neighbours meet at fixed points."""

import itertools

import numpy as np
import pygame
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.view.ground import dual_grid
from game.view.ground.dual_grid import BORDERS, SHIFT, STRAIGHT, DualTile, catalogue, sheet_indices
from game.view.ground.ground_art import tile_index
from game.view.painting.palette import ASSETS

SIDE = 64
OPPOSITE = {"right": "left", "bottom": "top"}


def sheet(file: str) -> np.ndarray:
    """Return grey and alpha of a baked sheet, uint8[H, W, 2]."""
    image = pygame.image.load(ASSETS / file)
    return np.stack([pygame.surfarray.pixels_red(image).T, pygame.surfarray.pixels_alpha(image).T], axis=-1)


def tiles_of(material: str) -> tuple[DualTile, ...]:
    return catalogue(material in STRAIGHT)


def cells(material: str, plane: str) -> list[np.ndarray]:
    row = next(r for r in tile_index()["edge"] if r["name"] == material)
    picture, columns = sheet(row[plane]), row["columns"]
    corners = [(i // columns * SIDE, i % columns * SIDE) for i in range(len(tiles_of(material)))]
    return [picture[y : y + SIDE, x : x + SIDE].astype(int) for y, x in corners]


def along(cell: np.ndarray, border: str) -> np.ndarray:
    return {"top": cell[0], "bottom": cell[-1], "left": cell[:, 0], "right": cell[:, -1]}[border]


def signature(tile: DualTile, border: str) -> tuple:
    first, second = BORDERS[border]
    return tile.corner(first), tile.corner(second), tile.shift(border), tile.slope(border)


def test_every_corner_case_has_at_least_four_tiles():
    for case, straight in itertools.product(range(1, 15), (False, True)):
        assert sum(tile.case == case for tile in catalogue(straight)) >= 4


@pytest.mark.parametrize("material", ["water", "field", "stone", "wall"])
@pytest.mark.parametrize("plane", ["wash", "ink"])
def test_matching_borders_are_equal(material, plane):
    """Borders with equal signatures have equal pixels.

    At an inclined crossing the contour moves on by its slope over one pixel, so more difference is allowed.
    """
    pictures = cells(material, plane)
    edges: dict[tuple, dict[str, list[np.ndarray]]] = {}
    for tile, picture in zip(tiles_of(material), pictures, strict=True):
        for border in BORDERS:
            axis = "upright" if border in ("left", "right") else "level"
            ends = edges.setdefault((axis, *signature(tile, border)), {})
            ends.setdefault(border, []).append(along(picture, border))
    for key, ends in edges.items():
        lean = key[-1]
        for border, other in OPPOSITE.items():
            for one in ends.get(border, []):
                for two in ends.get(other, []):
                    shown = np.minimum(one[:, 1:], two[:, 1:]) > 40  # the grey of transparent pixels has no meaning
                    off = np.abs(one - two) * np.concatenate([shown, np.ones_like(shown)], axis=1)
                    assert off.max() <= (3 if lean == 0 else 140), key
                    assert off.mean() <= (0.6 if lean == 0 else 6), key


@pytest.mark.parametrize("material", ["water", "road", "stone"])
def test_contours_cross_borders_in_their_middle_or_a_shift_beside_it(material):
    for tile, picture in zip(tiles_of(material), cells(material, "wash"), strict=True):
        for border in dual_grid.crossings(tile.case):
            cover = along(picture, border)[:, 1] / max(along(picture, border)[:, 1].max(), 1)
            first = tile.corner(BORDERS[border][0])
            found = (cover > 0.5).sum() if first else (cover <= 0.5).sum()
            assert abs(found - (SIDE / 2 + tile.shift(border) * SHIFT * SIDE / 32)) <= 1


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(0.2, 0.8))
def test_neighbours_agree_how_a_contour_crosses(seed, share):
    mask = np.random.default_rng(seed).random((14, 15)) < share
    tiles = catalogue()
    index = sheet_indices(mask, 40, -7)
    for y in range(index.shape[0]):
        for x in range(index.shape[1] - 1):
            assert signature(tiles[index[y, x]], "right") == signature(tiles[index[y, x + 1]], "left")
    for y in range(index.shape[0] - 1):
        for x in range(index.shape[1]):
            assert signature(tiles[index[y, x]], "bottom") == signature(tiles[index[y + 1, x]], "top")


def test_the_case_says_which_corners_are_set():
    mask = np.random.default_rng(4).random((12, 12)) < 0.5
    index = sheet_indices(mask, 0, 0)
    for (y, x), number in np.ndenumerate(index):
        tile = catalogue()[number]
        found = [tile.corner(corner) for corner in ("tl", "tr", "bl", "br")]
        assert found == mask[y + 1 : y + 3, x + 1 : x + 3].ravel().tolist()


def test_a_long_edge_meanders_a_diagonal_leans_and_a_wall_stays_straight():
    edge = np.tile(np.arange(12) < 6, (40, 1))
    bends = [catalogue()[i] for i in sheet_indices(edge, 0, 0).ravel() if catalogue()[i].case not in (0, 15)]
    assert {tile.slopes for tile in bends} == {(0, 0)}
    assert {shift for tile in bends for shift in tile.shifts} == {-1, 0, 1}
    jumps = [abs(tile.shifts[0] - tile.shifts[1]) for tile in bends]
    assert np.mean(jumps) < 0.6  # it varies gradually, without jumps
    wall = [catalogue(True)[i] for i in sheet_indices(edge, 0, 0, straight=True).ravel()]
    assert all(not any(tile.shifts + tile.slopes) for tile in wall)
    diagonal = np.add.outer(np.arange(12), np.arange(12)) < 11
    for i in sheet_indices(diagonal, 0, 0).ravel():
        tile = catalogue()[i]
        assert all(slope == -1 for slope in tile.slopes)


def test_the_same_tile_is_chosen_in_every_window():
    mask = np.random.default_rng(9).random((20, 20)) < 0.5
    whole = sheet_indices(mask, 100, 200)
    part = sheet_indices(mask[5:15, 3:17], 105, 203)
    assert np.array_equal(part, whole[5:12, 3:14])
