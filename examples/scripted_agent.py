"""Scripted agent: it wins The Crossing with the orders of an expert.  Run ``python -m examples.scripted_agent``.

An action may be a number of the table or the game's own orders. This agent gives orders, one step a tick.
"""

from pathlib import Path

from game.checks.scripts.script import load_script
from game.checks.scripts.scripted_player import ScriptedPlayer
from game.env import parallel_env
from game.world.orders import Order

SCRIPT = Path("levels/the_crossing.stealth.toml")


def main() -> tuple[str, int]:
    """Play the mission; return its status and the tick at which it ended."""
    script, expert = load_script(SCRIPT), ScriptedPlayer()
    env = parallel_env("the_crossing", settings=script.settings, step_ticks=1)
    env.reset(seed=script.seed)
    while env.agents:
        world = env.game.session.world
        orders = expert.orders(script, world, world.tick + 1)
        actions: dict[str, list[Order]] = {}
        for order in orders:  # an order to several units is given once, by the first of them
            actions.setdefault(f"unit_{order.units[0]}" if order.units else env.agents[0], []).append(order)
        env.step({agent: given for agent, given in actions.items() if agent in env.agents})
    return env.game.session.world.mission.status, env.game.tick


if __name__ == "__main__":
    status, tick = main()
    print(f"{status} at tick {tick}")
