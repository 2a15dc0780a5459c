"""Influence maps: the known strength of each side on each tile."""
