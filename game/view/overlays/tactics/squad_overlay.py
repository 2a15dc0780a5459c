"""Squad overlay: roles, manoeuvre, steps of its plan, messages, chain of command."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pygame

from ai.decision.execution.execution_dag import PlanStep, StepState, depths
from ai.squad.command.in_trays import COMMANDER, CommandMessage
from ai.squad.emergent.mental_picture import Act
from ai.squad.manoeuvres.manoeuvre import MemberTask
from game.minds.squad.chain_of_command import place_of
from game.minds.squad.intents import INTENTS
from game.minds.squad.member_roles import cover_rows, element_of, manoeuvre_words, phase_words, role_of, steps_of
from game.view.overlays.overlay import NUMBERS_FROM, Channel, LabContext, LegendRow, Overlay, Scope, overlay
from game.view.overlays.pencil import cased
from game.view.painting.camera import Camera
from game.view.painting.palette import RGB
from game.view.units.order_marks import dashed
from game.world.groups.command_posts import CommandPost
from game.world.groups.squads import Squad
from game.world.world import World

Place = tuple[float, float]
CALL_TICKS = 12
"""Ticks that the envelope of a call between members is shown."""
STEP_COLOURS = {
    StepState.WAITING: "rim", StepState.READY: "yellow", StepState.RUNNING: "blue", StepState.DONE: "ink",
    StepState.FAILED: "vermilion",
}  # fmt: skip
"""Colour of a step's box by its set."""
LINE, PAD = 17, 6
"""Height of a line of a caption, and its margin, in interface pixels."""


def squads_shown(context: LabContext) -> list[Squad]:
    """Return the squads of the shown side, or of all with the fog lifted.

    If members are selected, only their squads are returned.
    """
    squads: list[Squad] = [
        squad for _, squad in sorted(context.world.squads.rows.items())
        if context.lifted or squad.side == context.playing.side
    ]  # fmt: skip
    chosen = [squad for squad in squads if not set(context.selected).isdisjoint(squad.members)]
    return chosen or squads


def calls_of(squad: Squad, tick: int) -> list[tuple[int, int, float]]:
    """Return the calls heard just now: (speaker, hearer, share of the flight).

    Speaker and hearer are rows. Members of an emergent squad announce their moves.
    """
    pictures = squad.task.pictures if squad.task is not None else None
    if pictures is None:
        return reports_of(squad, tick)
    age = tick - pictures.sent
    heard = (pictures.act == Act.MOVE) & (pictures.sent >= 0) & (age < CALL_TICKS) & ~np.eye(len(age), dtype=bool)
    return [(int(j), int(i), float(age[i, j]) / CALL_TICKS) for i, j in np.argwhere(heard)]


def reports_of(squad: Squad, tick: int) -> list[tuple[int, int, float]]:
    """Return the reports of failed steps under way: (reporter, leader, share of the flight)."""
    task = squad.task
    late = [one for one in task.dag.failures if 0 <= tick - one.tick < CALL_TICKS] if task and task.dag else []
    if task is None or not late:
        return []
    rows = np.flatnonzero(task.team == (0 if late[-1].step in ("pin", "fix") else 1))
    return [(int(rows[-1]), 0, (tick - late[-1].tick) / CALL_TICKS)] if len(rows) and rows[-1] else []


def flights_of(
    world: World, post: CommandPost, squads: list[Squad]
) -> list[tuple[CommandMessage, Place, Place, float]]:
    """Return the messages under way of a post, each with its ends.

    The last value is the share of its flight, 0 to 1."""
    links = [(squad, squad.chain) for squad in squads if squad.chain is not None and squad.chain.post == post.id]
    known = {squad.id for squad, _ in links}
    rows = [(m, (m.x, m.y), place_of(world, post, COMMANDER)) for m in post.tray if m.sender in known]
    rows += [
        (m, place_of(world, post, COMMANDER), place_of(world, post, squad.id))
        for squad, chain in links if chain is not None
        for m in chain.tray
    ]  # fmt: skip
    return [
        (m, a, b, min(max((world.tick - m.sent) / max(m.due - m.sent, 1), 0.0), 1.0)) for m, a, b in rows
    ]  # fmt: skip


@overlay
class SquadsOverlay(Overlay):
    """Squads: roles, manoeuvre, stage, deadline, messages and chain of command."""

    name, title, channel, scope = "squads", "Squads", Channel.LINE, Scope.SIDE
    question = "Which manoeuvre does each squad carry out, and who covers whom?"
    like = "minds"

    def draw(self, surface: pygame.Surface, camera: Camera, context: LabContext, alpha: float) -> None:
        """Draw the route, each member's run, lines of cover, envelopes and a caption."""
        squads = squads_shown(context)
        for squad in squads:
            self._squad(surface, camera, context, squad, alpha)
        for post in context.world.squads.posts.values():
            if context.lifted or post.side == context.playing.side:
                self._chain(surface, camera, context, post, squads)

    def _colour(self, context: LabContext, element: int) -> RGB:
        colour: RGB = context.palette.ramps["okabe_ito"][1 if element else 0]
        return colour

    def _at(self, context: LabContext, squad: Squad, alpha: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return x, y of the members, and which of them live."""
        p = context.playing.picture
        x, y, _ = p.between(alpha)
        rows = np.array([p.row_of.get(unit, -1) for unit in squad.members])
        alive = (rows >= 0) & (p.alive[rows] == 1)
        return x[rows], y[rows], alive

    def _squad(self, surface: pygame.Surface, camera: Camera, context: LabContext, squad: Squad, alpha: float) -> None:
        palette, task = context.palette, squad.task
        x, y, alive = self._at(context, squad, alpha)
        living = np.flatnonzero(alive)
        if not len(living):
            return
        pixels = [camera.to_screen(float(a), float(b)) for a, b in zip(x, y, strict=True)]
        if task is not None:
            route = [camera.to_screen(a, b) for a, b in task.route.tolist()]
            dashed(surface, route, self._colour(context, 1), palette["rim"], 3, 4, 6)
            for a, b in cover_rows(task, x, y, alive):
                dashed(surface, [pixels[a], pixels[b]], palette["ink"], palette["rim"], 1, 2, 6)
            for row in living.tolist():
                colour = self._colour(context, element_of(task, row))
                if task.task[row] != MemberTask.COVER:
                    goal = camera.to_screen(*task.goal[row].tolist())
                    cased(surface, context, [pixels[row], goal], colour, 2)
                    pygame.draw.circle(surface, colour, goal, max(camera.zoom // 6, 3))
                self._ring(surface, context, pixels[row], colour, camera.zoom)
                if camera.zoom >= NUMBERS_FROM:
                    clear = camera.zoom * 5 // 8
                    context.labels.put(
                        surface, context.text, role_of(task, row), pixels[row], clear, palette["ink"], palette["rim"]
                    )
            for speaker, hearer, share in calls_of(squad, context.world.tick):
                if alive[speaker] and alive[hearer]:
                    self._envelope(surface, context, pixels[speaker], pixels[hearer], share)
        self._caption(surface, context, squad, pixels[int(living[0])], camera.zoom)

    def _ring(self, surface: pygame.Surface, context: LabContext, at: tuple[int, int], colour: RGB, zoom: int) -> None:
        radius = max(zoom // 2, 5)
        pygame.draw.circle(surface, context.palette["rim"], at, radius + 1, 4)
        pygame.draw.circle(surface, colour, at, radius, 2)

    def _caption(
        self, surface: pygame.Surface, context: LabContext, squad: Squad, at: tuple[int, int], zoom: int
    ) -> None:
        """Write name, manoeuvre, stage and deadline beside the leader."""
        palette, text = context.palette, context.text
        lines = caption_of(squad, context.world.tick)
        line, pad = text.px(LINE), text.px(PAD)
        width = max(text.size("sans_bold" if not k else "sans", 14, words)[0] for k, words in enumerate(lines))
        steps = steps_of(squad.task) if squad.task is not None else ()
        height = line * (len(lines) + (2 if steps else 0))  # two rows of steps: a team each
        box = context.labels.place((width + 2 * pad, height + pad), at, zoom, surface.get_clip())
        if box is None:
            return
        pygame.draw.rect(surface, palette["rim"], box)
        pygame.draw.rect(surface, palette["ink"], box, 1)
        for k, words in enumerate(lines):
            place = box.x + pad, box.y + pad // 2 + k * line
            text.draw(surface, place, words, palette["ink"], "sans_bold" if not k else "sans", 14)
        self._steps(surface, context, steps, (box.x + pad, box.y + pad // 2 + len(lines) * line))

    def _steps(
        self, surface: pygame.Surface, context: LabContext, steps: Sequence[tuple[PlanStep, StepState]],
        corner: tuple[int, int],
    ) -> None:  # fmt: skip
        """Draw the graph of a plan: a row a team, a column a depth."""
        palette, side = context.palette, context.text.px(12)
        column = depths([step for step, _ in steps])
        actors = sorted({step.actor for step, _ in steps})
        boxes = {}
        for step, _ in steps:
            x = corner[0] + column[step.name] * (side + context.text.px(6))
            y = corner[1] + actors.index(step.actor) * context.text.px(LINE)
            boxes[step.name] = pygame.Rect(x, y, side, side)
        for step, _ in steps:
            for before in step.after:
                pygame.draw.line(surface, palette["ink"], boxes[before].midright, boxes[step.name].midleft, 1)
        for step, state in steps:
            pygame.draw.rect(surface, palette[STEP_COLOURS[state]], boxes[step.name])
            pygame.draw.rect(surface, palette["ink"], boxes[step.name], 1)

    def _chain(
        self, surface: pygame.Surface, camera: Camera, context: LabContext, post: CommandPost, squads: list[Squad]
    ) -> None:
        """Draw a line from the commander to each squad, and the messages under way."""
        palette, world = context.palette, context.world
        p = context.playing.picture
        centre = camera.to_screen(*place_of(world, post, COMMANDER))
        for squad in squads:
            leader = next((unit for unit in squad.members if unit in p.living_ids), -1)
            if squad.chain is None or squad.chain.post != post.id or leader < 0:
                continue
            row = p.row_of[leader]
            end = camera.to_screen(float(p.x[row]), float(p.y[row]))
            dashed(surface, [centre, end], palette["ink"], palette["rim"], 1, 9, 5)
        if post.vacant < 0:
            x, y = centre[0], centre[1] - camera.zoom
            size = max(camera.zoom // 3, 5)
            turns = [(k * math.pi / 5 - math.pi / 2, size if k % 2 == 0 else 0.45 * size) for k in range(10)]
            star = [(x + math.cos(turn) * far, y + math.sin(turn) * far) for turn, far in turns]
            pygame.draw.polygon(surface, palette["yellow"], star)
            pygame.draw.polygon(surface, palette["ink"], star, 1)
        for message, a, b, share in flights_of(world, post, squads):
            at = self._envelope(surface, context, camera.to_screen(*a), camera.to_screen(*b), share)
            context.labels.put(surface, context.text, message.kind, at, 12, palette["ink"], palette["rim"])

    def _envelope(
        self, surface: pygame.Surface, context: LabContext, a: tuple[int, int], b: tuple[int, int], share: float
    ) -> tuple[int, int]:
        """Draw an envelope on its way from a to b; return its pixel."""
        palette = context.palette
        x, y = round(a[0] + (b[0] - a[0]) * share), round(a[1] + (b[1] - a[1]) * share)
        box = pygame.Rect(0, 0, context.text.px(16), context.text.px(11))
        box.center = x, y
        pygame.draw.rect(surface, palette["white"], box)
        pygame.draw.lines(surface, palette["ink"], False, [box.topleft, box.center, box.topright], 1)
        pygame.draw.rect(surface, palette["ink"], box, 1)
        return x, y

    def legend(self, context: LabContext) -> list[LegendRow]:
        """Return the colours of the elements, and the messages under way."""
        palette, world = context.palette, context.world
        squads = squads_shown(context)
        posts = [post for post in world.squads.posts.values() if context.lifted or post.side == context.playing.side]
        flying = sum(len(flights_of(world, post, squads)) for post in posts)
        flying += sum(len(calls_of(squad, world.tick)) for squad in squads)
        return [
            LegendRow("fires or covers", self._colour(context, 0), "", "ring"),
            LegendRow("runs, flanks or assaults", self._colour(context, 1), "", "ring"),
            LegendRow("covers the unit at its end", palette["ink"], "", "dash"),
            LegendRow("envelope: message", palette["white"], f"{flying} now"),
            *(
                LegendRow(f"box: step {state.name.lower()}", palette[colour], "")
                for state, colour in (STEP_COLOURS.items() if any(s.task and s.task.dag for s in squads) else ())
            ),
            LegendRow("star: commander", palette["yellow"], f"{len(posts)} shown"),
        ]

    def empty(self, context: LabContext) -> str:
        """Return why nothing is shown."""
        if squads_shown(context):
            return ""
        foreign = "; lift the fog to see the others" if context.world.squads.rows else ""
        return f"this side has formed no squad{foreign}"

    def value_at(self, context: LabContext, x: float, y: float) -> str:
        """Return role and cover of the member here."""
        row = context.row_at(Scope.ALL, x, y)
        unit = int(context.playing.picture.id[row]) if row >= 0 else -1
        for squad in squads_shown(context):
            if unit not in squad.members:
                continue
            k = squad.members.index(unit)
            if squad.task is None:
                return f"{squad.name}: {phase_words(squad)}"
            xs, ys, alive = self._at(context, squad, 1.0)
            pairs = dict(cover_rows(squad.task, xs, ys, alive))
            whom = f" {context.world.name_of(squad.members[pairs[k]])}" if k in pairs else ""
            return f"{squad.name}: {role_of(squad.task, k)}{whom}"
        return ""


def caption_of(squad: Squad, tick: int) -> list[str]:
    """Return the lines of a squad's caption: manoeuvre, stage, deadline."""
    task = squad.task
    if task is None:
        return [f"{squad.name}: no manoeuvre", phase_words(squad)]
    words = INTENTS[squad.intent].words if squad.intent in INTENTS else "no order"
    left = max(task.deadline - tick, 0) / 20
    return [
        f"{squad.name}: {manoeuvre_words(task.kind)}", f"{phase_words(squad)}, {left:.0f} s to its deadline",
        f"order: {words}",
    ]  # fmt: skip
