"""Environments for agents of other programs: PettingZoo's parallel interface and Gymnasium's.

``pip install -r requirements-env.txt`` installs what they need; importing this package registers ``Fogline/Depot-v0``,
``Fogline/Crossing-v0`` and ``Fogline/Skirmish-v0`` with Gymnasium.
"""

import gymnasium

from game.env.agent_parallel import FoglineParallel, parallel_env
from game.env.side_env import SideEnv
from game.env.vector_env import vector_env

__all__ = ["FoglineParallel", "SideEnv", "parallel_env", "vector_env"]

LEVELS = {
    "Fogline/Depot-v0": {"level": "the_depot"},
    "Fogline/Crossing-v0": {"level": "the_crossing"},
    "Fogline/Skirmish-v0": {"level": "skirmish_small"},
}
"""Registered environments and their arguments."""

for _name, _arguments in LEVELS.items():
    if _name not in gymnasium.registry:
        gymnasium.register(_name, entry_point="game.env.side_env:SideEnv", kwargs=_arguments)
