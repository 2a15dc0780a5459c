"""The search of a guard: where each part of it is.

In this package, the search as one guard runs it:

* ``guard_search``: the state machine Begin, Go, Cover, Sweep, Shrug, and when each state ends;
* ``pursuit``: the shared search from the guard's side: join, claim a spot, look into it, leave, end;
* ``exit_cover``: posts at the openings of the room in which the enemy was lost.

In the library, without knowledge of the game:

* ``ai/squad/squad_search.py``: the shared search as data: searchers, investigators, spots, phases, time limits;
* ``ai/tactics/hiding_places.py``: candidate spots around a last known position;
* ``ai/tactics/choke_cover.py`` and ``choke_points.py``: who covers which opening, and how many a room holds;
* ``ai/tactics/canvass.py`` and ``glances.py``: where to look from one place, and on the way to it;
* ``ai/perception/memory/last_known_position.py``: what a side believes about each enemy;
* ``ai/perception/memory/possibility_map.py`` and ``occupancy_map.py``: where a lost enemy may be, and how likely;
* ``ai/squad/missing_comrades.py``: who has not been heard for too long.

Elsewhere in the game, because others use it too:

* ``game/systems/stealth/side_knowledge.py``: keeps those beliefs and maps of each side up to date every tick; orders,
  the map of the player and overlays read it;
* ``game/minds/guard/belief_records.py``: ``SearchState``, what one guard keeps in mind of its search;
* ``game/minds/guard/guard.py``: turns an alarm, a shot or a body into a place to search;
* ``game/minds/shared_behaviours.py``: "go" and "look about", which all skills push;
* ``game/minds/settings.py``: the numbers (``minds.together``, ``minds.give_up``, ``minds.search_spots``, ...);
* ``game/checks/invariants/search_invariants.py`` and ``no_cheating.py``: the fairness of it, tested in every level.

Life of a search: ``guard_fight.give_over`` or ``guard._search_at`` writes a ``SearchState``, and ``guard_search.begin``
calls ``pursuit.enter``. The investigators run to the last known position while the others cover. ``pursuit.advance``
opens the spots to all, and ``pursuit.next_spot`` gives each guard its own. ``guard_search.home`` forgets the enemy.
"""
