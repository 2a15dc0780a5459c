"""Overlays of groups and crowds: the drawn figures equal the data of the world.

The scripts of exhibits are played.
Oracles: boxes and costs of the last formation judgement, the published crowd map, and the bodies.
"""

import math
from types import SimpleNamespace

import numpy as np
import pygame
import pytest

from ai.formation.group_entity import G_X, G_Y, GroupState
from ai.paths.congestion.congestion_map import CELL
from ai.steering.avoidance.predicted_collisions import meetings_of
from game.checks.scripts.script import load_script
from game.checks.scripts.scripted_player import ScriptedPlayer
from game.level.finding import find_level
from game.level.reading import load_level
from game.sim.session import Session
from game.sim.stages.steer_stage import bodies_of
from game.view.overlays.motion import candidate_overlay, crowd_overlays, group_overlays
from game.view.overlays.overlay import LabContext
from game.view.painting.camera import Camera
from game.view.painting.palette import palette
from game.view.units.unit_labels import LabelPlacer
from game.view.window.playing import Playing


def played(level: str, script: str, until):
    """Play the exhibit's script to the first tick in which ``until`` holds."""
    told, player = load_script(find_level(level).with_name(f"{script}.toml")), ScriptedPlayer()
    session = Session(load_level(find_level(level)), told.seed, dict(told.settings), told.units, False)
    while not until(session.world):
        assert session.world.tick < 200
        for order in player.orders(told, session.world, session.world.tick + 1):
            session.give(order)
        session.advance()
    return Playing(session)


class Written:
    """Text drawer that keeps words and style in place of drawing them."""

    def __init__(self):
        self.words = []

    def px(self, size):
        return size

    def draw(self, surface, at, words, ink, style, *rest):
        self.words.append((words, style))


def look(playing):
    every = np.arange(len(playing.picture))
    return LabContext(playing, palette(), Written(), None, SimpleNamespace(labels=LabelPlacer()), (), every)


def camera_on(world, x, y, zoom=24):
    camera = Camera(world.terrain.width, world.terrain.height, 1280, 720)
    camera.set_zoom(zoom)
    camera.centre_on(x, y)
    return camera


def test_fifteen_candidates_are_drawn_with_their_costs_and_the_cheapest_is_marked(monkeypatch: pytest.MonkeyPatch):
    def weighs(world):
        groups = world.groups
        return any(groups.state(row) == GroupState.MARCHING for row in groups.judged)

    playing = played("formation_parade", "formation_parade.choke", weighs)
    (told,), u = playing.world.groups.judged.values(), playing.world.units
    costs = told["costs"].tolist()
    assert len(costs) == 15 and len(set(costs)) > 1
    rings, thick = [], []
    monkeypatch.setattr(candidate_overlay, "dashed", lambda surface, points, *rest: rings.append(points))
    monkeypatch.setattr(pygame.draw, "lines", lambda surface, colour, closed, points, width: thick.append(points))
    context = look(playing)
    camera = camera_on(playing.world, u.x[: u.count].mean(), u.y[: u.count].mean())
    candidate_overlay.Candidates().draw(pygame.Surface((1280, 720)), camera, context, 1.0)

    best = int(np.argmin(costs))
    assert len(rings) == 14 and thick and all(ring == thick[0] for ring in thick)
    rings.insert(best, thick[0])
    for ring, (left, right, front, rear) in zip(rings, told["boxes"].tolist(), strict=True):
        a, b, c, *_ = np.array(ring, float) / camera.zoom
        # The box is half a body wider than the slots on each side, to a pixel.
        assert np.hypot(*(b - a)) == pytest.approx(left + right + 0.8, abs=0.1)
        assert np.hypot(*(c - b)) == pytest.approx(front + rear + 0.8, abs=0.1)
    numbers = [(words, style) for words, style in context.text.words if words[-1].isdigit()]
    assert [words for words, _ in numbers] == [f"{cost:.2f}" for cost in costs]
    assert [style == "sans_bold" for _, style in numbers] == [k == best for k in range(15)]


def test_arrows_of_congestion_point_in_the_direction_of_the_crowd(monkeypatch: pytest.MonkeyPatch):
    playing = played("two_gates", "two_gates", lambda world: world.tick == 100)
    world, arrows = playing.world, []
    monkeypatch.setattr(crowd_overlays, "_arrow", lambda surface, a, b, *rest: arrows.append((a, b)))
    camera = camera_on(world, world.terrain.width / 2, world.terrain.height / 2)
    crowd_overlays.Congestion().draw(pygame.Surface((1280, 720)), camera, look(playing), 1.0)

    crowd, u, along = world.crowding.map, world.units, []
    assert len(arrows) >= 5
    for a, b in arrows:
        ax, ay = camera.to_world(*a)
        bx, by = camera.to_world(*b)
        x, y, arrow = (ax + bx) / 2, (ay + by) / 2, np.array([bx - ax, by - ay])
        drift = np.array([plane[int(y / CELL), int(x / CELL)] for plane in (crowd.vx, crowd.vy)])
        assert arrow @ drift > 0.8 * np.hypot(*arrow) * np.hypot(*drift) > 0.0
        # The velocities of the bodies there now, some ticks after the map was published.
        here = np.hypot(u.x[: u.count] - x, u.y[: u.count] - y) < CELL
        along.append(arrow @ (u.vx[: u.count][here].sum(), u.vy[: u.count][here].sum()))
    assert np.mean(np.array(along) > 0.0) > 0.6


def drawn_lines(monkeypatch: pytest.MonkeyPatch, *colours) -> list[tuple]:
    """Record each line of these colours from now on as (from, to, width)."""
    lines, meant = [], {tuple(colour)[:3] for colour in colours}

    def line(surface, ink, a, b, width=1):
        if tuple(ink)[:3] in meant:
            lines.append((a, b, width))

    monkeypatch.setattr(pygame.draw, "line", line)
    return lines


def test_rosettes_show_the_interest_and_the_heading_of_context_maps(monkeypatch: pytest.MonkeyPatch):
    playing = played("stalemate", "stalemate", lambda world: world.tick == 60)
    world, context, arrows = playing.world, look(playing), []
    maps, u = world.steering.maps, world.units
    bars = drawn_lines(monkeypatch, context.palette.ramps["okabe_ito"][1])
    monkeypatch.setattr(crowd_overlays, "_arrow", lambda surface, a, b, *rest: arrows.append((a, b)))
    camera = camera_on(world, world.terrain.width / 2, world.terrain.height / 2)
    crowd_overlays.ContextMapRosettes().draw(pygame.Surface((1280, 720)), camera, context, 1.0)

    deciding = np.flatnonzero(~np.isnan(maps.heading[: u.count]))
    assert len(arrows) == len(deciding) >= 1
    for (a, b), r in zip(arrows, deciding.tolist(), strict=True):
        assert math.remainder(math.atan2(b[1] - a[1], b[0] - a[0]) - float(maps.heading[r]), math.tau) == pytest.approx(
            0.0, abs=0.1
        )
    kept = maps.kept[deciding]
    assert len(bars) == (kept >= 0.02).sum() >= 3
    longest = max(math.hypot(b[0] - a[0], b[1] - a[1]) for a, b, _ in bars) / camera.zoom
    assert longest == pytest.approx(crowd_overlays.OUTER * min(float(kept.max()), 1.0), abs=0.1)


def test_lines_of_predicted_collisions_lead_from_each_unit_to_its_place_of_collision(monkeypatch: pytest.MonkeyPatch):
    playing = played("crossing_crowds", "crossing_crowds", lambda world: world.tick == 60)
    world, context = playing.world, look(playing)
    lines = drawn_lines(monkeypatch, context.palette.ramps["okabe_ito"][4])
    camera = camera_on(world, world.terrain.width / 2, world.terrain.height / 2, 16)
    crowd_overlays.Forces().draw(pygame.Surface((1280, 720)), camera, context, 1.0)

    u = world.units
    met = meetings_of(world.steering, world.settings.steering.packed(), bodies_of(world), np.arange(u.count))
    true = {
        (camera.to_screen(float(u.x[r]), float(u.y[r])), camera.to_screen(x, y), 3 if tau < 1.0 else 1)
        for r, rows in met.items()
        for tau, x, y, _, _ in rows.tolist()
    }
    assert len(lines) > 10 and set(lines) <= true
    assert len({a for a, _, _ in lines}) > 5


def test_a_line_joins_each_member_with_its_slot_and_the_box_is_at_the_group(monkeypatch: pytest.MonkeyPatch):
    playing = played("scattered", "scattered", lambda world: world.tick == 20)
    world, context, boxes = playing.world, look(playing), []
    u = world.units
    camera = camera_on(world, world.terrain.width / 2, world.terrain.height / 2, 16)
    away = np.hypot(u.slot_x - u.x, u.slot_y - u.y)[: u.count]
    joined = np.flatnonzero((u.band[: u.count] >= 0) & (away > 0.25)).tolist()
    true = {(camera.to_screen(u.x[r], u.y[r]), camera.to_screen(u.slot_x[r], u.slot_y[r])) for r in joined}
    lines = drawn_lines(monkeypatch, context.palette.overlay["whisker"], context.palette.ramps["okabe_ito"][1])
    group_overlays.SlotsOverlay().draw(pygame.Surface((1280, 720)), camera, context, 1.0)
    assert true and {(a, b) for a, b, _ in lines} >= true

    monkeypatch.setattr(group_overlays.GroupEntity, "_word", staticmethod(lambda *row: None))
    monkeypatch.setattr(pygame.draw, "polygon", lambda surface, colour, points, *rest: boxes.append(points))
    group_overlays.GroupEntity().draw(pygame.Surface((1280, 720)), camera, context, 1.0)
    (row,) = world.groups.rows
    middle = np.mean(np.array(boxes[0], float), axis=0)
    at = np.array(camera.to_screen(float(world.groups.num[row, G_X]), float(world.groups.num[row, G_Y])))
    assert np.hypot(*(middle - at)) < 1.5 * camera.zoom
