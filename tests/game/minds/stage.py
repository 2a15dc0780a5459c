"""Test stage for minds: open ground, straight walks and sight set by the test.

It replaces each stage of the tick except *think*, so that the tests depend on minds alone.
"""

from __future__ import annotations

import math
from dataclasses import MISSING, fields

import numpy as np

from ai.animation.tracks.act_kinds import Reason
from ai.decision.decision_trace import TraceRing
from ai.decision.message_router import MessageRouter
from game.minds.mind_turns import wake_minds
from game.systems.body.acts import advance_acts, settle_acts
from game.systems.interaction.hand_work import use
from game.world.orders import OrderKind
from game.world.places import Route
from game.world.rules.world_settings import Settings
from game.world.unit_types import load_types
from game.world.units import Act, Event, Units
from game.world.world import World


class Stage:
    def __init__(self, seed=1):
        types, weapons = load_types()
        given = {
            "level_name": "stage",
            "level_digest": "",
            "seed": seed,
            "settings": Settings(),
            "types": types,
            "weapons": weapons,
            "units": Units(),
            "router": MessageRouter(),
            "trace": TraceRing(),
        }
        absent = [f.name for f in fields(World) if f.default is MISSING and f.default_factory is MISSING]
        self.world = World(**{name: None for name in absent if name not in given}, **given)
        self.visible = {}
        self.happenings = []
        self.unreachable = set()
        self.ends = {}
        """Reason for which the body fails each act; others are done."""

    @property
    def units(self):
        return self.world.units

    def add(self, kind, x, y, side=None, route=None, asleep=False):
        u = self.units
        row = next(i for i, t in enumerate(self.world.types) if t.name == kind)
        slot = u.add()
        u.kind[slot] = row
        u.side[slot] = (0 if kind == "raider" else 1) if side is None else side
        u.x[slot], u.y[slot] = x, y
        u.hp[slot] = 3
        u.weapon[slot] = next(i for i, w in enumerate(self.world.weapons) if w.name == self.world.types[row].weapon)
        u.asleep[slot] = asleep
        unit = int(u.id[slot])
        if route is not None:
            self.world.routes_of[unit] = route
        return unit

    def route(self, name, *points, loop=False, wait=0):
        self.world.routes.append(Route(name, points, loop, wait))

    def order(self, unit, kind, x=0.0, y=0.0, target=-1):
        """Give one unit an order as the orders stage does."""
        u, s = self.units, self.units.slot(unit)
        u.order[s], u.ordered_x[s], u.ordered_y[s], u.order_target[s] = kind, x, y, target
        u.event[s] |= int(Event.ORDERED)
        u.holding[s] = kind == OrderKind.HOLD
        if kind in (OrderKind.MOVE, OrderKind.ATTACK_MOVE, OrderKind.PATROL):
            if kind == OrderKind.PATROL:
                u.ordered_x[s], u.ordered_y[s] = u.x[s], u.y[s]
            u.goal_x[s], u.goal_y[s], u.moving[s], u.path_request[s] = x, y, 1, 1

    def see(self, watcher, target, meter=1.0):
        """Let the watcher see a target until :meth:`hide`."""
        self.visible[watcher] = (target, meter)

    def hide(self, watcher):
        self.visible.pop(watcher, None)

    def step(self, ticks=1):
        for _ in range(ticks):
            self.world.tick += 1
            self.world.events = []
            self._queues()
            self._perceive()
            wake_minds(self.world)
            self._move()
            self._acts()
            self._timers()
            self.happenings += self.world.events

    def _queues(self):
        u = self.units
        for unit, queue in sorted(self.world.queues.items()):
            if u.order[u.slot(unit)] == OrderKind.NONE and queue:
                order = queue.pop(0)
                self.order(unit, order.kind, order.x, order.y, order.target)
        self.world.queues = {k: v for k, v in self.world.queues.items() if v}

    def _perceive(self):
        u = self.units
        for unit in range(u.next_id):
            s = u.slot(unit)
            if unit in self.visible and u.alive[s] and not u.asleep[s]:
                target, meter = self.visible[unit]
                t = u.slot(target)
                if meter >= 1.0 and u.meter[s] < 1.0:
                    u.event[s] |= int(Event.SAW)
                    self.world.happen("identified", unit, target)
                elif meter >= 0.35 and u.meter[s] < 0.35:
                    u.event[s] |= int(Event.NOTICED)
                    self.world.happen("noticed", unit, target)
                u.meter[s], u.meter_target[s] = meter, target
                u.seen_x[s], u.seen_y[s], u.seen_tick[s] = u.x[t], u.y[t], self.world.tick
            elif u.meter[s] > 0:
                if u.meter[s] >= 1.0:
                    u.event[s] |= int(Event.LOST_SIGHT)
                    self.world.happen("lost_sight", unit, int(u.meter_target[s]))
                u.meter[s] = max(0.0, min(u.meter[s], 0.999) - 1 / 120)

    def _move(self):
        u = self.units
        for s in u.living():
            if u.path_request[s]:
                u.path_request[s] = 0
                if (u.goal_x[s], u.goal_y[s]) in self.unreachable:
                    u.event[s] |= int(Event.PATH_LOST)
                    self.world.happen("gave_up", int(u.id[s]), text="no path there")
                    u.moving[s] = 0
            if not np.isnan(u.turn_to[s]) and not u.moving[s]:
                u.facing[s] = u.turn_to[s]
            if not u.moving[s]:
                continue
            row = self.world.types[int(u.kind[s])]
            stride = (row.run if u.pace[s] else row.walk) / 20
            dx, dy = u.goal_x[s] - u.x[s], u.goal_y[s] - u.y[s]
            far = math.hypot(dx, dy)
            if far <= stride:
                u.x[s], u.y[s], u.moving[s] = u.goal_x[s], u.goal_y[s], 0
                u.event[s] |= int(Event.ARRIVED)
            else:
                u.x[s] += dx / far * stride
                u.y[s] += dy / far * stride
                u.facing[s] = math.atan2(dy, dx)

    def _acts(self):
        u = self.units
        for s, handle, what in advance_acts(self.world):
            if what == Act.USE and u.use_target[s] >= 0 and what not in self.ends:
                thing = int(u.use_target[s])
                use(self.world, s, self.world.prop(thing) or self.world.door(thing))
            self.world.acts.report(handle, self.world.tick, self.ends.get(what, Reason.NONE))
        settle_acts(self.world)

    def _timers(self):
        u = self.units
        due = (u.timer >= 0) & (u.timer <= self.world.tick)
        u.event[due] |= np.uint32(Event.TIMER)
        u.timer[due] = -1

    def state(self, unit):
        mind = self.world.minds.get(unit)
        return "at rest" if mind is None else f"{mind.skill}/{mind.machine.state}"

    def until(self, what, limit=1000):
        """Step until ``what()`` holds; return the tick."""
        for _ in range(limit):
            if what():
                return self.world.tick
            self.step()
        raise AssertionError(f"not within {limit} ticks; minds: { {u: self.state(u) for u in self.world.minds} }")

    def said(self, kind, unit=None):
        return [h for h in self.happenings if h.kind == kind and unit in (None, h.unit)]

    def at(self, unit):
        s = self.units.slot(unit)
        return float(self.units.x[s]), float(self.units.y[s])
