"""Writing files whole or not at all."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path


def write_whole(path: Path, data: bytes | str, *, overwrite: bool = False) -> None:
    """Write a file whole or not at all; raises ValueError when it exists (unless told) or cannot be written.

    What is there and no file, as a pipe or ``/dev/null``, is written to and never replaced.
    """
    scratch = ""
    body = data.encode() if isinstance(data, str) else data
    try:
        if overwrite and path.exists() and not path.is_file() and not path.is_dir():
            with path.open("wb") as device:
                device.write(body)
            return
        handle, scratch = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "wb") as file:
            file.write(body)
        os.chmod(scratch, 0o644)
        if overwrite:
            os.replace(scratch, path)
        else:
            # A hard link fails when the name is taken, so nobody's file is lost between a look and a rename.
            try:
                os.link(scratch, path)
            except FileExistsError:
                raise
            except OSError:  # a file system without hard links
                if path.exists():
                    raise FileExistsError from None
                os.replace(scratch, path)
            else:
                os.unlink(scratch)
    except FileExistsError:
        os.unlink(scratch)
        raise ValueError(f"{path}: the file exists already; choose another name or delete it") from None
    except OSError as error:
        if scratch and os.path.exists(scratch):
            os.unlink(scratch)
        raise ValueError(f"{path}: cannot be written ({error.strerror}); check the folder") from None


def refuse_unwritable(path: Path) -> None:
    """Raises the ValueError that :func:`write_whole` would end in, before the work whose result goes there."""
    try:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if path.exists() and not path.is_file():
            return
        handle, scratch = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        os.close(handle)
        os.unlink(scratch)
    except OSError as error:
        raise ValueError(f"{path}: cannot be written ({error.strerror}); check the folder") from None
