"""Open missions of a squad at rest: exits and sides to watch.

Source: Damian Isla and Bruce Blumberg, AI Game Programming Wisdom, 7.1. Sources post missions on the squad's board; the
members apply for them, and the arbiter grants the best applications. A guard that falls or leaves opens its mission
again, so the reserve takes it. Which sources there are is ours. Places are (x, y) in tiles.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ai.decision.blackboards.knowledge_sources import KnowledgeSource, run_sources
from ai.decision.blackboards.motor_requests import MotorRequest
from ai.decision.blackboards.open_missions import (
    Bidder,
    OpenMission,
    all_missions,
    allot,
    close,
    drop_taker,
    keep_takers,
    mission_of,
    post,
)
from ai.decision.blackboards.scoped_boards import Board, BoardEntry, BoardScope, board_at, write
from ai.perception.sight.line_of_sight import lines_clear
from ai.squad.manoeuvres.exit_cover import FARTHEST, exit_place
from ai.squad.manoeuvres.manoeuvre import Situation, SquadTask
from game.minds.squad.boards.member_requests import WATCH
from game.minds.squad.boards.squad_boards import THREAT, board_of, boards_of, threat_of
from game.world.groups.squads import Squad
from game.world.world import World

EXIT, POST = "exit", "post"
"""Keys of entries: an exit of the squad, and the place of a member."""
SIDE = "side"
WATCHING = "watch"
"""Skill of the missions."""
SIDES = 4
"""Sides that a squad without an enemy watches."""
AHEAD = 12.0
"""Tiles from the squad to a watched side; at the map's edge half."""
TURNS_FROM = math.radians(45.0)
"""Angle between facing and threat from which a member at rest turns."""
CORDONS = "cover_exits", "search_house"
"""Manoeuvres that leave guards at exits."""
LOOKOUTS = "hold", "take", "defend", "pull_back"
"""Intents after which a squad at rest watches all sides."""


@dataclass
class MissionContext:
    """Squad at rest, its situation and its board."""

    world: World
    squad: Squad
    s: Situation
    board: Board

    def about(self, text: str) -> list[OpenMission]:
        """Return the missions about an exit or a side."""
        return [one for one in all_missions(self.board.missions) if one.text.startswith(text)]

    def post(self, text: str, x: float, y: float, priority: float) -> None:
        """Post a mission to watch a place."""
        boards = boards_of(self.world, self.squad.side)
        mission = OpenMission(boards.next_mission, WATCHING, x, y, priority, text=text, posted=self.world.tick)
        boards.next_mission += 1
        post(self.board.missions, mission)


class CordonSource:
    """Cordon: each exit on the board that has no mission gets one."""

    name = "cordon"

    def _wanted(self, at: MissionContext) -> list[str]:
        posted = {one.text for one in at.about(EXIT)}
        return [key for key in sorted(at.board.entries) if key.startswith(EXIT) and key not in posted]

    def relevance(self, at: MissionContext) -> float:
        """Return 2 while an exit has no mission."""
        return 2.0 if self._wanted(at) else 0.0

    def execute(self, at: MissionContext) -> None:
        """Post a mission for each exit without one."""
        for key in self._wanted(at):
            entry = at.board.entries[key]
            at.post(key, entry.x, entry.y, 2.0)


class LookoutSource:
    """Lookout: a squad that knows no enemy watches the sides that it can see."""

    name = "lookout"

    def relevance(self, at: MissionContext) -> float:
        """Return 1 for a squad without enemies, exits or missions."""
        quiet = not at.squad.enemies and not at.about("") and not any(key.startswith(EXIT) for key in at.board.entries)
        return float(quiet and at.squad.intent in LOOKOUTS and at.s.alive.sum() > 1)

    def execute(self, at: MissionContext) -> None:
        """Post a mission for each side with the longest view to it."""
        s = at.s
        leader = int(s.rows[0])
        eye = (int(s.y[leader]), int(s.x[leader]))
        for k in range(SIDES):
            turn = k * math.tau / SIDES
            x, y = s.x[leader] + AHEAD * math.cos(turn), s.y[leader] + AHEAD * math.sin(turn)
            height, width = s.terrain.opaque.shape
            tile = (min(max(int(y), 0), height - 1), min(max(int(x), 0), width - 1))
            ends = np.array([eye], np.int32), np.array([tile], np.int32)
            far = math.dist(tile, eye)
            if far >= AHEAD / 2 and lines_clear(s.terrain.opaque, *ends)[0]:
                at.post(f"{SIDE} {k}", tile[1] + 0.5, tile[0] + 0.5, 1.0)


SOURCES: tuple[KnowledgeSource[MissionContext], ...] = (CordonSource(), LookoutSource())
"""Sources of missions."""


def note_exits(world: World, squad: Squad, task: SquadTask) -> None:
    """Write the exits that a manoeuvre guards to the squad's board, as facts."""
    board = board_of(world, squad)
    leader = squad.members[0]
    for row in np.flatnonzero(task.leg >= 0).tolist() if task.kind in CORDONS else ():
        x, y = task.watch[row].tolist()
        if not math.isnan(x):
            board.entries[f"{EXIT} {int(task.leg[row])}"] = BoardEntry(leader, world.tick, x, y, text=task.kind)


def allot_missions(world: World, squad: Squad, s: Situation) -> None:
    """Let the sources post, the members apply, and the arbiter grant."""
    style = world.settings.tactics.missions
    board = board_of(world, squad)
    if style == "none":
        return
    at = MissionContext(world, squad, s, board)
    living = [squad.members[row] for row in s.rows.tolist()]
    keep_takers(board.missions, living)
    if squad.enemies:
        for one in at.about(SIDE):
            close(board.missions, one.number)
    acted = run_sources(SOURCES, at, style == "arbiter")
    board.sources = acted or board.sources
    bidders = [Bidder(squad.members[row], float(s.x[row]), float(s.y[row]), {WATCHING: 1.0}) for row in s.rows.tolist()]
    for granted in allot(board.missions, bidders, style == "arbiter"):
        mission = mission_of(board.missions, granted.unit)
        assert mission is not None, "it was granted just now"
        place = _place_for(at, mission, squad.members.index(granted.unit))
        if place is None:
            drop_taker(board.missions, granted.unit)
            mission.barred.append(granted.unit)
            continue
        write(
            boards_of(world, squad.side), BoardScope.OWN, POST,
            BoardEntry(granted.unit, world.tick, *place, text=mission.text),
        )  # fmt: skip
        if world.tick > mission.posted:
            world.happen("manoeuvre", granted.unit, text=f"{squad.name}: takes over {mission.text}")


def _place_for(at: MissionContext, mission: OpenMission, row: int) -> tuple[float, float] | None:
    """Return the place from which a member watches, None if there is none."""
    s = at.s
    here = float(s.x[row]), float(s.y[row])
    area = s.house.mask() if at.squad.last == "search_house" and s.house is not None else s.room
    if not mission.text.startswith(EXIT) or area is None:
        return here
    tile, mine = (int(mission.y), int(mission.x)), (int(here[1]), int(here[0]))
    ends = np.array([mine], np.int32), np.array([tile], np.int32)
    near = math.dist(here, (mission.x, mission.y)) <= FARTHEST + 0.5
    if near and not area[mine] and lines_clear(s.terrain.opaque, *ends)[0]:
        return here
    return exit_place(s, tile, here, area)


def rest_request(world: World, squad: Squad, row: int) -> MotorRequest | None:
    """Return the request of a member at rest, None if there is none.

    A member on a mission watches its place. Another one turns to the threat that it reads, if it looks elsewhere.
    """
    u, unit = world.units, squad.members[row]
    mission = mission_of(board_of(world, squad).missions, unit)
    place = board_at(boards_of(world, squad.side), BoardScope.OWN, unit).entries.get(POST)
    if mission is not None and place is not None:
        return MotorRequest(mission.text, WATCH, place.x, place.y, mission.x, mission.y)
    slot, found = u.slot(unit), threat_of(world, squad, unit)
    if found is None or u.moving[slot]:
        return None
    x, y = float(u.x[slot]), float(u.y[slot])
    off = math.atan2(found[1].y - y, found[1].x - x) - float(u.facing[slot])
    if abs((off + math.pi) % math.tau - math.pi) <= TURNS_FROM:
        return None
    return MotorRequest(THREAT, WATCH, x, y, found[1].x, found[1].y)


def give_back(world: World, squad: Squad, unit: int) -> bool:
    """Open the mission of a member again; return whether it had one."""
    missions = board_of(world, squad).missions
    mission = mission_of(missions, unit)
    if mission is None:
        return False
    drop_taker(missions, unit)
    mission.barred.append(unit)
    return True


def withdraw_missions(world: World, squad: Squad) -> None:
    """Take all missions and exits off a squad's board; a manoeuvre begins."""
    board, boards = board_of(world, squad), boards_of(world, squad.side)
    board.missions.clear()
    for key in [key for key in board.entries if key.startswith(EXIT)]:
        del board.entries[key]
    for unit in squad.members:
        if unit in boards.own:
            boards.own[unit].entries.pop(POST, None)
