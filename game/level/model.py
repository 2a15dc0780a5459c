"""What a level is once it has been read: plain frozen data, the same for our maps and for any other Tiled map.

Measures: arrays are ``[y, x]`` and read-only; positions and lengths are floats in tiles (a tile's centre is at .5, y
points down); angles are radians from +x, clockwise on screen; durations are ticks (20 a second).  A *tile* is one tile
of the map, whatever its size in pixels.

Nothing here refers to another object: routes, doors, props and regions are named by their ``name``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from game.level.map_art import ImageLayer, Point, StampLayer, TileLayer, TilesetImage
from game.level.passability_masks import ALL, OPENS_DOORS

TICKS_PER_SECOND = 20
"""Seconds written in a map become ticks by this."""

SIDES = ("raiders", "guards", "yellow", "white")
"""Names of the sides; a side is the index into this."""

GROUNDS = (
    "grass",
    "field",
    "road",
    "wood",
    "water",
    "reeds",
    "stone",
    "gravel",
    "wall",
    "bridge_stone",
    "bridge_plank",
    "floor",
    "void",
)
"""Kinds of ground for the painter; ``Level.ground`` indexes into this.  ``void`` is "the map does not say"."""

GROUND = MappingProxyType({name: index for index, name in enumerate(GROUNDS)})
"""Index of each kind of ground by its name."""


@dataclass(frozen=True)
class Spawn:
    """One unit at the start.  ``id`` is the Tiled object id (plus 0 for the units a plain map is given)."""

    id: int
    x: float
    y: float
    side: int = 0
    kind: str = "raider"
    """Name of a unit type."""
    group: int = 0
    """Control group of the player's units (1..9), or the patrol a guard belongs to; 0 is none."""
    facing: float = 0.0
    route: str = ""
    """Name of the route it walks, empty when it stands."""
    asleep: bool = False
    """It does nothing until a trigger wakes it."""
    name: str = ""
    torch: bool = False
    """It carries a burning torch."""


@dataclass(frozen=True)
class LevelRoute:
    """A patrol route: ``points`` are at least two positions; a closed Tiled polygon is a loop."""

    id: int
    name: str
    points: tuple[Point, ...]
    loop: bool = False
    """True: from the last point on to the first; False: back the way it came."""
    wait: int = 0
    """Ticks a patrol stands at each point."""


@dataclass(frozen=True)
class LevelDoor:
    """Tiles ``[y0:y1, x0:x1]`` that are open or shut; the arrays of the level hold its state at the start.

    A shut door keeps walkers out and lets units of class OPENS_DOORS plan through it; a raised drawbridge (kind
    ``drawbridge``, shut) lets nobody pass.  ``opens_for`` lists the sides that may work it, empty for none but a winch.
    """

    id: int
    name: str
    kind: str
    y0: int
    x0: int
    y1: int
    x1: int
    open: bool = False
    opens_for: tuple[int, ...] = (0, 1, 2, 3)
    blocks_sight: bool = True
    """A shut one hides what is behind it (a raised drawbridge and a grille do not)."""

    def passable(self, is_open: bool) -> int:
        """The passability mask of its tiles in that state."""
        if is_open:
            return ALL
        return 0 if self.kind == "drawbridge" else OPENS_DOORS

    def opaque(self, is_open: bool) -> int:
        """1 when its tiles block sight in that state."""
        return int(self.blocks_sight and not is_open)


def _inside(points: tuple[Point, ...], x: float, y: float) -> bool:
    inside = False
    px, py = points[-1]
    for qx, qy in points:
        if (py > y) != (qy > y) and x < (qx - px) * (y - py) / (qy - py) + px:
            inside = not inside
        px, py = qx, qy
    return inside


@dataclass(frozen=True)
class LevelRegion:
    """A named area: a polygon of at least three points (rectangles and ellipses are turned into one)."""

    id: int
    name: str
    points: tuple[Point, ...]

    def contains(self, x: float, y: float) -> bool:
        """Whether the position lies inside, by the even-odd rule."""
        return _inside(self.points, x, y)

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """``x0, y0, x1, y1`` of the smallest upright rectangle around it."""
        xs, ys = [p[0] for p in self.points], [p[1] for p in self.points]
        return min(xs), min(ys), max(xs), max(ys)

    @property
    def centre(self) -> Point:
        """Middle of the bounds."""
        x0, y0, x1, y1 = self.bounds
        return (x0 + x1) / 2, (y0 + y1) / 2


@dataclass(frozen=True)
class LevelObjective:
    """Something the player is asked to do, in the order of ``id``.

    ``kind``: ``take`` (lift the prop ``target``), ``bring`` (carry it into ``region``), ``reach`` (one raider in
    ``region``), ``clear`` (no unit of another side is alive, in ``region`` when given), ``use`` (work the prop
    ``target``).
    """

    id: int
    name: str
    kind: str
    text: str
    target: str = ""
    region: str = ""
    optional: bool = False


@dataclass(frozen=True)
class LevelProp:
    """A thing on the map: centre ``x, y``, size ``width, height``, turned by ``facing``.

    ``door`` names the door a winch or lever works.  Its tiles are already in the terrain when it ``blocks``.
    """

    id: int
    kind: str
    name: str
    x: float
    y: float
    width: float = 1.0
    height: float = 1.0
    facing: float = 0.0
    door: str = ""
    blocks: bool = False


@dataclass(frozen=True)
class Light:
    """A lamp: ``radius`` in tiles, ``color`` as ``#rrggbb``, ``strength`` 0..1; angles in radians.

    A ``half_angle`` of pi shines all round, less is a cone about ``facing``.
    """

    id: int
    x: float
    y: float
    radius: float = 5.0
    color: str = "#ffd9a0"
    strength: float = 1.0
    name: str = ""
    facing: float = 0.0
    half_angle: float = math.pi
    on: bool = True
    switchable: bool = True


@dataclass(frozen=True)
class Text:
    """Lettering on the map: ``x, y`` its centre, ``angle`` its direction, ``size`` the height of a line in tiles."""

    id: int
    x: float
    y: float
    text: str
    angle: float = 0.0
    size: float = 1.0
    color: str = "#2a2730"


@dataclass(frozen=True)
class LevelTrigger:
    """When ``on`` happens to ``source``, do ``does`` to ``target``.

    ``on``: ``lifted`` or ``used`` (a prop), ``entered`` (a region, by a raider), ``alarm`` (any guard raises one),
    ``start``.  ``does``: ``wake`` (sleeping spawns whose name or route is ``target``), ``rouse``
    (the same, and they are told where it happened), ``open`` or ``shut`` (a door),
    ``say`` (show ``text``).  ``delay`` is in ticks.
    """

    id: int
    name: str
    on: str
    source: str
    does: str
    target: str = ""
    text: str = ""
    delay: int = 0
    once: bool = True


@dataclass(frozen=True)
class LayerReading:
    """How one layer was read, for the card."""

    name: str
    kind: str
    """``tiles``, ``objects``, ``image`` or ``group``."""
    taken_for: str
    """In words: "walls", "ground", "decoration", "spawns and routes"."""
    tiles: int
    """Filled tiles, or objects."""
    blocking: int
    """Tiles nobody can walk on because of this layer."""
    change: str
    """The one property that would change it, in words."""


@dataclass(frozen=True)
class LevelCard:
    """ "How Fogline read this map": a line a layer and notes about the whole."""

    title: str
    layers: tuple[LayerReading, ...]
    notes: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
    """Notes that stand above the layers: what most readers would miss."""

    def lines(self) -> list[str]:
        """The card as plain text lines for the terminal."""
        out = [self.title, *(f"  {note}" for note in self.first)]
        for r in self.layers:
            what = "objects" if r.kind == "objects" else "tiles"
            count = f", {r.tiles} {what}, {r.blocking} block" if r.kind in ("tiles", "objects") else ""
            out.append(f"  {r.name}: {r.taken_for}{count}. {r.change}".rstrip())
        out.extend(f"  {note}" for note in self.notes)
        return out


@dataclass(frozen=True, eq=False)
class Level:
    """A map, ready for the world.  Two levels of equal ``digest`` play alike."""

    name: str
    """File name without its ending."""
    title: str
    path: Path
    digest: str
    """Hex; over terrain and objects, not over how it is drawn."""
    width: int
    height: int
    tile_size: Point
    """Width and height of a tile in pixels of the map file."""
    passable: NDArray[np.uint8]
    """uint8[H, W], one bit a movement class; set = may stand there."""
    cost: NDArray[np.uint8]
    """uint8[H, W], eighths: 8 is ordinary ground, 16 twice as dear, 1..255."""
    opaque: NDArray[np.uint8]
    """uint8[H, W], 1 blocks sight."""
    cover: NDArray[np.uint8]
    """uint8[H, W], 0 none to 3 full: how well the tile hides and shields who stands on it."""
    noise: NDArray[np.uint8]
    """uint8[H, W], eighths: how loud a step there is."""
    ground: NDArray[np.uint8]
    """uint8[H, W], index into GROUNDS, for the painter."""
    painted: bool = False
    """True: every tile says its ground, so the painter draws it; False: draw it with its own tiles."""
    layers: tuple[TileLayer | ImageLayer | StampLayer, ...] = ()
    """Everything to be drawn, from the back to the front."""
    tilesets: tuple[TilesetImage, ...] = ()
    spawns: tuple[Spawn, ...] = ()
    routes: tuple[LevelRoute, ...] = ()
    doors: tuple[LevelDoor, ...] = ()
    regions: tuple[LevelRegion, ...] = ()
    objectives: tuple[LevelObjective, ...] = ()
    props: tuple[LevelProp, ...] = ()
    lights: tuple[Light, ...] = ()
    texts: tuple[Text, ...] = ()
    triggers: tuple[LevelTrigger, ...] = ()
    properties: MappingProxyType[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    """The map's own properties: bool, int, float or str."""
    background: str = ""
    """Background colour ``#rrggbb``, or empty."""
    card: LevelCard = field(default_factory=lambda: LevelCard("", ()))

    def __post_init__(self) -> None:
        shape = (self.height, self.width)
        for name in ("passable", "cost", "opaque", "cover", "noise", "ground"):
            array = getattr(self, name)
            if array.shape != shape or array.dtype != np.uint8:
                raise ValueError(f"{name} must be uint8{list(shape)}, not {array.dtype}{list(array.shape)}")
            array.flags.writeable = False

    @property
    def tile_layers(self) -> tuple[TileLayer, ...]:
        """The layers made of tiles, from the back to the front."""
        return tuple(layer for layer in self.layers if isinstance(layer, TileLayer))

    def route(self, name: str) -> LevelRoute | None:
        """The route of that name."""
        return next((r for r in self.routes if r.name == name), None)

    def door(self, name: str) -> LevelDoor | None:
        """The door of that name."""
        return next((d for d in self.doors if d.name == name), None)

    def region(self, name: str) -> LevelRegion | None:
        """The region of that name."""
        return next((r for r in self.regions if r.name == name), None)

    def prop(self, name: str) -> LevelProp | None:
        """The prop of that name."""
        return next((p for p in self.props if p.name == name), None)

    def tileset_of(self, gid: int) -> TilesetImage | None:
        """The tileset a gid belongs to, None for 0."""
        found = None
        for tileset in self.tilesets:
            if tileset.first_gid <= gid and (found is None or tileset.first_gid > found.first_gid):
                found = tileset
        return found if gid > 0 else None
