"""Frame of the explorer: names, counters, brushes, break conditions, knobs, steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pygame

from ai.search.explorer import Break
from game.checks.exhibit_table import Knob
from game.checks.search_lab import BRUSHES, Lane, SearchLab
from game.view.exhibits.knobs import HEIGHT, KnobRow, Value
from game.view.exhibits.search_picture import SearchPainter
from game.view.painting.painter_services import PainterServices
from game.view.painting.palette import mix

WIDTH = 300
MARGIN = 14
TOP = 84
BOTTOM = 56
HEADER = 34
_PAD = 12

ROW = HEIGHT - 2
"""Height of a knob's row: four must fit below the rest at 720 pixels."""

KNOBS = (
    Knob(setting="weight", label="Weight of the estimate", low=0.0, high=5.0, step=0.25),
    Knob(setting="ties", label="Of equal ones first", choices=["near", "far", "old", "new"]),
    Knob(
        setting="estimate",
        label="Estimated cost to the goal",
        choices=["octile", "straight", "manhattan", "none"],
        words=["octile", "line", "L", "none"],
    ),
    Knob(setting="relative", label="A step costs by", choices=[False, True], words=["ground", "climb"]),
)
"""Knobs that the textbook A* reads."""

BRUSH_WORDS = {"wall": "wall", "open": "open", "dear": "x 2", "hill": "x 6"}

BREAK_WORDS = {
    "closed": "tile expanded",
    "opened": "tile opened",
    "goal_seen": "goal seen",
    "cheaper": "tile cheaper",
    "f_above": "f above",
    "open_above": "open above",
}


@dataclass(frozen=True)
class KeyCell:
    """Button of the step row: key cap, words, action, and whether it is chosen."""

    cap: str
    words: str
    action: Callable[[], None]
    on: bool = False


@dataclass(frozen=True)
class Control:
    """Something that can be pressed: its box, words, key cap and what it does."""

    rect: pygame.Rect
    words: str
    action: Callable[[], None]
    on: bool = False
    cap: str = ""


class ExplorerFrame:
    """Lays out and draws all parts of the explorer except the pictures.

    The screen builds ``controls`` again for each frame.
    """

    def __init__(self, app: PainterServices, lab: SearchLab, painter: SearchPainter, single: bool) -> None:
        self.app, self.lab, self.painter, self.single = app, lab, painter, single
        px = app.text.px
        width, height = app.window.get_size()
        area = pygame.Rect(
            px(MARGIN), px(TOP) + px(HEADER), width - px(3 * MARGIN + WIDTH), height - px(TOP + HEADER + BOTTOM + 10)
        )
        gap = px(10)
        if single:
            self.frames = [area]
        else:
            half = (area.width - gap) // 2
            self.frames = [
                pygame.Rect(area.x, area.y, half, area.height),
                pygame.Rect(area.right - half, area.y, half, area.height),
            ]
        self.area = area
        self.left = area.right + px(MARGIN)
        self.side = px(WIDTH)
        y = px(MARGIN)
        self.boxes: dict[str, pygame.Rect] = {}
        for name, high in (("numbers", 227), ("brush", 95), ("breaks", 120), ("knobs", 32 + len(KNOBS) * ROW)):
            self.boxes[name] = pygame.Rect(self.left, y, self.side, px(high))
            y += px(high + 10)
        inner = self.boxes["knobs"]
        self.rows = [
            KnobRow(
                knob,
                pygame.Rect(inner.x + px(_PAD), inner.y + px(24 + i * ROW), inner.width - px(2 * _PAD), px(HEIGHT)),
                app.text.scale,
            )
            for i, knob in enumerate(KNOBS)
        ]
        self.bottom = pygame.Rect(px(MARGIN), height - px(BOTTOM), area.width, px(BOTTOM) - px(MARGIN))

    def header(self, index: int) -> pygame.Rect:
        """Return the strip above a picture."""
        frame, px = self.frames[index], self.app.text.px
        return pygame.Rect(frame.x, frame.y - px(HEADER), frame.width, px(HEADER) - px(4))

    def value_of(self, setting: str) -> Value:
        """Return the value that a knob shows."""
        value: Value = getattr(self.lab.question, setting)
        return value

    # Drawing

    def draw(self, surface: pygame.Surface, controls: list[Control], hints: list[str]) -> None:
        """Draw all panels, then the controls on them."""
        text, panels = self.app.text, self.app.panels
        px = text.px
        title = pygame.Rect(px(MARGIN), px(10), self.area.width, px(TOP - 18))
        panels.draw(surface, title)
        text.draw(
            surface, (title.x + px(14), title.y + px(3)), "What does each search step expand?", panels.ink,
            "serif_bold", 28,
        )  # fmt: skip
        line = "Two searches, one question: drag S and G, paint the ground, step forwards and back."
        text.draw(surface, (title.x + px(14), title.y + px(41)), line, panels.soft, "sans", 15)
        for i in range(len(self.frames)):
            self._draw_header(surface, i)
        self._draw_numbers(surface)
        for name, words in (("brush", "Paint with"), ("breaks", "Break when"), ("knobs", "A* by the book and greedy")):
            rect = self.boxes[name]
            panels.draw(surface, rect)
            text.draw(surface, (rect.x + px(_PAD), rect.y + px(4)), words, panels.ink, "serif_bold", 17)
        for i, words in enumerate(hints[:2]):
            rect = self.boxes["brush"]
            text.draw(surface, (rect.x + px(_PAD), rect.y + px(56 + 17 * i)), words, panels.soft, "sans", 14)
        for row in self.rows:
            row.draw(surface, text, panels, self.app.palette, self.value_of(row.knob.setting), False)
        for control in controls:
            self._draw_control(surface, control)

    def _draw_control(self, surface: pygame.Surface, control: Control) -> None:
        text, panels, rect = self.app.text, self.app.panels, control.rect
        px = text.px
        panels.draw(surface, rect, "chosen" if control.on else "button")
        ink = self.app.palette["white"] if control.on else panels.ink
        if not control.cap:
            text.draw(surface, rect.center, control.words, ink, "sans_bold", 14, "center")
            return
        wide = text.size("sans_bold", 14, control.cap)[0] + px(10)
        cap = pygame.Rect(rect.x + px(5), rect.y + px(5), wide, rect.height - px(10))
        pygame.draw.rect(surface, mix(panels.paper, self.app.palette["mist"], 0.5), cap)
        pygame.draw.rect(surface, panels.ink, cap, 1)
        text.draw(surface, cap.center, control.cap, panels.ink, "sans_bold", 14, "center")
        text.draw(surface, (cap.right + px(6), rect.centery), control.words, ink, "sans_bold", 14, "midleft")

    def _draw_header(self, surface: pygame.Surface, index: int) -> None:
        text, panels, rect = self.app.text, self.app.panels, self.header(index)
        px, lane = text.px, self.lab.lanes[index]
        pygame.draw.rect(surface, panels.paper, rect)
        pygame.draw.rect(surface, panels.ink, rect, 2)
        at = text.draw(
            surface, (rect.x + px(74), rect.centery), lane.name, panels.ink, "serif_bold", 18, "midleft"
        ).right
        words = self.status_of(lane)
        room = rect.right - px(10) - at - px(10)
        if text.size("sans", 14, words)[0] > room:
            words = words.split(";")[0]
        text.draw(surface, (rect.right - px(10), rect.centery), words, panels.soft, "sans", 14, "midright")

    def status_of(self, lane: Lane) -> str:
        """Return the status of a lane in a few words."""
        remark = self.lab.remark(lane)
        if lane.frame is None or lane.explorer is None:
            return remark
        if lane.stopped_by is not None:
            return f"stopped: {BREAK_WORDS[lane.stopped_by.kind]}"
        if lane.frame.ended:
            return "found" if lane.frame.found else "no path"
        return f"{lane.frame.step} of {lane.explorer.total}" + (f"; {remark}" if remark else "")

    def _draw_numbers(self, surface: pygame.Surface) -> None:
        """Draw the counters of both lanes, the smaller one of each pair in blue."""
        text, panels, palette = self.app.text, self.app.panels, self.app.palette
        px, rect = text.px, self.boxes["numbers"]
        panels.draw(surface, rect)
        right = (rect.right - px(96), rect.right - px(_PAD))
        for i, letter in enumerate("AB"):
            text.draw(surface, (right[i], rect.y + px(5)), letter, panels.ink, "serif_bold", 18, "topright")
        step = f"step {self.lab.step} of {self.lab.total}"
        text.draw(surface, (rect.x + px(_PAD), rect.y + px(6)), step, panels.ink, "serif_bold", 17)
        rows = self.numbers()
        for n, (name, values, shown) in enumerate(rows):
            y = rect.y + px(32 + n * 23)
            text.draw(surface, (rect.x + px(_PAD), y), name, panels.soft, "sans", 15)
            known = [v for v in values if v is not None]
            for i, value in enumerate(values):
                best = value is not None and len(known) == 2 and value == min(known) and known[0] != known[1]
                colour = palette["blue"] if best else panels.ink
                text.draw(surface, (right[i], y), shown[i], colour, "sans_bold", 15, "topright")
        y = rect.y + px(32 + len(rows) * 23) + px(2)
        for i, (what, words) in enumerate((("open", "open"), ("closed", "expanded"), ("path", "way"))):
            box = pygame.Rect(rect.x + px(_PAD) + i * px(92), y + px(4), px(14), px(14))
            pygame.draw.rect(surface, self.painter.colour(what), box)
            pygame.draw.rect(surface, panels.ink, box, 1)
            text.draw(surface, (box.right + px(6), y + px(1)), words, panels.ink, "sans", 14)

    def numbers(self) -> list[tuple[str, list[float | None], list[str]]]:
        """Return (name, values of both lanes, the same as words).

        A value is None where a lane has no answer.
        """
        frames = [lane.frame for lane in self.lab.lanes]
        rows: list[tuple[str, list[float | None], list[str]]] = []
        for name, read, form in (
            ("expanded", lambda f: float(f.step), "{:.0f}"),
            ("on the open list", lambda f: float(f.open_size), "{:.0f}"),
            ("f of the last one", lambda f: float(f.f[f.current]) if f.current else 0.0, "{:.2f}"),
            ("path so far, tiles", lambda f: f.length, "{:.2f}"),
            ("its cost", lambda f: f.cost, "{:.2f}"),
        ):
            values = [read(f) if f is not None else None for f in frames]
            rows.append((name, values, [form.format(v) if v is not None else "-" for v in values]))
        units = [f.looked_unit if f is not None else "" for f in frames]
        for i, unit in enumerate(units):
            if unit and unit not in units[:i]:
                mine = [float(f.looked) if f is not None and f.looked_unit == unit else None for f in frames]
                rows.append((unit, mine, [f"{v:.0f}" if v is not None else "" for v in mine]))
        return rows

    def step_controls(self, keys: tuple[KeyCell, ...]) -> list[Control]:
        """Return the step row below the pictures, from the left."""
        px, size, x = self.app.text.px, self.app.text.size, self.bottom.x
        made = []
        for key in keys:
            wide = px(5) + size("sans_bold", 14, key.cap)[0] + px(10) + px(14)
            wide += size("sans_bold", 14, key.words)[0] if key.words else -px(9)
            box = pygame.Rect(x, self.bottom.y + px(8), wide, px(30))
            made.append(Control(box, key.words, key.action, key.on, key.cap))
            x += wide + px(5)
        return made

    def name_controls(self, act: Callable[[int, int], Callable[[], None]]) -> list[Control]:
        """Return two arrows before the name of each lane with a picture."""
        px, made = self.app.text.px, []
        for lane in range(len(self.frames)):
            head = self.header(lane)
            for i, (words, by) in enumerate((("<", -1), (">", 1))):
                box = pygame.Rect(head.x + px(5) + i * px(33), head.y + px(4), px(29), head.height - px(8))
                made.append(Control(box, words, act(lane, by)))
        return made

    def brush_controls(self, chosen: str, choose: Callable[[str], Callable[[], None]]) -> list[Control]:
        """Return a button for each brush."""
        px, rect = self.app.text.px, self.boxes["brush"]
        wide = (rect.width - px(2 * _PAD)) // len(BRUSHES)
        return [
            Control(
                pygame.Rect(rect.x + px(_PAD) + i * wide, rect.y + px(28), wide - px(4), px(24)),
                BRUSH_WORDS[name],
                choose(name),
                name == chosen,
            )
            for i, name in enumerate(BRUSHES)
        ]

    def break_controls(self, toggle: Callable[[str], Callable[[], None]]) -> list[Control]:
        """Return a button for each break condition, with its tile or value."""
        px, rect = self.app.text.px, self.boxes["breaks"]
        wide = (rect.width - px(2 * _PAD)) // 2
        made = []
        for i, (kind, words) in enumerate(BREAK_WORDS.items()):
            row, column = divmod(i, 2)
            box = pygame.Rect(rect.x + px(_PAD) + column * wide, rect.y + px(30 + 29 * row), wide - px(4), px(25))
            held = self.lab.breaks.get(kind)
            made.append(Control(box, words + _of(held), toggle(kind), held is not None))
        return made


def _of(held: Break | None) -> str:
    if held is None or held.kind == "goal_seen":
        return ""
    return f" {held.tile[1]},{held.tile[0]}" if held.tile is not None else f" {held.value:g}"
