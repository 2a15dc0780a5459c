"""Labels beside units: no overlaps, none on a unit, none outside the picture."""

import itertools
from types import SimpleNamespace

import numpy as np
import pygame
import pytest

from game.view.overlays.minds.mind_overlays import Minds
from game.view.painting.text import TextDrawer
from game.view.units.unit_labels import MOST, LabelPlacer

CLIP = pygame.Rect(40, 30, 700, 500)


def _crowd(n: int, seed: int) -> list[tuple[int, int]]:
    rng = np.random.default_rng(seed)
    return [(int(x), int(y)) for x, y in rng.integers((-100, -100), (900, 700), (n, 2))]


def test_no_two_labels_overlap_and_all_lie_in_the_picture() -> None:
    pygame.font.init()
    surface, text, placer = pygame.Surface((800, 600)), TextDrawer(), LabelPlacer()
    surface.set_clip(CLIP)
    placed = []
    for at in _crowd(150, 1):
        for words in ("0.00", "at rest", "stands 0.51 shoots"):
            rect = placer.put(surface, text, words, at, 14, (0, 0, 0), (255, 255, 255))
            if rect is not None:
                assert CLIP.collidepoint(at) and CLIP.contains(rect) and not rect.collidepoint(at)
                # The rectangle of the ink, without the rim.
                placed.append(rect.inflate(-4, -8))
    assert 60 < len(placed) <= MOST
    assert not any(a.colliderect(b) for a, b in itertools.combinations(placed, 2))


def test_three_labels_fit_beside_one_unit() -> None:
    placer = LabelPlacer()
    for size in ((40, 22), (60, 22), (110, 22)):
        assert placer.place(size, (400, 300), 14, CLIP) is not None


def test_a_reserved_place_stays_free_until_the_next_frame() -> None:
    placer = LabelPlacer()
    below = placer.place((60, 20), (400, 300), 14, CLIP)
    placer.begin()
    placer.reserve(below)
    assert not placer.place((60, 20), (400, 300), 14, CLIP).colliderect(below.inflate(-4, -8))
    placer.begin()
    assert placer.place((60, 20), (400, 300), 14, CLIP) == below


def test_no_label_is_placed_under_a_panel() -> None:
    placer, panel = LabelPlacer(), pygame.Rect(380, 310, 200, 100)
    placer.covered = (panel,)
    for _ in range(2):
        placer.begin()
        assert not placer.place((60, 20), (400, 300), 14, CLIP).inflate(-4, -6).colliderect(panel)


@pytest.mark.parametrize("to", [(190, 320), (200, 320), (330, 205), (60, 195)])
def test_the_label_of_a_mind_does_not_cover_the_line_to_its_target(to: tuple[int, int]) -> None:
    placer, at = LabelPlacer(), (200, 200)
    Minds()._keep_line(SimpleNamespace(labels=placer), at, to, 16)
    rect = placer.place((40, 18), at, 16, pygame.Rect(0, 0, 400, 400))
    assert rect is not None and not rect.clipline(at, to)
