"""Diffusion: conserved, tight at walls, symmetric, and equal to plain loops."""

import numpy as np
import pytest

from ai.influence.diffusion import clear_seen, diffuse, place, predicted


def _slow(values: np.ndarray, ground: np.ndarray, share: float) -> np.ndarray:
    out = np.where(ground, values, 0.0)
    height, width = values.shape
    for y in range(height):
        for x in range(width):
            if not ground[y, x]:
                continue
            for dy in (-1, 0, 1):
                for dx in (-1, 0, 1):
                    ny, nx = y + dy, x + dx
                    if (not dy and not dx) or not (0 <= ny < height and 0 <= nx < width) or not ground[ny, nx]:
                        continue
                    if dy and dx and not (ground[y, nx] and ground[ny, x]):
                        continue
                    out[ny, nx] += values[y, x] * share / 8
                    out[y, x] -= values[y, x] * share / 8
    return out


def test_it_equals_plain_loops_and_keeps_the_total() -> None:
    rng = np.random.default_rng(2)
    ground, values = rng.random((14, 17)) > 0.25, rng.random((14, 17))
    values[~ground] = 0.0
    made = diffuse(values, ground, 0.6)
    assert np.allclose(made, _slow(values, ground, 0.6))
    total = values.sum()
    assert predicted(values, ground, 60).sum() == pytest.approx(total, abs=1e-9)
    assert (made[~ground] == 0).all() and diffuse(values, ground, 0.6, decay=0.5).sum() == pytest.approx(total / 2)


def test_no_wall_leaks_and_a_door_lets_through() -> None:
    ground = np.ones((9, 11), bool)
    ground[:, 5] = False
    values = np.zeros(ground.shape)
    place(values, 4, 2)
    assert predicted(values, ground, 100)[:, 6:].sum() == 0.0
    ground[4, 5] = True
    assert predicted(values, ground, 100)[:, 6:].sum() > 0.05


def test_a_symmetric_map_gives_a_symmetric_field_and_seen_tiles_are_cleared() -> None:
    ground, values = np.ones((11, 11), bool), np.zeros((11, 11))
    place(values, 5, 5, 4.0)
    made = predicted(values, ground, 7)
    assert np.allclose(made, made[::-1]) and np.allclose(made, made[:, ::-1]) and np.allclose(made, made.T)
    seen = np.zeros(ground.shape, bool)
    seen[:, :6] = True
    clear_seen(made, seen, total=4.0)
    assert made[:, :6].sum() == 0 and made.sum() == pytest.approx(4.0)
    with pytest.raises(ValueError, match="share"):
        diffuse(values, ground, 1.5)
