"""Props, doors and the lettering of the map."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import pygame

from game.level.model import Level
from game.view.camera import Camera
from game.view.fog import FogMask
from game.view.palette import RGB, Palette, mix, rgb
from game.view.sprites import Sprites
from game.view.text import TextDrawer


def _known(fog: FogMask | None, x: float, y: float) -> bool:
    if fog is None:
        return True
    height, width = fog.explored.shape
    return bool(fog.explored[min(max(int(y), 0), height - 1), min(max(int(x), 0), width - 1)])


def draw_things(
    surface: pygame.Surface, camera: Camera, world: Any, fog: FogMask | None, palette: Palette, sprites: Sprites
) -> None:
    """Doors and props on explored tiles; a carried prop is drawn with its carrier."""
    y0, x0, y1, x1 = camera.visible_tiles(2)
    for door in world.doors:
        cx, cy = door.centre
        if x0 <= cx < x1 and y0 <= cy < y1 and _known(fog, cx, cy):
            _draw_door(surface, camera, door, palette)
    for prop in world.props:
        if prop.carrier < 0 and x0 <= prop.x < x1 and y0 <= prop.y < y1 and _known(fog, prop.x, prop.y):
            name = f"props.{camera.zoom}"
            turn = round(prop.facing * 16 / math.tau) % 16
            if not (
                sprites.has(name) and sprites.blit(surface, camera.to_screen(prop.x, prop.y), name, prop.kind, turn)
            ):
                _draw_prop(surface, camera, prop, palette)


def _draw_door(surface: pygame.Surface, camera: Camera, door: Any, palette: Palette) -> None:
    ax, ay = camera.to_screen(door.x0, door.y0)
    bx, by = camera.to_screen(door.x1, door.y1)
    rect = pygame.Rect(ax, ay, bx - ax, by - ay)
    ink, plank = palette["ink"], palette["plank"]
    if door.kind == "drawbridge":
        if not door.open:
            # Raised: only the leaf's edge at its bank shows.
            edge = pygame.Rect(rect.x, rect.y, max(rect.width // 6, 3), rect.height)
            pygame.draw.rect(surface, plank, edge)
            pygame.draw.rect(surface, ink, edge, 2)
            return
        pygame.draw.rect(surface, plank, rect)
        across = rect.width >= rect.height
        step = max(camera.zoom // 3, 3)
        for k in range(step, rect.width if across else rect.height, step):
            a, b = (
                ((rect.x + k, rect.y), (rect.x + k, rect.bottom))
                if across
                else ((rect.x, rect.y + k), (rect.right, rect.y + k))
            )
            pygame.draw.line(surface, mix(plank, ink, 0.45), a, b)
        pygame.draw.rect(surface, ink, rect, 2)
        return
    tone = mix(plank, palette["gun_wood"], 0.4)
    if door.open:
        thin = max(camera.zoom // 7, 2)
        leaf = (
            pygame.Rect(rect.x, rect.y, thin, rect.height)
            if rect.width >= rect.height
            else pygame.Rect(rect.x, rect.y, rect.width, thin)
        )
    else:
        thin = max(camera.zoom // 4, 3)
        if rect.width >= rect.height:
            leaf = pygame.Rect(rect.x, rect.centery - thin // 2, rect.width, thin)
        else:
            leaf = pygame.Rect(rect.centerx - thin // 2, rect.y, thin, rect.height)
    pygame.draw.rect(surface, tone, leaf)
    pygame.draw.rect(surface, ink, leaf, 1 if camera.zoom < 16 else 2)


def _draw_prop(surface: pygame.Surface, camera: Camera, prop: Any, palette: Palette) -> None:
    x, y = camera.to_screen(prop.x, prop.y)
    z = camera.zoom
    ink = palette["ink"]
    line = 1 if z < 24 else 2
    w, h = max(round(prop.width * z * 0.72), 4), max(round(prop.height * z * 0.6), 4)
    box = pygame.Rect(0, 0, w, h)
    box.center = (x, y)
    shade = box.move(max(z // 12, 1), max(z // 12, 1))
    pygame.draw.rect(surface, mix(palette["shadow"], palette["paper"], 0.35), shade)
    if prop.kind == "chest":
        pygame.draw.rect(surface, palette["leather"], box)
        pygame.draw.rect(surface, palette["yellow"], (box.x, box.centery - max(z // 14, 1), w, max(z // 8, 2)))
        pygame.draw.rect(surface, ink, box, line)
    elif prop.kind in ("barrel", "lamp"):
        colour: RGB = palette["gun_wood"] if prop.kind == "barrel" else palette["lamp"]
        pygame.draw.circle(surface, colour, (x, y), max(z // 3, 2))
        pygame.draw.circle(surface, ink, (x, y), max(z // 3, 2), line)
    else:
        pygame.draw.rect(surface, palette["plank"], box)
        pygame.draw.rect(surface, ink, box, line)
        if prop.kind == "winch":
            pygame.draw.circle(surface, palette["steel"], (x, y), max(z // 4, 2))
            pygame.draw.circle(surface, ink, (x, y), max(z // 4, 2), line)
            pygame.draw.line(surface, ink, (x, y), (x + z // 2, y - z // 6), line)
        else:
            pygame.draw.line(surface, ink, box.topleft, box.bottomright, line)
            pygame.draw.line(surface, ink, box.topright, box.bottomleft, line)


@lru_cache(maxsize=128)
def _lettering(text: str, font: pygame.font.Font, angle: float, colour: RGB) -> pygame.Surface:
    """Spaced letters, turned, soft as old ink."""
    letters = [font.render(c, True, colour) for c in text]
    gap = max(font.get_height() // 7, 1)
    width = sum(s.get_width() + gap for s in letters)
    line = pygame.Surface((max(width, 1), font.get_height()), pygame.SRCALPHA)
    x = 0
    for s in letters:
        line.blit(s, (x, 0))
        x += s.get_width() + gap
    line.set_alpha(165)
    return pygame.transform.rotozoom(line, -math.degrees(angle), 1.0) if angle else line


def draw_lettering(
    surface: pygame.Surface, camera: Camera, level: Level, fog: FogMask | None, text: TextDrawer, palette: Palette
) -> None:
    """Names on the map, from 16 px a tile up, where the ground is known."""
    if camera.zoom < 16:
        return
    y0, x0, y1, x1 = camera.visible_tiles(6)
    for note in level.texts:
        if x0 <= note.x < x1 and y0 <= note.y < y1 and _known(fog, note.x, note.y):
            size = max(14, min(round(note.size * camera.zoom * 0.85), 64))
            picture = _lettering(
                note.text, text.font("serif_italic", round(size / text.scale)), note.angle, rgb(note.color)
            )
            surface.blit(picture, picture.get_rect(center=camera.to_screen(note.x, note.y)))
