"""Ghost of a squad's plan on the map: routes, posts, cover, exposure."""

from __future__ import annotations

import math

import numpy as np
import pygame

from ai.squad.manoeuvres.manoeuvre import MemberTask
from ai.squad.manoeuvres.rehearsal import RehearsedLeg
from game.minds.squad.squad_plan import CoverPair, Post, SquadPlan
from game.view.painting.camera import Camera
from game.view.painting.palette import RGB, Palette
from game.view.painting.text import TextDrawer
from game.view.units.order_marks import dashed
from game.view.units.unit_labels import LabelPlacer

Pixel = tuple[int, int]
EYE, EYE_LENGTH = math.radians(24), 1.5
"""Half angle of a post's eye in radians, and its length in tiles."""
MOST_PAIRS = 12
"""Numbered bounds that are drawn; later ones are left out."""


def team_colour(palette: Palette, team: int) -> RGB:
    """Return the colour of a team: 0 fires or goes first."""
    return palette.ramps["okabe_ito"][1 if team else 0]


def draw_plan(surface: pygame.Surface, camera: Camera, palette: Palette, plan: SquadPlan) -> None:
    """Draw the routes: dashed, and red where a known enemy sees them.

    Posts are rings with an eye. Dotted lines lead from the members that cover to the run that they cover.
    """
    task = plan.task
    if task is not None:
        for leg in plan.legs:
            _draw_leg(surface, camera, palette, leg, team_colour(palette, int(task.team[leg.row])))
        for pair in plan.covers[:MOST_PAIRS]:
            _draw_cover(surface, camera, palette, pair)
        rows = {unit: row for row, unit in enumerate(plan.members)}
        ends = {post.unit: post for post in plan.posts}
        for post in plan.posts:
            colour = team_colour(palette, int(task.team[rows[post.unit]]))
            _draw_post(surface, camera, palette, post, colour, last=ends[post.unit] is post)
    for x, y in plan.threats.tolist() if plan.threats is not None else ():
        _diamond(surface, palette, camera.to_screen(x, y), max(camera.zoom // 3, 5), palette["vermilion"])
    at = camera.to_screen(*plan.goal)
    size = max(camera.zoom // 2, 8)
    for colour, width in ((palette["rim"], 5), (palette["ink" if plan.refused else "vermilion"], 2)):
        pygame.draw.circle(surface, colour, at, size, width)
        pygame.draw.line(surface, colour, (at[0] - size, at[1]), (at[0] + size, at[1]), width)
        pygame.draw.line(surface, colour, (at[0], at[1] - size), (at[0], at[1] + size), width)


def draw_numbers(
    surface: pygame.Surface, camera: Camera, palette: Palette, plan: SquadPlan, labels: LabelPlacer, text: TextDrawer
) -> None:
    """Write the number of each bound beside the run that others cover."""
    for k, pair in enumerate(plan.covers[:MOST_PAIRS]):
        at = camera.to_screen(*pair.leg)
        labels.put_there(surface, text, str(k + 1), at, palette["ink"], palette["rim"])


def _draw_leg(surface: pygame.Surface, camera: Camera, palette: Palette, leg: RehearsedLeg, colour: RGB) -> None:
    points = [camera.to_screen(x, y) for x, y in leg.path.tolist()]
    if len(points) < 2 or not surface.get_clip().colliderect(_box(points)):
        return
    dashed(surface, points, colour, palette["rim"], 3, 8, 5)
    for k in np.flatnonzero(leg.exposed[1:]).tolist():
        pygame.draw.line(surface, palette["vermilion"], points[k], points[k + 1], 4)
    if leg.task == MemberTask.ASSAULT:
        (ax, ay), (bx, by) = points[-2], points[-1]
        turn = math.atan2(by - ay, bx - ax)
        head = [(bx - math.cos(turn + s) * 14, by - math.sin(turn + s) * 14) for s in (0.45, -0.45)]
        pygame.draw.polygon(surface, palette["rim"], [(bx, by), *head], 5)
        pygame.draw.polygon(surface, palette["vermilion"], [(bx, by), *head])


def _draw_cover(surface: pygame.Surface, camera: Camera, palette: Palette, pair: CoverPair) -> None:
    a, b = camera.to_screen(*pair.post), camera.to_screen(*pair.leg)
    dashed(surface, [a, b], palette["rim"], None, 4, 2, 8, offset=-1)
    dashed(surface, [a, b], palette["ink"], None, 2, 2, 8)


def _draw_post(surface: pygame.Surface, camera: Camera, palette: Palette, post: Post, colour: RGB, last: bool) -> None:
    """Draw a ring at a post; the last one has an eye."""
    at = camera.to_screen(post.x, post.y)
    radius = max(camera.zoom // 3 if last else camera.zoom // 6, 4 if last else 3)
    if not surface.get_clip().inflate(6 * radius, 6 * radius).collidepoint(at):
        return
    if last:
        turn = math.atan2(post.watches[1] - post.y, post.watches[0] - post.x)
        far = EYE_LENGTH * camera.zoom
        for shade, width in ((palette["rim"], 4), (colour, 2)):
            for side in (-EYE, EYE):
                tip = at[0] + math.cos(turn + side) * far, at[1] + math.sin(turn + side) * far
                pygame.draw.line(surface, shade, at, tip, width)
    pygame.draw.circle(surface, palette["rim"], at, radius + 2)
    pygame.draw.circle(surface, colour, at, radius)
    pygame.draw.circle(surface, palette["ink"], at, radius, 1)


def _diamond(surface: pygame.Surface, palette: Palette, at: Pixel, size: int, colour: RGB) -> None:
    x, y = at
    corners = [(x, y - size), (x + size, y), (x, y + size), (x - size, y)]
    pygame.draw.polygon(surface, palette["rim"], corners, 4)
    pygame.draw.polygon(surface, colour, corners, 2)


def _box(points: list[Pixel]) -> pygame.Rect:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return pygame.Rect(min(xs), min(ys), max(xs) - min(xs) + 1, max(ys) - min(ys) + 1)
