"""Barks: short spoken lines of guards, drawn as bubbles in three tiers.

The simulation names a bark by its id. Its lines and its tier are a row of ``assets/data/barks.toml``. The window
chooses the line, so the choice never changes the simulation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pygame
from pydantic import BaseModel, ConfigDict, Field

from game.view.painting.camera import Camera
from game.view.painting.palette import ASSETS, Palette
from game.view.painting.text import TextDrawer
from game.view.units.unit_labels import LabelPlacer
from game.world.unit_types import rows_of

TIERS = ("mutter", "call", "shout")
LIVES_MS = {"mutter": 1800, "call": 2400, "shout": 3200}
LEAST_MS = 400
"""Least time of a bubble in milliseconds.

A shorter one would flicker.
"""
QUIET_MS = 2500
"""Milliseconds in which a unit repeats no bark of this or a lower tier."""
SAME_MS = 4000
"""Milliseconds in which no unit within NEAR tiles repeats the same bark."""
NEAR = 10.0
UNSEEN = "unseen"
"""Mark of a speaker that fights and has lost its enemy from sight."""
MOST = {"mutter": 2, "call": 3, "shout": 3}
"""Largest number of bubbles of each tier at one time."""


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid")
    tier: str = Field(pattern="^(mutter|call|shout)$")
    lines: list[str] = Field(min_length=1)
    over: list[str] = []


@cache
def bark_lines(file: Path = ASSETS / "data" / "barks.toml") -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return tier and lines by bark id; raise ValueError with file, row, key."""
    return {name: (row.tier, tuple(row.lines)) for name, row in rows_of(file, "bark", _Row).items()}


def tier_of(what: str) -> str:
    """Return the tier of a bark; one without a row is a call."""
    return bark_lines().get(what.partition("|")[0], ("call", ()))[0]


@cache
def over_at() -> dict[str, frozenset[str]]:
    """Return the marks of a speaker that make each bark untrue, by bark id.

    A speaker without its enemy in sight (UNSEEN) is alarmed as well.
    """
    rows = rows_of(ASSETS / "data" / "barks.toml", "bark", _Row)
    return {name: frozenset([*row.over, *([UNSEEN] if "alarm" in row.over else [])]) for name, row in rows.items()}


@dataclass
class Bubble:
    """Bark on screen, with its place in tiles and its birth in ms.

    One that was heard from out of sight stays at the place where it was said.
    """

    unit: int
    what: str
    tier: str
    words: str
    x: float
    y: float
    born: int
    heard: bool = False


@dataclass
class Barks:
    """Bubbles on screen, and the barks of the last seconds."""

    bubbles: list[Bubble] = field(default_factory=list)
    _said: int = 0

    def hear(self, unit: int, what: str, x: float, y: float, now: int, heard: bool = False) -> Bubble | None:
        """Add the bubble of a bark; return None when it is suppressed.

        ``heard`` means that a unit of the player hears it, whether or not the speaker is in sight.

        A bark is suppressed by a recent one of the same unit, by the same bark close by, and by a full tier. An id
        without a row is spoken itself, as a call. Words behind a bar fill the lines. ``now`` is in milliseconds.
        """
        what, _, given = what.partition("|")
        tier, lines = bark_lines().get(what, ("call", (what,)))
        loud = TIERS.index(tier)
        for b in self.bubbles:
            age = now - b.born
            if b.unit == unit and age < QUIET_MS and TIERS.index(b.tier) >= loud:
                return None
            if b.what == what and age < SAME_MS and abs(b.x - x) + abs(b.y - y) < NEAR:
                return None
        hanging = [b for b in self.bubbles if b.tier == tier and now - b.born < LIVES_MS[tier]]
        if len(hanging) >= MOST[tier]:
            return None
        # One bubble a unit: a louder bark replaces the last one.
        self.bubbles = [b for b in self.bubbles if b.unit != unit]
        self._said += 1
        made = Bubble(
            unit,
            what,
            tier,
            lines[(unit * 7 + self._said) % len(lines)].replace("{words}", given),
            x,
            y,
            now,
            heard,
        )
        self.bubbles.append(made)
        return made

    def forget_old(self, now: int) -> None:
        """Drop the bubbles that are not shown and suppress no other bark."""
        self.bubbles = [b for b in self.bubbles if now - b.born < max(SAME_MS, LIVES_MS[b.tier])]

    def forget_untrue(self, marks: dict[int, str], now: int) -> None:
        """Hide the bubbles that are not true any more.

        ``marks`` holds the mark of each living speaker by unit id.
        """
        for b in self.bubbles:
            if b.unit not in marks or (now - b.born >= LEAST_MS and marks[b.unit] in over_at().get(b.what, ())):
                # The bubble disappears but still suppresses a repetition.
                b.born = min(b.born, now - LIVES_MS[b.tier])

    def draw(
        self, surface: pygame.Surface, camera: Camera, text: TextDrawer, palette: Palette, labels: LabelPlacer,
        places: dict[int, tuple[float, float]], now: int, clear: Sequence[pygame.Rect] = (),
    ) -> list[pygame.Rect]:  # fmt: skip
        """Draw bubbles above their units, the loudest tier first; return their boxes.

        ``places`` holds the position in tiles of each unit that is shown. A bubble that would overlap a box of
        ``clear`` or a louder bubble is moved up, beside or below its unit. A mutter without room is not drawn.
        """
        shown = [b for b in self.bubbles if now - b.born < LIVES_MS[b.tier] and b.unit in places]
        taken, boxes = list(clear), []
        for b in sorted(shown, key=lambda b: -TIERS.index(b.tier)):
            if b.tier == "mutter" and camera.zoom < 16:
                continue  # a mutter is too small to read at this zoom
            box = _draw_bubble(surface, camera, text, palette, b, places[b.unit], taken)
            if box is not None:
                labels.reserve(box)
                taken.append(box)
                boxes.append(box)
        return boxes


_FACES = {"mutter": ("serif_italic", 15), "call": ("serif_bold", 16), "shout": ("serif_bold", 20)}


def _draw_bubble(
    surface: pygame.Surface, camera: Camera, text: TextDrawer, palette: Palette, bubble: Bubble,
    place: tuple[float, float], clear: Sequence[pygame.Rect],
) -> pygame.Rect | None:  # fmt: skip
    """Draw a bubble in the style of its tier; return its box or None.

    A mutter has a thin edge, a call a thick one. A shout is vermilion with spikes.
    """
    px, py = camera.to_screen(*place)
    shout, mutter = bubble.tier == "shout", bubble.tier == "mutter"
    colour = palette["white"] if shout else palette["ink"]
    line = text.line(*_FACES[bubble.tier], bubble.words, colour)
    rect = line.get_rect().inflate(text.px(18 if shout else 14), text.px(10 if shout else 6))
    # Above the detection meter of the same unit.
    rect.midbottom = (px, py - max(round(camera.zoom * 0.95), 18) - 26)
    rect.clamp_ip(surface.get_rect().inflate(-8, -8))
    spikes = text.px(6) if shout else 0
    window = surface.get_rect().inflate(-8, -8)
    above = _keep_clear(rect, (px, py), max(camera.zoom, 24) + spikes, spikes, window, clear)
    if above is None:
        if mutter:
            return None
        above = True
    paper = palette["vermilion"] if shout else palette["plate"]
    ink = palette["ink"]
    tip = min(max(px, rect.left + 10), rect.right - 10), rect.bottom
    tail = ((tip[0] - 5, tip[1] - 2), (tip[0] + 5, tip[1] - 2), (tip[0], tip[1] + 8))
    if shout:
        points = _burst(rect, spikes)
        pygame.draw.polygon(surface, paper, points)
        pygame.draw.polygon(surface, ink, points, 2)
    else:
        width = 1 if mutter else 2
        pygame.draw.rect(surface, paper, rect, border_radius=9 if mutter else 4)
        pygame.draw.rect(surface, ink, rect, width, border_radius=9 if mutter else 4)
        if not above:
            pass  # a bubble beside or below the unit has no tail
        elif mutter:
            for k, far in ((3, 4), (2, 9)):
                pygame.draw.circle(surface, paper, (tip[0], tip[1] + far), k + 1)
                pygame.draw.circle(surface, ink, (tip[0], tip[1] + far), k + 1, 1)
        else:
            pygame.draw.polygon(surface, paper, tail)
            pygame.draw.lines(surface, ink, False, (tail[0], tail[2], tail[1]), 2)
    surface.blit(line, line.get_rect(center=rect.center))
    return rect.inflate(2 * spikes, 2 * spikes)


def _keep_clear(
    rect: pygame.Rect, head: tuple[int, int], far: int, air: int, window: pygame.Rect, clear: Sequence[pygame.Rect]
) -> bool | None:
    """Move a bubble off the boxes of ``clear``: up, beside or below its unit.

    ``far`` is the distance from ``head`` and ``air`` the margin round the bubble, both in pixels. Return True when the
    bubble is above its unit, False when it is beside or below, None when there is no room.
    """
    x, y = head
    offers = [rect.move(0, -k * (rect.height + 4)) for k in range(3)]
    beside = [rect.copy() for _ in range(3)]
    beside[0].midleft, beside[1].midright, beside[2].midtop = (x + far, y), (x - far, y), (x, y + far)
    for k, offer in enumerate((*offers, *beside)):
        if window.contains(offer) and offer.inflate(2 * air, 2 * air).collidelist(clear) < 0:
            rect.topleft = offer.topleft
            return k < len(offers)
    return None


def _burst(rect: pygame.Rect, spike: int) -> list[tuple[int, int]]:
    """Return the points of an outline with spikes of ``spike`` pixels round a box."""
    points: list[tuple[int, int]] = []
    across, down = max(rect.width // (3 * spike), 3), 2
    step_x, step_y = rect.width / across, rect.height / down
    for k in range(across):
        points += [(round(rect.x + k * step_x), rect.y), (round(rect.x + (k + 0.5) * step_x), rect.y - spike)]
    for k in range(down):
        points += [(rect.right, round(rect.y + k * step_y)), (rect.right + spike, round(rect.y + (k + 0.5) * step_y))]
    for k in range(across):
        x = rect.right - k * step_x
        points += [(round(x), rect.bottom), (round(x - 0.5 * step_x), rect.bottom + spike)]
    for k in range(down):
        y = rect.bottom - k * step_y
        points += [(rect.x, round(y)), (rect.x - spike, round(y - 0.5 * step_y))]
    return points
