"""Page of a tile: ground, light, watchers, influence, reservations, and paths over it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ai.grid.movement_classes import MovementClass
from ai.grid.terrain import ORDINARY_COST
from ai.paths.store.path_store import PathSource
from ai.search.hierarchy.hpa_batch import CLUSTER
from game.level.model import GROUNDS, Level
from game.minds.agent_view import SIDE_WORDS
from game.systems.sandbox.brushes import ground_at
from game.systems.stealth.foresight import lightness, seen_by
from game.view.lab.why.pages.page import PATH, TILE, UNIT, Page, PageRow, Section, Subject, section
from game.view.lab.why.pages.page_numbers import CROWD, CROWDED, LIGHT, influence_of, number_words
from game.view.lab.why.pages.place_readings import MOST_UNITS, path_points, tiles_to

PLAIN_LOUDNESS = 8.0
"""Loudness of a step on ordinary ground."""


def tile_page(world: Any, level: Level, tile: tuple[int, int]) -> Page:
    """Return the page of a tile (y, x)."""
    y, x = tile
    ground = GROUNDS[ground_at(level.ground, world, y, x)].replace("_", " ")
    walk = bool(world.terrain.passable[tile] & 1)
    sentence = f"Tile {x}, {y} is {ground}, {'open' if walk else 'blocked'} to walkers."
    return Page(
        f"Tile {x}, {y}",
        sentence,
        (
            section("Ground", _ground(world, tile)), section("Part of", _parts(world, tile)),
            _watchers(world, tile), section("Influence", _influence(world, tile), "click one to pin it", "no reader"),
            section("Reserved", _reservations(world, tile), "", "nobody"),
            _plans(world, tile),
        ),
    )  # fmt: skip


def _ground(world: Any, tile: tuple[int, int]) -> list[PageRow]:
    terrain, (y, x) = world.terrain, tile
    mask = int(terrain.passable[tile])
    who = ", ".join(c.name.lower().replace("_", " ") for c in MovementClass if mask >> c & 1) or "nobody"
    loud = float(world.loudness[tile]) / PLAIN_LOUDNESS if world.loudness.size else 1.0
    rows = [
        PageRow("passable to", who),
        PageRow("cost", f"{float(terrain.cost[tile]) / ORDINARY_COST:.2f} of ordinary ground"),
        PageRow(
            "cover behind it", f"{float(terrain.cover[tile]) / 2.55:.0f} %", share=float(terrain.cover[tile]) / 255
        ),
        PageRow("sight", "blocked" if terrain.opaque[tile] else "free"),
        PageRow("loudness of a step", f"{loud:.2f}"),
    ]
    light = lightness(world, x + 0.5, y + 0.5)
    return [
        *rows,
        PageRow("light", f"{light * 100:.0f} %", number=LIGHT),
        PageRow(f"crowd within {CROWD:.0f} tiles", number=CROWDED),
    ]


def _parts(world: Any, tile: tuple[int, int]) -> list[PageRow]:
    y, x = tile
    named = [r.name for r in world.regions if len(r.points) > 2 and r.contains(x + 0.5, y + 0.5)]
    rows = [PageRow("region", ", ".join(named) or "none")]
    clusters = world.paths.engines.paths
    where = f"{x // CLUSTER}, {y // CLUSTER}" + ("" if clusters else "; no search uses it here")
    rows.append(PageRow(f"cluster of {CLUSTER} tiles", where))
    label = int(world.components.label(0, y, x))
    rows.append(PageRow("connected area", str(label) if label else "none: blocked"))
    graph = world.rooms.graph
    if graph is not None and graph.area.shape == world.terrain.passable.shape:
        code = int(graph.area[tile])
        rows.append(
            PageRow("room of sound", "wall" if code == -1 else f"opening {-2 - code}" if code < -1 else str(code))
        )
    return rows


def _watchers(world: Any, tile: tuple[int, int]) -> Section:
    """Return the units that see the tile, and their times to identify an enemy."""
    u, (y, x) = world.units, tile
    living = u.living()
    title, beside = "Who sees it", "time to identify"
    if len(living) > MOST_UNITS:
        return section(title, [], beside, f"not asked for above {MOST_UNITS} units")
    rows, sides = [], np.unique(u.side[living]).tolist()
    for side in sides:
        sees = bool(world.sight.sees(side, y, x))
        rows.append(PageRow(f"side of the {SIDE_WORDS[side]}s", "sees it now" if sees else "does not see it"))
    found: dict[int, float] = {}
    for side in sides:
        for one in seen_by(world, side, x + 0.5, y + 0.5):
            found[one.watcher] = min(one.seconds, found.get(one.watcher, math.inf))
    rows += [
        PageRow(world.name_of(unit), f"{seconds:.1f} s", link=Subject(UNIT, (unit,)))
        for unit, seconds in sorted(found.items(), key=lambda item: (item[1], item[0]))
    ]
    return section(title, rows, beside)


def _influence(world: Any, tile: tuple[int, int]) -> list[PageRow]:
    """Return a row for each published layer of a side."""
    return [PageRow(name, number_words(name, value), number=name) for name, value in influence_of(world, tile).items()]


def _reservations(world: Any, tile: tuple[int, int]) -> list[PageRow]:
    """Return who has a slot, a goal or a narrow passage on the tile."""
    u, n, (y, x) = world.units, world.units.count, tile
    alive = u.alive[:n] == 1
    rows = []
    slotted = alive & (u.band[:n] >= 0) & (np.floor(u.slot_x[:n]) == x) & (np.floor(u.slot_y[:n]) == y)
    aimed = alive & (u.moving[:n] == 1) & (np.floor(u.goal_x[:n]) == x) & (np.floor(u.goal_y[:n]) == y)
    for mask, words in ((slotted, "formation slot"), (aimed, "goal of its order")):
        for unit in u.id[:n][mask].tolist():
            rows.append(PageRow(world.name_of(unit), words, link=Subject(UNIT, (unit,))))
    passages = world.passages
    if passages.narrow.shape != world.terrain.passable.shape:
        return rows
    passage = passages.at(world.terrain, int(MovementClass.WALK), y, x)
    if passage is None:
        return rows
    rows.append(PageRow("narrow passage", f"{len(passage.tiles)} tiles for one body"))
    for side in np.unique(u.side[:n][alive]).tolist():
        way, since = passages.held.get(passages.name(passage, side), (0, world.tick))
        if way:
            rows.append(PageRow("held", f"{SIDE_WORDS[side]}s, one way for {(world.tick - since) / 20:.1f} s"))
    for _, _, inside, far, unit, _ in (c for c in passages.claims if c[0] in _names(passages, passage, world)):
        words = "its group is inside" if inside else f"its group is {far:.1f} tiles off"
        rows.append(PageRow(world.name_of(unit), words, link=Subject(UNIT, (unit,))))
    return rows


def _names(passages: Any, passage: Any, world: Any) -> set[int]:
    return {passages.name(passage, side) for side in range(len(SIDE_WORDS))}


def _plans(world: Any, tile: tuple[int, int]) -> Section:
    """Return the units whose paths lead over the tile."""
    u, store = world.units, world.paths.store
    title = "Who plans over it"
    walkers = [slot for slot in u.living().tolist() if slot < store.capacity and store.path_len[slot] > 0]
    if len(walkers) > MOST_UNITS:
        return section(title, [], "", f"not asked for above {MOST_UNITS} paths")
    rows = []
    for slot in walkers:
        far = tiles_to(path_points(world, slot), tile)
        if far < math.inf:
            unit = int(u.id[slot])
            source = PathSource(int(store.waypoints(slot)[0, 2])).name.lower()
            rows.append((far, PageRow(world.name_of(unit), f"in {far:.0f} tiles", source, link=Subject(PATH, (unit,)))))
    return section(title, [row for _, row in sorted(rows, key=lambda item: item[0])], "paths", "no path")


def tile_subject(x: float, y: float) -> Subject:
    """Return the tile of a place."""
    return Subject(TILE, (int(y), int(x)))
