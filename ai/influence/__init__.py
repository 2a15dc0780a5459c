"""Influence maps: the strength of each side on each tile, as one side knows it."""
