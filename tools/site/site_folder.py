"""Folder of the site: written beside its place, then renamed."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LIST = "site.json"
"""File that lists the files of a site, which tells it from other folders."""


def refuse_foreign(out: Path) -> None:
    """Raise ValueError in one line unless ``out`` may be replaced.

    It may be missing, empty, or a site without files of other origin.
    """
    try:
        if not out.exists() and not out.is_symlink():
            return
        if out.is_symlink() or not out.is_dir():
            raise ValueError(f"{out}: is no folder; name a new folder")
        there = _files(out)
        own = set(json.loads((out / LIST).read_text(encoding="utf-8"))["files"]) if LIST in there else set()
    except OSError as error:
        raise ValueError(f"{out}: cannot be read ({error.strerror}); name another folder") from None
    except (ValueError, KeyError, TypeError) as error:
        if str(error).startswith(str(out)):
            raise
        raise ValueError(f"{out / LIST}: is damaged; delete the folder or name a new one") from None
    foreign = sorted(there - own - {LIST})
    if foreign:
        raise ValueError(f"{out}: holds {foreign[0]}, which no site wrote; name a new or an empty folder")


def _files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}


@contextmanager
def whole_folder(out: Path) -> Iterator[Path]:
    """Give a scratch folder, which takes the place of ``out`` when all went well.

    Raises ValueError in one line for foreign content or a folder that cannot be written.
    """
    refuse_foreign(out)
    out = out.absolute()
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
    except OSError as error:
        raise ValueError(f"{out}: cannot be written ({error.strerror}); check the folder above it") from None
    try:
        yield scratch
        files = json.dumps({"files": sorted(_files(scratch))}, indent=1)
        (scratch / LIST).write_text(files + "\n", encoding="utf-8")
        os.chmod(scratch, 0o755)
        refuse_foreign(out)  # the pictures took minutes, and files may have come meanwhile
        _put(scratch, out)
    except OSError as error:
        raise ValueError(f"{out}: cannot be written ({error.strerror}); check the disk") from None
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _put(scratch: Path, out: Path) -> None:
    """Rename the new folder into its place, and keep the old one until then."""
    if not out.exists():
        os.rename(scratch, out)
        return
    old = Path(tempfile.mkdtemp(prefix=f".{out.name}.old.", dir=out.parent))
    os.rename(out, old / "site")
    try:
        os.rename(scratch, out)
    except OSError:
        os.rename(old / "site", out)
        raise
    finally:
        shutil.rmtree(old, ignore_errors=True)
