"""Overlays of a standing crowd: density of bodies and arrows to awaited units.

Oracles: counts by brute force, and the claims of the choreographer.
"""

import numpy as np
import pygame
import pytest

from game.level.finding import find_level
from game.level.reading import load_level
from game.sim.session import Session
from game.view.overlays.motion import waiting_overlays
from game.view.painting.palette import palette
from game.view.window.playing import Playing
from game.world.orders import Order, OrderKind
from tests.game.view.overlays.motion.test_group_overlays import camera_on, drawn_lines, look, played


def blocked_corridor():
    """Return a room that empties through one door, with a crowd before the door."""
    session = Session(load_level(find_level("room_100")), 1, {}, None, False)
    world = session.world
    ids = tuple(world.units.id[: world.units.count].tolist())
    session.give(Order(int(OrderKind.MOVE), 0, ids, 35.5, 10.5))
    for _ in range(160):
        session.advance()
    return Playing(session)


@pytest.fixture(scope="module")
def door():
    return blocked_corridor()


def test_density_is_bodies_over_open_tiles(door):
    world, u, context = door.world, door.world.units, look(door)
    height, width = world.terrain.passable.shape
    got = waiting_overlays.density_of(context, 0, 0, height, width)
    x, y = u.x[: u.count], u.y[: u.count]
    for ty in range(height):
        for tx in range(width):
            bodies = ((np.abs(np.floor(x) - tx) <= 1) & (np.abs(np.floor(y) - ty) <= 1)).sum()
            around = world.terrain.passable[max(ty - 1, 0) : ty + 2, max(tx - 1, 0) : tx + 2]
            here = bodies / (around != 0).sum() if world.terrain.passable[ty, tx] else 0.0
            assert got[ty, tx] == pytest.approx(here)
    assert got.max() > 1.0, "units stand close before the door"
    # A part of the map gives the same numbers as the whole.
    assert np.array_equal(waiting_overlays.density_of(context, 5, 9, 14, 20), got[5:14, 9:20])


def test_density_is_coloured_near_units_and_shows_its_number(door):
    context, density = look(door), waiting_overlays.Density()
    world = door.world
    height, width = world.terrain.passable.shape
    counts = waiting_overlays.density_of(context, 0, 0, height, width)
    fill = density.fill(context, 0, 0, height, width)
    assert ((fill[..., 3] > 0) == (counts > 0)).all()
    ramp = palette().ramps["cividis"]
    ty, tx = np.unravel_index(np.argmax(counts), counts.shape)
    best = min(int(counts[ty, tx] / waiting_overlays.PACKED * (len(ramp) - 1)), len(ramp) - 1)
    assert tuple(fill[ty, tx, :3]) == tuple(ramp[best])[:3]
    assert density.value_at(context, tx + 0.5, ty + 0.5).startswith(f"{counts[ty, tx]:.2f} bodies a square tile")
    ty, tx = np.argwhere(counts == 0)[0]
    assert density.value_at(context, tx + 0.5, ty + 0.5) == "no unit here"


def test_arrows_of_waits_end_at_the_nearest_body_ahead(door, monkeypatch: pytest.MonkeyPatch):
    world, u, context = door.world, door.world.units, look(door)
    arrows = []
    monkeypatch.setattr(waiting_overlays, "_arrow", lambda surface, a, b, *rest: arrows.append((a, b)))
    camera = camera_on(world, world.terrain.width / 2, world.terrain.height / 2)
    waiting_overlays.Waits().draw(pygame.Surface((1280, 720)), camera, context, 1.0)

    n = u.count
    told = world.passages.waits_for[:n] >= 0
    waiting = np.flatnonzero((u.moving[:n] == 1) & ((u.stuck[:n] >= waiting_overlays.WAITS_FROM) | told))
    assert len(waiting) > 20 and len(arrows) > 10
    for a, b in arrows:
        ax, ay = camera.to_world(*a)
        bx, by = camera.to_world(*b)
        who = int(waiting[np.argmin(np.hypot(u.x[waiting] - ax, u.y[waiting] - ay))])
        assert np.hypot(u.x[who] - ax, u.y[who] - ay) < 0.1
        others = np.delete(np.arange(n), who)
        ahead = int(others[np.argmin(np.hypot(u.x[others] - bx, u.y[others] - by))])
        assert np.hypot(u.x[ahead] - bx, u.y[ahead] - by) < 0.35, "the arrow ends at a body"
        want = np.array([world.steering.want_x[who], world.steering.want_y[who]])
        off = np.array([u.x[ahead] - u.x[who], u.y[ahead] - u.y[who]])
        assert np.hypot(*off) < u.radius[who] + u.radius[ahead] + 0.6
        if np.hypot(*want) > 0.05:
            assert off @ want > 0.0


def test_the_value_names_the_awaited_unit_and_the_clock_of_the_crowd(door):
    world, u, context = door.world, door.world.units, look(door)
    waits = waiting_overlays.Waits()
    assert waits.empty(context) == ""
    told = [waits.value_at(context, float(u.x[r]), float(u.y[r])) for r in range(u.count)]
    named = [words for words in told if words.startswith("waits for ")]
    assert len(named) > 10 and all("its crowd got on" in words for words in named)
    told_to = world.passages.waits_for[: u.count] >= 0
    moving_on = np.flatnonzero((u.moving[: u.count] == 1) & (u.stuck[: u.count] == 0) & ~told_to)
    assert len(moving_on) and all(told[r] == "" for r in moving_on.tolist())


def test_three_units_that_wait_for_each_other_are_a_circle(door, monkeypatch: pytest.MonkeyPatch):
    following = {0: 1, 1: 2, 2: 0, 3: 0}
    monkeypatch.setattr(
        waiting_overlays, "_next", lambda world, row, shown: (following.get(row, -1), waiting_overlays.BEHIND)
    )
    context = look(door)
    kinds = {row: waiting_overlays.awaited_by(context, row) for row in (0, 1, 2, 3, 4)}
    assert [kinds[row][1] == waiting_overlays.IN_CIRCLE for row in (0, 1, 2, 3, 4)] == [True] * 3 + [False] * 2
    assert kinds[3][0] == 0 and kinds[4][0] == -1


def test_a_wait_before_a_passage_points_at_the_unit_that_the_choreographer_names(monkeypatch: pytest.MonkeyPatch):
    def waits(world):
        return (world.passages.waits_for[: world.units.count] >= 0).any()

    playing = played("passage_10", "passage_10", waits)
    world, context = playing.world, look(playing)
    dashes = []
    monkeypatch.setattr(waiting_overlays, "dashed", lambda surface, points, *rest: dashes.append(points))
    drawn_lines(monkeypatch, palette()["ink"])
    camera = camera_on(world, world.terrain.width / 2, world.terrain.height / 2)
    waiting_overlays.Waits().draw(pygame.Surface((1280, 720)), camera, context, 1.0)
    p, u = world.passages, world.units
    due = [r for r in range(u.count) if p.waits_for[r] >= 0 and u.moving[r]]
    assert len(dashes) == len(due) > 0
    for r in due:
        assert waiting_overlays.awaited_by(context, r) == (u.slot(int(p.waits_for[r])), waiting_overlays.AT_PASSAGE)
