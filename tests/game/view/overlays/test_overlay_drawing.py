"""Drawing of overlays: strokes inside the picture, legends, fills and numbers."""

import numpy as np
import pygame
import pytest

from game.view.lab.draw_legend import Legend
from game.view.overlays.grid_overlay import GridOverlay
from game.view.overlays.lenses import all_overlays
from game.view.overlays.overlay import Channel
from game.world.orders import Order, OrderKind
from tests.game.view.player import Player

SHAPES = ("line", "lines", "aaline", "polygon", "circle", "arc", "rect", "ellipse")
MARGIN_TILES = 8
SIZE = (640, 480)


class Watched(pygame.Surface):
    """Surface that records the boxes of blits."""

    def __init__(self, size):
        super().__init__(size)
        self.put = []

    def blit(self, source, dest, *args, **kwargs):
        self.put.append(super().blit(source, dest, *args, **kwargs))
        return self.put[-1]

    def fblits(self, pairs, *args, **kwargs):
        for source, dest in pairs:
            self.blit(source, dest)


@pytest.fixture(scope="module")
def play():
    player = Player()
    play = player.open()
    player.press("select_all")
    player.press("lab")
    play.playing.give(Order(int(OrderKind.MOVE), 0, play.selection.ids, 30.5, 25.5))
    play.playing.run_ticks(12)
    player.frames(2)
    yield play
    player.app.close()


@pytest.fixture
def drawn(monkeypatch):
    """Record the boxes that pygame.draw changes; an empty box is a needless stroke."""
    boxes = []

    def noting(function, target):
        def draw(surface, *args, **kwargs):
            box = function(surface, *args, **kwargs)
            # The surface is the picture or a layer of its size.
            if surface.get_size() == SIZE:
                boxes.append(box)
            return box

        monkeypatch.setattr(pygame.draw, target, draw)

    for name in SHAPES:
        noting(getattr(pygame.draw, name), name)
    return boxes


def _draw(play, cls, drawn, x, y):
    surface = Watched((640, 480))
    play.camera.set_zoom(32)
    play.camera.resize(640, 480)
    play.camera.centre_on(x, y)
    context = play.lab.context(play.playing, play.view)
    play.scene.labels.begin()
    drawn.clear()
    cls().draw(surface, play.camera, context, 0.5)
    return [*drawn, *surface.put]


MARKS = [cls for cls in all_overlays() if cls.channel in (Channel.LINE, Channel.MARK)]


def _places(play):
    """Return the positions of an empty corner, a raider and a guard."""
    p = play.playing.picture
    x, y = 8.0, 6.0
    assert np.hypot(p.x - x, p.y - y).min() > 11
    return [(x, y), *((float(p.x[r]), float(p.y[r])) for r in (p.living(0)[0], p.living(1)[0]))]


@pytest.mark.parametrize("cls", MARKS, ids=lambda cls: cls.name)
def test_strokes_fall_into_the_picture(play, cls, drawn):
    """Allow some strokes across the edge, but almost none far outside the picture."""
    for x, y in _places(play):
        boxes = _draw(play, cls, drawn, x, y)
        near = pygame.Rect(0, 0, *SIZE).inflate(128, 128)
        off = [box for box in boxes if box.width == 0 or box.height == 0]
        far = [box for box in off if not near.collidepoint(box.topleft)]
        assert len(far) <= 0.02 * len(boxes) + 4, f"{len(far)} of {len(boxes)} strokes were far off the picture"
        assert len(off) <= 0.2 * len(boxes) + 8, f"{len(off)} of {len(boxes)} strokes were off the picture"


@pytest.mark.parametrize("cls", MARKS, ids=lambda cls: cls.name)
def test_an_overlay_that_draws_nothing_explains_it_in_the_legend(play, cls, drawn):
    """Call ``empty`` when no stroke is drawn at three places."""
    shown = any(_draw(play, cls, drawn, x, y) for x, y in _places(play))
    told = cls().empty(play.lab.context(play.playing, play.view))
    assert shown or told, "nothing is drawn and the legend does not say why"


FILLS = [cls for cls in all_overlays() if cls.channel == Channel.FILL]


@pytest.mark.parametrize("cls", FILLS, ids=lambda c: c.name)
def test_a_fill_of_one_look_explains_it_in_the_legend(play, cls):
    """Call ``empty`` when all open tiles of the map look the same."""
    made, context = cls(), play.lab.context(play.playing, play.view)
    passable = context.world.terrain.passable
    window = (0, 0, *passable.shape)
    colours, ruled = made.fill(context, *window)[passable != 0], made.hatched(context, *window)
    looks = len(np.unique(np.where(colours[:, 3:] > 1, colours, 0), axis=0)) + (ruled is not None and ruled.any())
    assert looks > 1 or made.empty(context), "nothing can be told apart and the legend does not say why"


def test_a_reason_is_a_whole_sentence_of_lines_that_fit(play):
    made = next(cls for cls in all_overlays() if cls.name == "twins")()
    context, drawer = play.lab.context(play.playing, play.view), play.lab.panels.legend
    lines = drawer._reason(Legend(made, context))
    sentence = " ".join(lines)
    assert len(lines) > 1 and sentence.lower() == made.empty(context) + "."
    assert all(drawer.text.size("sans_italic", 15, line)[0] <= drawer.width for line in lines)
    with_reason = drawer.height([Legend(made, context)])
    made.empty = lambda context: ""
    assert with_reason > drawer.height([Legend(made, context)])


@pytest.mark.parametrize("cls", FILLS, ids=lambda c: c.name)
def test_a_fill_is_asked_for_the_tiles_in_the_picture_and_a_margin(play, cls, monkeypatch):
    asked = []
    name = "values" if issubclass(cls, GridOverlay) else "fill"
    fill = getattr(cls, name)

    def noting(self, context, y0, x0, y1, x1):
        asked.append((y0, x0, y1, x1))
        return fill(self, context, y0, x0, y1, x1)

    monkeypatch.setattr(cls, name, noting)
    play.camera.set_zoom(32)
    play.camera.resize(640, 480)
    play.camera.centre_on(50.0, 30.0)
    context = play.lab.context(play.playing, play.view)
    play.lab.fills.draw(pygame.Surface((640, 480)), play.camera, context, cls())
    ((y0, x0, y1, x1),) = asked
    top, left, bottom, right = play.camera.visible_tiles()
    assert top - MARGIN_TILES <= y0 <= top and left - MARGIN_TILES <= x0 <= left
    assert bottom <= y1 <= bottom + MARGIN_TILES and right <= x1 <= right + MARGIN_TILES


@pytest.mark.parametrize("cls", MARKS, ids=lambda cls: cls.name)
def test_no_number_stands_on_the_map_below_32_px_a_tile(play, cls, monkeypatch):
    written = []
    text = play.app.text
    line = type(text).line
    monkeypatch.setattr(
        type(text),
        "line",
        lambda self, kind, size, words, *rest: written.append(words) or line(self, kind, size, words, *rest),
    )
    p = play.playing.picture
    for side in (0, 1):
        r = p.living(side)[0]
        for zoom in (16, 24):
            play.camera.resize(640, 480)
            play.camera.set_zoom(zoom)
            play.camera.centre_on(float(p.x[r]), float(p.y[r]))
            cls().draw(Watched((640, 480)), play.camera, play.lab.context(play.playing, play.view), 0.5)
    assert not [w for w in written if any(c.isdigit() for c in w)]


def test_a_fill_updated_tile_by_tile_equals_a_fill_made_anew():
    from game.view.overlays.fills import MOST_CHANGED, FillPainter
    from game.view.painting.palette import palette

    rng = np.random.default_rng(3)
    before = rng.integers(0, 255, (30, 40, 4)).astype(np.uint8)
    after = before.copy()
    ys, xs = rng.integers(0, 30, 60), rng.integers(0, 40, 60)
    after[ys, xs] = rng.integers(0, 255, (60, 4))
    after[3, 4], after[5, 6] = (0, 0, 0, 1), (9, 9, 9, 0)
    for zoom in (12, 24, 64):
        painter = FillPainter(palette())
        made = painter._make(before, zoom)
        painter._colours = before
        assert painter._mend(made, after, zoom)
        anew = painter._make(after, zoom)
        one, other = (pygame.Surface(made.get_size()) for _ in range(2))
        one.blit(made, (0, 0))
        other.blit(anew, (0, 0))
        apart = pygame.surfarray.array3d(one).astype(int) - pygame.surfarray.array3d(other)
        assert np.abs(apart).max() <= 1
    assert not painter._mend(made, 255 - after, 64) and after[..., 0].size > MOST_CHANGED
