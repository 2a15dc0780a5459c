"""The ground: terrain arrays, movement classes, moves, connected components.  Everything spatial stands on it."""
