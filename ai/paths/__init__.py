"""The path manager: how a thousand units get their ways without the game ever waiting for one of them.

A search across a large map takes more work than a tick has to give, and a player who orders sixty units across it at
once asks for sixty.  Nothing here waits for a search.  A unit that asks for a way goes through up to four, and
whoever watches it must never notice:

**Quick path.**  In the very update that reads the request, all new requests are answered by one kernel call: a capped
search in a small window that ends at the tile nearest to the goal it got to, three to fifteen tiles away.  The busier
the queue, the longer the quick path, since it has to last until the unit's turn comes.  Four things spare the rest:
a goal that cannot be reached is replaced by the nearest tile that can (one look-up and one ring search an order, so
no search ever runs towards the impossible); a goal in plain sight over ordinary ground is simply walked to; a way
that was found lately (:mod:`ai.paths.sharing.route_cache`) is walked again; a quick path that gets all the way is
the path.
When more ask in one tick than a thousand, the others have theirs in the next ticks
(:mod:`ai.paths.requests.admission`).

**Full path.**  From the end of the quick path the real search is queued.  Which search that is follows from the ground
and the way (:mod:`ai.paths.engines.path_engines`): jump points where all ground costs the same, clusters with landmarks
for long
ways over many costs and, over even ground, for who is pressed (:mod:`ai.paths.requests.urgency`), all questions of a
tick in
one kernel call.  Either answers within the tick.  The rest, short
ways over many costs and questions dearer than a tick's budget, goes to searches that last as many ticks as they need;
one that has seen so much ground that its goal, near as the crow flies, must be far on foot goes over to the clusters.
A bounded number of those is open at once, each in a slab of its own, and they take turns.  The only currency is the
*revolution*, one tile taken off an open list: never the clock, so every machine finishes every path on the same tick.
The queue has a budget of them a tick, and the last turn is cut to what is left of it.  By default slicing is
progressive: a search starts with a small allowance and gets more each time round, so short ones pass quickly and long
ones do not starve.  What a search has once seen of a tile it keeps to its end, door or no door; the path is checked
when it arrives.

**Flow fields.**  Where so many units go to one spot that a field costs less than their searches, one field grows
towards it out of the budget, and they are led along it a stretch at a time (:mod:`ai.paths.sharing.shared_flow_field`).
A crowd far off shares one search outwards from its goal instead (:mod:`ai.paths.sharing.shared_trees`).

**Splice path.**  Quick and full path laid end to end often show a hook, where the quick path ran into a dead end and
the full path comes back out of it.  When the full path arrives, one more bounded search leads from where the unit
stands by now to a tile well along the full path (at least a quick path's length), and what lay between is dropped.

**Priority path.**  A unit that reaches the end of its quick path while its search is still in the queue must not
stand about.  Its search gets up to 250 revolutions more, at once.  If that ends it, good; if not, the unit walks on
along the best partial path and the search goes on in the queue (or, by the source's rule, ends there:
``priority_end``).  These have a cap a tick as well; beyond it a unit gets another quick path.  A unit for which none
of this finds a tile nearer to the goal waits, and is the next to be let into the queue.

**Doors.**  A way that is cut close ahead is asked for again at once.  One that is cut far ahead, or by a door that has
moved often lately, is kept for a second or two: walking on costs nothing, the door may be open by then, and a crowd
does not search twice a second.  Bodies stop at a shut door.

Paths are pulled straight where that costs no more and kept as turning points in one arena (:class:`PathStore`); of
that the steering kernels see columns: the point to head for, the one after it, how many are left.  Each tick one
kernel moves every unit on to the waypoint it should head for.  A unit that was pushed out of sight of its waypoint is
led back by a short search.  When the map changes, every stored path through the changed rectangle is looked at in the
same tick: cut paths are asked for again while their units are far from the spot, goals that were replaced because of
a closed door are given back when it opens, and a unit that an edit cut off goes as near as it can and waits a
while.  Units that are stuck ask again; after some failures without getting nearer the path is lost, and the unit is
told.  A unit that keeps asking for the same way from the same tile is refused for a time.

Requests are handled in the order of unit ids, ties by ticket; everything a unit needs is a row of arrays; an open
search can be saved in the middle and goes on as if nothing had happened.  The manager keeps a trace of what it
decided and why.

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
