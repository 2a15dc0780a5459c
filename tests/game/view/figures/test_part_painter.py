"""Posed figures: stance reads from the silhouette, layers turn apart, and sprites are kept."""

import numpy as np
import pygame
import pytest

from game.view.figures.clip_book import read_book
from game.view.figures.part_painter import PALE, CellCache, PartPainter, outwards
from game.view.painting.outlines import ellipse
from game.view.painting.palette import palette
from game.view.units.sprites import Cell


@pytest.fixture(scope="module")
def painter():
    return PartPainter(read_book(), palette())


def drawn(painter, clip, zoom=24, head=0, side=0):
    frame = int(painter.book.first[painter.book.index[clip]])
    return painter.figure((side, frame, frame, 0, 0, head, zoom, PALE))


def spread(cell):
    """Area in pixels, and length over width, of a silhouette."""
    alpha = pygame.surfarray.array_alpha(cell.surface) > 80
    x, y = np.nonzero(alpha)
    widths = np.linalg.eigvalsh(np.cov(np.stack([x, y])))
    return alpha.sum(), float(np.sqrt(widths[1] / widths[0]))


@pytest.mark.parametrize("zoom", [24, 32, 48])
@pytest.mark.parametrize("side", [0, 1])
def test_silhouettes_tell_the_stance(painter, zoom, side):
    stand, crouch, prone = (spread(drawn(painter, name, zoom, side=side)) for name in ("idle", "crouch", "prone"))
    assert prone[1] > 1.5 > max(stand[1], crouch[1])
    assert prone[0] > 1.25 * stand[0]
    aim = drawn(painter, "aim", zoom, side=side).surface
    assert aim.get_width() > drawn(painter, "idle", zoom, side=side).surface.get_width() + zoom // 8


def test_the_head_turns_against_the_torso(painter):
    one, other = drawn(painter, "idle"), drawn(painter, "idle", head=3)
    assert pygame.image.tobytes(one.surface, "RGBA") != pygame.image.tobytes(other.surface, "RGBA")


def test_a_figure_is_drawn_once(painter):
    first = drawn(painter, "walk", 12)
    before = painter.drawn
    assert drawn(painter, "walk", 12) is first and painter.drawn == before


def test_corners_move_outwards_by_the_line_on_every_side_of_each_outline():
    circle = ellipse(0, 0, 10, 10, n=64)
    corners = np.concatenate([circle, circle[::-1] + 50])
    wide = corners + 2.0 * outwards(corners, [64, 128])
    assert np.allclose(np.hypot(*wide[:64].T), 12.0, atol=0.05)
    assert np.allclose(np.hypot(*(wide[64:] - 50).T), 12.0, atol=0.05)


def test_a_cache_of_cells_forgets_the_oldest_beyond_its_pixels():
    cells = CellCache(most_pixels=250)
    for k in range(5):
        cells.keep(k, Cell(pygame.Surface((10, 10)), 0, 0))
    assert list(cells.cells) == [3, 4] and cells.pixels == 200
