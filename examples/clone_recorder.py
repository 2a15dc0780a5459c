"""Recorder for behaviour cloning: observations and actions of a recorded game as NPZ.

Run ``python main.py run the_crossing --record game.json --json run.json``, then
``python -m examples.clone_recorder game.json pairs.npz``. Each order of the player becomes one row for each unit that
it names: the observation of the unit before the order, and the number of the nearest action.
"""

import sys
from pathlib import Path

import numpy as np

from game.env.action_table import action_of
from game.env.agent_observation import observe
from game.env.side_memory import side_memory
from game.sim.replay import open_replay
from game.world.orders import order_from_json

SIDE = 0


def main(path: Path, out: Path) -> int:
    """Write the pairs of a replay; return their number."""
    replay, session = open_replay(path)
    world, memory = session.world, side_memory(session.world, SIDE)
    memory.look(world)
    orders = [(tick, order_from_json(row)) for tick, row in replay.orders]
    rows: dict[str, list[np.ndarray]] = {}
    for _ in range(replay.ticks):
        entering = [order for tick, order in orders if tick == world.tick + 1 and order.side == SIDE]
        living = {int(i) for i in world.units.id[world.units.living(SIDE)]}
        for order in entering:
            for unit in sorted(living & set(order.units)):
                pair = {**observe(world, memory, unit, replay.ticks), "action": action_of(world, memory, unit, order)}
                for name, value in pair.items():
                    rows.setdefault(name, []).append(np.asarray(value))
        session.advance()
        memory.look(world)
    np.savez_compressed(out, **{name: np.stack(values) for name, values in rows.items()})
    return len(rows.get("action", []))


if __name__ == "__main__":
    print(f"{main(Path(sys.argv[1]), Path(sys.argv[2]))} pairs")
