"""Test settings: no display, no sound, no deadlines, fixed examples.

There are no deadlines because kernels may compile; the examples are the same in every run.
"""

import os
from collections import Counter
from functools import cache
from pathlib import Path

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
    """Compile all kernels before a run with several workers.

    So the workers only load them.
    """
    if getattr(session.config.option, "numprocesses", None) and not hasattr(session.config, "workerinput"):
        from ai.core.kernels import GROUPS
        from game.sim.warm_up import compile_in_children

        for _ in compile_in_children(GROUPS):
            pass


TESTS = Path(__file__).resolve().parent
SLOWEST = 10
"""Files that the end of a run names."""

QUICK = (
    "ai/core", "ai/decision", "ai/formation", "ai/grid", "ai/influence", "ai/paths", "ai/perception", "ai/search",
    "ai/squad", "ai/steering", "ai/tactics", "game/level", "game/world", "game/view/lab", "test_house.py",
    "test_prose.py", "test_techniques.py",
)  # fmt: skip
"""Folders and files whose tests carry the mark ``quick``, apart from NOT_QUICK."""

NOT_QUICK = (
    "test_anticipatory_avoidance.py", "test_any_angle.py", "test_avoid.py", "test_bad_input.py", "test_bench.py",
    "test_congestion_map.py", "test_crowds.py", "test_explorer.py", "test_futility.py", "test_fuzz.py",
    "test_hazards.py", "test_incremental_refinement.py", "test_jps_plus.py", "test_kernels.py", "test_levels.py",
    "test_local_replanning.py", "test_motion.py", "test_path_engines.py", "test_query_batch.py", "test_rejoin.py",
    "test_shadowcast.py", "test_shared_flow_field.py", "test_slot_flow_fields.py", "test_slot_following.py",
    "test_tuning.py",
)  # fmt: skip
"""Base names of files in these folders that take 2 s or longer each."""


def pytest_configure(config: pytest.Config) -> None:
    """Registers the mark and the sum of durations."""
    config.addinivalue_line("markers", "quick: pure and fast tests, together under 60 s on a warm kernel cache")
    config.addinivalue_line("markers", "long: a test of 4 s of processor time or more, left out unless asked for")
    config.pluginmanager.register(SlowestFiles(), "slowest_files")


@cache
def is_quick(path: Path) -> bool:
    """Return whether the tests of a file are quick."""
    name = path.relative_to(TESTS).as_posix() if TESTS in path.parents else ""
    return name.startswith(QUICK) and path.name not in NOT_QUICK


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leaves other files unread in a quick run, which saves their imports."""
    if config.option.markexpr == "quick" and collection_path.suffix == ".py" and not is_quick(collection_path):
        return True if collection_path.name.startswith("test_") else None
    return None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the quick tests by folder."""
    for item in items:
        if is_quick(item.path) and not item.get_closest_marker("long"):
            item.add_marker(pytest.mark.quick)


class SlowestFiles:
    """Sum the durations of reports by file and print the largest sums.

    Reports of workers are included.
    """

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Adds one phase of one test."""
        self.seconds[report.nodeid.partition("::")[0]] += report.duration

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Prints the slowest files when the run took several of them."""
        if len(self.seconds) > 1:
            terminalreporter.section(f"slowest {SLOWEST} files, {sum(self.seconds.values()):.0f} s in all")
            for name, seconds in self.seconds.most_common(SLOWEST):
                terminalreporter.write_line(f"{seconds:7.1f} s  {name}")
