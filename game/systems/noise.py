"""Noise in the world: loudness per unit, and the rooms through which sound spreads.

:func:`emit` or :func:`emit_shot` makes a sound; units hear it in the next perceive stage. Footsteps are not
emitted one by one: the ears read them from the footfall column.
"""

from __future__ import annotations

import numpy as np

from ai.core.kernels import kernel
from ai.grid.areas import AreaGraph, Places, area_graph
from ai.perception.hearing.hearing import LogicalSound, SoundKind, masking_at
from ai.perception.stimuli.stimulus_board import Stimulus, StimulusKind
from game.world.units import Stance
from game.world.world import World

_HEARD_AS = {
    SoundKind.DOOR: StimulusKind.DOOR_NOISE,
    SoundKind.IMPACT: StimulusKind.IMPACT,
    SoundKind.VOICE: StimulusKind.VOICE,
    SoundKind.BODY: StimulusKind.FALL,
}
SHOUT = 24.0
"""Tiles at which a shout is understood."""
MOST_HEARD = 128
"""Sounds whose hearers are noted."""
LASTS = 5
"""Ticks for which a sound can be answered: slightly over one agent round."""


def emit(world: World, kind: SoundKind, x: float, y: float, radius: float, unit: int = -1) -> None:
    """Make a sound at a place; the side of its maker ``unit`` ignores it."""
    audience = 255
    if unit >= 0:
        audience &= ~(1 << min(int(world.units.side[world.units.slot(unit)]), 7))
    if radius <= 0:
        return
    heard_as = _HEARD_AS.get(kind)
    if heard_as is not None:
        world.stimuli.register(heard_as, world.tick, x, y, radius, lasts=LASTS, source=unit, audience=audience)
    record_sound(world, kind, x, y, radius, unit)


def emit_shot(world: World, shooter: int, target: int) -> None:
    """Make the sound of a shot.

    Its living target (id, -1 none) hears it at any distance and with any ears.
    """
    u = world.units
    slot = u.slot(shooter)
    x, y, side = float(u.x[slot]), float(u.y[slot]), int(u.side[slot])
    loud = world.weapons[int(u.weapon[slot])].noise if world.settings.minds.hears_shots else 0.0
    aimed_at = target >= 0 and bool(u.alive[u.slot(target)]) and int(u.side[u.slot(target)]) != side
    record_sound(world, SoundKind.SHOT, x, y, loud, shooter)
    if not aimed_at and not (loud > 0 and any(t.ears != "none" for t in world.types)):
        return
    world.stimuli.register(
        StimulusKind.SHOT, world.tick, x, y, loud, lasts=LASTS, source=shooter, thing=target if aimed_at else -1,
        audience=255 & ~(1 << min(side, 7)),
    )  # fmt: skip


def record_sound(world: World, kind: int, x: float, y: float, radius: float, unit: int) -> None:
    """Note a sound for the picture.

    Rows are (tick, kind, x, y, radius, unit) of the last seconds.
    """
    rows = world.recording.setdefault("sounds", [])
    rows.append((world.tick, int(kind), x, y, radius, unit))
    while rows and world.tick - rows[0][0] > 40:
        rows.pop(0)


def record_hearers(world: World, sound: Stimulus, keen: np.ndarray) -> None:
    """Note which units heard a sound with a place, for the inspector.

    Rows are (tick, number, kind of stimulus, x, y, radius, maker, hearers). ``hearers`` float64[n, 4] are the id, the
    place (x, y) and the keenness of each, from ``keen`` by slot. The last ``MOST_HEARD`` sounds are kept.
    """
    u, rows = world.units, world.recording.setdefault("heard", [])
    slots = u.slots(sound.hearers)
    hearers = np.column_stack([u.id[slots], u.x[slots], u.y[slots], keen[slots]])
    rows.append((sound.created, sound.id, sound.kind, sound.x, sound.y, sound.radius, sound.source, hearers))
    del rows[:-MOST_HEARD]


def in_earshot(world: World, side: int, x: float, y: float, reach: float = SHOUT) -> bool:
    """Return whether a living unit of a side hears a voice from a place.

    ``reach`` is in tiles along the way of the sound.
    """
    u = world.units
    slots = u.living(side)
    slots = slots[u.asleep[slots] == 0]
    return bool(len(slots)) and bool((paths_of_sound(world, x, y, u.x[slots], u.y[slots]) <= reach).any())


def rooms(world: World) -> AreaGraph:
    """Return areas and chokes of the present map, with current door attenuation."""
    terrain, kept = world.terrain, world.rooms
    graph = kept.graph
    if graph is not None and kept.revision != terrain.revision:
        changes = terrain.changes_since(kept.revision, ("opaque", "passable"))
        if changes is None or not all(_in_a_door(world, box) for box in changes):
            graph = None
    if graph is None:
        passable = terrain.passable != 0
        for door in world.doors:
            passable[door.y0 : door.y1, door.x0 : door.x1] = True
        walkable = passable & (terrain.passable & 7 != 0)
        boxes = [(d.y0, d.x0, d.y1, d.x1) for d in world.doors]
        graph = kept.graph = area_graph((terrain.opaque == 0) | passable, walkable, boxes)
    kept.revision = terrain.revision
    shut = world.settings.noise.shut_door
    graph.mute([0.0 if d.open or not d.opaque_shut else shut for d in world.doors])
    return graph


def _in_a_door(world: World, box: tuple[int, int, int, int]) -> bool:
    y0, x0, y1, x1 = box
    return any(d.y0 <= y0 and d.x0 <= x0 and y1 <= d.y1 and x1 <= d.x1 for d in world.doors)


def path_of_sound(world: World, ax: float, ay: float, bx: float, by: float) -> float:
    """Return the tiles that a sound travels between two places.

    It follows the rule in force, and is infinite when the sound does not arrive.
    """
    return float(paths_of_sound(world, ax, ay, np.array([bx]), np.array([by]))[0])


def paths_of_sound(world: World, ax: Places, ay: Places, bx: np.ndarray, by: np.ndarray) -> np.ndarray:
    """Return sound distances float64[n], from one place or from n places.

    See :func:`path_of_sound` for one pair.
    """
    if world.terrain is None:
        return np.asarray(np.hypot(bx - ax, by - ay))
    return rooms(world).distances(ax, ay, bx, by)


def path_field(world: World, x: float, y: float, y0: int, x0: int, y1: int, x1: int) -> np.ndarray:
    """Return sound distances from a place to each tile's middle: ``float64[h, w]``.

    Infinite in walls. It follows the rule of :func:`path_of_sound`, computed room by room, so that the cost is
    little more than the number of tiles.
    """
    graph = rooms(world)
    codes = graph.area[y0:y1, x0:x1]
    out = np.full(codes.shape, np.inf)
    start = set(graph.areas_at(x, y))
    leave = _openings_at(graph, x, y)
    at = graph.place[leave]
    first = np.hypot(x - at[:, 0], y - at[:, 1]) + at[:, 2] / 2
    for code in np.unique(codes[codes != -1]).tolist():
        rows, columns = np.nonzero(codes == code)
        xs, ys = columns + x0 + 0.5, rows + y0 + 0.5
        joined = set(graph.chokes[-2 - code].areas) if code <= -2 else {code}
        if start & joined or not world.settings.noise.by_rooms:
            out[rows, columns] = np.hypot(x - xs, y - ys)
            continue
        enter = [-2 - code] if code <= -2 else graph.chokes_of(code)
        if leave and enter:
            to = graph.place[enter]
            through = (first[:, None] + graph.far[np.ix_(leave, enter)]).min(axis=0) + to[:, 2] / 2
            out[rows, columns] = (through + np.hypot(xs[:, None] - to[:, 0], ys[:, None] - to[:, 1])).min(axis=1)
    return out


def _openings_at(graph: AreaGraph, x: float, y: float) -> list[int]:
    """Return the chokes through which a sound leaves a place.

    If the place is in a choke, it is that one; otherwise the chokes of its room.
    """
    height, width = graph.area.shape
    code = int(graph.area[min(max(int(y), 0), height - 1), min(max(int(x), 0), width - 1)])
    return [-2 - code] if code <= -2 else graph.chokes_of(code) if code >= 0 else []


def masking(world: World, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Factor 0..1 on the keenness of listeners beside running generators."""
    radius = world.settings.noise.generator
    machines = [
        LogicalSound(int(SoundKind.BODY), p.x, p.y, radius, -1, 0)
        for p in world.props
        if p.kind == "generator" and p.used % 2 == 0
    ]
    return masking_at(x, y, machines)


def step_noise(world: World) -> tuple[np.ndarray, np.ndarray]:
    """Return the radius of each unit's movement noise and its ticks: ``float64[n]`` each.

    A step sounds at its footfall, by speed, stance, ground and kind. A unit that does not move is heard breathing.
    """
    assert (Stance.CROUCH, Stance.PRONE) == (1, 2), "the kernel counts on these"
    u, n, noise, ears = world.units, world.units.count, world.settings.noise, world.ears.settings
    radius, lasts = np.zeros(n), np.ones(n)
    noise_of_steps(
        world.loudness, np.array([t.noise for t in world.types]), noise.crouch, noise.prone,
        ears.breath_tiles, ears.run_tiles, ears.run_speed, u.alive[:n], u.kind[:n], u.stance[:n], u.cadence[:n],
        u.footfall[:n], u.x[:n], u.y[:n], u.vx[:n], u.vy[:n], radius, lasts,
    )  # fmt: skip
    return radius, lasts


@kernel(
    "void(uint8[:,::1], float64[::1], float64, float64, float64, float64, float64, uint8[::1], uint8[::1], "
    "uint8[::1], float64[::1], uint8[::1], float64[::1], float64[::1], float64[::1], float64[::1], float64[::1], "
    "float64[::1])"
)
def noise_of_steps(  # type: ignore[no-untyped-def]
    loudness, by_kind, crouch, prone, breath, run_tiles, run_speed,
    alive, kind, stance, cadence, footfall, x, y, vx, vy, radius, lasts,
):  # fmt: skip
    """Write :func:`step_noise` of all units into ``radius`` and ``lasts``.

    Before the call ``radius`` is all 0 and ``lasts`` all 1. The law is that of
    :meth:`ai.perception.hearing.hearing.Hearing.noise_of`. ``loudness`` is in eighths, or empty where all ground is
    alike.
    """
    height, width = loudness.shape
    for i in range(len(x)):
        speed = np.hypot(vx[i], vy[i])
        still = speed < 0.05
        if not still and cadence[i] > 0.0:
            lasts[i] = min(max(10.0 / cadence[i], 1.0), 20.0)  # two steps a cycle
        if alive[i] == 1 and (still or footfall[i] > 0):
            ground = 1.0
            if loudness.size > 0:
                ground = loudness[min(max(int(y[i]), 0), height - 1), min(max(int(x[i]), 0), width - 1)] / 8.0
            factor = ground * (1.0 if stance[i] == 0 else crouch if stance[i] == 1 else prone) * by_kind[kind[i]]
            radius[i] = max(breath, run_tiles * speed / run_speed * factor)
