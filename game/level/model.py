"""Level data after reading: frozen, the same for every Tiled map.

Arrays are ``[y, x]`` and read-only.  Positions and lengths are floats in tiles; a tile's centre is at .5 and y points
down.  Angles are radians from +x, clockwise on screen.  Durations are ticks (20 a second).  A *tile* is one tile of
the map, whatever its size in pixels.

No object refers to another object: routes, doors, props and regions are referred to by their ``name``.
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
"""Ticks of one second of a map."""

SIDES = ("raiders", "guards", "yellow", "white")
"""Names of the sides; a side is an index into this tuple."""

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
"""Kinds of ground for the painter; ``Level.ground`` indexes into this.

``void`` is a tile whose ground the map does not state.
"""

GROUND = MappingProxyType({name: index for index, name in enumerate(GROUNDS)})
"""Index of each kind of ground by its name."""


@dataclass(frozen=True)
class Spawn:
    """Unit at the start of a level.

    ``id`` is the Tiled object id.  Units that a map without spawns is given have id 0.
    """

    id: int
    x: float
    y: float
    side: int = 0
    kind: str = "raider"
    """Name of a unit type."""
    group: int = 0
    """Control group (1..9) of a player's unit, or patrol of a guard.

    0 is no group.
    """
    facing: float = 0.0
    route: str = ""
    """Name of the route that the unit walks; empty when it stands."""
    asleep: bool = False
    """The unit does nothing until a trigger wakes it."""
    name: str = ""
    torch: bool = False
    """The unit carries a burning torch."""


@dataclass(frozen=True)
class LevelRoute:
    """Patrol route with at least two points.

    A closed polygon of Tiled is a loop.
    """

    id: int
    name: str
    points: tuple[Point, ...]
    loop: bool = False
    """True: the last point leads to the first; False: the patrol walks back."""
    wait: int = 0
    """Ticks that a patrol stands at each point."""


@dataclass(frozen=True)
class LevelDoor:
    """Door on the tiles ``[y0:y1, x0:x1]``, open or shut.

    The arrays of the level hold its state at the start.  A shut door blocks units, but units of class OPENS_DOORS plan
    paths through it.  A raised drawbridge (kind ``drawbridge``, shut) is impassable for every unit.  ``opens_for``
    lists the sides that may use it; it is empty for a door that only a winch moves.
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
    """A shut door blocks sight; a raised drawbridge and a grille do not."""

    def passable(self, is_open: bool) -> int:
        """Return the passability mask of its tiles in that state."""
        if is_open:
            return ALL
        return 0 if self.kind == "drawbridge" else OPENS_DOORS

    def opaque(self, is_open: bool) -> int:
        """Return 1 when its tiles block sight in that state, otherwise 0."""
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
    """Named polygon of at least three points.

    Rectangles and ellipses are converted to polygons.
    """

    id: int
    name: str
    points: tuple[Point, ...]

    def contains(self, x: float, y: float) -> bool:
        """Return whether the position lies inside, by the even-odd rule."""
        return _inside(self.points, x, y)

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Return ``x0, y0, x1, y1`` of the smallest upright rectangle around it."""
        xs, ys = [p[0] for p in self.points], [p[1] for p in self.points]
        return min(xs), min(ys), max(xs), max(ys)

    @property
    def centre(self) -> Point:
        """Return the middle of the bounds."""
        x0, y0, x1, y1 = self.bounds
        return (x0 + x1) / 2, (y0 + y1) / 2


@dataclass(frozen=True)
class LevelZone:
    """Zone of a scene, a row of ``assets/data/scenes.toml``; its middle is the scene's.

    ``cast`` are names and routes of the spawns that may take part; empty: any unit of a role's kind.
    """

    id: int
    name: str
    scene: str
    points: tuple[Point, ...]
    cast: tuple[str, ...] = ()
    reach: float = 0.0
    """Tiles from the middle from which units are fetched for main roles."""
    every: int = 0
    """Ticks of the period of the scene; 0: that of its script."""
    rounds: int = 0
    """Times the timeline is played before the scene ends; 0: as its script says."""


@dataclass(frozen=True)
class LevelObjective:
    """Objective of the player; objectives are ordered by ``id``.

    ``kind``: ``take`` (lift the prop ``target``), ``bring`` (carry it into ``region``), ``reach`` (one raider in
    ``region``), ``clear`` (no unit of another side is alive, in ``region`` when given), ``use`` (use the prop
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
    """Prop: centre ``x, y``, size ``width, height``, turned by ``facing``.

    ``door`` names the door that a winch or lever moves.  The terrain already holds its tiles when it ``blocks``.
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
    """Lamp: ``radius`` in tiles, ``color`` as ``#rrggbb``, ``strength`` 0..1; angles in radians.

    A ``half_angle`` of pi shines in every direction; a smaller one is a cone about ``facing``.
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
    """Text on the map: centre ``x, y``, direction ``angle`` in radians.

    ``size`` is the height of a line in tiles.
    """

    id: int
    x: float
    y: float
    text: str
    angle: float = 0.0
    size: float = 1.0
    color: str = "#2a2730"


@dataclass(frozen=True)
class LevelTrigger:
    """Trigger: an event ``on`` of ``source`` causes the effect ``does`` on ``target``.

    ``on``: ``lifted`` or ``used`` (a prop), ``entered`` (a region, by a raider), ``alarm`` (any guard raises one),
    ``start``.  ``does``: ``wake`` (sleeping spawns whose name or route is ``target``), ``rouse`` (wake them and report
    the place of the event to them), ``open`` or ``shut`` (a door), ``say`` (show ``text``), ``command`` (the units
    of ``side`` become squads that hold or take the regions ``target``, by ``intent``).  ``delay`` is in ticks.
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
    side: int = 1
    intent: str = "hold"


@dataclass(frozen=True)
class LayerReading:
    """Reading of one layer, for the card."""

    name: str
    kind: str
    """``tiles``, ``objects``, ``image`` or ``group``."""
    taken_for: str
    """Meaning of the layer: "walls", "ground", "decoration", "spawns and routes"."""
    tiles: int
    """Number of filled tiles or objects."""
    blocking: int
    """Number of tiles that this layer makes impassable."""
    change: str
    """Sentence that names the one property to change the reading."""


@dataclass(frozen=True)
class LevelCard:
    """Card "How Fogline read this map": one line per layer, and notes."""

    title: str
    layers: tuple[LayerReading, ...]
    notes: tuple[str, ...] = ()
    first: tuple[str, ...] = ()
    """Notes above the layers: facts that most readers would miss."""

    def lines(self) -> list[str]:
        """Return the card as plain text lines for the terminal."""
        out = [self.title, *(f"  {note}" for note in self.first)]
        for r in self.layers:
            what = "objects" if r.kind == "objects" else "tiles"
            count = f", {r.tiles} {what}, {r.blocking} block" if r.kind in ("tiles", "objects") else ""
            out.append(f"  {r.name}: {r.taken_for}{count}. {r.change}".rstrip())
        out.extend(f"  {note}" for note in self.notes)
        return out


@dataclass(frozen=True, eq=False)
class Level:
    """Map, ready for the world; two levels of equal ``digest`` play alike."""

    name: str
    """File name without its ending."""
    title: str
    path: Path
    digest: str
    """Hexadecimal digest of terrain and objects; pictures do not count."""
    width: int
    height: int
    tile_size: Point
    """Width and height of a tile in pixels of the map file."""
    passable: NDArray[np.uint8]
    """uint8[H, W], one bit per movement class; a set bit means passable."""
    cost: NDArray[np.uint8]
    """uint8[H, W], step cost in eighths, 1..255: 8 is ordinary ground."""
    opaque: NDArray[np.uint8]
    """uint8[H, W], 1 blocks sight."""
    cover: NDArray[np.uint8]
    """uint8[H, W], cover of a unit on it: 0 none to 3 full."""
    noise: NDArray[np.uint8]
    """uint8[H, W], loudness of a step in eighths."""
    ground: NDArray[np.uint8]
    """uint8[H, W], index into GROUNDS, for the painter."""
    painted: bool = False
    """The painter draws the ground; False: the map's own tiles are drawn.

    True when every tile states its ground.
    """
    layers: tuple[TileLayer | ImageLayer | StampLayer, ...] = ()
    """Drawn layers, from the back to the front."""
    tilesets: tuple[TilesetImage, ...] = ()
    spawns: tuple[Spawn, ...] = ()
    routes: tuple[LevelRoute, ...] = ()
    doors: tuple[LevelDoor, ...] = ()
    regions: tuple[LevelRegion, ...] = ()
    zones: tuple[LevelZone, ...] = ()
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
        """Return the layers made of tiles, from the back to the front."""
        return tuple(layer for layer in self.layers if isinstance(layer, TileLayer))

    def route(self, name: str) -> LevelRoute | None:
        """Return the route of that name."""
        return next((r for r in self.routes if r.name == name), None)

    def door(self, name: str) -> LevelDoor | None:
        """Return the door of that name."""
        return next((d for d in self.doors if d.name == name), None)

    def region(self, name: str) -> LevelRegion | None:
        """Return the region of that name."""
        return next((r for r in self.regions if r.name == name), None)

    def prop(self, name: str) -> LevelProp | None:
        """Return the prop of that name."""
        return next((p for p in self.props if p.name == name), None)

    def tileset_of(self, gid: int) -> TilesetImage | None:
        """Return the tileset of a gid, None for 0."""
        found = None
        for tileset in self.tilesets:
            if tileset.first_gid <= gid and (found is None or tileset.first_gid > found.first_gid):
                found = tileset
        return found if gid > 0 else None
