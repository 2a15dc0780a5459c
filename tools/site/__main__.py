"""Writes the gallery as static pages: ``python -m tools.site OUT [SLUG ...]``."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path


def main(arguments: list[str]) -> int:
    """Write the site and return the exit code; an error is one line."""
    parser = argparse.ArgumentParser(prog="python -m tools.site", description=__doc__)
    parser.add_argument("out", type=Path, metavar="OUT", help="folder of the site: new, empty, or made by this tool")
    parser.add_argument("slugs", nargs="*", metavar="SLUG", help="techniques by slug; all without one")
    given = parser.parse_args(arguments)
    # Before pygame is first imported, and without touching a choice the caller has made.
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
    from tools.site.site_builder import build_site

    try:
        count = build_site(given.out, given.slugs, say=lambda words: print(words, file=sys.stderr))
    except ValueError as error:
        print(f"python -m tools.site: {error}", file=sys.stderr)
        return 2
    print(f"{given.out}: {count} pages")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
