"""Page of a unit: state, goal, numbers, beliefs beside the truth, body and board."""

from __future__ import annotations

from typing import Any

from ai.decision.blackboards.scoped_boards import ScopedBoards
from game.minds.explain import sentence_of, table_of
from game.minds.squad.squad_words import squad_rows
from game.systems.body.track_words import track_rows
from game.systems.stealth.side_knowledge import knowledge_of
from game.view.lab.why.pages.page import PATH, SIDE, SQUAD, Page, PageRow, Section, Subject, place, section
from game.view.lab.why.pages.side_page import truth_rows
from game.view.lab.why.pages.squad_page import board_rows

GRAPHS = "speed", "health", "meter", "noticed", "agitation", "suppression"
"""Numbers of a unit that are drawn as graphs."""
BELIEF = "belief: "


def unit_page(world: Any, unit: int) -> Page:
    """Return the page of a unit."""
    u = world.units
    slot, squad = u.slot(unit), world.squads.of(unit)
    rows = [PageRow(name, value) for name, value in [*squad_rows(world, unit), *table_of(world, unit)]]
    memory = [PageRow(row.name.removeprefix(BELIEF), row.value) for row in rows if row.name.startswith(BELIEF)]
    state = [row for row in rows if not row.name.startswith(BELIEF)]
    goal = place(float(u.goal_x[slot]), float(u.goal_y[slot])) if u.moving[slot] else "none, it stands"
    links = [PageRow("goal", goal, link=Subject(PATH, (unit,)))]
    if squad is not None:
        links.append(PageRow("squad", squad.name or str(squad.id), link=Subject(SQUAD, (squad.id,))))
    links.append(PageRow("side", "orders, losses, knowledge", link=Subject(SIDE, (int(u.side[slot]),))))
    boards = world.squads.boards.get(int(u.side[slot]), ScopedBoards())
    own = boards.own.get(unit)
    return Page(
        world.name_of(unit),
        sentence_of(world, unit),
        (
            section("State and goal", [*state, *links]),
            Section("Numbers", tuple(PageRow(name, number=name) for name in GRAPHS), "click one to pin it"),
            _beliefs(world, unit, slot),
            section("Memory", memory, "", "as at the start"),
            section("Own board", board_rows(world, unit, own) if own is not None else [], "", "empty"),
            section("Body", [PageRow(name, value) for name, value in track_rows(world, unit)], "tracks and acts"),
        ),
    )


def _beliefs(world: Any, unit: int, slot: int) -> Section:
    """Return where the unit and its side believe enemies to be, beside the truth."""
    u = world.units
    believed: dict[int, tuple[float, float, int]] = {}
    known = knowledge_of(world, int(u.side[slot]))
    for belief in known.beliefs.about.values() if known is not None and unit in world.minds else ():
        believed[belief.target] = belief.x, belief.y, belief.tick
    target = int(u.meter_target[slot])
    if target >= 0 and u.seen_tick[slot] >= 0:
        believed[target] = float(u.seen_x[slot]), float(u.seen_y[slot]), int(u.seen_tick[slot])
    rows = [row for other, where in sorted(believed.items()) for row in truth_rows(world, other, *where)]
    return section("Belief and truth", rows, "", "it believes in no enemy")
