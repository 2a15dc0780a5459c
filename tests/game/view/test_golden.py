"""Golden pictures: ``shot`` draws the kept pictures, and a missing layer is found.

After an intended change of the look run ``python -m tools.golden``, look at the pictures and commit them.
"""

import numpy as np
import pytest

from tools.golden import PICTURES, SIZES, complaint, draw, read

SMALL = SIZES[0]
AGAIN = "; when that is meant: python -m tools.golden, look at the pictures, commit them"
NOTHING = {
    "figures": ("game.view.units.figures.FigurePainter.draw", "crossing"),
    "an exhibit's plates": ("game.view.exhibits.exhibit_frame.ExhibitFrame._draw_knobs", "exhibit"),
    "the gallery's cards": ("game.view.screens.gallery.card_grid.CardGrid.draw", "gallery"),
    "the panels": ("game.view.hud.hud.Hud.draw", "crossing"),
    "the fog": ("game.view.light.fog_painter.FogPainter._blit_mist", "crossing"),
    "cones": ("game.view.light.cones.ConePainter.draw", "cones"),
    "light": ("game.view.light.night.LightMap.shine", "night"),
}


@pytest.mark.parametrize(
    "size",
    [pytest.param(s, id=f"{s[0]}x{s[1]}", marks=[pytest.mark.long] * (s not in (SMALL, SIZES[-1]))) for s in SIZES],
)
@pytest.mark.parametrize("name", PICTURES)
def test_the_picture_equals_the_kept_one(name, size):
    found = complaint(draw(name, size), read(name, size))
    assert not found, found + AGAIN


@pytest.mark.parametrize("missing", NOTHING)
def test_a_picture_without_a_layer_is_reported(missing, monkeypatch):
    target, name = NOTHING[missing]
    nothing = (lambda *_, **__: np.uint8(0)) if missing == "light" else (lambda *_, **__: None)
    monkeypatch.setattr(target, nothing)
    found = complaint(draw(name, SMALL), read(name, SMALL))
    assert found, f"the comparison does not find that {missing} are not drawn"


@pytest.mark.parametrize("name", PICTURES)
def test_a_shift_by_a_pixel_and_a_little_noise_pass(name):
    """Accept the differences of another font library or driver.

    A pixel of the screen is a quarter of a pixel of the kept picture.
    """
    kept = read(name, SMALL).astype(float)
    shifted = kept * 0.75 + np.roll(kept, 1, axis=1) * 0.25 + np.random.default_rng(1).normal(0, 2, kept.shape)
    assert not complaint(np.clip(shifted, 0, 255).astype(np.uint8), read(name, SMALL))
