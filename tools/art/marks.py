"""Marks on the map: orders, rings, facing wedges, far marks, meters, cursors."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np

from game.view.painting.outlines import curve, limb, regular
from game.view.painting.palette import RGB, Palette, SideColours, mix, palette
from tools.art.drawing import png
from tools.art.drawing.canvas import Canvas

MARK_CELL = 44  # px; the meaning of one mark pixel does not change with the zoom
METER_CELL = 34
METER_STEPS = 16
FAR_RADIUS = {12: 5.2, 8: 4.6, 4: 3.3}
FAR_CELL = 16
DIRECTIONS = 16
CURSOR = 32


def _with_casing(canvas: Canvas, outlines: list[np.ndarray], colour: RGB, casing: RGB, width: float = 1.4) -> None:
    """Draw shapes in ``colour`` with a pale casing round all of them.

    The casing makes them visible on every ground.
    """
    for outline in outlines:
        canvas.line(np.r_[outline, outline[:1]], width * 2, casing)
        canvas.fill(outline, casing)
    for outline in outlines:
        canvas.fill(outline, colour)


def _arc(radius: float, width: float, start: float, end: float) -> np.ndarray:
    a = np.linspace(start, end, 14)
    outer = np.c_[(radius + width / 2) * np.cos(a), (radius + width / 2) * np.sin(a)]
    inner = np.c_[(radius - width / 2) * np.cos(a[::-1]), (radius - width / 2) * np.sin(a[::-1])]
    return np.r_[outer, inner]


def _cut_ring(radius: float = 12.6, width: float = 2.6) -> list[np.ndarray]:
    return [_arc(radius, width, q * math.pi / 2 + 0.32, (q + 1) * math.pi / 2 - 0.32) for q in range(4)]


def _inward(base: float = 13.8, tip: float = 5.0, spread: float = 0.27) -> list[np.ndarray]:
    out = []
    for q in range(4):
        a = q * math.pi / 2
        corners = [(tip, a), (base, a + spread), (base, a - spread)]
        out.append(np.array([(r * math.cos(t), r * math.sin(t)) for r, t in corners]))
    return out


def _move() -> list[np.ndarray]:
    return _cut_ring() + _inward() + [regular(0, 0, 2.2, 12)]


def _attack() -> list[np.ndarray]:
    bars = [limb((m * -5.6, -5.6), (m * 5.6, 5.6), 2.8) for m in (-1, 1)]
    return _cut_ring() + bars


def _use() -> list[np.ndarray]:
    frame = [_arc(12.6, 2.6, q * math.pi / 2 + 0.45, (q + 1) * math.pi / 2 - 0.45) for q in range(4)]
    return frame + [regular(0, 0, 6.4, 4)]


def _patrol() -> list[np.ndarray]:
    arcs = [_arc(12.0, 2.6, s, s + 2.3) for s in (0.4, 0.4 + math.pi)]
    heads = [np.array([(m * -15.4, m * 7.6), (m * -12.6, m * -3.6), (m * -5.0, m * 5.2)]) for m in (1, -1)]
    return arcs + heads


def _hold() -> list[np.ndarray]:
    return [regular(0, 0, 14, 4, 0), regular(0, 0, 2.2, 12)]


def _slot() -> list[np.ndarray]:
    return [regular(0, 0, 3.2, 16)]


def _flag() -> list[np.ndarray]:
    return [limb((0, 0), (0, -17), 2.0), np.array([(1, -17.5), (13, -13.5), (1, -9.5)])]


ORDERS: dict[str, Callable[[], list[np.ndarray]]] = {
    "move": _move,
    "attack": _attack,
    "attack_move": lambda: _move()[:8] + [limb((-4, -4), (4, 4), 2.4), limb((4, -4), (-4, 4), 2.4)],
    "use": _use,
    "patrol": _patrol,
    "hold": _hold,
    "slot": _slot,
    "flag": _flag,
}


def colours() -> dict[str, tuple[RGB, RGB]]:
    """Return row name -> colour and casing of order marks and rings."""
    p = palette()
    rows = {side.name: (side.colour, p["rim"] if side.headgear != "cowl" else p["ink"]) for side in p.sides}
    return rows | {
        "night": (p["select_night"], p["ink"]),
        "pinned": (p["vermilion"], p["rim"]),
        "plain": (p["ink"], p["rim"]),
    }


def order_mark(kind: str, colour: RGB, casing: RGB, scale: int = 1) -> np.ndarray:
    """Return the picture of an order mark, uint8 rgba.

    The position of the order is in the middle of the cell.
    """
    canvas = Canvas(MARK_CELL * scale, MARK_CELL * scale, 4, scale)
    shift = np.array([MARK_CELL / 2, MARK_CELL / 2])
    _with_casing(canvas, [outline + shift for outline in ORDERS[kind]()], colour, casing)
    return canvas.rgba()


def ring(zoom: int, colour: RGB, casing: RGB, dashed: bool) -> np.ndarray:
    """Return a selection ring round a figure, with a radius of half a tile."""
    radius = max(6.0, 16.5 * zoom / 32)
    width = 2.4 if zoom >= 24 else 1.8
    cell = int(2 * math.ceil(radius + 4))
    canvas = Canvas(cell, cell, 4)
    centre = (cell / 2, cell / 2)
    dash = (6.0, 4.4) if dashed else None
    canvas.ring(centre, radius, width + 1.9, casing, 235 if not dashed else 255, dash=dash)
    canvas.ring(centre, radius, width, colour, dash=dash)
    return canvas.rgba()


def wedge(zoom: int, direction: int, colour: RGB) -> np.ndarray:
    """Return the short facing wedge of a guard without a shown cone."""
    k = zoom / 32
    cell = int(2 * math.ceil(34 * k + 2))
    turn = direction * 2 * math.pi / DIRECTIONS
    a = np.linspace(-0.42, 0.42, 9) + turn
    outline = np.r_[
        np.c_[32 * k * np.cos(a), 32 * k * np.sin(a)], np.c_[19 * k * np.cos(a[::-1]), 19 * k * np.sin(a[::-1])]
    ]
    canvas = Canvas(cell, cell, 4)
    canvas.fill(outline + cell / 2, colour, 205)
    return canvas.rgba()


def far_mark(side: SideColours, zoom: int, direction: int, night: bool = False) -> np.ndarray:
    """Return a far mark in the colour and shape of a side.

    A pale notch shows the facing, and the ink outline bulges there. The notch reaches the edge of the shape, so that
    it stays visible at 4 px a tile.
    """
    p = palette()
    r, cell = FAR_RADIUS[zoom], FAR_CELL
    turn = direction * 2 * math.pi / DIRECTIONS
    middle = np.array([cell / 2, cell / 2])
    nose = np.array([math.cos(turn), math.sin(turn)])
    across = np.array([-nose[1], nose[0]])
    size = {"triangle": 1.28, "disc": 1.0, "square": 1.1, "hexagon": 1.06}[side.mark] * r
    corners = {"triangle": 3, "disc": 36, "square": 4, "hexagon": 6}[side.mark]
    body = regular(0, 0, size, corners, turn + (math.pi / 4 if side.mark == "square" else 0)) + middle
    canvas = Canvas(cell, cell, 8)
    lines = [(p["ink"], 2.3)] if not night else [(p["rim"], 4.6), (p["ink"], 2.3)]
    beak = np.array([middle + nose * (r + 1.9), middle + across * r * 0.62, middle - across * r * 0.62])
    for colour, width in lines:
        for outline in (body, beak) if side.mark != "triangle" else (body,):
            canvas.line(np.r_[outline, outline[:1]], width, colour)
            canvas.fill(outline, colour)
    canvas.fill(body, side.colour)
    pale = p["white"] if side.headgear not in ("cowl", "straw_hat") else p["ink"]
    notch = np.array(
        [middle + nose * (r + 0.9) + across * r * 0.05, middle + across * r * 0.44, middle - across * r * 0.44]
    )
    if side.mark == "triangle":
        notch = np.array([middle + nose * r * 1.16, middle + across * r * 0.30, middle - across * r * 0.30])
    canvas.fill(notch, pale)
    return canvas.rgba()


def meter(symbol: str, step: int, scale: int = 1) -> np.ndarray:
    """Return a detection meter: state icon in a ring that fills clockwise.

    ``step`` counts from 0 to METER_STEPS.
    """
    p = palette()
    cell = METER_CELL * scale
    canvas = Canvas(cell, cell, 4, scale)
    c = (METER_CELL / 2, METER_CELL / 2)
    x, y = c
    full = symbol == "alarm"
    # Amber says that a watcher suspects something; how far it has identified a body has a colour of its own.
    colour = p["vermilion"] if full else p["meter"]
    canvas.disc(c, 15.2, p["ink"])
    canvas.disc(c, 13.6, mix(p["rim"], p["amber"], 0.75) if symbol in ("question", "search") else p["rim"])
    canvas.ring(c, 10.9, 4.8, mix(p["rim"], p["ink"], 0.22))
    if step:
        canvas.ring(c, 10.9, 4.8, colour, start=-math.pi / 2, end=-math.pi / 2 + 2 * math.pi * step / METER_STEPS)
    ink = p["ink"]
    if symbol == "question":
        hook = [
            (x - 3.2, y - 2.6),
            (x - 1.6, y - 5.2),
            (x + 1.9, y - 5.0),
            (x + 3.0, y - 2.4),
            (x + 0.4, y + 0.1),
            (x, y + 2.2),
        ]
        canvas.line(curve(hook, 5), 2.3, ink)
        canvas.disc((x, y + 5.2), 1.6, ink)
    elif symbol == "alarm":
        canvas.line([(x, y - 5.6), (x, y + 1.4)], 3.0, ink)
        canvas.disc((x, y + 5.2), 1.8, ink)
    elif symbol == "search":
        canvas.ring((x - 1.2, y - 1.2), 3.2, 1.7, ink)
        canvas.line([(x + 1.4, y + 1.4), (x + 5.4, y + 5.4)], 2.4, ink)
    elif symbol == "asleep":
        canvas.line([(x - 3.6, y - 4.4), (x + 3.4, y - 4.4), (x - 3.4, y + 4.4), (x + 3.8, y + 4.4)], 1.9, ink)
    elif symbol == "ear":
        for r in (2.5, 5.4):
            canvas.ring((x - 2.6, y), r, 1.9, ink, start=-0.95, end=0.95)
        canvas.disc((x - 3.2, y), 1.2, ink)
    else:
        for lid in (-3.6, 3.6):
            canvas.line(curve([(x - 6, y), (x, y + lid), (x + 6, y)], 8), 1.7, ink)
        canvas.disc(c, 1.9, ink)
    return canvas.rgba()


METERS = ("eye", "ear", "question", "alarm", "search", "asleep")


def _arrow_cursor(canvas: Canvas, accent: RGB | None = None) -> None:
    p = palette()
    outline = np.array([(3, 2), (3, 25), (9, 19.6), (13, 29), (17, 27.2), (13, 18), (21, 18)], float)
    canvas.fill(outline, p["ink"])
    inner = np.array([(4.9, 6.4), (4.9, 20.6), (9.6, 16.6), (13.9, 26.4), (14.6, 26.0), (10.5, 16.2), (16.6, 16.2)])
    canvas.fill(inner, accent or p["white"])


CURSORS = ("arrow", "move", "attack", "use", "pan", "no", "select")
HOTSPOTS = {name: [16, 16] for name in CURSORS} | {"arrow": [3, 2]}


def cursor(name: str, scale: int = 1) -> np.ndarray:
    """Return the picture of a cursor, uint8[32 * scale, 32 * scale, 4]."""
    p = palette()
    canvas = Canvas(CURSOR * scale, CURSOR * scale, 4, scale)
    centre = np.array([16, 16])
    if name == "arrow":
        _arrow_cursor(canvas)
    elif name in ("move", "attack", "use"):
        colour = {"move": p["blue"], "attack": p["vermilion"], "use": p["ink"]}[name]
        _with_casing(canvas, [o * 0.92 + centre for o in ORDERS[name]()], colour, p["rim"])
    elif name == "pan":
        heads = [np.array([(0, -14), (5, -8), (-5, -8)]), np.array([(0, 14), (5, 8), (-5, 8)])]
        heads += [head[:, ::-1] for head in heads]
        bars = [limb((0, -9), (0, 9), 2.4), limb((-9, 0), (9, 0), 2.4)]
        _with_casing(canvas, [o + centre for o in heads + bars], p["ink"], p["rim"])
    elif name == "no":
        slash = limb((-7, -7), (7, 7), 2.6)
        _with_casing(canvas, [_arc(10.5, 2.8, 0, 2 * math.pi) + centre, slash + centre], p["vermilion"], p["rim"])
    else:
        corners = []
        for sx, sy in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            corners += [
                limb((sx * 10, sy * 10), (sx * 4, sy * 10), 2.4),
                limb((sx * 10, sy * 10), (sx * 10, sy * 4), 2.4),
            ]
        _with_casing(canvas, [o + centre for o in corners], p["ink"], p["rim"])
    return canvas.rgba()


def effects() -> dict[str, np.ndarray]:
    """Return muzzle flash, smoke, star of a hit and dust of a miss.

    Each picture has 48 px. The scale is 32 px a tile, and +x is forward.
    """
    p = palette()
    out: dict[str, np.ndarray] = {}
    flash = Canvas(48, 48, 4)
    far = [19, 4, 9, 3.5, 12, 3.5, 7, 3.5, 12, 3.5, 9, 4]
    star = np.array([(math.cos(k * math.tau / 12) * r, math.sin(k * math.tau / 12) * r) for k, r in enumerate(far)])
    _with_casing(flash, [star + (22, 24)], mix(p["lamp"], p["white"], 0.25), p["ink"], 0.9)
    flash.fill(star * 0.5 + (23, 24), p["white"])
    out["flash"] = flash.rgba()
    for i, spread in enumerate((4.0, 5.5, 7.0)):
        cloud = Canvas(48, 48, 4)
        blobs = [(0, 0, 1.0), (1.2, 0.4, 0.8), (-1.1, 0.5, 0.6)]
        for dx, dy, r in blobs:
            at = (24 + dx * spread, 24 + dy * spread)
            cloud.disc(at, spread * r + 1, mix(p["mist"], p["ink"], 0.35), 96 - 24 * i)
        for dx, dy, r in blobs:
            cloud.disc((24 + dx * spread, 24 + dy * spread), spread * r, p["rim"], 120 - 30 * i)
        out[f"smoke{i + 1}"] = cloud.rgba()
    for i, grown in enumerate((1.0, 1.18, 1.35)):
        out[f"puff{i + 1}"] = _puff(p, grown, i)
    hit = Canvas(48, 48, 4)
    points = [
        np.array([(math.cos(k * math.pi / 7) * (r, r * 0.42)[k % 2], math.sin(k * math.pi / 7) * (r, r * 0.42)[k % 2])
                  for k in range(14)]) + 24
        for r in (10.8, 8.4)
    ]  # fmt: skip
    hit.fill(points[0], p["rim"])
    hit.fill(points[1], p["ink"])
    for side in (-1, 1):
        hit.disc((24 - 7, 24 + side * 9), 2.1, p["rim"])
        hit.disc((24 - 7, 24 + side * 9), 1.3, p["ink"])
    out["hit"] = hit.rgba()
    return out


def _puff(p: Palette, grown: float, age: int) -> np.ndarray:
    """Return the dust of a near miss: pale lobes and grains of earth."""
    canvas = Canvas(48, 48, 4)
    paper = mix(mix(p.grounds["road"], p["white"], 0.55), p.grounds["road"], age * 0.3)
    lobes = [(-1.0, 0.2, 5.2), (3.4, -4.6, 4.6), (3.6, 4.4, 4.4), (8.6, -2.6, 3.9), (8.4, 3.0, 3.6), (3.6, 0.0, 6.6)]
    for dx, dy, r in lobes:
        canvas.disc((20 + dx * grown, 24 + dy * grown), r * grown + 1.3, p["ink"], 235 - 60 * age)
    for dx, dy, r in lobes:
        canvas.disc((20 + dx * grown, 24 + dy * grown), r * grown, paper, 255 - 60 * age)
    for dx, dy in ((13.5, -7.5), (16.5, -1.5), (15.0, 5.0), (10.5, 9.5)):
        canvas.disc((20 + dx * grown, 24 + dy * grown), 1.1, p["leather"], 255 - 60 * age)
    return canvas.rgba()


def bake(folder: Path) -> list[dict[str, object]]:
    """Write all marks; return index rows."""
    p = palette()
    rows: list[dict[str, object]] = []

    def sheet(name: str, grid: list[list[np.ndarray]], **meaning: object) -> None:
        file = f"marks/{name}.png"
        height, width = grid[0][0].shape[:2]
        png.write(folder / file, np.concatenate([np.concatenate(line, axis=1) for line in grid], axis=0))
        base = {"name": f"marks.{name}", "file": file, "cell": [width, height], "anchor": [width / 2, height / 2]}
        rows.append(base | meaning)

    for scale in (1, 2):
        grid = [[order_mark(kind, *pair, scale) for kind in ORDERS] for pair in colours().values()]
        sheet(f"orders_{scale}x", grid, columns=list(ORDERS), rows=list(colours()))
        grid = [[meter(symbol, step, scale) for step in range(METER_STEPS + 1)] for symbol in METERS]
        sheet(f"meters_{scale}x", grid, columns="sixteenths filled", rows=list(METERS))
    for zoom in (64, 48, 32, 24, 16, 12, 8, 4):
        grid = [[ring(zoom, *pair, dashed) for dashed in (False, True)] for pair in colours().values()]
        sheet(f"rings_{zoom}", grid, columns=["whole", "dashed"], rows=list(colours()), zoom=zoom)
    for zoom in (64, 48, 32, 24, 16, 12):
        tones = {side.name: side.colour for side in p.sides} | {"night": p["cone_night"]}
        grid = [[wedge(zoom, d, colour) for d in range(DIRECTIONS)] for colour in tones.values()]
        sheet(f"wedges_{zoom}", grid, columns="direction", rows=list(tones), zoom=zoom)
    for zoom in FAR_RADIUS:
        grid = [
            [far_mark(side, zoom, d, night) for d in range(DIRECTIONS)] for night in (False, True) for side in p.sides
        ]
        names = [side.name for side in p.sides]
        sheet(f"far_{zoom}", grid, columns="direction", rows=names + [f"{name}.night" for name in names], zoom=zoom)
    pictures = effects()
    sheet("effects", [list(pictures.values())], columns=list(pictures), rows=["any"])
    for scale in (1, 2):
        grid = [[cursor(name, scale) for name in CURSORS]]
        hotspots = {name: [x * scale, y * scale] for name, (x, y) in HOTSPOTS.items()}
        sheet(f"cursors_{scale}x", grid, columns=list(CURSORS), rows=["any"], hotspots=hotspots)
    return rows
