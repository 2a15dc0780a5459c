"""The house stands: imports run down the stack, and pygame stays in the window."""

import ast
import re
from functools import cache
from pathlib import Path

from game.world.events import KINDS

ROOT = Path(__file__).resolve().parent.parent

AI_FLOORS = {
    "core": 0, "grid": 1, "search": 2, "perception": 2, "paths": 3, "steering": 3, "tactics": 3, "influence": 3,
    "formation": 4, "squad": 5, "strategy": 6, "learning": 6, "procedural": 6,
    "decision": 1, "animation": 1,
}  # fmt: skip
"""A package may import those of a lower number, and itself.  Equal numbers do not know each other."""

NOT_SPATIAL = {"decision", "animation"}
"""These take positions as arrays and import no spatial package."""

GAME_FLOORS = {"level": 0, "world": 1, "systems": 2, "minds": 3, "sim": 4, "checks": 5, "view": 6, "cli": 7}


@cache
def imports_of(path: Path) -> set[str]:
    """Dotted names a source file imports, wherever in the file."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide the direction; write the package"
            names.add(node.module or "")
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


SOURCES = sorted(p for folder in ("ai", "game") for p in (ROOT / folder).rglob("*.py"))


def test_imports_run_down_the_house() -> None:
    """Every source file, in one test: its failure names the file."""
    for path in SOURCES:
        hold_to_its_floor(path)


def hold_to_its_floor(path: Path) -> None:
    parts = path.relative_to(ROOT).with_suffix("").parts
    for name in imports_of(path):
        words = name.split(".")
        if parts[0] == "ai":
            assert words[0] not in ("game", "pygame", "pygame_gui", "tools"), f"{path}: ai imports {name}"
            if words[0] == "ai" and len(words) > 1 and len(parts) > 1 and parts[1] != "__init__":
                here, there = parts[1], words[1]
                if here == there or there not in AI_FLOORS:
                    continue
                assert AI_FLOORS[there] < AI_FLOORS[here], f"{path}: {here} imports {there}"
                if here in NOT_SPATIAL:
                    assert there == "core", f"{path}: {here} knows positions"
        else:
            if words[0] in ("pygame", "pygame_gui"):
                assert parts[1] in ("view", "cli"), f"{path}: pygame below the window"
            assert words[0] != "tools", f"{path}: the game imports a tool"
            if words[0] == "game" and len(words) > 1 and len(parts) > 1 and words[1] in GAME_FLOORS:
                here, there = parts[1], words[1]
                if here in GAME_FLOORS and here != there:
                    assert GAME_FLOORS[there] < GAME_FLOORS[here], f"{path}: {here} imports {there}"


def test_no_clock_and_no_dice_below_the_window() -> None:
    """Time comes as ticks and dice from ai.core.rand; the runner that *measures* stages is the one exception."""
    banned = {"time", "random", "datetime", "secrets", "uuid", "numpy.random"}
    for path in SOURCES:
        relative = path.relative_to(ROOT).as_posix()
        if relative.startswith(("game/view/", "game/cli")) or relative in ("game/sim/stage_clock.py",):
            continue
        names = imports_of(path)
        assert not names & banned, f"{relative} imports {names & banned}"
        assert "np.random" not in path.read_text(encoding="utf-8"), f"{relative} uses np.random"


def test_every_package_below_ai_has_a_floor() -> None:
    for folder in (ROOT / "ai").iterdir():
        if folder.is_dir() and folder.name != "__pycache__":
            assert folder.name in AI_FLOORS, f"give ai/{folder.name} a floor in this test"


def test_every_picture_of_the_readme_is_there() -> None:
    names = re.findall(r"\]\((docs/[^)]+)\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(names) >= 6 and not [name for name in names if not (ROOT / name).is_file()]


NO_TURNS = {
    "ai/steering/behaviours/swarm.py": "the wobble of a swarm is the source's own formula",
    "ai/steering/navigation_pipeline.py": "how far a swaying body is between two headings",
    "game/checks/invariants/body_invariants.py": "the row of a ring",
    "game/checks/invariants/invariants.py": "the row of a ring",
    "game/checks/invariants/search_invariants.py": "which tiles a sample compares",
    "game/checks/invariants/no_cheating.py": "which tile a sample asks about",
    "game/checks/invariants/sight_invariants.py": "at which watcher a sample of them begins",
    "game/checks/invariants/stealth_invariants.py": "which watcher a sample looks at",
}
"""Who takes a remainder of the tick for something else than whose turn it is, and why."""


def remainders_of_ticks(path: Path) -> bool:
    """Whether a source file takes a remainder, or the low bits, of something with a tick in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod | ast.BitAnd):
            # Text is formatted with the same sign, arrays are masked with it.
            part = node.left
            while isinstance(part, ast.BinOp | ast.UnaryOp):
                part = part.left if isinstance(part, ast.BinOp) else part.operand
            if getattr(part, "id", getattr(part, "attr", "")) == "tick":
                return True
    return False


def test_one_clock_says_whose_turn_it_is() -> None:
    """Turns and periods are asked of ai.core.scheduling, wherever work is shared out over ticks."""
    below_the_window = [p for p in SOURCES if "view" not in p.parts and "scheduling" not in p.parts]
    own = {p.relative_to(ROOT).as_posix() for p in below_the_window if remainders_of_ticks(p)}
    assert own == set(NO_TURNS)


def test_every_fact_that_the_game_publishes_is_in_the_list_of_facts() -> None:
    """A script may ask for any of them by name, and is refused for names that are none."""
    published = {
        kind
        for path in (ROOT / "game").rglob("*.py")
        for kind in re.findall(r'happen\(\s*"([a-z_]+)"', path.read_text(encoding="utf-8"))
    }
    assert len(published) > 30 and published <= set(KINDS)
