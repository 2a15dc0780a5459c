"""Terrain of a map: what layers and tiles mean for walking, sight and cover."""
