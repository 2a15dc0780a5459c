"""House rules: imports run down the stack, and no circle hides.

pygame stays in the window.
"""

import ast
import re
from collections import Counter
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from game.world.events import KINDS

ROOT = Path(__file__).resolve().parent.parent

AI_FLOORS = {
    "core": 0, "grid": 1, "search": 2, "perception": 2, "paths": 3, "steering": 3, "tactics": 3, "influence": 3,
    "formation": 4, "squad": 5, "strategy": 6, "learning": 6, "procedural": 6,
    "decision": 1, "animation": 1,
}  # fmt: skip
"""Levels of the packages; a package may import lower ones and itself.

Packages of equal number do not import each other.
"""

NOT_SPATIAL = {"decision", "animation"}
"""Packages that take positions as arrays and import no spatial package."""

GAME_FLOORS = {"level": 0, "world": 1, "systems": 2, "minds": 3, "sim": 4, "checks": 5, "view": 6, "cli": 7, "env": 7}


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
    """Time comes as ticks, and random numbers come from ai.core.rand.

    The runner that *measures* stages is the one exception.
    """
    banned = {"time", "random", "datetime", "secrets", "uuid", "numpy.random"}
    for path in SOURCES:
        relative = path.relative_to(ROOT).as_posix()
        if relative.startswith(("game/view/", "game/cli")) or relative in ("game/sim/stage_clock.py",):
            continue
        names = imports_of(path)
        assert not names & banned, f"{relative} imports {names & banned}"
        assert "np.random" not in path.read_text(encoding="utf-8"), f"{relative} uses np.random"


def test_every_package_has_a_floor() -> None:
    for name, floors in (("ai", AI_FLOORS), ("game", GAME_FLOORS)):
        for folder in (ROOT / name).iterdir():
            if folder.is_dir() and folder.name != "__pycache__":
                assert folder.name in floors, f"give {name}/{folder.name} a floor in this test"


MODULES = {".".join(p.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): p for p in SOURCES}


def modules_of(names: set[str]) -> set[str]:
    """Return the modules of this repository among dotted names of imports.

    "from package import module" names both; only the module counts.
    """
    found = {name for name in names if name in MODULES}
    packages = {name.rpartition(".")[0] for name in found}
    return {name for name in found if not (name in packages and MODULES[name].name == "__init__.py")}


def test_no_circle_of_imports() -> None:
    """Imports inside functions and behind TYPE_CHECKING count, so no circle can hide there."""
    graph = {module: modules_of(imports_of(path)) - {module} for module, path in MODULES.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(f"a circle of imports: {' <- '.join(error.args[1])}") from None


def test_no_import_for_type_checking_only() -> None:
    for path in SOURCES:
        assert "typing.TYPE_CHECKING" not in imports_of(path), f"{path}: import the type, or take a protocol"


HEAVY = {"numba", "scipy", "pytmx", "pygame", "pygame_gui", "rich", "distributed", "PIL"}
"""Libraries that take long to load."""

LATE_IMPORTS = {
    "game/checks/comparing/intervals.py": "a level opens without scipy.stats; seeds need it",
    "ai/grid/areas.py": "scipy is loaded with the first map of areas",
    "ai/steering/collision/progress.py": "scipy is loaded with the first crowd",
    "game/checks/sweep/cluster_workers.py": "Dask is an extra that only a cluster needs",
    "game/cli.py": "a command loads the libraries of its own work only",
    "game/env/agent_picture.py": "pygame is loaded with the first picture",
    "game/level/reading.py": "scipy is loaded for plain Tiled maps only",
    "game/minds/guard/restore_object.py": "scipy is loaded with the first changed object",
    "game/sim/warm_up.py": "the window asks for the marker of a kernel group before numba is loaded",
    "game/systems/movement/body_room.py": "scipy is loaded with the first fight",
    "game/systems/groups/slot_places.py": "scipy is loaded with the first formation",
    "game/view/app.py": "the first frame is shown before pygame_gui is loaded",
    "game/view/light/cones.py": "scipy is loaded with the first view cone",
    "game/view/overlays/fills.py": "scipy is loaded with the first fill that has gaps",
    "game/view/light/fog.py": "scipy is loaded with the first fog",
    "game/view/painting/unit_picture.py": "the menu runs before numba is loaded",
    "game/view/screens/loading_screen.py": "the menu runs before numba and the simulation are loaded",
    "game/view/stealth/noise_rings.py": "scipy is loaded with the first noise ring",
    "game/view/painting/window_recorder.py": "Pillow is loaded with the first recording",
    "game/view/screens/tours/tour_list_screen.py": "the menu lists tours before exhibits are loaded",
    "game/view/window/start_up.py": "a thread loads numba behind the open window",
}
"""Files with imports inside functions, and the reason.

Each such import loads a heavy library.
"""


@cache
def late_imports_of(path: Path) -> frozenset[str]:
    """Return the dotted modules that a source file imports inside functions."""
    names = set()
    for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for node in ast.walk(function):
                if isinstance(node, ast.Import):
                    names.update(alias.name for alias in node.names)
                elif isinstance(node, ast.ImportFrom):
                    names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return frozenset(names)


def libraries_of(module: str) -> set[str]:
    """Return the names of packages that importing a module loads, packages above it included."""
    found: set[str] = set()
    seen: set[str] = set()
    ahead = [module]
    while ahead:
        name = ahead.pop()
        if name in seen:
            continue
        seen.add(name)
        early = imports_of(MODULES[name]) - late_imports_of(MODULES[name])
        found.update(word.split(".")[0] for word in early)
        above = {name[: dot.start()] for dot in re.finditer(r"\.", name)}
        ahead += sorted(modules_of(early) | above & set(MODULES))
    return found


def test_imports_inside_functions_keep_a_heavy_library_out_of_the_start() -> None:
    late = {path.relative_to(ROOT).as_posix(): late_imports_of(path) for path in SOURCES if late_imports_of(path)}
    assert set(late) == set(LATE_IMPORTS)
    for file, names in late.items():
        heavy = HEAVY | {"numpy"} if file == "game/cli.py" else HEAVY  # the window has numpy from its first frame
        for name in names:
            module = name if name in MODULES else name.rpartition(".")[0]
            loaded = libraries_of(module) if module in MODULES else {name.split(".")[0]}
            assert loaded & heavy, f"{file}: import {name} at the top"


MOST_ENTRIES = 16
"""Entries of a code folder, its __init__.py included."""


def test_no_code_folder_overflows() -> None:
    for folder in {path.parent for path in SOURCES}:
        entries = [entry for entry in folder.iterdir() if entry.name != "__pycache__"]
        assert len(entries) <= MOST_ENTRIES, f"{folder}: {len(entries)} entries; make a sub-package by subject"


def test_base_names_of_modules_are_unique() -> None:
    names = Counter((path.relative_to(ROOT).parts[0], path.stem) for path in SOURCES)
    twice = [name for name, count in names.items() if count > 1 and name[1] not in ("settings", "__init__")]
    assert not twice, f"two modules are called {twice}"


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
"""Files that use a remainder of the tick for another purpose, and the reason.

The usual purpose is the turn of a unit.
"""


def remainders_of_ticks(path: Path) -> bool:
    """Return True if a source file takes a remainder of a tick.

    Low bits of an expression with a tick in it count as well.
    """
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
    """Turns and periods come from ai.core.scheduling.

    This holds wherever work is shared out over ticks.
    """
    below_the_window = [p for p in SOURCES if "view" not in p.parts and "scheduling" not in p.parts]
    own = {p.relative_to(ROOT).as_posix() for p in below_the_window if remainders_of_ticks(p)}
    assert own == set(NO_TURNS)


def test_every_fact_that_the_game_publishes_is_in_the_list_of_facts() -> None:
    """A script may use any of these names, and other names are refused."""
    published = {
        kind
        for path in (ROOT / "game").rglob("*.py")
        for kind in re.findall(r'happen\(\s*"([a-z_]+)"', path.read_text(encoding="utf-8"))
    }
    assert len(published) > 30 and published <= set(KINDS)


TESTS = sorted((ROOT / "tests").rglob("*.py"))

CHECKED_ELSEWHERE = {"parallel_api_test", "parallel_seed_test", "check_env", "warn", "raises", "warns", "fail"}
"""Calls that fail a test without an assertion of its own."""

ADDS = {"add", "append", "appendleft", "extend", "insert", "setdefault", "update"}
"""Methods that fill a collection and read nothing of it."""


@cache
def functions_of_tests() -> tuple[tuple[Path, ast.FunctionDef], ...]:
    """Return the functions of all files of tests."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in TESTS}
    return tuple((path, n) for path, tree in trees.items() for n in ast.walk(tree) if isinstance(n, ast.FunctionDef))


def calls_in(function: ast.FunctionDef) -> set[str]:
    """Return the last names of functions that are called in a function."""
    called = (node.func for node in ast.walk(function) if isinstance(node, ast.Call))
    return {getattr(func, "attr", getattr(func, "id", "")) for func in called}


def test_every_test_can_fail() -> None:
    """A test has an assertion, or calls a function of tests with one."""
    asserts = (ast.Assert, ast.Raise)
    can_fail = set(CHECKED_ELSEWHERE)
    can_fail |= {f.name for _, f in functions_of_tests() if any(isinstance(n, asserts) for n in ast.walk(f))}
    calls = {f.name: calls_in(f) for _, f in functions_of_tests() if f.name not in can_fail}
    while more := {name for name, called in calls.items() if name not in can_fail and called & can_fail}:
        can_fail |= more
    checked = [(path, f.name) for path, f in functions_of_tests() if f.name.startswith("test_")]
    assert len(checked) > 2000 and not [(path, name) for path, name in checked if name not in can_fail]


def test_every_argument_of_a_test_is_read() -> None:
    """An unread parameter runs one test twice.

    A fixture that only has to be there is named by ``pytest.mark.usefixtures``.
    """
    for path, function in functions_of_tests():
        if function.name.startswith("test_"):
            names = {n.id for part in function.body for n in ast.walk(part) if isinstance(n, ast.Name)}
            unread = [a.arg for a in function.args.args if a.arg not in names and a.arg != "self"]
            assert not unread, f"{path}: {function.name} does not read {unread}"


def empty_at_first(node: ast.Assign) -> set[str]:
    """Return names that an assignment sets to a number or to an empty collection."""
    target, value = node.targets[0], node.value
    pairs = [(target, value)]
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        pairs = list(zip(target.elts, value.elts, strict=False))
    empty = (ast.Constant, ast.List, ast.Set, ast.Dict)
    return {
        name.id
        for name, first in pairs
        if isinstance(name, ast.Name) and (isinstance(first, empty) or ast.unparse(first) in ("set()", "Counter()"))
    }


def test_what_a_test_collects_is_read() -> None:
    """Find counts and lists that are only filled, which checks nothing."""
    for path, function in functions_of_tests():
        if not function.name.startswith("test_"):
            continue
        made, filled, read = set(), set(), set()
        above = {child: node for node in ast.walk(function) for child in ast.iter_child_nodes(node)}
        for node in above:
            if isinstance(node, ast.Assign):
                made |= empty_at_first(node)
            elif isinstance(node, ast.Name):
                use = above[node]
                adds = isinstance(use, ast.Attribute) and use.attr in ADDS and isinstance(above[above[use]], ast.Expr)
                if adds or (isinstance(use, ast.AugAssign) and use.target is node):
                    filled.add(node.id)
                elif isinstance(node.ctx, ast.Load):
                    read.add(node.id)
        outer = {n for part in above if isinstance(part, ast.Global | ast.Nonlocal) for n in part.names}
        idle = (filled & made) - read - outer
        assert not idle, f"{path}: {function.name} collects {sorted(idle)} and reads nothing of it"
