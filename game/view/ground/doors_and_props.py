"""Draws props, doors, lamps and the lettering of the map."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import pygame

from game.level.model import Level
from game.view.ground import prop_sprites
from game.view.ground.painted_ground import LIVE_PROPS
from game.view.light.fog import FogMask
from game.view.light.night import LightMap
from game.view.painting.camera import Camera
from game.view.painting.palette import RGB, Palette, palette, rgb
from game.view.painting.text import TextDrawer

RAISED_INSET = 0.35
"""Tiles between the end of a raised drawbridge's tiles and its leaf."""
BAKED_BRIDGE_WIDTH = 2
"""Width of the baked drawbridge in tiles."""
DAY: RGB = (255, 255, 255)
_LETTERS_NIGHT = palette()["rim"]
_CASING_NIGHT = palette()["ink"]


def _known(fog: FogMask | None, x: float, y: float) -> bool:
    if fog is None:
        return True
    height, width = fog.explored.shape
    return bool(fog.explored[min(max(int(y), 0), height - 1), min(max(int(x), 0), width - 1)])


def draw_things(
    surface: pygame.Surface, camera: Camera, world: Any, fog: FogMask | None, palette: Palette, painted: bool,
    light: LightMap | None = None,
) -> None:  # fmt: skip
    """Draw doors and unpainted props on explored tiles.

    A carried prop is drawn by its carrier. At night (``light``) each thing has the light of its position, and lamps
    are drawn at their positions in the level. By day only lamps that were built in play are drawn.
    """
    y0, x0, y1, x1 = camera.visible_tiles(2)
    for door in world.doors:
        cx, cy = door.centre
        if x0 <= cx < x1 and y0 <= cy < y1 and _known(fog, cx, cy):
            _draw_door(surface, camera, door, _hinge(world, door), light.at(cx, cy) if light else DAY)
    for prop in world.props:
        if prop.carrier >= 0 or (painted and prop.kind not in LIVE_PROPS):
            continue
        if x0 <= prop.x < x1 and y0 <= prop.y < y1 and _known(fog, prop.x, prop.y):
            _draw_prop(surface, camera, prop, palette, light.at(prop.x, prop.y) if light else DAY)
    built = world.brushwork.first_id
    by_day = [(s.x, s.y, False) for s in world.lights if s.id >= built] if built and not light else ()
    for x, y, lit in light.lamps if light else by_day:
        if x0 <= x < x1 and y0 <= y < y1 and _known(fog, x, y):
            name = "lamp" if lit else "lamp_off"
            prop_sprites.shadow(name, camera.zoom).blit(surface, *camera.to_screen(x, y))
            prop_sprites.sprite(name, camera.zoom).blit(surface, *camera.to_screen(x, y))


@lru_cache(maxsize=256)
def _lit(picture: pygame.Surface, light: RGB) -> pygame.Surface:
    """Return a copy of a picture, multiplied by the light of its position."""
    out = picture.copy()
    out.fill(light, special_flags=pygame.BLEND_RGB_MULT)
    return out


def _hinge(world: Any, door: Any) -> tuple[int, int]:
    """Return the direction (dx, dy) of the end at which a drawbridge is raised.

    It is the end of its winch, otherwise east or south.
    """
    cx, cy = door.centre
    winch = next((p for p in world.props if p.door and p.door in (door.name, str(door.id))), None)
    if door.x1 - door.x0 >= door.y1 - door.y0:
        return (-1 if winch is not None and winch.x < cx else 1), 0
    return 0, (-1 if winch is not None and winch.y < cy else 1)


def _draw_door(surface: pygame.Surface, camera: Camera, door: Any, hinge: tuple[int, int], light: RGB) -> None:
    """Draw the leaf of a door, turned along the door's tiles.

    A lowered bridge covers its tiles; a raised one is drawn on edge.
    """
    kind = door.kind if door.kind in ("door", "gate", "drawbridge") else "door"
    if kind == "drawbridge" and not door.open:
        _draw_raised(surface, camera, door, hinge, light)
        return
    ax, ay = camera.to_screen(door.x0, door.y0)
    bx, by = camera.to_screen(door.x1, door.y1)
    name = f"{kind}_open" if kind != "drawbridge" and door.open else kind
    picture = _leaf(name, bx - ax, by - ay, camera.zoom)
    picture = picture if light == DAY else _lit(picture, light)
    surface.blit(picture, picture.get_rect(center=((ax + bx) // 2, (ay + by) // 2)))


def _draw_raised(surface: pygame.Surface, camera: Camera, door: Any, hinge: tuple[int, int], light: RGB) -> None:
    """Draw a raised drawbridge.

    Its leaf on edge at the winch's end, with a long shadow.
    """
    cx, cy = door.centre
    x = cx + hinge[0] * ((door.x1 - door.x0) / 2 - RAISED_INSET)
    y = cy + hinge[1] * ((door.y1 - door.y0) / 2 - RAISED_INSET)
    pos = camera.to_screen(x, y)
    turn = {(1, 0): 0, (0, -1): 90, (-1, 0): 180, (0, 1): 270}[hinge]
    share = min(door.x1 - door.x0, door.y1 - door.y0) / BAKED_BRIDGE_WIDTH
    picture = prop_sprites.picture("drawbridge_up", camera.zoom, turn)
    if abs(share - 1) < 0.01:
        prop_sprites.shadow("drawbridge_up", camera.zoom, turn).blit(surface, *pos)
    else:
        picture = pygame.transform.smoothscale_by(picture, share)
    picture = picture if light == DAY else _lit(picture, light)
    surface.blit(picture, picture.get_rect(center=pos))


@lru_cache(maxsize=64)
def _leaf(name: str, width: int, height: int, zoom: int) -> pygame.Surface:
    """Return the picture of a door's leaf, scaled to the door's tiles.

    It lies along x as baked, and is rotated for a door along y. A bridge is scaled to cover its tiles.
    """
    plain = prop_sprites.picture(name, zoom, 0)
    if name == "drawbridge":
        if (width >= height) != (plain.get_width() >= plain.get_height()):
            plain = pygame.transform.rotate(plain, 90)
        return pygame.transform.smoothscale(plain, (max(width, 1), max(height, 1)))
    if height > width:
        plain = pygame.transform.rotate(plain, 90)
    length = max(width, height)
    share = length / max(plain.get_width(), plain.get_height(), 1)
    if abs(share - 1) < 0.1:
        return plain
    size = (max(1, round(plain.get_width() * share)), max(1, round(plain.get_height() * share)))
    return pygame.transform.smoothscale(plain, size)


def _draw_prop(surface: pygame.Surface, camera: Camera, prop: Any, palette: Palette, light: RGB) -> None:
    pos = camera.to_screen(prop.x, prop.y)
    if prop_sprites.known(prop.kind):
        turn = -round(math.degrees(prop.facing) / 5) * 5 % 360
        prop_sprites.shadow(prop.kind, camera.zoom, turn).blit(surface, *pos)
        picture = prop_sprites.picture(prop.kind, camera.zoom, turn)
        picture = picture if light == DAY else _lit(picture, light)
        surface.blit(picture, picture.get_rect(center=pos))
        return
    box = pygame.Rect(0, 0, max(round(prop.width * camera.zoom), 4), max(round(prop.height * camera.zoom), 4))
    box.center = pos
    pygame.draw.rect(surface, palette["plank"], box)
    pygame.draw.rect(surface, palette["ink"], box, 1 if camera.zoom < 24 else 2)


@lru_cache(maxsize=128)
def _lettering(text: str, font: pygame.font.Font, angle: float, colour: RGB, casing: RGB) -> pygame.Surface:
    """Return spaced, rotated letters, partly transparent like faded ink.

    A faint outline separates them from trees and reeds.
    """
    gap = max(font.get_height() // 7, 1)
    around = [(1 + dx, 1 + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
    planes = []
    for shade, offsets, alpha in ((casing, around, 120), (colour, [(1, 1)], 190)):
        letters = [font.render(c, True, shade) for c in text]
        plane = pygame.Surface((sum(s.get_width() + gap for s in letters) + 2, font.get_height() + 2), pygame.SRCALPHA)
        x = 0
        for s in letters:
            plane.fblits([(s, (x + dx, dy)) for dx, dy in offsets])
            x += s.get_width() + gap
        plane.set_alpha(alpha)
        planes.append(plane)
    line = pygame.Surface(planes[0].get_size(), pygame.SRCALPHA)
    line.fill((*casing, 0))
    line.fblits([(plane, (0, 0)) for plane in planes])
    return pygame.transform.rotozoom(line, -math.degrees(angle), 1.0) if angle else line


def draw_lettering(
    surface: pygame.Surface, camera: Camera, level: Level, fog: FogMask | None, text: TextDrawer, night: bool = False
) -> list[pygame.Rect]:
    """Draw the names on the map where the ground is explored; return their boxes.

    Below 16 px a tile they are left out.
    """
    boxes: list[pygame.Rect] = []
    if camera.zoom < 16:
        return boxes
    y0, x0, y1, x1 = camera.visible_tiles(6)
    for note in level.texts:
        if x0 <= note.x < x1 and y0 <= note.y < y1 and _known(fog, note.x, note.y):
            size = max(14, min(round(note.size * camera.zoom * 0.85), 64))
            picture = _lettering(
                note.text,
                text.font("serif_italic", round(size / text.scale)),
                note.angle,
                _LETTERS_NIGHT if night else rgb(note.color),
                _CASING_NIGHT if night else _LETTERS_NIGHT,
            )
            boxes.append(surface.blit(picture, picture.get_rect(center=camera.to_screen(note.x, note.y))))
    return boxes
