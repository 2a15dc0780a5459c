"""Inspector of a unit: a third of the width, whole words, room for legends."""

import pygame
import pytest

from game.view.lab.inspector import arranged

TABLE = [(f"belief: patrol thing {i}", "a value of some length" * (1 + i % 3)) for i in range(30)]
SENTENCE = "Guard 10 waits and looks about: it is at a point of its round, and nothing was heard or seen so far."


@pytest.fixture
def lab(player):
    play = player.open()
    player.press("lab")
    yield play
    while player.app.screens:
        player.app.screens.pop().leave()


@pytest.mark.parametrize("size", [(960, 600), (1280, 720), (1920, 1080)])
def test_it_takes_a_third_of_the_width_and_its_words_stay_inside(lab, size):
    panels = lab.lab.panels
    rect = panels._inspector_rect(pygame.Surface(size), (SENTENCE, TABLE))
    assert rect.width <= size[0] / 3 and rect.top > 0
    lines, cells, height = arranged(panels.text, rect.width, (SENTENCE, TABLE))
    assert height == rect.height and " ".join(lines) == SENTENCE and len(cells) > 3
    boxes = []
    for x, y, what, value in cells:
        wide = max(panels.text.size("sans", 14, what)[0], panels.text.size("sans_bold", 15, value)[0])
        boxes.append(pygame.Rect(x, y, wide, panels.text.px(36)))
        assert pygame.Rect(0, 0, *rect.size).contains(boxes[-1])
    assert all(box.collidelist(boxes[:i]) < 0 for i, box in enumerate(boxes))


def test_it_is_drawn_beside_the_legends_and_covers_no_other_panel(player, lab):
    lab.lab.overlays.on.clear()
    for name in ("lightness", "plans", "goals", "twins"):
        lab.lab.show(name)
    guard = int(lab.playing.picture.living(1)[0])
    lab.view.pinned = lab.view.inspected = int(lab.playing.picture.id[guard])
    player.frames(8)
    rects = lab.lab.panels.rects
    inspector = rects[-1]
    assert inspector.left == lab.lab.panels.text.px(12) and inspector.width <= 1280 / 3
    assert len(rects) == 3 and inspector.collidelist([*rects[:-1], lab.lab.panels.below]) < 0
    told = [words for _, words in lab.lab.panels.legend.spots]
    assert {o.title for o in lab.lab.overlays.on} <= {words.split(":")[0] for words in told}, "a legend is left out"
