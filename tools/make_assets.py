"""Bake pictures and sounds from code: ``python -m tools.make_assets [PART ...]``.

Without a part everything is baked.  The same code gives the same bytes; results are committed.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:  # `python tools/make_assets.py` puts tools/ first, not the project
    sys.path.insert(0, str(ROOT))
os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")


def main(arguments: list[str] | None = None) -> int:
    """Command line."""
    from tools.art import parts

    parser = argparse.ArgumentParser(prog="make_assets", description="Bake Fogline's pictures and sounds from code.")
    parser.add_argument("part", nargs="*", choices=[[], *parts.PARTS], help=f"one of {', '.join(parts.PARTS)}")
    parser.add_argument("--into", type=Path, default=ROOT, help="folder that holds assets/ and levels/")
    wanted = parser.parse_args(arguments)
    for name in wanted.part or list(parts.PARTS):
        start = time.perf_counter()
        parts.PARTS[name](wanted.into)
        print(f"{name:10s} {time.perf_counter() - start:6.1f} s")
    size = sum(file.stat().st_size for file in (wanted.into / "assets").rglob("*") if file.is_file())
    print(f"assets: {size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
