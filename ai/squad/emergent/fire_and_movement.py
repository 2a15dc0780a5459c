"""Fire and movement that emerges from members, without a leader.

Source: William van der Sterren, AI Game Programming Wisdom, 5.3 (two states: engage from a static position, and move
up. A member moves up when enough buddies are static and engage, and halts for a threat that no buddy engages. A member
that knows of no intention of the others moves after it has fired for a fixed time). It is one manoeuvre of the table,
so that planned and emergent squads share one life cycle. At most one member decides in a step. Places are (x, y) in
tiles, times in ticks.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ai.perception.sight.line_of_sight import lines_clear
from ai.search.fields.bounded_flood import bounded_flood
from ai.squad.emergent.mental_picture import Act, MentalPictures, blank_pictures
from ai.squad.emergent.next_position import Outlook, best_position
from ai.squad.emergent.personalities import PERSONALITIES, weights_of
from ai.squad.manoeuvres.manoeuvre import THERE, MemberTask, Situation, SquadTask

RADIUS, FAR_RADIUS = 5.0, 9.0
"""Search radius of the next position in tiles: near threats, and wide."""
WIDE_EVERY = 4
"""Moves between two wide searches; small radii stay in local minima."""
STATIC = 0.5
"""Share of the living buddies that must engage before a member moves."""
ALONE = 80
"""Ticks of fire before a member moves that has no buddy, or hears none."""
WORTH = 0.25
"""Value by which a new position must exceed the present one."""
SAME_THREAT = 1.5
"""Tiles between two believed places of one threat."""
EXACT = 0.5
"""Tiles from its goal at which a member halts; blocked, up to ``THERE``."""
ARRIVED = 6.0
"""Tiles from the goal at which the squad has come far enough."""
APART = 2.5
"""Tiles between two slots of the line abreast."""


@dataclass(frozen=True)
class FireAndMovement:
    """Members that decide one after the other, each by its own mental picture."""

    name: str = "fire_and_movement"
    after: tuple[str, ...] = ()

    def fitness(self, s: Situation, goal: tuple[float, float]) -> tuple[tuple[str, float], ...]:
        """Return the terms: living members; any plan that fits goes before."""
        return (("there are members", float(s.alive.any())), ("no plan fits", 0.05))

    def brief(self, task: SquadTask, s: Situation) -> str:
        """Begin with blank pictures; everybody covers."""
        task.pictures = blank_pictures(s.x, s.y, s.tick)
        for row in range(len(task.members)):
            task.cover(row)
        return ""

    def step(self, task: SquadTask, s: Situation) -> bool:
        """Deliver the postings, halt members, let one decide; end at the goal."""
        pictures = task.pictures
        assert pictures is not None, "a step follows a brief"
        pictures.deliver(s.x, s.y, s.alive, s.earshot, s.terrain.opaque)
        for row in s.rows.tolist():
            aim = _aim(s, pictures, row)
            if task.task[row] != MemberTask.COVER and (aim.new or _arrived(task, s, pictures, row)):
                task.cover(row)
            if task.task[row] == MemberTask.COVER:
                at = float(s.x[row]), float(s.y[row])
                pictures.announce(row, s.tick, Act.ENGAGE, at, at, aim.at)
        task.begin_phase(task.phase + 1, s.tick)
        row = int(s.rows[task.phase % len(s.rows)])
        if task.task[row] == MemberTask.COVER and may_move(pictures, row, s):
            _move(task, s, pictures, row)
        near = np.hypot(s.x[s.rows] - task.x, s.y[s.rows] - task.y) <= ARRIVED
        return not len(s.threats) and bool(near.all() and (task.task[s.rows] == MemberTask.COVER).all())


def _arrived(task: SquadTask, s: Situation, pictures: MentalPictures, row: int) -> bool:
    """Return whether a member stands on its goal, or near it for a while."""
    far = math.dist((s.x[row], s.y[row]), task.goal[row].tolist())
    return far <= EXACT or (far <= THERE and s.tick - int(pictures.since[row]) >= ALONE)


@dataclass(frozen=True)
class _Aim:
    at: tuple[float, float]
    new: bool
    """True if no buddy is believed to engage that threat."""


def _aim(s: Situation, pictures: MentalPictures, row: int) -> _Aim:
    """Return the nearest threat in the member's line of fire, NaN without one."""
    far = np.hypot(s.threats[:, 0] - s.x[row], s.threats[:, 1] - s.y[row])
    near = s.threats[far <= s.reach]
    if len(near):
        eyes = np.empty((len(near), 2), np.int32)
        eyes[:] = int(s.y[row]), int(s.x[row])
        near = near[lines_clear(s.terrain.opaque, eyes, near[:, ::-1].astype(np.int32)).astype(bool)]
    if not len(near):
        return _Aim((math.nan, math.nan), False)
    k = int(np.argmin(np.hypot(near[:, 0] - s.x[row], near[:, 1] - s.y[row])))
    x, y = near[k].tolist()
    others = np.arange(len(s.x)) != row
    aims = pictures.aim[row][others & (pictures.act[row] == Act.ENGAGE)]
    engaged = np.hypot(aims[:, 0] - x, aims[:, 1] - y) <= SAME_THREAT
    return _Aim((x, y), not engaged.any())


def believed(pictures: MentalPictures, row: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows of buddies that a member believes alive, and dead."""
    others = np.arange(len(pictures.since)) != row
    dead = pictures.act[row] == Act.DEAD
    return np.flatnonzero(others & ~dead), np.flatnonzero(others & dead)


def may_move(pictures: MentalPictures, row: int, s: Situation) -> bool:
    """Return whether a member that engages may move up now.

    Enough buddies engage, and it has dwelt as long as its role wants; without news it waits ``ALONE`` ticks.
    """
    waited = s.tick - int(pictures.since[row])
    buddies, _ = believed(pictures, row)
    known = buddies[pictures.act[row, buddies] != Act.UNKNOWN]
    if not len(known):
        return waited >= ALONE
    engaging = int((pictures.act[row, known] == Act.ENGAGE).sum())
    return engaging >= STATIC * len(buddies) and waited >= PERSONALITIES[s.role(row)].dwell


def outlook(task: SquadTask, s: Situation, pictures: MentalPictures, row: int) -> Outlook:
    """Return the situation as a member believes it."""
    buddies, dead = believed(pictures, row)
    moving = pictures.act[row, buddies] == Act.MOVE
    places = np.where(moving[:, None], pictures.goal[row, buddies], pictures.at[row, buddies])
    aims = np.where(moving[:, None], np.nan, pictures.aim[row, buddies])
    ground = s.tactical()
    y0, x0 = max(0, int(s.y[row] - 2 * RADIUS)), max(0, int(s.x[row] - 2 * RADIUS))
    window = slice(y0, int(s.y[row] + 2 * RADIUS) + 1), slice(x0, int(s.x[row] + 2 * RADIUS) + 1)
    covers = (ground.spots[window] | (s.terrain.cover[window] > 0)) & ground.standing[window]
    tiles = np.argwhere(covers) + (y0, x0)
    held = np.zeros(len(tiles), bool)
    if len(places):
        held = (np.floor(places[:, ::-1]).astype(np.int64)[None] == tiles[:, None]).all(axis=2).any(axis=1)
    return Outlook(
        s.terrain, (task.x, task.y), s.reach, s.threats, places, aims, pictures.at[row, dead],
        tiles[~held, ::-1].astype(np.float64) + 0.5, None if len(s.threats) else _slot(task, places, row, s),
    )  # fmt: skip


def _slot(task: SquadTask, places: NDArray[np.float64], row: int, s: Situation) -> tuple[float, float]:
    """Return the member's slot in a line abreast, across the way to the goal."""
    middle = np.vstack([places, [(s.x[row], s.y[row])]]).mean(axis=0)
    dx, dy = task.x - middle[0], task.y - middle[1]
    far = max(math.hypot(dx, dy), 1e-9)
    off = APART * (row - (len(s.x) - 1) / 2)
    ahead = min(RADIUS, far)
    return float(middle[0] + (ahead * dx - off * dy) / far), float(middle[1] + (ahead * dy + off * dx) / far)


def candidates(s: Situation, row: int, radius: float) -> NDArray[np.int32]:
    """Return the tiles within a member's walk of a radius, its own included."""
    y, x = int(s.y[row]), int(s.x[row])
    reach = bounded_flood(s.terrain, s.movement_class, y, x, radius)
    tiles = (np.argwhere(np.isfinite(reach.distance)) + (reach.y0, reach.x0)).astype(np.int32)
    return tiles


def question_of(
    task: SquadTask, s: Situation, pictures: MentalPictures, row: int
) -> tuple[Outlook, NDArray[np.int32], NDArray[np.float64]]:
    """Return outlook, candidate tiles (y, x) and weights of a member's next position."""
    wide = not len(s.threats) or task.leg[row] % WIDE_EVERY == WIDE_EVERY - 1
    tiles = candidates(s, row, FAR_RADIUS if wide else RADIUS)
    buddies, _ = believed(pictures, row)
    weights = weights_of(s.role(row), float(s.health[row]), len(buddies) + 1, len(s.threats))
    return outlook(task, s, pictures, row), tiles, weights


def _move(task: SquadTask, s: Situation, pictures: MentalPictures, row: int) -> None:
    """Send a member to its best position, if that is clearly better."""
    o, tiles, weights = question_of(task, s, pictures, row)
    best, values = best_position(o, tiles, weights, o.buddies)
    own = np.flatnonzero((tiles == (int(s.y[row]), int(s.x[row]))).all(axis=1))
    if best < 0 or (len(own) and values[best] < values[own[0]] + WORTH):
        return
    x, y = float(tiles[best, 1]) + 0.5, float(tiles[best, 0]) + 0.5
    if math.hypot(x - s.x[row], y - s.y[row]) <= THERE:
        return
    task.leg[row] += 1
    task.send(row, x, y)
    pictures.announce(row, s.tick, Act.MOVE, (float(s.x[row]), float(s.y[row])), (x, y))


FIRE_AND_MOVEMENT = FireAndMovement()


TECHNIQUES = (
    {
        "slug": "fire-and-movement",
        "name": "Fire team that cooperates without a leader",
        "ids": ("AFG6.4.8",),
        "source": "AI for Games, 6.4.2",
        "functions": ("may_move", "FireAndMovement.step"),
        "test": "tests/ai/squad/emergent/test_fire_and_movement.py",
        "reason": "The exhibits of mental pictures and of the next position show it.",
        "claim": (
            "Up to half of a team may move at once, not one. A member hit in the open does not turn back. There "
            "is no medic, grenadier or radio operator."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
