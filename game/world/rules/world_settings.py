"""Settings of a world: one tree of records, by subject."""

from __future__ import annotations

from dataclasses import field

from ai.core.serialization import record, unhashed
from ai.formation.settings import FormationSettings
from ai.paths.settings import PathSettings
from ai.perception.hearing.hearing import HearingSettings
from ai.perception.settings import VisionSettings
from ai.steering.settings import SteeringSettings
from game.world.rules.body_settings import BodySettings
from game.world.rules.crowding_settings import CrowdingSettings
from game.world.rules.figure_settings import FigureSettings
from game.world.rules.game_rules import Rules
from game.world.rules.mind_settings import MindSettings
from game.world.rules.noise_rules import NoiseRules
from game.world.rules.scene_settings import SceneSettings
from game.world.rules.tactics_settings import TacticsSettings


@record
class Settings:
    """All settings of a world, by subject."""

    rules: Rules = field(default_factory=Rules)
    paths: PathSettings = field(default_factory=lambda: PathSettings(arrive=0.1))
    steering: SteeringSettings = field(default_factory=SteeringSettings)
    formation: FormationSettings = field(default_factory=FormationSettings)
    vision: VisionSettings = field(default_factory=VisionSettings)
    # A dog hears four times as far as a man: six times would carry running steps across a whole map.
    hearing: HearingSettings = field(
        default_factory=lambda: HearingSettings(
            run_tiles=7.0, hold_seconds=0.9, keenness=[[0.15, 1.0, 1.5], [0.6, 4.0, 4.0]]
        )
    )
    noise: NoiseRules = field(default_factory=NoiseRules)
    minds: MindSettings = field(default_factory=MindSettings)
    crowding: CrowdingSettings = field(default_factory=CrowdingSettings)
    tactics: TacticsSettings = field(default_factory=TacticsSettings)
    scenes: SceneSettings = field(default_factory=SceneSettings)
    body: BodySettings = field(default_factory=BodySettings)
    figures: FigureSettings = unhashed(FigureSettings)


def default_settings() -> Settings:
    """Return a new tree of settings at their defaults."""
    return Settings()
