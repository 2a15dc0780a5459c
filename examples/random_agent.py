"""Random agents: every raider of The Depot acts at random.  Run ``python -m examples.random_agent``."""

import numpy as np

from game.env import parallel_env


def main(steps: int = 40, seed: int = 1) -> float:
    """Play so many steps of ten ticks; return the sum of all rewards."""
    env = parallel_env("the_depot")
    dice = np.random.default_rng(seed)
    observations, _ = env.reset(seed=seed)
    total = 0.0
    for _ in range(steps):
        actions = {a: int(dice.choice(np.flatnonzero(observations[a]["action_mask"]))) for a in env.agents}
        observations, rewards, _, _, _ = env.step(actions)
        total += sum(rewards.values())
        if not env.agents:
            break
    return total


if __name__ == "__main__":
    print(f"sum of rewards: {main():.3f}")
