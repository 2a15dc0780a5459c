"""Terrain, movement classes and connected components."""
