"""Overlays of certainty, noise, cover and hidden spots equal sight, hearing and search."""

from types import SimpleNamespace

import numpy as np
import pytest

from ai.tactics.place_quality import cover_quality, visibility_quality
from game.level import load_level
from game.sim.session import Session
from game.systems.stealth.foresight import seconds_around, step_radius
from game.view.overlays.overlay import NOT_COMPUTED, LabContext
from game.view.overlays.senses.hiding_overlays import FARTHEST, Certainty, Cover, HiddenSpots, Noise
from game.view.overlays.senses.quality_overlays import CoverQuality, ViewQuality
from game.view.painting.palette import palette
from game.view.units.unit_labels import LabelPlacer
from game.view.window.playing import Playing
from game.world.units import Pace, Stance
from tests.game.view.yard import ANN, HEIGHT, ODO, WIDTH, build


@pytest.fixture
def context(tmp_path):
    playing = Playing(Session(load_level(build(tmp_path / "yard.tmx")), recording=False))
    playing.run_ticks(2)
    every = np.arange(len(playing.picture))
    scene = SimpleNamespace(labels=LabelPlacer())
    return LabContext(playing, palette(), None, None, scene, (ODO,), every)


def test_certainty_equals_that_of_the_sight_kernel(context):
    world = context.world
    y0, x0, seconds = seconds_around(world, ODO)
    shown = Certainty()._certainty(context, 0, 0, HEIGHT, WIDTH)
    expected = np.where(np.isfinite(seconds), np.minimum(1.0, world.settings.vision.sweet_seconds / seconds), 0.0)
    assert np.array_equal(shown[y0 : y0 + seconds.shape[0], x0 : x0 + seconds.shape[1]], expected)
    assert (shown > 0).sum() == np.isfinite(seconds).sum() > 20
    filled = Certainty().fill(context, 0, 0, HEIGHT, WIDTH)
    assert np.array_equal(filled[..., 3] > 0, shown > 0)


def test_noise_is_the_radius_of_a_step_and_walls_are_blank(context):
    world = context.world
    for x, y in ((6.5, 12.5), (22.5, 17.5)):
        radius = step_radius(world, ANN, x, y, Stance.STAND, Pace.WALK)
        assert Noise().value_at(context, x, y).startswith(f"heard up to {radius:.1f} tiles away")
    filled = Noise().fill(context, 0, 0, HEIGHT, WIDTH)
    assert (filled[..., 3][world.terrain.opaque != 0] == 0).all()
    assert filled[17, 22].sum() > filled[12, 6].sum(), "gravel is louder than grass"


def test_a_guard_behind_a_wall_is_not_counted_as_a_listener(context):
    """Put the guard four tiles east and four tiles west of the sound.

    In the west a wall is between them; the length of the path through the gap is calculated by hand.
    """
    world = context.world
    u, odo = world.units, world.units.slot(ODO)
    world.loudness[17, 18] = world.loudness[17, 22]
    radius = step_radius(world, ANN, 18.5, 17.5, Stance.STAND, Pace.WALK)
    round_by_the_gap = np.hypot(18.5 - 17.0, 17.5 - 13.0) + np.hypot(16.0 - 14.5, 17.5 - 13.0)
    assert 4.0 < radius < round_by_the_gap
    for x, listens in ((22.5, True), (14.5, False)):
        u.x[odo], u.y[odo] = x, 17.5
        assert Noise().value_at(context, 18.5, 17.5).endswith(", by 1 now") == listens


def test_cover_equals_the_hiding_table_of_vision(context):
    world = context.world
    table = world.settings.vision.hiding()
    world.terrain.edit(4, 4, 6, 6, cover=3)
    far = float(table[3, Stance.CROUCH])
    assert f"crouching {far:g} tiles" in Cover().value_at(context, 4.5, 4.5)
    assert "crouching any distance" in Cover().value_at(context, 10.5, 10.5)
    filled = Cover().fill(context, 0, 0, HEIGHT, WIDTH)
    assert (filled[4:6, 4:6, 3] > 0).all() and filled[10, 10, 3] == 0 and far < FARTHEST


def test_hidden_spots_cannot_be_seen_from_the_tile(context):
    """Find each spot behind a wall, by the line of sight, or in cover."""
    from ai.perception.sight.line_of_sight import line_clear

    world = context.world
    spots = HiddenSpots()._spots(context, (4, 14))
    assert len(spots) > 3
    for x, y in spots.tolist():
        hidden = not line_clear(world.terrain.opaque, 4, 14, int(y), int(x))
        assert hidden or world.terrain.cover[int(y), int(x)] >= 2


def test_quality_is_computed_in_slices_and_equals_the_functions_of_the_guards(context):
    world = context.world
    standing = (world.terrain.passable & 1) != 0
    tiles = np.argwhere(standing).astype(np.int32)
    for made, expected in (
        (CoverQuality(), cover_quality(world.terrain.opaque, tiles, standing)),
        (ViewQuality(), visibility_quality(world.terrain.opaque, tiles)),
    ):
        first = made.fill(context, 0, 0, HEIGHT, WIDTH)
        unknown = (first == NOT_COMPUTED).all(axis=2)
        assert (standing & ~unknown).sum() == made.slice_ and not unknown[~standing].any()
        stamps = []
        while not stamps or stamps[-1] != made.stamp(context):
            stamps.append(made.stamp(context))
            filled = made.fill(context, 0, 0, HEIGHT, WIDTH)
        assert np.array_equal(made.field.field[standing], expected) and np.isnan(made.field.field[~standing]).all()
        assert np.array_equal(filled[..., 3] > 0, standing)
        y, x = tiles[int(np.argmax(expected))].tolist()
        assert f"{expected.max():.0%}" in made.value_at(context, x, y) or f"{expected.max() * 12:.1f}" in made.value_at(
            context, x, y
        )
        world.terrain.edit(4, 4, 5, 5, cost=9 + made.slice_)
        assert (made.fill(context, 0, 0, HEIGHT, WIDTH) == NOT_COMPUTED).all(axis=2).any(), (
            "an edit restarts the computation"
        )
