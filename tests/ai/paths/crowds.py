"""Crowds of walkers on open maps, for tests of what answers their requests."""

import numpy as np

from tests.ai.paths.walkers import Walkers, walls


def step(world: Walkers) -> None:
    world.think()
    world.walk()


def crowd(mixed: bool, n: int = 60, size: int = 140, **settings: object) -> Walkers:
    """Return ``n`` walkers with goals all over an open map.

    The ``mixed`` map has a wood in it.
    """
    ground = walls(size, 4)
    rng = np.random.default_rng(2)
    world = Walkers.on(ground, [(0, 0)], **{"engine": "auto", **settings})
    label = world.components.label_map(0)
    tiles = np.argwhere(label == np.bincount(label[label > 0]).argmax())
    starts = tiles[rng.choice(len(tiles), n, replace=False)]
    world = Walkers.on(ground, [tuple(s) for s in starts.tolist()], **{"engine": "auto", **settings})
    if mixed:
        world.terrain.edit(20, 30, 60, 90, cost=16)
        world.components.update(world.terrain)
        world.manager.engines.prepare(world.terrain)  # as a level is that is loaded so
    world.order(tiles[rng.choice(len(tiles), n, replace=False)])
    return world
