"""Overlays of posts, cover by direction, and flanks show the values of minds."""

import math
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pygame
import pytest

from ai.perception.sight.line_of_sight import lines_clear
from ai.squad.emergent.personalities import TERMS
from game.level.reading import load_level
from game.sim.session import Session
from game.systems.tactics.tactical_places import find_place
from game.view.overlays.lenses import REGISTRY
from game.view.overlays.overlay import LabContext
from game.view.overlays.tactics.cover_overlay import STEPS, painted_rose
from game.view.painting.camera import Camera
from game.view.painting.palette import palette
from game.view.painting.text import TextDrawer
from game.view.painting.unit_picture import take_picture
from game.view.units.unit_labels import LabelPlacer
from game.world.orders import Order, OrderKind

EXHIBITS = Path(__file__).resolve().parents[5] / "levels" / "exhibits"


@pytest.fixture(scope="module")
def drawer() -> TextDrawer:
    pygame.init()
    return TextDrawer()


def context_of(session: Session, drawer: TextDrawer, selected: tuple[int, ...] = ()) -> LabContext:
    playing = SimpleNamespace(world=session.world, picture=take_picture(session.world), side=0, level=session.level)
    scene = SimpleNamespace(labels=LabelPlacer())
    return LabContext(playing, palette(), drawer, None, scene, selected)  # type: ignore[arg-type]


def picture_of(overlay, context: LabContext, x: float, y: float) -> np.ndarray:
    """Draw an overlay; return the 32 pixels a side around a place."""
    world = context.world
    surface = pygame.Surface((640, 480))
    camera = Camera(world.terrain.width, world.terrain.passable.shape[0], 640, 480)
    camera.set_zoom(32)
    camera.centre_on(x, y)
    overlay.draw(surface, camera, context, 1.0)
    px, py = camera.to_screen(x, y)
    box = pygame.Rect(px - 16, py - 16, 32, 32)
    return pygame.surfarray.array3d(surface.subsurface(box.clip(surface.get_rect())))


def test_a_squads_flank_shows_its_route_out_of_the_approach_and_the_tiles_in_view(drawer) -> None:
    session = Session(load_level(EXHIBITS / "squads" / "two_squads.tmx"), 2, recording=False)
    world = session.world
    overlay = REGISTRY["flank_zone"]()
    assert overlay.empty(context_of(session, drawer)) == "no squad and no unit flanks now"
    own = tuple(int(i) for i in world.units.id[world.units.living(0)])
    session.give(Order(int(OrderKind.SQUAD), 0, own, 44.5, 16.5, name="flank_left"))
    while not any(squad.task is not None and len(squad.task.route) for squad in world.squads.rows.values()):
        session.advance()
    context, before = context_of(session, drawer), world.hash()
    (flank,) = overlay.squads(context)
    task = next(iter(world.squads.rows.values())).task
    assert task is not None and np.array_equal(flank.route, task.route) and flank.enemy == (task.x, task.y)
    x, y = flank.route.T
    ends = [flank.route[0], flank.route[-1]]
    away = np.min([np.hypot(x - ex, y - ey) for ex, ey in ends], axis=0) > 3.0
    assert away.any() and not flank.zone.holds(x[away], y[away]).any(), "the route stays out of the zone"
    for place, seen in zip(flank.route.tolist(), flank.seen.tolist(), strict=True):
        line = np.array([[int(flank.enemy[1]), int(flank.enemy[0])]], np.int32)
        assert (
            bool(lines_clear(world.terrain.opaque, line, np.array([[int(place[1]), int(place[0])]], np.int32))) == seen
        )
    assert 60.0 <= flank.turn <= 120.0
    k = len(flank.route) // 2
    assert overlay.value_at(context, *flank.route[k].tolist()).startswith("flank of A, tile ")
    middle = (flank.pin[0] + flank.enemy[0]) / 2, (flank.pin[1] + flank.enemy[1]) / 2
    assert overlay.value_at(context, *middle).startswith("approach left out, ")
    assert picture_of(overlay, context, *middle).any() and overlay.empty(context) == "" and world.hash() == before


def test_posts_are_those_that_a_unit_would_choose_with_a_bar_for_each_criterion(drawer) -> None:
    session = Session(load_level(EXHIBITS / "tactics" / "yard.tmx"), 3, recording=False)
    world, overlay = session.world, REGISTRY["post_scores"]()
    unit = int(world.units.id[world.units.living(0)[0]])
    assert overlay.empty(context_of(session, drawer)) == "no unit is selected"
    while not overlay.posts(context_of(session, drawer, (unit,))).posts and world.tick < 100:
        session.advance()
    context, before = context_of(session, drawer, (unit,)), world.hash()
    found = overlay.posts(context)
    scores = [post.score for post in found.posts]
    assert len(scores) > 2 and scores == sorted(scores, reverse=True) and not found.signed
    for post in found.posts:
        assert math.prod(post.parts) == pytest.approx(post.score) and len(post.parts) == len(found.names)
    first = found.posts[0]
    assert REGISTRY["rated_places"]().value_at(context, first.x, first.y) == f"rated {first.score:.2f}"
    assert overlay.value_at(context, first.x, first.y) == "post 1: " + " x ".join(
        f"{name} {part:.2f}" for name, part in zip(found.names, first.parts, strict=True)
    )
    assert len(overlay.legend(context)) == 2 + len(found.names)
    assert picture_of(overlay, context, first.x, first.y).any() and world.hash() == before
    place = find_place(world, world.units.slot(unit), "cover")
    assert place is not None and place.rating == pytest.approx(first.score)


def test_a_member_that_fights_as_it_sees_fit_shows_its_three_tiles(drawer) -> None:
    session = Session(load_level(EXHIBITS / "squads" / "two_squads.tmx"), 2, recording=False)
    world, overlay = session.world, REGISTRY["post_scores"]()
    own = tuple(int(i) for i in world.units.id[world.units.living(0)])
    session.give(Order(int(OrderKind.SQUAD), 0, own, 44.5, 16.5, name="emergent"))
    for _ in range(12):
        session.advance()
    context = context_of(session, drawer, own[2:3])
    found = overlay.posts(context)
    assert found.signed and found.names == TERMS and len(found.posts) == 3
    assert sum(found.posts[0].parts) == pytest.approx(found.posts[0].score)
    assert overlay.value_at(context, found.posts[0].x, found.posts[0].y).count(", ") == 3


def test_a_rose_of_cover_has_long_petals_to_the_sides_where_attacks_fail(drawer) -> None:
    """Compare with straight lines to the tiles on both sides of a wall."""
    petals = bytes([STEPS] + [0] * 15)
    rose = pygame.surfarray.array_alpha(painted_rose(64, petals, (0, 0, 200), (255, 255, 255)))
    assert rose[50, 32] > 200 and not rose[:20].any() and not rose[:, :20].any()
    session = Session(load_level(EXHIBITS / "tactics" / "yard.tmx"), 3, recording=False)
    context, world = context_of(session, drawer), session.world
    overlay, opaque = REGISTRY["cover_directions"](), world.terrain.opaque
    open_ground = (world.terrain.passable & 1) != 0
    y, x = next(
        (y, x) for y, x in np.argwhere(open_ground).tolist()
        if 12 < x < 37 and opaque[y, x + 1] and open_ground[max(y - 2, 0) : y + 3, x - 12 : x + 1].all()
    )  # fmt: skip
    assert overlay.value_at(context, x + 0.9, y + 0.5).startswith("cover from E: 1.00 standing")
    assert overlay.value_at(context, x + 0.1, y + 0.5).startswith("cover from W: 0.00 standing")
    before = world.hash()
    drawn = picture_of(overlay, context, x + 0.5, y + 0.5)
    assert drawn[16 + 10, 16].any() and not drawn[16 - 10, 16].any()
    assert world.hash() == before and overlay.empty(context) == ""
