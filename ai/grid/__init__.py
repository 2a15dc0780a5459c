"""The ground: terrain arrays, movement classes, moves, connected components."""
