"""Fogline: `python main.py` plays; `python main.py --help` lists what else it can do."""

import sys
from importlib.util import find_spec

if sys.version_info < (3, 11) or find_spec("pygame") is None or find_spec("numba") is None:
    sys.exit("fogline: needs Python 3.11 or later and: pip install -r requirements.txt")

from game.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
