"""Tree search: a scout tries actions, goes back, and takes the best.  Run ``python -m examples.tree_search``.

At each step the agent saves the state and plays one future for each of some candidate actions. Then it loads the state
again and keeps the action after which its side has seen the most tiles. A raider that dies on the way counts nothing.
"""

import numpy as np

from game.env import FoglineParallel, parallel_env


def seen(env: FoglineParallel) -> int:
    """Return the number of tiles that the side has ever seen."""
    return int(env.game.memories[0].explored.sum())


def candidates(env: FoglineParallel, agent: str, dice: np.random.Generator, count: int) -> list[int]:
    """Return some allowed actions, in random order."""
    mask = env.game.observe(int(agent.removeprefix("unit_")))["action_mask"]
    allowed = np.flatnonzero(mask)
    return [int(a) for a in dice.choice(allowed, min(count, len(allowed)), replace=False)]


def future(env: FoglineParallel, agent: str, action: int, depth: int) -> int:
    """Return what is seen ``depth`` steps after an action; -1 after death."""
    for step in range(depth):
        env.step({agent: action} if step == 0 else {})
        if agent not in env.agents:
            return -1
    return seen(env)


def search(env: FoglineParallel, agent: str, dice: np.random.Generator, width: int, depth: int) -> int:
    """Return the best of ``width`` actions by one future each."""
    here, best, most = env.save_state(), 0, -2
    for action in candidates(env, agent, dice, width):
        found = future(env, agent, action, depth)
        if found > most:
            best, most = action, found
        env.load_state(here)
    return best


def main(steps: int = 3, width: int = 8, depth: int = 8, seed: int = 1) -> tuple[int, int]:
    """Scout The Crossing; return the tiles seen by search and at random."""
    found = []
    for wise in (True, False):
        env, dice = parallel_env("the_crossing"), np.random.default_rng(seed)
        env.reset(seed=seed)
        agent = env.agents[0]
        for _ in range(steps):
            action = search(env, agent, dice, width, depth) if wise else candidates(env, agent, dice, 1)[0]
            for step in range(depth):
                env.step({agent: action} if step == 0 else {})
        found.append(seen(env))
    return found[0], found[1]


if __name__ == "__main__":
    by_search, at_random = main()
    print(f"tiles seen: {by_search} by search, {at_random} at random")
