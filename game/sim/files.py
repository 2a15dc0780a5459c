"""Writing files whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_whole(path: Path, data: bytes | str) -> None:
    """Write a file by way of a neighbour and a rename, so that a half-written one is never seen.

    Raises ValueError in one line when the folder is missing or cannot be written.
    """
    raw = data.encode() if isinstance(data, str) else data
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise ValueError(f"{path}: cannot be written ({error.strerror}); check the folder") from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(raw)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except OSError as error:
        os.unlink(name)
        raise ValueError(f"{path}: cannot be written ({error.strerror})") from None
