"""The game's floors; each imports only those below it.

From low to high: level, world, minds, sim, view, cli.
"""
