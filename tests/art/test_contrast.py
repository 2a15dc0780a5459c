"""Figures are visible on every ground, and sides differ for every kind of sight.

Outline and rim make figures visible; sides are tested under colour-vision deficiencies. Oracles are the relative
luminance and contrast ratio of WCAG 2.2. Others are the matrices of Machado, Oliveira and Fernandes (2009) for full
protanopia, deuteranopia and tritanopia. Colour differences are CIE 1976 in CIELAB (D65), where 2.3 is just noticeable.
"""

import itertools

import numpy as np
import pytest

from game.level.model import GROUNDS
from game.view.painting.palette import HIGH_CONTRAST, palette
from game.view.painting.paper_panels import Panels

PLAIN, STRONG = palette(), palette(HIGH_CONTRAST)
P = PLAIN
both = pytest.mark.parametrize("P", [PLAIN, STRONG], ids=["paper", "high contrast"])

MACHADO = {
    "full colour": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


def linear(colour):
    c = np.asarray(colour, float) / 255
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def contrast(a, b):
    one, other = (float(linear(c) @ [0.2126, 0.7152, 0.0722]) for c in (a, b))
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


def lab(light):
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ light
    t = xyz / [0.9505, 1.0, 1.089]
    f = np.where(t > 0.008856, np.cbrt(t), 7.787 * t + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def by_night(colour, P):
    return np.asarray(colour) * np.asarray(P["night"]) / 255


@both
@pytest.mark.parametrize("ground", GROUNDS)
def test_the_ink_outline_stands_out_by_day(ground, P):
    assert contrast(P["ink"], P.grounds[ground]) >= 4.0


@both
@pytest.mark.parametrize("ground", GROUNDS)
def test_the_pale_rim_stands_out_by_night(ground, P):
    assert contrast(P["rim"], by_night(P.grounds[ground], P)) >= 7.0


@both
def test_ink_and_rim_part_a_figure_from_its_rim(P):
    assert contrast(P["ink"], P["rim"]) >= 7.0


def test_side_colours_alone_would_not_do():
    """Outline and rim are needed: one side is nearly invisible on one ground."""
    worst = min(contrast(side.colour, P.grounds[g]) for side in P.sides for g in GROUNDS)
    assert worst < 1.5


@both
@pytest.mark.parametrize("eye", MACHADO)
@pytest.mark.parametrize(("one", "other"), list(itertools.combinations(range(4), 2)))
def test_sides_differ_for_every_eye(eye, one, other, P):
    seen = [np.clip(np.array(MACHADO[eye]) @ linear(P.sides[i].colour), 0, 1) for i in (one, other)]
    assert np.linalg.norm(lab(seen[0]) - lab(seen[1])) >= 20


def test_sides_differ_without_any_colour():
    assert len({side.headgear for side in P.sides}) == 4
    assert len({side.mark for side in P.sides}) == 4


@both
def test_amber_is_suspicion_alone(P):
    amber = P["amber"]
    others = [c for name, c in P.colours.items() if name != "amber"]
    others += [c for name in ("cividis", "diverging", "okabe_ito") for c in P.ramps[name]] + list(P.grounds.values())
    assert amber not in others


def test_signed_ramp_is_white_at_zero_and_quantities_grow_lighter():
    signed = P.ramps["diverging"]
    assert len(signed) % 2 == 1
    assert min(signed[len(signed) // 2]) > 240
    light = [float(linear(c) @ [0.2126, 0.7152, 0.0722]) for c in P.ramps["cividis"]]
    assert light == sorted(light)


def test_high_contrast_is_stronger_everywhere_it_differs():
    """High contrast gives words on panels at least 7 : 1, even soft ones.

    Lines on the ground have more contrast than in the ordinary palette, by day and by night.
    """
    plates = {night: Panels(STRONG, night) for night in (False, True)}
    assert all(contrast(p.ink, p.paper) >= 12 and contrast(p.soft, p.paper) >= 7 for p in plates.values())
    assert contrast(STRONG["cone"], STRONG["paper"]) >= 7
    for ground in GROUNDS:
        for day in ("select", "cone"):
            assert contrast(STRONG[day], STRONG.grounds[ground]) > contrast(PLAIN[day], PLAIN.grounds[ground])
        for night in ("select_night", "cone_night"):
            at_night = contrast(STRONG[night], by_night(STRONG.grounds[ground], STRONG))
            assert at_night >= 4.5 and at_night > contrast(PLAIN[night], by_night(PLAIN.grounds[ground], PLAIN))
    for name, colour in STRONG.overlay.items():
        assert contrast(colour, (240, 240, 236)) >= 4.5, name
    assert STRONG.sides == PLAIN.sides and STRONG.ramps == PLAIN.ramps, "baked and learnt colours stay"
