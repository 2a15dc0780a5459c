"""The world: everything that is true at a tick, as data.

One record tree, so that snapshot, save, compare and hash each are one call (ai.core.serialization).  ``tick`` counts
finished
ticks.  Fields marked unhashed are for overlays and statistics and cannot reach the simulation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ai.animation.tracks.act_deadlines import ActDeadlines
from ai.animation.tracks.order_spam import OrderSpam
from ai.animation.tracks.track_controller import TrackController
from ai.core.serialization import Snapshot, derived, digest, record, restore, snapshot, unhashed
from ai.decision.decision_trace import TraceRing
from ai.decision.message_router import MessageRouter
from ai.decision.skills import MindState
from ai.grid.components import Components
from ai.grid.terrain import Terrain
from ai.influence.influence_pipeline import InfluenceMaps
from ai.paths.congestion.congestion_map import Crowding
from ai.paths.groups.group_paths import GroupPaths
from ai.paths.manager import PathManager
from ai.perception.awareness.vision import Vision
from ai.perception.hearing.hearing import Hearing, HearingSettings
from ai.perception.sight.light_field import LightField, light_field
from ai.perception.sight.team_sight import TeamSight
from ai.perception.stimuli.stimulus_board import StimulusBoard
from ai.squad.missing_comrades import Comrades
from ai.squad.squad_search import Search
from ai.steering.steering_columns import SteeringState
from game.world.events import Happening
from game.world.groups.movement_groups import Groups
from game.world.groups.playbooks import Play
from game.world.groups.scene_zones import Scenes
from game.world.groups.squads import Squads
from game.world.mission_state import Mission
from game.world.orders import Order
from game.world.passage_claims import Passages
from game.world.places import (
    AreaCache,
    Brushwork,
    Door,
    DoorErrand,
    LightSource,
    NewGround,
    Prop,
    Region,
    Route,
    Thrown,
)
from game.world.rules.act_table import load_acts
from game.world.rules.world_settings import Settings
from game.world.stealth.side_records import CompanionErrand, SideKnowledge, SideSightings
from game.world.stealth.sneak_paths import SneakLine, SneakPath
from game.world.stealth.tactics_state import Tactics, TacticsCache
from game.world.turns import Turns
from game.world.unit_types import UnitType, Weapon
from game.world.units import Units


@record
class World:
    """See the fields; made by :func:`game.sim.create_world.create_world`."""

    level_name: str
    level_digest: str
    seed: int
    settings: Settings
    types: list[UnitType]
    weapons: list[Weapon]
    terrain: Terrain
    components: Components
    paths: PathManager
    sight: TeamSight
    vision: Vision
    steering: SteeringState
    units: Units
    tick: int = 0
    acts: TrackController = field(default_factory=lambda: TrackController(load_acts()))  # acts of all bodies
    act_rows: np.ndarray = unhashed(load_acts)  # table of acts with their own tracks (game.world.rules.act_table)
    deadlines: ActDeadlines = field(default_factory=ActDeadlines)  # acts that must succeed in time, and barred ones
    order_spam: OrderSpam = field(default_factory=OrderSpam)  # acts that minds ordered within the last second
    night: bool = False  # True for a map at night
    light: LightField = field(default_factory=lambda: light_field(1, 1))  # light by tile
    ears: Hearing = field(default_factory=lambda: Hearing(HearingSettings()))
    stimuli: StimulusBoard = field(default_factory=StimulusBoard)
    loudness: np.ndarray = unhashed(lambda: np.zeros((0, 0), np.uint8))  # loudness of a step by tile, in eighths
    low: np.ndarray = unhashed(lambda: np.zeros((0, 0), np.uint8))  # heights of the level's low walls
    sightings: list[SideSightings] = field(default_factory=list)
    sneaks: dict[int, SneakPath] = field(default_factory=dict)  # unit id -> its path
    sneak_line: SneakLine = field(default_factory=SneakLine)  # units that wait for a path
    searches: list[Search] = field(default_factory=list)  # searches of all sides
    knowledge: list[SideKnowledge] = field(default_factory=list)
    comrades: list[Comrades] = field(default_factory=list)
    errands: list[CompanionErrand] = field(default_factory=list)
    rooms: AreaCache = derived(AreaCache)
    influence: InfluenceMaps = field(default_factory=InfluenceMaps)  # maps of the sides that have readers
    tactics: Tactics = field(default_factory=Tactics)
    tactics_cache: TacticsCache = derived(TacticsCache)
    lights: list[LightSource] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)  # unit id -> name
    routes_of: dict[int, str] = field(default_factory=dict)  # unit id -> patrol route
    routes: list[Route] = field(default_factory=list)
    regions: list[Region] = field(default_factory=list)
    doors: list[Door] = field(default_factory=list)
    thrown: list[Thrown] = field(default_factory=list)  # bodies in the air (game.systems.interaction.traps)
    new_ground: list[NewGround] = field(default_factory=list)  # oldest first
    brushwork: Brushwork = field(default_factory=Brushwork)  # strokes of the sandbox
    props: list[Prop] = field(default_factory=list)
    mission: Mission = field(default_factory=Mission)
    door_errands: list[DoorErrand] = field(default_factory=list)  # doors that units have gone to open for others
    groups: Groups = field(default_factory=Groups)  # units that move together
    squads: Squads = field(default_factory=Squads)  # units that carry out manoeuvres
    scenes: Scenes = field(default_factory=Scenes)  # zones that give roles to units that are free
    plays: list[Play] = field(default_factory=list)  # drawn formations, of assets/data/playbooks.toml
    passages: Passages = field(default_factory=Passages)  # passages as wide as one body
    group_paths: GroupPaths = field(default_factory=GroupPaths)
    minds: dict[int, MindState] = field(default_factory=dict)  # unit id -> mind
    set_aside: dict[int, str] = field(default_factory=dict)  # unit id -> the error that stopped its mind
    router: MessageRouter = field(default_factory=MessageRouter)
    pending: list[Order] = field(default_factory=list)  # orders that enter at the next tick
    queues: dict[int, list[Order]] = field(default_factory=dict)  # unit id -> orders queued with Shift
    paths_to_cancel: list[int] = field(default_factory=list)  # unit ids, this tick
    crowding: Crowding | None = None  # made when paths avoid crowds (game.systems.movement.crowding)
    turns: Turns = field(default_factory=Turns)
    last_hit_by: dict[int, int] = field(default_factory=dict)  # unit id -> id of its last hitter
    events: list[Happening] = field(default_factory=list)  # events of the last tick
    trace: TraceRing = unhashed(TraceRing)
    recording: dict[str, Any] = unhashed(dict)  # data of stages for overlays: name -> array or number

    def happen(
        self, kind: str, unit: int = -1, other: int = -1, text: str = "", at: tuple[float, float] | None = None
    ) -> None:
        """Publish an event of this tick at a place, or at ``unit``.

        The place is in tiles.
        """
        x, y = at or (0.0, 0.0)
        if unit >= 0 and at is None:
            slot = self.units.slot(unit)
            x, y = float(self.units.x[slot]), float(self.units.y[slot])
        self.events.append(Happening(self.tick, kind, unit, other, x, y, text))

    def hash(self) -> str:
        """Return the state's hex hash, equal in every process.

        It holds for the same level, seed and orders.
        """
        return digest(self)

    def snapshot(self, base: Snapshot | None = None) -> Snapshot:
        """Return a frozen copy that shares unchanged parts with ``base``."""
        return snapshot(self, base)

    def door(self, ref: int | str) -> Door | None:
        """Return a door by id or name."""
        return next((d for d in self.doors if d.id == ref or (d.name == ref and ref != "")), None)

    def prop(self, ref: int | str) -> Prop | None:
        """Return a prop by id or name."""
        return next((p for p in self.props if p.id == ref or (p.name == ref and ref != "")), None)

    def lamp(self, ref: int | str) -> LightSource | None:
        """Return a light by id or name, or None."""
        return next((s for s in self.lights if s.id == ref or (s.name == ref and ref != "")), None)

    def region(self, name: str) -> Region | None:
        """Return a region by name."""
        return next((r for r in self.regions if r.name == name), None)

    def route(self, name: str) -> Route | None:
        """Return a patrol route by name."""
        return next((r for r in self.routes if r.name == name), None)

    def name_of(self, unit: int) -> str:
        """Return the unit's name, or its type and id ("Guard 4")."""
        if unit in self.names:
            return self.names[unit]
        return f"{self.types[int(self.units.kind[self.units.slot(unit)])].label} {unit}"


@dataclass(frozen=True)
class BareSnapshot:
    """Snapshot without what takes part in nothing, and what never changes."""

    saved: Snapshot

    def again(self, like: World) -> World:
        """Return a new world equal to the saved one.

        ``like`` is a world of the same game; data that no stage changes is shared with it, and so are the rooms of
        the map, which follow from it.
        """
        made = restore(self.saved)
        assert isinstance(made, World)
        made.rooms = replace(like.rooms)
        made.types, made.weapons, made.regions, made.routes = like.types, like.weapons, like.regions, like.routes
        return made


def bare_snapshot(world: World, base: BareSnapshot | None = None) -> BareSnapshot:
    """Return a snapshot without trace, recordings, types, weapons, regions and routes.

    They are half of the data."""
    bare = replace(world, trace=TraceRing(1), recording={}, types=[], weapons=[], regions=[], routes=[])
    return BareSnapshot(snapshot(bare, base.saved if base is not None else None))


def copies_of(world: World) -> Callable[[], World]:
    """Make copies of the present world, for a stage or a few.

    They are compared afterwards.
    """
    saved = bare_snapshot(world)
    return lambda: saved.again(world)


def restore_world(saved: Snapshot, like: World | None = None) -> World:
    """Return a new world equal to the snapshot's.

    ``like``: the world of the snapshot, if it has not advanced since.
    """
    world = restore(saved)
    assert isinstance(world, World)
    return revived(world, like)


def revived(world: World, like: World | None = None) -> World:
    """Return the restored world with search data built or copied.

    Then no tick has to build it.
    """
    world.paths.engines.revive(world.terrain, like.paths.engines if like is not None else None)
    return world
