"""Guard dogs from above, drawn from shapes and reduced in size.

The pictures are kept by zoom and direction. The silhouette tells a dog from a soldier; the blanket on its back has the
colour of its side.
"""

from __future__ import annotations

import math
from collections import OrderedDict

import numpy as np
import pygame

from game.view.painting.camera import Camera
from game.view.painting.palette import RGB, Palette, mix
from game.view.painting.unit_picture import Picture
from game.view.units.figures import FAR_ZOOM, direction_of

OVER = 4
"""Factor by which a picture is drawn larger before it is reduced."""
TILES = 2.0
"""Side of a cell in tiles."""
KEPT = 400


class DogPainter:
    """Draws dogs and keeps their pictures.

    A subclass draws other units by another list of shapes (:meth:`shapes`).
    """

    flag = "blanket"
    """Shape that has the colour of its side."""

    def __init__(self, palette: Palette) -> None:
        self.palette = palette
        self._made: OrderedDict[tuple[int, int, str, int, bool], pygame.Surface] = OrderedDict()

    def draw(
        self, surface: pygame.Surface, camera: Camera, p: Picture, rows: np.ndarray, alpha: float, rim: bool = False
    ) -> None:
        """Draw the given rows of the picture, which are dogs.

        At small zooms units are marks, which are drawn elsewhere.
        """
        if camera.zoom <= FAR_ZOOM:
            return
        x, y, facing = p.between(alpha)
        for r in rows[np.argsort(p.alive[rows], kind="stable")].tolist():
            pose = "lies" if not p.alive[r] or p.asleep[r] else "stands"
            if pose == "stands" and p.moving[r] and p.vx[r] ** 2 + p.vy[r] ** 2 > 0.01:
                pose = f"runs{int(p.gait[r] * 4) % 4}"
            picture = self.picture(camera.zoom, int(p.side[r]), pose, direction_of(float(facing[r])), rim)
            surface.blit(picture, picture.get_rect(center=camera.to_screen(float(x[r]), float(y[r]))))

    def picture(self, zoom: int, side: int, pose: str, direction: int, rim: bool) -> pygame.Surface:
        """Return the picture of a dog.

        ``direction`` is in sixteenths of a turn clockwise from +x.
        """
        key = (zoom, side, pose, direction, rim)
        if key not in self._made:
            self._made[key] = self._draw(*key)
            if len(self._made) > KEPT:
                self._made.popitem(last=False)
        self._made.move_to_end(key)
        return self._made[key]

    def _draw(self, zoom: int, side: int, pose: str, direction: int, rim: bool) -> pygame.Surface:
        unit = zoom * OVER
        size = round(TILES * unit)
        angle = direction * math.tau / 16
        big = pygame.Surface((size, size), pygame.SRCALPHA)
        ink, coat = self.palette["ink"], self.palette["leather"]
        blanket, tones = self.palette.sides[side % len(self.palette.sides)].colour, self.tones()
        shapes = self.shapes(pose)

        def put(offset: tuple[float, float], grow: float, colour: RGB | None, alpha: int = 255) -> None:
            for name, ahead, aside, long, wide in shapes:
                tone = colour or {self.flag: blanket, **tones}.get(name, coat)
                cx = size / 2 + (ahead * math.cos(angle) - aside * math.sin(angle)) * unit + offset[0] * unit
                cy = size / 2 + (ahead * math.sin(angle) + aside * math.cos(angle)) * unit + offset[1] * unit
                _oval(
                    big,
                    (cx, cy),
                    (long / 2 + grow) * unit,
                    (wide / 2 + grow) * unit,
                    angle,
                    (*tone, alpha),
                    self.square(name),
                )

        put((0.07, 0.09), 0.02, self.palette["shadow"], 95)
        if rim:
            put((0.0, 0.0), 0.085, self.palette["rim"])
        put((0.0, 0.0), 0.045, ink)
        put((0.0, 0.0), 0.0, None)
        small = pygame.transform.smoothscale(big, (round(TILES * zoom), round(TILES * zoom)))
        return small

    def tones(self) -> dict[str, RGB]:
        """Return the colours of shapes that differ from the coat."""
        return {"ear": mix(self.palette["leather"], self.palette["ink"], 0.45)}

    def square(self, name: str) -> bool:
        """Return whether a shape has corners."""
        return False

    def shapes(self, pose: str) -> list[tuple[str, float, float, float, float]]:
        """Return (name, ahead, aside, length, width) of a dog's ovals, the lowest first.

        The lengths are in tiles.
        """
        step = {"runs0": 0.10, "runs1": 0.0, "runs2": -0.10, "runs3": 0.0}.get(pose, 0.0)
        legs = [
            ("leg", 0.20 + step, -0.15, 0.20, 0.10), ("leg", 0.20 - step, 0.15, 0.20, 0.10),
            ("leg", -0.24 - step, -0.15, 0.20, 0.11), ("leg", -0.24 + step, 0.15, 0.20, 0.11),
        ]  # fmt: skip
        if pose == "lies":
            legs = [("leg", 0.22, -0.24, 0.12, 0.24), ("leg", -0.2, -0.25, 0.12, 0.26)]
        tail = [("tail", -0.52, 0.06 if step >= 0 else -0.06, 0.30, 0.08)]
        body = [("body", -0.02, 0.0, 0.78, 0.32), ("blanket", -0.06, 0.0, 0.36, 0.30)]
        head = [("neck", 0.34, 0.0, 0.24, 0.22), ("ear", 0.42, -0.12, 0.13, 0.09), ("ear", 0.42, 0.12, 0.13, 0.09)]
        return [*legs, *tail, *body, *head, ("head", 0.47, 0.0, 0.24, 0.20), ("snout", 0.60, 0.0, 0.18, 0.11)]


def _oval(
    surface: pygame.Surface, centre: tuple[float, float], a: float, b: float, angle: float, colour: tuple[int, ...],
    square: bool = False,
) -> None:  # fmt: skip
    """Draw a filled ellipse, or a box with soft corners.

    Its half axes are ``a`` along and ``b`` across ``angle``.
    """
    t = np.linspace(0, math.tau, 28, endpoint=False)
    power = 0.3 if square else 1.0
    x = a * np.sign(np.cos(t)) * np.abs(np.cos(t)) ** power
    y = b * np.sign(np.sin(t)) * np.abs(np.sin(t)) ** power
    c, s = math.cos(angle), math.sin(angle)
    points = np.column_stack([centre[0] + x * c - y * s, centre[1] + x * s + y * c])
    pygame.draw.polygon(surface, colour, points.tolist())
