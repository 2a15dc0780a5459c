"""Path search on the terrain grid.

Every search counts revolutions (expanded nodes), never milliseconds.
"""
