"""Overlay of scenes in zones: seats by role, timeline, reason of the end."""

from __future__ import annotations

import pygame

from ai.decision.smart_zones.scene_script import CATEGORIES, Category, SceneScript
from game.view.overlays.overlay import NUMBERS_FROM, Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.painting.camera import Camera
from game.view.painting.palette import RGB
from game.view.units.order_marks import dashed
from game.world.groups.scene_zones import Zone

COLOURS = {Category.MAIN: 4, Category.SUPPORTING: 2, Category.EXTRA: 6}
"""Category colours of the seats."""
SEAT = 7
"""Radius of a seat in interface pixels."""
LINE = 18
"""Height of a line of the caption in interface pixels."""
RECENT = 400
"""Ticks for which the reason of the last end is shown."""
PAD = 5


def strip_of(script: SceneScript, zone: Zone) -> list[tuple[str, bool]]:
    """Return the columns of a timeline, and whether each is played now."""
    return [(column.name, k == zone.state.column) for k, column in enumerate(script.columns)]


@overlay
class ScenesOverlay(Overlay):
    """Scenes of zones: roles, seats, timeline, and why a scene ended."""

    name, title, channel, scope = "scenes", "Scenes", Channel.MARK, Scope.ALL
    question = "Which scene does each zone play, and with which cast?"

    def _colour(self, context: LabContext, category: int) -> RGB:
        colour: RGB = context.palette.ramps["okabe_ito"][COLOURS[Category(category)]]
        return colour

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw every zone on the screen.

        A seat is a ring, filled when a unit holds it; a line joins it to its unit.
        """
        screen = surface.get_rect().inflate(200, 200)
        for zone in context.world.scenes.zones:
            corners = [camera.to_screen(x, y) for x, y in zone.points]
            xs, ys = [x for x, _ in corners], [y for _, y in corners]
            box = pygame.Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
            if not screen.colliderect(box):
                continue
            script = context.world.scenes.script(zone)
            line = context.palette.ramps["okabe_ito"][1]
            dashed(surface, [*corners, corners[0]], line, context.palette["rim"], 2, 9, 6)
            self._seats(surface, camera, context, zone, script, alpha)
            self._caption(surface, context, zone, script, box)

    def _seats(
        self, surface: pygame.Surface, camera: Camera, context: LabContext, zone: Zone, script: SceneScript,
        alpha: float,
    ) -> None:  # fmt: skip
        palette, p = context.palette, context.playing.picture
        x, y, _ = p.between(alpha)
        radius = max(context.text.px(SEAT) * min(camera.zoom, 32) // 32, 3)
        held = {(a.role, a.seat): a for a in zone.state.cast}
        for k, role in enumerate(script.roles):
            colour = self._colour(context, role.category)
            for seat, (dx, dy) in enumerate(role.seats):
                at = camera.to_screen(int(zone.x + dx) + 0.5, int(zone.y + dy) + 0.5)
                context.labels.reserve(pygame.Rect(at[0] - radius, at[1] - radius, 2 * radius, 2 * radius))
                actor = held.get((k, seat))
                row = p.row_of.get(actor.unit, -1) if actor is not None else -1
                if actor is None:
                    pygame.draw.circle(surface, palette["rim"], at, radius, 3)
                    pygame.draw.circle(surface, colour, at, radius, 1)
                elif row >= 0 and row in self._visible(context):
                    to = camera.to_screen(float(x[row]), float(y[row]))
                    pygame.draw.line(surface, palette["rim"], at, to, 4)
                    pygame.draw.line(surface, colour, at, to, 2)
                    pygame.draw.circle(surface, palette["rim"], at, radius + 1)
                    pygame.draw.circle(surface, colour, at, radius)
                    if camera.zoom >= NUMBERS_FROM:
                        words = f"{role.name}: {context.world.scenes.words_of(zone, actor)}"
                        below = camera.zoom * 5 // 8
                        context.labels.put(surface, context.text, words, to, below, palette["ink"], palette["rim"])

    def _visible(self, context: LabContext) -> set[int]:
        return set(context.rows(Scope.ALL).tolist())

    def _caption(
        self, surface: pygame.Surface, context: LabContext, zone: Zone, script: SceneScript, box: pygame.Rect
    ) -> None:
        """Draw title, timeline and the reason of the last end above the zone."""
        palette, text = context.palette, context.text
        line, pad = text.px(LINE), text.px(PAD)
        title = f"{script.title}" + (f", round {zone.state.round + 1}" if zone.state.running else ": idle")
        lines = [title]
        why = self.reason(context, zone)
        if why:
            lines.append(why)
        strip = strip_of(script, zone) if zone.state.running else []
        widths = [text.size("sans", 14, words)[0] + 2 * pad for words, _ in strip]
        width = max(max(text.size("sans_bold", 14, words)[0] for words in lines) + 2 * pad, sum(widths) + pad)
        height = line * (len(lines) + bool(strip)) + pad
        place = pygame.Rect(box.x, box.y - height - 2, width, height).clamp(surface.get_rect())
        context.labels.reserve(place)
        pygame.draw.rect(surface, palette["rim"], place)
        pygame.draw.rect(surface, palette["ink"], place, 1)
        y = place.y + pad // 2
        for k, words in enumerate(lines):
            text.draw(surface, (place.x + pad, y), words, palette["ink"], "sans_bold" if not k else "sans", 14)
            y += line
        x = place.x + pad
        for (words, now), w in zip(strip, widths, strict=True):
            cell = pygame.Rect(x, y, w, line)
            if now:
                pygame.draw.rect(surface, palette.ramps["okabe_ito"][1], cell)
            pygame.draw.rect(surface, palette["ink"], cell, 1)
            text.draw(surface, cell.center, words, palette["ink"], "sans", 14, "center")
            x += w

    def reason(self, context: LabContext, zone: Zone) -> str:
        """Return why the last scene ended, for a while after it."""
        state = zone.state
        recent = state.why and not state.running and context.world.tick - state.ended < RECENT
        return f"ended: {state.why}" if recent else ""

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the colours of the seats, and how many are held."""
        rows = []
        for category, name in enumerate(CATEGORIES):
            held = seats = 0
            for zone in context.world.scenes.zones:
                roles = context.world.scenes.script(zone).roles
                seats += sum(len(role.seats) for role in roles if role.category == category)
                held += sum(roles[a.role].category == category for a in zone.state.cast)
            rows.append(LegendRow(f"{name} role", self._colour(context, category), f"{held} of {seats} seats", "ring"))
        now = LegendRow("column that is played", context.palette.ramps["okabe_ito"][1])
        return [*rows, now]

    def empty(self, context: LabContext) -> str:
        """Return that the level has no zone."""
        return "" if context.world.scenes.zones else "the level has no zone with a scene"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return role and behaviour of the unit here, else the zone's log."""
        row = context.row_at(Scope.ALL, x, y)
        scenes = context.world.scenes
        part = scenes.role_of(int(context.playing.picture.id[row])) if row >= 0 else None
        if part is not None:
            zone, actor = part
            return f"{scenes.script(zone).roles[actor.role].name}: {scenes.words_of(zone, actor)}"
        for zone in scenes.zones:
            xs, ys = [p[0] for p in zone.points], [p[1] for p in zone.points]
            if min(xs) <= x <= max(xs) and min(ys) <= y <= max(ys):
                return "; ".join(f"{tick / 20:.0f} s {text}" for tick, text in zone.state.log[-3:])
        return ""
