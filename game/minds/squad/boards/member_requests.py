"""Requests of squad members, and the stages that may replace them.

Source: Damian Isla and Bruce Blumberg, AI Game Programming Wisdom, 7.1 (interceptable motor requests). The manoeuvre or
a mission posts a request at each thought. Tokens, memory of danger, navigation and stuck reports may replace it.
Places are (x, y) in tiles.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ai.decision.blackboards.motor_requests import MotorRequest, RequestStage
from ai.squad.manoeuvres.manoeuvre import THERE
from game.systems.tactics.danger_memory import Passage
from game.world.groups.squads import Squad
from game.world.world import World

COVER, RUN, ASSAULT, WATCH, ROUND = "cover", "run", "assault", "watch", "go round"
ACTS = COVER, RUN, ASSAULT, WATCH, ROUND
"""Acts by code; the first three are those of ``MemberTask``.

To go round is to run past known danger."""
GOING = RUN, ASSAULT, ROUND
"""Acts that lead to a place."""
TRIES = 3
"""Times that a member is sent to one goal before it covers instead."""


@dataclass
class RequestContext:
    """Member whose request passes the stages.

    ``held`` tells that it waits for a role or token, ``passage`` how it passes remembered danger. ``stuck`` is set when
    it has tried too often.
    """

    world: World
    squad: Squad
    row: int
    unit: int
    slot: int
    held: bool = False
    passage: Passage = Passage.FREE
    stuck: bool = False

    def far(self, x: float, y: float) -> float:
        """Return the distance of the member to a place, tiles."""
        u = self.world.units
        return math.hypot(u.x[self.slot] - x, u.y[self.slot] - y)

    def here(self, act: str, request: MotorRequest) -> MotorRequest:
        """Return a request to act where the member is."""
        u = self.world.units
        x, y = float(u.x[self.slot]), float(u.y[self.slot])
        return MotorRequest("", act, x, y, request.watch_x, request.watch_y)


class TokenStage:
    """Coordinator: a member without its role or token covers."""

    name = "tokens"

    def intercept(self, request: MotorRequest, at: RequestContext) -> MotorRequest | None:
        """Replace any act of a member that is held back."""
        return at.here(COVER, request) if at.held and request.act != COVER else None


class DangerStage:
    """Memory of danger: a member covers, or goes round."""

    name = "danger"

    def intercept(self, request: MotorRequest, at: RequestContext) -> MotorRequest | None:
        """Replace a run that the member refuses, or that leads round."""
        if request.act not in GOING or at.passage == Passage.FREE:
            return None
        if at.passage == Passage.REFUSED:
            return at.here(COVER, request)
        return MotorRequest("", ROUND, request.x, request.y, request.watch_x, request.watch_y)


class StuckStage:
    """Stuck report: a member that lost its way too often covers."""

    name = "stuck"

    def intercept(self, request: MotorRequest, at: RequestContext) -> MotorRequest | None:
        """Count a lost order; after ``TRIES`` replace the act by cover."""
        squad, row = at.squad, at.row
        if request.act == COVER or not self._lost(at):
            return None
        squad.tries[row] += 1
        squad.given[row] = -1
        at.stuck = bool(squad.tries[row] > TRIES)
        return at.here(COVER, request) if at.stuck else None

    def _lost(self, at: RequestContext) -> bool:
        """Return whether the member has neither its order any more nor reached its goal."""
        u, given = at.world.units, int(at.squad.given[at.row])
        if given < 0 or ACTS[given] not in GOING or u.order[at.slot] != 0:
            return False
        return not u.moving[at.slot] and at.far(*at.squad.given_at[at.row].tolist()) > THERE


class NavigationStage:
    """Navigation: a member that is to watch from elsewhere runs there first."""

    name = "navigation"

    def intercept(self, request: MotorRequest, at: RequestContext) -> MotorRequest | None:
        """Replace a watch by a run while its place is out of reach."""
        if request.act != WATCH or at.far(request.x, request.y) <= THERE:
            return None
        return MotorRequest("", RUN, request.x, request.y, request.watch_x, request.watch_y)


STAGES: tuple[RequestStage[RequestContext], ...] = (
    TokenStage(), DangerStage(), NavigationStage(), StuckStage(),
)  # fmt: skip
"""Stages between a request and the body, in order."""
NO_NAVIGATION: tuple[RequestStage[RequestContext], ...] = (TokenStage(), DangerStage(), StuckStage())
"""Stages without the navigation, for its exhibit."""
