"""Brushes of the sandbox for ground, doors and lamps, with undo and redo.

A brush changes the terrain through its one call, so every structure repairs itself from the rectangles. Each stroke
keeps its tiles before and after; undo and redo lay them again. Strokes are state, so a replay and a branch have the
same ones.

Shapes: a box is left, top, right, bottom in tiles; values of tiles are uint8[6, height, width], see LAYERS.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from game.level.model import GROUND, SIDES
from game.level.passability_masks import ALL, OPENS_DOORS
from game.level.schema import PROP_KINDS
from game.level.terrain.grounds import RULES
from game.systems.interaction.map_edits import put_out
from game.world.orders import Order
from game.world.places import AreaCache, Door, LightSource, NewGround, Stroke, TilePatch
from game.world.world import World

LAYERS = ("passable", "cost", "opaque", "cover", "noise", "ground")
"""Values of a tile in a patch; the ground AS_DRAWN is the level's own."""
AS_DRAWN = 255
MOST_STROKES = 60
"""Strokes that can be undone; the oldest is dropped."""
MOST_BOXES = 64
"""Boxes of one order."""
LAMP_RADIUS = 5.0


@dataclass(frozen=True)
class Brush:
    """Row of the brushes: the ground it lays, and the thing it builds.

    Without a ground of its own it lays the one that the order names.
    """

    words: str
    ground: str = ""
    thing: str = ""


BRUSHES: Mapping[str, Brush] = MappingProxyType(
    {
        "wall": Brush("Wall", "wall"),
        "water": Brush("Water", "water"),
        "cover": Brush("Cover", "reeds"),
        "wood": Brush("Wood", "wood"),
        "floor": Brush("Floor", "floor"),
        "door": Brush("Door", "floor", "door"),
        "lamp": Brush("Lamp", "", "lamp"),
        "erase": Brush("Eraser"),
    }
)
STEPS = ("undo", "redo")
OPEN_GROUND = "grass"
"""Ground that the eraser lays when the order names none."""

Box = tuple[int, int, int, int]


def fault_of_paint(world: World, order: Order) -> str:
    """Return an order's error as a message, empty if valid."""
    if order.name in STEPS:
        return ""
    if order.name not in BRUSHES:
        return f"there is no brush {order.name!r}; use one of {', '.join((*BRUSHES, *STEPS))}"
    points = order.points
    if not points or len(points) % 4 or len(points) > 4 * MOST_BOXES or not all(p == int(p) for p in points):
        return f"a brush needs 1 to {MOST_BOXES} boxes of left, top, right, bottom in whole tiles"
    height, width = world.terrain.height, world.terrain.width
    for x0, y0, x1, y1 in boxes_of(order):
        if not (0 <= x0 < x1 <= width and 0 <= y0 < y1 <= height):
            return f"the box {x0}, {y0}, {x1}, {y1} is not inside a map of {width} x {height} tiles"
    if order.text and order.text not in GROUND:
        return f"there is no ground {order.text!r}; use one of {', '.join(GROUND)}"
    return ""


def boxes_of(order: Order) -> list[Box]:
    """Return the boxes of an order in tiles."""
    p = [int(v) for v in order.points]
    return [(p[i], p[i + 1], p[i + 2], p[i + 3]) for i in range(0, len(p) - 3, 4)]


def paint(world: World, order: Order) -> None:
    """Carry out a valid order PAINT: a brush on boxes, undo or redo.

    Orders with the same ``value`` above 0 that follow each other are one stroke.
    """
    work = world.brushwork
    if order.name in STEPS:
        _step(world, order.name)
        return
    brush = BRUSHES[order.name]
    number = int(order.value)
    if number <= 0 or not work.done or work.done[-1].number != number:
        work.done.append(Stroke(number, order.name))
        del work.done[:-MOST_STROKES]
    work.undone.clear()
    stroke = work.done[-1]
    for box in boxes_of(order):
        _clear(world, stroke, box, lamps=brush.thing != "door")
        if brush.thing != "lamp":
            _lay(world, stroke, brush, box, order.text)
        if brush.thing == "door":
            _add_door(world, stroke, box)
        elif brush.thing == "lamp":
            _add_lamp(world, stroke, box)
        _publish(world, box)


def _clear(world: World, stroke: Stroke, box: Box, lamps: bool) -> None:
    """Take away whole doors that the box touches, and lamps in it."""
    x0, y0, x1, y1 = box
    for door in [d for d in world.doors if d.x0 < x1 and x0 < d.x1 and d.y0 < y1 and y0 < d.y1]:
        area = (door.x0, door.y0, door.x1, door.y1)
        after = tiles_of(world, area)
        open_ground = RULES["floor"]
        for layer, value in enumerate((ALL, open_ground.cost, 0, 0, open_ground.noise)):
            after[layer] = value
        _take_door(world, door)
        stroke.doors_before.append(door)
        _change(world, stroke, area, after)
    if lamps:
        for light in [s for s in world.lights if s.id >= 0 and x0 <= s.x < x1 and y0 <= s.y < y1]:
            world.lights.remove(light)
            stroke.lights_before.append(light)


def _lay(world: World, stroke: Stroke, brush: Brush, box: Box, ground: str) -> None:
    """Lay the brush's ground on the box, except below things that block."""
    name = brush.ground or ground or OPEN_GROUND
    rule = RULES[name]
    after = tiles_of(world, box)
    free = ~_things(world, box)
    for layer, value in enumerate((rule.passable, rule.cost, rule.opaque, rule.cover, rule.noise, GROUND[name])):
        after[layer][free] = value
    _change(world, stroke, box, after)


def _things(world: World, box: Box) -> np.ndarray:
    """Return bool[h, w]: tiles of the box below a thing that blocks.

    Its picture is part of the ground, so a brush that opened them would leave the picture.
    """
    x0, y0, x1, y1 = box
    y, x = np.ogrid[y0:y1, x0:x1]
    found = np.zeros((y1 - y0, x1 - x0), bool)
    for p in world.props:
        kind = PROP_KINDS.get(p.kind)
        if kind is not None and kind.blocks and p.carrier < 0:
            half_w, half_h = max(p.width, 1) / 2, max(p.height, 1) / 2
            found |= (abs(x + 0.5 - p.x) < half_w) & (abs(y + 0.5 - p.y) < half_h)
    return found


def tiles_of(world: World, box: Box) -> np.ndarray:
    """Return a copy of the values of a box's tiles, see LAYERS."""
    x0, y0, x1, y1 = box
    terrain = world.terrain
    ground = np.full((y1 - y0, x1 - x0), AS_DRAWN, np.uint8)
    for row in world.new_ground:
        if row.y0 < y1 and y0 < row.y1 and row.x0 < x1 and x0 < row.x1:
            ground[max(row.y0 - y0, 0) : row.y1 - y0, max(row.x0 - x0, 0) : row.x1 - x0] = row.ground
    fields = (terrain.passable, terrain.cost, terrain.opaque, terrain.cover, world.loudness)
    return np.stack([*(field[y0:y1, x0:x1] for field in fields), ground])


def present_ground(drawn: np.ndarray, world: World) -> np.ndarray:
    """Return the ground of every tile, uint8[H, W].

    ``drawn`` is the ground of the level.
    """
    ground = drawn.copy()
    for row in world.new_ground:
        box = slice(row.y0, row.y1), slice(row.x0, row.x1)
        ground[box] = drawn[box] if row.ground == AS_DRAWN else row.ground
    return ground


def ground_at(drawn: np.ndarray, world: World, y: int, x: int) -> int:
    """Return the ground of one tile, an index into GROUNDS."""
    for row in reversed(world.new_ground):
        if row.y0 <= y < row.y1 and row.x0 <= x < row.x1 and row.ground != AS_DRAWN:
            return row.ground
        if row.y0 <= y < row.y1 and row.x0 <= x < row.x1:
            break
    return int(drawn[y, x])


def _change(world: World, stroke: Stroke, box: Box, after: np.ndarray) -> None:
    """Lay values on a box; the stroke keeps both states."""
    before = tiles_of(world, box)
    if not np.array_equal(before, after):
        stroke.patches.append(TilePatch(box[1], box[0], before, after))
        _apply(world, box, before, after)


def _apply(world: World, box: Box, before: np.ndarray, after: np.ndarray) -> None:
    x0, y0, x1, y1 = box
    world.terrain.edit(y0, x0, y1, x1, passable=after[0], cost=after[1], opaque=after[2], cover=after[3])
    world.loudness[y0:y1, x0:x1] = after[4]
    for left, top, right, bottom, ground in _same_ground(before[5], after[5]):
        world.new_ground.append(NewGround(y0 + top, x0 + left, y0 + bottom, x0 + right, ground, world.tick))
    put_out(world, y0, x0, y1, x1)


def _same_ground(before: np.ndarray, after: np.ndarray) -> list[tuple[int, int, int, int, int]]:
    """Return left, top, right, bottom and ground of boxes that cover all changed tiles.

    A box is a run of one row, as long as its tiles have one ground; equal runs below it join it.
    """
    runs: list[tuple[int, int, int, int, int]] = []
    for y in range(after.shape[0]):
        x = 0
        while x < after.shape[1]:
            if after[y, x] == before[y, x]:
                x += 1
                continue
            ground, left = int(after[y, x]), x
            while x < after.shape[1] and after[y, x] == ground and before[y, x] != ground:
                x += 1
            above = next((r for r in runs if r[0] == left and r[2] == x and r[3] == y and r[4] == ground), None)
            if above is not None:
                runs[runs.index(above)] = (left, above[1], x, y + 1, ground)
            else:
                runs.append((left, y, x, y + 1, ground))
    return runs


def _add_door(world: World, stroke: Stroke, box: Box) -> None:
    """Build a shut door on the box; it opens for every side."""
    number = _next_id(world)
    x0, y0, x1, y1 = box
    door = Door(
        number, f"door {number}", "door", y0, x0, y1, x1, False, tuple(range(len(SIDES))), ALL, OPENS_DOORS, 0, 1,
        world.tick,
    )  # fmt: skip
    after = tiles_of(world, box)
    after[0], after[2] = door.passable_shut, door.opaque_shut
    world.doors.append(door)
    world.rooms = AreaCache()
    stroke.doors_after.append(copy.copy(door))
    _change(world, stroke, box, after)


def _add_lamp(world: World, stroke: Stroke, box: Box) -> None:
    """Put a lit lamp in the middle of the box."""
    number = _next_id(world)
    x, y = (box[0] + box[2]) // 2 + 0.5, (box[1] + box[3]) // 2 + 0.5
    lamp = LightSource(number, f"lamp {number}", x, y, LAMP_RADIUS, 1.0, "#ffd9a0", changed=world.tick)
    world.lights.append(lamp)
    stroke.lights_after.append(copy.copy(lamp))


def _next_id(world: World) -> int:
    """Return an id that no thing of the world ever had."""
    work = world.brushwork
    if not work.first_id:
        known = [thing.id for things in (world.doors, world.props, world.lights) for thing in things]
        work.first_id = work.next_id = max(known, default=0) + 1
    work.next_id += 1
    return work.next_id - 1


def _take_door(world: World, door: Door) -> None:
    """Remove a door; units on an errand to a door plan again."""
    world.doors.remove(door)
    world.rooms = AreaCache()
    world.door_errands.clear()


def _step(world: World, name: str) -> None:
    """Take back the last stroke, or lay again the last one taken back."""
    work = world.brushwork
    back = name == "undo"
    source, into = (work.done, work.undone) if back else (work.undone, work.done)
    if not source:
        world.happen("refused", text=f"there is nothing to {name}")
        return
    stroke = source.pop()
    into.append(stroke)
    gone_doors, new_doors = stroke.doors_after, stroke.doors_before
    gone_lights, new_lights = stroke.lights_after, stroke.lights_before
    if not back:
        gone_doors, new_doors, gone_lights, new_lights = new_doors, gone_doors, new_lights, gone_lights
    # A door built and removed within the stroke is in both lists and exists in neither state.
    both_doors = {d.id for d in gone_doors} & {d.id for d in new_doors}
    both_lights = {s.id for s in gone_lights} & {s.id for s in new_lights}
    for door in [d for d in world.doors if d.id in {g.id for g in gone_doors}]:
        _take_door(world, door)
    gone = {s.id for s in gone_lights}
    world.lights[:] = [s for s in world.lights if s.id not in gone]
    for patch in reversed(stroke.patches) if back else stroke.patches:
        height, width = patch.before.shape[1:]
        box = (patch.x0, patch.y0, patch.x0 + width, patch.y0 + height)
        _apply(world, box, tiles_of(world, box), patch.before if back else patch.after)
        _publish(world, box)
    world.doors += [copy.copy(d) for d in new_doors if d.id not in both_doors]
    world.lights += [copy.copy(s) for s in new_lights if s.id not in both_lights]
    world.rooms = AreaCache()


def _publish(world: World, box: Box) -> None:
    world.happen("edit", at=((box[0] + box[2]) / 2, (box[1] + box[3]) / 2))
