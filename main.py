"""Fogline: `python main.py` plays; `python main.py --help` lists what else it can do."""

import sys

from game.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
