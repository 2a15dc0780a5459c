"""Drawn parts of the stealth view: each part changes the pixels of its place.

One identification is played, so that card, edge mark, bubble and cause come from the game and not from a call.
"""

import itertools

import numpy as np
import pygame
import pytest

from game.view.stealth import stealth_hud
from game.world.units import Stance
from tests.game.view.yard import ANN, ODO, PIM, QUIN, open_in_window


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    screen = open_in_window(tmp_path_factory.mktemp("yard"), 26, 13)
    yield screen
    screen.player.app.close()


@pytest.fixture
def play(opened):
    opened.playing.back()
    opened.playing.clock.paused = True
    opened.stealth.forget()
    opened.camera.set_zoom(32)
    opened.camera.centre_on(26, 13)
    opened.scene.eyes.heard.clear()
    opened.edge_marks.marks.clear()
    lift(opened)
    return opened


def lift(play):
    """Lift the fog from the whole yard."""
    play.scene.fog.explored[:] = True
    play.scene.fog.sighted[:] = True


def put(play, unit, x, y, stance=Stance.STAND):
    u = play.playing.world.units
    slot = u.slot(unit)
    u.x[slot] = u.prev_x[slot] = x
    u.y[slot] = u.prev_y[slot] = y
    u.stance[slot] = stance


def picture(play):
    lift(play)
    surface = pygame.Surface((1280, 720))
    play.draw(surface)
    return pygame.surfarray.array3d(surface).astype(int)


def changed(play, monkeypatch, owner, name):
    """Return the pixels, bool[x, y], that change when a part is not drawn.

    Only pixels that return when the part is drawn again count.
    """
    whole = picture(play)
    with monkeypatch.context() as patch:
        patch.setattr(owner, name, lambda *_, **__: None)
        without = picture(play)
    # Parts that are painted over several frames, such as the ground, do not return.
    again = picture(play)
    return (without != whole).any(axis=2) & (again == whole).all(axis=2)


def near(play, differs, x, y, reach=50):
    px, py = play.camera.to_screen(x, y)
    return int(differs[max(px - reach, 0) : px + reach, max(py - reach, 0) : py + reach].sum())


def at(play, unit):
    p = play.playing.picture
    row = p.row_of[unit]
    return float(p.x[row]), float(p.y[row])


def noticed(play):
    """Run until Odo notices Ann without identification."""
    put(play, ANN, 29.5, 13.5)
    for _ in range(30):
        play.playing.run_ticks(1)
        play.tell_what_happened()
        p = play.playing.picture
        if 0.2 < p.meter[p.row_of[ODO]] < 0.95:
            return
    raise AssertionError("Ann is not noticed")


def test_meter_icon_line_and_cause_are_drawn_at_the_guard_that_notices(play, monkeypatch):
    noticed(play)
    eyes = play.scene.eyes
    eyes.causes.follow(play.playing.world)
    assert near(play, changed(play, monkeypatch, eyes, "draw_meters"), *at(play, ODO)) > 150, "a meter above Odo"
    assert near(play, changed(play, monkeypatch, eyes, "draw_meters"), *at(play, PIM)) > 20, "a small mark over Pim"
    x, y = ((a + b) / 2 for a, b in zip(at(play, ODO), at(play, ANN), strict=True))
    assert near(play, changed(play, monkeypatch, eyes, "_cause_line"), x, y) > 60, "a line between the two"
    assert changed(play, monkeypatch, eyes, "_cause_words").sum() > 600, "a slip with words"
    assert near(play, changed(play, monkeypatch, eyes, "draw_wedges"), *at(play, ODO)) > 20


def test_an_identification_gives_card_edge_mark_bubble_and_cause(play, monkeypatch):
    noticed(play)
    assert play.scene.eyes.causes.words.get(ODO), "the slip has the cause in words"
    for _ in range(60):
        play.playing.run_ticks(1)
        play.tell_what_happened()
        if play.stealth.breakdown.card is not None and play.stealth.barks.bubbles:
            break
    card = play.stealth.breakdown.card
    assert (card.watcher, card.target) == ("Odo", "Ann")
    assert any(b.unit == ODO for b in play.stealth.barks.bubbles), "Odo barks"
    assert "identified" in {m.kind for m in play.edge_marks.marks}
    assert play.slow_until > play.app.now_ms, "time slows"
    assert changed(play, monkeypatch, stealth_hud, "draw_card").sum() > 5000
    bubbles = changed(play, monkeypatch, play.stealth.barks, "draw")
    x, y = at(play, ODO)
    assert near(play, bubbles, x, y - 1.5, 60) > 300, "a bubble above Odo"
    play.camera.set_zoom(64)
    play.camera.centre_on(2, 2)
    assert changed(play, monkeypatch, play.edge_marks, "draw").sum() > 800, "an arrow at the edge for Odo off screen"


def test_each_tier_of_barks_has_its_own_bubble(play):
    sizes = []
    bare = picture(play)
    for what in ("notice", "there_he_is", "alarm"):
        play.stealth.barks.bubbles.clear()
        bubble = play.stealth.barks.hear(ODO, what, *at(play, ODO), play.app.now_ms)
        bubble.words = "Same words"
        drawn = picture(play)
        sizes.append(int((drawn != bare).any(axis=2).sum()))
        shout = (drawn == np.array(play.app.palette["vermilion"])).all(axis=2) & (drawn != bare).any(axis=2)
        assert (shout.sum() > 500) == (bubble.tier == "shout")
    assert all(a < b for a, b in itertools.pairwise(sizes)), "louder is larger"


def test_a_belief_is_drawn_at_the_believed_position(play, monkeypatch):
    # The grace period ends before Odo has turned to run there.
    play.playing.world.settings.minds.grace = 10
    noticed(play)
    while not any(h.kind == "identified" for h in play.playing.take_happenings()):
        play.playing.run_ticks(1)
    put(play, ANN, 20.5, 3.5)
    play.playing.run_ticks(2)
    sensed = changed(play, monkeypatch, stealth_hud, "draw_beliefs")
    assert near(play, sensed, 20.5, 3.5) > 150, "a ring while Ann is sensed"
    play.playing.run_ticks(10)
    put(play, ANN, 36.5, 20.5)
    play.playing.run_ticks(2)
    kept = changed(play, monkeypatch, stealth_hud, "draw_beliefs")
    assert near(play, kept, 20.5, 3.5, 80) > 150 and near(play, kept, 36.5, 20.5) == 0


def test_a_sound_has_its_ring(play, monkeypatch):
    play.stealth.rings.follow(play.playing, (), play.scene.fog, play.app.now_ms)
    play.playing.run_ticks(1)
    world = play.playing.world
    world.recording["sounds"] = [(world.tick, 1, 24.5, 13.5, 6.0, ANN)]
    play.stealth.rings.follow(play.playing, (ANN,), play.scene.fog, play.app.now_ms - 400)
    rings = changed(play, monkeypatch, play.stealth.rings, "draw")
    assert rings.sum() > 300
    px, py = play.camera.to_screen(24.5, 13.5)
    x, y = np.nonzero(rings)
    assert np.hypot(x - px, y - py).max() < 6.5 * 32 and not rings[px - 20 : px + 20, py - 20 : py + 20].any()


def test_the_tile_under_a_resting_cursor_has_frame_lines_and_panel(play, monkeypatch):
    # Quin stands behind Odo, so that the side sees Odo.
    put(play, QUIN, 20.0, 11.5)
    play.playing.run_ticks(4)
    pos = play.camera.to_screen(27.5, 11.5)
    play.player.send(pygame.event.Event(pygame.MOUSEMOTION, pos=pos, rel=(0, 0), buttons=(0, 0, 0)))
    for _ in range(40):
        lift(play)
        play.player.frames(1)
    facts = play.stealth.tile.facts
    assert facts.seen and facts.seen[0][0] == "Odo"
    assert changed(play, monkeypatch, play.stealth.tile, "draw").sum() > 3000
    ground = changed(play, monkeypatch, play.stealth.tile, "draw_ground")
    assert near(play, ground, 27.5, 11.5, 20) > 60, "a frame round the tile"
    x, _ = at(play, ODO)
    assert near(play, ground, (x + 27.5) / 2, 11.5, 20) > 20, "a line from the guard that sees the tile"
