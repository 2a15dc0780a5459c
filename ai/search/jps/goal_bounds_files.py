"""Goal bounds in the cache folder.

Their key is a digest of the terrain and of the kernel that computes them. All readers load them from here, so they are
computed once per map, behind a progress bar.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import zipfile
from pathlib import Path

import numpy as np

from ai.core.kernels import cache_root, source_digest
from ai.search.jps.jps import UniformGround


def tables_folder() -> Path:
    """Return the folder with tables of static maps."""
    return cache_root() / "maps"


def _file(ground: UniformGround, folder: Path) -> Path:
    digest = hashlib.blake2b(np.packbits(ground.ground).tobytes(), digest_size=16)
    digest.update(repr(ground.ground.shape).encode())
    digest.update(source_digest("ai.search.jps.goal_bounds_kernels").encode())
    return folder / f"bounds-{digest.hexdigest()}.npz"


def load_bounds(ground: UniformGround, folder: Path | None) -> np.ndarray | None:
    """Return the saved goal bounds of this ground.

    Returns None when there are none or the file is broken.
    """
    if folder is None:
        return None
    try:
        with np.load(_file(ground, folder), allow_pickle=False) as kept:
            bounds = kept["bounds"]
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None
    if bounds.shape != (ground.moves.size, 8) or bounds.dtype != np.uint64:
        return None
    return np.ascontiguousarray(bounds)


def save_bounds(ground: UniformGround, bounds: np.ndarray, folder: Path | None) -> None:
    """Save goal bounds for the next start.

    A folder that is not writable is no error.
    """
    if folder is None:
        return
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(suffix=".npz", dir=folder)
        try:
            with os.fdopen(handle, "wb") as file:
                np.savez_compressed(file, bounds=bounds)
            os.replace(name, _file(ground, folder))
        finally:
            Path(name).unlink(missing_ok=True)
