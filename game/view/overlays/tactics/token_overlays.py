"""Overlay of tokens: holders of roles and of tokens of assault in each squad."""

from __future__ import annotations

import math

import pygame

from game.view.overlays.overlay import Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.painting.camera import Camera
from game.world.world import World


@overlay
class SquadTokens(Overlay):
    """Marks of the member that must shoot, and of those that may assault."""

    name, title, channel, scope = "squad_tokens", "Tokens of squads", Channel.MARK, Scope.ALL
    question = "Which member holds which role or token?"

    def _rows(self, world: World) -> list[tuple[int, str]]:
        """Return unit and role or token of each holder."""
        rows = []
        for _, squad in sorted(world.squads.rows.items()):
            rows += [(unit, role) for role, unit in sorted(squad.roles.holders.items())]
            rows += [(unit, "assault") for unit in sorted(squad.assaults.taken)]
        return [row for row in rows if world.units.alive[world.units.slot(row[0])]]

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw squares round shooters and triangles above members that may assault."""
        u, palette = context.world.units, context.palette
        size = max(camera.zoom // 2, 6)
        for unit, role in self._rows(context.world):
            slot = u.slot(unit)
            x, y = camera.to_screen(float(u.x[slot]), float(u.y[slot]))
            if role == "assault":
                top = y - 2 * size
                corners = [(x - size // 2, top), (x + size // 2, top), (x, top + size)]
                pygame.draw.polygon(surface, palette["vermilion"], corners)
                pygame.draw.polygon(surface, palette["ink"], corners, 1)
            else:
                pygame.draw.rect(surface, palette["blue"], (x - size, y - size, 2 * size, 2 * size), 3)

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the marks."""
        palette = context.palette
        return [
            LegendRow("has to shoot, so that one always does", palette["blue"], "role"),
            LegendRow("may assault now", palette["vermilion"], "token"),
        ]

    def empty(self, context: LabContext) -> str:
        """Return why nothing is marked."""
        settings = context.world.settings.tactics
        if not settings.one_shooter and not settings.assault_tokens:
            return "roles and tokens of squads are switched off"
        return "" if self._rows(context.world) else "no member of a squad holds a role or token now"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return role or token of the unit under the cursor."""
        u = context.world.units
        for unit, role in self._rows(context.world):
            slot = u.slot(unit)
            if math.hypot(float(u.x[slot]) - x, float(u.y[slot]) - y) < 0.6:
                return f"{unit} holds {role}"
        return ""
