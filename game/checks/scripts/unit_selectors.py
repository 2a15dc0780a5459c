"""Unit selectors: names of units in scripts and expectations.

Examples: "raiders", "group:1", "ann", ["guard 3", "id:7"].
"""

from __future__ import annotations

import numpy as np

from game.level.model import SIDES
from game.world.world import World

Selector = str | int | list[str | int]


def select(world: World, selector: Selector) -> list[int]:
    """Return ids of the named units, living or dead, ascending.

    ValueError when a name matches no unit. Words: ``all``; a side (``raiders``, ``guards``, ``yellow``,
    ``white``); ``group:N`` (control group at the start, of the raiders); ``kind:NAME``; ``route:NAME``; ``id:N``
    or a bare number; ``A-B`` after ``id:`` for a range; ``region:NAME`` for units inside it now (an empty region
    is no error); otherwise a unit's name.
    """
    if isinstance(selector, list):
        return sorted({unit for part in selector for unit in select(world, part)})
    u, n = world.units, world.units.count
    if isinstance(selector, int):
        selector = f"id:{selector}"
    word, _, rest = selector.partition(":")
    if word == "region" and rest:
        return _inside(world, rest)
    ids = [int(i) for i in u.id[:n]]
    if selector == "all":
        found = ids
    elif selector in SIDES:
        found = [i for i in ids if u.side[u.slot_of[i]] == SIDES.index(selector)]
    elif word == "group":
        found = [i for i in ids if u.side[u.slot_of[i]] == 0 and str(int(u.group[u.slot_of[i]])) == rest]
    elif word == "kind":
        found = [i for i in ids if world.types[int(u.kind[u.slot_of[i]])].name == rest]
    elif word == "route":
        found = [i for i in ids if world.routes_of.get(i) == rest]
    elif word == "id":
        first, _, last = rest.partition("-")
        if first.isdecimal() and (last or first).isdecimal():
            found = [i for i in ids if int(first) <= i <= int(last or first)]
        else:
            found = []
    else:
        found = [i for i, name in world.names.items() if name.lower() == selector.lower()]
    if not found:
        raise ValueError(
            f"no unit is meant by {selector!r}: use all, a side, group:N, kind:NAME, route:NAME, id:N, region:NAME"
            " or a unit's name"
        )
    return sorted(found)


def _inside(world: World, name: str) -> list[int]:
    region = world.region(name)
    if region is None:
        raise ValueError(f"there is no region {name!r} in {world.level_name}")
    u, n = world.units, world.units.count
    xs, ys = zip(*region.points, strict=True)
    near = (u.x[:n] >= min(xs)) & (u.x[:n] <= max(xs)) & (u.y[:n] >= min(ys)) & (u.y[:n] <= max(ys))
    slots = [s for s in np.flatnonzero(near).tolist() if region.contains(float(u.x[s]), float(u.y[s]))]
    return sorted(u.id[slots].tolist())
