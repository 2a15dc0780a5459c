"""Quality of a place for hiding or for a view.

Cover is measured by sampled attacks, view by lengths of rays, and visibility by visible tiles.

Source: Ian Millington and John Funge, AI for Games, 6.1.3 (cover quality, visibility quality) and 6.2.3 (visibility
map). The constants of the listing are our choice; attacks come from places where an attacker in the same area could
stand. Places are tiles ``int32[n, 2]`` of (y, x); qualities lie in 0..1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ai.core.rand import Stream, uniform
from ai.perception.sight.line_of_sight import lines_clear
from ai.perception.sight.shadowcast import SightBits, field_of_view, window

RADIUS = 6.0
"""Distance, in tiles, from which attacks are tried."""
JITTER = 1.0
ANGLE = 0.45
"""Radians from one attack to the next.

``JITTER < RADIUS * sin(ANGLE)``, and the angle does not divide the circle.
"""
BODY = 0.3
"""Half a body's width, in tiles: attacks never aim at one exact point."""


def cover_quality(
    opaque: NDArray[np.uint8],
    places: NDArray[np.int32],
    standing: NDArray[np.bool_],
    samples: int = 48,
    area: NDArray[np.int32] | None = None,
    seed: int = 0,
) -> NDArray[np.float64]:
    """Return the share of attacks that fail, ``float64[n]``.

    It is 1 where no attacker could stand. ``standing: bool[H, W]`` are the tiles where an attacker can stand. With
    ``area: int32[H, W]`` only attackers of the place's own area count, so that the walls of a corridor do not count as
    cover.
    """
    height, width = opaque.shape
    n = len(places)
    # The same jitter for every place: the attacker's position, and the part of the body.
    dice = np.array([[_triangle(seed, k, c) for c in range(4)] for k in range(samples)])
    theta = ANGLE * np.arange(samples)
    dx = RADIUS * np.cos(theta) + JITTER * dice[:, 0]
    dy = RADIUS * np.sin(theta) + JITTER * dice[:, 1]
    fx = np.floor(places[:, 1, None] + 0.5 + dx).astype(np.int32)
    fy = np.floor(places[:, 0, None] + 0.5 + dy).astype(np.int32)
    valid = (fx >= 0) & (fy >= 0) & (fx < width) & (fy < height)
    cy, cx = np.clip(fy, 0, height - 1), np.clip(fx, 0, width - 1)
    valid &= standing[cy, cx]
    if area is not None:
        valid &= area[cy, cx] == area[places[:, 0], places[:, 1]][:, None]
    ty = np.floor(places[:, 0, None] + 0.5 + 2 * BODY * dice[:, 2]).astype(np.int32)
    tx = np.floor(places[:, 1, None] + 0.5 + 2 * BODY * dice[:, 3]).astype(np.int32)
    # No part of a body is inside a wall.
    ty, tx = np.clip(ty, 0, height - 1), np.clip(tx, 0, width - 1)
    inside = opaque[ty, tx] != 0
    ty, tx = np.where(inside, places[:, 0, None], ty), np.where(inside, places[:, 1, None], tx)
    starts = np.stack([fy[valid], fx[valid]], 1)
    ends = np.stack([ty[valid], tx[valid]], 1).astype(np.int32)
    blocked = np.zeros((n, samples))
    blocked[valid] = ~lines_clear(opaque, starts, ends).astype(bool)
    count = valid.sum(axis=1)
    return np.asarray(np.where(count > 0, blocked.sum(axis=1) / np.maximum(count, 1), 1.0))


def _triangle(seed: int, sample: int, axis: int) -> float:
    """Return a binomial number in (-1, 1): the difference of two dice."""
    return uniform(seed, Stream.WANDER, sample, axis, 0) - uniform(seed, Stream.WANDER, sample, axis, 1)


def visibility_quality(
    opaque: NDArray[np.uint8], places: NDArray[np.int32], reach: int = 12, rays: int = 32
) -> NDArray[np.float64]:
    """Return the mean ray length over ``reach`` tiles, ``float64[n]``.

    The rays leave each place at regular angles.
    """
    height, width = opaque.shape
    angles = 2 * np.pi * np.arange(rays) / rays
    left = np.ones((len(places), rays), bool)
    length = np.zeros((len(places), rays))
    for step in range(1, 4 * reach + 1):
        far = step / 4
        x = np.floor(places[:, 1, None] + 0.5 + far * np.cos(angles)).astype(np.int64)
        y = np.floor(places[:, 0, None] + 0.5 + far * np.sin(angles)).astype(np.int64)
        inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
        left &= inside & (opaque[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)] == 0)
        length[left] = far
    return np.asarray(length.mean(axis=1) / reach)


def views(bits: SightBits, opaque: NDArray[np.uint8], places: NDArray[np.int32], reach: int = 12) -> NDArray[np.int64]:
    """Return how many open tiles each place sees within ``reach``, ``int64[n]``.

    Sight is symmetric, so this is also the number of tiles that see it.
    """
    rows = field_of_view(bits, places[:, 0].copy(), places[:, 1].copy(), reach)
    seen = window(rows)
    steps = np.arange(-reach, reach + 1)
    padded = np.pad(opaque != 0, reach, constant_values=True)
    y, x = places[:, 0, None, None] + reach + steps[:, None], places[:, 1, None, None] + reach + steps[None, :]
    return np.asarray((seen & ~padded[y, x]).sum(axis=(1, 2)))


TECHNIQUES = (
    {
        "slug": "cover-quality",
        "name": "Cover quality and exposure of a place",
        "ids": ("AFG6.1.12", "AFG6.1.13", "AFG6.2.9"),
        "source": "AI for Games, 6.1 and 6.2",
        "functions": ("cover_quality", "visibility_quality"),
        "test": "tests/ai/tactics/test_place_quality.py",
        "exhibit": "levels/exhibits/stealth/shelter.toml",
        "overlay": "cover_quality",
        "setting": "minds.quality",
        "measure": "walked",
        "reason": "The distance walked shows that the runs differ; the technique promises no shorter or longer walk.",
        "claim": (
            "Jitter is the same for all places, attacks have no heights, and views are counted by shadowcasting. "
            "Guards that fall back count attackers of other rooms, so walls of a corridor are cover."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
