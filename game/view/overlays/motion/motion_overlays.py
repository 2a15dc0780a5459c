"""Overlays of motion: whiskers, velocities, and stages of the navigation pipeline."""

from __future__ import annotations

import math

import numpy as np
import pygame

from ai.steering.behaviours.turn_then_straight import TurnRoute, pose_at, shortest_turn
from ai.steering.navigation_pipeline import USUAL, PipelineStage
from game.view.overlays.overlay import NUMBERS_FROM, Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.painting.camera import Camera
from game.view.painting.palette import Palette
from game.world.world import World

MOST_UNITS = 40
KEPT_STARS = 300
BENDS = 32
"""Number of line pieces of a turn with the straight part after it."""
LONGEST = 2.0
"""Tiles outside the picture from which an arrow may still reach into it."""


@overlay
class Whiskers(Overlay):
    """Whiskers of each unit: contact and gathered weight (AW 4.1)."""

    name, title, channel, scope = "whiskers", "Whiskers", Channel.MARK, Scope.SELECTED
    question = "What does each whisker feel, and how strongly?"

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw a line for each whisker: ink when free, orange on contact.

        A free whisker ends in a ring. A touching one has a bar at its end and its weight beside it.
        """
        world, p, palette = context.world, context.playing.picture, context.palette
        settings, state = world.settings.steering, world.steering
        n = int(settings.whiskers)
        if n == 0 or camera.zoom < 12:
            return
        x, y, _ = p.between(alpha)
        # Whiskers are drawn longer than they are, so that they reach beyond the figure. The direction is exact.
        length = max(settings.whisker_reach, 0.95)
        for r in context.on_screen(camera, self.scope, alpha)[:MOST_UNITS].tolist():
            if r >= len(state.touched):
                continue
            cx, cy = camera.to_screen(float(x[r]), float(y[r]))
            star = self._star(palette, camera.zoom, n, length, int(state.touched[r]) & ((1 << n) - 1))
            surface.blit(star, (cx - star.get_width() // 2, cy - star.get_height() // 2))
            if camera.zoom >= NUMBERS_FROM:
                self._weights(surface, context, state.whisker[r, :n].tolist(), (cx, cy), length * camera.zoom)

    def __init__(self) -> None:
        self._stars: dict[tuple[int, int, float, int], pygame.Surface] = {}

    def _star(self, palette: Palette, zoom: int, n: int, length: float, bits: int) -> pygame.Surface:
        """Return the picture of all whiskers of a unit; it is drawn once.

        Bit ``d`` of ``bits`` is set when whisker ``d`` touches.
        """
        key = (zoom, n, length, bits)
        found = self._stars.get(key)
        if found is not None:
            return found
        reach = length * zoom
        half = round(reach) + 10
        star = pygame.Surface((2 * half, 2 * half), pygame.SRCALPHA)
        hit, rim, ink = palette.overlay["whisker"], palette["rim"], palette["ink"]
        for d in range(n):
            ux, uy = math.cos(math.tau * d / n), math.sin(math.tau * d / n)
            end = (round(half + ux * reach), round(half + uy * reach))
            start = (round(half + ux * zoom * 0.35), round(half + uy * zoom * 0.35))
            if bits >> d & 1:
                pygame.draw.line(star, rim, start, end, 5)
                pygame.draw.line(star, hit, start, end, 3)
                bx, by = round(uy * 6), round(-ux * 6)
                pygame.draw.line(star, hit, (end[0] - bx, end[1] - by), (end[0] + bx, end[1] + by), 3)
            else:
                pygame.draw.line(star, rim, start, end, 3)
                pygame.draw.line(star, ink, start, end, 1)
                pygame.draw.circle(star, rim, end, 4)
                pygame.draw.circle(star, ink, end, 4, 1)
        if len(self._stars) >= KEPT_STARS:
            self._stars.clear()
        self._stars[key] = star
        return star

    @staticmethod
    def _weights(
        surface: pygame.Surface, context: LabContext, weights: list[float], at: tuple[int, int], reach: float
    ) -> None:
        palette = context.palette
        for d, weight in enumerate(weights):
            if weight >= 0.005:
                ux, uy = math.cos(math.tau * d / len(weights)), math.sin(math.tau * d / len(weights))
                spot = (round(at[0] + ux * (reach + 16)), round(at[1] + uy * (reach + 14)))
                context.labels.put_there(surface, context.text, f"{weight:.2f}", spot, palette["ink"], palette["rim"])

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the meaning of touching and free whiskers."""
        return [
            LegendRow("touches something solid", context.palette.overlay["whisker"], "push, tiles/s", "line"),
            LegendRow("free", context.palette["ink"], "", "line"),
        ]

    def empty(self, context: LabContext) -> str:
        """Return a message while whiskers are off or no unit is shown."""
        if context.world.settings.steering.whiskers == 0:
            return "whiskers are switched off"
        return super().empty(context)

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the number of touching whiskers of the nearest unit, and its push."""
        world, p = context.world, context.playing.picture
        n, r = int(world.settings.steering.whiskers), context.row_at(self.scope, x, y, 1.0)
        if n == 0:
            return "whiskers are switched off"
        if not 0 <= r < len(world.steering.touched):
            return ""
        hits = int(world.steering.touched[r]).bit_count()
        push = math.hypot(float(world.steering.push_x[r]), float(world.steering.push_y[r]))
        return f"{world.name_of(int(p.id[r]))}: {hits} of {n} touch, push {push:.2f} tiles/s"


def turn_ahead(world: World, row: int) -> TurnRoute | None:
    """Return the turn of a driving unit to its next waypoint, or None.

    It is the shorter of right and left turn, then straight. Units that do not drive have none.
    """
    u, store = world.units, world.paths.store
    if row >= u.count or not u.moving[row] or row >= len(world.steering.circle) or world.steering.circle[row] <= 0.0:
        return None
    on_path = row < len(store.path_len) and store.path_len[row] > 0
    to = (store.wp_x[row], store.wp_y[row]) if on_path else (u.goal_x[row], u.goal_y[row])
    circle = float(world.steering.circle[row])
    return shortest_turn(float(u.x[row]), float(u.y[row]), float(u.facing[row]), float(to[0]), float(to[1]), circle)


@overlay
class Motion(Overlay):
    """Wanted velocity, push of the whiskers, and actual velocity."""

    name, title, channel, scope = "motion", "Velocities", Channel.MARK, Scope.SELECTED
    question = "Where does each unit want to go, and where does it go?"

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw arrows of one second: wanted green, pushed orange, actual ink.

        For a unit that drives, the turn and the straight part after it are drawn as well.
        """
        world, p, palette = context.world, context.playing.picture, context.palette
        state = world.steering
        x, y, _ = p.between(alpha)
        green, orange = palette.ramps["okabe_ito"][1], palette.overlay["whisker"]
        for r in context.on_screen(camera, self.scope, alpha, margin=LONGEST)[:MOST_UNITS].tolist():
            if r >= len(state.want_x):
                continue
            at = (float(x[r]), float(y[r]))
            route = turn_ahead(world, r)
            if route is not None:
                paths = [pose_at(route, route.length * k / BENDS)[:2] for k in range(BENDS + 1)]
                line = [camera.to_screen(*path) for path in paths]
                pygame.draw.lines(surface, palette["rim"], False, line, 5)
                pygame.draw.lines(surface, palette.ramps["okabe_ito"][4], False, line, 2)
            for vx, vy, colour in (
                (float(state.want_x[r]), float(state.want_y[r]), green),
                (float(state.push_x[r]), float(state.push_y[r]), orange),
                (float(p.vx[r]), float(p.vy[r]), palette["ink"]),
            ):
                if vx * vx + vy * vy > 0.0025:
                    _arrow(
                        surface, camera.to_screen(*at), camera.to_screen(at[0] + vx, at[1] + vy), colour, palette["rim"]
                    )

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the meaning of the arrows, and of the turn of driving units."""
        palette, world = context.palette, context.world
        drives = any(turn_ahead(world, r) is not None for r in context.rows(self.scope)[:MOST_UNITS].tolist())
        return [
            *([LegendRow("turn, then straight", palette.ramps["okabe_ito"][4], "tiles", "line")] if drives else []),
            LegendRow("wanted", palette.ramps["okabe_ito"][1], "tiles/s", "line"),
            LegendRow("pushed by whiskers", palette.overlay["whisker"], "tiles/s", "line"),
            LegendRow("actual", palette["ink"], "tiles/s", "line"),
        ]

    def empty(self, context: LabContext) -> str:
        """Return a message while no shown unit moves."""
        p, rows = context.playing.picture, context.rows(self.scope)
        return "" if np.any(p.vx[rows] ** 2 + p.vy[rows] ** 2 > 0.0025) else "no unit shown moves now"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the speed of the nearest unit."""
        p, r = context.playing.picture, context.row_at(Scope.ALL, x, y)
        return f"{math.hypot(float(p.vx[r]), float(p.vy[r])):.2f} tiles/s" if r >= 0 else ""


STAGE_COLOURS = {
    PipelineStage.FOLLOW: 1, PipelineStage.BEHAVE: 4, PipelineStage.GIVE_WAY: 5, PipelineStage.SWAY: 6,
    PipelineStage.WHISKERS: 3, PipelineStage.AVOID: 2,
    PipelineStage.DRIVE: 0,
}  # fmt: skip
"""Indices of the colours of the stages among the categories."""


def stages_of(context: LabContext, row: int) -> list[tuple[PipelineStage, float, float]]:
    """Return (stage, vx, vy) after each pipeline stage of a unit, last tick.

    The list is empty in a large crowd, for which velocities of stages are not kept.
    """
    world = context.world
    told = world.steering.told
    mine = world.types[int(world.units.kind[row])].stages if world.settings.steering.pipelines else None
    words = [stage.name.lower() for stage in USUAL] if mine is None else mine
    has = {*words, "drive"} if world.settings.steering.turning_radius > 0.0 else set(words)
    out = []
    for stage, order in told:
        if PipelineStage(stage).name.lower() in has and row < order.shape[1]:
            out.append((PipelineStage(stage), float(order[0, row]), float(order[1, row])))
    return out


@overlay
class Stages(Overlay):
    """Velocity after each stage of the navigation pipeline (GP2 20.3)."""

    name, title, channel, scope = "stages", "Pipeline", Channel.MARK, Scope.SELECTED
    question = "How does each stage change the velocity?"

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw the first stage's velocity as an arrow, then each later correction."""
        palette = context.palette
        x, y, _ = context.playing.picture.between(alpha)
        for r in context.on_screen(camera, self.scope, alpha, margin=LONGEST)[:MOST_UNITS].tolist():
            px, py = float(x[r]), float(y[r])
            if r >= context.world.units.count or not context.world.units.moving[r]:
                continue
            at = (px, py)
            for k, (stage, vx, vy) in enumerate(stages_of(context, r)):
                tip = (px + SECONDS * vx, py + SECONDS * vy)
                a, b = camera.to_screen(*at), camera.to_screen(*tip)
                if k == 0 or math.hypot(b[0] - a[0], b[1] - a[1]) > 3:
                    _arrow(surface, a, b, palette.ramps["okabe_ito"][STAGE_COLOURS[stage]], palette["rim"])
                    at = tip

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the stages of the first unit that moves, with speeds.

        Stages that only other shown units have come last.
        """
        rows = context.rows(self.scope)
        rows = rows[context.world.units.moving[rows] == 1] if len(rows) else rows
        ramp = context.palette.ramps["okabe_ito"]
        said = stages_of(context, int(rows[0])) if len(rows) else []
        others = {stage for row in rows[1:MOST_UNITS].tolist() for stage, _, _ in stages_of(context, row)}
        if not said:
            return [
                LegendRow(stage.name.lower().replace("_", " "), ramp[STAGE_COLOURS[stage]], "", "line")
                for stage in USUAL
            ]
        return [
            LegendRow(
                f"{k} {stage.name.lower().replace('_', ' ')}", ramp[STAGE_COLOURS[stage]],
                f"{math.hypot(vx, vy):.2f} tiles/s", "line",
            )
            for k, (stage, vx, vy) in enumerate(said, 1)
        ] + [
            LegendRow(stage.name.lower().replace("_", " "), ramp[STAGE_COLOURS[stage]], "of others", "line")
            for stage in sorted(others - {stage for stage, _, _ in said})
        ]  # fmt: skip

    def empty(self, context: LabContext) -> str:
        """Return a message while no shown unit moves, or while stages are not kept."""
        if not context.world.steering.told:
            return "stages are kept for up to a thousand units"
        rows = context.rows(self.scope)
        return "" if np.any(context.world.units.moving[rows] == 1) else "no unit shown moves now"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the speed after each stage of the unit here."""
        r = context.row_at(Scope.ALL, x, y)
        if r < 0 or not context.world.units.moving[r]:
            return ""
        return ", ".join(f"{s.name.lower()} {math.hypot(vx, vy):.2f}" for s, vx, vy in stages_of(context, r))


SECONDS = 0.8
"""Seconds of motion that each arrow shows."""


def _arrow(surface: pygame.Surface, a: tuple[int, int], b: tuple[int, int], colour: tuple, rim: tuple) -> None:
    pygame.draw.line(surface, rim, a, b, 5)
    pygame.draw.line(surface, colour, a, b, 3)
    angle = math.atan2(b[1] - a[1], b[0] - a[0])
    points = [b] + [(b[0] - math.cos(angle + s) * 9, b[1] - math.sin(angle + s) * 9) for s in (0.5, -0.5)]
    pygame.draw.polygon(surface, colour, points)
