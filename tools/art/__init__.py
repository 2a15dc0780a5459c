"""Bake: draws every picture and sound of Fogline from code, deterministically."""
