"""Page of a door: state, reason, numbers, and units that ask for it."""

from __future__ import annotations

from typing import Any

from game.minds.agent_view import SIDE_WORDS
from game.systems.interaction.doors import units_in
from game.view.lab.why.pages.page import UNIT, Page, PageRow, Subject, ago, section
from game.view.lab.why.pages.page_numbers import ASKING, INSIDE, OPEN
from game.view.lab.why.pages.place_readings import asking_units
from game.world.places import Door


def door_page(world: Any, number: int) -> Page:
    """Return the page of a door; KeyError for an unknown id."""
    door = world.door(number)
    if door is None:
        raise KeyError(f"no door {number}")
    name = door.name or f"{door.kind} {door.id}"
    state = "open" if door.open else "shut"
    changes = world.recording.get("doors", {}).get(door.id, [])
    since = f" for {(world.tick - door.changed) / 20:.1f} s" if door.changed else " since the start"
    return Page(
        name[:1].upper() + name[1:],
        f"The {door.kind} is {state}{since}: {why(world, door, changes)}.",
        (
            section("State", _state(world, door)),
            section("Numbers", [PageRow(name, number=name) for name in (OPEN, ASKING, INSIDE)], "click one to pin it"),
            section("Who asks for it", _askers(world, door), "", "nobody"),
            section("In the way", [_unit(world, int(world.units.id[s]), "stands in it") for s in units_in(world, door)],
                    "keep it from closing", "nobody"),
            section("Changes", [_change(world, row) for row in changes[::-1]], "", "none recorded"),
        ),
    )  # fmt: skip


def why(world: Any, door: Door, changes: list[tuple[int, bool, int]]) -> str:
    """Return why a door is open or shut, as a clause."""
    if door.open and door.shutting >= 0 and world.tick - door.shutting <= 1:
        return "it should close, and a body is in the way"
    if not changes:
        return "the level has it so"
    verb = "opened" if door.open else "shut"
    return f"{_mover(world, changes[-1][2])} {verb} it {ago(world.tick, changes[-1][0])}"


def _mover(world: Any, unit: int) -> str:
    if unit >= 0:
        return str(world.name_of(unit))
    return "the rule of swinging doors" if world.settings.rules.doors_swing else "a trigger"


def _change(world: Any, row: tuple[int, bool, int]) -> PageRow:
    tick, is_open, unit = row
    link = Subject(UNIT, (unit,)) if unit >= 0 else None
    return PageRow("opened by" if is_open else "shut by", _mover(world, unit), tick=tick, link=link)


def _state(world: Any, door: Door) -> list[PageRow]:
    sides = ", ".join(f"{SIDE_WORDS[side]}s" for side in door.opens_for) or "nobody by hand: its winch alone"
    winches = ", ".join(p.name or p.kind for p in world.props if p.door and p.door == door.name) or "none"
    muffles = world.settings.noise.shut_door if not door.open and door.opaque_shut else 0.0
    return [
        PageRow("tiles", f"{door.x0}, {door.y0} to {door.x1 - 1}, {door.y1 - 1}"),
        PageRow("opens for", sides),
        PageRow("winch", winches),
        PageRow("sight through it", "blocked" if (door.opaque_open if door.open else door.opaque_shut) else "free"),
        PageRow("adds to a sound's path", f"{muffles:.0f} tiles"),
    ]


def _unit(world: Any, unit: int, words: str) -> PageRow:
    return PageRow(world.name_of(unit), words, link=Subject(UNIT, (unit,)))


def _askers(world: Any, door: Door) -> list[PageRow]:
    """Return units that ask for the door, and triggers."""
    rows = [_unit(world, unit, words) for unit, words in asking_units(world, door)]
    for trigger in world.mission.triggers:
        if door.name and trigger.target == door.name and trigger.does in ("open", "shut"):
            state = "has fired" if trigger.fired else "waits"
            rows.append(PageRow(f"trigger {trigger.name}", f"{trigger.does}s it on {trigger.on}; {state}"))
    return rows
