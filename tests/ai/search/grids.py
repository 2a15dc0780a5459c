"""Oracles for searches: Dijkstra by scipy, and legality by the grid rules.

They do not use the kernels.
"""

import itertools
import math
import os
from pathlib import Path

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import dijkstra

STEPS = [(-1, 0), (0, 1), (1, 0), (0, -1), (-1, 1), (1, 1), (1, -1), (-1, -1)]


def legal_step(open_tiles: np.ndarray, a: tuple[int, int], b: tuple[int, int]) -> bool:
    """Return whether one octile move between open tiles is legal.

    It cuts no corner; its start tile may be shut.
    """
    dy, dx = b[0] - a[0], b[1] - a[1]
    if max(abs(dy), abs(dx)) != 1 or not open_tiles[b]:
        return False
    return dy == 0 or dx == 0 or bool(open_tiles[a[0] + dy, a[1]] and open_tiles[a[0], a[1] + dx])


def path_cost(open_tiles: np.ndarray, cost: np.ndarray, path: np.ndarray) -> float:
    """Return the cost of a path in tiles; fail on an illegal step."""
    total = 0.0
    tiles = [(int(y), int(x)) for y, x in path]
    for a, b in itertools.pairwise(tiles):
        assert legal_step(open_tiles, a, b), f"illegal step {a} -> {b}"
        total += (int(cost[a]) + int(cost[b])) / 16 * math.dist(a, b)
    return total


def graph(open_tiles: np.ndarray, cost: np.ndarray) -> coo_matrix:
    """The whole octile graph as a sparse matrix."""
    height, width = open_tiles.shape
    rows, columns, weights = [], [], []
    padded = np.zeros((height + 2, width + 2), bool)
    padded[1:-1, 1:-1] = open_tiles
    price = np.zeros((height + 2, width + 2))
    price[1:-1, 1:-1] = cost
    ys, xs = np.nonzero(padded)
    for dy, dx in STEPS:
        ok = padded[ys + dy, xs + dx] & padded[ys + dy, xs] & padded[ys, xs + dx]
        y, x = ys[ok], xs[ok]
        rows.append((y - 1) * width + x - 1)
        columns.append((y + dy - 1) * width + x + dx - 1)
        weights.append((price[y, x] + price[y + dy, x + dx]) / 16 * math.hypot(dy, dx))
    joined = [np.concatenate(part) for part in (rows, columns, weights)]
    return coo_matrix((joined[2], (joined[0], joined[1])), shape=(height * width,) * 2).tocsr()


def distances(open_tiles: np.ndarray, cost: np.ndarray, start: tuple[int, int]) -> np.ndarray:
    """Return the cost from ``start`` to every tile, float64[height, width].

    It is infinite when there is no path.
    """
    flat = dijkstra(graph(open_tiles, cost), indices=start[0] * open_tiles.shape[1] + start[1])
    return flat.reshape(open_tiles.shape)


def rooms(rng: np.random.Generator, height: int, width: int) -> np.ndarray:
    """Random ground with structure: blobs, walls with gaps, or noise."""
    kind = rng.integers(3)
    if kind == 0:
        return rng.random((height, width)) < rng.uniform(0.55, 0.95)
    ground = np.ones((height, width), bool)
    for _ in range(int(rng.integers(2, 12))):
        y, x = int(rng.integers(height)), int(rng.integers(width))
        if kind == 1:
            ground[y : y + int(rng.integers(1, 9)), x : x + int(rng.integers(1, 9))] = False
        elif rng.random() < 0.5:
            ground[y] = rng.random(width) < 0.15
        else:
            ground[:, x] = rng.random(height) < 0.15
    return ground


def costs(rng: np.random.Generator, height: int, width: int) -> np.ndarray:
    """Random terrain costs: even, in large patches, or any number on any tile."""
    kind = rng.integers(3)
    if kind == 0:
        return np.full((height, width), 8, np.uint8)
    if kind == 1:
        patches = rng.choice([6, 8, 8, 12, 40], (height // 6 + 1, width // 6 + 1))
        return np.kron(patches, np.ones((6, 6), int))[:height, :width].astype(np.uint8)
    return rng.integers(1, 256, (height, width)).astype(np.uint8)


def benchmark_folder() -> Path | None:
    """The MovingAI maps that FOGLINE_MAPS names, if any."""
    folder = os.environ.get("FOGLINE_MAPS")
    return Path(folder) if folder else None
