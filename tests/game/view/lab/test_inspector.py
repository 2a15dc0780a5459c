"""Inspector of a unit: a third of the width, whole words, room for legends."""

import pygame
import pytest

from ai.squad.emergent.personalities import MEANINGS, TERMS
from game.minds.squad.squad_words import ScoreRow, ScoreTable
from game.view.lab.inspector import SIDES, Words, arranged
from game.view.lab.score_sheet import draw_sheet, number, sheet_height

TABLE = tuple((f"belief: patrol thing {i}", "a value of some length" * (1 + i % 3)) for i in range(30))
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
    words = Words(SENTENCE, TABLE)
    rect = panels._inspector_rect(pygame.Surface(size), words)
    assert rect.width <= size[0] / 3 and rect.top > 0
    at = arranged(panels.text, rect.width, words)
    assert at.height == rect.height and " ".join(at.lines) == SENTENCE and len(at.cells) > 3
    assert at.below == len(TABLE) - len(at.cells) and at.above == 0
    last = arranged(panels.text, rect.width, words, 99)
    assert last.cells[-1][2] == TABLE[-1][0] and last.above == len(TABLE) - len(last.cells) and last.below == 0
    boxes = []
    for x, y, what, value in at.cells:
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


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_all_eleven_terms_of_three_places_are_written_whole(lab, size):
    """Names and values are drawn inside the panel, apart from each other."""
    panels = lab.lab.panels
    caption = "best tiles: 118, 114; 117, 113; 116, 112"
    rows = [ScoreRow(name, (-5.61, 0.004, 12.5), "", MEANINGS[k]) for k, name in enumerate(TERMS)]
    total = ScoreRow("sum", (-44.2, 1.0, 2.0), won=True)
    table = ScoreTable("term", ("1st", "2nd", "3rd"), (*rows, total), True, caption)
    words = Words(SENTENCE, TABLE, table)
    surface = pygame.Surface(size)
    rect = panels._inspector_rect(surface, words)
    assert rect.top > 70 and arranged(panels.text, rect.width, words).cells
    text = panels.text
    drawn: list[tuple[str, pygame.Rect]] = []
    draw = text.draw

    def noted(surface, pos, line, *args, **more):
        drawn.append((line, draw(surface, pos, line, *args, **more)))
        return drawn[-1][1]

    text.draw = noted
    try:
        place = pygame.Rect(rect.x + text.px(SIDES), rect.y + 60, rect.width - text.px(2 * SIDES), 0)
        spots = draw_sheet(surface, place, table, panels.app.panels, text)
    finally:
        del text.draw
    told = [line for line, _ in drawn]
    assert caption in told and [line for line in told if line in TERMS] == list(TERMS)
    assert told.count("-5.61") == 11 and told.count("0") == 11 and told.count("+12.5") == 11
    boxes = [box for _, box in drawn]
    place.height = sheet_height(text, table)
    assert all(place.contains(box.inflate(0, -4)) for box in boxes)
    assert all(
        box.inflate(-1, -6).collidelist([b.inflate(-1, -6) for b in boxes[:i]]) < 0 for i, box in enumerate(boxes)
    )
    assert {term.name: term.meaning for _, term in spots} == dict(zip(TERMS, MEANINGS, strict=True))


def test_a_zero_has_no_sign():
    assert [number(v, True) for v in (-0.0, -0.004, 0.5, -0.25)] == ["0", "0", "+0.50", "-0.25"]
    assert [number(v, False) for v in (None, 0.0, 0.66)] == ["-", "0.00", "0.66"]


def test_the_wheel_over_the_inspector_brings_its_other_cells(lab):
    panels, surface = lab.lab.panels, pygame.Surface((1280, 720))
    context = lab.lab.context(lab.playing, lab.view)
    unit = int(lab.playing.picture.id[0])

    def names():
        panels.draw_inspector(surface, context, unit, Words(SENTENCE, TABLE), True)
        return [what for _, what in panels._inspected]

    before, top = names(), panels.top
    assert before[0] == TABLE[0][0]
    panels.scroll(1, panels._inspector.center)
    assert names()[0] in before[1:] and panels.top == top
    panels.scroll(99, panels._inspector.center)
    assert names()[-1] == TABLE[-1][0]
    panels.scroll(-99, panels._inspector.center)
    assert names() == before
