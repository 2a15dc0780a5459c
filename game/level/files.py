"""Reads text files, and writes files whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
import tomllib
from pathlib import Path
from typing import Any


def read_toml(path: Path) -> dict[str, Any]:
    """Return the tables of a TOML file.

    Raises ValueError in one line that names the file, the fault and the place.
    """
    return parse_toml(path, read_words(path))


def read_words(path: Path) -> str:
    """Return the text of a file, with or without a byte order mark.

    Raises ValueError in one line that names the file.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ValueError(f"{path}: cannot be read ({error.strerror}); check the path") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path}: not UTF-8 text; save it as UTF-8") from None
    except ValueError:
        raise ValueError(f"{path}: that is no path; check it") from None


def parse_toml(path: Path, text: str) -> dict[str, Any]:
    """Return the tables of a TOML text that was read from ``path``.

    Raises ValueError as :func:`read_toml` does.
    """
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError(f"{path}: not valid TOML: its values are nested too deeply") from None
    except ValueError as error:  # an integer of thousands of digits is a ValueError too
        raise ValueError(f"{path}: not valid TOML: {' '.join(str(error).split())}") from None


def write_whole(path: Path, data: bytes | str, *, overwrite: bool = False) -> None:
    """Write a file whole or not at all.

    Raises ValueError when the file exists and ``overwrite`` is false, or when it cannot be written.  A pipe or a device
    such as ``/dev/null`` is written to and never replaced.
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
            file.flush()
            os.fsync(file.fileno())
        os.chmod(scratch, 0o644)
        if overwrite:
            os.replace(scratch, path)
        else:
            # A hard link fails when the name is taken; a check followed by a rename could replace a new file.
            try:
                os.link(scratch, path)
            except FileExistsError:
                raise
            except OSError:  # the file system has no hard links
                if path.exists():
                    raise FileExistsError from None
                os.replace(scratch, path)
            else:
                os.unlink(scratch)
        _sync_folder(path.parent)
    except FileExistsError:
        os.unlink(scratch)
        raise ValueError(f"{path}: the file exists already; choose another name or delete it") from None
    except OSError as error:
        if scratch and os.path.exists(scratch):
            os.unlink(scratch)
        raise ValueError(f"{path}: cannot be written ({error.strerror}); check the folder") from None


def _sync_folder(folder: Path) -> None:
    """Flush a folder to the disk, where the system supports it."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def refuse_unwritable(path: Path) -> None:
    """Raise the error of :func:`write_whole` before a long computation starts."""
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
