"""Overlay of a unit's goal queue when a door must be opened first."""

from __future__ import annotations

import itertools

import pygame

from ai.decision.goal_queue import Goal, GoalKind
from game.view.overlays.overlay import Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.painting.camera import Camera
from game.view.units.order_marks import dashed
from game.world.places import Door, DoorErrand

NOW, LATER = 4, 1
"""Category colours of the current goal and of the later goals."""
BADGE = 10
"""Radius of a goal's number in interface pixels."""


def errands_of(context: LabContext) -> list[DoorErrand]:
    """Return the door errands of the selected units.

    If none of them has one, the errands of the whole side are returned.
    """
    errands = [e for e in context.world.door_errands if e.order.side == context.playing.side or context.lifted]
    chosen = [e for e in errands if set(e.units) & set(context.selected)]
    return chosen or errands


def queue_of(errand: DoorErrand) -> list[Goal]:
    """Return goals in the order in which they are reached.

    The current goal is first, the ordered place is last.  A goal that has made subgoals is reached with
    the last of them.  It gets an entry of its own only as the goal of the errand whose next subgoals do not exist yet.
    """
    goals, expanded = errand.goals.goals, errand.goals.expanded
    inner = [goal for goal, made in zip(goals[1:], expanded[1:], strict=True) if not made or goal is goals[-1]]
    return [*reversed(inner), *goals[:1]]


def place_of(context: LabContext, goal: Goal) -> tuple[float, float]:
    """Return the position of a goal on the map in tiles."""
    world = context.world
    if goal.kind == GoalKind.WORK:
        thing = world.prop(goal.about) or world.door(goal.about)
    elif goal.kind in (GoalKind.FOLLOW, GoalKind.PASS_DOOR):
        thing = world.door(goal.about)
    else:
        thing = None
    if thing is None:
        row, column = divmod(goal.node, world.terrain.width)
        return column + 0.5, row + 0.5
    x, y = thing.centre if isinstance(thing, Door) else (thing.x, thing.y)
    return float(x), float(y)


def words_of(context: LabContext, errand: DoorErrand, goal: Goal) -> str:
    """Return the words for a goal."""
    world = context.world
    if goal is errand.goals.goals[0]:
        return "ordered place: not planned yet"
    if goal.kind == GoalKind.WORK:
        thing = world.prop(goal.about) or world.door(goal.about)
        name = (thing.name or thing.kind) if thing is not None else "switch"
        return f"{world.name_of(errand.porter)}: {name}" if errand.porter >= 0 else f"work the {name}"
    door = world.door(goal.about) if goal.kind in (GoalKind.FOLLOW, GoalKind.PASS_DOOR) else None
    if door is not None:
        return f"through the {door.name or door.kind}"
    return "in front of the door"


@overlay
class Goals(Overlay):
    """Goal queue with lazy expansion: doors and switches as goals (4.5)."""

    name, title, channel, scope = "goals", "Goal queue", Channel.LINE, Scope.SELECTED
    question = "Which goal comes first, and which goals follow?"

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw lines from goal to goal with their numbers, starting at the unit."""
        palette, text = context.palette, context.text
        now, later = palette.ramps["okabe_ito"][NOW], palette.ramps["okabe_ito"][LATER]
        x, y, _ = context.playing.picture.between(alpha)
        for errand in errands_of(context):
            queue = queue_of(errand)
            points = [camera.to_screen(*place_of(context, goal)) for goal in queue]
            row = context.playing.picture.row_of.get(errand.porter, -1)
            if row >= 0 and points:
                start = camera.to_screen(float(x[row]), float(y[row]))
                pygame.draw.line(surface, palette["rim"], start, points[0], 6)
                pygame.draw.line(surface, now, start, points[0], 3)
            for a, b in itertools.pairwise(points):
                dashed(surface, [a, b], later, palette["rim"], 2, 9, 6)
            self._frame_doors(surface, camera, context, errand)
            radius = text.px(BADGE)
            for k in reversed(range(len(points))):
                colour = now if k == 0 else later
                at = points[k]
                context.labels.reserve(pygame.Rect(at[0] - radius, at[1] - radius, 2 * radius, 2 * radius))
                pygame.draw.circle(surface, palette["rim"], at, radius + 2)
                pygame.draw.circle(surface, palette["white"], at, radius)
                pygame.draw.circle(surface, colour, at, radius, 3)
                text.draw(surface, at, str(k + 1), palette["ink"], "sans_bold", 15, "center")

    def _frame_doors(self, surface: pygame.Surface, camera: Camera, context: LabContext, errand: DoorErrand) -> None:
        """Frame the door to pass: the goal that has these subgoals."""
        palette = context.palette
        for goal in errand.goals.goals:
            door = context.world.door(goal.about) if goal.kind == GoalKind.PASS_DOOR else None
            if door is not None:
                a, b = camera.to_screen(door.x0 - 0.2, door.y0 - 0.2), camera.to_screen(door.x1 + 0.2, door.y1 + 0.2)
                box = pygame.Rect(*a, b[0] - a[0], b[1] - a[1])
                pygame.draw.rect(surface, palette["rim"], box.inflate(2, 2), 4)
                pygame.draw.rect(surface, palette.ramps["okabe_ito"][LATER], box, 2)

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the present queue in words."""
        palette = context.palette
        now, later = palette.ramps["okabe_ito"][NOW], palette.ramps["okabe_ito"][LATER]
        errands = errands_of(context)
        if not errands:
            return [LegendRow("current goal", now, "", "line"), LegendRow("later goal", later, "", "dash")]
        rows = [
            LegendRow(
                f"{k + 1} {words_of(context, errands[0], goal)}", later if k else now, "", "dash" if k else "line"
            )
            for k, goal in enumerate(queue_of(errands[0]))
        ]
        return [*rows, LegendRow(f"{errands[0].goals.made} goals made so far", palette["ink"], "", "solid")]

    def empty(self, context: LabContext) -> str:
        """Return the reason for an empty overlay: no shut door is in the way."""
        return "" if errands_of(context) else "no unit has a door to open on its path"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return the words of the goal whose number is here."""
        for errand in errands_of(context):
            for k, goal in enumerate(queue_of(errand)):
                gx, gy = place_of(context, goal)
                if (gx - x) ** 2 + (gy - y) ** 2 < 0.6:
                    return f"{k + 1}: {words_of(context, errand, goal)}"
        return ""
