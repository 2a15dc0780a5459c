"""Makes the README's pictures from the game itself: ``python -m tools.pictures [NAME ...]``."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path

from game.level.finding import find_level
from game.view.hud.hud_state import EVERY_MS as HUD_EVERY_MS
from game.view.screens.play_screen import PlayScreen
from game.view.window.shot import ShotRequest, take_shot
from game.world.orders import Order, OrderKind

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
CROSSING = ROOT / "levels" / "the_crossing.tmx"
STEALTH = ROOT / "levels" / "the_crossing.stealth.toml"
HILL = ROOT / "levels" / "hill_and_farm.tmx"
HILL_PLAN = ROOT / "levels" / "hill_and_farm.plan.toml"
DEPOT = ROOT / "levels" / "the_depot.tmx"
CELLAR = ROOT / "levels" / "the_depot.cellar.toml"
LONG_WAY = DOCS / "pictures" / "long_way.toml"

# name -> (target, script, tick, camera, selected units, overlays)
Row = tuple[str, Path | None, int, tuple[float, float, int] | None, tuple[int, ...], tuple[str, ...]]
PICTURES: dict[str, Row] = {
    "menu": ("menu", None, 0, None, (), ()),
    "gallery": ("gallery", None, 0, None, (), ()),
    "crossing": (str(CROSSING), STEALTH, 760, (84.0, 29.0, 32), (0,), ()),
    "depot": (str(DEPOT), CELLAR, 2580, (57.5, 22.5, 32), (0,), ()),
    "missions": ("missions", None, 0, None, (), ()),
    "start": (str(CROSSING), None, 30, None, (0, 1, 2, 3), ()),
    "overlay_cost": (str(CROSSING), None, 30, (44.0, 22.0, 24), (), ("cost",)),
    "overlay_flood": (str(CROSSING), STEALTH, 4, (32.0, 20.0, 16), (0,), ("flood",)),
    "overlay_paths": (str(CROSSING), LONG_WAY, 18, (38.0, 26.5, 24), (4, 0), ("paths",)),
    "overlay_queue": (str(CROSSING), LONG_WAY, 12, (30.0, 22.0, 24), (4,), ("queue",)),
    "overlay_whiskers": (str(CROSSING), LONG_WAY, 60, (33.0, 25.0, 48), (4, 5, 6, 7), ("whiskers", "motion")),
    "overlay_sight": (str(CROSSING), STEALTH, 760, (84.0, 29.0, 32), (0,), ("sight", "cones")),
    "overlay_components": (str(CROSSING), None, 30, (48.0, 32.0, 12), (), ("components",)),
    "exhibit_explorer": (str(find_level("astar_explorer")), None, 45, None, (), ()),
    "exhibit_jump_tables": (str(find_level("jump_tables")), None, 60, None, (), ()),
    "exhibit_flow_field": (str(find_level("flow_field")), None, 32, None, (), ()),
    "exhibit_subgoals": (str(find_level("subgoals")), None, 60, None, (), ()),
    "inspector": (str(CROSSING), STEALTH, 760, (84.0, 29.0, 32), (10,), ("minds", "detection")),
}

CARDS: dict[str, Row] = {
    "the_crossing": (str(CROSSING), STEALTH, 525, (80.0, 20.0, 24), (), ()),
    "the_depot": (str(DEPOT), CELLAR, 2580, (57.5, 22.5, 32), (0,), ()),
    "hill_and_farm": (str(HILL), HILL_PLAN, 500, (38.0, 14.0, 32), (), ()),
}
"""Pictures of the menu's cards, for assets/missions.

They are the same pictures, cut out of the middle and reduced.
"""
CARD = (640, 360)

FIGHT = find_level("fight_twenty")
BRIDGE = find_level("bridge_60")
RUSH = ROOT / "levels" / "the_crossing.rush.toml"
END_TICK = 2076
"""Tick at which the quiet mission has been won."""
BUSY: dict[str, Row] = {
    "fight": (str(FIGHT), FIGHT.with_suffix(".toml"), 203, (33.0, 12.0, 32), tuple(range(8)), ()),
    "chase": (str(CROSSING), RUSH, 560, None, (), ()),
    "night_yard": (str(DEPOT), CELLAR, 2580, (57.5, 25.5, 32), (0,), ()),
    "bridge": (str(BRIDGE), BRIDGE.with_suffix(".toml"), 260, None, (), ()),
    "lab": (str(CROSSING), STEALTH, 760, (84.0, 29.0, 32), (19,), ("sight", "cones", "paths")),
    "explorer": (str(find_level("astar_explorer")), None, 45, None, (), ()),
    "gallery": ("gallery", None, 0, None, (), ()),
    "eight": (str(CROSSING), None, 60, None, tuple(range(8)), ()),
    "twenty_four": (str(BRIDGE), BRIDGE.with_suffix(".toml"), 120, None, tuple(range(24)), ()),
    "plan": (str(CROSSING), STEALTH, 60, None, tuple(range(8)), ()),
    "end": (str(CROSSING), STEALTH, END_TICK, None, (), ()),
}
"""Busy moments of docs/pictures, from a fight to the end of a mission."""
BUSY_SIZES = ((1280, 720), (1920, 1080))
SMALL, COLOURS = (960, 540), 256
"""Size in pixels and number of colours of a kept picture."""


def plan_two_fours(play: PlayScreen) -> None:
    """Plan walks of two fours, east and to the wood."""
    p, chosen = play.playing.picture, play.selection.ids
    play.give_command("plan")
    for number, unit in enumerate(chosen):
        row = p.row_of[unit]
        east, south = (9.0, 1.0) if number < len(chosen) // 2 else (4.0, 4.0)
        order = Order(int(OrderKind.MOVE), play.playing.side, (unit,), x=p.x[row] + east, y=p.y[row] + south)
        play.give_order(order)
    play.update(HUD_EVERY_MS)  # the hint of play gives way to the plan


PREPARED: dict[str, Callable[[PlayScreen], None]] = {"plan": plan_two_fours}
"""Modes of the play screen to enter before the picture, by name."""


def make_busy(name: str) -> list[Path]:
    """Draw a busy moment in both sizes of window, reduced and in few colours."""
    from PIL import Image

    target, script, tick, camera, select, overlays = BUSY[name]
    made = []
    for size in BUSY_SIZES:
        out = DOCS / "pictures" / f"busy_{name}{'' if size == BUSY_SIZES[0] else f'_{size[1]}'}.png"
        prepare = PREPARED.get(name)
        take_shot(ShotRequest(target, out, tick, 7, overlays, select, camera, size, script, prepare))
        with Image.open(out) as picture:
            small = picture.convert("RGB").resize(SMALL, Image.Resampling.LANCZOS)
        # Median cut would give the few pixels of the sides' colours to the ground's. A round of k-means smooths the
        # ground.
        few = small.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE)
        few.save(out, optimize=True)
        made.append(out)
    return made


def make_card(name: str) -> Path:
    """Draw a mission's card without the HUD's panels."""
    import pygame

    target, script, tick, camera, select, overlays = CARDS[name]
    out = ROOT / "assets" / "missions" / f"{name}.png"
    take_shot(ShotRequest(target, out, tick, 7, overlays, select, camera, (1280, 720), script))
    picture = pygame.image.load(str(out))
    cut = picture.subsurface(pygame.Rect(239, 76, 742, 417))
    pygame.image.save(pygame.transform.smoothscale(cut, CARD), str(out))
    return out


def make(names: list[str]) -> None:
    """Draw the named pictures (all without names) into docs/, in 256 colours."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
    from tools import figure_pictures

    for name in names or [
        *PICTURES,
        "figures",
        *(f"card:{name}" for name in CARDS),
        *(f"busy:{name}" for name in BUSY),
    ]:
        if name.startswith("busy:") and name[5:] in BUSY:
            for made in make_busy(name[5:]):
                print(made.relative_to(ROOT))
            continue
        if name == "figures":
            for made in figure_pictures.make(DOCS / "pictures"):
                print(made.relative_to(ROOT))
            continue
        if name.startswith("card:") and name[5:] in CARDS:
            print(make_card(name[5:]).relative_to(ROOT))
            continue
        if name not in PICTURES:
            raise SystemExit(f"pictures: {name} is none of {', '.join([*PICTURES, 'figures'])}")
        target, script, tick, camera, select, overlays = PICTURES[name]
        out = DOCS / f"{name}.png"
        take_shot(ShotRequest(target, out, tick, 7, overlays, select, camera, (1280, 720), script))
        print(out.relative_to(ROOT))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    make(parser.parse_args().names)
