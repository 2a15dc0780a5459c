"""Registry of numba kernels and the on-disk cache they compile into.

A *kernel* is a nopython function with ONE fixed signature, entered from Python. A *device* function is a small
module-level helper that only kernels call; it is compiled into them and has no cache entry of its own.

Rules that this module enforces:

* Nothing compiles at import. ``warm_up`` compiles (or loads) registered kernels group by group.
* numba does not notice a change in a callee that lives in another file. So the cache folder of a module is named by a
  digest of that module, of every source it imports, directly or not, and of the Python, numba and numpy versions. The
  digest leaves out docstrings, comments, line numbers and descriptors of techniques.
* One signature per kernel: the first call compiles the registered one and closes the dispatcher. Then other scalar
  types are converted and other arrays are refused.
* No kernel takes or closes over a kernel made by a factory: such kernels are never cached. Policies are integer codes.
* ``parallel`` is not part of numba's cache key, so a serial and a parallel version must be two functions with two
  names.
"""

from __future__ import annotations

import ast
import atexit
import functools
import hashlib
import importlib
import os
import re
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Any, TypeVar, cast

import numba
import numpy as np
import platformdirs
from numba.core import caching, types

F = TypeVar("F", bound=Callable[..., Any])

GROUPS = ("mission", "lab", "bench")
"""Compile order.

``mission`` is everything that The Crossing needs, and must stay ready within 30 s cold.
"""

_ROOT = Path(__file__).resolve().parents[2]


_IMPORT = re.compile(
    r"^\s*(?:from\s+((?:ai|game)[\w.]*)\s+import\s+(\([^)]*\)|[^\n]*)|import\s+((?:ai|game)[\w.]*))", re.M
)
_VERSIONS = f"{sys.version_info[:3]}|{numba.__version__}|{np.__version__}"


def _module_file(name: str) -> Path | None:
    path = _ROOT.joinpath(*name.split("."))
    for candidate in (path.with_suffix(".py"), path / "__init__.py"):
        if candidate.is_file():
            return candidate
    return None


@functools.cache
def _imported_sources(path: Path) -> frozenset[Path]:
    """Return the project files that ``path`` imports directly.

    They are found in its text; nothing is executed.
    """
    found = set()
    for package, names, plain in _IMPORT.findall(path.read_text(encoding="utf-8")):
        parts = [name.split(" as ")[0].strip(" ()\n") for name in names.split(",")]
        for name in [plain or package, *(f"{package}.{part}" for part in parts)]:
            file = _module_file(name)
            if file is not None:
                found.add(file)
    return frozenset(found)


@functools.cache
def _code_digest(path: Path) -> bytes:
    """Return the digest of a source file's code.

    Docstrings, comments, line numbers and descriptors do not count.

    Parsing every source takes a second, so the answer for a text is kept beside the compiled kernels.
    """
    text = path.read_bytes()
    known = cache_root() / "sources" / hashlib.blake2b(text + _VERSIONS.encode(), digest_size=16).hexdigest()
    if known.is_file() and len(digest := known.read_bytes()) == 16:
        return digest
    tree = ast.parse(text)
    _without_prose(tree)
    code = compile(tree, path.name, "exec", dont_inherit=True)
    digest = hashlib.blake2b(_code_text(code).encode(), digest_size=16).digest()
    part = known.with_name(f"{known.name}.{os.getpid()}")
    known.parent.mkdir(parents=True, exist_ok=True)
    part.write_bytes(digest)
    part.replace(known)
    return digest


def _without_prose(node: ast.Module | ast.ClassDef | ast.FunctionDef) -> None:
    """Take docstrings and descriptors out of a tree."""
    node.body[:] = [s for s in node.body if not _is_prose(s)]
    if not node.body and not isinstance(node, ast.Module):
        node.body.append(ast.copy_location(ast.Pass(), node))
    for inner in node.body:
        if isinstance(inner, ast.ClassDef | ast.FunctionDef):
            _without_prose(inner)


def _is_prose(node: ast.stmt) -> bool:
    """Return whether a statement is a docstring or the descriptors of techniques."""
    if isinstance(node, ast.Assign):
        return [getattr(target, "id", "") for target in node.targets] == ["TECHNIQUES"]
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _code_text(code: CodeType) -> str:
    """Return byte code, names and constants as text without line numbers.

    The text is the same in every process.
    """
    constants = [
        _code_text(c) if isinstance(c, CodeType) else repr(sorted(map(repr, c)) if isinstance(c, frozenset) else c)
        for c in code.co_consts
    ]
    names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
    counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags
    return repr((code.co_name, code.co_code, code.co_exceptiontable, names, counts, constants))


def sources_of(module: str) -> list[Path]:
    """Return the sorted files of a module and of its imports.

    Only imports from this project count, at any depth.
    """
    start = _module_file(module)
    seen: set[Path] = set()
    todo = [start] if start else []
    while todo:
        path = todo.pop()
        if path not in seen:
            seen.add(path)
            todo.extend(_imported_sources(path))
    return sorted(seen)


def source_digest(module: str) -> str:
    """Return the hex digest of a module, its imports and the versions.

    Imports are those from this project; versions are those of Python, numba and numpy.

    A kernel can reach no other source of ours, so an edit recompiles what it can change and nothing else.  An edit of
    prose or of a descriptor leaves the digest as it is.
    """
    digest = hashlib.blake2b(_VERSIONS.encode(), digest_size=10)
    for path in sources_of(module):
        digest.update(path.relative_to(_ROOT).as_posix().encode() + b"\0" + _code_digest(path))
    return digest.hexdigest()


def cache_root() -> Path:
    """Return the folder of compiled kernels.

    It is ``FOGLINE_KERNEL_CACHE``, else ``kernels`` in the user's cache folder. Where that cannot be written it is a
    temporary folder, named in one line and removed at the end of the process. Nothing is written into the checkout.
    """
    base = os.environ.get("FOGLINE_KERNEL_CACHE")
    return _writable(Path(base) if base else Path(platformdirs.user_cache_dir("fogline", False)) / "kernels")


@functools.cache
def _writable(folder: Path) -> Path:
    """Return a folder if it can be written, else a temporary one."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        wrong = f"{folder}: no kernels can be kept there ({error.strerror})"
    cure = "set FOGLINE_KERNEL_CACHE to a folder that can be written"
    try:
        # Without any folder for temporary files Python offers the current one, which may be the checkout.
        if Path(tempfile.gettempdir()).resolve().is_relative_to(_ROOT):
            raise FileNotFoundError
        made = Path(tempfile.mkdtemp(prefix="fogline-kernels-"))
    except OSError:
        raise OSError(f"{wrong}, and no temporary folder either; {cure}") from None
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    os.environ["FOGLINE_KERNEL_CACHE"] = str(made)
    print(f"fogline: {wrong}; {cure}, else they are compiled at every start", file=sys.stderr)
    return made


@functools.cache
def cache_folder(module: str) -> Path:
    """Return the folder of one module's compiled kernels.

    Its name contains the :func:`source_digest`.
    """
    return cache_root() / f"{module.rsplit('.', 1)[-1]}-{source_digest(module)}"


class _DigestLocator(caching.UserProvidedCacheLocator):
    """Tells numba where a kernel is cached and when the cache is stale.

    The digest decides, not the line or the time of the file.
    """

    def __init__(self, py_func: Any, py_file: str) -> None:
        super().__init__(py_func, py_file)
        self._module = py_func.__module__
        self._cache_path = str(cache_folder(self._module))

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _DigestLocator:
        """Return the locator of a kernel; its folder is created on first use."""
        locator = cls(py_func, py_file)
        locator.ensure_cache_path()
        return locator

    def get_source_stamp(self) -> Any:
        """Return the digest, or numba's own stamp of a file outside this project."""
        return source_digest(self._module) if _module_file(self._module) else super().get_source_stamp()

    def get_disambiguator(self) -> str:
        """Return a constant: a kernel is known by module and name."""
        return "kernel"


class _KernelCacheImpl(caching.CompileResultCacheImpl):
    """Stores compiled kernels where :class:`_DigestLocator` says."""

    _locator_classes = [_DigestLocator]


class _KernelCache(caching.FunctionCache):
    """The on-disk cache of one kernel."""

    _impl_class = _KernelCacheImpl


@dataclass(frozen=True)
class Kernel:
    """A registered kernel: dispatcher, signature and warm-up group."""

    name: str
    dispatcher: Any
    signature: str
    group: str
    parallel: bool


_registry: dict[str, Kernel] = {}
_compiling = threading.RLock()


def kernel(signature: str, *, group: str = "mission", parallel: bool = False) -> Callable[[F], F]:
    """Register a nopython function under one numba ``signature``.

    An example is ``"int64(uint8[:,::1], int64)"``. Write array types as ``dtype[:,::1]`` (C order, writable).
    ``error_model`` is ``numpy`` and fastmath is off, so results are the same with one thread or two.
    """
    if group not in GROUPS:
        raise ValueError(f"kernel group {group!r} is none of {GROUPS}")

    def decorate(function: F) -> F:
        dispatcher = numba.njit(parallel=parallel, error_model="numpy", nogil=True, no_cfunc_wrapper=True)(function)
        dispatcher._cache = _KernelCache(function)
        entry = Kernel(f"{function.__module__}.{function.__qualname__}", dispatcher, signature, group, parallel)
        _registry[entry.name] = entry

        def first_call(*args: Any, **keywords: Any) -> Any:
            # numba calls what this returns with the same arguments.
            compile_kernel(entry)
            return dispatcher

        dispatcher._compile_for_args = first_call
        return dispatcher

    return decorate


def device(function: F) -> F:
    """Mark a helper that kernels call.

    It is compiled into each of them; in Python it is the plain function. It counts no references to its array
    arguments, which its kernel holds anyway: counting would cost more than most helpers do. So it may neither create an
    array or a view nor return one (numba reports that when it compiles). A helper that must do so is a
    :func:`device_with_arrays`.
    """
    return _helper(function, counted=False)


def device_with_arrays(function: F) -> F:
    """Mark a :func:`device` helper that creates arrays or views.

    It is slower to call, and suits helpers with long work to do.
    """
    return _helper(function, counted=True)


def _helper(function: F, counted: bool) -> F:
    """Compile a helper without an entry point for Python.

    An entry point takes a fifth of the compile time and is never used.
    """
    dispatcher = numba.njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=counted)(function)

    def remember(made: Any) -> None:
        returned = made.signature.return_type
        if not counted and any(isinstance(t, types.Array) for t in (returned, *getattr(returned, "types", ()))):
            # Returned without counting, the array would be freed once too often.
            raise TypeError(f"{function.__module__}.{function.__name__} returns an array: use device_with_arrays")
        # Stored for kernels only: numba's table of entries stays empty, and a call from Python falls through to the
        # next line.
        dispatcher.overloads[tuple(made.signature.args)] = made

    dispatcher.add_overload = remember
    dispatcher._compile_for_args = lambda *args, **keywords: function
    return cast(F, dispatcher)


def registered(group: str | None = None) -> list[Kernel]:
    """Return all registered kernels in compile order, or those of one group."""
    rows = sorted(_registry.values(), key=lambda k: (GROUPS.index(k.group), k.name))
    return [k for k in rows if group is None or k.group == group]


def compile_kernel(entry: Kernel) -> bool:
    """Compile or load one kernel; return True when it came from the cache.

    The window's start-up and its first call may request the same kernel in two threads: the second waits.
    """
    with _compiling:
        if entry.dispatcher.signatures:
            return True
        entry.dispatcher.compile(entry.signature)
        entry.dispatcher.disable_compile()
        return sum(entry.dispatcher.stats.cache_hits.values()) > 0


def _cost(entry: Kernel) -> int:
    """Estimate the compile cost of a kernel.

    It is the length of its byte code and of all helpers that it calls.
    """
    total, seen, todo = 0, set(), [entry.dispatcher.py_func]
    while todo:
        function = todo.pop()
        if function in seen:
            continue
        seen.add(function)
        total += len(function.__code__.co_code)
        called = (function.__globals__.get(name) for name in function.__code__.co_names)
        todo += [helper.py_func for helper in called if hasattr(helper, "py_func")]
    return total * (3 if entry.parallel else 1)


def in_turn(groups: tuple[str, ...] = GROUPS) -> list[Kernel]:
    """Return the kernels of some groups in compile order.

    The order is group by group, the most expensive kernel of each first. It is the same in every process of one source,
    so that processes can divide the kernels by number.
    """
    return [k for group in groups for k in sorted(registered(group), key=lambda k: (-_cost(k), k.name))]


def warm_up(groups: tuple[str, ...] = GROUPS) -> Iterator[tuple[int, int, Kernel, bool]]:
    """Compile the groups in order; yield (done, total, kernel, from_cache)."""
    todo = in_turn(groups)
    for done, entry in enumerate(todo, 1):
        yield done, len(todo), entry, compile_kernel(entry)


def import_all() -> None:
    """Import every module that defines kernels, to complete the registry."""
    for folder in ("ai", "game"):
        for path in sorted((_ROOT / folder).rglob("*.py")):
            relative = path.relative_to(_ROOT)
            if "view" in relative.parts or relative.name in ("__init__.py", "cli.py"):
                continue
            if b"kernels import" in path.read_bytes():
                importlib.import_module(".".join(relative.with_suffix("").parts))
