"""Scene script: roles, behaviours, timeline and trigger of a scene, as data.

A place owns the script of a collective scene. Units that take part get a role from it, so a scene needs no code of
theirs. Roles are main, supporting or extra, and each has seats. The timeline has a column for each stage of the scene.
A row of a column lists the boxes that a role plays one after the other, and each box holds weighted alternatives. A
trigger is a conjunction of conditions under which an idle scene may begin.

Places are tiles (x, y) from the middle of the scene; times are ticks.

Source: "Game AI Pro 2", ch. 11 (smart zones and living scenes).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from enum import IntEnum

from ai.core.serialization import record

Place = tuple[float, float]


class Category(IntEnum):
    """Categories of roles, in the order in which they are cast."""

    MAIN = 0
    """All seats must be filled, or the scene does not begin."""
    SUPPORTING = 1
    """Filled by units in the zone, and again when one leaves."""
    EXTRA = 2
    """Filled after the supporting roles, and free to leave."""


CATEGORIES = tuple(c.name.lower() for c in Category)
MIDDLE, OUT = "middle", "out"
"""Directions of a behaviour; any other one is the name of a role."""


@record
class SceneBehaviour:
    """Behaviour of a role: where a unit stands, what it shows, and how long."""

    name: str
    gesture: tuple[str, ...] = ()
    """Variants of the clip of the figure; empty: it stands."""
    reacts: bool = False
    """The gesture is a reaction: it may not wait long for others."""
    least: int = 20
    most: int = 20
    """Ticks, drawn between the two."""
    spot: Place | None = None
    """Place to play it; None is the seat."""
    faces: str = MIDDLE
    phrase: str = ""
    """Text that follows the unit's name ("warms its hands")."""
    takes_over: str = ""
    """Role whose duty the unit takes over at the end; empty for none."""


@record
class SceneRole:
    """Role with one seat for each unit that may play it."""

    name: str
    category: int
    seats: tuple[Place, ...]
    kinds: tuple[str, ...] = ()
    """Unit types that can play it; empty: any."""


@record
class SceneColumn:
    """Stage of a scene: the boxes of each role.

    A box is a tuple of (behaviour, weight). The next column begins when every main role with a row has played it.
    """

    name: str
    rows: dict[str, tuple[tuple[tuple[str, float], ...], ...]] = field(default_factory=dict)


@record
class SceneTrigger:
    """Conditions of a beginning; all must hold.

    ``pause`` are the least ticks since the last end. ``every`` is a period: the scene begins at most once in each,
    at its start or as soon after as the other conditions allow; 0 is none. ``present`` is the least number of capable
    units in the zone.
    """

    pause: int = 0
    every: int = 0
    present: int = 0

    def holds(self, tick: int, started: int, ended: int, present: int) -> bool:
        """Return whether an idle scene may begin; ``started`` is -1 before the first beginning."""
        if tick - ended < self.pause or present < self.present:
            return False
        return not self.every or tick // self.every > max(started, 0) // self.every


@record
class SceneScript:
    """Whole scene.

    After the last column it goes back to column ``loop`` until it has been played ``rounds`` times; ``rounds`` 0 is
    without end.
    """

    name: str
    title: str
    roles: tuple[SceneRole, ...]
    behaviours: dict[str, SceneBehaviour]
    columns: tuple[SceneColumn, ...]
    trigger: SceneTrigger = field(default_factory=SceneTrigger)
    loop: int = 0
    rounds: int = 1

    def role(self, name: str) -> SceneRole:
        """Return the role ``name``; raises KeyError when there is none."""
        for role in self.roles:
            if role.name == name:
                return role
        raise KeyError(name)


def fault_of(script: SceneScript) -> str:
    """Return the first fault as "key: fault", or an empty string."""
    roles = [role.name for role in script.roles]
    mains = [role.name for role in script.roles if role.category == Category.MAIN]
    if not mains:
        return 'role: no role is main, so the scene has no cast; give one role category = "main"'
    for role in script.roles:
        if roles.count(role.name) > 1:
            return f"role.{role.name}: the role stands twice"
        if not role.seats:
            return f"role.{role.name}.seats: a role needs a seat"
    if not script.columns:
        return "column: the timeline is empty"
    for behaviour in script.behaviours.values():
        fault = _fault_of_behaviour(behaviour, roles)
        if fault:
            return fault
    for column in script.columns:
        if not any(column.rows.get(main) for main in mains):
            return f"column.{column.name}: no main role has a row, so it would never end"
        for role_name, boxes in column.rows.items():
            if role_name not in roles:
                return f"column.{column.name}.{role_name}: there is no role {role_name!r}"
            if not boxes:
                return f"column.{column.name}.{role_name}: the row is empty; delete it or give it a behaviour"
            fault = _fault_of_boxes(boxes, script.behaviours)
            if fault:
                return f"column.{column.name}.{role_name}: {fault}"
    return ""


def _fault_of_behaviour(behaviour: SceneBehaviour, roles: list[str]) -> str:
    key = f"behaviour.{behaviour.name}"
    if not 1 <= behaviour.least <= behaviour.most:
        return f"{key}.ticks: {behaviour.least} to {behaviour.most} is no span of at least one tick"
    if behaviour.faces not in (MIDDLE, OUT, *roles):
        return f"{key}.faces: {behaviour.faces!r} is neither middle, out nor a role"
    if behaviour.takes_over and behaviour.takes_over not in roles:
        return f"{key}.takes_over: there is no role {behaviour.takes_over!r}"
    return ""


def _fault_of_boxes(boxes: Iterable[tuple[tuple[str, float], ...]], known: dict[str, SceneBehaviour]) -> str:
    for box in boxes:
        if not box or sum(weight for _, weight in box) <= 0.0 or min(weight for _, weight in box) < 0.0:
            return "a box needs weights that are not negative, and one above 0"
        for name, _ in box:
            if name not in known:
                return f"there is no behaviour {name!r}"
    return ""


TECHNIQUES = (
    {
        "slug": "smart-zones",
        "name": "Smart zones with triggers",
        "ids": ("GP2-11.1", "GP2-11.2"),
        "source": "Game AI Pro 2, ch. 11",
        "functions": ("SceneTrigger.holds", "fault_of"),
        "test": "tests/ai/decision/smart_zones/test_scene_script.py",
        "exhibit": "levels/exhibits/minds/camp.toml",
        "overlay": "scenes",
        "setting": "scenes.enabled",
        "measure": "staged",
        "direction": "up",
        "claim": (
            "Conditions are pause, period and presence; time of day and interaction with an object are left out. "
            "Scenes have no priority, and there is no zone of the whole world."
        ),
    },
)
