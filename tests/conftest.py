"""Test settings: no display, no sound, no deadlines (kernels may compile), the same examples in every run."""

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "fogline", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.load_profile("fogline")


def pytest_sessionstart(session: pytest.Session) -> None:
    """A run with several workers compiles all kernels first, so that the workers only load them."""
    if getattr(session.config.option, "numprocesses", None) and not hasattr(session.config, "workerinput"):
        from ai.core.kernels import GROUPS
        from game.sim.warm_up import compile_in_children

        for _ in compile_in_children(GROUPS):
            pass
