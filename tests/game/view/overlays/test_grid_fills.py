"""Grid fills: steps, contour lines, gaps, and links of empty overlays."""

import numpy as np
import pytest

from game.view.exhibits.gallery_rows import technique_of
from game.view.lab.exhibit_links import exhibit_of
from game.view.overlays.fills import stepped
from game.view.overlays.grid_overlay import Scale, even_scale
from game.view.overlays.lenses import all_overlays
from game.view.overlays.overlay import Overlay
from game.view.screens.loading_screen import LoadingScreen
from tests.game.view.player import Player

RAMP = ((10, 0, 0), (20, 0, 0), (30, 0, 0), (40, 0, 0))
SAMPLES = 8


def test_a_slope_is_stepped_at_its_values_with_a_line_at_each() -> None:
    """Step a plane of slope one, whose edges are known by hand."""
    values = np.repeat(np.arange(12.0)[None, :] + 0.5, 6, axis=0)
    made = stepped(values, Scale(RAMP, 0.0, 12.0), SAMPLES, crisp=False)
    row = made.steps[SAMPLES * 3, SAMPLES * 2 : -SAMPLES * 2]
    x = (np.arange(len(made.steps[0])) + 0.5)[SAMPLES * 2 : -SAMPLES * 2] / SAMPLES
    far = np.abs(x[:, None] - [3.0, 6.0, 9.0]).min(axis=1) > 1 / SAMPLES
    assert np.array_equal(row[far], (x[far] // 3).astype(int)) and (made.known == 1).all()
    lines = made.lines[SAMPLES * 3, SAMPLES * 2 : -SAMPLES * 2]
    assert {round(float(v)) for v in x[lines > 0.3]} == {3, 6, 9}
    assert np.abs(x[lines > 0.3][:, None] - [3.0, 6.0, 9.0]).min(axis=1).max() < 1.5 / SAMPLES


def test_kinds_beside_each_other_have_one_line_and_no_third_kind_between() -> None:
    values = np.zeros((6, 10))
    values[:, 5:] = 3.0
    scale = Scale(RAMP, -0.5, 3.5)
    crisp, smooth = (stepped(values, scale, SAMPLES, crisp=c) for c in (True, False))
    assert set(np.unique(crisp.steps)) == {0, 3} and {1, 2} <= set(np.unique(smooth.steps))
    at = (np.flatnonzero(crisp.lines[SAMPLES * 3] > 0.3) + 0.5) / SAMPLES
    assert len(at) and np.abs(at - 5.0).max() < 1.5 / SAMPLES


def test_tiles_without_a_value_are_blank_and_do_not_pull_their_neighbours() -> None:
    values = np.full((8, 8), 3.0)
    values[2:6, 2:6] = np.nan
    made = stepped(values, Scale(RAMP, 0.0, 4.0), SAMPLES, crisp=False)
    middle, corner = made.known[4 * SAMPLES, 4 * SAMPLES], made.known[2, 2]
    assert (middle, corner) == (0.0, 1.0)
    assert (made.steps == 3).all() and not made.lines.any()
    assert not stepped(np.full((3, 3), np.inf), Scale(RAMP, 0.0, 4.0), 2, crisp=False).known.any()


def test_a_scale_names_its_ends_and_beyond() -> None:
    scale = even_scale(RAMP, 0.0, 2.0, more=True, parts=2)
    assert scale.marks == ((0.0, "0"), (1.0, "1"), (2.0, "2+"))
    assert scale.steps(np.array([-1.0, 0.0, 0.49, 0.5, 1.99, 2.0, 9.0])).tolist() == [0, 0, 0, 1, 3, 3, 3]
    assert scale.row("words", "unit").marks == ((0.0, "0"), (0.5, "1"), (1.0, "2+"))


MAY_BE_EMPTY = [cls for cls in all_overlays() if cls.empty is not Overlay.empty]


@pytest.mark.parametrize("cls", MAY_BE_EMPTY, ids=lambda cls: cls.name)
def test_each_overlay_that_may_be_empty_has_an_exhibit_to_open(cls) -> None:
    found = exhibit_of(cls.name)
    assert found is not None and found.kind != "none" and technique_of(found.slug) == found


def test_a_click_on_the_link_of_an_empty_overlay_opens_the_exhibit_that_shows_it() -> None:
    player = Player()
    play = player.open()
    player.press("lab")
    play.lab.overlays.on.clear()
    play.lab.show("goals")
    player.frames(8)
    ((box, slug),) = play.lab.panels.legend.links
    assert slug == exhibit_of("goals").slug
    player.click(box.center)
    assert isinstance(play.app.top, LoadingScreen) and play.app.top.technique == slug
    assert play.app.top.path.suffix == ".tmx" and play.app.top.path.is_file()
    player.app.close()
