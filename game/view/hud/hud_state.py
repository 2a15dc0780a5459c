"""Writer of the HUD's values, at most ten times a second."""

from __future__ import annotations

import math

import numpy as np

from game.systems.stealth.foresight import lightness
from game.view.hud import formation_bar, squad_card
from game.view.hud.hud_layout import chips_that_fit, most_groups, portraits_that_fit
from game.view.hud.hud_values import HudState, clock_words
from game.view.input.order_input import situation_of
from game.view.input.selection import Selection
from game.view.painting.camera import Camera
from game.view.stealth.watcher_marks import SURE_FROM, symbol_of
from game.view.window.playing import Playing

EVERY_MS = 100

MOST_MARKED = 400
"""Largest number of units whose marks are all read.

Above it only units with a filling detection meter count, because each mark asks the unit's mind.
"""


def fill_state(
    state: HudState, playing: Playing, selection: Selection, camera: Camera, size: tuple[int, int], scale: float
) -> None:
    """Update all values of the HUD."""
    world = playing.world
    _objective(state, playing, selection, camera)
    _alarm(state, playing)
    state.clock = clock_words(world.tick)
    state.speed = playing.clock.speed
    state.paused = playing.clock.paused
    state.groups = {}
    for number in sorted(selection.groups):
        ids = tuple(i for i in selection.groups[number] if i in playing.picture.living_ids)
        if ids:
            words = world.name_of(ids[0]) if len(ids) == 1 else _count_words(len(ids))
            state.groups[number] = (words, bool(selection.ids) and set(ids) <= set(selection.ids))
    situation = situation_of(playing, selection.ids)
    if situation.selected != state.situation.selected:
        state.page = 0
    state.situation = situation
    state.drawer = state.drawer if formation_bar.shows(situation) else ""
    state.groups = dict(list(state.groups.items())[: most_groups(size, scale)])
    dark = world.light.ambient < 1 and bool(selection.ids)
    count, groups = len(selection.ids), len(state.groups)
    p = playing.picture
    state.portraits = []
    # Small portraits show a squad; of more, chips show most. The last cell then tells how many are left out.
    state.chips = count > portraits_that_fit(size, scale, groups, dark)
    most = min(count, chips_that_fit(size, scale, groups, dark)) if state.chips else count
    if most < count:
        most -= 1
    for unit in selection.ids[:most]:
        row = p.row_of.get(unit)
        if row is not None:
            state.portraits.append((unit, world.name_of(unit), int(p.hp[row]), int(p.hp_max[row])))
    state.more = max(0, len(selection.ids) - most)
    _exposure(state, playing)
    squad_card.fill_squad(state, playing, selection.ids)


def _exposure(state: HudState, playing: Playing) -> None:
    """Write the noticed and the loaded units, and by night the light."""
    world, p = playing.world, playing.picture
    noticed = set(p.meter_target[(p.meter > SURE_FROM) & (p.alive == 1) & (p.side != playing.side)].tolist())
    vision = world.vision
    if len(vision.others):
        noticed |= set(vision.others[(vision.progress > SURE_FROM) & (vision.others >= 0)].tolist())
    state.noticed = frozenset(unit for unit, *_ in state.portraits if unit in noticed)
    rows = [p.row_of[unit] for unit, *_ in state.portraits]
    state.loads = frozenset(int(p.id[r]) for r in rows if p.carrying[r] >= 0)
    state.light = None
    if world.light.ambient < 1 and rows:
        state.light = max(lightness(world, float(p.x[r]), float(p.y[r])) for r in rows)


def _count_words(count: int) -> str:
    return {1: "One", 2: "Two", 3: "Three", 4: "Four", 5: "Five", 6: "Six", 7: "Seven", 8: "Eight"}.get(
        count, str(count)
    )


def objective_place(playing: Playing) -> tuple[float, float] | None:
    """Return the position of the current objective, or None if it has none."""
    world = playing.world
    current = world.mission.current()
    if current is None:
        return None
    if current.kind in ("take", "use"):
        prop = world.prop(current.target)
        return (prop.x, prop.y) if prop is not None else None
    region = world.region(current.region) if current.region else None
    return region.centre if region is not None else None


def _objective(state: HudState, playing: Playing, selection: Selection, camera: Camera) -> None:
    mission = playing.world.mission
    current = mission.current()
    if current is None:
        state.objective = {"won": "Mission won", "lost": "Mission lost"}.get(mission.status, playing.level.title)
        state.then, state.icon, state.distance = "", "flag", -1.0
        if mission.status == "sandbox":
            state.then = "no objective: look about"
        return
    state.objective = current.text or current.name
    state.icon = "chest" if current.kind in ("take", "bring") else "flag"
    following = [o for o in mission.objectives if not o.done and not o.optional and o.id != current.id]
    state.then = f"then: {following[0].text}" if following else ""
    place = objective_place(playing)
    if place is None:
        state.distance = -1.0
        return
    p = playing.picture
    rows = p.rows(selection.ids)
    if len(rows) == 0:
        rows = p.living(playing.side)
    x, y = (float(np.mean(p.x[rows])), float(np.mean(p.y[rows]))) if len(rows) else (camera.x, camera.y)
    state.distance = math.hypot(place[0] - x, place[1] - y)
    state.direction = math.atan2(place[1] - y, place[0] - x)


def _alarm(state: HudState, playing: Playing) -> None:
    """Fill in the highest alarm state and the number of units in it.

    The state is read from the marks drawn above the units' heads.
    """
    p, world = playing.picture, playing.world
    others = p.living()
    others = others[p.side[others] != playing.side]
    if len(others) > MOST_MARKED:
        others = others[p.meter[others] > SURE_FROM]
    columns = (p.id[others].tolist(), p.meter[others].tolist(), p.asleep[others].tolist())
    marks = [symbol_of(world, unit, meter, bool(asleep)) for unit, meter, asleep in zip(*columns, strict=True)]
    unsure = sum(
        mark == "question" or (mark == "eye" and meter > SURE_FROM)
        for mark, meter in zip(marks, columns[1], strict=True)
    )
    for word, icon, count in (
        ("Alarm", "alarm", marks.count("alarm")), ("Search", "search", marks.count("search")),
        ("Suspicion", "eye", unsure), ("Unnoticed", "eye_shut", 0),
    ):  # fmt: skip
        if count or word == "Unnoticed":
            state.alarm, state.alarm_icon, state.alarm_count = word, icon, count
            return
