"""Exit cover: guards behind the first ones stand at different openings of the room.

The room is the one in which the enemy was lost. A dead end has its only exit kept for the length of the search,
from a place that sees anyone coming out and is not seen before. Source: Game AI Pro 2, ch. 28, 28.3.1; AI Game
Programming Wisdom, 5.1.
"""

from __future__ import annotations

import math

import numpy as np

from ai.squad.squad_search import Search
from ai.tactics.choke_cover import Post, ambush_posts, assign_posts, capacity, only_exit, paths_on
from game.minds.agent_view import AgentView
from game.systems.noise import rooms

LARGEST = 400
"""Tiles of an area above which it is no room: fields cannot be sealed."""
READY = 60
"""Ticks for which the first guards wait until the exit is watched."""


def room_of(me: AgentView, search: Search) -> int:
    """Return the area of the last known position, -1 if open or disabled.

    Seals are a setting.
    """
    if not me.settings.seals or me.world.terrain is None:
        return -1
    graph = rooms(me.world)
    areas = graph.areas_at(search.x, search.y)
    if len(areas) != 1 or not graph.chokes_of(areas[0]):
        return -1
    return areas[0] if np.count_nonzero(graph.area == areas[0]) <= LARGEST else -1


def heads_for(me: AgentView, search: Search) -> int:
    """Return how many may enter first: the cap, and the room's size."""
    room = room_of(me, search)
    return search.cap if room < 0 else min(search.cap, capacity(rooms(me.world), room))


def take_post(me: AgentView, search: Search) -> Post | None:
    """Return the guard's post at an opening, entered in the search; None without one."""
    room = room_of(me, search)
    if room < 0:
        return None
    graph, opaque, standing = rooms(me.world), me.world.terrain.opaque, me.standing()
    taken = [Post(unit, *row) for unit, row in sorted(search.posts.items()) if unit != me.id]
    post: Post | None = None
    exit_choke = only_exit(graph, room)
    if exit_choke >= 0 and search.keeper in (-1, me.id) and room not in graph.areas_at(me.x, me.y):
        inside = next((a for a in graph.chokes[exit_choke].areas if a == room), room)
        choke = graph.chokes[exit_choke]
        free = [
            (x + 0.5, y + 0.5)
            for y, x in ambush_posts(graph, opaque, standing, exit_choke, inside).tolist()
            if all(math.hypot(x + 0.5 - p.x, y + 0.5 - p.y) >= 1.5 for p in taken)
        ]
        if free:
            x, y = min(free, key=lambda p: (me.distance(*p), p))
            post = Post(me.id, exit_choke, x, y, math.atan2(choke.y - y, choke.x - x))
            search.keeper = me.id
            search.investigators = [unit for unit in search.investigators if unit != me.id]  # it watches and stays out
    if post is None:
        gone = paths_on(graph, me.settings.choke_depth)
        here = [(me.id, me.x, me.y)]
        post = next(iter(assign_posts(graph, opaque, standing, room, here, taken, first=gone)), None)
    if post is not None:
        search.posts[me.id] = (post.choke, post.x, post.y, post.facing)
    return post


def waits_for_the_exit(me: AgentView, search: Search, tick: int) -> bool:
    """Return true if the first guard waits until the only exit is watched.

    The room has one exit, and comrades are there to watch it.
    """
    room = room_of(me, search)
    if room < 0 or len(search.searchers) < 2 or tick - search.since > 2 * READY:
        return False
    return only_exit(rooms(me.world), room) >= 0 and not _kept(me, search)


def _kept(me: AgentView, search: Search) -> bool:
    u = me.units
    row = search.posts.get(search.keeper)
    if row is None:
        return False
    slot = u.slot(search.keeper)
    return math.hypot(float(u.x[slot]) - row[1], float(u.y[slot]) - row[2]) < 1.0
