"""Reloads clips, clothes of sides, scenes and acts while the game runs.

All files are read and checked first. A fault is one line with file and key, and the game keeps its last good data.
Clips and clothes are decoration and change at once. Scenes and acts belong to the world, so they enter by an order,
and only if they differ.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from ai.decision.smart_zones.scene_script import SceneScript
from game.level.files import read_words
from game.sim.orders.order_table import HANDLERS
from game.view.figures.clip_book import ClipBook, read_book
from game.view.input.input_context import CommandContext
from game.view.painting.palette import read_palette
from game.view.units.figures import shipped_book
from game.world.groups.scene_zones import scenes_in
from game.world.orders import Order, OrderKind
from game.world.rules.act_table import acts_in
from game.world.unit_types import DATA


def reload_data(play: CommandContext, folder: Path = DATA) -> str:
    """Reload all files of a folder; return the words to show."""
    try:
        book = read_book(folder / "clips.toml")
        sides = read_palette(folder / "palette.toml").sides
        orders = _changes(play, folder, book)
    except ValueError as error:
        return f"{error}; the data stays as it was"
    shipped_book.cache_clear()
    play.app.palette = replace(play.app.palette, sides=sides)
    play.scene.dress(book, play.app.palette)
    play.hud.figures = play.scene.figures
    for order in orders:
        play.playing.give(order)
    changed = " and ".join(order.name for order in orders)
    return f"Data reloaded{f': {changed} serve from the next tick' if changed else ''}"


def _changes(play: CommandContext, folder: Path, book: ClipBook) -> list[Order]:
    """Return orders for scenes and acts that differ from the world's.

    ValueError names a fault.
    """
    world, orders = play.playing.world, []
    texts = {name: read_words(folder / f"{name}.toml") for name in ("scenes", "acts")}
    scripts = scenes_in(folder / "scenes.toml", texts["scenes"])
    fault = gesture_fault(scripts, book)
    if fault:
        raise ValueError(f"{folder / 'scenes.toml'}: {fault}")
    now = world.scenes.scripts
    if any(zone.scene not in scripts or world.scenes.own(zone, scripts[zone.scene]) != now[zone.id]
           for zone in world.scenes.zones):  # fmt: skip
        orders.append("scenes")
    if not np.array_equal(acts_in(folder / "acts.toml", texts["acts"]), world.act_rows):
        orders.append("acts")
    given = [Order(int(OrderKind.DATA), play.playing.side, name=name, text=texts[name]) for name in orders]
    for order in given:
        refused = HANDLERS[OrderKind.DATA].validate(world, order)
        if refused:
            raise ValueError(refused)
    return given


def gesture_fault(scripts: dict[str, SceneScript], book: ClipBook) -> str:
    """Return the first gesture that is no clip, as "key: fault", or ""."""
    for script in scripts.values():
        for behaviour in script.behaviours.values():
            for clip in behaviour.gesture:
                if clip not in book.index:
                    return f"[scene.{script.name}] behaviour.{behaviour.name}.gesture: there is no clip {clip!r}"
    return ""
