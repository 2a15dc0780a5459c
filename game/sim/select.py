"""Unit selectors: how scripts and expectations name units ("raiders", "group:1", "ann", ["guard 3", "id:7"])."""

from __future__ import annotations

from game.level.model import SIDES
from game.world.world import World

Selector = str | int | list[str | int]


def select(world: World, selector: Selector) -> list[int]:
    """Ids of the units meant, living or dead, ascending.  Raises ValueError when a name means nobody.

    Words: ``all``; a side (``raiders``, ``guards``, ``yellow``, ``white``); ``group:N`` (control group at the start,
    of the raiders); ``kind:NAME``; ``route:NAME``; ``id:N`` or a bare number; ``A-B`` after ``id:`` for a range;
    otherwise a unit's name.
    """
    if isinstance(selector, list):
        return sorted({unit for part in selector for unit in select(world, part)})
    u, n = world.units, world.units.count
    ids = [int(i) for i in u.id[:n]]
    if isinstance(selector, int):
        selector = f"id:{selector}"
    word, _, rest = selector.partition(":")
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
        low, high = int(first), int(last or first)
        found = [i for i in ids if low <= i <= high]
    else:
        found = [i for i, name in world.names.items() if name.lower() == selector.lower()]
    if not found:
        raise ValueError(
            f"no unit is meant by {selector!r}: use all, a side, group:N, kind:NAME, route:NAME, id:N or a unit's name"
        )
    return sorted(found)
