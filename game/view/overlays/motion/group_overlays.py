"""Overlays of groups: slots of the members, and the group entity."""

from __future__ import annotations

import math

import numpy as np
import pygame

from ai.formation.group_entity import (
    G_ALONG,
    G_DEPTH,
    G_ERROR,
    G_HALF,
    G_HEADING,
    G_MID_X,
    G_MID_Y,
    G_SAID,
    G_SPEED,
    G_VX,
    G_VY,
    G_X,
    G_Y,
    T_BROKEN,
    T_COUNT,
    T_STAGE,
    T_STATE,
    Broken,
    GroupState,
)
from ai.formation.group_pipeline import GroupStage
from game.systems.groups.formation_preview import play_of_group
from game.view.input.facing_drag import draw_holes, draw_slots
from game.view.overlays.overlay import Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.painting.camera import Camera
from game.view.units.order_marks import dashed
from game.world.groups.drill import PLAY

MOST_UNITS = 400
MOST_GROUPS = 40

STATE_WORDS = {
    GroupState.NONE: "",
    GroupState.FORMING: "forming",
    GroupState.MARCHING: "marching",
    GroupState.SETTLING: "taking slots",
    GroupState.STANDING: "standing",
    GroupState.FIGHTING: "halted to fire",
}
BROKEN_WORDS = {
    Broken.NO: "",
    Broken.CHOKE: "narrow place",
    Broken.COMBAT: "fighting",
    Broken.LOSSES: "losses",
    Broken.WAITING: "another group goes first",
    Broken.PASSING: "gives way",
    Broken.OBSTACLE: "split round an obstacle",
}
ENTITY, COMPANY = 0, 3
"""Indices of the colours of a group and of a company among the categories."""
NUMBERS_FROM_HERE = 16
"""Smallest zoom with words, in pixels a tile.

Words stand beside the boxes, so they need less room than numbers on tiles.
"""


def rows_of(context: LabContext) -> list[int]:
    """Return the rows of the groups of the selected units.

    When no selected unit is in a group, the groups of all shown units are returned.
    """
    world, u = context.world, context.world.units
    rows = context.rows(Scope.SELECTED)
    chosen = {int(b) for b in u.band[rows[rows < len(u.band)]].tolist() if b >= 0}
    if not chosen:
        shown = context.rows(Scope.ALL)
        chosen = {int(b) for b in u.band[shown[shown < len(u.band)]].tolist() if b >= 0}
    return sorted(row for row in chosen if row in world.groups.rows)[:MOST_GROUPS]


def words_of(context: LabContext, row: int) -> str:
    """Return the state of a group, and the reason when its shape is broken."""
    tag = context.world.groups.tag[row]
    state, broken = STATE_WORDS[GroupState(int(tag[T_STATE]))], BROKEN_WORDS[Broken(int(tag[T_BROKEN]))]
    if context.world.groups.rows[row].awaits >= 0:
        broken = "its path is searched"
    return f"{state}: {broken}" if broken else state


def _plays(context: LabContext) -> list[int]:
    groups = context.world.groups
    return [row for row in rows_of(context) if groups.rows[row].drill.shape == PLAY]


def kept_for(context: LabContext) -> dict[int, str]:
    """Return unit id -> owner of its reserved slot, for groups in a play."""
    groups, out = context.world.groups, dict[int, str]()
    for row in _plays(context):
        group = groups.rows[row]
        if len(group.members) == len(group.taken):
            _, words = play_of_group(context.world, group, 0.0, 0.0, 0.0)
            out |= dict(zip(group.members.tolist(), words, strict=True))
    return out


def holes_of(context: LabContext, row: int) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return the empty reserved slots of a play, float64[k, 3], and their owners."""
    groups = context.world.groups
    group, num = groups.rows[row], groups.num[row]
    if group.drill.shape != PLAY or group.aimed or len(group.members) != len(group.taken):
        return np.zeros((0, 3)), ()
    ghosts, _ = play_of_group(context.world, group, float(num[G_X]), float(num[G_Y]), float(num[G_HEADING]))
    return ghosts.holes, ghosts.hole_for


@overlay
class SlotsOverlay(Overlay):
    """Slot and facing of each unit, with a line to it (AW 5.6)."""

    name, title, channel, scope = "slots", "Slots", Channel.MARK, Scope.SELECTED
    question = "Where is each unit's slot, and how far away is it?"

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw slots as rings with a nose, and a line to each unit's slot.

        The line is orange when the slot is more than one spacing away.
        """
        world, palette, u = context.world, context.palette, context.world.units
        x, y, _ = context.playing.picture.between(alpha)
        near, far = palette.ramps["okabe_ito"][1], palette.overlay["whisker"]
        bands = set(rows_of(context))
        rows = [
            r for r in context.rows(Scope.ALL).tolist() if r < len(u.band) and int(u.band[r]) in bands
        ][:MOST_UNITS]  # fmt: skip
        slots, reserved = np.zeros((len(rows), 3)), kept_for(context)
        kept = np.array([bool(reserved.get(int(u.id[r]))) for r in rows], bool)
        for i, r in enumerate(rows):
            row = int(u.band[r])
            sx, sy = float(u.slot_x[r]), float(u.slot_y[r])
            off = math.hypot(sx - float(x[r]), sy - float(y[r]))
            slots[i] = sx, sy, world.groups.heading(row) + float(u.slot_a[r])
            if off > 0.25:
                colour = far if off > world.groups.rows[row].drill.spacing else near
                a, b = camera.to_screen(float(x[r]), float(y[r])), camera.to_screen(sx, sy)
                pygame.draw.line(surface, palette["rim"], a, b, 4)
                pygame.draw.line(surface, colour, a, b, 2)
        draw_slots(surface, camera, palette, slots, near, kept)
        for r, reservation in zip(rows, kept.tolist(), strict=True):
            if reservation:
                kind = context.world.types[int(u.kind[r])].name.replace("_", " ")
                self._word(surface, camera, context, float(x[r]), float(y[r]), kind)
        for row in sorted(bands):
            holes, words = holes_of(context, row)
            draw_holes(surface, camera, palette, holes, near)
            for (hx, hy, _), word in zip(holes.tolist(), words, strict=True):
                self._word(surface, camera, context, hx, hy, f"no {word}")

    def _word(
        self, surface: pygame.Surface, camera: Camera, context: LabContext, x: float, y: float, word: str
    ) -> None:
        """Write the owner of a slot, from NUMBERS_FROM_HERE pixels a tile."""
        if camera.zoom < NUMBERS_FROM_HERE:
            return
        palette, clear = context.palette, round(0.6 * camera.zoom)
        context.labels.put(
            surface, context.text, word, camera.to_screen(x, y), clear, palette["ink"], palette["rim"], "sans", 14
        )

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the meaning of slots and lines."""
        palette = context.palette
        return [
            LegendRow("slot and its facing", palette.ramps["okabe_ito"][1], "", "ring"),
            *(
                [LegendRow("framed: reserved; broken: empty", palette.ramps["okabe_ito"][1], "", "ring")]
                if any(context.world.groups.rows[row].drill.shape == PLAY for row in rows_of(context))
                else []
            ),
            LegendRow("distance to the slot", palette.ramps["okabe_ito"][1], "tiles", "line"),
            LegendRow("more than a spacing away", palette.overlay["whisker"], "tiles", "line"),
        ]

    def empty(self, context: LabContext) -> str:
        """Return a message while no shown unit is in a group."""
        return "" if rows_of(context) else "no unit shown is in a group"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the distance of the unit here from its slot."""
        u, p = context.world.units, context.playing.picture
        for r in context.rows(Scope.ALL).tolist():
            if (p.x[r] - x) ** 2 + (p.y[r] - y) ** 2 < 0.6 and r < len(u.band) and u.band[r] >= 0:
                off = math.hypot(float(u.slot_x[r] - p.x[r]), float(u.slot_y[r] - p.y[r]))
                kept = kept_for(context).get(int(p.id[r]), "")
                words = f", reserved for {kept}" if kept else ""
                return f"{context.world.name_of(int(p.id[r]))}: {off:.2f} tiles from its slot{words}"
        for row in rows_of(context):
            holes, whom = holes_of(context, row)
            for (hx, hy, _), word in zip(holes.tolist(), whom, strict=True):
                if (hx - x) ** 2 + (hy - y) ** 2 < 0.4:
                    return f"empty slot, reserved for {word}"
        return ""


@overlay
class GroupEntity(Overlay):
    """Group entity: box, heading, velocity, path and middle of the members (GP2 20)."""

    name, title, channel, scope = "group", "Group entity", Channel.LINE, Scope.SELECTED
    question = "Where is the group itself, and what does it do?"

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw box and heading solid, the path dashed, and the middle as a cross."""
        groups, palette, u = context.world.groups, context.palette, context.world.units
        x, y, _ = context.playing.picture.between(alpha)
        colour, soft = palette.ramps["okabe_ito"][ENTITY], palette["ink"]
        self._draw_companies(surface, camera, context)
        written: list[tuple[str, tuple[int, int], list[tuple[int, int]]]] = []
        for row in rows_of(context):
            num, group = groups.num[row], groups.rows[row]
            if group.path is not None and groups.state(row) != GroupState.STANDING:
                first = max(0, int(num[G_ALONG] / group.path.step))
                points = [camera.to_screen(px, py) for px, py in group.path.points[first:].tolist()]
                dashed(surface, points, colour, palette["rim"], 2, 9, 6)
            corners = box_of(num)
            points = [camera.to_screen(px, py) for px, py in corners]
            pygame.draw.polygon(surface, palette["rim"], points, 5)
            pygame.draw.polygon(surface, colour, points, 2)
            at = camera.to_screen(float(num[G_X]), float(num[G_Y]))
            c, s = math.cos(num[G_HEADING]), math.sin(num[G_HEADING])
            reach = float(num[G_DEPTH]) / 2.0 + 1.2
            nose = camera.to_screen(float(num[G_X]) + c * reach, float(num[G_Y]) + s * reach)
            pygame.draw.line(surface, palette["rim"], at, nose, 5)
            pygame.draw.line(surface, colour, at, nose, 3)
            ahead = camera.to_screen(float(num[G_X] + num[G_VX]), float(num[G_Y] + num[G_VY]))
            pygame.draw.line(surface, soft, at, ahead, 3)
            pygame.draw.circle(surface, palette["rim"], at, 7)
            pygame.draw.circle(surface, colour, at, 5)
            mx, my = camera.to_screen(float(num[G_MID_X]), float(num[G_MID_Y]))
            for dx, dy in ((6, 0), (0, 6)):
                pygame.draw.line(surface, palette["rim"], (mx - dx, my - dy), (mx + dx, my + dy), 5)
                pygame.draw.line(surface, soft, (mx - dx, my - dy), (mx + dx, my + dy), 2)
            words = words_of(context, row)
            if words:
                rows = np.flatnonzero((u.band[: len(x)] == row) & (u.alive[: len(x)] == 1))[:MOST_UNITS]
                men = [camera.to_screen(float(x[r]), float(y[r])) for r in rows.tolist()]
                # The rings of the members' slots may be drawn as well, so words keep clear of them.
                rings = [camera.to_screen(float(u.slot_x[r]), float(u.slot_y[r])) for r in rows.tolist()]
                written.append((words, at, [*points, *men, *rings]))
        # All boxes are drawn before any words, so no box covers the words of another group.
        for words, at, around in written:
            self._word(surface, context, words, at, around)

    @staticmethod
    def _word(
        surface: pygame.Surface,
        context: LabContext,
        words: str,
        middle: tuple[int, int],
        around: list[tuple[int, int]],
    ) -> None:
        """Write the state of a group above its box or close by."""
        text, room, (ink, rim) = context.text, surface.get_clip(), (context.palette["ink"], context.palette["rim"])
        half = text.size("sans_bold", 14, words)[0] // 2 + 4
        x = min(max(middle[0], room.left + half), max(room.left + half, room.right - half))
        y = min(max(min(y for _, y in around) - 22, room.top + 12), room.bottom - 12)
        offers = [(x, y - 9 * k) for k in range(6) if y - 9 * k >= room.top + 12]
        if not any(context.labels.put_there(surface, text, words, offer, ink, rim) for offer in offers):
            clear = max(abs(y - middle[1]) for _, y in around) + 6
            context.labels.put(surface, text, words, middle, clear, ink, rim)

    def _draw_companies(self, surface: pygame.Surface, camera: Camera, context: LabContext) -> None:
        """Draw a ring for each company and lines to its parts."""
        groups, palette = context.world.groups, context.palette
        colour = palette.ramps["okabe_ito"][COMPANY]
        for company in groups.companies:
            if company.row < 0:
                continue
            at = camera.to_screen(float(groups.num[company.row, G_X]), float(groups.num[company.row, G_Y]))
            for number in company.parts:
                row = groups.row_of(number)
                if row >= 0:
                    end = camera.to_screen(float(groups.num[row, G_X]), float(groups.num[row, G_Y]))
                    pygame.draw.line(surface, palette["rim"], at, end, 5)
                    pygame.draw.line(surface, colour, at, end, 3)
            radius = 9 if company.over >= 0 else 13
            pygame.draw.circle(surface, palette["rim"], at, radius + 2)
            pygame.draw.circle(surface, colour, at, radius, 3)

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the meaning of lines and cross."""
        palette = context.palette
        rows = [
            LegendRow("box, heading and path", palette.ramps["okabe_ito"][ENTITY], "tiles", "line"),
            LegendRow("velocity; middle of members", palette["ink"], "tiles/s", "line"),
        ]
        if any(company.row >= 0 for company in context.world.groups.companies):
            rows.append(LegendRow("company and its parts", palette.ramps["okabe_ito"][COMPANY], "groups", "line"))
        return rows

    def empty(self, context: LabContext) -> str:
        """Return a message while no shown unit is in a group."""
        return "" if rows_of(context) else "no unit shown is in a group"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return state, speed and slot error of the group whose box is here."""
        groups = context.world.groups
        for row in rows_of(context):
            num = groups.num[row]
            if (num[G_X] - x) ** 2 + (num[G_Y] - y) ** 2 <= max(num[G_HALF], num[G_DEPTH] / 2, 1.0) ** 2:
                return (
                    f"{int(groups.tag[row, T_COUNT])} {words_of(context, row)}; {num[G_SPEED]:.1f} tiles/s,"
                    f" {num[G_ERROR]:.2f} tiles from their slots{said_of(groups.num[row], groups.tag[row])}"
                )
        return ""


def said_of(num: np.ndarray, tag: np.ndarray) -> str:
    """Return the speed after each stage of a marching group's pipeline."""
    stages = [GroupStage(int(code)) for code in tag[T_STAGE:].tolist() if code]
    if GroupState(int(tag[T_STATE])) != GroupState.MARCHING:
        return ""
    return "; " + ", ".join(f"{stage.name.lower()} {num[G_SAID + k]:.2f}" for k, stage in enumerate(stages))


def box_of(num: np.ndarray) -> list[tuple[float, float]]:
    """Return the corners of a group's box, 0.4 tiles outside its slots."""
    c, s = math.cos(num[G_HEADING]), math.sin(num[G_HEADING])
    half, depth = float(num[G_HALF]) + 0.4, float(num[G_DEPTH]) / 2.0 + 0.4
    return [
        (float(num[G_X]) + f * c - r * s, float(num[G_Y]) + f * s + r * c)
        for f, r in ((depth, -half), (depth, half), (-depth, half), (-depth, -half))
    ]
