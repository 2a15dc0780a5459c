"""The path manager: paths for a thousand units without a wait.

A search across a large map costs more work than one tick allows. You may order sixty units across the map at once, and
no unit may wait for a search. So a request passes through up to four kinds of path, one after another.

Work is counted in *revolutions*. One revolution is one tile taken off the open list of a search. The clock is never
read, so every machine finishes every path in the same tick.

**Quick path.** The update that reads new requests answers them all in one kernel call. Each unit gets a short search in
a small window. It ends at the tile nearest to the goal that it found, three to fifteen tiles away. A longer queue gives
longer quick paths, because they must last until the unit's turn comes.

Four rules save searches at this point:

- The nearest reachable tile replaces an unreachable goal. That takes one look-up and one ring search per order, so no
  search ever aims at an unreachable tile.
- A unit that sees its goal over ordinary ground walks straight to it.
- A recent path between the same ends is used again (:mod:`ai.paths.sharing.route_cache`).
- A quick path that reaches the goal is the whole path.

At most about a thousand requests start in a tick; the others start in the next ticks
(:mod:`ai.paths.requests.admission`).

**Full path.** The real search starts at the end of the quick path and enters the queue. The ground and the distance
select the engine (:mod:`ai.paths.engines.path_engines`):

- Jump point search, where all ground costs the same.
- A search over clusters with landmarks, for long paths over ground of many costs. Urgent requests over even ground use
  it too (:mod:`ai.paths.requests.urgency`). One kernel call answers all of them.
- Resumable A*, for short paths over ground of many costs and for searches that exceed a tick's budget.

The first two answer within a tick. Resumable A* runs over as many ticks as it needs. If it has explored much ground for
a goal that is near in a straight line, the clusters take over.

The number of open searches is limited. Each has its own slab of memory, and they take turns. The queue has a budget of
revolutions per tick, and the last turn is cut to the rest of it. By default slicing is progressive: a search starts
with a small allowance and gets more in each round. Short searches finish soon and long ones do not starve.

A search keeps each tile as it first saw it, even if a door moves. The finished path is checked against the map.

**Flow fields.** If a field costs less than the searches of many units with one goal, one field grows towards the goal
within the budget. It leads the units a few tiles at a time (:mod:`ai.paths.sharing.shared_flow_field`). A distant crowd
shares one search outwards from its goal instead (:mod:`ai.paths.sharing.shared_trees`).

**Splice path.** A quick path followed by a full path often has a hook: the quick path enters a dead end and the full
path leaves it again. When the full path arrives, one more limited search starts at the unit's present tile. It leads to
a tile at least one quick path's length along the full path. The part between them is dropped.

**Priority path.** A unit may reach the end of its quick path while its search is still in the queue. Its search then
gets up to 250 extra revolutions in the same tick. If that finishes the search, the unit has its path. Otherwise it
walks the best partial path and the search stays in the queue. (With ``priority_end`` the search ends here instead, as
in the source.)

Priority paths have a limit per tick. Beyond it a unit gets another quick path. If no search finds a tile nearer to the
goal, the unit waits and is the next to leave the queue.

**Doors.** A path that is cut near the unit is searched again in the same tick. A unit keeps a path for one or two
seconds if the cut is far ahead, or if the door moved often recently. Walking on costs nothing, the door may open again,
and a crowd does not search twice a second. Bodies stop at a shut door.

**Following.** Paths are smoothed where that costs no more, by the smoother that the settings name
(:mod:`ai.search.smoothing.path_smoother`). One arena stores their turning points (:class:`PathStore`): a tile each, and
a point in it where that is not the centre. A unit with a place of its own ends at its exact point. Steering kernels see
columns: the waypoint, the next waypoint and the number of waypoints left. In each tick one kernel advances every unit
to its current waypoint. A short search leads a pushed unit back when it no longer sees its waypoint.

**Map edits.** When the map changes, every stored path through the changed rectangle is checked in the same tick. A cut
path is requested again while its unit is still far away. A goal that a shut door replaced is restored when the door
opens. A unit that an edit cut off goes as near as it can and waits for a while.

**Failure.** A stuck unit requests its path again. After several failures without getting nearer, the path is lost and
the unit reports it. A unit that repeats one request from one tile is refused for some time.

**Determinism.** Requests are handled in the order of unit ids, ties by ticket. The state of a unit is one row of
arrays. An open search can be saved at any point and continues unchanged. The manager keeps a trace of its decisions and
their reasons.

Source: "AI Game Programming Wisdom", 3.3 "Pathfinding Design Architecture", with 3.4, 3.5 and 4.5.
"""

from ai.paths.manager import Flood, PathManager, PathNews
from ai.paths.requests.goal_resolution import find_footing, resolve_goals, spread_goals
from ai.paths.requests.path_queue import QueueRow
from ai.paths.requests.request_columns import Phase
from ai.paths.settings import PathSettings, PriorityEnd, Slicing
from ai.paths.state.path_statistics import PathStatistics
from ai.paths.state.path_trace import Decision, PathTrace, PathTraceRow
from ai.paths.store.path_store import PathSource, PathStore

__all__ = [
    "Decision",
    "Flood",
    "PathManager",
    "PathNews",
    "PathSettings",
    "PathSource",
    "PathStatistics",
    "PathStore",
    "PathTrace",
    "PathTraceRow",
    "Phase",
    "PriorityEnd",
    "QueueRow",
    "Slicing",
    "find_footing",
    "resolve_goals",
    "spread_goals",
]
