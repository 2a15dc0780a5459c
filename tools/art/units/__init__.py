"""Figures and marks of the bake."""
