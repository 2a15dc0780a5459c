"""Influence: how strong each side is on each tile, as far as one side knows."""
