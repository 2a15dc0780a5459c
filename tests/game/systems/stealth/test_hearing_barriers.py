"""Barriers of hearing against circles and rooms, counted tile by tile."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from game.systems.noise import rooms
from game.systems.stealth.side_knowledge import barriers_of, heard_for_sure
from game.world.world import World
from tests.game.sim.play import ROOMS, Play, guard, raider, yard

MAP = "\n".join(["s" * 10 + "gg" + "s" * 10] * 6 + ["#" * 22] + ["s" * 8 + "g" * 6 + "s" * 8] * 7)
"""Ground with gravel in both halves, which a wall parts."""
DOG, BREATH, STEP = 1, 2.5, 6.0


def kennel(folder: Path, rows: str, *dogs: tuple[float, float, str], **settings: object) -> Play:
    builder = yard(rows)
    for k, (x, y, kind) in enumerate(dogs):
        guard(builder, x, y, f"G{k}", kind=kind, facing=0.0)
    raider(builder, 1.5, 1.5)
    play = Play(folder, builder, **settings).run(3)
    play.world.ears.agitation[:] = 0.0
    return play


def reach(world: World, slot: int, behaviour: int) -> float:
    """Return how far a dog surely hears breath, tiles.

    A unit may walk 2.5 tiles between two sounds.
    """
    hearing = world.settings.hearing
    return hearing.breath_tiles * hearing.keenness[DOG][behaviour] - BREATH


def circles(world: World, centres: list[tuple[float, float, float]]) -> np.ndarray:
    """Return tiles whose middle lies within a circle (x, y, radius).

    If sound goes by rooms, they lie in the room of its centre.
    """
    height, width = world.terrain.passable.shape
    out, area = np.zeros((height, width), bool), rooms(world).area
    for y, x in np.ndindex(out.shape):
        for cx, cy, radius in centres:
            inside = radius > 0 and math.hypot(x + 0.5 - cx, y + 0.5 - cy) <= radius
            one_room = not world.settings.noise.by_rooms or area[y, x] == area[int(cy), int(cx)]
            out[y, x] |= inside and one_room
    return out


@pytest.mark.parametrize("by_rooms", [True, False])
def test_dogs_rule_out_the_tiles_where_they_would_hear_breath(tmp_path: Path, by_rooms: bool) -> None:
    """Guards are too dull, and a dog that hears a sound rules nothing out."""
    where = ((11.2, 4.5, "dog"), (14.7, 5.4, "dog"), (20.5, 1.5, "dog"), (5.5, 4.5, "guard"), (1.5, 7.5, "dog"))
    play = kennel(tmp_path, ROOMS if by_rooms else MAP, *where, noise__by_rooms=by_rooms)
    world, u = play.world, play.world.units
    slots = np.array([play.slot(f"G{k}") for k in range(5)])
    for k in (0, 1, 2, 4):  # a dog at the wall, one in the next room, two at the edges
        u.x[slots[k]], u.y[slots[k]] = where[k][:2]
    for present in ([0], [1], [2], [0, 1, 2, 3, 4], [4, 3]):
        centres = [(*where[k][:2], reach(world, int(slots[k]), 1)) for k in present if where[k][2] == "dog"]
        found = heard_for_sure(world, slots[present])
        assert found is not None and np.array_equal(found != 0, circles(world, centres))
        assert np.array_equal(barriers_of(world, slots[present]), found)
    assert heard_for_sure(world, slots[3:4]) is None and barriers_of(world, slots[3:4]) is None
    world.ears.agitation[slots[0]] = 0.2
    expected = circles(world, [(*where[1][:2], reach(world, int(slots[1]), 1))])
    assert np.array_equal(heard_for_sure(world, slots[:2]) != 0, expected)
    world.settings.minds.barriers = False
    assert barriers_of(world, slots) is None
    world.settings.minds.barriers, world.settings.noise.steps = True, False
    assert heard_for_sure(world, slots) is None and barriers_of(world, slots) is None


def test_a_dog_asleep_that_hears_no_breath_from_two_tiles_and_a_half_rules_nothing_out(tmp_path: Path) -> None:
    """An awake dog hears farther; the limit itself still rules nothing out."""
    play = kennel(tmp_path, MAP, (11.5, 4.5, "dog"))
    world, slot = play.world, play.slot("G0")
    hearing = world.settings.hearing
    world.units.asleep[slot] = 1
    asleep = float(hearing.keenness[DOG][0])
    assert asleep < max(hearing.keenness[DOG])
    for breath, rules_out in ((BREATH / asleep, False), (2.0 / asleep, False), (4.0 / asleep, True)):
        hearing.breath_tiles = breath
        found = heard_for_sure(world, np.array([slot]))
        assert (found is not None) == rules_out
        if found is not None:
            assert np.array_equal(found != 0, circles(world, [(11.5, 4.5, 1.5)]))


@pytest.mark.parametrize("at", [(9.3, 3.5), (11.5, 10.5), (14.7, 11.2), (2.5, 12.5)])
def test_loud_ground_in_earshot_bars_units_that_cannot_be_quiet(tmp_path: Path, at: tuple[float, float]) -> None:
    """Bars are gravel within six tiles, and the nine tiles about the listener."""
    play = kennel(tmp_path, MAP, (5.5, 4.5, "guard"), minds__noisy_ground=True)
    world, slot = play.world, play.slot("G0")
    x, y = world.units.x[slot], world.units.y[slot] = at
    ears = np.array([slot])
    found = barriers_of(world, ears)
    assert found is not None
    gravel = np.array([[c == "g" for c in row] for row in MAP.splitlines()])
    for ty, tx in np.ndindex(found.shape):
        far = math.hypot(tx + 0.5 - x, ty + 0.5 - y)
        beside = abs(tx - int(x)) <= 1 and abs(ty - int(y)) <= 1
        heard = (ty < 6) == (y < 6) and far <= STEP and world.terrain.passable[ty, tx] != 0
        if abs(far - STEP) > 0.1:
            assert bool(found[ty, tx]) == (heard and bool(gravel[ty, tx] or beside)), (ty, tx)
    world.ears.agitation[slot] = 0.2
    assert barriers_of(world, ears) is None, "a guard that hears a sound rules nothing out"
    world.ears.agitation[slot], world.settings.noise.steps = 0.0, False
    assert barriers_of(world, ears) is None, "steps make no sound"
