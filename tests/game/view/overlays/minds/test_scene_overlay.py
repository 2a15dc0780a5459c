"""Overlay of scenes and gestures of a cast, against the zones' state."""

from dataclasses import replace

import numpy as np
import pygame
import pytest

from ai.decision.smart_zones.scene_script import SceneBehaviour
from ai.decision.smart_zones.scene_timeline import end
from game.level.finding import find_level
from game.level.reading import load_level
from game.sim.session import Session
from game.view.figures.clip_book import read_book
from game.view.overlays.minds.scene_overlay import ScenesOverlay, strip_of
from game.view.overlays.minds.twinning_overlay import Twins, exempt_pairs
from game.view.painting.palette import palette
from game.view.painting.text import TextDrawer
from game.view.units.idle_gestures import IdleGestures
from game.view.window.playing import Playing
from game.world.groups.scene_zones import load_scenes
from tests.game.view.overlays.motion.test_group_overlays import camera_on, look


@pytest.fixture(scope="module")
def camp():
    session = Session(load_level(find_level("camp")), 2, {}, None, False)
    for _ in range(150):
        session.advance()
    return Playing(session)


def test_every_gesture_of_a_scene_is_a_clip():
    book = read_book()
    gestures = {clip for script in load_scenes().values() for b in script.behaviours.values() for clip in b.gesture}
    assert gestures <= set(book.index) and len(gestures) > 10


def test_the_cast_plays_the_clips_of_its_behaviours_and_never_the_same_second(camp):
    """Run three seconds: the cast is posed, and no twin starts within one."""
    book = read_book()
    idle, starts = IdleGestures(book), []
    cast = {a.unit for zone in camp.world.scenes.zones for a in zone.state.cast}
    for _ in range(60):
        camp.run_ticks(1)
        p = camp.picture
        rows = np.flatnonzero(p.moving == 0)
        frames = idle.frames(p, rows)
        starts += [(p.tick, unit, c) for unit, (c, at) in idle.playing.items() if at == p.tick and unit in p.gestures]
    assert set(p.gestures) <= cast and len(p.gestures) >= 6
    for unit, behaviour in p.gestures.items():
        clip = book.index[behaviour.gesture[0]]
        shown = idle.playing.get(unit)
        if shown is not None and shown[0] == clip and unit not in idle.turned:
            assert book.first[clip] <= frames[unit] < book.first[clip] + book.count[clip]
    sitting = [u for u, b in p.gestures.items() if book.groups[book.group[book.index[b.gesture[0]]]] == "sit"]
    assert sitting and all(frames[u] != book.first[book.default] for u in sitting), "none stands up at the table"
    where = {u: (p.x[p.row_of[u]], p.y[p.row_of[u]]) for u in cast}
    for k, (tick, unit, clip) in enumerate(starts):
        for later, other, twin in starts[k + 1 :]:
            if twin == clip and other != unit and np.hypot(*np.subtract(where[unit], where[other])) < 8.0:
                assert later - tick >= 20


def test_it_shows_seats_column_and_the_reason_of_an_end(camp):
    overlay, context, world = ScenesOverlay(), replace(look(camp), text=TextDrawer()), camp.world
    zone = next(z for z in world.scenes.zones if z.scene == "cards")
    script = world.scenes.script(zone)
    assert [name for name, now in strip_of(script, zone) if now] == [script.columns[zone.state.column].name]
    held = {row.words: row.unit for row in overlay.legend(context)}
    mains = sum(script_of.roles[a.role].category == 0 for z in world.scenes.zones
                for script_of in [world.scenes.script(z)] for a in z.state.cast)  # fmt: skip
    assert held["main role"] == f"{mains} of 5 seats" and held["extra role"] == "0 of 2 seats"
    actor = zone.state.cast[0]
    slot = world.units.slot(actor.unit)
    words = overlay.value_at(context, float(world.units.x[slot]), float(world.units.y[slot]))
    assert words == f"{script.roles[actor.role].name}: {world.scenes.words_of(zone, actor)}"
    pygame.font.init()
    surface = pygame.Surface((1280, 720))
    before = pygame.image.tobytes(surface, "RGB")
    overlay.draw(surface, camera_on(world, zone.x, zone.y), context, 1.0)
    assert pygame.image.tobytes(surface, "RGB") != before
    assert overlay.reason(context, zone) == ""
    state = zone.state
    end(state, world.tick, "Kit: it heard something fall")
    assert overlay.reason(context, zone) == "ended: Kit: it heard something fall"
    assert overlay.value_at(context, zone.x + 3.5, zone.y - 3.5).endswith("ends: Kit: it heard something fall")


def test_the_board_shows_its_starts_its_delays_and_its_exemptions(camp):
    """Pose three figures with one clip.

    A twin near by waits, and a far one is exempt.
    """
    idle, context = IdleGestures(read_book()), replace(look(camp), text=TextDrawer())
    context.scene.idle = idle
    p, overlay = camp.picture, Twins()
    a, b, c = p.id[:3].tolist()
    p.gestures = dict.fromkeys((a, b, c), SceneBehaviour("warm", ("warm_hands",)))
    places = {a: (4.0, 4.0), b: (6.0, 4.0), c: (25.0, 4.0)}
    for unit, (x, y) in places.items():
        p.x[p.row_of[unit]], p.y[p.row_of[unit]] = x, y
    idle.frames(p, np.arange(3))
    assert set(idle.playing) == {a, c} and list(idle.waits) == [b]
    assert exempt_pairs(idle) == [(a, c)]
    rows = {row.words: row for row in overlay.legend(context)}
    assert rows["waits for the board"].unit == "1 now, 1 refused" and rows["warm hands"].unit == "2"
    assert rows["warm hands"].ticks == (False,) * 59 + (True,)
    assert overlay.value_at(context, 6.0, 4.0) == "waits for the board since 0.0 s"
    assert overlay.value_at(context, 4.0, 4.0) == "warm hands, started 0.0 s ago"
    pygame.font.init()
    surface = pygame.Surface((1280, 720))
    overlay.draw(surface, camera_on(camp.world, 12.0, 6.0), context, 1.0)
    assert pygame.image.tobytes(surface, "RGB").count(bytes(palette().ramps["okabe_ito"][5])) > 20
