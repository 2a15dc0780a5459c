"""The ten stages of a tick, a module each with one function ``run(world)``."""
