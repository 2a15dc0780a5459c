"""Manoeuvre life cycle: choose, brief, move to start, execute phases, end or abort.

Sources: William van der Sterren, AI Game Programming Wisdom, 5.4 (strategy objects that write commands and never call a
member; selection by fitness; permitted successors against oscillation; prepare, execute, finalise or abort). The
deadline is ours: no manoeuvre hangs.

A manoeuvre reads a :class:`Situation` (what the squad knows) and writes the columns of a :class:`SquadTask`, one row a
member. The caller turns the rows into orders. Places are (x, y) in tiles, times in ticks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ai.core.serialization import record
from ai.decision.execution.execution_dag import DagRun
from ai.grid.terrain import Terrain
from ai.squad.emergent.mental_picture import MentalPictures
from ai.squad.houses.decision_support import House
from ai.squad.manoeuvres.doctrine import Doctrine
from ai.squad.scripts.group_scripts import GroupScript, ScriptRun
from ai.tactics.ground.tactical_facts import TacticalGround, tactical_ground


class ManoeuvreStage(IntEnum):
    """Stage of a manoeuvre's life."""

    BRIEF = 0
    MOVE_TO_START = 1
    EXECUTE = 2
    DONE = 3
    ABORTED = 4


class MemberTask(IntEnum):
    """Task of a member: cover from its place, run, or assault its goal."""

    COVER = 0
    RUN = 1
    ASSAULT = 2


ATTACKS = (
    "bound_forward", "suppress_and_flank", "flank_left", "flank_right", "charge", "clear_room", "fire_and_movement",
    "search_house", "door_assault",
)  # fmt: skip
"""Manoeuvres that may not follow a retreat at once."""
MARGIN = 3.0
"""Tiles beyond the reach of the weapons at which an enemy counts as near."""
ENDED = ManoeuvreStage.DONE, ManoeuvreStage.ABORTED
THERE = 1.5
"""Tiles from its goal at which a member has arrived."""


@record
class SquadTask:
    """State of one manoeuvre of one squad.

    Columns have a row per member: ``team``, ``task`` (MemberTask), ``goal: float64[n, 2]``. ``spots`` and ``route`` are
    places ``float64[m, 2]``. ``why`` is the reason of the present stage.
    """

    kind: str
    members: list[int]
    x: float
    y: float
    stage: int = 0
    phase: int = 0
    since: int = 0
    """Tick at which the present phase began."""
    began: int = 0
    deadline: int = 0
    why: str = ""
    team: NDArray[np.int8] = field(default_factory=lambda: np.zeros(0, np.int8))
    task: NDArray[np.int8] = field(default_factory=lambda: np.zeros(0, np.int8))
    goal: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 2)))
    spots: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 2)))
    route: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 2)))
    leg: NDArray[np.int16] = field(default_factory=lambda: np.zeros(0, np.int16))
    """Step of each member along the manoeuvre's places."""
    watch: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 2)))
    """Place that each member watches while it covers, ``float64[n, 2]``; NaN: the nearest enemy."""
    pictures: MentalPictures | None = None
    """Beliefs of the members about each other, in an emergent squad."""
    run: ScriptRun | None = None
    """Run of a group script, in a manoeuvre that follows one."""
    dag: DagRun | None = None
    """Run of the steps of a plan, in a manoeuvre that has one."""

    @property
    def ended(self) -> bool:
        """Return true if the manoeuvre is done or aborted."""
        return self.stage in ENDED

    def begin_phase(self, phase: int, tick: int) -> None:
        """Enter a phase."""
        self.phase, self.since = phase, tick

    def send(self, row: int, x: float, y: float, task: MemberTask = MemberTask.RUN) -> None:
        """Give a member a goal."""
        self.task[row] = task
        self.goal[row] = x, y

    def keep(self, rows: list[int]) -> None:
        """Keep only the given rows: the other members have left the squad."""
        self.members = [self.members[k] for k in rows]
        self.team, self.task = self.team[rows], self.task[rows]
        self.goal, self.leg, self.watch = self.goal[rows], self.leg[rows], self.watch[rows]
        if self.pictures is not None:
            self.pictures.keep(rows)
        if self.run is not None:
            self.run.keep(rows)

    def cover(self, row: int) -> None:
        """Let a member cover from where it is."""
        self.task[row] = MemberTask.COVER


@dataclass(frozen=True)
class Situation:
    """Situation as a squad knows it at a tick.

    ``x, y, alive, health`` (0..1) have a row per member. ``threats: float64[k, 2]`` are believed places of enemies.
    ``room: bool[H, W]`` and ``door`` (y, x) are those of a room to clear, if there is one.
    """

    tick: int
    terrain: Terrain
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    alive: NDArray[np.bool_]
    health: NDArray[np.float64]
    threats: NDArray[np.float64]
    reach: float = 9.0
    movement_class: int = 0
    room: NDArray[np.bool_] | None = None
    door: tuple[int, int] | None = None
    ground: TacticalGround | None = None
    """Tactical ground of the terrain, if the caller keeps one."""
    exits: tuple[tuple[int, int], ...] = ()
    """Openings (y, x) of the room."""
    closing: float = 0.0
    """Share of the known enemies that come nearer, 0 to 1."""
    roles: tuple[str, ...] = ()
    """Role of each member (``ai.squad.emergent.personalities``); empty: riflemen."""
    earshot: float = 15.0
    """Tiles within which members hear each other."""
    doctrine: Doctrine = field(default_factory=Doctrine)
    bend: tuple[float, float] | None = None
    """Place that a flank must lead through, if the order names one."""
    scripts: Mapping[str, GroupScript] = field(default_factory=dict)
    """Group scripts by name."""
    house: House | None = None
    """House of the room, if there is one."""
    house_at: tuple[float, float] | None = None
    """Place of the enemy or order that means the room."""
    refused: NDArray[np.bool_] | None = None
    """Tiles ``bool[H, W]`` of regions where a member saw comrades hit; None: none."""

    @property
    def rows(self) -> NDArray[np.int64]:
        """Rows of living members."""
        return np.flatnonzero(self.alive)

    @property
    def centre(self) -> tuple[float, float]:
        """Return the middle of the living members."""
        rows = self.rows
        return float(self.x[rows].mean()), float(self.y[rows].mean())

    def role(self, row: int) -> str:
        """Return the role of a member."""
        return self.roles[row] if self.roles else "rifleman"

    @property
    def near(self) -> float:
        """Return 1 if a known enemy is nearly within reach, else 0."""
        if not len(self.threats):
            return 0.0
        rows = self.rows
        dx, dy = (a[rows, None] - self.threats[None, :, k] for k, a in enumerate((self.x, self.y)))
        return float(np.hypot(dx, dy).min(initial=np.inf) <= self.reach + MARGIN)

    def tactical(self) -> TacticalGround:
        """Return the tactical ground of the terrain, made anew if the caller keeps none."""
        return self.ground if self.ground is not None else tactical_ground(self.terrain, self.movement_class)

    def there(self, task: SquadTask, rows: NDArray[np.int64], within: float = THERE) -> NDArray[np.bool_]:
        """Return which of the rows are at their goals."""
        gone = np.hypot(self.x[rows] - task.goal[rows, 0], self.y[rows] - task.goal[rows, 1])
        return np.asarray(gone <= within)


class Manoeuvre(Protocol):
    """Kind of manoeuvre: its fitness, its brief and its steps."""

    @property
    def name(self) -> str:
        """Return the name, the key in the table."""

    @property
    def after(self) -> tuple[str, ...]:
        """Return the manoeuvres that may not follow this one at once."""

    def fitness(self, s: Situation, goal: tuple[float, float]) -> tuple[tuple[str, float], ...]:
        """Return named terms 0..1; the fitness is their product."""

    def brief(self, task: SquadTask, s: Situation) -> str:
        """Write teams, places and first tasks; return why it cannot be done, else ""."""

    def step(self, task: SquadTask, s: Situation) -> bool:
        """Advance the phases; return true when the manoeuvre is done."""


Table = Mapping[str, Manoeuvre]


@dataclass(frozen=True)
class Weighed:
    """Manoeuvre that was considered: its named terms, and its fitness.

    ``barred`` says why it counts nothing whatever its terms, "" if it is not barred.
    """

    name: str
    terms: tuple[tuple[str, float], ...]
    fitness: float
    barred: str = ""

    @property
    def fails(self) -> str:
        """Return the condition that fails by name, "" for a fitness above 0."""
        if self.barred or self.fitness > 0.0:
            return self.barred
        return next((name for name, value in self.terms if value <= 0.0), "")


def weigh(
    table: Table, s: Situation, goal: tuple[float, float], ending: Manoeuvre | None = None, failed: Sequence[str] = ()
) -> list[Weighed]:
    """Return each manoeuvre of a table with its fitness, by name.

    A manoeuvre that may not follow ``ending`` at once gets 0, and so does one of ``failed``.
    """
    barred = ending.after if ending is not None else ()
    found = []
    for name in sorted(table):
        terms = table[name].fitness(s, goal)
        why = "it was refused or broken off" if name in failed else ""
        if not why and name in barred:
            why = "the last manoeuvre bars it for now"
        product = 0.0 if why else float(np.prod([value for _, value in terms]))
        found.append(Weighed(name, terms, product, why))
    return found


def best_of(found: Sequence[Weighed]) -> str:
    """Return the fittest name, the first of equals; "" when all are 0."""
    best = max(found, key=lambda one: one.fitness, default=None)
    return best.name if best is not None and best.fitness > 0.0 else ""


def begin(kind: str, members: Sequence[int], goal: tuple[float, float], tick: int, limit: int) -> SquadTask:
    """Return a manoeuvre before its brief, of at most ``limit`` ticks."""
    n = len(members)
    return SquadTask(
        kind, list(members), goal[0], goal[1], since=tick, began=tick, deadline=tick + limit,
        team=np.zeros(n, np.int8), task=np.zeros(n, np.int8), goal=np.zeros((n, 2)), leg=np.zeros(n, np.int16),
        watch=np.full((n, 2), np.nan),
    )  # fmt: skip


def advance(table: Table, task: SquadTask, s: Situation) -> None:
    """Advance a manoeuvre by one think: brief, move to the start, execute, end.

    Raises KeyError for a kind that the table does not hold.
    """
    if task.ended:
        return
    kind = table[task.kind]
    if not s.alive.any():
        _end(task, s, ManoeuvreStage.ABORTED, "no unit is left")
    elif s.tick >= task.deadline:
        _end(task, s, ManoeuvreStage.ABORTED, "it took too long")
    elif task.stage == ManoeuvreStage.BRIEF:
        refused = kind.brief(task, s)
        if refused:
            _end(task, s, ManoeuvreStage.ABORTED, refused)
        else:
            task.stage, task.since = ManoeuvreStage.MOVE_TO_START, s.tick
    elif task.stage == ManoeuvreStage.MOVE_TO_START:
        going = s.rows[task.task[s.rows] != MemberTask.COVER]
        if s.there(task, going).all():
            task.stage = ManoeuvreStage.EXECUTE
            task.begin_phase(0, s.tick)
            task.task[:] = MemberTask.COVER
    elif kind.step(task, s):
        _end(task, s, ManoeuvreStage.DONE, "it is done")


def abort(task: SquadTask, s: Situation, why: str) -> None:
    """End a manoeuvre early; no member keeps a stale command."""
    if not task.ended:
        _end(task, s, ManoeuvreStage.ABORTED, why)


def _end(task: SquadTask, s: Situation, stage: ManoeuvreStage, why: str) -> None:
    task.stage, task.why, task.since = stage, why, s.tick
    task.task[:] = MemberTask.COVER
    if len(task.goal):
        task.goal[:, 0], task.goal[:, 1] = s.x, s.y


TECHNIQUES = (
    {
        "slug": "manoeuvre",
        "name": "Manoeuvre life cycle and selection by fitness",
        "ids": ("AW-5.4-3", "AW-5.4-4"),
        "source": "AI Game Programming Wisdom, 5.4",
        "functions": ("advance", "weigh"),
        "test": "tests/ai/squad/manoeuvres/test_bounding_overwatch.py",
        "exhibit": "levels/exhibits/squads/two_squads.toml",
        "overlay": "minds",
        "setting": "tactics.squad_style",
        "measure": "fallen",
        "direction": "down",
        "claim": (
            "Each manoeuvre has a deadline, which is ours. A casualty does not plan it again, except in a room; "
            "being weaker or in contact breaks it off. The switch compares whole styles of fighting."
        ),
    },
)
"""Descriptors that ``ai/core/register.py`` reads."""
