"""Squad card: manoeuvre, stage and news of the player's squads, and roles on portraits."""

from __future__ import annotations

import numpy as np
import pygame

from game.minds.squad.member_roles import element_of, manoeuvre_words, phase_words, role_of
from game.minds.squad.squad_mind import SETS_OUT
from game.minds.squad.squad_voice import place_words
from game.systems.noise import in_earshot
from game.view.hud.hud_values import HudState, clock_words
from game.view.painting.palette import Palette
from game.view.painting.paper_panels import Panels
from game.view.painting.text import TextDrawer
from game.view.window.playing import Playing
from game.world.events import Happening

LINES = 3
"""Messages on the card."""
FRESH_TICKS = 160
"""Ticks for which a message shows the card without a selection: 8 s."""
WIDTH, HEAD, LINE = 300, 50, 19
"""Interface pixels: the card's width, its head, and a message."""


def note_squads(state: HudState, happenings: list[Happening], playing: Playing) -> None:
    """Add messages of the player's squads, and enemies seen or heard to set out."""
    for fact in happenings:
        row = playing.picture.row_of.get(fact.unit)
        if fact.kind == "bark" and fact.text == SETS_OUT and _hears(playing, fact):
            state.news.append((playing.world.tick, f"Heard {bearing_words(playing, fact)}: they go round"))
        if fact.kind != "manoeuvre" or row is None or not fact.text:
            continue
        if int(playing.picture.side[row]) == playing.side:
            state.news.append((playing.world.tick, f"Squad {fact.text}"))
        elif " to (" in fact.text and playing.world.sight.sees(playing.side, int(fact.y), int(fact.x)):
            kind = fact.text.partition(": ")[2].partition(" to (")[0]
            state.news.append((playing.world.tick, f"Enemy squad seen: {kind}"))
    del state.news[:-LINES]


def _hears(playing: Playing, fact: Happening) -> bool:
    """Return whether an enemy's shout is heard by the player's side."""
    row = playing.picture.row_of.get(fact.unit)
    enemy = row is not None and int(playing.picture.side[row]) != playing.side
    return enemy and in_earshot(playing.world, playing.side, fact.x, fact.y)


def bearing_words(playing: Playing, fact: Happening) -> str:
    """Return words for the place of an event, from the player's nearest unit."""
    u = playing.world.units
    slots = u.living(playing.side)
    k = slots[int(np.argmin(np.hypot(u.x[slots] - fact.x, u.y[slots] - fact.y)))]
    return place_words(playing.world, fact.x, fact.y, (float(u.x[k]), float(u.y[k])))


def fill_squad(state: HudState, playing: Playing, selected: tuple[int, ...]) -> None:
    """Write the manoeuvre of the first selected unit's squad, and the roles of portraits."""
    world = playing.world
    state.squad, state.roles = ("", ""), {}
    state.news = [(tick, words) for tick, words in state.news if tick <= world.tick]
    if state.news and world.tick - state.news[-1][0] < FRESH_TICKS:
        state.squad = "Squads report", ""
    if not world.squads.rows or not selected:
        return
    first = world.squads.of(selected[0])
    if first is not None and first.side == playing.side:
        kind = manoeuvre_words(first.task.kind) if first.task is not None else "no manoeuvre"
        state.squad = f"Squad {first.name}: {kind}", phase_words(first)
    for unit, *_ in state.portraits:
        squad = world.squads.of(unit)
        if squad is not None and squad.task is not None and squad.side == playing.side:
            row = squad.members.index(unit)
            state.roles[unit] = role_of(squad.task, row), element_of(squad.task, row)


def rows_shown(state: HudState) -> int:
    """Return the rows of the card, 0 without a selected squad or fresh news."""
    return 1 + len(state.news) if state.squad[0] else 0


def squad_rect(objective: pygame.Rect, placing: pygame.Rect, scale: float, rows: int) -> pygame.Rect:
    """Return the box of the card, below the objective and the sandbox's panel."""
    above = placing if placing.width else objective
    width, height = round(WIDTH * scale), round((HEAD + (rows - 1) * LINE + 4) * scale)
    return pygame.Rect(objective.x, above.bottom + round(10 * scale), width, height)


def draw_squad(surface: pygame.Surface, rect: pygame.Rect, text: TextDrawer, panels: Panels, state: HudState) -> None:
    """Draw the manoeuvre, its stage, and the latest messages, the newest last."""
    panels.draw(surface, rect)
    left, room = rect.x + text.px(12), rect.width - text.px(24)
    title, stage = state.squad
    text.draw(surface, (left, rect.y + text.px(4)), text.shortened("serif_bold", 18, title, room), panels.ink,
              "serif_bold", 18)  # fmt: skip
    text.draw(surface, (left, rect.y + text.px(26)), text.shortened("sans", 15, stage, room), panels.soft, "sans", 15)
    for k, (tick, words) in enumerate(state.news[-LINES:]):
        line = text.shortened("sans", 14, f"{clock_words(tick)}  {words}", room)
        text.draw(surface, (left, rect.y + text.px(HEAD + k * LINE)), line, panels.ink, "sans", 14)


def draw_role(
    surface: pygame.Surface, cell: pygame.Rect, text: TextDrawer, palette: Palette, role: tuple[str, int], chip: bool
) -> None:
    """Draw a member's role on its portrait; on a chip only the element's colour."""
    word, element = role
    strip = pygame.Rect(cell.x, cell.y, cell.width, text.px(5 if chip else 17))
    pygame.draw.rect(surface, palette.ramps["okabe_ito"][1 if element else 0], strip)
    if not chip:
        fitted = text.shortened("sans_bold", 14, word, cell.width)
        text.draw(surface, strip.center, fitted, palette["ink"], "sans_bold", 14, "center")
