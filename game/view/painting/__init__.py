"""Painting basics: camera, palette, text, panels and shared services."""
